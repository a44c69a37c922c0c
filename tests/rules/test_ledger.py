"""The ledger: reading, refusing bad files, finding rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.errors import UserError
from sandtable.rules import ledger
from sandtable.rules.ledger import Ledger, LedgerError

ROW = """
  - id: {id}
    name: A rule
    where: Chapter 1
    text: Something holds.
    checks: [It holds.]
"""


def write(folder: Path, *rows: str, name: str = "toy.yaml", system: str = "toy") -> Ledger:
    (folder / name).write_text(f"system: {system}\nsource: none\nrules:\n" + "".join(rows), "utf-8")
    return Ledger(folder)


def row(rule_id: str, extra: str = "") -> str:
    return ROW.format(id=rule_id) + (f"    {extra}\n" if extra else "")


def test_the_built_in_ledger_is_sound() -> None:
    Ledger().check()


def test_the_built_in_ledger_has_the_five_systems() -> None:
    assert ledger.systems() == ["epica", "w40k10", "w40k11", "w40k4", "w40k8"]


@pytest.mark.parametrize("system", ledger.systems())
def test_every_system_says_of_which_edition_and_of_when_its_text_is(system: str) -> None:
    assert ledger.text(system).edition
    assert ledger.text(system).dated


def test_epic_is_one_system_in_two_files_and_its_army_checklist_is_no_rule() -> None:
    rows = ledger.load("epica")
    assert {"epica.dice.notation", "epica.special.owner_only"} <= rows.keys()
    assert all(found.system == "epica" for found in rows.values())


def test_a_row_has_all_that_the_file_says() -> None:
    found = ledger.find("w40k10.move.advance")
    assert found.name == "Advance"
    assert len(found.checks) == 4
    assert found.choice == "controlling player"
    assert "w40k10.move.distance" in found.needs
    assert found.text == found.text.strip()


def test_rows_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        ledger.find("w40k10.move.advance").name = "Retreat"  # type: ignore[misc]


def test_finding_a_row_reads_only_the_files_of_its_system(tmp_path: Path) -> None:
    write(tmp_path, "  broken: [", name="other.yaml", system="other")
    assert write(tmp_path, row("toy.a.one")).find("toy.a.one").id == "toy.a.one"


@pytest.mark.parametrize(
    ("asked", "suggested"),
    [
        ("w40k10.move.advanc", "w40k10.move.advance"),
        ("w40k10.movement.advance", "w40k10.move.advance"),
        ("w40k9.move.advance", "w40k8.move.advance"),
        ("advance", "w40k8.move.advance"),
    ],
)
def test_an_unknown_id_gets_a_suggestion(asked: str, suggested: str) -> None:
    with pytest.raises(UserError, match=rf"'{asked}'.*Did you mean.*{suggested}"):
        ledger.find(asked)


def test_an_id_like_nothing_gets_no_suggestion() -> None:
    with pytest.raises(UserError, match=r"^There is no rule 'toy\.x\.qqqqqqqq'\.$"):
        ledger.find("toy.x.qqqqqqqq")


def test_an_unknown_system_is_told_the_known_ones() -> None:
    with pytest.raises(UserError, match="'w40k9'; the ledger has epica, w40k10"):
        ledger.load("w40k9")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([row("toy.a.one"), row("toy.a.one")], r"toy\.a\.one stands twice"),
        ([row("toy.a.one", "needs: [toy.a.tow]"), row("toy.a.two")], r"toy\.a\.one needs 'toy\.a\.tow'.*toy\.a\.two"),
        ([row("joy.a.one")], r"joy\.a\.one must be named 'toy\.area\.rule'"),
        ([row("toy.one")], r"toy\.one must be named 'toy\.area\.rule'"),
        ([row("toy.a.one", "chioce: me")], r"toy\.a\.one: .*`chioce`"),
        ([row("toy.a.one").replace("[It holds.]", "[]")], r"toy\.a\.one has no checks"),
        ([row("toy.a.one").replace("name: A rule", "name: 4")], r"toy\.a\.one: .*\$\.name"),
        (["  - just text\n"], r"row 1: "),
        (["  - {id: ]\n"], "is not YAML"),
    ],
)
def test_a_bad_file_is_refused_with_the_reason(tmp_path: Path, rows: list[str], message: str) -> None:
    with pytest.raises(LedgerError, match=message):
        write(tmp_path, *rows).check()


def test_a_row_may_not_stand_in_two_files_of_a_system(tmp_path: Path) -> None:
    write(tmp_path, row("toy.a.one"), name="toy-more.yaml")
    with pytest.raises(LedgerError, match=r"toy\.a\.one stands twice: in toy\.yaml and in toy-more\.yaml"):
        write(tmp_path, row("toy.a.one")).check()


def test_a_need_may_point_to_another_system_but_must_exist(tmp_path: Path) -> None:
    write(tmp_path, row("other.a.one"), name="other.yaml", system="other")
    write(tmp_path, row("toy.a.one", "needs: [other.a.one]")).check()
    missing = tmp_path / "missing"
    missing.mkdir()
    with pytest.raises(LedgerError, match=r"toy\.a\.one needs 'other\.a\.one'"):
        write(missing, row("toy.a.one", "needs: [other.a.one]")).check()


def test_a_file_must_be_named_after_its_system(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match=r"toy\.yaml says 'system: joy'"):
        write(tmp_path, row("joy.a.one"), system="joy").check()


def test_search_puts_the_rule_of_that_name_first() -> None:
    assert ledger.search("advance", "w40k10")[0].row.id == "w40k10.move.advance"
    assert ledger.search("line of sight", "w40k4")[0].row.name == "Line of sight"


def test_search_wants_all_words_if_it_can_have_them() -> None:
    for hit in ledger.search(["overwatch", "charge"], "w40k8"):
        everything = (
            f"{hit.row.id} {hit.row.name} {hit.row.where} {hit.row.text} {hit.row.checks} {hit.row.note}".lower()
        )
        assert "overwatch" in everything
        assert "charg" in everything


def test_search_takes_some_of_the_words_if_no_rule_has_all() -> None:
    assert ledger.search("overwatch quizzaciously", "w40k8")[0].row.id == "w40k8.charge.overwatch"


def test_search_finds_other_forms_of_a_word_but_not_the_inside_of_one(tmp_path: Path) -> None:
    book = write(tmp_path, row("toy.a.one").replace("A rule", "Outlines"), row("toy.a.two").replace("A rule", "Lining"))
    assert [hit.row.id for hit in book.search("line")] == []
    assert [hit.row.id for hit in book.search("outline")] == ["toy.a.one"]
    assert ledger.search("advancing", "w40k10")


def test_search_without_words_or_hits_finds_nothing() -> None:
    assert ledger.search("") == []
    assert ledger.search("quizzaciously") == []


def test_the_snippet_shows_the_words(tmp_path: Path) -> None:
    long = "filler " * 60 + "the banner falls " + "filler " * 60
    book = write(tmp_path, row("toy.a.one").replace("Something holds.", long))
    snippet = book.search("banner")[0].snippet
    assert "the banner falls" in snippet
    assert len(snippet) < 130
