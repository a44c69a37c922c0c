"""Who answers decisions: a person, chance, standing orders; and the loop that seats them at a battle."""

from sandtable.players.base import Concede, Leave, Player, TakeBack
from sandtable.players.computer import ComputerPlayer
from sandtable.players.person import Person
from sandtable.players.random import RandomPlayer
from sandtable.players.standing import DEFAULT_ORDERS, Note, Orders, StandingOrders, read_orders
from sandtable.players.table import DefaultPlayer, play, seat

__all__ = [
    "DEFAULT_ORDERS",
    "ComputerPlayer",
    "Concede",
    "DefaultPlayer",
    "Leave",
    "Note",
    "Orders",
    "Person",
    "Player",
    "RandomPlayer",
    "StandingOrders",
    "TakeBack",
    "play",
    "read_orders",
    "seat",
]
