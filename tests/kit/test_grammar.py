"""Sentences about units whose names are plurals."""

from __future__ import annotations

import pytest

from sandtable.battle.state import AnyUnit
from sandtable.kit.grammar import agree, counted, does, players_do, titled


def unit(name: str, models: int) -> AnyUnit:
    return AnyUnit(0, 0, name, tuple(range(models)))


@pytest.mark.parametrize(
    ("name", "models", "verb", "said"),
    [
        ("Poxwalkers of the hive", 20, "moves", "Poxwalkers of the hive move"),
        ("Lord of Skulls", 2, "moves", "Lord of Skulls moves"),
        ("Hormagaunts", 10, "fights", "Hormagaunts fight"),
        ("Boyz 2 (red)", 10, "reaches", "Boyz 2 (red) reach"),
        ("Tyranid Warriors with Ranged Bio-Weapons", 3, "carries", "Tyranid Warriors with Ranged Bio-Weapons carry"),
        ("Nobz", 5, "is", "Nobz are"),
        ("Lychguard", 5, "has", "Lychguard has"),
        ("First Mob", 10, "goes on", "First Mob goes on"),
        ("Flayed Ones", 5, "goes on", "Flayed Ones go on"),
        ("Genestealers", 5, "passes", "Genestealers pass"),
        ("Genestealers", 5, "loses", "Genestealers lose"),
        ("Illuminor Szeras", 1, "does", "Illuminor Szeras does"),
        ("Ripper Swarms", 1, "is", "Ripper Swarms are"),
        ("Mek Gunz", 1, "is", "Mek Gunz are"),
        ("Typhus", 1, "is", "Typhus is"),
        ("Inquisitor Coteaz", 1, "is", "Inquisitor Coteaz is"),
        ("Lootas", 10, "is", "Lootas are"),
        ("Ork Boss", 2, "leads", "Ork Boss leads"),
    ],
)
def test_the_verb_agrees_with_the_name(name: str, models: int, verb: str, said: str) -> None:
    assert does(unit(name, models), verb) == said


def test_pronouns_agree_with_the_name() -> None:
    assert [agree(unit("Hormagaunts", 10), word) for word in ("it", "its")] == ["they", "their"]
    assert [agree(unit("Trukk", 1), word) for word in ("it", "its")] == ["it", "its"]


def test_questions_begin_with_verbs_that_agree() -> None:
    assert [agree(unit("Hormagaunts", 10), word) for word in ("Does", "Is")] == ["Do", "Are"]
    assert agree(unit("Trukk", 1), "Does") == "Does"


def test_one_model_is_no_models() -> None:
    assert [counted(n, "model") for n in (0, 1, 2)] == ["0 models", "1 model", "2 models"]


def test_small_words_of_a_heading_are_small() -> None:
    assert titled("curse of the leper") == "Curse of the Leper"
    assert titled("the horror") == "The Horror"


@pytest.mark.parametrize(
    ("names", "told"), [(["red"], "red wins"), (["orks"], "orks win"), (["red", "green"], "red and green win")]
)
def test_players_win_as_their_names_want_it(names: list[str], told: str) -> None:
    assert players_do(names, "wins") == told
