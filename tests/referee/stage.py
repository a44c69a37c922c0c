"""A small stage for the referee's own tests: a few models and a story about them, written down event by event.

Nothing here is played. What happens is what the test says, legal or not, so that a judgement can be shown a fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from referee.editions import w40k10
from referee.watch import GONE, OFF, ON, Court, Fault

STEP = 1024
GUN: dict[str, Any] = {
    "name": "gun",
    "attacks": "2",
    "skill": 3,
    "strength": 4,
    "ap": 0,
    "damage": "1",
    "range": 24,
    "abilities": [],
    "of": "",
}
SWORD: dict[str, Any] = {**GUN, "name": "sword", "range": 0}
SHEET: dict[str, Any] = {
    "name": "Man",
    "move": 6,
    "toughness": 4,
    "save": 4,
    "wounds": 2,
    "leadership": 7,
    "oc": 1,
    "base": "25.4mm",
    "height": 1.5,
    "keywords": ["INFANTRY"],
    "weapons": [GUN, SWORD],
    "invulnerable": 0,
    "abilities": [],
    "leads": [],
    "transport": None,
}
MISSION: dict[str, Any] = {"id": "test", "scoring": [], "placed": 0, "destroyed_loses": True}
UNIT: dict[str, Any] = {
    "strength": 1, "leader": [], "leader_strength": 0, "battle_shocked": False, "tested": False, "moved": "",
    "advance": 0, "rolled_move": 0, "shot": False, "near": False, "declared": False, "charged": False,
    "intervened": False, "fight_eligible": False, "fought": False, "reserve": "", "arrived": False, "held_back": False,
    "embarked": -1, "disembarked": "", "stays_aboard": False, "lent": [], "emptied": [], "hover": False, "due": False,
    "no_room": False, "scouted": False, "last_stand": [],
}  # fmt: skip


def steps(inches: float) -> int:
    return round(inches * STEP)


def box(kind: str, x: float, y: float, wide: float, deep: float, top: float, **more: Any) -> dict[str, Any]:
    """A terrain feature with a rectangular outline."""
    corners = [(x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep)]
    return {
        "id": f"{kind} at {x:g}, {y:g}",
        "kind": kind,
        "outline": [[steps(a), steps(b)] for a, b in corners],
        "bottom": 0,
        "top": steps(top),
        "solid": more.pop("solid", False),
        "walls": [
            {
                "a": [steps(v) for v in a],
                "b": [steps(v) for v in b],
                "bottom": steps(low),
                "top": steps(high),
                "thickness": 256,
            }
            for a, b, low, high in more.pop("walls", ())
        ],
        "floors": [
            {"outline": [[steps(p), steps(q)] for p, q in outline], "z": steps(z), "thickness": 102}
            for outline, z in more.pop("floors", ())
        ],
        "name": "",
    }


class Stage:
    """Players red and blue, their units, and what happens."""

    def __init__(
        self,
        *features: dict[str, Any],
        markers: Sequence[tuple[float, float]] = (),
        mission: Mapping[str, Any] | None = None,
        abilities: Sequence[dict[str, Any]] = (),
    ) -> None:
        self.features, self.markers, self.abilities = list(features), markers, list(abilities)
        self.mission = {**MISSION, **(mission or {})}
        self.sheets: list[dict[str, Any]] = []
        self.kits: list[dict[str, Any]] = []
        self.units: list[dict[str, Any]] = []
        self.roster: list[dict[str, Any]] = []
        self.pos: list[list[int]] = []
        self.facing: list[int] = []
        self.wounds: list[int] = []
        self.place: list[int] = []
        self.home: list[int] = []
        self.items: list[dict[str, Any]] = []
        self.asked = 0
        self.clock: dict[str, Any] = {"segment": "turn", "step": 0, "round": 1, "active": 0}
        self.players = [
            {"id": i, "name": name, "side": i, "cp": 5, "vp": 0, "used": [], "scored": []}
            for i, name in enumerate(("red", "blue"))
        ]
        self.zones = [
            [[0, 0], [steps(60), 0], [steps(60), steps(10)], [0, steps(10)]],
            [[0, steps(34)], [steps(60), steps(34)], [steps(60), steps(44)], [0, steps(44)]],
        ]
        self.game = {"wish": -1, "attacker": 0, "markers": [], "removed": [], "control": [-1] * len(markers)}

    # --- Who is there -------------------------------------------------------------------------------------------------

    def unit(
        self,
        player: int,
        spots: Sequence[tuple[float, ...]],
        *,
        place: int = ON,
        wounds: int | None = None,
        facing: int = 0,
        leader: Sequence[tuple[float, ...]] = (),
        fields: Mapping[str, Any] | None = None,
        **sheet: Any,
    ) -> int:
        """A unit of alike models; `leader` are models of a Leader, a CHARACTER, who came to lead it."""
        number = len(self.units)
        models = self._models(number, spots, {**SHEET, **sheet}, place, wounds, facing)
        chiefs: list[int] = []
        if leader:
            keywords = [*{**SHEET, **sheet}["keywords"], "CHARACTER"]
            chiefs = self._models(
                number, leader, {**SHEET, **sheet, "name": "Boss", "keywords": keywords}, place, None, 0
            )
        fresh = {"id": number, "player": player, "name": f"Unit {number}", "models": [*models, *chiefs]}
        self.units.append({**UNIT, **fresh, "strength": len(models), "leader": chiefs, "leader_strength": len(chiefs)})
        self.units[-1].update(fields or {})
        return number

    def _models(
        self,
        unit: int,
        spots: Sequence[tuple[float, ...]],
        sheet: dict[str, Any],
        place: int,
        wounds: int | None,
        facing: int,
    ) -> list[int]:
        self.sheets.append(sheet)
        first = len(self.kits)
        for spot in spots:
            x, y, z = (*spot, 0.0)[:3]
            self.kits.append({"sheet": len(self.sheets) - 1, "weapons": list(range(len(sheet["weapons"])))})
            self.pos.append([steps(x), steps(y), steps(z)])
            self.facing.append(facing)
            self.wounds.append(sheet["wounds"] if wounds is None else wounds)
            self.place.append(place)
            self.home.append(unit)
        self.roster.append(
            {
                "datasheet": f"{sheet['name']} {len(self.roster)}",
                "points": 100,
                "models": len(spots),
                "warlord": -1,
                "leads": [],
                "beside": [],
            }
        )
        return list(range(first, len(self.kits)))

    # --- What happens -------------------------------------------------------------------------------------------------

    def event(self, event: str, **fields: Any) -> None:
        self.items.append({"event": event, **fields})

    def changed(self, what: str, number: int = -1, **fields: Any) -> None:
        self.event("changed", what=what, id=number, fields=fields)

    def step(self, name: str, **clock: Any) -> None:
        """The battle comes to a step."""
        self.changed("clock", step=w40k10.Book.steps.index(name), **clock)

    def tell(self, kind: str, units: Sequence[int] = (), *rules: str, text: str = "", **data: Any) -> None:
        self.event("told", kind=kind, text=text or kind, rules=list(rules), units=list(units), data=data)

    def roll(self, reason: str, *faces: int, player: int = 0, rules: Sequence[str] = ()) -> None:
        self.event("rolled", player=player, reason=reason, faces=list(faces), sides=6, rules=list(rules))

    def ask(self, kind: str, shape: str, unit: int = -1, *, player: int = 0, about: Any = None, **fields: Any) -> int:
        number, self.asked = self.asked, self.asked + 1
        self.event("asked", decision=number, player=player, kind=kind)
        self.event("question", id=number, shape=shape, kind=kind, unit=unit, player=player, about=about or {}, **fields)
        return number

    def answer(
        self, kind: str, answer: Any, unit: int = -1, *, shape: str = "choose", player: int = 0, **asked: Any
    ) -> None:
        number = self.ask(kind, shape, unit, player=player, **asked)
        self.event("answered", decision=number, player=player, kind=kind, answer=answer)

    def wounded(self, model: int, wounds: int) -> None:
        self.event("wounded", model=model, wounds=wounds)

    def marked(self, model: int) -> None:
        self.event("marked", model=model, mark=1)

    def gone(self, *models: int) -> None:
        self.event("placed", models=list(models), place=GONE)

    def killed(self, model: int, unit: int | None = None) -> None:
        """A model loses its last wound and goes; with `unit`, it was the last of it."""
        self.wounded(model, 0)
        self.gone(model)
        if unit is not None:
            self.tell("unit_destroyed", [unit], part="unit")

    # --- Moves --------------------------------------------------------------------------------------------------------

    def move(
        self,
        unit: int,
        mode: str,
        paths: Mapping[int, Sequence[tuple[Any, ...]]],
        *,
        kind: str = "move",
        allowance: float = 99.0,
        **about: Any,
    ) -> None:
        """A unit moves; each path is a list of (x, y), (x, y, z) or ("climb", x, y, z)."""
        legs = {m: self._legs(m, path) for m, path in paths.items()}
        modes = [{"name": mode, "label": mode, "allowance": steps(allowance)}]
        told = {"mode": mode, "paths": [{"model": m, "legs": path} for m, path in legs.items()], "onto": -1}
        player = self.units[unit]["player"]
        self.answer(kind, told, unit, shape="move", player=player, about=about, modes=modes)
        if legs:
            ends = [path[-1] for path in legs.values()]
            pos = [[end["x"], end["y"], end["z"]] for end in ends]
            self.event("moved", models=list(legs), pos=pos, facing=[end["facing"] for end in ends])

    def _legs(self, model: int, path: Sequence[tuple[Any, ...]]) -> list[dict[str, Any]]:
        legs = []
        for leg in path:
            do, values = (leg[0], leg[1:]) if isinstance(leg[0], str) else ("go", leg)
            x, y, z = (*values, 0.0)[:3]
            legs.append({"do": do, "x": steps(x), "y": steps(y), "z": steps(z), "facing": self.facing[model]})
        return legs

    def set_up(self, unit: int, kind: str, spots: Mapping[int, tuple[float, ...]], **about: Any) -> None:
        """Models are set up."""
        told = [{"model": m, "x": steps(s[0]), "y": steps(s[1]), "z": 0, "facing": 0} for m, s in spots.items()]
        self.answer(kind, told, unit, shape="place", player=self.units[unit]["player"], about=about, models=list(spots))
        self.event(
            "moved",
            models=list(spots),
            pos=[[steps(s[0]), steps(s[1]), 0] for s in spots.values()],
            facing=[0] * len(spots),
        )
        self.event("placed", models=list(spots), place=ON)

    # --- Attacks ------------------------------------------------------------------------------------------------------

    def declare(self, unit: int, weapon: str, target: int, count: int, *, kind: str = "shoot", **about: Any) -> None:
        """Weapons, or in melee attacks, are declared against a target."""
        rows = [{"id": "0", "label": weapon, "count": count, "targets": [target], "modes": []}]
        told = [{"row": "0", "target": target, "count": count, "mode": ""}]
        targets = [{"value": target, "label": ""}]
        player = self.units[unit]["player"]
        self.answer(kind, told, unit, shape="assign", player=player, about=about, rows=rows, targets=targets)
        if kind == "shoot":
            self.tell("shoots", [unit, target])

    def attack(self, unit: int, weapon: str, target: int, count: int, **figures: Any) -> None:
        """What an attack came to, as it is told."""
        data = {
            "attacks": 0,
            "hits": 0,
            "criticals": 0,
            "wounds": 0,
            "unsaved": 0,
            "damage": 0,
            "destroyed": [],
            **figures,
        }
        text = f"Unit {unit}: {count} x {weapon} at Unit {target}, {data['attacks']} attacks: so many hit."
        self.tell("attack", [unit, target], "w40k10.attack.sequence", text=text, **data)

    # --- The record ---------------------------------------------------------------------------------------------------

    def record(self) -> dict[str, Any]:
        """All of it, as a battle is recorded."""
        data = {
            "sheets": self.sheets,
            "kits": self.kits,
            "objectives": [[steps(x), steps(y), 0] for x, y in self.markers],
            "rounds": 5,
            "roster": self.roster,
            "mission": self.mission,
            "limit": 1000,
            "zones": self.zones,
            "wishes": [],
            "abilities": self.abilities,
            "stratagems": [],
        }
        table = {"width": steps(60), "depth": steps(44), "unit": "in", "features": self.features}
        models = {
            "pos": self.pos,
            "facing": self.facing,
            "wounds": self.wounds,
            "place": self.place,
            "mark": [0] * len(self.pos),
            "unit": self.home,
        }
        start = {
            "models": models, "units": self.units, "players": self.players, "game": self.game, **self.clock,
            "effects": [], "features": [], "result": None,
        }  # fmt: skip
        setup = {"system": "w40k10", "table": table, "data": data, "options": {"aircraft-lock": "locked"}}
        return {"title": "", "system": "w40k10", "setup": setup, "start": start, "items": self.items, "end": {}}

    def judge(self, *judgements: Any) -> list[Fault]:
        """What judgements find in the story."""
        edition = SimpleNamespace(book=w40k10.book, JUDGEMENTS=judgements)
        return Court(self.record(), edition).hear()

    def rules(self, *judgements: Any) -> list[str]:
        """The rows of the ledger that are broken, without the name of the system."""
        return [f.rule.removeprefix("w40k10.") for f in self.judge(*judgements)]


__all__ = ["GONE", "GUN", "OFF", "ON", "SHEET", "SWORD", "Stage", "box", "steps"]
