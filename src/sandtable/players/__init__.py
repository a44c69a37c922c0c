"""Who answers decisions: a person, chance, standing orders; and the loop that seats them at a battle."""

from sandtable.players.base import Concede, Leave, Player, TakeBack
from sandtable.players.chance import RandomPlayer
from sandtable.players.computer import ComputerPlayer
from sandtable.players.named import DefaultPlayer, default, gunline, named, random, rusher, tactician
from sandtable.players.person import Person
from sandtable.players.standing import (
    DEFAULT_ORDERS,
    Note,
    Orders,
    Remembered,
    StandingOrders,
    default_orders,
    read_orders,
)
from sandtable.players.table import play, seat

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
    "Remembered",
    "StandingOrders",
    "TakeBack",
    "default",
    "default_orders",
    "gunline",
    "named",
    "play",
    "random",
    "read_orders",
    "rusher",
    "seat",
    "tactician",
]
