"""Mutants: those that a test notices are killed, all others survive, and exactly these are told."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandtable.errors import UserError
from sandtable.rules.mutants import Mutant, marked_code, sampled
from sandtable.rules.mutate import mutate
from sandtable.rules.project import Project

Make = Callable[..., Project]

CODE = """
    from __future__ import annotations

    from sandtable.rules import rule

    @rule("toy.move.limit", neutral=True)
    def may_move(distance, *, limit=6):
        return distance <= limit

    @rule("toy.all.near", "toy.all.far", neutral=True)
    def all_near(gaps):
        return all(gap < 3 for gap in gaps)

    @rule("toy.loop.ends", neutral=None)
    def count_down(turns):
        while turns > 0:
            turns -= 1
        return turns

    class Dice:
        __sides = 6

        @staticmethod
        @rule("toy.dice.roll", neutral=0)
        def best(faces):
            return max(faces) if faces else Dice.__sides

    @rule("toy.turn.step")
    async def step(log):
        if log:
            log.append(lambda turn: turn + 1)

    HELD = (may_move, all_near)
"""

TESTS = """
    import pytest
    from toy.game import HELD, Dice, all_near, count_down, may_move, step

    @pytest.mark.rule("toy.move.limit", check=1)
    def test_seven_is_too_far_and_six_is_not():
        assert HELD[0](6)
        assert not HELD[0](7)

    @pytest.mark.rule("toy.all.near", check=1)
    def test_all_are_near():
        assert all_near([1, 2])
        assert not all_near([3])

    @pytest.mark.rule("toy.all.far", check=1)
    def test_far():
        assert not all_near([4, 4])

    @pytest.mark.rule("toy.loop.ends", check=1)
    def test_the_loop_ends():
        assert count_down(3) == 0

    @pytest.mark.rule("toy.dice.roll", check=1)
    def test_the_best_die_counts():
        assert Dice.best([1, 5, 2]) == 5

    @pytest.mark.rule("toy.turn.step", check=1)
    def test_step():
        log = [0]
        with pytest.raises(StopIteration):
            step(log).send(None)
        assert log[1](1) == 2
"""

ROWS = ["toy.move.limit", "toy.all.near", "toy.all.far", "toy.loop.ends", "toy.dice.roll", "toy.turn.step"]
FILES = {"src/toy/__init__.py": "", "src/toy/game.py": CODE, "tests/test_toy.py": TESTS}
FILE = "src/toy/game.py"

#: What the tests above do not notice.
SURVIVORS = {
    "all_near: `all((gap < 3 for gap in gaps))` becomes `any((gap < 3 for gap in gaps))`",
    "Dice.best: `if faces` holds always",
    "step: `if log` holds always",
}


def run(project: Project, *options: str) -> tuple[int, Any, str]:
    """`rules mutate` in a process of its own, because it imports the project's tests."""
    command = [sys.executable, "-m", "sandtable.cli.main", "rules", "mutate", "--json", "--project", str(project.root)]
    done = subprocess.run([*command, *options], check=False, capture_output=True, text=True, timeout=120)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def survivors(report: Any) -> set[str]:
    return {mutant["what"] for mutant in report["survived"]}


def test_exactly_those_survive_that_no_test_notices(make_project: Make) -> None:
    status, report, errors = run(make_project(ROWS, **FILES))
    assert (status, errors) == (1, "")
    assert survivors(report) == SURVIVORS
    assert set(report) == {"mutants", "killed", "equivalent", "survived"}
    assert report["mutants"] == report["killed"] + len(SURVIVORS)
    assert report["equivalent"] == 0
    of_all = next(mutant for mutant in report["survived"] if mutant["what"].startswith("all_near"))
    assert of_all == {"rule": "toy.all.near, toy.all.far", "file": FILE, "line": 12, "what": of_all["what"]}


def test_a_mutant_that_never_ends_is_killed(make_project: Make) -> None:
    status, report, errors = run(make_project(ROWS, **FILES), "--rule", "toy.loop.ends")
    assert (status, errors, survivors(report)) == (0, "", set())
    # `turns += 1`, and `turns -= 0`, are among them.
    assert report["killed"] == report["mutants"] == 7


def test_equivalent_mutants_are_listed_with_a_reason_and_do_not_count_as_survivors(make_project: Make) -> None:
    listed = f"""
        file: {FILE}
        equivalent:
          - function: Dice.best
            what: "`if faces` holds always"
            why: Nobody rolls no dice at all.
          - function: step
            what:
              - "`if log` holds always"
            why: The log is never empty.
    """
    project = make_project(ROWS, **FILES, **{"tests/equivalent/game.yaml": listed})
    status, report, errors = run(project)
    assert (status, errors, report["equivalent"]) == (1, "", 2)
    assert {what.split(":")[0] for what in survivors(report)} == {"all_near"}
    status, report, errors = run(project, "--rule", "toy.dice.roll")
    assert (status, errors, report["equivalent"], report["survived"]) == (0, "", 1, [])


def test_what_is_wrong_with_the_list_is_a_fault(make_project: Make) -> None:
    listed = f"""
        file: {FILE}
        equivalent:
          - function: Dice.best
            what: "`if faces` holds rarely"
            why: The code was another once.
          - function: step
            what: "`if log` holds always"
            why: so
    """
    files = {"tests/equivalent/game.yaml": listed, "tests/equivalent/other.yaml": "file: x\nwhy: not\n"}
    status, report, errors = run(make_project(ROWS, **FILES, **files), "--rule", "toy.move.limit")
    assert (status, report["survived"]) == (1, [])
    stale, short, wrong = sorted(errors.splitlines(), key=lambda line: line.split(": ")[0])
    assert stale.startswith("tests/equivalent/game.yaml:4: There is no such mutant (any more) in src/toy/game.py: Dice")
    assert short.startswith("tests/equivalent/game.yaml:7: step: say why")
    assert wrong.startswith("tests/equivalent/other.yaml:1: This is no list of equivalent mutants: ")


def test_a_test_that_notices_the_unchanged_control_is_a_fault_and_kills_nothing(make_project: Make) -> None:
    code = """
        from sandtable.rules import rule
        @rule("toy.a.one", neutral=0)
        def one(a): return a < 3
        CODE = one.__code__
    """
    tests = """
        import pytest
        from toy import game

        @pytest.mark.rule("toy.a.one", check=1)
        def test_code():
            assert game.one.__code__ is game.CODE

        @pytest.mark.rule("toy.a.one", check=1)
        def test_wrong():
            assert game.one(3)
    """
    files = {"src/toy/__init__.py": "", "src/toy/game.py": code, "tests/test_toy.py": tests}
    status, report, errors = run(make_project(["toy.a.one"], **files))
    assert (status, report["killed"], len(report["survived"])) == (1, 0, 3)
    compiled, wrong = sorted(errors.splitlines())
    assert compiled.startswith("tests/test_toy.py::test_code: fails when code is compiled again without a change")
    assert wrong.startswith("tests/test_toy.py::test_wrong: fails although nothing is changed")


def test_files_and_rules_choose_the_functions(make_project: Make) -> None:
    other = """
        from sandtable.rules import rule
        @rule("toy.move.limit", neutral=True)
        def other(a): return a < 3
    """
    project = make_project(ROWS, **FILES, **{"src/toy/other.py": other})
    status, report, _ = run(project, "--file", "toy/other.py")
    assert (status, report["mutants"], len(report["survived"])) == (1, 3, 3)
    status, report, _ = run(project, "--rule", "toy.move.limit", "--file", "src/toy/game.py")
    assert (status, report["mutants"]) == (0, 1)
    with pytest.raises(UserError, match=r"toy\.a\.oen"):
        mutate(project, rules=["toy.a.oen"])
    with pytest.raises(UserError, match="no function in it carries @rule"):
        mutate(project, files=["__init__.py"])


def test_what_does_not_exist_is_refused_before_all_files_are_read(
    make_project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(ROWS, **FILES)
    monkeypatch.setattr("sandtable.rules.mutate.marked_code", None)
    monkeypatch.setattr("sandtable.rules.mutate.scan", None)
    for wanted, trouble in (
        ({"rules": ["toy.a.oen"]}, r"no rule 'toy\.a\.oen'"),
        ({"system": "chess"}, "There is no rules system 'chess'"),
        ({"files": ["gaem.py"]}, r"gaem\.py has no mutants: there is no such file in src/toy"),
        ({"since": "nonsense"}, "What changed is read from git"),
    ):
        with pytest.raises(UserError, match=trouble):
            mutate(project, **wanted)  # type: ignore[arg-type]


def all_mutants(project: Project) -> list[Mutant]:
    return [mutant for function in marked_code(project) for mutant in function.mutants()]


def test_a_sample_is_the_same_for_the_same_seed_and_hardly_changes_with_the_code(make_project: Make) -> None:
    before = all_mutants(make_project(ROWS, **FILES))
    one, other = sampled(before, 8, 1), sampled(before, 8, 2)
    assert len(one) == len(other) == 8
    assert [m.key for m in one] == [m.key for m in sampled(before, 8, 1)] != [m.key for m in other]
    assert [m.key for m in one] == [m.key for m in before if m.key in {m.key for m in one}]
    assert sampled(before, 1000, 1) == before
    # A line above, and a function more, move everything and hardly change what is drawn.
    code = CODE.replace(
        "    HELD", '    # A line.\n    @rule("toy.turn.step")\n    def more(a): return a < 3\n\n    HELD'
    )
    after = all_mutants(make_project(ROWS, **{**FILES, FILE: code}))
    assert len(after) == len(before) + 3
    same = {m.key for m in sampled(after, 8, 1)} & {m.key for m in one}
    assert len(same) >= 5


# ------------------------------------------------------------------------------------------------------- what changed


def git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True)


def commit(root: Path) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-m", "A change")


def tried(project: Project) -> tuple[str, set[str]]:
    """What was compared, and the functions that changed; no mutant is run for it."""
    from sandtable.rules.changed import base_of, changed

    base = base_of(project)
    if base is None:
        return "", set()
    return base.name, {function.name for function in changed(project, marked_code(project), base)}


def edit(project: Project, old: str, new: str) -> None:
    path = project.root / FILE
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_changed_means_against_the_shared_branch_else_head_else_the_commit_before(make_project: Make) -> None:
    project = make_project(ROWS, **FILES)
    git(project.root, "init", "-b", "main")
    commit(project.root)
    assert tried(project) == ("", set())
    edit(project, "distance <= limit", "limit >= distance")
    assert tried(project) == ("HEAD", {"may_move"})
    commit(project.root)
    assert tried(project) == ("the commit before HEAD", {"may_move"})
    git(project.root, "switch", "-c", "work")
    edit(project, "gap < 3", "3 > gap")
    commit(project.root)
    edit(project, "turns > 0", "0 < turns")
    assert tried(project) == ("the commit where HEAD left main", {"all_near", "count_down"})


def test_a_function_that_only_moved_has_not_changed_and_a_new_file_has(make_project: Make) -> None:
    project = make_project(ROWS, **FILES)
    git(project.root, "init", "-b", "main")
    commit(project.root)
    edit(project, "from sandtable.rules import rule\n", "# A line more.\nfrom sandtable.rules import rule\n")
    assert tried(project) == ("HEAD", set())
    (project.root / "src/toy/new.py").write_text(
        'from sandtable.rules import rule\n@rule("toy.turn.step")\ndef new(a): return a < 3\n'
    )
    assert tried(project) == ("HEAD", {"new"})
    status, report, errors = run(project, "--changed")
    assert (status, report["mutants"], len(report["survived"])) == (1, 3, 3)
    assert errors.startswith("Functions that differ from HEAD (")


def test_without_git_what_changed_cannot_be_told(make_project: Make) -> None:
    with pytest.raises(UserError, match="What changed is read from git"):
        mutate(make_project(ROWS, **FILES), only_changed=True)
