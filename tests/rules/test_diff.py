"""Two systems side by side: who belongs together, who stands alone, and which facts differ."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sandtable.cli.main import main
from sandtable.errors import UserError
from sandtable.rules.diff import as_page, diff, in_words, match, without_gaps
from sandtable.rules.ledger import Row
from sandtable.rules.project import Project

Make = Callable[..., Project]


def row(rule_id: str, name: str, text: str = "Nothing in particular.") -> Row:
    return Row(rule_id, name, "Somewhere", text, (), rule_id.partition(".")[0])


def test_rows_belong_together_by_id_by_name_and_by_their_rare_words() -> None:
    ours = [
        row("one.move.run", "Running"),
        row("one.move.jump", "Jumping"),
        row("one.move.swim", "Swimming", "Divers under water hold their breath below the surface."),
        row("one.move.sit", "Sitting", "Chairs are comfortable."),
    ]
    theirs = [
        row("two.walk.dive", "Under water", "Divers hold their breath below the surface."),
        row("two.walk.leap", "Jumping"),
        row("two.move.run", "Haste"),
        row("two.walk.fly", "Flying", "Wings are needed."),
    ]
    assert match(ours, theirs) == {0: 2, 1: 1, 2: 0}


def test_each_row_has_one_partner_and_the_best_pair_comes_first() -> None:
    ours = [row("one.move.first", "Charge"), row("one.move.charge", "Charge")]
    theirs = [row("two.move.charge", "Charge")]
    assert match(ours, theirs) == {1: 0}


def test_sheets_belong_to_datasheets_and_gaps_to_nothing_by_their_words_alone() -> None:
    pairs = {p.row.id: p.rows[1] and p.rows[1].id for p in diff(Project.here(), "w40k8", "w40k10")}
    assert [pairs[f"w40k8.{id_}"] for id_ in ("sheet.profile", "lord.profile", "gap.battle_forged")] == [
        "w40k10.datasheet.profile",
        None,
        None,
    ]


BOOK = """
    from sandtable.rules import Facts, fact

    class BOOK(Facts):
        zone = fact({value}, "{system}.space.zone", neutral=0)
        height = fact(5, "{system}.space.zone", neutral=0)
"""


def two_systems(make_project: Make, there: int) -> Project:
    files = {f"src/toy/{s}.py": BOOK.format(system=s, value=v) for s, v in (("toy", 1), ("other", there))}
    project = make_project(["toy.space.zone", "toy.move.run"], **files, **{"src/toy/__init__.py": ""})
    toy = (project.ledger.folder / "toy.yaml").read_text("utf-8")
    (project.ledger.folder / "other.yaml").write_text(toy.replace("toy", "other").replace("move.run", "psychic.smite"))
    return project


@pytest.mark.parametrize(("there", "same"), [(1, True), (2, False)])
def test_facts_are_read_and_compared_without_importing_anything(make_project: Make, there: int, same: bool) -> None:
    zone = diff(two_systems(make_project, there), "toy", "other")[0]
    assert zone.facts == ({"zone": "1", "height": "5"}, {"zone": str(there), "height": "5"})
    assert zone.same_facts is same


def test_a_system_does_not_differ_from_itself() -> None:
    with pytest.raises(UserError, match="name two systems"):
        diff(Project.here(), "epica", "epica")


def test_the_command_shows_a_part_side_by_side_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "diff", "w40k10", "w40k11", "--area", "charge"]) == 0
    said = capsys.readouterr().out
    assert "w40k10.charge.move" in said and "w40k11.charge.move" in said
    assert "rules in both" in said.splitlines()[-1]
    assert "w40k10.fight.pile_in" not in said


def test_a_part_that_nobody_has_is_refused_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "diff", "w40k10", "w40k11", "--area", "chess"]) == 2
    assert "there are concept, dice," in capsys.readouterr().err


def test_the_page_of_10th_and_11th_is_as_the_ledgers_are() -> None:
    project = Project.here()
    page = as_page(without_gaps(diff(project, "w40k10", "w40k11")), ("10th edition", "11th edition"))
    assert page in Path(project.root, "docs/editions.md").read_text("utf-8"), "make docs writes it anew"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("Coherency(steps(2), steps(6))", '2" along the table and 6" in height'),
        ("MappingProxyType({'incursion': 1000, 'onslaught': 3000})", "1000 for incursion, 3000 for onslaught"),
        ("dict.fromkeys(('ruins', 'woods'), DENSE) | dict.fromkeys(('wall',), LIGHT)",
         "dense for ruins, woods; light for wall"),
        ("Procedure.SORTED_BATCH", "sorted batch"),
        ("Power('smite', charge=5, wounds='D3')", "smite, charge 5, wounds D3"),
        ("coherency(Zone(steps(2), steps(5)), one_group=False)",
         '2" along the table and 5" in height, not one group'),
        ("steps(0.5 / 25.4)", "0.5 mm"),
        ("(D6, True, -1)", "D6, yes, -1"),
    ],
)  # fmt: skip
def test_facts_are_told_in_words(value: str, words: str) -> None:
    assert in_words(value) == words
