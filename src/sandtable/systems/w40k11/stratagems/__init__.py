"""Stratagems (15): how they are used, and the core ones."""
