"""Two systems side by side: which rows speak of the same rule, what each says, and the facts that each states.

Rows of two ledgers belong together when they have the same id behind the system's name, or the same name, or when they
use the same rare words. Each row has at most one partner, and the best pairs are made first.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import log, sqrt
from typing import Any, Final

import msgspec

from sandtable.errors import UserError
from sandtable.rules.ledger import Row
from sandtable.rules.project import Project
from sandtable.rules.scan import facts
from sandtable.rules.search import query_words

SAME_ID, SAME_NAME, SAME_RULE, SAME_AREA = 1.0, 0.8, 0.1, 0.2
"""What speaks for a pair: the rest of the id, the name, the last part of the id, areas such as sheet and datasheet."""
ALIKE: Final = 0.36
"""How alike the words of two rows must be when nothing else speaks for the pair."""
GAP: Final = "gap"
MM: Final = 25.4
IN_NAME: Final = 3
"""A word of a row's name counts as often as this."""


class Pair(msgspec.Struct, frozen=True):
    """A rule in both systems, or in one of them; `facts` are the values that each states, as they are written."""

    rows: tuple[Row | None, Row | None]
    facts: tuple[dict[str, str], dict[str, str]] = ({}, {})

    @property
    def row(self) -> Row:
        """The row that names the pair: that of the first system, if it has one."""
        row = self.rows[0] or self.rows[1]
        assert row is not None
        return row

    @property
    def area(self) -> str:
        return self.row.id.split(".")[1]

    @property
    def same_facts(self) -> bool:
        """Whether both state the same values, in the same number."""
        return sorted(self.facts[0].values()) == sorted(self.facts[1].values())


def diff(project: Project, one: str, other: str) -> list[Pair]:
    """All rules of two systems in the order of the first; then those that only the second has."""
    if one == other:
        raise UserError(f"{one} does not differ from itself; name two systems.")
    rows = (project.ledger.rows(one), project.ledger.rows(other))
    stated = facts_by_rule(project)
    partners = match(*rows)
    taken = set(partners.values())
    found: list[tuple[Row | None, Row | None]] = [
        (row, rows[1][partners[i]] if i in partners else None) for i, row in enumerate(rows[0])
    ]
    found += [(None, row) for j, row in enumerate(rows[1]) if j not in taken]
    return [Pair((a, b), (_facts_of(stated, a), _facts_of(stated, b))) for a, b in found]


def _facts_of(stated: Mapping[str, dict[str, str]], row: Row | None) -> dict[str, str]:
    return stated.get(row.id, {}) if row else {}


def facts_by_rule(project: Project) -> dict[str, dict[str, str]]:
    """The facts of a checkout by rule and name, as their files write them; nothing is run."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted(project.package.rglob("*.py")):
        text = path.read_text("utf-8")
        if "fact(" not in text:
            continue
        for stated in facts(ast.parse(text, str(path))):
            for rule_id in stated.ids:
                found.setdefault(rule_id, {})[stated.name.partition(".")[2]] = ast.unparse(stated.value)
    return found


def match(ours: Sequence[Row], theirs: Sequence[Row]) -> dict[int, int]:
    """Which rows belong together, by their places; the best pairs first, equals in the order of the ledgers."""
    words = [_weighed(row) for row in (*ours, *theirs)]
    everywhere = Counter(word for counts in words for word in counts)
    rarity = {word: log(len(words) / n) for word, n in everywhere.items()}
    vectors = [_unit({word: n * rarity[word] for word, n in counts.items()}) for counts in words]
    scored = []
    for i, a in enumerate(ours):
        for j, b in enumerate(theirs):
            hint = _hint(a, b)
            score = _alike(vectors[i], vectors[len(ours) + j]) + hint
            # What a book leaves open uses the words of many rules; words alone make no pair of it.
            if score >= ALIKE and (hint or not (_is_gap(a) or _is_gap(b))):
                scored.append((-score, i, j))
    found: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in sorted(scored):
        if i not in found and j not in taken:
            found[i] = j
            taken.add(j)
    return found


def _hint(a: Row, b: Row) -> float:
    """What speaks for a pair beside its words."""
    mine, theirs = (row.id.partition(".")[2] for row in (a, b))
    if mine == theirs:
        return SAME_ID
    if a.name.casefold() == b.name.casefold():
        return SAME_NAME
    if mine.rpartition(".")[2] != theirs.rpartition(".")[2]:
        return 0.0
    areas = mine.partition(".")[0], theirs.partition(".")[0]
    return SAME_RULE + (SAME_AREA if areas[0] in areas[1] or areas[1] in areas[0] else 0.0)


def _weighed(row: Row) -> Counter[str]:
    counts = Counter(query_words(f"{row.text} {' '.join(row.checks)}"))
    for word in query_words(row.name):
        counts[word] += IN_NAME
    return counts


def _unit(vector: dict[str, float]) -> dict[str, float]:
    length = sqrt(sum(value * value for value in vector.values())) or 1.0
    return {word: value / length for word, value in vector.items()}


def _alike(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(value * other[word] for word, value in one.items() if word in other)


# --------------------------------------------------------------------------------------------- behind a difference


def behind(project: Project, systems: tuple[str, str], rules: Collection[str]) -> tuple[Pair, ...]:
    """Some rules of two systems as their ledgers have them: first those that state other facts, then those without a
    partner in the other ledger, then those that both have."""
    cited = set(rules)
    found = [
        pair
        for pair in without_gaps(diff(project, *systems))
        if any(row is not None and row.id in cited for row in pair.rows)
    ]
    return tuple(sorted(_without_shared(found), key=rank))


def _without_shared(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs without facts that both editions state, though in rows that are no partners."""
    one, other = ({fact for pair in pairs for fact in pair.facts[side].items()} for side in (0, 1))
    shared = one & other
    return [pair if pair.same_facts or not all(pair.rows) else _without(pair, shared) for pair in pairs]


def _without(pair: Pair, shared: Collection[tuple[str, str]]) -> Pair:
    own = tuple(dict(fact for fact in facts.items() if fact not in shared) for facts in pair.facts)
    return msgspec.structs.replace(pair, facts=own)


def rank(pair: Pair) -> int:
    """How much a pair tells of a difference: other facts, no partner, or the same rule in other words."""
    if all(pair.rows):
        return 2 if pair.same_facts else 0
    return 1


def alone(pairs: Sequence[Pair], side: int) -> list[Row]:
    """The rows of one ledger that have no partner in the other."""
    return [row for pair in pairs if rank(pair) == 1 and (row := pair.rows[side]) is not None]


# ------------------------------------------------------------------------------------------------------------- telling


def told(facts: Mapping[str, str]) -> list[str]:
    """Facts, a line for each, with lengths as players write them."""
    return [f"{name.replace('_', ' ')}: {in_words(value)}" for name, value in facts.items()]


def in_words(value: str) -> str:
    """A fact as it is said: 1" for steps(1), what zones and balls are, and no brackets of the code."""
    return _said(ast.parse(value, mode="eval").body)


def _said(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=bool() as true):
            return "yes" if true else "no"
        case ast.Constant(value=given):
            return str(given)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _plain(name)
        case ast.Subscript(slice=place):
            return _said(place)
        case ast.Tuple(elts=each) | ast.List(elts=each) | ast.Set(elts=each):
            return ", ".join(map(_said, each))
        case ast.Dict(keys=keys, values=values):
            return ", ".join(f"{_said(v)} for {_said(k)}" for k, v in zip(keys, values, strict=True) if k)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return f"{_said(left)}; {_said(right)}"
        case ast.BinOp(left=left, op=ast.Div() | ast.FloorDiv(), right=right):
            return f"{_said(left)} / {_said(right)}"
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args, keywords=named):
            return _made(name, args, named)
    return ast.unparse(node)


def _made(name: str, args: Sequence[ast.expr], named: Sequence[ast.keyword]) -> str:
    """What a call makes, in words."""
    match name, args:
        case "steps", [ast.BinOp(left=left, op=ast.Div(), right=ast.Constant(value=by))] if by == MM:
            return f"{_said(left)} mm"
        case "steps", [length]:
            return f'{_said(length)}"'
        case "Ball", [radius]:
            return f"{_said(radius)} in space"
        case "Zone" | "Coherency", [along, height]:
            return f"{_said(along)} along the table and {_said(height)} in height"
        case "fromkeys", [keys, given]:
            return f"{_said(given)} for {_said(keys)}"
    return ", ".join([*map(_said, args), *map(_named, named)])


def _named(given: ast.keyword) -> str:
    name = (given.arg or "").replace("_", " ")
    match given.value:
        case ast.Constant(value=bool() as true):
            return name if true else f"not {name}"
    return f"{name} {_said(given.value)}"


def _plain(name: str) -> str:
    """A name of the code as words; dice keep their letter."""
    return name if re.fullmatch(r"\d*D\d+", name) else name.replace("_", " ").lower()


def as_data(pair: Pair) -> dict[str, Any]:
    """A pair as plain data for JSON."""
    return {
        "area": pair.area,
        "rules": [None if row is None else {"id": row.id, "name": row.name, "text": row.text} for row in pair.rows],
        "facts": list(pair.facts),
        "same_facts": pair.same_facts,
    }


def without_gaps(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs without rows about what a book leaves open, which say little beside another book."""
    kept = [
        msgspec.structs.replace(pair, rows=tuple(None if row and _is_gap(row) else row for row in pair.rows))
        for pair in pairs
    ]
    return [pair for pair in kept if any(pair.rows)]


def _is_gap(row: Row) -> bool:
    return row.id.split(".")[1] == GAP


def as_page(pairs: Sequence[Pair], titles: tuple[str, str]) -> str:
    """Two systems side by side, as a page of the documentation."""
    lines: list[str] = []
    area = ""
    for pair in pairs:
        if pair.area != area:
            area = pair.area
            lines += ["", f"## {area.capitalize()}", "", f"| {titles[0]} | {titles[1]} |", "|---|---|"]
        lines.append(f"| {' | '.join(_cell(*each) for each in zip(pair.rows, pair.facts, strict=True))} |")
    return "\n".join(lines).lstrip() + "\n"


def _cell(row: Row | None, facts: Mapping[str, str]) -> str:
    if row is None:
        return ""
    parts = [f"**{row.name}** `{row.id}`", " ".join(row.text.split()), *told(facts)]
    return "<br>".join(part.replace("|", "\\|") for part in parts)
