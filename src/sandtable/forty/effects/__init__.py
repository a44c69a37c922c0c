"""Abilities at work: what datasheets, factions, detachments and enhancements change in a battle."""
