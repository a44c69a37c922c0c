"""Resolving attacks in a battle, whatever the system: dice, defenders, saves, and the flow that joins them."""
