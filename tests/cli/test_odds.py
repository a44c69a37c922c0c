"""The command `sandtable odds`."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from sandtable.cli.main import main

Capture = pytest.CaptureFixture[str]

PACK = Path(__file__).parents[1] / "odds" / "pack"
ONE, TWO = (str(PACK / "lists" / f"{name}.yaml") for name in ("one", "two"))

QUESTIONS: dict[str, list[str]] = {
    "into": ["10 rifle squad", "10 dummies", "--cover"],
    "need": ["5 rifle squad", "5 dummies", "--chance", "0.6"],
    "targets": ["cannon", "10 dummies", "3 hulks"],
    "weapons": ["10 rifle squad", "--against", "3 hulks", "--against", "10 dummies"],
    "leader": ["5 rifle squad led by captain", "3 hulks", "--charged"],
    "cp": ["cannon", "cannon", "--aim", "damage"],
    "exchange": ["5 rifle squad led by captain", "10 rifle squad", "--overwatch", "--shoot"],
    "split": ["10 rifle squad", "3 hulks", "dummies"],
    "sweep": ["10 rifle squad", "3 hulks", "S", "--from", "2", "--to", "9"],
    "lists": [ONE, TWO],
    "charge": ["5 rifle squad", "--distance", "8"],
    "survive": ["3 hulks", "--by", "10 rifle squad", "--times", "3"],
}
KINDS = {
    "into": "outcome", "need": "needed", "targets": "choice", "weapons": "grid", "leader": "difference",
    "cp": "commandpoint", "exchange": "exchange", "split": "splitfire", "sweep": "sweep", "lists": "lists",
    "charge": "rolls", "survive": "survival",
}  # fmt: skip


def ask(name: str, *more: str) -> int:
    return main(["odds", name, *QUESTIONS[name], "--pack", str(PACK), *more])


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_is_answered_in_words_with_its_assumptions(name: str, capsys: Capture) -> None:
    assert ask(name) == 0
    said = capsys.readouterr().out
    headline, nothing, *_ = said.splitlines()
    assert headline.endswith(".")
    assert len(headline) > 20
    assert nothing == ""
    assert "Warhammer 40,000, 10th edition, core rules as first published" in said


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_is_answered_as_json(name: str, capsys: Capture) -> None:
    assert ask(name, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["answer"] == KINDS[name]
    assert data["headline"]
    assert data["table"]
    assert {"edition", "options", "units", "circumstances", "policies", "rules"} <= set(data["assumptions"])
    assert data["assumptions"]["rules"]


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_is_answered_as_csv(name: str, capsys: Capture) -> None:
    assert ask(name, "--csv") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert rows
    assert all(None not in row for row in rows)


def test_a_picture_is_written(tmp_path: Path, capsys: Capture) -> None:
    for ending, start in (("svg", b"<?xml"), ("png", b"\x89PNG")):
        file = tmp_path / f"answer.{ending}"
        assert ask("into", "--plot", str(file)) == 0
        assert file.read_bytes().startswith(start)
        assert f"The picture is in {file}." in capsys.readouterr().out


def test_the_bars_and_the_funnel(capsys: Capture) -> None:
    assert ask("into") == 0
    said = capsys.readouterr().out
    # Ten rifles, each 2/3 * 1/2 * 1/3 in cover.
    none = (8 / 9) ** 10
    assert f"       1  {100 * (1 - none):5.1f} %  █" in said
    assert f"{100 * none:5.1f} %" in said
    assert "  attacks  ████████████████████████  10.00  (10)" in said
    assert "[w40k10.terrain.cover]" in said
    assert re.search(r"\d%", said) is None


def test_units_can_attack_one_after_the_other(capsys: Capture) -> None:
    assert (
        main(["odds", "into", "5 rifle squad", "10 dummies", "--and", "5 rifle squad", "--pack", str(PACK), "--json"])
        == 0
    )
    both = json.loads(capsys.readouterr().out)
    assert main(["odds", "into", "10 rifle squad", "10 dummies", "--pack", str(PACK), "--json"]) == 0
    assert both["killed"] == pytest.approx(json.loads(capsys.readouterr().out)["killed"], abs=1e-12)


def data_of(capsys: Capture, *arguments: str) -> dict[str, Any]:
    assert main(["odds", *arguments, "--pack", str(PACK), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_target_that_is_hurt_and_a_model_of_it(capsys: Capture) -> None:
    hurt = data_of(capsys, "into", "10 rifle squad", "hulks", "--hurt", "2")
    assert hurt["wounds"] == 1 and hurt["destroyed"] == pytest.approx(1 - (2 / 3) ** 10)
    whom = data_of(capsys, "into", "10 rifle squad", "5 rifle squad led by captain", "--who", "captain")
    assert whom["who"] == "Captain"
    assert main(["odds", "into", "10 rifle squad", "captain in 5 rifle squad", "--pack", str(PACK)]) == 0
    said = capsys.readouterr().out
    assert "to kill Captain in 5 Troopers, led by Captain" in said
    assert "  Captain: " in said


def test_own_losses_are_printed_beside_the_answer(capsys: Capture) -> None:
    question = ["odds", "into", "10 rifle squad with 2 plasma rifles", "3 hulks", "--pack", str(PACK)]
    assert main([*question, "--mod", "supercharge"]) == 0
    said = capsys.readouterr().out
    assert "Own losses: 0.33 of 10 models (4 points) on average by 2 Hazardous tests; at least one" in said


def test_a_charge_by_its_distance_alone_or_behind_the_unit(capsys: Capture) -> None:
    assert data_of(capsys, "charge", "8")["distance"] == 8
    behind = data_of(capsys, "charge", "5 rifle squad", "8")
    assert behind["tries"] == data_of(capsys, "charge", "5 rifle squad", "--distance", "8")["tries"]


def test_a_list_shoots_and_charges_or_one_of_the_two(capsys: Capture) -> None:
    both = data_of(capsys, "survive", "3 hulks", "--list", ONE)["attackers"]
    shot = data_of(capsys, "survive", "3 hulks", "--list", ONE, "--shooting")["attackers"]
    struck = data_of(capsys, "survive", "3 hulks", "--list", ONE, "--melee")["attackers"]
    assert both == [*(f"{name} shoots" for name in shot), *(f"{name} fights" for name in struck)]
    near = data_of(capsys, "survive", "3 hulks", "--list", ONE, "--distance", "8")["attackers"]
    assert near[-1].endswith("fights (58 %)")


def test_an_ability_can_be_at_work(capsys: Capture) -> None:
    question = ["odds", "into", "10 hellblasters", "5 terminators", "--json"]
    assert main(question) == 0
    plain = json.loads(capsys.readouterr().out)
    assert main([*question, "--use", "oath of moment"]) == 0
    sworn = json.loads(capsys.readouterr().out)
    assert sworn["mean_damage"] > plain["mean_damage"]
    assert {"text": "Oath of Moment is at work", "rules": []} in sworn["assumptions"]["circumstances"]


def test_modifiers_and_panel_can_be_looked_up(capsys: Capture) -> None:
    assert main(["odds", "modifiers"]) == 0
    assert "half-range" in capsys.readouterr().out
    assert main(["odds", "modifiers", "--json"]) == 0
    assert {m["name"] for m in json.loads(capsys.readouterr().out)} >= {"cover", "hit-1", "charged"}
    assert main(["odds", "panel", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 20
    assert main(["odds", "panel"]) == 0
    assert "Battle tank" in capsys.readouterr().out


def test_policies_and_options_are_said_in_the_answer(capsys: Capture) -> None:
    assert ask("into", "--allocation", "worst-for-attacker", "--goal", "models", "-o", "devastating=one-model") == 0
    said = capsys.readouterr().out
    assert "The defender allocates as is worst for the attacker." in said
    assert "devastating=one-model" in said


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["into", "rifel squad", "hulks"], "no unit called 'rifel squad' in these rules. Did you mean 'Rifle Squad'?"),
        (["into", "rifle squad", "hulks", "--mod", "covr"], "There is no modifier 'covr'. Did you mean 'cover' (the"),
        (["into", "rifle squad", "hulks", "--distance", "nan"], "A distance is above 0"),
        (["into", "rifle squad", "hulks", "--distance", "1e9"], 'at most 120"'),
        (["into", "rifle squad", "hulks", "--melee", "--distance", "3"], "leave --distance or --melee out"),
        (["into", "rifle squad", "hulks", "--reroll", "sixes"], "--reroll is failures, criticals, none, optimal"),
        (["into", "rifle squad", "hulks", "--option", "devastating=maybe"], "Option 'devastating' can be"),
        (["into", "rifle squad", "hulks", "--plot", "answer.gif"], "ends in .svg or .png"),
        (["into", "rifle squad", "hulks", "--plot", "/no/such/folder/a.svg"], "there is no folder"),
        (["into", "rifle squad", "hulks", "--use", "magic"], "Neither unit can use 'magic'"),
        (["into", "rifle squad"], "See 'sandtable odds into --help'"),
        (["need", "rifle squad", "hulks", "--chance", "180"], "80 % is 0.8"),
        (["charge", "rifle squad", "8", "--distance", "9"], "Name the distance once"),
        (["survive", "hulks", "--by", "rifle squad", "--shooting"], "--shooting is for --list"),
        (["survive", "hulks", "--list", ONE, "--times", "2"], "--times is for units named with --by"),
        (["into", "rifle squad", "hulks", "--order", "random"], "--order is best, named, not 'random'"),
        (["into", "rifle squad", "hulks", "--who", "king"], "Who is meant by 'king'"),
        (["sweep", "rifle squad", "hulks", "S", "--from", "3"], "both --from and --to"),
        (["sweep", "rifle squad", "hulks", "S", "--from", "3", "--to", "3000000"], "over 2 to 60 values"),
        (["sweep", "rifle squad", "hulks", "T", "--from", "-5", "--to", "3"], "That profile cannot be: T is"),
        (["leader", "rifle squad", "hulks"], "have no Leader"),
        (["survive", "hulks"], "Say who attacks"),
        (["exchange", "rifle squad", "rifle squad", "--rounds", "99"], "Rounds: 1 to 5, not 99"),
        (["lists", ONE, "nobody"], "There is no army list 'nobody'"),
        (["guess"], "'sandtable odds' has no command 'guess'"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(arguments: list[str], sentence: str, capsys: Capture) -> None:
    command, *rest = arguments
    pack = [] if command == "guess" else ["--pack", str(PACK)]
    assert main(["odds", command, *rest, *pack]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("Error: ")
    assert sentence in said.err
    assert "Traceback" not in said.err
