"""Questions about whole units: their words agree, and they are about the models that can answer."""

from __future__ import annotations

from sandtable.battle import Mode
from sandtable.kit.asking import move_of, place_of
from w40k10.table import TROOPER, named, row, situation, unit

MODE = Mode("walk", "Walk", 9)


def test_a_move_is_about_all_models_on_the_table_and_its_words_agree() -> None:
    b = situation([unit("Boyz", "red", TROOPER, row(2, (10, 10))), unit("Boss", "blue", TROOPER, [(20, 20)])])
    several, one = (
        move_of(b, named(b, name), "walk", "Where {does} {unit} go, and {is} it far?", (MODE,), "toy.walk", far=9)
        for name in ("Boyz", "Boss")
    )
    assert (several.prompt, one.prompt) == ("Where do Boyz go, and are it far?", "Where does Boss go, and is it far?")
    assert (several.player, several.models, several.modes) == (0, (0, 1), (MODE,))
    assert (one.kind, one.rules, one.unit, one.about) == ("walk", ("toy.walk",), 1, {"far": 9})


def test_a_set_up_is_about_all_models_that_are_not() -> None:
    b = situation([unit("Boyz", "red", TROOPER, off=2, reserve="strategic"), unit("Boss", "blue", TROOPER, [(20, 20)])])
    asked = place_of(
        b, named(b, "Boyz"), "land", "Where {does} {unit} land?", "toy.land", area=((0, 0), (1, 1), (0, 1))
    )
    assert (asked.prompt, asked.models, asked.optional) == ("Where do Boyz land?", (0, 1), False)
    assert (asked.area, asked.rules, asked.unit) == (((0, 0), (1, 1), (0, 1)), ("toy.land",), 0)
