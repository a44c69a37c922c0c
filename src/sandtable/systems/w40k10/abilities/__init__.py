"""Abilities of datasheets, factions, detachments and enhancements: who carries them, and what they change."""
