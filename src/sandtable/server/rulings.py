"""Rulings: a rule with all that two people need to settle an argument, each with their own copy of the book."""

from __future__ import annotations

from html import escape
from typing import Final

from sandtable import systems
from sandtable.rules import ledger
from sandtable.rules.ledger import Row
from sandtable.server import proofs
from sandtable.server.protocol import Need, Rule, Switch

ADDRESS: Final = "/rules/"
"""Where a rule has a page of its own; its id, which never changes, follows."""

_PAGE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}</title>
<h1>{name}</h1>
<p>{edition} ({dated}), under the heading: {where}</p>
<p>{text}</p>
{more}<p><code>{id}</code></p>
</html>
"""


def rule_of(row: Row) -> Rule:
    """A row of the ledger as players see it."""
    readings = systems.get(row.system).readings if row.system in systems.known() else ()
    source = ledger.text(row.system)
    return Rule(
        id=row.id,
        name=row.name,
        where=row.where,
        text=" ".join(row.text.split()),
        note=" ".join((row.note or "").split()),
        options=[Switch(r.name, r.values, r.text) for r in readings if r.rule == row.id],
        edition=source.edition,
        dated=source.dated,
        link=f"{ADDRESS}{row.id}",
        needs=tuple(Need(need, ledger.find(need).name) for need in row.needs),
        proofs=proofs.of_rule(row.id),
    )


def as_page(rule: Rule) -> bytes:
    """A rule as a page of text, for who was sent its address."""
    more = [f"Reading: {rule.note}"] if rule.note else []
    more += [f"Option {o.name}, {' or '.join(o.values)}: {o.text}" for o in rule.options]
    more += [f"Builds on: {need.name} ({need.id})" for need in rule.needs]
    more += [f"Proved by: {proved.title} ({proved.id})" for proved in rule.proofs]
    shown = {name: escape(getattr(rule, name)) for name in ("id", "name", "edition", "dated", "where", "text")}
    return _PAGE.format(more="".join(f"<p>{escape(line)}</p>\n" for line in more), **shown).encode()
