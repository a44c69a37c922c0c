"""One resolution of a volley while it runs: who rolls, who stands, and what it came to so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from sandtable.attack.volley import Body, Cites, Volley
from sandtable.battle.decisions import Value
from sandtable.kit.attack_outcome import Due, Outcome, figures, story
from sandtable.kit.attack_rolls import Hooks, Roller
from sandtable.kit.attack_target import Standing
from sandtable.kit.grammar import counted

if TYPE_CHECKING:
    from sandtable.battle.system import AnyBattle


@dataclass
class Run:
    """One resolution while it runs."""

    b: AnyBattle
    unit: int
    against: int
    hooks: Hooks
    standing: Standing
    cites: dict[str, None] = field(default_factory=dict)
    cited: set[Cites] = field(default_factory=set)
    attacks: int = 0
    hits: int = 0
    criticals: int = 0
    wounds: int = 0
    unsaved: int = 0
    damage: int = 0
    destroyed: list[int] = field(default_factory=list)
    mortal: list[Due] = field(default_factory=list)

    def cite(self, cites: Cites) -> None:
        if cites and cites not in self.cited:
            self.cited.add(cites)
            self.cites.update(dict.fromkeys(cites))

    def after_roll(self) -> None:
        """Where the edition or a player may step in after a roll, who takes attacks is looked at anew."""
        if self.hooks.watches or self.standing.asks_always:
            self.standing.look_again()

    @cached_property
    def attacker(self) -> Roller:
        return Roller(self.b, self.b.unit(self.unit).player, self.unit, self.hooks)

    @cached_property
    def defender(self) -> Roller:
        return Roller(self.b, self.b.unit(self.against).player, self.against, self.hooks)

    async def aim(self, volley: Volley, prompt: str, offered: Sequence[Body]) -> Body | None:
        """Let the attacker direct attacks at one of these bodies."""
        if not offered:
            return None
        model: Value | None = await self.b.choose(
            self.attacker.player,
            "aim",
            prompt,
            self.standing.options(offered),
            optional=True,
            rules=volley.aim_cites,
            unit=self.unit,
        )
        if model is None:
            return None
        self.cite(volley.aim_cites)
        return next(x for x in offered if x.model == model)

    def outcome(self) -> Outcome:
        return Outcome(
            self.attacks,
            self.hits,
            self.criticals,
            self.wounds,
            self.unsaved,
            self.damage,
            tuple(self.destroyed),
            tuple(self.mortal),
        )

    def tell(self, name: str) -> Outcome:
        """Tell what a volley came to."""
        outcome = self.outcome()
        text = f"{name}, {counted(outcome.attacks, 'attack')}: {story(outcome)}."
        self.b.tell("attack", text, *self.cites, units=[self.unit, self.against], **figures(outcome))
        return outcome
