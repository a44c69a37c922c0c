"""What takes a tape to find out is not told where nothing is measured before it is declared."""

from __future__ import annotations

import pytest

from server.live import Server


@pytest.mark.parametrize(("option", "free"), [("at-any-time", True), ("after-declaring", False)])
def test_odds_and_chances_are_told_where_measuring_first_is_allowed(server: Server, option: str, free: bool) -> None:
    seats = ["mine", "mine"]
    wish = {"system": "epica", "made_up": True, "seed": 3, "seats": seats, "options": {"premeasuring": option}}
    with server.begin(**wish).sit(0) as red:
        assert red.welcome["ground"]["measuring"] is free
        units = red.welcome["view"]["units"]
        mine, theirs = (next(u["id"] for u in units if u["player"] == player) for player in (0, 1))
        told = red.ask("odds", unit=mine, target=theirs)
        if free:
            assert told["say"] == "told"
            assert "at the nearest" in red.ask("moment", units=[mine, theirs])["text"]
        else:
            assert told["code"] == "illegal" and "before a charge or a shooting attack is declared" in told["text"]
            file = red.ask("moment", units=[mine, theirs])
            assert file["say"] == "moment" and "at the nearest" not in file["text"]
            assert red.ask("sight", unit=mine, target=theirs)["say"] == "sight", "to look is not to measure"
