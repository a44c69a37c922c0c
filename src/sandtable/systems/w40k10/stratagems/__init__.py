"""Stratagems: their cards and how they are used, and the core ones by their categories."""
