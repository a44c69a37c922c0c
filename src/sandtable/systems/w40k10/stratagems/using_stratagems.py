"""Using Stratagems: what stands on the core cards, what they cost, when and how often they are used, and for whom."""

from __future__ import annotations

from typing import Final

from sandtable.battle import ALLOWED, Verdict, refuse
from sandtable.forty.effects.prices import can_be_shared
from sandtable.forty.stratagems import Cards, Stratagem, Turn, affordable, is_its_moment, remember_use, used_on
from sandtable.rules import rule
from sandtable.systems.w40k10.battle_shock import may_affect
from sandtable.systems.w40k10.state import Battle10, World10

BATTLE_TACTIC: Final = "Battle Tactic"
EPIC_DEED: Final = "Epic Deed"
STRATEGIC_PLOY: Final = "Strategic Ploy"
WARGEAR: Final = "Wargear"

INSANE_BRAVERY: Final = Stratagem(
    "Insane Bravery", 1, EPIC_DEED, "w40k10.strat.insane_bravery", ("command",), Turn.OWN, on_shocked=True
)
COUNTER_OFFENSIVE: Final = Stratagem(
    "Counter-offensive", 2, STRATEGIC_PLOY, "w40k10.strat.counter_offensive", ("fight",)
)
HEROIC_INTERVENTION: Final = Stratagem(
    "Heroic Intervention", 2, STRATEGIC_PLOY, "w40k10.strat.heroic_intervention", ("charge",), Turn.OPPONENTS
)
TANK_SHOCK: Final = Stratagem("Tank Shock", 1, STRATEGIC_PLOY, "w40k10.strat.tank_shock", ("charge",), Turn.OWN)
COMMAND_REROLL: Final = Stratagem(
    "Command Re-roll",
    1,
    BATTLE_TACTIC,
    "w40k10.strat.command_reroll",
    ("command", "movement", "shooting", "charge", "fight"),
)
EPIC_CHALLENGE: Final = Stratagem("Epic Challenge", 1, EPIC_DEED, "w40k10.strat.epic_challenge", ("fight",))
GRENADE: Final = Stratagem("Grenade", 1, WARGEAR, "w40k10.strat.grenade", ("shooting",), Turn.OWN)
RAPID_INGRESS: Final = Stratagem(
    "Rapid Ingress", 1, STRATEGIC_PLOY, "w40k10.strat.rapid_ingress", ("movement",), Turn.OPPONENTS
)
FIRE_OVERWATCH: Final = Stratagem(
    "Fire Overwatch",
    1,
    STRATEGIC_PLOY,
    "w40k10.strat.fire_overwatch",
    ("movement", "charge"),
    Turn.OPPONENTS,
    once_per_turn=True,
)
GO_TO_GROUND: Final = Stratagem(
    "Go to Ground", 1, BATTLE_TACTIC, "w40k10.strat.go_to_ground", ("shooting",), Turn.OPPONENTS
)
SMOKESCREEN: Final = Stratagem("Smokescreen", 1, WARGEAR, "w40k10.strat.smokescreen", ("shooting",), Turn.OPPONENTS)

REROLLABLE: Final = frozenset(
    {"hit", "wound", "damage", "save", "advance", "charge", "desperate escape", "hazardous", "attacks"}
)
GROUND_SAVE: Final = 6

CORE: Final = (
    COMMAND_REROLL,
    COUNTER_OFFENSIVE,
    EPIC_CHALLENGE,
    INSANE_BRAVERY,
    GRENADE,
    TANK_SHOCK,
    RAPID_INGRESS,
    FIRE_OVERWATCH,
    GO_TO_GROUND,
    SMOKESCREEN,
    HEROIC_INTERVENTION,
)


@rule("w40k10.strat.categories", neutral="")
def category_of(name: str) -> str:
    """The category of a Core Stratagem."""
    return next(s.category for s in CORE if s.name == name)


@rule("w40k10.strat.use", neutral=ALLOWED)
def can_pay(w: World10, player: int, stratagem: Stratagem) -> Verdict:
    """A Stratagem needs its Command points."""
    return affordable(w, player, stratagem, "w40k10.strat.use")


@rule("w40k10.strat.once_per_phase", neutral=ALLOWED)
def not_used_yet(w: World10, player: int, stratagem: Stratagem, unit: int = -1) -> Verdict:
    """A player uses the same Stratagem only once in a phase, but for a unit with an ability that had no part in it."""
    p = w.player(player)
    if stratagem.name not in p.used:
        return ALLOWED
    if used_on(stratagem, unit) not in p.used and can_be_shared(w, player, stratagem.name, unit):
        return ALLOWED
    return refuse(f"{p.name} has used {stratagem.name} in this phase already.", "w40k10.strat.once_per_phase")


@rule("w40k10.strat.fire_overwatch", neutral=ALLOWED)
def not_used_this_turn(w: World10, player: int, stratagem: Stratagem) -> Verdict:
    """Some Stratagems are used only once in a turn."""
    p = w.player(player)
    if stratagem.once_per_turn and stratagem.name in p.used_this_turn:
        return refuse(f"{p.name} has used {stratagem.name} in this turn already.", stratagem.rule)
    return ALLOWED


@rule("w40k10.strat.when_target", neutral=ALLOWED)
def in_its_moment(w: World10, player: int, stratagem: Stratagem) -> Verdict:
    """Each Stratagem has its phases and its turn."""
    return is_its_moment(w, player, stratagem, "w40k10.strat.when_target")


@rule("w40k10.strat.use")
def pay(b: Battle10, player: int, stratagem: Stratagem, cost: int, unit: int) -> None:
    """Take the Command points, and remember the use."""
    remember_use(b, player, stratagem, cost, unit)


CARDS: Final = Cards((in_its_moment, can_pay, not_used_yet, not_used_this_turn), not_used_yet, may_affect, pay)
