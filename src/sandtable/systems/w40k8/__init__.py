"""Warhammer 40,000, 8th edition: so far what a unit is, how attacks are made, and the phases in which units meet."""
