"""The Warlord, and the Warlord Trait of one that is a Character."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.battle import TABLE, Moment, Option, Reaction, Value
from sandtable.battle.rolls import Sum, Total
from sandtable.forty.enlist import WARLORD
from sandtable.forty.state import called
from sandtable.kit.grammar import one
from sandtable.reasons import Part
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import model_distances, model_has_keyword, reaches
from sandtable.systems.w40k8.state import Battle8, World8, unit_of

LEGENDARY_FIGHTER: Final = "legendary fighter"
INSPIRING_LEADER: Final = "inspiring leader"
TENACIOUS_SURVIVOR: Final = "tenacious survivor"
TRAITS: Final = (LEGENDARY_FIGHTER, INSPIRING_LEADER, TENACIOUS_SURVIVOR)
"""The Warlord Traits, in the order of the D3 that brings them."""
ROLL: Final = "roll"


def warlord_of(w: World8, player: int) -> int:
    """The model that is a player's Warlord; -1 where none was named."""
    models = (m for unit in w.units_of(player) for m in unit.models)
    return next((m for m in models if model_has_keyword(w, m, WARLORD)), -1)


@rule("w40k8.warlord.trait")
async def take_trait(b: Battle8, player: int, moment: Moment, use: Value) -> None:
    """Right before the first unit is deployed, each player chooses or rolls the trait of the Warlord."""
    warlord, rules = warlord_of(b, player), ("w40k8.warlord.trait",)
    name, unit = called(b, warlord), unit_of(b, warlord).id
    options = [Option(ROLL, "roll for it"), *(Option(trait, trait.title()) for trait in TRAITS)]
    prompt = f"Which Warlord Trait does {name} have?"
    chosen = await b.choose(player, "warlord_trait", prompt, options, rules=rules, unit=unit)
    trait = str(chosen)
    if chosen == ROLL:
        read = Total("", (Part("D3"),), sums=(Sum((3,)),))
        face = b.roll_one("warlord trait", player, rules=rules, read=read)
        trait = TRAITS[read.of((face,)).result - 1]
    b.set_player(b.player(player), trait=trait)
    b.tell("warlord_trait", f"{name} is {one(trait.title())}.", *rules, units=[unit], trait=trait)


@rule("w40k8.warlord.trait", neutral=False)
def has_a_trait(w: World8, player: int, moment: Moment) -> bool:
    """Only a Warlord that is a Character has a trait."""
    warlord = warlord_of(w, player)
    return warlord >= 0 and model_has_keyword(w, warlord, "CHARACTER") and not w.player(player).trait


TRAIT: Final = Reaction(
    "Warlord Trait", "before_deployment", take_trait, has_a_trait,
    lambda w, player, _: [Option(name := unit_of(w, warlord_of(w, player)).name, name)],
    mandatory=True, rules=("w40k8.warlord.trait",),
)  # fmt: skip


def bears(w: World8, model: int, trait: str) -> bool:
    """Whether a model is a Warlord with this trait."""
    return w.player(unit_of(w, model).player).trait == trait and model_has_keyword(w, model, WARLORD)


def changes(w: World8, model: int, name: str) -> list[str]:
    """What Warlord Traits add to a characteristic of a model."""
    more = fighting_legend(w, model) if name == "attacks" else inspired(w, model) if name == "leadership" else 0
    return [f"+{more}"] if more else []


@rule("w40k8.warlord.legendary_fighter", neutral=0)
def fighting_legend(w: World8, model: int) -> int:
    """A Warlord that charged this turn makes one attack more."""
    return BOOK.legend if bears(w, model, LEGENDARY_FIGHTER) and unit_of(w, model).charged else 0


@rule("w40k8.warlord.inspiring_leader", neutral=0)
def inspired(w: World8, model: int) -> int:
    """Units of the Warlord's army within 6" of it, while it is on the battlefield, have 1 more Leadership."""
    unit = unit_of(w, model)
    if w.player(unit.player).trait != INSPIRING_LEADER:
        return 0
    warlord = warlord_of(w, unit.player)
    if w.state.models.place[warlord] != TABLE:
        return 0
    far = float(model_distances(w, np.array([warlord]), w.on_table(unit)).min())
    return BOOK.inspiration if reaches(far, BOOK.inspired_within) else 0


@rule("w40k8.warlord.tenacious_survivor", "w40k8.gap.ignore_stacking", neutral=())
def tenacity(w: World8, model: int) -> tuple[int, ...]:
    """The faces of dice that keep a wound of a Warlord from being lost, beside those of its own abilities."""
    return (BOOK.tenacious,) if bears(w, model, TENACIOUS_SURVIVOR) else ()
