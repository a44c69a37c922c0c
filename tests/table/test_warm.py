"""After warm-up nothing compiles any more: no player waits in the middle of a battle."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sandtable import systems

TESTS = Path(__file__).parents[1]
PACKAGES = ("sandtable.attack", "sandtable.kit", "sandtable.systems")
GROWN = """
from random import Random
from sandtable.battle import Battle, questions
from sandtable.battle.dice import KeyedDice
from sandtable import kernels
from sandtable.table import warm

warm.warm_up(PACKAGES)
before = {k.py_func.__qualname__: len(k.signatures) for k in kernels.KERNELS}
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
after = {k.py_func.__qualname__: len(k.signatures) for k in kernels.KERNELS}
print(sorted(name for name in after if after[name] != before.get(name)))
"""


@pytest.mark.parametrize("name", ["skirmish", *systems.known()])
def test_no_kernel_compiles_in_a_battle_after_warm_up(name: str) -> None:
    code = GROWN.replace("PACKAGES", repr(PACKAGES)).replace("NAME", repr(name)).replace("LIMIT", "400")
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=TESTS, capture_output=True, text=True, check=False, timeout=570
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "[]", "compiled during the battle; their module's warm_up() must call them"
