"""Write the page about the armies of 11th edition: what the dataset lacks, and what of each faction is enforced."""

from __future__ import annotations

from pathlib import Path

from sandtable.armies.kdc.corrections import corrections
from sandtable.armies.kdc.factions import Compiled, compile_faction
from sandtable.armies.kdc.source import data
from sandtable.armies.reports import count, told_by
from sandtable.forty.dataset_layouts import dataset_layouts
from sandtable.forty.dataset_missions import dataset_missions, dataset_patterns, read_card

DOCS = Path(__file__).parent
GAPS = {
    "base": "base or hull",
    "composition": "composition",
    "points": "points",
    "weapons": "weapons",
    "abilities": "abilities",
    "capacity": "room of a transport",
}


def armies_page() -> str:
    """The page."""
    known = data()
    read = {id_: compile_faction(known, id_, corrections(id_), all_units=True) for id_ in known.factions}
    lines = [*HEAD, *_gaps(read), *_table(read), *_missions(), *TAIL]
    return "\n".join(lines) + "\n"


def _gaps(read: dict[str, Compiled]) -> list[str]:
    units = sum(len(one.file.sheets) for one in read.values() if not one.file.faction.parent)
    lines = ["## Units", "", f"{units:,} units load with profiles, weapons, keywords, points and a base."]
    lines += ["What the dataset does not tell about them, and what stands in:", ""]
    missing: dict[str, list[str]] = {}
    for faction, one in read.items():
        if not one.file.faction.parent:
            for unit, gaps in one.gaps.items():
                for gap in gaps:
                    missing.setdefault(gap, []).append(f"{faction}/{unit}")
    for gap, told in GAPS.items():
        found = missing.pop(gap, [])
        lines += [f"**{told.capitalize()}** ({len(found)} units): {STANDS_IN[gap]}", ""]
        if gap != "base":
            lines += [", ".join(f"`{unit}`" for unit in found) + ".", ""]
    lost = sorted({gap.removeprefix("weapon ") for gap in missing})
    lines += [f"**Weapons that lead nowhere** ({len(lost)}): " + ", ".join(f"`{id_}`" for id_ in lost) + ".", ""]
    return lines


def _table(read: dict[str, Compiled]) -> list[str]:
    lines = [
        "## What plays",
        "",
        "Abilities on datasheets without core ones; then rules, enhancements, stratagems.",
        "",
    ]
    lines += ["| faction | units | reviewed | not reviewed | left | of detachments: reviewed | not reviewed | left |"]
    lines += ["|---|---|---|---|---|---|---|---|"]
    for one in read.values():
        faction = one.file.faction
        own = count(a for sheet in one.file.sheets for a in told_by(sheet))
        parts = [p for d in faction.detachments for p in (*d.rules, *d.enhancements, *d.stratagems)]
        more = count((*faction.rules, *parts))
        units = "" if faction.parent else str(len(one.file.sheets))
        if faction.parent:
            own = count(())
        cells = [faction.name, units, *map(str, own), *map(str, more)]
        lines.append("| " + " | ".join(cells) + " |")
    return [*lines, ""]


def _missions() -> list[str]:
    lines = [*TABLES, "| mission | ways to score | what its card needs and we lack |", "|---|---|---|"]
    awards = {card["id"]: len(card["awards"]) for card in data().raw["mission_cards"]}
    for name in dataset_missions():
        card = read_card(name, SIZES)
        lacks = [lack for lack in card.lacks if not lack.startswith(("at most", "a card of"))]
        ways = f"{len(card.mission.scoring)} of {awards[name]}"
        lines.append(f"| `{name}` | {ways} | {'; '.join(lacks) or '-'} |")
    layouts = ", ".join(f"`{name}`" for name in dataset_layouts())
    patterns = ", ".join(f"`{name}`" for name in dataset_patterns())
    return [*lines, "", f"Deployment patterns: {patterns}.", "", f"Layouts: {layouts}.", ""]


STANDS_IN = {
    "base": "hulls and flying stands have sizes of our own (`armies/kdc/bases.py`), as have all heights.",
    "composition": "one kind of model with the first gun and the first close combat weapon of the datasheet.",
    "points": "they cost nothing, so that lists with them are told as such.",
    "weapons": "they have none.",
    "abilities": "nothing is known, not even names.",
    "capacity": "they carry nobody.",
}
HEAD = """# The armies of 11th edition

Written by `make docs` from the installed dataset.

Powered by [40kdc-data](https://github.com/wn-mitch/40kdc-data): figures, names, detachments and list importers are
those of the 40kdc community dataset by Alpaca Software and the 40kdc community (the package `wh40kdc`, its data under
[CC BY 4.0](https://creativecommons.org/licenses/by/4.0/)). We changed it: gaps are filled with figures of our own, and
what abilities do is told by corrections of our own. Nothing of it is part of this repository.

There is no rules text in the dataset. What it says about abilities is a sketch in which about half of the entries lost
a number, a moment, a choice or a limit. Therefore there are three numbers, never one:

- **reviewed**: told as effects that were held against the printed rule, and played;
- **not reviewed**: compiled from the dataset and sound as far as the entry shows, but held against nothing. Played only
  with `--option abilities=unreviewed`;
- **left**: left to the players, with a reason. `sandtable army report` lists them by unit.

Not told by the dataset, and so not played: characteristics that change for damaged models, who may embark where
(INFANTRY stands in), allies from other factions.
""".splitlines()
SIZES = ("incursion", "strike force")
TABLES = """## Missions and layouts

`--mission NAME` takes one of the missions below, on the first layout that the dataset has for it; `NAME@LAYOUT` or
`NAME@PATTERN` takes the zones and objectives of another. `--layout NAME` lays the terrain. Both players score by the
same card. Not played: limits of points in a round or in the battle, cards of their own for the opponent, and secondary
cards, of which the dataset has 18. Heights of terrain are ours; upper floors and windows are not laid.
""".splitlines()
TAIL = """## How it works

`armies/kdc/` reads the dataset into documents like those of other packs, a faction at a time, and keeps what
it compiled in the cache folder. `gate.py` holds the checks, `mapping.py` and `kinds.py` the dictionary from the
dataset's language to [effects](abilities.md), `ours/` our corrections. A correction names the digest of the source that
it was written for; when the dataset has a newer one, the correction is told as stale and the ability is left to the
players.
""".splitlines()


def write_armies11() -> None:
    (DOCS / "armies11.md").write_text(armies_page(), encoding="utf-8")


if __name__ == "__main__":
    write_armies11()
