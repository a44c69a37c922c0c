"""The command `sandtable army`: what of an army list, or of a faction, is enforced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from sandtable.cli.frame import new_app
from sandtable.errors import UserError

if TYPE_CHECKING:
    from sandtable.armies.pasted import Pasted
    from sandtable.armies.reports import Report

FACTIONS: Final = "w40k11"
"""The system of a faction that is named without one."""

app = new_app("Look at army lists and factions.")


@app.callback()
def army() -> None:
    """Look at army lists and factions."""


@app.command()
def report(
    name: Annotated[str, typer.Argument(metavar="LIST|FACTION", help="A list, - for one that comes in, or a faction.")],
    system: Annotated[
        str,
        typer.Option("--system", "-s", metavar="SYSTEM", help="The rules system; else that of the list, or w40k11."),
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """How much of its abilities is reviewed, compiled but not reviewed, or left to the players; and what, by unit."""
    from sandtable.cli.brought import show_brought, told
    from sandtable.cli.out import console, print_json, show, text

    found, called, pasted = _report(name, system)
    if json:
        print_json(
            {
                "name": called,
                **({"list": told(pasted)} if pasted else {}),
                "core": found.core,
                "units": {**found.units._asdict(), "share": round(found.units.share, 3)},
                "rules": {**found.rules._asdict(), "share": round(found.rules.share, 3)},
                "lines": [line._asdict() for line in found.lines],
            }
        )
        return
    screen = console()
    show_brought(screen, (pasted,))
    screen.print(text((called, "bold")))
    for what, numbers in (("Abilities of units", found.units), ("Rules of the army", found.rules)):
        counted = f"{numbers.reviewed} reviewed, {numbers.unreviewed} not reviewed, {numbers.left} left to the players"
        screen.print(text(f"{what}: {counted} ({numbers.share:.0%} play)."))
    screen.print(text(f"Core abilities, which the rules of the game enforce: {found.core}."))
    where = ""
    for line in found.lines:
        if line.where != where:
            where = line.where
            screen.print(text((where, "bold")))
        show(screen, text(f"  {line.name}: {line.text}"))


@app.command()
def lists(
    system: Annotated[str, typer.Option("--system", "-s", metavar="SYSTEM", help="The rules system; else all.")] = "",
) -> None:
    """The names of the ready army lists."""
    from sandtable import systems
    from sandtable.armies.packs import ready_lists

    names = ready_lists(systems.get(system).id if system else "")
    typer.echo("\n".join(names) if names else f"There are no ready army lists for {system or 'any system'}.")


def _report(name: str, system: str) -> tuple[Report, str, Pasted | None]:
    from sandtable.armies.kdc.names import as_id
    from sandtable.armies.lists import read_list
    from sandtable.armies.packs import did_you_mean, faction_ids, find_list, find_packs, is_file, open_pack
    from sandtable.armies.pasted import is_pasted
    from sandtable.armies.reports import report_faction, report_list
    from sandtable.brought import report_of, unread_by
    from sandtable.cli.brought import bring

    if is_pasted(name):
        _, (pasted,) = bring((name,), system)
        assert pasted is not None
        return report_of(pasted), pasted.army.name, pasted
    system = system or FACTIONS
    id_ = as_id(name.translate({ord("'"): None, ord("\u2019"): None}))
    for pack_name in find_packs():
        pack = open_pack(pack_name, id_)
        known = pack.header.system == system and id_ in pack.header.factions
        faction = pack.faction(id_) if known else None
        if faction is not None:
            return report_faction(faction, pack.sheets(id_), unread_by(system)), faction.name, None
    try:
        listed = read_list(find_list(name, system))
    except UserError as error:
        if is_file(name):
            raise
        near = did_you_mean(id_, faction_ids(system))
        raise UserError(f"'{name}' is no faction of {system}.{near} {error}") from None
    return report_list(open_pack(listed.pack, listed.faction), listed, unread_by(listed.system)), listed.name, None
