"""The server: battles for people far apart, with computer players, spectators and replays.

It knows no rules system by name: everything goes through the public API of the machine and the players.
"""
