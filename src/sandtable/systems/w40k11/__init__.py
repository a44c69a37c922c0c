"""Warhammer 40,000, 11th edition."""
