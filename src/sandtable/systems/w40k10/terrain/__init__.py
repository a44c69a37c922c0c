"""Terrain features, by their headings."""
