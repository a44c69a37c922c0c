"""The armies of the 40kdc community dataset (the package wh40kdc), read as factions of our own format.

Nothing of it is copied here: figures, names and lists of ids are read from the installed package. What it lacks is
filled by tables of our own (`bases`), what it says about abilities passes a gate (`gate`) or is replaced by corrections
of ours (`corrections`).
"""
