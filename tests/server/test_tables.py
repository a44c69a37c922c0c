"""Tables that somebody draws: looked at by the reader of layout files, and played on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from sandtable.errors import UserError
from sandtable.kit.drafts import read_draft
from sandtable.kit.layouts import find_table, layouts
from sandtable.server import catalogue
from sandtable.table.grid import STEP
from server.live import Server

TABLE = """\
id: mine
name: Mine
points: [1000]
table:
  size: [60, 44]
  terrain:
  - {kind: hill, rect: [10, 10, 6, 4], height: 2, solid: true}
"""


@pytest.mark.parametrize("name", layouts())
def test_a_known_table_that_is_gone_on_from_is_the_same_table(name: str, tmp_path: Path) -> None:
    file = tmp_path / "again.yaml"
    file.write_text(catalogue.draft("w40k10", name, "").text)
    assert find_table(file) == find_table(name)


def test_a_table_is_written_as_it_was_read_with_what_is_wrong() -> None:
    draft = read_draft(TABLE)
    assert draft.layout == yaml.safe_load(draft.text) == yaml.safe_load(TABLE)
    assert draft.problems == []
    second = TABLE + "  - {kind: hill, rect: [12, 11, 6, 4], height: 2, solid: true}\n"
    assert read_draft(second).problems == ["hill-1 and hill-2 overlap."]


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (TABLE.replace("rect:", "rekt:"), "rekt"),
        (TABLE.replace("6, 4]", "0, 4]"), "no area"),
        (TABLE.replace("[60, 44]", "[60000, 44]"), "up to 1000"),
        (TABLE.replace("hill,", "&a hill,").replace("id: mine", "id: *a"), "not allowed"),
        ("- 1\n- 2\n", "object"),
    ],
)
def test_what_no_battle_could_be_fought_on_is_refused_in_a_sentence(bad: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        read_draft(bad)


def test_nobody_names_a_file_of_the_server(tmp_path: Path) -> None:
    file = tmp_path / "secret.yaml"
    file.write_text(TABLE)
    for name in (str(file), "../layouts/crossroads", "crossroads.yaml"):
        with pytest.raises(UserError, match="no layout"):
            catalogue.draft("w40k10", name, "")


def test_the_server_looks_at_tables_and_battles_are_played_on_them(server: Server) -> None:
    status, told = server.post("/api/layouts", {"system": "w40k10", "text": TABLE})
    assert (status, told["problems"]) == (200, [])
    assert server.post("/api/layouts", {"system": "epica", "text": TABLE})[0] == 400
    assert server.post("/api/layouts", {"system": "w40k10", "text": TABLE.replace("rect", "rekt")})[0] == 400
    status, refused = server.post("/api/battles", {"system": "w40k10", "layout": TABLE.replace("rect", "rekt")})
    assert status == 400
    assert "/" not in refused["error"]
    battle = server.begin(system="w40k10", layout=told["text"], seed=3)
    with battle.sit() as client:
        (hill,) = client.welcome["ground"]["table"]["features"]
        assert (hill["kind"], hill["top"]) == ("hill", 2 * STEP)


def test_missions_of_data_beside_a_system_are_offered_on_the_tables_that_they_are_meant_for(server: Server) -> None:
    known = json.loads(server.get("/api/systems")[2])
    names = {one["id"]: one["names"] for one in known}
    assert (names["w40k10"], names["w40k11"]["destroyers-wrath"]) == ({}, "Destroyer's Wrath")
    offered = {one["id"]: one["grounds"] for one in known}
    assert offered["w40k10"] == []
    mission, layout, called = offered["w40k11"][0]
    battle = server.begin(system="w40k11", mission=mission, layout=layout, seed=3)
    replay = server.get(f"/battles/{battle.id}/replay")[2].decode()
    assert f" on {called}" in replay
    assert f" on {layout}" not in replay
    status, told = server.post("/api/battles", {"system": "w40k11", "mission": "no-such-thing"})
    assert (status, "There is no mission 'no-such-thing'" in told["error"]) == (400, True)


def scene(seed: int, mission: str, layout: str = "") -> str:
    """What a battle of a mission of data is fought on."""
    armies = ("necrons-2000-phalanx", "orks-2000-stompers")
    wish = catalogue.Wish(system="w40k11", armies=armies, mission=mission, layout=layout, seed=seed)
    return catalogue.build(wish).setup.scene


def test_the_seed_draws_the_table_of_a_mission_and_so_repeats_it() -> None:
    drawn = [scene(seed, "triangulation") for seed in range(6)]
    assert len(set(drawn)) > 1
    assert all(name.startswith("Triangulation on Purge vs Recon 0") for name in drawn)
    assert scene(3, "triangulation") == drawn[3]
    assert scene(3, "triangulation@bm-purge-vs-recon-02") == "Triangulation on Purge vs Recon 02"
    assert scene(3, "triangulation", "bm-purge-vs-recon-01") == "Triangulation on Purge vs Recon 01"
    with pytest.raises(UserError, match="no table for triangulation 'bm-take-vs-take-01'"):
        scene(3, "triangulation", "bm-take-vs-take-01")
