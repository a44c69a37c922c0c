"""The cards of the core Stratagems: cost, category, phases and turn."""

from __future__ import annotations

from typing import Final, NamedTuple

from sandtable.battle import Value
from sandtable.forty.stratagems import OPPONENTS_TURN, OWN_TURN, Stratagem

BATTLE_TACTIC: Final = "Battle Tactic"
EPIC_DEED: Final = "Epic Deed"
STRATEGIC_PLOY: Final = "Strategic Ploy"
WARGEAR: Final = "Wargear"

INSANE_BRAVERY: Final = Stratagem(
    "Insane Bravery", 1, EPIC_DEED, "w40k10.strat.insane_bravery", ("command",), OWN_TURN, on_shocked=True
)
COUNTER_OFFENSIVE: Final = Stratagem(
    "Counter-offensive", 2, STRATEGIC_PLOY, "w40k10.strat.counter_offensive", ("fight",)
)
HEROIC_INTERVENTION: Final = Stratagem(
    "Heroic Intervention", 2, STRATEGIC_PLOY, "w40k10.strat.heroic_intervention", ("charge",), OPPONENTS_TURN
)
TANK_SHOCK: Final = Stratagem("Tank Shock", 1, STRATEGIC_PLOY, "w40k10.strat.tank_shock", ("charge",), OWN_TURN)
COMMAND_REROLL: Final = Stratagem(
    "Command Re-roll",
    1,
    BATTLE_TACTIC,
    "w40k10.strat.command_reroll",
    ("command", "movement", "shooting", "charge", "fight"),
)
EPIC_CHALLENGE: Final = Stratagem("Epic Challenge", 1, EPIC_DEED, "w40k10.strat.epic_challenge", ("fight",))
GRENADE: Final = Stratagem("Grenade", 1, WARGEAR, "w40k10.strat.grenade", ("shooting",), OWN_TURN)
RAPID_INGRESS: Final = Stratagem(
    "Rapid Ingress", 1, STRATEGIC_PLOY, "w40k10.strat.rapid_ingress", ("movement",), OPPONENTS_TURN
)
FIRE_OVERWATCH: Final = Stratagem(
    "Fire Overwatch",
    1,
    STRATEGIC_PLOY,
    "w40k10.strat.fire_overwatch",
    ("movement", "charge"),
    OPPONENTS_TURN,
    once_per_turn=True,
)
GO_TO_GROUND: Final = Stratagem(
    "Go to Ground", 1, BATTLE_TACTIC, "w40k10.strat.go_to_ground", ("shooting",), OPPONENTS_TURN
)
SMOKESCREEN: Final = Stratagem("Smokescreen", 1, WARGEAR, "w40k10.strat.smokescreen", ("shooting",), OPPONENTS_TURN)

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


class Throw(NamedTuple):
    """A use of Grenade: who throws, and at whom."""

    thrower: int
    enemy: int

    @property
    def value(self) -> str:
        """The value of its option."""
        return f"{self.thrower}>{self.enemy}"

    @classmethod
    def of(cls, value: Value) -> Throw:
        """What the value of an option stands for."""
        thrower, _, enemy = str(value).partition(">")
        return cls(int(thrower), int(enemy))
