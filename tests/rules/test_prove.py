"""Proving: honest tests fail when their rule is gone, hollow ones do not, and exactly those are found."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from collections.abc import Callable
from enum import Enum
from typing import Any

import pytest

from sandtable.errors import UserError
from sandtable.rules import Argument, rule
from sandtable.rules.knock import without_rule
from sandtable.rules.project import Project

Make = Callable[..., Project]

CODE = """
    from __future__ import annotations

    from enum import Enum

    from sandtable.rules import Argument, rule

    class Step(Enum):
        AGAIN = 1
        DONE = 2

    @rule("toy.move.limit", neutral=True)
    def may_move(distance, *, limit=6):
        return distance <= limit

    @rule("toy.hit.bonus", neutral=Argument("roll"))
    def with_bonus(roll, bonus=1):
        return roll + bonus

    @rule("toy.turn.step", "toy.turn.log")
    async def step(log) -> Step:
        log.append("step")
        return Step.AGAIN

    @rule("toy.save.sure", neutral=True)
    def saves(roll):
        return roll >= 3

    @rule("toy.loop.ends", neutral=False)
    def is_over(turn):
        return turn > 3

    @rule("toy.crash.not", neutral=False)
    def is_safe():
        return True

    @rule("toy.hollow.one", neutral=0)
    def loss():
        return 0

    @rule("toy.hollow.two", neutral=0)
    def gain(n):
        return n
"""

TESTS = """
    import os

    import pytest
    from toy.game import Step, gain, is_over, is_safe, loss, may_move, saves, step, with_bonus

    def drive(coroutine):
        try:
            coroutine.send(None)
        except StopIteration as stop:
            return stop.value

    @pytest.mark.rule("toy.move.limit", check=1)
    def test_seven_is_too_far():
        assert not may_move(7)

    @pytest.mark.rule("toy.move.limit", check=2)
    def test_six_is_not_too_far():
        assert may_move(6)

    @pytest.mark.parametrize("roll", [pytest.param(3, marks=pytest.mark.rule("toy.hit.bonus", check=(1, 2)))])
    def test_bonus(roll):
        assert with_bonus(roll) == 4

    class TestTurn:
        pytestmark = [pytest.mark.rule("toy.turn.step", check=1), pytest.mark.rule("toy.turn.log", check=1)]

        def test_step(self):
            log = []
            assert drive(step(log)) is Step.AGAIN
            assert log == ["step"]

    @pytest.mark.rule("toy.save.sure")
    def test_save(tmp_path, capsys):
        print("noise")
        assert [saves(2), saves(3)] == [False, True]

    @pytest.mark.rule("toy.loop.ends")
    def test_the_game_ends():
        turn = 0
        while not is_over(turn):
            turn += turn < 9

    @pytest.mark.rule("toy.crash.not", check=1)
    def test_does_not_take_the_process_down():
        if not is_safe():
            os._exit(3)

    @pytest.mark.rule("toy.crash.not", check=1)
    def test_after_the_crash():
        pass

    @pytest.mark.rule("toy.hollow.one", check=1)
    def test_loss_is_nothing():
        assert loss() == 0

    @pytest.mark.rule("toy.hollow.two", check=1)
    def test_gain_says_nothing():
        gain(3)

    @pytest.mark.rule("toy.hollow.two", check=2)
    @pytest.mark.skip
    def test_gain_skipped():
        assert gain(3) == 3
"""

HONEST = ["toy.move.limit", "toy.hit.bonus", "toy.turn.step", "toy.turn.log", "toy.save.sure", "toy.loop.ends"]
ROWS = [f"{rule_id} 2" for rule_id in (*HONEST, "toy.crash.not", "toy.hollow.one", "toy.hollow.two")]


def run(project: Project, *options: str) -> tuple[int, Any]:
    """`rules prove` in a process of its own, because it imports the project's tests."""
    command = [sys.executable, "-m", "sandtable.cli.main", "rules", "prove", "--json", "--timeout", "1"]
    done = subprocess.run(
        [*command, "--project", str(project.root), *options], check=False, capture_output=True, text=True, timeout=60
    )
    assert done.stderr == "" or done.returncode == 2, done.stderr
    return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr


def test_exactly_the_hollow_rules_are_found(make_project: Make) -> None:
    files = {"src/toy/__init__.py": "", "src/toy/game.py": CODE, "tests/test_toy.py": TESTS}
    status, report = run(make_project(ROWS, **files), "--checks")
    assert status == 1
    assert report["faults"] == []
    assert report["hollow"] == ["toy.hollow.one", "toy.hollow.two"]
    proofs = {proof["rule"]: proof for proof in report["proofs"]}
    assert list(proofs) == [row.split()[0] for row in ROWS]

    # A skipped test can prove nothing and does not count.
    assert {rule_id: proof["tests"] for rule_id, proof in proofs.items() if proof["tests"] != 1} == {
        "toy.move.limit": 2,
        "toy.crash.not": 2,
    }
    # The answer, the argument that comes back and the step's DONE are those of a game without the rule.
    assert proofs["toy.move.limit"]["first_failure"] == "tests/test_toy.py::test_seven_is_too_far"
    assert proofs["toy.hit.bonus"]["error"] == "assert 3 == 4"
    assert "Step.DONE" in proofs["toy.turn.step"]["error"]
    # Both rules of one function fall with it.
    assert proofs["toy.turn.log"]["error"] == proofs["toy.turn.step"]["error"]
    # A test that never ends, or ends the process, has failed; what comes after it still runs.
    assert proofs["toy.loop.ends"]["error"] == "took longer than 1 s"
    assert proofs["toy.crash.not"]["error"] == "ended the process (3)"

    idle = {
        rule_id: [(test["test"].split("::")[-1], test["checks"]) for test in p["idle"]] for rule_id, p in proofs.items()
    }
    assert {rule_id: tests for rule_id, tests in idle.items() if tests} == {
        "toy.move.limit": [("test_six_is_not_too_far", [2])],
        "toy.crash.not": [("test_after_the_crash", [1])],
        "toy.hollow.one": [("test_loss_is_nothing", [1])],
        "toy.hollow.two": [("test_gain_says_nothing", [1])],
    }


def test_every_check_needs_a_test_that_fails_without_the_rule_or_kills_a_mutant_of_it(make_project: Make) -> None:
    files = {"src/toy/__init__.py": "", "src/toy/game.py": CODE, "tests/test_toy.py": TESTS}
    project = make_project(["toy.move.limit 3", *ROWS[1:]], **files)
    status, report = run(project, "--checks", "--rule", "toy.move.limit", "--rule", "toy.hit.bonus")
    assert (status, report["good"], report["faults"]) == (0, True, [])
    proofs = {proof["rule"]: proof for proof in report["proofs"]}
    too_far, not_too_far, unnamed = proofs["toy.move.limit"]["checks"]
    assert too_far == {"number": 1, "tests": 1, "test": "tests/test_toy.py::test_seven_is_too_far", "mutant": None}
    # This check says what the rule allows, which holds without it too.
    assert not_too_far == {
        "number": 2,
        "tests": 1,
        "test": "tests/test_toy.py::test_six_is_not_too_far",
        "mutant": "may_move: `distance <= limit` becomes `distance < limit`",
    }
    assert unnamed == {"number": 3, "tests": 0, "test": None, "mutant": None}
    assert [check["mutant"] for check in proofs["toy.hit.bonus"]["checks"]] == [None, None]
    # A check that no test names is counted, like a rule without tests, and is nobody's fault.
    assert (report["unproved"], report["unnamed"]) == ([], [{"rule": "toy.move.limit", "check": 3}])


def test_a_check_whose_tests_notice_nothing_is_not_proved_and_one_with_all_proved_is_good(make_project: Make) -> None:
    files = {"src/toy/__init__.py": "", "src/toy/game.py": CODE, "tests/test_toy.py": TESTS}
    project = make_project(ROWS, **files)
    status, report = run(project, "--checks", "--rule", "toy.move.limit")
    assert (status, report["good"], report["unproved"]) == (0, True, [])
    status, report = run(project, "--checks", "--rule", "toy.hollow.two")
    assert (status, report["unproved"]) == (1, [{"rule": "toy.hollow.two", "check": 1}])
    # The test of the other one is skipped.
    assert report["unnamed"] == [{"rule": "toy.hollow.two", "check": 2}]


def test_what_keeps_a_rule_from_being_proven_is_a_fault(make_project: Make) -> None:
    code = """
        from sandtable.rules import rule
        @rule("toy.a.good", neutral=0)
        def good(): return 1
        @rule("toy.a.broken", "toy.a.never", "toy.a.typo")
        def broken(): return 1
    """
    tests = """
        import pytest
        from toy import game

        @pytest.mark.rule("toy.a.good", check=1)
        def test_good():
            assert game.good() == 1

        @pytest.mark.rule("toy.a.broken", check=1)
        def test_broken():
            assert game.broken() == 2

        @pytest.mark.rule("toy.a.never", check=1)
        def helper(): ...
    """
    files = {"src/toy/__init__.py": "", "src/toy/game.py": code, "tests/test_toy.py": tests}
    project = make_project(["toy.a.good", "toy.a.broken", "toy.a.never"], **files)
    status, report = run(project)
    assert status == 1
    assert [(proof["rule"], proof["hollow"]) for proof in report["proofs"]] == [("toy.a.good", False)]
    faults = {fault["where"]: fault["message"] for fault in report["faults"]}
    assert faults["src/toy/game.py:6"].startswith("There is no rule 'toy.a.typo'")
    assert faults["tests/test_toy.py::test_broken"].endswith("assert 1 == 2")
    assert faults["toy.a.broken"] == "none of its tests passes as it is, so none can prove it"
    assert faults["toy.a.never"] == "a mark names this rule, but pytest collected no test for it"


def test_one_good_rule_alone_is_good(make_project: Make) -> None:
    files = {"src/toy/__init__.py": "", "src/toy/game.py": CODE, "tests/test_toy.py": TESTS}
    status, report = run(make_project(ROWS, **files), "--rule", "toy.move.limit")
    assert (status, report["hollow"]) == (0, [])
    assert [proof["rule"] for proof in report["proofs"]] == ["toy.move.limit"]


def test_a_rule_that_nothing_enforces_or_tests_cannot_be_asked_for(make_project: Make) -> None:
    from sandtable.rules.prove import prove

    code = '@rule("toy.a.two")\ndef f(): ...\n'
    project = make_project(["toy.a.one", "toy.a.two"], **{"src/toy/game.py": code})
    with pytest.raises(UserError, match=r"toy\.a\.one cannot be proven: no code"):
        prove(project, rules=["toy.a.one"])
    with pytest.raises(UserError, match=r"toy\.a\.two cannot be proven: no test"):
        prove(project, rules=["toy.a.two"])
    with pytest.raises(UserError, match=r"no rule 'toy\.a\.oen'"):
        prove(project, rules=["toy.a.oen"])


def test_what_does_not_exist_is_refused_before_all_files_are_read(
    make_project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sandtable.rules.prove import prove

    project = make_project(["toy.a.one"], **{"src/toy/game.py": ""})
    monkeypatch.setattr("sandtable.rules.prove.scan", None)
    with pytest.raises(UserError, match="There is no rules system 'chess'"):
        prove(project, system="chess")
    with pytest.raises(UserError, match=r"no rule 'toy\.a\.oen'"):
        prove(project, rules=["toy.a.oen"])


# ------------------------------------------------------------------------------------------- taking the rule's code


class Step(Enum):
    AGAIN = 1
    DONE = 2


def answer_of(function: Any, *arguments: Any, **named: Any) -> Any:
    """What a function, coroutine or not, gives."""
    result = function(*arguments, **named)
    if inspect.iscoroutine(result):
        with pytest.raises(StopIteration) as stop:
            result.send(None)
        return stop.value.value
    return result


def knocked_out(function: Any, neutral: object) -> Any:
    function.__code__ = without_rule(function, neutral)
    return function


def test_the_parameters_and_defaults_stay() -> None:
    def many(a, /, b, c=3, *rest, d, e=5, **more):  # type: ignore[no-untyped-def]
        return [a for _ in range(b)]

    before = inspect.signature(many)
    knocked_out(many, "gone")
    assert inspect.signature(many) == before
    assert answer_of(many, 1, 2, d=4) == "gone"
    assert answer_of(many, 1, 2, 3, 4, 5, d=4, f=6) == "gone"
    with pytest.raises(TypeError):
        answer_of(many, 1)


@pytest.mark.parametrize(("neutral", "given"), [(Argument("a"), 1), (Argument("c"), 3), (Argument("d"), 4)])
def test_an_argument_comes_back_unchanged(neutral: Argument, given: int) -> None:
    async def change(a, c=3, *, d):  # type: ignore[no-untyped-def]
        return None

    assert answer_of(knocked_out(change, neutral), 1, d=4) == given


def test_a_coroutine_function_remains_one_and_a_generator_function_too() -> None:
    async def wait() -> int:
        return 1

    def count():  # type: ignore[no-untyped-def]
        yield 1

    assert inspect.iscoroutinefunction(knocked_out(wait, [2]))
    assert answer_of(wait) == [2]
    assert list(knocked_out(count, None)()) == []


def test_a_step_without_a_neutral_answer_is_done() -> None:
    async def step() -> Step:
        return Step.AGAIN

    async def other() -> Step:
        return Step.AGAIN

    assert answer_of(knocked_out(step, None)) is Step.DONE
    assert answer_of(knocked_out(other, Step.AGAIN)) is Step.AGAIN


def test_a_step_whose_module_does_not_know_done_is_refused() -> None:
    async def step() -> elsewhere.Step:  # type: ignore[name-defined]  # noqa: F821
        return None

    with pytest.raises(UserError, match="neutral=DONE"):
        knocked_out(step, None)


def test_the_mark_leaves_the_function_alone_and_refuses_what_it_cannot_knock_out() -> None:
    def plain(a: int) -> int:
        return a

    captured = 1

    def closure() -> int:
        return captured

    code = plain.__code__
    assert rule("toy.x.one")(plain) is plain
    assert plain.__code__ is code
    with pytest.raises(TypeError, match="captures no variables"):
        rule("toy.x.one")(closure)
    with pytest.raises(TypeError, match="no argument 'b'"):
        rule("toy.x.one", neutral=Argument("b"))(plain)
    with pytest.raises(TypeError, match="takes the ids"):
        rule()
