"""One question under several editions."""

from __future__ import annotations

import re

import msgspec
import pytest

from sandtable import odds
from sandtable.cli.main import main
from sandtable.errors import UserError
from sandtable.odds.pictures_editions import editions as picture
from sandtable.odds.setting import Setting
from sandtable.odds.side_by_side import lists_for, parse
from sandtable.rules.diff import rank


@pytest.mark.parametrize(
    ("words", "who", "does", "whom"),
    [
        ("10 boyz charge 5 intercessors", "10 boyz", "charge", "5 intercessors"),
        ("Warboss charges into captain.", "Warboss", "charge", "captain"),
        ("5 intercessors shoot at 10 boyz", "5 intercessors", "shoot", "10 boyz"),
        ("5 intercessors vs 10 boyz?", "5 intercessors", "shoot", "10 boyz"),
        ("nobz fight terminators", "nobz", "fight", "terminators"),
    ],
)
def test_a_question_says_who_does_what_to_whom(words: str, who: str, does: str, whom: str) -> None:
    assert parse(words) == (who, does, whom)


@pytest.fixture(scope="module")
def charged() -> odds.Answer:
    return odds.editions("10 boyz charge 5 intercessors", ["w40k8", "w40k10"])


def test_each_edition_answers_with_its_own_datasheets(charged: odds.Answer) -> None:
    assert [u.edition for u in charged.under] == ["8th edition", "10th edition"]  # type: ignore[attr-defined]
    old, new = charged.under  # type: ignore[attr-defined]
    assert old.prices == ("4 Power", "5 Power")
    assert new.prices == ("80 points", "80 points")
    assert {b.weapon: (b.attacks, b.wounds, b.saved) for b in old.blows} == {"choppa": ("3", "4+", "3+")}
    assert {b.weapon: (b.attacks, b.wounds, b.saved) for b in new.blows}["choppa"] == ("3", "4+", "4+")


def test_each_answer_is_that_of_the_question_asked_alone(charged: odds.Answer) -> None:
    for u in charged.under:  # type: ignore[attr-defined]
        alone = odds.assault("10 boyz", "5 intercessors", 8.0, Setting(u.system))
        assert u.measures["models killed"] == pytest.approx(alone.mean_killed(1))
        assert u.measures["chance to charge home"] == alone.home


def test_only_8th_edition_has_models_that_flee(charged: odds.Answer) -> None:
    row = next(row for row in charged.table() if row["what"] == "own models that flee")
    assert row["8th edition"] is not None
    assert row["10th edition"] is None


def test_the_rules_behind_it_stand_beside_each_other(charged: odds.Answer) -> None:
    ((one, other, pairs),) = charged.differences  # type: ignore[attr-defined]
    assert (one, other) == ("w40k8", "w40k10")
    by_id = {row.id: p for p in pairs for row in p.rows if row is not None}
    assert rank(by_id["w40k8.morale.flee"]) == 1
    assert by_id["w40k8.attack.wound_table"].rows[1].id == "w40k10.attack.wound_table"
    assert [rank(p) for p in pairs] == sorted(rank(p) for p in pairs)


def test_the_picture_shows_both(charged: odds.Answer) -> None:
    drawn = charged.svg()
    assert "8th edition" in drawn
    assert "10th edition" in drawn


def test_what_an_edition_does_not_count_is_a_dash_in_the_picture() -> None:
    found = odds.editions("10 boyz fight 5 intercessors", ["w40k10", "w40k11"])
    assert [[s.name for s in u.stages].count("unsaved") for u in found.under] == [1, 0]
    assert next(row for row in found.table() if row["what"] == "unsaved")["11th edition"] is None
    drawn = [t.get_text() for plot in picture(found).axes for t in plot.texts]
    assert "0.0" not in drawn
    assert drawn.count("-") == 1


def test_the_picture_names_the_pair_and_tells_all_prices() -> None:
    found = odds.editions("10 boyz charge 5 intercessors", ["w40k8", "w40k10", "w40k11"])
    drawn = " ".join(" ".join(t.get_text() for t in picture(found).texts).split())
    assert "8th edition beside 10th edition; only in 8th edition: " in drawn
    assert (
        "10th edition beside 11th edition; other facts: Invulnerable save, Inflict damage, Charge move; only in"
        in drawn
    )
    assert "11th edition: 75 against 80 points, 42 % get home" in drawn


def test_facts_that_both_state_in_other_rows_make_no_difference() -> None:
    found = odds.editions("10 boyz fight 5 intercessors", ["w40k10", "w40k11"])
    ((_, _, pairs),) = found.differences
    by_id = {row.id: rank(p) for p in pairs for row in p.rows if row is not None}
    assert by_id["w40k11.seq.hit"] == by_id["w40k11.seq.critical_hit"] == 2
    assert by_id["w40k11.seq.damage"] == 0


def test_an_attack_from_afar_is_compared_stage_by_stage() -> None:
    found = odds.editions("5 intercessors shoot 10 boyz", ["w40k10", "w40k8"], distance=12.0)
    assert [u.edition for u in found.under] == ["10th edition", "8th edition"]
    assert found.table()[0]["what"] == "attacks"


@pytest.mark.parametrize(
    ("words", "among", "told"),
    [
        ("10 boyz", (), "no question to compare"),
        ("eradicators shoot boyz", (), "8th edition: There is no unit called 'eradicators' in these rules."),
        ("10 boyz charge 5 intercesors", (), "Did you mean"),
        ("10 boyz charge 5 intercessors", ("w40k8", "w40k99"), "There is no rules system 'w40k99'"),
        ("10 boyz charge 5 intercessors", ("w40k8", "epica"), "tells no odds yet"),
        ("10 boyz charge 5 intercessors", ("w40k8",), "2 to 5, not 1"),
    ],
)
def test_what_cannot_be_compared_is_told_in_a_sentence(words: str, among: tuple[str, ...], told: str) -> None:
    with pytest.raises(UserError, match=re.escape(told)):
        odds.editions(words, among)


def test_armies_of_both_are_of_a_size() -> None:
    asked = parse("10 boyz charge 5 intercessors")
    assert lists_for(asked, Setting("w40k10"), 1000)[0].startswith("orks-1000")
    assert lists_for(asked, Setting("w40k8"), 2000) == ("orks-100-waaagh", "space-marines-100-strike-force")


def test_the_command_prints_the_table_and_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "10", "boyz", "fight", "5", "intercessors", "-s", "w40k8", "-s", "w40k10"]) == 0
    told = capsys.readouterr().out
    assert re.search(r"8th edition +10th edition\n", told)
    assert re.search(r"models killed +\d", told)
    assert "sandtable rules diff w40k8 w40k10" in told


def test_the_command_gives_everything_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "10 boyz fight 5 intercessors", "--json"]) == 0
    found = msgspec.json.decode(capsys.readouterr().out)
    assert [u["system"] for u in found["under"]] == ["w40k8", "w40k10", "w40k11"]
    assert found["differences"][0]["rules"]
    assert found["games"] == []
