"""Odds for strangers: every system that tells them, nothing but installed packs, and refusals in sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.errors import UserError
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
    for name, _, _ in known(system).asks:
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
