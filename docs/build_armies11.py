"""Write the page about the armies of 11th edition: what the dataset lacks, and what of each faction is enforced."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from sandtable import systems
from sandtable.armies import find_packs, open_pack, read_list
from sandtable.armies.kdc.corrections import corrections
from sandtable.armies.kdc.factions import Compiled, compile_faction
from sandtable.armies.kdc.source import data
from sandtable.armies.reports import Numbers, Report, Unread, count, report_list, told_by
from sandtable.forty.dataset_layouts import dataset_layouts
from sandtable.forty.dataset_missions import (
    dataset_missions,
    dataset_patterns,
    dataset_secondaries,
    read_card,
    read_secondary,
)
from sandtable.forty.effects.enforced import Enforced, why_unread

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
        "Abilities on datasheets without core ones; then rules, enhancements, stratagems. Units of games of their own,",
        "which no army fields, are counted here; `sandtable army report` leaves them out.",
        "",
    ]
    lines += ["| faction | units | reviewed | not reviewed | left | of detachments: reviewed | not reviewed | left |"]
    lines += ["|---|---|---|---|---|---|---|---|"]
    for one in read.values():
        faction = one.file.faction
        own = count((a for sheet in one.file.sheets for a in told_by(sheet)), unread())
        parts = [p for d in faction.detachments for p in (*d.rules, *d.enhancements, *d.stratagems)]
        more = count((*faction.rules, *parts), unread())
        units = "" if faction.parent else str(len(one.file.sheets))
        if faction.parent:
            own = count(())
        cells = [faction.name, units, *map(str, own), *map(str, more)]
        lines.append("| " + " | ".join(cells) + " |")
    return [*lines, "", *_ready()]


def unread() -> Unread:
    """What of effects the edition does not read."""
    return partial(why_unread, systems.get("w40k11").seam(Enforced))


def _ready() -> list[str]:
    """Shares over the ready lists of the factions that were held against print."""
    lines = [
        *READY,
        "| faction | reviewed | not reviewed | left | share | share with core |",
        "|---|---|---|---|---|---|",
    ]
    found: dict[str, list[Report]] = {}
    for path in sorted(find_packs()["w40k11"].glob("lists/*-2000-*.yaml")):
        army = read_list(path)
        found.setdefault(army.faction, []).append(report_list(open_pack(army.pack, army.faction), army, unread()))
    for faction, reports in found.items():
        units = Numbers(*(sum(parts) for parts in zip(*(one.units for one in reports), strict=True)))
        core = sum(one.core for one in reports)
        if units.reviewed:
            whole = (units.reviewed + core) / (units.total + core)
            cells = [data().factions[faction]["name"], *map(str, units), f"{units.share:.0%}", f"{whole:.0%}"]
            lines.append("| " + " | ".join(cells) + " |")
    return [*lines, "", *PRINTINGS, ""]


def _missions() -> list[str]:
    lines = [*TABLES, "| mission | awards scored | card of the opponent | what it lacks |", "|---|---|---|---|"]
    awards = {card["id"]: len(card["awards"]) for card in data().raw["mission_cards"]}
    for name in dataset_missions():
        card = read_card(name, SIZES)
        answer = "the same" if card.opponent == name else f"`{card.opponent}`"
        lines.append(f"| `{name}` | {card.played} of {awards[name]} | {answer} | {'; '.join(card.lacks) or '-'} |")
    lines += [*SECONDARIES, "| card | awards told | what is lacking for the others |", "|---|---|---|"]
    for name in dataset_secondaries():
        one = read_secondary(name)
        lines.append(f"| `{name}` | {one.told} of {one.awards} | {'; '.join(one.lacks) or '-'} |")
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

What is not played is listed by unit before a battle, too, and players are reminded of it at its phase, as far as the
dataset tells when that is: in so many words, or by what the ability changes.

Not told by the dataset: the wounds at which models are damaged, of which we have a table of our own for the factions
whose datasheets we could read; who may embark where (INFANTRY stands in); allies from other factions, who are not
played.

""".splitlines()
READY = """### The ready lists

Occurrences of abilities on the units of the ready lists of 2,000 points, for the factions that were held against print.

""".splitlines()
PRINTINGS = """\
The dataset mixes two printings of the Ork datasheets: beside the abilities of the one that we could read it
names some of a newer one. Those are held against nothing and count as left, as does whatever is enforced in part. The
ready lists of the Orks were drawn up from units of which most is played.

### Expected damage

`python bench/cruncher.py` holds the mean of our attack tables against the calculator that comes with the dataset, on
2,000 pairs of a weapon and a target drawn at random, half of them at short range. About 98 of 100 agree to the last
digit. The others have one of these reasons, and anything else fails: `[BLAST]` without a number adds no attacks in the
calculator; it does not know `[CLEAVE]` and `[CONVERSION]`; of several `[ANTI]` abilities it takes the first, where a
player picks the one that helps. It does not know overkill, so targets of these pairs have wounds enough.
""".splitlines()
SIZES = ("incursion", "strike force")
TABLES = """## Missions and layouts

`--mission NAME` takes one of the missions below, on the first layout that the dataset has for it; `NAME@LAYOUT` or
`NAME@PATTERN` takes the zones and objectives of another. `--layout NAME` lays the terrain. Red scores by the card of
that name, whoever has the first turn, and blue by the card that the dataset has for the same pair of dispositions the
other way round: whoever names `punishment` meets `delaying-action`. At most 15VP are scored in a battle round and
45VP in the battle, with what the end of the battle pays in its last round.

The dataset tells what pays in its own language, and the rest of a card only in a sentence: where an action is done, and
what it needs to be completed. That part is told in our words (`forty/dataset_cards.py`), as are these readings:

- An objective beyond home is any but the player's own; the enemy's home counts as one.
- What lies across the border of two territories is in neither. Where no territories are drawn, a place belongs to the
  nearer deployment zone. Where a terrain area lies, the middle of its outline says.
- Units destroy others by attacks; what falls by mortal wounds of other rules is nobody's, where a card asks for the
  destroyer, and counts everywhere else. A unit that has destroyed an enemy may consecrate for the rest of the battle.
- In a turn no two units do the same action on the same target.
- Operation markers have no place of their own: they are in range of an objective, or in a terrain area.

An area of a layout is one terrain area, dense, light or exposed as the heaviest thing in it, so that it obscures and
hides as the rules say; walls and upper floors of all that stands in it are laid. Most heights are ours: 5" where
something dense stands, else 2", and a floor 3" up. Not laid: roofs, windows, and the category of each single thing in
an area. Two areas that are one objective are one terrain area. `kotc-colosseum` is meant for a table of 36" by 36"; it
lies in a corner of one of 60" by 44".

`python bench/battles.py --system w40k11 --pairs --log FILE` has each faction fight each, over all of these missions and
layouts; given again, it goes on where it stopped.

""".splitlines()
SECONDARIES = (
    "",
    "Secondary cards are read, but nobody draws them, so that they are not played. What they need beyond that:",
    "",
)
TAIL = """## How it works

`armies/kdc/` reads the dataset into documents like those of other packs, a faction at a time, and keeps what it
compiled in the cache folder. `gate.py` holds the checks, `mapping.py` and `kinds.py` the dictionary from the dataset's
language to [effects](abilities.md), `timing.py` reads when an ability matters, `ours/` has our corrections. A
correction names the digest of the source that it was written for; when the dataset has a newer one, the correction is
told as stale and the ability is left to the players.
""".splitlines()


def write_armies11() -> None:
    (DOCS / "armies11.md").write_text(armies_page(), encoding="utf-8")


if __name__ == "__main__":
    write_armies11()
