"""Random attacks of 8th edition: small units with datasheets, weapons and effects of every sort, in a real battle."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from sandtable.attack.volley import Attack, Choices
from sandtable.battle import AGAIN, DONE, TABLE, Battle, Effect, Setup, State, Step
from sandtable.battle.dice import KeyedDice
from sandtable.forty.attacks import compiled
from sandtable.forty.state import weapons_of
from sandtable.systems.w40k8.attacks import AP, HIT, INVULNERABLE, REROLL_HITS, REROLL_WOUNDS, SAVE, WOUND, make_attacks
from sandtable.systems.w40k8.state import Battle8
from sandtable.systems.w40k8.system import SYSTEM
from sandtable.systems.w40k8.weapons import Shot
from w40k8.table import blade, column, gun, sheet, situation, unit

REDS, BLUES = 0, 1
ABILITIES = (
    "plague weapon", "re-roll hits", "re-roll hits of 1", "re-roll wounds", "hits 2 on 6+", "hits 3 on 5+",
    "automatic hits", "wounds on 4+", "another roll on 6",
)  # fmt: skip


class Spec(NamedTuple):
    """A battle at the moment of an attack, and the attack as the solver takes it."""

    start: Battle8
    shots: list[Shot]
    attack: Attack


def specs(seed: int, size: int) -> list[Spec]:
    """So many random attacks."""
    rng = random.Random(f"8th {seed}")
    return [spec(rng) for _ in range(size)]


def spec(rng: random.Random) -> Spec:
    """An attack, by shooting, in Overwatch or in close combat."""
    melee = rng.random() < 0.4
    number = rng.randint(1, 3)
    red = _attacker(rng, melee)
    blue, count = _target(rng), rng.randint(1, 4)
    hurt = {1: rng.randint(1, blue["wounds"])} if rng.random() < 0.5 else {}
    b = situation(
        [
            unit("Reds", "red", red, column(number, 10), wounds={1: rng.randint(1, red["wounds"])}),
            unit("Blues", "blue", blue, column(count, 11.5 if melee else 18), wounds=hurt),
            # The battle goes on when all Blues are slain.
            unit("Others", "blue", sheet(), column(1, 40)),
        ],
        step="shoot_units",
    )
    b.state.effects += tuple(_effects(rng))
    shots = _shots(rng, b, melee)
    found = compiled(b, b.unit(REDS), b.unit(BLUES), shots)
    return Spec(b, shots, found.attack(Choices(aim="always")))


def _attacker(rng: random.Random, melee: bool) -> dict[str, Any]:
    arms = [_weapon(rng, melee, name) for name in ("first", "second")[: rng.randint(1, 2)]]
    chart = [{"up_to": 2, "weapon_skill": 5, "ballistic_skill": 5, "strength": 3, "attacks": 1}]
    return sheet(
        *arms,
        weapon_skill=rng.randint(2, 6),
        ballistic_skill=rng.randint(2, 6),
        strength=rng.randint(2, 6),
        attacks=rng.randint(1, 3),
        wounds=4,
        chart=chart if rng.random() < 0.5 else [],
    )


def _weapon(rng: random.Random, melee: bool, name: str) -> dict[str, Any]:
    ap, damage = rng.choice((None, 0, -1, -2, -3)), rng.choice(("1", "1", "2", "3", "D3", "D6"))
    words = [word for word in ABILITIES if rng.random() < 0.12]
    if melee:
        arm = blade(name, s=rng.choice(("user", "+1", "+2", "x2", "5")), ap=ap, d=damage)
    else:
        kind = rng.choice(("assault", "heavy", "rapid fire"))
        # Twice a number of dice is worked out exactly, but not rolled in great numbers.
        shots = rng.choice(("1", "2") if kind == "rapid fire" else ("1", "2", "D3"))
        arm = gun(kind, name=name, shots=shots, s=str(rng.randint(2, 9)), ap=ap, d=damage)
    return arm | {"abilities": words + (["unwieldy"] if rng.random() < 0.1 else [])}


def _target(rng: random.Random) -> dict[str, Any]:
    words = ["disgustingly resilient"] if rng.random() < 0.3 else []
    return sheet(
        name="Target",
        toughness=rng.randint(2, 8),
        save=rng.randint(2, 7),
        wounds=rng.randint(1, 4),
        invulnerable=rng.choice((0, 0, 0, 3, 4, 5, 6)),
        abilities=words,
    )


def _effects(rng: random.Random) -> list[Effect]:
    """What adds to rolls, without any limit, and lets them be made again."""
    kinds: list[tuple[str, int, tuple[int | str, ...]]] = [
        (HIT, REDS, (-3, -2, -1, 1, 2, 3)),
        (WOUND, REDS, (-2, -1, 1, 2)),
        (AP, REDS, (-1,)),
        (REROLL_HITS, REDS, ("ones", "failures", "all")),
        (REROLL_WOUNDS, REDS, ("ones", "failures", "all")),
        (SAVE, BLUES, (-1, 1, 2)),
        (INVULNERABLE, BLUES, (4, 5)),
    ]
    return [Effect(kind, on, rng.choice(values), source="test") for kind, on, values in kinds if rng.random() < 0.25]


def _shots(rng: random.Random, b: Battle8, melee: bool) -> list[Shot]:
    overwatch, near = not melee and rng.random() < 0.25, rng.random() < 0.5
    found = []
    for model in map(int, b.on_table(b.unit(REDS))):
        for weapon in weapons_of(b, model):
            blows = rng.randint(1, 3) if melee else 0
            found.append(
                Shot(
                    model=model,
                    weapon=weapon,
                    target=BLUES,
                    melee=melee,
                    attacks=blows,
                    half_range=near and not melee,
                    overwatch=overwatch,
                )
            )
    return found


# --- The battle's own flow --------------------------------------------------------------------------------------------


def play(found: Spec, times: int, seed: int) -> Counter[tuple[int, int]]:
    """Wounds lost and models slain in many such attacks, as a battle of 8th edition resolves them."""
    seen: Counter[tuple[int, int]] = Counter()
    start = found.start.state
    models = [x.model for x in found.attack.target.bodies]
    whole = [int(start.models.wounds[m]) for m in models]
    left = times

    async def step(b: Battle8) -> Step:
        nonlocal left
        for m, wounds in zip(models, whole, strict=True):
            b.set_wounds(m, wounds)
        b.place_models(models, TABLE)
        await make_attacks(b, b.unit(REDS), found.shots)
        now = [int(b.state.models.wounds[m]) for m in models]
        seen[sum(whole) - sum(now), now.count(0)] += 1
        b.events.clear()
        left -= 1
        return AGAIN if left else DONE

    system = replace(SYSTEM, segments={"setup": (step,)}, next_segment=lambda b: None)
    setup: Setup[Any] = msgspec.structs.replace(found.start.setup, system="w40k8")
    copy = start.copy()
    state = State(copy.models, copy.units, copy.players, copy.game, effects=copy.effects, round=1)
    b: Battle8 = Battle(system, setup, state, dice=KeyedDice(seed)).start()
    while b.decisions:
        (d,) = b.decisions
        b.answer(d, b.default(d))
    return seen
