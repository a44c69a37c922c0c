"""The documentation of the protocol is what the types say, and the limits in it are those that hold."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from sandtable.armies.imported import MOST, MOST_GEAR, MOST_UNITS
from sandtable.battle.decisions import ANSWERS
from sandtable.battle.journal import MAX_BYTES, MAX_ENTRIES
from sandtable.battle.machine import MOST_TAKEN_BACK
from sandtable.server import hooks, limits, protocol
from sandtable.server.catalogue import LONGEST_CLOCK, LONGEST_INCREMENT, MAX_LIST, MAX_SCENARIO
from sandtable.server.hall import LONGEST_REPLAY
from sandtable.server.pages import SHELF_ROOM, SHELF_SHARE
from sandtable.server.playing import MOST_ANSWERED, MOST_CHANGED
from sandtable.server.protocol import AnyFromClient, AnyFromServer, decode
from sandtable.server.schemas import schemas
from sandtable.server.shares import MOST_ALONE, MOST_FROM_ONE
from sandtable.server.sitting import MOST_AT_SEAT, MOST_CLIENTS
from sandtable.server.thinking import MOST_WAITING
from server.live import Server

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "protocol.md").read_text()


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(DOCS))
    import build_protocol

    yield build_protocol
    sys.modules.pop("build_protocol")


def test_the_reference_is_written_from_the_types(build: Any) -> None:
    assert PAGE.partition(build.MARK)[2].strip() == build.reference().strip(), "say `make docs`"


def test_the_schemas_are_written_from_the_types(build: Any, server: Server) -> None:
    assert (DOCS / "protocol.schema.json").read_text() == build.schema_text(), "say `make docs`"
    assert json.loads(server.get("/api/schemas")[2]) == json.loads(build.schema_text())


def test_every_message_and_every_shape_is_documented() -> None:
    for message in (*get_args(AnyFromClient), *get_args(AnyFromServer)):
        assert f"**`{message.__struct_config__.tag}`**" in PAGE
    assert set(schemas()["answers"]) == {shape.__struct_config__.tag for shape in ANSWERS}


def test_requests_with_army_lists_are_documented() -> None:
    for part in (protocol.ReadList, protocol.ListRead, protocol.UnitRead, protocol.Counted, protocol.LeftRead):
        assert f"**{part.__name__}** " in PAGE
        told = PAGE.partition(f"**{part.__name__}** ")[2].partition("\n\n**")[0]
        assert all(f"- `{field}`" in told for field in part.__struct_fields__)
    assert schemas()["lists"] == {"request": {"$ref": "#/parts/ReadList"}, "reply": {"$ref": "#/parts/ListRead"}}


def test_no_two_messages_of_one_side_have_one_name() -> None:
    for side in (AnyFromClient, AnyFromServer):
        names = [message.__struct_config__.tag for message in get_args(side)]
        assert len(set(names)) == len(names)


def test_the_examples_of_the_page_are_messages() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith('{"say"')]
    assert [decode(line).__struct_config__.tag for line in lines[:2]] == ["hello", "answer"]
    assert msgspec.json.decode(lines[2], type=AnyFromServer) == protocol.Accepted(to=5, decision=17, nonce="d2f0")


def test_the_limits_of_the_page_are_those_that_hold() -> None:
    told = PAGE.partition("## Limits")[2].partition("## Reference")[0]
    for limit in (
        f"{limits.MAX_MESSAGE >> 10} KB",
        f"over {limits.MAX_FRAME >> 20} MB",
        f"{limits.MESSAGES_AT_ONCE:g} at once, then {limits.MESSAGES_PER_SECOND:g} a second",
        f"after {limits.PATIENCE} in a row",
        f"{limits.OF_ONE_ADDRESS_AT_ONCE:g} at once, then {limits.OF_ONE_ADDRESS_PER_SECOND:g} a second | wait",
        f"{hooks.OF_ONE_HOST} at a time to one host, {hooks.AT_ONCE} on the server, {hooks.MOST_WAITING} that wait",
        f"parts of one message | {limits.MAX_PARTS:,} |",
        f"pings | {limits.PINGS_AT_ONCE:g} at once, then {limits.PINGS_PER_SECOND:g} a second",
        f"wait for a process | {MOST_WAITING} on the server",
        f"when a socket closes | read within {limits.LAST_WORDS:g} seconds",
        f"a reply | some of it is read every {limits.NEXT_READ:g} seconds",
        f"that ask by HTTP | {limits.REQUESTS_OPEN};",
        f"asked | {limits.DRAWINGS_AT_ONCE:g} at once from one address, then {limits.DRAWINGS_PER_MINUTE:g} a minute",
        f"{limits.BYTES_TO_A_MESSAGE >> 10} KB of `events`, and {limits.ORDERS_TO_A_MESSAGE:,} characters of orders,",
        f"behind the one that is being sent | {limits.MAX_UNREAD >> 20} MB |",
        f"`hello` | {limits.HELLOS_AT_ONCE:g} at once from one address, then {limits.HELLOS_PER_MINUTE / 60:g} a",
        f"{limits.SOCKETS_AT_ONCE} of one address",
        f"{limits.REQUESTS_AT_ONCE:g} at once from one address, then {limits.REQUESTS_PER_MINUTE / 60:g} a second",
        f"within {limits.FIRST_REQUEST:g} seconds; no {limits.NEXT_PART:g} seconds between",
        f"parts of its body, {limits.WHOLE_BODY:g} for all of it",
        f"{limits.FILES_AT_ONCE} at a time from one address, {LONGEST_REPLAY:g} seconds each",
        f"{MOST >> 20} MB; {MOST_UNITS} units, {MOST_GEAR:,} pieces of wargear",
        f"{MOST_FROM_ONE} that were begun from one address, {MOST_ALONE} on the server",
        f"within {limits.FIRST_WORD:g} seconds",
        f"{MOST_AT_SEAT} to a seat, {MOST_CLIENTS} spectators",
        f"battles begun, and army lists read | {limits.BEGINS_PER_MINUTE} a minute from one address (`--begins`)",
        f"{limits.GUESSES_PER_MINUTE:g} a minute from one address",
        f"({protocol.TOO_FREQUENT})",
        f"({protocol.BAD_HELLO})",
        f"({protocol.TOO_MANY})",
        f"{protocol.NO_SEAT}, no such seat",
        f"{protocol.UNPLAYABLE}, the battle cannot",
        f"{protocol.TRY_AGAIN}, something could not be stored",
        f"{limits.REPLAYS_AT_ONCE:g} at once from one address, then {limits.REPLAYS_PER_MINUTE:g} a minute",
        f"{SHELF_SHARE} from one address, {SHELF_ROOM} on the server",
        f"{MOST_TAKEN_BACK:,} in a battle",
        f"{limits.MAX_BODY >> 20} MB; {MAX_LIST:,} characters of an army list or a table, {MAX_SCENARIO:,} of a",
        f"`/api/dropped` | {limits.MAX_UPLOAD >> 20} MB |",
        f"{MAX_ENTRIES * MOST_CHANGED:,.0f} entries and {(MAX_BYTES >> 20) * MOST_CHANGED:g} MB",
        f"{MAX_ENTRIES * MOST_ANSWERED:,.0f} and {(MAX_BYTES >> 20) * MOST_ANSWERED:g} MB",
    ):
        assert limit in told


def test_the_longest_clock_of_the_page_is_the_one_that_can_be_had() -> None:
    told = " ".join(PAGE.split())
    assert f"chess clocks (at most {LONGEST_CLOCK:,}, a week)" in told
    assert f"own turn adds (at most {LONGEST_INCREMENT:,})" in told


def test_the_example_bot_is_as_short_as_the_page_says() -> None:
    assert len((Path(__file__).parent / "bot.py").read_text().splitlines()) <= 60
