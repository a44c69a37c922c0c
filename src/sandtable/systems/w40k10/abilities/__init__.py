"""Abilities that have headings of their own in the book."""
