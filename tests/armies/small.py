"""A pack with one faction and one datasheet, as plain data that tests change and then read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sandtable.armies import Pack, load_pack


def small_sheet() -> dict[str, Any]:
    """A squad of two kinds of models with options, an ability and an item."""
    return {
        "id": "wardens",
        "name": "Wardens",
        "role": "infantry",
        "keywords": ["INFANTRY", "WARDENS"],
        "models": [
            {
                "name": "Warden", "stats": {"M": 6, "T": 4, "Sv": 3, "W": 2, "Ld": 6, "OC": 2},
                "base": "32mm", "height": 1.6, "min": 4, "max": 9, "equipment": ["rifle", "knife"],
            },
            {
                "name": "Sergeant", "stats": {"M": 6, "T": 4, "Sv": 3, "W": 2, "Ld": 6, "OC": 2},
                "base": "32mm", "height": 1.6, "min": 1, "max": 1, "equipment": ["rifle", "knife"],
            },
        ],
        "points": [{"models": 5, "points": 100}, {"models": 10, "points": 190}],
        "core": ["deep strike"],
        "faction_rules": ["Grit"],
        "abilities": [
            {"name": "Steady", "text": "Ones again.", "effects": [{"kind": "reroll", "roll": "hit", "faces": "ones"}]},
            {"name": "Shield", "text": "A shield.", "item": "shield",
             "effects": [{"kind": "invulnerable", "value": 4}]},
        ],
        "weapons": [
            {"name": "caster", "profiles": [
                {"name": "low", "stats": {"Range": 24, "A": 1, "BS": 3, "S": 7, "AP": -2, "D": 1}},
                {"name": "high", "stats": {"Range": 24, "A": 1, "BS": 3, "S": 8, "AP": -3, "D": 2},
                 "abilities": ["hazardous"]},
            ]},
            {"name": "blade", "profiles": [{"stats": {"A": 4, "WS": 3, "S": 5, "AP": -2, "D": 1}}]},
            {"name": "pistol", "profiles": [
                {"stats": {"Range": 12, "A": 1, "BS": 3, "S": 4, "AP": 0, "D": 1}, "abilities": ["pistol"]}
            ]},
        ],
        "options": [
            {"who": ["Warden"], "replace": ["rifle"], "by": [{"items": ["caster"], "points": 5}], "count": 1, "per": 5},
            {"who": ["Sergeant"], "replace": ["rifle"], "by": [{"items": ["pistol"]}]},
            {"who": ["Sergeant"], "replace": ["knife"], "by": [{"items": ["blade"]}, {"items": ["blade", "shield"]}]},
            {"replace": ["pistol"], "by": [{"items": ["shield"]}], "from_size": 10},
        ],
    }  # fmt: skip


def small_faction() -> dict[str, Any]:
    return {
        "faction": {
            "id": "wardens",
            "name": "Wardens",
            "keyword": "WARDENS",
            "rules": [{"name": "Grit", "text": "Grit.", "effects": [{"kind": "feel_no_pain", "value": 6}]}],
            "detachments": [
                {
                    "id": "watch",
                    "name": "Watch",
                    "rules": [{"name": "Watchful", "text": "Told by hand.", "enforced": False}],
                    "enhancements": [
                        {"name": "Star", "points": 15, "text": "A star.", "enforced": False, "needs": ["CHARACTER"]}
                    ],
                }
            ],
        },
        "weapons": [
            {"name": "rifle", "profiles": [{"stats": {"Range": 24, "A": 2, "BS": 3, "S": 4, "AP": -1, "D": 1}}]},
            {"name": "knife", "profiles": [{"stats": {"A": 3, "WS": 3, "S": 4, "AP": 0, "D": 1}}]},
        ],
        "sheets": [small_sheet()],
    }


def write_pack(folder: Path, faction: Any = None, *, system: str = "w40k10") -> Path:
    """Write a pack to a folder; the faction as data, or as the text of its file."""
    (folder / "factions").mkdir(parents=True, exist_ok=True)
    header = {"id": "test", "system": system, "name": "Test", "version": "1", "language": "en", "factions": ["wardens"]}
    # JSON is YAML too, and without the aliases that would be refused.
    (folder / "pack.yaml").write_text(json.dumps(header))
    text = faction if isinstance(faction, str) else json.dumps(faction or small_faction())
    (folder / "factions" / "wardens.yaml").write_text(text)
    return folder


def small_pack(folder: Path) -> Pack:
    return load_pack(write_pack(folder))
