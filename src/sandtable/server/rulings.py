"""Rulings: a rule with all that two people need to settle an argument, each with their own copy of the book."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import Final

from sandtable import systems
from sandtable.rules import ledger
from sandtable.rules.ledger import Row
from sandtable.server import proofs
from sandtable.server.protocol import Need, Rule, Switch, Tested

ADDRESS: Final = "/rules/"
"""Where a rule has a page of its own; its id, which never changes, follows."""

STYLE: Final = """\
:root {
  color-scheme: light dark; --paper: #f6f2e9; --panel: #fffdf8; --text: #2d2a26; --quiet: #7d7465; --line: #ddd3c0;
  --accent: #2f6db3; font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif;
  color: var(--text); background: var(--paper);
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #1d1b18; --panel: #282520; --text: #ece6da; --quiet: #a49a88; --line: #45403a; --accent: #7db1ea;
  }
}
body { max-width: 760px; margin: 0 auto; padding: 18px 20px 60px; }
nav { margin-bottom: 18px; } nav a { display: inline-block; padding: 10px 0; font-weight: 600; text-decoration: none; }
main { background: var(--panel); border: 1px solid var(--line); border-radius: 14px; padding: 18px 22px; }
h1 { margin: 0; font-size: 24px; line-height: 1.25; letter-spacing: -.02em; } p { margin: 10px 0 0; }
.quiet, code { color: var(--quiet); } h1 + .quiet { margin-top: 2px; font-size: 13px; }
ul { margin: 4px 0 0; padding-left: 20px; } li { padding: 3px 0; } a { color: var(--accent); }
code { font-size: 12px; overflow-wrap: anywhere; }
@media (pointer: coarse) { li { padding: 8px 0; } }
"""
"""How the page looks: like the first page, by day and by night."""

_PAGE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}</title>
<style>{style}</style>
<nav><a href="/">Sandtable</a></nav>
<main>
<h1>{name}</h1>
<p class="quiet">{edition} ({dated}), under the heading: {where}</p>
<p>{text}</p>
{more}<p><code>{id}</code></p>
</main>
</html>
"""


def rule_of(row: Row, tests: tuple[Tested, ...] = ()) -> Rule:
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
        beneath=_beneath(row.id),
        tests=tests,
    )


def proved(id_: str) -> Rule:
    """A rule with the tests that name it, too."""
    return rule_of(ledger.find(id_), proofs.tests_of(id_))


@cache
def _beneath(id_: str) -> tuple[str, ...]:
    """All that a rule builds on, at whatever remove; of rules that build on each other none is beneath the other."""
    return tuple(sorted(other for other in _needed(id_) if id_ not in _needed(other)))


@cache
def _needed(id_: str) -> frozenset[str]:
    found: set[str] = set()
    waiting = list(ledger.find(id_).needs)
    while waiting:
        need = waiting.pop()
        if need not in found:
            found.add(need)
            waiting += ledger.find(need).needs
    return frozenset(found)


def as_page(rule: Rule) -> bytes:
    """A rule as a page of text, for who was sent its address."""
    lines = [f"Reading: {rule.note}"] if rule.note else []
    lines += [
        f"{o.text} Unless somebody chooses otherwise, a battle is played with {o.values[0]}; "
        f"{' or '.join(f'{o.name}={v}' for v in o.values[1:])} among its options changes that."
        for o in rule.options
    ]
    more = "".join(f"<p>{escape(line)}</p>\n" for line in lines)
    more += _links("Builds on", [(f"{ADDRESS}{need.id}", need.name) for need in rule.needs])
    more += _links("Try it out", [(f"/#scenario/{proved.id}", proved.title) for proved in rule.proofs])
    more += _listed("Tested", [f"{tested.name} ({tested.file})" for tested in rule.tests])
    shown = {name: escape(getattr(rule, name)) for name in ("id", "name", "edition", "dated", "where", "text")}
    return _PAGE.format(more=more, style=STYLE, **shown).encode()


def _listed(heading: str, lines: list[str]) -> str:
    """Some lines below a heading; nothing where there is none."""
    items = "".join(f"<li>{escape(line)}</li>\n" for line in lines)
    return f"<p>{heading}</p>\n<ul>\n{items}</ul>\n" if items else ""


def _links(heading: str, links: list[tuple[str, str]]) -> str:
    """A list of places to go on to; nothing where there is none."""
    items = "".join(f'<li><a href="{escape(to)}">{escape(name)}</a></li>\n' for to, name in links)
    return f"<p>{heading}</p>\n<ul>\n{items}</ul>\n" if items else ""
