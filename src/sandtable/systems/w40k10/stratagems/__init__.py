"""Stratagems: how they are used, and a file for each of the core ones."""
