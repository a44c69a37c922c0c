"""Odds in editions of 40,000: what attacks would do, in a battle and without one."""
