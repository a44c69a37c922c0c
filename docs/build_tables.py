"""Draw the layouts and the maps of the missions, and list them and the options of each system: part of `make docs`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
import yaml

from sandtable import systems
from sandtable.battle.system import WINDOWS
from sandtable.battle.tables import build_table
from sandtable.battle.vocabulary import vocabulary
from sandtable.kit.layouts import LayoutDoc, beside_solids, find_table, generate, layouts, read_layout
from sandtable.kit.missions import Mission, on_map
from sandtable.systems.w40k8 import mission as w40k8
from sandtable.systems.w40k8.book import BOOK as BOOK8
from sandtable.systems.w40k8.only_war import MARKER as MARKER8
from sandtable.systems.w40k10.mission import missions, read_mission
from sandtable.systems.w40k10.muster import MUSTER
from sandtable.systems.w40k10.objectives import MARKER, OBJECTIVES
from sandtable.systems.w40k11 import mission as w40k11
from sandtable.systems.w40k11.objectives import MARKER as MARKER11
from sandtable.systems.w40k11.objectives import OBJECTIVES as OBJECTIVES11
from sandtable.table.drawing import svg
from sandtable.table.grid import STEP
from sandtable.table.layout import Table
from sandtable.table.picture import Area, Objective, Picture

DOCS = Path(__file__).parent
TABLES = DOCS / "tables"
GENERATED = 7
"""The seed of the generated table that is shown."""
SIDES = ("Attacker", "Defender")
WIDTH = 700


def draw(name: str, picture: Picture) -> str:
    """Write a picture; returns how a page refers to it."""
    TABLES.mkdir(exist_ok=True)
    (TABLES / f"{name}.svg").write_text(svg(picture), encoding="utf-8")
    return f"tables/{name}.svg"


def count(table: Table) -> str:
    """What stands on a table, in words."""
    kinds: dict[str, int] = {}
    for feature in table.features:
        kinds[feature.kind] = kinds.get(feature.kind, 0) + 1
    return ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()))


def layout_lines() -> list[str]:
    """A section for each layout, and one for the generator."""
    lines = ["## Layouts", "", "`--layout NAME`, or `--layout random-SEED` for a generated one.", ""]
    for name in layouts():
        doc = read_layout(name)
        table = find_table(name)
        picture = draw(name, Picture(table, title=doc.name, width=WIDTH))
        lines += [
            f"### {doc.name}: `{name}`",
            "",
            f"![{doc.name}]({picture})",
            "",
            doc.text,
            "",
            f"{count(table)}.",
            "",
        ]
    table = build_table(generate(GENERATED), "in")
    picture = draw(f"random-{GENERATED}", Picture(table, title=f"random-{GENERATED}", width=WIDTH))
    doc = LayoutDoc(
        f"random-{GENERATED}", "A generated table", tuple(MUSTER.battle_sizes.values()), generate(GENERATED)
    )
    plain = yaml.safe_dump(msgspec.to_builtins(doc), sort_keys=False, default_flow_style=None, width=120)
    (TABLES / f"random-{GENERATED}.yaml").write_text(plain, encoding="utf-8")
    lines += [
        f"### Generated: `random-{GENERATED}`",
        "",
        f"![A generated table]({picture})",
        "",
        'The generator places the same pieces on both sides of the middle, at least 3" apart, where the seed says.',
        f"It is also there [as a file](tables/random-{GENERATED}.yaml), to be changed and used with `--layout FILE`.",
        "",
    ]
    return lines


def map_of(mission: Mission, size: str, edge: int, reach: int) -> Picture:
    """A mission's map on the smallest battlefield of a battle size; markers have an edge and reach so far."""
    long, short = mission.smallest[size]
    table = Table(long * STEP, short * STEP, "in", ())
    zones = (mission.attacker, mission.defender)
    return Picture(
        table,
        areas=tuple(
            Area(tuple(on_map(spot, table.width, table.depth) for spot in zone), label=SIDES[i], side=i)
            for i, zone in enumerate(zones)
        ),
        objectives=tuple(
            Objective(
                *beside_solids(table, on_map(spot, table.width, table.depth)),
                edge,
                str(i + 1),
                reach,
            )
            for i, spot in enumerate(mission.markers)
        ),
        sides=SIDES,
        title=mission.name,
        width=WIDTH,
    )


WHEN = {"command": "your Command phase", "turn": "your turn", "battle": "the battle"}


def scoring_lines(mission: Mission) -> list[str]:
    """A row for each way of scoring."""
    lines = ["| at the end of | what | VP |", "|---|---|---|"]
    for way in mission.scoring:
        where = "" if way.where == "all" else f" in {'the ' if 'zone' in way.where else ''}{way.where}"
        what = {
            "hold": f"each marker you control{where}",
            "hold more": f"more markers under your control{where} than the enemy's",
            "hold some": f"{way.count} or more markers under your control{where}",
            "destroy": "each enemy unit destroyed since you last scored it",
            "destroy warlord": "the enemy Warlord is destroyed",
            "break through": "each of your units wholly within the enemy deployment zone",
        }[way.kind]
        worth = f"{way.vp}"
        if way.grows:
            worth += f", and {way.grows} more in each later round"
        if way.most < 99:
            worth += f"; at most {way.most} at a time"
        if way.most_in_battle < 99:
            worth += f"; at most {way.most_in_battle} in the battle"
        if way.carries_off:
            what += ", which is then carried off"
        first = f", from round {way.from_round} on" if way.from_round > 1 else ""
        lines.append(f"| {WHEN[way.when]}{first} | {way.name}: {what} | {worth} |")
    return [*lines, ""]


def mission_lines() -> list[str]:
    """A section for each mission of 10th edition."""
    lines = [
        "## Missions of 10th edition",
        "",
        "`--mission NAME`. All are played over five battle rounds at 1,000 points or more.",
        "",
    ]
    for name in missions():
        mission = read_mission(name)
        lines += section(
            mission, f"mission-{name}", map_of(mission, "strike force", MARKER.radius, OBJECTIVES.marker_range.flat)
        )
    return lines


def older_mission_lines() -> list[str]:
    """A section for each mission of 8th edition."""
    lines = [
        "## Missions of 8th edition",
        "",
        "`--system w40k8 --mission NAME`. All are played over five battle rounds by armies of any size. The layouts",
        'serve 8th edition, too: what stands on them is spread over 72" x 48".',
        "",
    ]
    for name in w40k8.missions():
        mission = w40k8.read_mission(name)
        picture = map_of(mission, w40k8.ANY, MARKER8.radius, BOOK8.marker_range)
        lines += section(mission, f"w40k8-mission-{name}", picture)
    return lines


def newer_mission_lines() -> list[str]:
    """A section for the mission of 11th edition, and where its others stand."""
    lines = [
        "## Missions of 11th edition",
        "",
        "`--system w40k11 --mission NAME`. Beside this one there are the missions of the dataset, each with layouts",
        "of its own; [the page about its armies](armies11.md#missions-and-layouts) lists them. The layouts above serve",
        "11th edition, too: ruins, woods and hills are dense terrain there, barricades light, craters and debris",
        "exposed, and the ground of each feature is a terrain area.",
        "",
        "```console",
        "$ sandtable battle --system w40k11 --mission only-war --layout crossroads",
        "$ sandtable battle --system w40k11 --mission purge-and-secure --layout bm-take-vs-take-01",
        "```",
        "",
    ]
    for name in w40k11.missions():
        mission = w40k11.read_mission(name)
        picture = map_of(mission, "strike force", MARKER11.radius, OBJECTIVES11.range.flat)
        lines += section(mission, f"w40k11-mission-{name}", picture)
    return lines


def section(mission: Mission, file: str, picture: Picture) -> list[str]:
    """A mission with its map."""
    where = draw(file, picture)
    lines = [f"### {mission.name}: `{mission.id}`", "", f"![The map of {mission.name}]({where})", "", mission.text, ""]
    if mission.placed:
        lines += [f"The players place the {mission.placed} markers in turn before the battle.", ""]
    return lines + (scoring_lines(mission) if mission.scoring else [])


def write_tables() -> None:
    """docs/tables.md with its pictures."""
    head = ["# Tables and missions", "", "Written by `make docs` from the files of the systems.", ""]
    lines = [*head, *layout_lines(), *mission_lines(), *older_mission_lines(), *newer_mission_lines()]
    (DOCS / "tables.md").write_text("\n".join(lines), encoding="utf-8")


def write_options() -> None:
    """docs/options.md: where a battle may choose between readings."""
    (DOCS / "options.md").write_text(options_page(), encoding="utf-8")


def options_page() -> str:
    """The page of options, read off the systems."""
    lines = [
        "# Options",
        "",
        "Written by `make docs`. Where the ledger's notes name another reading of a rule, or its wording was changed",
        "later, a battle can choose: `sandtable battle --option NAME=VALUE`, `options={...}` in Python, `options:` in",
        "a scenario file. The value that stands first is the default; it is what the ledger says.",
        "",
    ]
    for name, readings in (
        ("every system", (WINDOWS,)),
        *((id_, systems.get(id_).readings) for id_ in systems.known()),
    ):
        if not readings:
            continue
        lines += [f"## {name}", "", "| option | values | what | rule |", "|---|---|---|---|"]
        for r in readings:
            values = ", ".join(f"`{v}`" for v in r.values)
            lines.append(f"| `{r.name}` | {values} | {r.text} | {f'`{r.rule}`' if r.rule else ''} |")
        lines.append("")
    return "\n".join(lines)


def write_kinds() -> None:
    """docs/kinds.md: the words that scenario files use."""
    (DOCS / "kinds.md").write_text(kinds_page(), encoding="utf-8")


def kinds_page() -> str:
    """The page of words, read off the code of the systems."""
    lines = [
        "# The words of scenario files",
        "",
        "Written by `make docs` from the code, and by `sandtable scenario kinds` at any time. `...` stands for what is",
        "filled in. [Scenario files](scenarios.md) name a question under `to` and `asked`, a way of moving under",
        "`mode`, a roll in `dice` and `rolls`, an event under `told`, a step under `at` and `until`, and what is",
        "remembered of single models under `marks`.",
        "",
    ]
    for id_ in systems.known():
        words = vocabulary(systems.get(id_))
        lines += [f"## {id_}", "", "### Steps", ""]
        lines += [f"- {segment}: {_code(steps)}" for segment, steps in words.steps.items()]
        lines += ["", "### Questions", "", "| kind | shape | how it is put |", "|---|---|---|"]
        lines += [f"| `{q.kind}` | {q.shape} | {q.prompt} |" for q in words.questions]
        lines += [
            "",
            "### Reactions",
            "",
            "`react.` questions ask who reacts, `order.` questions what happens first.",
            "",
        ]
        lines += ["| kind | what may be due |", "|---|---|"]
        lines += [f"| `{kind}` | {', '.join(names)} |" for kind, names in words.reactions.items()]
        lines += ["", "### Ways of moving", "", _code(words.modes), ""]
        lines += ["### Rolls", "", f"{_code(words.rolls)}. Rolls of abilities go by the ability's name.", ""]
        lines += ["### Events", "", _code(words.told), ""]
        lines += ["### Marks of models", "", _code(words.marks), ""] if words.marks else []
    return "\n".join(lines)


def _code(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)
