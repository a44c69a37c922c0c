"""Draw the pictures of the documentation, and write the index of the scenario files: `make docs`."""

from __future__ import annotations

import sys
from pathlib import Path

from build_armies11 import write_armies11
from build_odds import draw_page, write_notebook
from build_protocol import write_protocol
from build_tables import write_kinds, write_options, write_tables

import sandtable
from sandtable.battle.scenario import read_scenario_file
from sandtable.errors import UserError
from sandtable.players import ComputerPlayer
from sandtable.rules.diff import as_page, diff, without_gaps
from sandtable.rules.project import Project

DOCS = Path(__file__).parent
SCENARIOS = DOCS / "scenarios"
SEED = 7
LISTS = ("space-marines-1000-gunline", "orks-1000-horde")
LAYOUT = "crossroads"
ROUND = 3
"""When the picture on the front page is taken."""


def draw_front_page(system: str = "w40k10") -> None:
    """A battle between two ready lists, some rounds on."""
    battle = sandtable.new(system, armies=dict(zip(("red", "blue"), LISTS, strict=True)), layout=LAYOUT, seed=SEED)
    player = ComputerPlayer("tactician")
    while battle.decisions and battle.state.round < ROUND:
        decision = battle.decisions[0]
        battle.answer(decision, player.choose(battle.view(decision.player), decision))
    (DOCS / "picture.svg").write_text(battle.svg(title="Marines and Orks"), encoding="utf-8")


def draw_scenarios() -> None:
    """A picture beside each scenario file, and the index of them all."""
    lines = ["# Scenarios", "", "Written by `make docs` from the files in this folder.", ""]
    system = ""
    for path in sorted(SCENARIOS.rglob("*.yaml")):
        document = read_scenario_file(path)
        picture = path.with_suffix(".svg")
        picture.write_text(sandtable.scenario(path).svg(title=document.scenario), encoding="utf-8")
        if document.system != system:
            system = document.system
            lines += [f"## {system}", ""]
        file = path.relative_to(SCENARIOS).as_posix()
        lines += [
            f"### [{document.scenario}]({file})",
            "",
            f"![The table]({Path(file).with_suffix('.svg').as_posix()})",
        ]
        lines += ["", document.question, ""]
        if document.answer:
            lines += [f"> {document.answer}", ""]
        if document.proves:
            lines += ["Proves " + ", ".join(f"`{p.rule}` ({p.check})" for p in document.proves) + ".", ""]
    if not system:
        lines += ["There are none yet.", ""]
    (SCENARIOS / "README.md").write_text("\n".join(lines), encoding="utf-8")


def write_editions(one: str = "w40k10", other: str = "w40k11") -> None:
    """10th edition beside 11th, rule by rule."""
    pairs = without_gaps(diff(Project.here(), one, other))
    head = [
        "# 10th edition beside 11th",
        "",
        f"Written by `make docs` from the ledgers of both; `sandtable rules diff {one} {other}` shows the same at the",
        "terminal. Rules stand side by side that have the same name or use the same rare words. Rows about what a book",
        "leaves open are left out here.",
        "",
    ]
    page = as_page(pairs, ("10th edition", "11th edition"))
    (DOCS / "editions.md").write_text("\n".join([*head, page]), encoding="utf-8")


def main() -> int:
    try:
        draw_scenarios()
        draw_front_page()
        draw_page()
        write_notebook()
        write_tables()
        write_options()
        write_kinds()
        write_editions()
        write_protocol()
        write_armies11()
    except UserError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 2
    print(f"The pictures and the index are in {DOCS}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
