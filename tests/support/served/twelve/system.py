"""A game in which a few scouts are sent to a brook: it asks a question of each of the twelve shapes, one by one.

To all of them but yes or no there is an answer that can be given by hand and is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np

from sandtable.battle import (
    ALLOWED,
    DONE,
    OFF,
    TABLE,
    AnyPlayer,
    AnyUnit,
    Assign,
    Battle,
    Choose,
    ChooseSome,
    Confirm,
    Decision,
    FlightPath,
    Mode,
    Models,
    Move,
    Number,
    Option,
    Order,
    Place,
    Plot,
    Question,
    Result,
    Row,
    Setup,
    Split,
    State,
    Step,
    System,
    Template,
    refuse,
)
from sandtable.table.grid import steps
from sandtable.table.layout import Table
from sandtable.table.shapes import round_base

SPEARS, BOWS, SCOUTS, WOLVES, BEARS = range(5)
NAMES = ("Spears", "Bows", "Scouts", "Wolves", "Bears")
WIDTH, DEPTH = 44, 30
WIDE, LEFT, RIGHT = steps(2), steps(9), steps(22)
BROOK = steps(14)
#: The player of each unit, and where its models stand, in inches.
STAND = (
    (0, ((10, 8), (12, 8), (14, 8))),
    (0, ((20, 8), (22, 8), (24, 8))),
    (0, ((-4, -4), (-6, -4))),
    (1, ((12, 22), (14, 22), (16, 22))),
    (1, ((28, 22),)),
)


class Nothing(msgspec.Struct):
    """What this game keeps beside units and players."""


class Data(msgspec.Struct, frozen=True):
    """What it is set up with."""


Game: TypeAlias = Battle[AnyUnit, AnyPlayer, Nothing, Data]


def bands(*chosen: int) -> tuple[Option, ...]:
    return tuple(Option(u, NAMES[u]) for u in chosen)


THINGS = tuple(Option(name, name) for name in ("rope", "torch", "flag"))
GLADE = ((steps(2), steps(2)), (steps(18), steps(2)), (steps(18), steps(6)), (steps(2), steps(6)))


class Asked(NamedTuple):
    """A question, which answers to it are right, and what is said to those that are not."""

    decision: Decision[Any]
    right: Callable[[Any], bool] = lambda answer: True
    otherwise: str = ""


ASKED = (
    Asked(Choose(player=0, kind="choose", prompt="Who leads?", options=bands(SPEARS, BOWS))),
    Asked(
        ChooseSome(
            player=0,
            kind="choose_some",
            prompt="What do they carry?",
            options=THINGS,
            least=1,
            most=2,
            deed="Take along",
        ),
        lambda some: set(some) != {"torch", "flag"},
        "Nobody carries a torch beside a flag.",
    ),
    Asked(
        Assign(
            player=0,
            kind="assign",
            prompt="What do the Bows aim at?",
            unit=BOWS,
            rows=(Row("bows", "bows", 3, (WOLVES, BEARS)), Row("knives", "knives", 1, (WOLVES,))),
            targets=bands(WOLVES, BEARS),
        ),
        lambda shots: any(shot.row == "bows" and shot.target == WOLVES for shot in shots),
        "Some bow is kept on the Wolves.",
    ),
    Asked(
        Split(player=0, kind="split", prompt="Who gets the arrows?", options=bands(SPEARS, BOWS), total=5, most_each=4),
        lambda shares: dict(shares).get(BOWS, 0) > 1,
        "The Bows want more than one arrow.",
    ),
    Asked(
        Order(player=0, kind="order", prompt="Who marches first?", options=bands(SPEARS, BOWS, SCOUTS)),
        lambda order: order[-1] != SCOUTS,
        "The Scouts never march last.",
    ),
    Asked(
        Place(player=0, kind="place", prompt="Where are the Scouts?", unit=SCOUTS, models=(6, 7), area=GLADE),
        lambda spots: all(spot.x < LEFT for spot in spots),
        "They would be seen there.",
    ),
    Asked(
        Move(
            player=0,
            kind="move",
            prompt="Where do the Spears go?",
            unit=SPEARS,
            models=(0, 1, 2),
            modes=(Mode("march", "March", steps(8)),),
        ),
        lambda moves: all(path.legs[-1].y < BROOK for path in moves.paths),
        "Nobody crosses the brook.",
    ),
    Asked(
        Template(
            player=0, kind="template", prompt="Where is there fog?", templates=("fog", "fog"), about={"radius": WIDE}
        ),
        lambda laid: abs(laid[0].x - laid[1].x) >= 2 * WIDE,
        "Fog does not lie on fog.",
    ),
    Asked(
        FlightPath(
            player=0, kind="flight_path", prompt="How does the hawk fly?", shortest_leg=steps(10), widest_turn=512
        ),
        lambda flight: len(flight.legs) > 1,
        "The hawk flies two legs at least.",
    ),
    Asked(
        Number(player=0, kind="number", prompt="How many torches burn?", least=1, most=40),
        lambda number: number % 2 == 0,
        "Torches burn in pairs.",
    ),
    Asked(Confirm(player=0, kind="confirm", prompt="Is a guard posted?")),
    Asked(
        Plot(player=0, kind="plot", prompt="Where is the trap?", most=2, last_turn=4),
        lambda places: all(place.x > RIGHT for place in places),
        "The trap is on the right.",
    ),
)


def judging(asked: Asked) -> Question:
    return Question(judge=lambda world, decision, answer: ALLOWED if asked.right(answer) else refuse(asked.otherwise))


def asking(decision: Decision[Any]) -> Callable[[Game], Any]:
    """The step that asks; who is set up or moves stands where the answer says."""

    async def ask(b: Game) -> Step:
        answer = await b.ask(decision)
        match decision:
            case Place():
                b.move_models([spot.model for spot in answer], [(spot.x, spot.y, spot.z) for spot in answer])
                b.place_models(decision.models, TABLE)
            case Move():
                ends = [(p.model, p.legs[-1]) for p in answer.paths]
                b.move_models([model for model, _ in ends], [(leg.x, leg.y, leg.z) for _, leg in ends])
        b.tell(decision.kind, f"{decision.prompt} That is settled.")
        return DONE

    ask.__name__ = decision.kind
    return ask


def end(b: Game) -> None:
    b.finish(Result((0,), "the scouts are sent"))


def sample(seed: int, options: dict[str, str]) -> tuple[Setup[Data], State[AnyUnit, AnyPlayer, Nothing]]:
    places = [place for _, stand in STAND for place in stand]
    unit_of = [u for u, (_, stand) in enumerate(STAND) for _ in stand]
    count = len(places)
    zero = np.zeros(count, dtype=np.int64)
    models = Models(
        np.array([(steps(x), steps(y), 0) for x, y in places], dtype=np.int64),
        zero.copy(),
        np.full(count, 1, dtype=np.int64),
        np.array([OFF if u == SCOUTS else TABLE for u in unit_of], dtype=np.int64),
        zero.copy(),
        np.array(unit_of, dtype=np.int64),
    )
    own = [tuple(m for m in range(count) if unit_of[m] == u) for u in range(len(STAND))]
    units = [AnyUnit(u, player, NAMES[u], own[u]) for u, (player, _) in enumerate(STAND)]
    table = Table(steps(WIDTH), steps(DEPTH), "in")
    setup = Setup("twelve", table, (round_base(1.25, 2.0),), (0,) * count, Data(), options)
    return setup, State(models, units, [AnyPlayer(0, "Red", 0), AnyPlayer(1, "Blue", 1)], Nothing())


SYSTEM = System(
    id="twelve",
    name="Twelve questions",
    unit="in",
    unit_type=AnyUnit,
    player_type=AnyPlayer,
    game_type=Nothing,
    data_type=Data,
    segments={"setup": tuple(asking(asked.decision) for asked in ASKED)},
    next_segment=end,
    questions={asked.decision.kind: judging(asked) for asked in ASKED},
    sample=sample,
)
