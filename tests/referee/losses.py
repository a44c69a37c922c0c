"""Losing wounds and models: allocation, Feel No Pain, destroyed models and what they set off, event by event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from referee.dice import Complaint, Script, brief
from referee.geometry import distance
from referee.sheets import read_dice, value_of
from referee.watch import GONE, ON, Table

NEVER = 7
ALLOCATED = 1


class Before(NamedTuple):
    """Models at the beginning of a script."""

    wounds: list[int]
    place: list[int]
    mark: list[int]
    aboard: dict[int, int]
    """Units in transports."""

    @classmethod
    def of(cls, table: Table) -> Before:
        aboard = {u["id"]: u["embarked"] for u in table.units if u["embarked"] >= 0}
        return cls(list(table.wounds), list(table.place), list(table.mark), aboard)


class Losses:
    """Models and their wounds at the beginning of a script, followed through it."""

    def __init__(self, table: Table, book: Any, script: Script, before: Before) -> None:
        self.table, self.book, self.script = table, book, script
        self.wounds, self.place, self.mark = list(before.wounds), list(before.place), list(before.mark)
        self.aboard = dict(before.aboard)

    # --- Who is there -------------------------------------------------------------------------------------------------

    def here(self, unit: int) -> list[int]:
        return [m for m in self.table.units[unit]["models"] if self.place[m] == ON and self.wounds[m] > 0]

    def front(self, unit: int) -> list[int]:
        """Those who can be given an attack: not the CHARACTERS of an Attached unit while the Bodyguard stands."""
        models = self.here(unit)
        leader = set(self.table.units[unit]["leader"])
        others = [m for m in models if m not in leader]
        return others or models

    def forced(self, unit: int) -> list[int]:
        """Those who must take the next one: they lost wounds, or were given an attack this phase."""
        return [
            m for m in self.front(unit) if self.mark[m] & ALLOCATED or self.wounds[m] < self.book.sheet(m)["wounds"]
        ]

    def choose(self, unit: int, aimed: int | None = None) -> int | None:
        """Who is given the next attack or mortal wound; None where it does not show."""
        script = self.script
        answered = script.answer("allocate")
        model = aimed if aimed is not None else answered
        if script.is_next("marked") and script.peek()["mark"] & ALLOCATED:
            item = script.take()
            if model is not None and item["model"] != model:
                script.blame("w40k10.attack.allocate_free", f"{model} was chosen, and {item['model']} is given it.")
            model = item["model"]
        forced, front = self.forced(unit), self.front(unit)
        if model is None:
            model = forced[0] if len(forced) == 1 else front[0] if len(front) == 1 else None
        if model is not None and aimed is None:
            if model not in self.here(unit):
                script.blame("w40k10.attack.allocate_free", f"{self.name(model)} is given an attack and is not there.")
            elif model not in front:
                script.blame(
                    "w40k10.ability.leader_allocation", f"{self.name(model)} is given an attack before its Bodyguard."
                )
            elif forced and model not in forced:
                script.blame(
                    "w40k10.attack.allocate_forced",
                    f"{self.name(model)} is given an attack, and {self.name(forced[0])} has to take it.",
                )
        if model is not None:
            self.mark[model] |= ALLOCATED
        return model

    def name(self, model: int) -> str:
        return f"{self.book.sheet(model)['name']} {model}"

    # --- Wounds -------------------------------------------------------------------------------------------------------

    def pain(self, model: int) -> int:
        """What a wound needs to be ignored."""
        found = [a for a in self.book.sheet(model)["abilities"] if a.startswith("feel no pain")]
        return min((int(a.split()[-1].strip("+")) for a in found), default=NEVER)

    def lose(self, unit: int, model: int | None, points: int) -> None:
        """A model loses wounds to one attack; what is left over is lost."""
        script = self.script
        if model is None:
            model = self._shown(unit)
        before = left = self.wounds[model]
        pain = self.pain(model)
        if pain < NEVER:
            while points > 0 and left > 0:
                step = min(points, left)
                faces = script.roll("feel no pain", step, "w40k10.attack.feel_no_pain")
                script.needed({pain}, "Feel No Pain roll", "w40k10.attack.feel_no_pain")
                points, left = points - step, left - sum(f < pain for f in faces[:step])
        else:
            left = max(0, left - points)
        self._told(model, before, left)

    def _shown(self, unit: int) -> int:
        """The model that the next event shows to be hurt."""
        item = self.script.peek()
        if item["event"] == "wounded":
            return int(item["model"])
        raise Complaint("w40k10.attack.damage", f"A model of {self.table.name(unit)} loses wounds, but {brief(item)}.")

    def _told(self, model: int, before: int, left: int) -> None:
        script = self.script
        if left < before:
            if not script.is_next("wounded", model=model):
                raise Complaint(
                    "w40k10.attack.damage",
                    f"{self.name(model)} has {before} wounds and keeps {left}, but there comes {brief(script.peek())}.",
                )
            told = script.take()["wounds"]
            if told != left:
                script.blame("w40k10.attack.damage", f"{self.name(model)} has {told} wounds left instead of {left}.")
            self.wounds[model] = told
        if self.wounds[model] <= 0:
            self.destroyed(model)

    def suffer(self, unit: int, points: int, first: int = -1) -> None:
        """A unit suffers mortal wounds one after the other, as long as there are any, and models."""
        script, total = self.script, points
        while points > 0 and self.here(unit):
            aimed = first if first >= 0 and first in self.here(unit) else None
            model = self.choose(unit, aimed)
            if model is None:
                model = self._shown(unit)
            before, pain = self.wounds[model], self.pain(model)
            if pain < NEVER:
                left, points = self._ignored(before, points, pain)
            else:
                if not script.is_next("wounded", model=model):
                    raise Complaint(
                        "w40k10.attack.mortal_wounds",
                        f"{self.name(model)} suffers a mortal wound, but there comes {brief(script.peek())}.",
                    )
                left = script.peek()["wounds"]
                lost = before - left
                if not 1 <= lost <= points:
                    script.blame(
                        "w40k10.attack.mortal_wounds", f"{self.name(model)} loses {lost} to {points} mortal wounds."
                    )
                points -= max(1, lost)
            self._told(model, before, left)
        told = script.told("mortal-wounds", "w40k10.attack.mortal_wounds")
        if told["data"]["points"] != total:
            script.blame(
                "w40k10.attack.mortal_wounds",
                f"{self.table.name(unit)} suffers {told['data']['points']} mortal wounds instead of {total}.",
            )

    def _ignored(self, wounds: int, points: int, pain: int) -> tuple[int, int]:
        """Mortal wounds that a model may ignore: the wounds and the points that are left; several may come at once."""
        script, rule = self.script, "w40k10.attack.feel_no_pain"
        if not script.is_next("rolled", reason="feel no pain"):
            raise Complaint(rule, f"A Feel No Pain roll is due, but there comes {brief(script.peek())}.")
        while points > 0 and wounds > 0 and script.is_next("rolled", reason="feel no pain"):
            step = len(script.peek()["faces"])
            if step > min(points, wounds):
                script.blame(rule, f"{step} dice are rolled for {min(points, wounds)} wounds.")
            faces = script.roll("feel no pain", step, rule)
            script.needed({pain}, "Feel No Pain roll", rule)
            wounds, points = wounds - sum(f < pain for f in faces), points - step
        return max(0, wounds), points

    # --- Destroyed ----------------------------------------------------------------------------------------------------

    def destroyed(self, model: int) -> None:
        """A model is destroyed: what it sets off comes first, then it goes, then its unit is told if that was all."""
        script = self.script
        unit = self.table.unit_of[model]
        if self.book.core(model, "deadly demise") is not None:
            self._demise(unit, model)
        for passenger in self._passengers(unit, model):
            self._escape(passenger)
        if script.is_next("wounded", model=model, wounds=0):
            script.take()
        if not script.is_next("placed", place=GONE):
            raise Complaint(
                "w40k10.unit.destroyed", f"{self.name(model)} is destroyed, but there comes {brief(script.peek())}."
            )
        gone = script.take()
        if list(gone["models"]) != [model]:
            script.blame("w40k10.unit.destroyed", f"{self.name(model)} is destroyed, and {gone['models']} go.")
        self.wounds[model], self.place[model] = 0, GONE
        self._unit_told(unit, model)

    def _unit_told(self, unit: int, model: int) -> None:
        """A unit, or one part of an Attached unit, is told when its last model is destroyed."""
        script, leader = self.script, set(self.table.units[unit]["leader"])
        on_table = [m for m in self.table.units[unit]["models"] if self.place[m] == ON]
        part = self.book.part_of(model)
        mates = [m for m in on_table if (m in leader) == (model in leader)]
        last = not any(self.book.part_of(m) == part for m in mates) if model in leader else not mates
        told = script.is_next("told", kind="unit_destroyed") and script.peek()["units"][0] == unit
        if told:
            script.take()
        if last != told:
            what = "is not told" if last else "is told to be destroyed and is not"
            script.blame("w40k10.unit.destroyed", f"{self.table.name(unit)} {what}.")

    def _demise(self, unit: int, model: int) -> None:
        script, rule = self.script, "w40k10.attack.deadly_demise"
        face = script.roll("deadly demise", 1, rule)[0]
        boom = script.is_next("told", kind="deadly_demise") or (
            script.is_next("wounded", model=model, wounds=0) and script.peek(1).get("kind") == "deadly_demise"
        )
        if boom != (face == 6):
            script.blame(
                rule, f"{self.name(model)} rolls {face} for its Deadly Demise, and it {'does' if boom else 'fails to'}."
            )
        if not boom:
            return
        if script.is_next("wounded", model=model, wounds=0):
            script.take()
        self.wounds[model] = 0
        told = script.told("deadly_demise", rule)
        near = list(told["units"][1:])
        self._in_range(model, near)
        order = script.answer("order_units") or near
        if sorted(order) != sorted(near):
            script.blame(rule, f"{order} are hit, and {near} are near.")
        dice, plus = read_dice(str(self.book.core(model, "deadly demise")))
        for victim in order:
            faces = script.roll("deadly demise wounds", len(dice), rule) if dice else []
            points = value_of(dice, plus, faces) if len(faces) == len(dice) else plus
            if points > 0 and self.here(int(victim)):
                self.suffer(int(victim), points)

    def _in_range(self, model: int, near: Sequence[int]) -> None:
        """Every unit within 6" is hit, and nobody else; who is neither plainly in nor plainly out is left out."""
        here = self.table.stand(model)
        for u in self.table.units:
            others = [m for m in self.here(u["id"]) if m != model]
            if not others:
                continue
            away = min(distance(here, self.table.stand(m)) for m in others)
            if away < self.book.demise_range - 0.02 and u["id"] not in near:
                self.script.blame(
                    "w40k10.attack.deadly_demise", f'{u["name"]} is {away:.2f}" from {self.name(model)} and is spared.'
                )
            if away > self.book.demise_range + 0.02 and u["id"] in near:
                self.script.blame(
                    "w40k10.attack.deadly_demise", f'{u["name"]} is {away:.2f}" from {self.name(model)} and is hit.'
                )

    # --- Transports ---------------------------------------------------------------------------------------------------

    def _passengers(self, unit: int, model: int) -> list[int]:
        if any(m != model and self.place[m] == ON for m in self.table.units[unit]["models"]):
            return []
        return [u for u, carrier in self.aboard.items() if carrier == unit]

    def _escape(self, unit: int) -> None:
        """A unit gets out of a destroyed transport, and rolls a die for each model."""
        script, out = self.script, []
        emergency = False
        while not script.is_next("told", kind="escaped"):
            item = script.take()
            if item["event"] == "end":
                raise Complaint("w40k10.transport.destroyed_disembark", f"{self.table.name(unit)} does not get out.")
            if item["event"] == "placed" and item["place"] == ON:
                out = list(item["models"])
        emergency = "w40k10.transport.emergency" in script.take()["rules"]
        for m in out:
            self.place[m] = ON
        self.aboard.pop(unit, None)
        if script.is_next("told", kind="no_place"):
            for m in script.take()["data"]["models"]:
                whole = script.is_next("placed", place=GONE) and m in script.peek()["models"]
                if whole and script.peek(1).get("kind") != "unit_destroyed":
                    for gone in script.take()["models"]:
                        self.place[gone], self.wounds[gone] = GONE, 0
                elif self.place[m] != GONE:
                    self.destroyed(m)
        if not out:
            return
        faces = script.roll("destroyed transport", len(out), "w40k10.transport.destroyed_wounds")
        worst = 3 if emergency else 1
        points = sum(f <= worst for f in faces)
        if points:
            self.suffer(unit, points)
