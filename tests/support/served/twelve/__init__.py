"""Asks every question that there is, and judges each of the answers."""
