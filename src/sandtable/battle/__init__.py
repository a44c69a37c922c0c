"""The machine: state, steps, decisions, windows, effects, dice, events, journal, fork, scenario files."""

import os

from sandtable.battle.decisions import (
    Assign,
    Assignment,
    Choose,
    ChooseSome,
    Confirm,
    Decision,
    Flight,
    FlightLeg,
    FlightPath,
    Laid,
    Leg,
    Mode,
    Move,
    Moves,
    Number,
    Option,
    Order,
    Path,
    Place,
    Plot,
    Plotted,
    Row,
    Split,
    Spot,
    Template,
    Value,
)
from sandtable.battle.driving import BrokenRule
from sandtable.battle.machine import Battle, Refused
from sandtable.battle.setup import Setup
from sandtable.battle.state import (
    ABOARD,
    GONE,
    OFF,
    TABLE,
    AnyPlayer,
    AnyUnit,
    Effect,
    Models,
    Result,
    State,
)
from sandtable.battle.system import AGAIN, DONE, Moment, Question, Reaction, Reading, Step, System
from sandtable.battle.verdict import ALLOWED, Reason, Verdict, all_reasons, first_refusal, refuse
from sandtable.battle.world import View, World

if os.environ.get("SANDTABLE_CHECK_CACHES"):
    from sandtable.battle.stale import Watch

    Watch().install()

__all__ = [
    "ABOARD",
    "AGAIN",
    "ALLOWED",
    "DONE",
    "GONE",
    "OFF",
    "TABLE",
    "AnyPlayer",
    "AnyUnit",
    "Assign",
    "Assignment",
    "Battle",
    "BrokenRule",
    "Choose",
    "ChooseSome",
    "Confirm",
    "Decision",
    "Effect",
    "Flight",
    "FlightLeg",
    "FlightPath",
    "Laid",
    "Leg",
    "Mode",
    "Models",
    "Moment",
    "Move",
    "Moves",
    "Number",
    "Option",
    "Order",
    "Path",
    "Place",
    "Plot",
    "Plotted",
    "Question",
    "Reaction",
    "Reading",
    "Reason",
    "Refused",
    "Result",
    "Row",
    "Setup",
    "Split",
    "Spot",
    "State",
    "Step",
    "System",
    "Template",
    "Value",
    "Verdict",
    "View",
    "World",
    "all_reasons",
    "first_refusal",
    "refuse",
]
