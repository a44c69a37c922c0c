"""After warm-up nothing compiles any more: no player waits in the middle of a battle."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandtable import systems

TESTS = Path(__file__).parents[1]
GROWN = """
from random import Random
from sandtable.battle import Battle, questions
from sandtable.battle.dice import KeyedDice
from sandtable import kernels
from sandtable.kernels import warm

kernels.engage(kernels.COMPILED)
warm.warm_up()
before = {k.py_func: len(k.signatures) for k in kernels.KERNELS}
if NAME == "skirmish":
    from support.skirmish import start, system
    rules, (setup, state) = system(), start()
else:
    from sandtable import systems
    rules = systems.get(NAME)
    setup, state = rules.sample(1, rules.settle_options({}))
battle = Battle(rules, setup, state, dice=KeyedDice(1)).start()
rng = Random(1)
for _ in range(LIMIT):
    if not battle.decisions:
        break
    asked = battle.decisions[0]
    battle.answer(asked, next(questions.suggest(battle, asked, rng)))
after = {k.py_func: len(k.signatures) for k in kernels.KERNELS}
print(sorted(f.__qualname__ for f in after if after[f] != before.get(f)))
"""


@pytest.mark.parametrize("name", ["skirmish", *systems.known()])
def test_no_kernel_compiles_in_a_battle_after_warm_up(name: str) -> None:
    code = GROWN.replace("NAME", repr(name)).replace("LIMIT", "400")
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=TESTS, capture_output=True, text=True, check=False, timeout=570
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "[]", "compiled during the battle; their module's warm_up() must call them"


DIGEST = """
import sys
from random import Random
import sandtable
from sandtable import kernels
from sandtable.battle import questions
from sandtable.battle.state import digest

battle = sandtable.new(NAME, seed=4)
rng = Random(4)
for _ in range(LIMIT):
    if not battle.decisions:
        break
    asked = battle.decisions[0]
    battle.answer(asked, next(questions.suggest(battle, asked, rng)))
print(digest(battle.state), sum(len(k.signatures) > 0 for k in kernels.KERNELS) > 9)
"""


PLAYED = 36
"""Answers of a battle; a little later Epic searches for a charge so long that plain Python takes minutes."""


@pytest.mark.parametrize("name", systems.known())
def test_a_battle_comes_to_the_same_bits_plain_and_compiled(name: str) -> None:
    code = DIGEST.replace("NAME", repr(name)).replace("LIMIT", str(PLAYED))
    plain, compiled = (
        subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            env={**os.environ, "SANDTABLE_KERNELS": manner},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        for manner in ("plain", "compiled")
    )
    assert (plain.stderr, compiled.stderr) == ("", "")
    assert plain.stdout.split() == [compiled.stdout.split()[0], "False"]
    assert compiled.stdout.split()[1] == "True"
