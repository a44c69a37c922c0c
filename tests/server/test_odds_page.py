"""Odds for strangers: every system that tells them, nothing but installed packs, and refusals in sentences."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from sandtable import odds
from sandtable.errors import UserError
from sandtable.odds.setting import Setting
from sandtable.server.chances import OddsAsked, answered, known
from server.live import Server


@pytest.mark.parametrize("system", ["w40k10", "w40k8"])
def test_what_is_offered_can_be_asked(system: str) -> None:
    offer = known(system)
    unit = next(name for name in offer.units if name.startswith("Intercessor"))
    told = answered(OddsAsked(system=system, attacker=unit, target=offer.targets[0]))
    assert told.bars[0][2] == pytest.approx(1)
    assert answered(OddsAsked(code=told.code)) == told


@pytest.mark.parametrize("system", ["w40k10", "w40k8", "w40k11"])
def test_every_question_that_is_offered_is_answered_or_refused_in_a_sentence(system: str) -> None:
    for name in (ask.name for ask in known(system).asks):
        asked = OddsAsked(system=system, ask=name, attacker="10 boyz", target="5 intercessors", melee=True)
        try:
            told = answered(asked)
        except UserError as refused:
            assert name in ("leader", "power", "command_point")
            assert str(refused).endswith(".")
        else:
            assert told.headline
            assert bool(told.rows) == (name != "into") == (not told.bars)
            assert answered(OddsAsked(code=told.code)) == told
    with pytest.raises(UserError, match="no question 'lists'"):
        answered(OddsAsked(system=system, ask="lists", attacker="10 boyz", target="5 intercessors"))


def test_an_answer_comes_with_the_form_that_asked_it_and_a_link_that_says_more_with_none() -> None:
    of_all = OddsAsked(attacker="10 boyz", target="5 intercessors", distance=6, modifiers=("cover",))
    for name in ("into", "survive", "assault", "split"):
        asked = msgspec.structs.replace(of_all, ask=name)
        form = answered(asked).asked
        assert form is not None
        said = (form.system, form.ask, form.attacker, form.target, form.distance)
        assert said == ("w40k10", name, "10 boyz", "5 intercessors", 6)
        assert form.modifiers == (() if name == "assault" else ("cover",))
        again = answered(OddsAsked(code=answered(asked).code)).asked
        assert again == form
    for name in ("into", "assault"):
        with pytest.raises(UserError, match="distance"):
            answered(msgspec.structs.replace(of_all, ask=name, distance=0))
    setting = Setting(allocation="best_save")
    assert answered(OddsAsked(code=odds.into("10 boyz", "5 intercessors", setting=setting).code)).asked is None
    assert answered(OddsAsked(code=odds.rolls("10 boyz").code)).asked is None


@pytest.mark.parametrize("system", ["w40k10", "w40k8", "w40k11"])
def test_examples_are_of_the_system_and_can_be_asked(system: str) -> None:
    offer = known(system)
    names = {ask.name for ask in offer.asks}
    assert ("leader" in names) == (system != "w40k8")
    for ask in offer.asks:
        asked = OddsAsked(system=system, ask=ask.name, attacker=ask.example, target=offer.example, melee=True)
        try:
            assert answered(asked).headline
        except UserError as refused:
            assert "cannot be reckoned exactly" in str(refused)  # which depends on what the unit can do


def test_no_file_of_the_server_is_opened(tmp_path: Path) -> None:
    file = tmp_path / "list.yaml"
    file.write_text("secret: 1\n")
    for name in (str(file), f"{file}: boyz"):
        with pytest.raises(UserError) as refused:
            answered(OddsAsked(attacker=name, target="5 intercessors"))
        assert "secret" not in str(refused.value)


def test_the_server_answers_and_refuses_in_sentences(server: Server) -> None:
    status, told = server.post("/api/odds", {"attacker": "10 boyz", "target": "5 intercessors", "melee": True})
    assert (status, "to destroy" in told["headline"]) == (200, True)
    assert server.get("/api/odds/w40k10")[0] == 200
    assert server.get("/api/odds/nothing")[0] == 400
    assert server.post("/api/odds", {"attacker": "", "target": "x"})[0] == 400
    assert server.post("/api/odds", {"code": "st1.AAAA"})[0] == 400
