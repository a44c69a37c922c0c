"""The small slips that a programmer might have made in a function: each changes one thing in its syntax tree.

Messages to players, docstrings, annotations and the ids of rules are left alone: no rule depends on them.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
#: Masks of arrays are joined with & and |, so these stand for `and` and `or`.
ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
#: Functions of Python and NumPy, and methods of arrays.
FUNCTIONS: Final = {
    **{one: two for pair in (("any", "all"), ("min", "max")) for one, two in (pair, pair[::-1])},
    **{one: two for pair in (("minimum", "maximum"), ("argmin", "argmax")) for one, two in (pair, pair[::-1])},
}
#: A longer piece of code is not quoted whole.
LONGEST: Final = 160


class Place(NamedTuple):
    """Where a node stands: a field of its holder, and the index if that is a list. `above` are all holders."""

    above: tuple[ast.AST, ...]
    field: str
    at: int | None
    node: ast.AST

    @property
    def holder(self) -> ast.AST:
        return self.above[-1]

    def put(self, node: object) -> None:
        if self.at is None:
            setattr(self.holder, self.field, node)
        else:
            getattr(self.holder, self.field)[self.at] = node


class Change(NamedTuple):
    """One thing that is different: what stands in the place of what, and how to say it."""

    line: int
    what: str
    place: Place
    instead: ast.AST

    @contextmanager
    def made(self) -> Iterator[None]:
        """The tree with the change, until the block ends."""
        self.place.put(self.instead)
        try:
            yield
        finally:
            self.place.put(self.place.node)


def changes(function: Function) -> list[Change]:
    """All changes to a function, in the order of its source. Equal descriptions are numbered."""
    found = [change for place in _places(function) for operator in OPERATORS for change in operator(place)]
    said: Counter[str] = Counter()
    numbered = []
    for change in found:
        said[change.what] += 1
        again = said[change.what]
        numbered.append(change._replace(what=f"{change.what} ({again})") if again > 1 else change)
    return numbered


def _places(function: Function) -> Iterator[Place]:
    for index, statement in enumerate(function.body):
        place = Place((function,), "body", index, statement)
        if not _is_docstring(statement):
            yield from _below(place)


def _below(place: Place) -> Iterator[Place]:
    yield place
    above = (*place.above, place.node)
    for field, value in ast.iter_fields(place.node):
        if field in {"annotation", "returns", "decorator_list", "ctx"}:
            continue
        for index, node in enumerate(value) if isinstance(value, list) else ((None, value),):
            if isinstance(node, ast.AST) and not _is_docstring(node) and not _is_message(node):
                yield from _below(Place(above, field, index, node))


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_message(node: ast.AST) -> bool:
    """Whether a node is words for a player; ids and kinds are single words without a space."""
    if isinstance(node, ast.IfExp):
        return _is_message(node.body) or _is_message(node.orelse)
    if isinstance(node, ast.BinOp):
        return _is_message(node.left) or _is_message(node.right)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and " " in node.value
    return isinstance(node, ast.JoinedStr)


# ----------------------------------------------------------------------------------------------------- the operators


def comparison(place: Place) -> Iterator[Change]:
    """Exactly at the boundary the answer is another one, or where there is none, the opposite."""
    node = place.node
    if isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            where = Place((*place.above, node), "ops", index, operator)
            yield _change(where, COMPARISONS[type(operator)](), node)


def arithmetic(place: Place) -> Iterator[Change]:
    node = place.node
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in ARITHMETIC:
        where = Place((*place.above, node), "op", None, node.op)
        yield _change(where, ARITHMETIC[type(node.op)](), node)


def selection(place: Place) -> Iterator[Change]:
    """Any for all, the least for the most."""
    node = place.node
    if not isinstance(node, ast.Call):
        return
    called = node.func
    where = Place((*place.above, node), "func", None, called)
    if isinstance(called, ast.Name) and called.id in FUNCTIONS:
        yield _change(where, ast.Name(FUNCTIONS[called.id], ast.Load()), node)
    elif isinstance(called, ast.Attribute) and called.attr in FUNCTIONS:
        yield _change(where, ast.Attribute(called.value, FUNCTIONS[called.attr], ast.Load()), node)


def number(place: Place) -> Iterator[Change]:
    node = place.node
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        for other in (node.value + 1, node.value - 1):  # type: ignore[operator]
            yield _change(place, ast.Constant(other), _around(place))


def junction(place: Place) -> Iterator[Change]:
    """And for or; and each of the conditions left out in turn."""
    node = place.node
    if not isinstance(node, ast.BoolOp):
        return
    where = Place((*place.above, node), "op", None, node.op)
    both = isinstance(node.op, ast.And)
    yield _change(where, ast.Or() if both else ast.And(), node)
    for index, value in enumerate(node.values):
        where = Place((*place.above, node), "values", index, value)
        what = f"`{_quote(value)}` is left out of `{_quote(node)}`"
        yield _described(where, _always(value) if both else _never(value), what)


def negation(place: Place) -> Iterator[Change]:
    node = place.node
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
        # `not x` answers a bool, and so must what stands in its place, or it would be found out for another reason.
        plain = node.operand
        if isinstance(node.op, ast.Not):
            plain = ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), node.operand))
        yield _described(place, plain, f"`{_quote(node)}` becomes `{_quote(node.operand)}`")


def condition(place: Place) -> Iterator[Change]:
    """A condition that is not looked at: what depends on it happens always, or never."""
    node = place.node
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        where = Place((*place.above, node), "test", None, node.test)
        word = "while" if isinstance(node, ast.While) else "if"
        # A loop that never ends proves little and takes long.
        if not isinstance(node, ast.While):
            yield _described(where, _always(node.test), f"`{word} {_quote(node.test)}` holds always")
        yield _described(where, _never(node.test), f"`{word} {_quote(node.test)}` holds never")
    elif isinstance(node, ast.comprehension):
        for index, test in enumerate(node.ifs):
            where = Place((*place.above, node), "ifs", index, test)
            yield _described(where, _always(test), f"`if {_quote(test)}` of a comprehension holds always")


OPERATORS: Final[tuple[Callable[[Place], Iterator[Change]], ...]] = (
    comparison,
    arithmetic,
    selection,
    number,
    junction,
    negation,
    condition,
)


# ------------------------------------------------------------------------------------------------------------ helpers


def _always(test: Any) -> ast.expr:
    """The condition is still worked out, for names that it may bind and questions that it may ask."""
    return ast.BoolOp(ast.Or(), [test, ast.Constant(True)])


def _never(test: Any) -> ast.expr:
    return ast.BoolOp(ast.And(), [test, ast.Constant(False)])


def _change(place: Place, instead: ast.AST, seen: ast.AST) -> Change:
    """A change that is described by a piece of code before and after."""
    before = _text(seen)
    change = _described(place, instead, "")
    with change.made():
        after = _text(instead if seen is place.node else seen)
    start = 0
    if len(before) > LONGEST:
        # Where the code is long, the part in which the two differ.
        same = next(at for at, (one, two) in enumerate(zip(before + " ", after + " ", strict=False)) if one != two)
        start = max(0, same - LONGEST // 2)
    return change._replace(what=f"`{_cut(before, start)}` becomes `{_cut(after, start)}`")


def _described(place: Place, instead: ast.AST, what: str) -> Change:
    located: Any = next(node for node in (place.node, *reversed(place.above)) if hasattr(node, "lineno"))
    ast.fix_missing_locations(ast.copy_location(instead, located))
    return Change(located.lineno, what, place, instead)


def _around(place: Place) -> ast.AST:
    """The smallest piece of code in which a bare number means something to a reader."""
    least = place.node
    for node in reversed(place.above):
        if isinstance(node, ast.Tuple) and not all(isinstance(part, ast.Constant | ast.UnaryOp) for part in node.elts):
            return node
        if isinstance(node, ast.Tuple | ast.UnaryOp):
            least = node
        elif isinstance(node, ast.expr | ast.Return | ast.Assign | ast.AugAssign | ast.AnnAssign):
            return node
        elif not isinstance(node, ast.keyword | ast.Slice | ast.Starred):
            break
    return least


def _quote(node: ast.AST) -> str:
    return _cut(_text(node), 0)


def _text(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())


def _cut(text: str, start: int) -> str:
    end = start + LONGEST
    return ("..." if start else "") + text[start:end].strip() + ("..." if end < len(text) else "")
