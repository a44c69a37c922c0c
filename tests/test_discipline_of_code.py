"""What the source itself must not contain, read from its syntax trees.

Rules read state, answers, dice and immutable sheets. Whatever would let something else in (a clock, chance, the order
of a set, an object that outlives a step) or would differ from machine to machine is found here before it is played.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "sandtable"
RULES = ("systems", "forty", "kit")
ALL = (*RULES, "battle", "table", "attack")

MUTABLE_CALLS = {"list", "dict", "set", "bytearray", "deque", "defaultdict", "Counter", "OrderedDict"}
MUTATORS = {
    "append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "add", "discard", "update",
    "setdefault", "popitem", "difference_update", "intersection_update", "symmetric_difference_update",
}  # fmt: skip
INEXACT = {"hypot", "atan2", "arctan2", "dot", "matmul", "einsum", "dist"}
"""Functions whose last bit differs between implementations."""
WORLDLY = {"random", "time", "datetime", "uuid", "secrets", "os", "threading", "asyncio"}
SET_TYPES = {"set", "frozenset", "Set", "AbstractSet", "MutableSet"}
DRAWS = "picture"
"""Modules of the table whose name begins so draw, and decide nothing."""
MAKES_UP = "sample.py"
"""Makes up armies from a seed before a battle begins, and may use `Random` for it."""
FREE_OF_ORDER = {"sorted", "len", "any", "all", "sum", "min", "max", "set", "frozenset", "bool"}
"""What may be given a set, because its order does not show."""


class Offence(str):
    """A place and what is wrong there, as `file:line: sentence`."""


def offences(source: str, file: str, *, rules: bool) -> list[str]:
    """Everything that a module must not contain; `rules` for modules that decide rules."""
    tree = ast.parse(source)
    name = Path(file).name
    found = [*_set_order(tree)]
    if not name.startswith(DRAWS):
        found += _inexact(tree)
    if rules and name == MAKES_UP:
        found += [*_module_state(tree), *_swallowed(tree)]
    elif rules:
        found += [*_module_state(tree), *_worldly(tree), *_swallowed(tree), *_around_await(tree), *_other_player(tree)]
    return [f"{file}:{line}: {text}" for line, text in sorted(set(found))]


Found = Iterator[tuple[int, str]]


def _inexact(tree: ast.Module) -> Found:
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) | ast.Name(id=name) if name in INEXACT and not _is_own(node, tree):
                yield node.lineno, f"{name} differs between machines; use + - * / and sqrt"
            case ast.BinOp(op=ast.MatMult()) | ast.AugAssign(op=ast.MatMult()):
                yield node.lineno, "a matrix product differs between machines"
            case ast.keyword(arg="fastmath", value=value) if not (isinstance(value, ast.Constant) and not value.value):
                yield node.value.lineno, "fastmath differs between machines"


def _is_own(node: ast.Attribute | ast.Name, tree: ast.Module) -> bool:
    """A name of the module's own, such as a local variable `dist`, is not the library function."""
    if isinstance(node, ast.Attribute):
        return not (isinstance(node.value, ast.Name) and node.value.id in ("math", "np", "numpy"))
    imported = {a.asname or a.name for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) for a in n.names}
    return node.id not in imported


# ------------------------------------------------------------------ the order of sets


def _set_order(tree: ast.Module) -> Found:
    """Iteration over what is plainly a set: a literal, a call, or a name that was made or annotated as one."""
    yield from _set_order_in(tree, set())


def _set_order_in(scope: ast.AST, outer: set[str]) -> Found:
    names = outer | _set_names(scope)
    for node in _own_nodes(scope):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _set_order_in(node, names - _bound_otherwise(node))
            continue
        iterated: list[ast.expr] = []
        match node:
            case ast.For(iter=it) | ast.comprehension(iter=it):
                iterated = [it]
            case ast.Call(func=ast.Name(id="list" | "tuple" | "enumerate" | "iter" | "next" | "map"), args=args):
                iterated = args
            case ast.Call(func=ast.Attribute(attr="join" | "extend"), args=args):
                iterated = args
            case ast.Starred(value=value, ctx=ast.Load()):
                iterated = [value] if not _unordered(node, scope) else []
            case ast.Call(func=ast.Attribute(value=value, attr="pop"), args=[]) if _is_set(value, names):
                yield node.lineno, "pop from a set takes whichever comes first"
        for it in iterated:
            if _is_set(it, names) and not _unordered(it, scope):
                yield it.lineno, "iterates over a set, whose order is nobody's; sort it"


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, with functions inside it but not what is in them."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def _unordered(inner: ast.AST, scope: ast.AST) -> bool:
    """Whether what is iterated goes straight into something whose result has no order, such as sorted(...)."""
    for node in ast.walk(scope):
        match node:
            case ast.Set(elts=elts) if inner in elts:
                return True
            case ast.SetComp(generators=generators) if any(g.iter is inner for g in generators):
                return True
            case ast.Call(func=ast.Name(id=name), args=args) if name in FREE_OF_ORDER:
                if inner in args or any(g.iter is inner for a in args for g in getattr(a, "generators", ())):
                    return True
    return False


def _set_names(scope: ast.AST) -> set[str]:
    names = set()
    arguments = getattr(scope, "args", None)
    if isinstance(arguments, ast.arguments):
        for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            if a.annotation is not None and _is_set_type(a.annotation):
                names.add(a.arg)
    for node in _own_nodes(scope):
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if _is_set_type(annotation):
                names.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_set(value, names):
                names.add(name)
    return names


def _bound_otherwise(function: ast.AST) -> set[str]:
    """Names that a function binds anew, and not as sets."""
    arguments: ast.arguments = function.args  # type: ignore[attr-defined]
    own = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    own |= {n.id for n in _own_nodes(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return own - _set_names(function)


def _is_set(node: ast.expr, names: set[str]) -> bool:
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id="set" | "frozenset")):
            return True
        case ast.Call(func=ast.Attribute(value=value, attr=attr)):
            return attr in ("union", "intersection", "difference", "symmetric_difference") and _is_set(value, names)
        case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor(), right=right):
            return _is_set(left, names) or _is_set(right, names)
        case ast.Name(id=name):
            return name in names
    return False


def _is_set_type(annotation: ast.expr) -> bool:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = ast.parse(annotation.value, mode="eval").body
    outer = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return isinstance(outer, ast.Name) and outer.id in SET_TYPES


# ------------------------------------------------------------------ what outlives a step


def _module_state(tree: ast.Module) -> Found:
    """Module-level lists, dicts and sets: allowed as `Final` constants that nothing in the module changes."""
    constants = set()
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                annotation = None
            case ast.AnnAssign(target=ast.Name(id=name), value=value, annotation=annotation):
                pass
            case _:
                continue
        if value is None or name == "__all__" or not _is_mutable(value):
            continue
        if annotation is None or "Final" not in ast.unparse(annotation):
            yield node.lineno, f"{name} is mutable and outlives the step; mark it Final, or put it into the state"
        constants.add(name)
    for node in ast.walk(tree):
        changed: list[ast.expr] = []
        match node:
            case ast.Global(names=names):
                yield node.lineno, f"global {', '.join(names)} outlives the step"
            case ast.Call(func=ast.Attribute(value=target, attr=attr)) if attr in MUTATORS:
                changed = [target]
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                changed = [t.value for t in targets if isinstance(t, ast.Subscript)]
            case ast.AugAssign(target=target):
                changed = [target.value if isinstance(target, ast.Subscript) else target]
        for target in changed:
            if isinstance(target, ast.Name) and target.id in constants:
                yield node.lineno, f"{target.id} is a constant of the module and is changed here"


def _is_mutable(value: ast.expr) -> bool:
    match value:
        case ast.List() | ast.Dict() | ast.Set() | ast.ListComp() | ast.DictComp() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in MUTABLE_CALLS
    return False


def _worldly(tree: ast.Module) -> Found:
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                modules = [a.name for a in names]
            case ast.ImportFrom(module=str(module), names=names):
                # `Random` is the type of what suggest functions are given.
                modules = [] if (module, [a.name for a in names]) == ("random", ["Random"]) else [module]
            case ast.Call(func=ast.Name(id="id"), args=[_]):
                yield node.lineno, "id() differs from process to process"
                continue
            case ast.Call(func=ast.Name(id="Random")):
                yield node.lineno, "rules roll the battle's dice, not random numbers of their own"
                continue
            case ast.Call(func=ast.Name(id="hash"), args=[_]):
                yield node.lineno, "hash() of text differs from process to process"
                continue
            case ast.Attribute(value=ast.Name(id="np" | "numpy"), attr="random"):
                yield node.lineno, "rules roll the battle's dice, not random numbers of their own"
                continue
            case _:
                continue
        for module in modules:
            if module.partition(".")[0] in WORLDLY and id(node) not in typing_only:
                yield node.lineno, f"rules know no {module.partition('.')[0]}"


def _swallowed(tree: ast.Module) -> Found:
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            broad = node.type is None or ast.unparse(node.type) in ("Exception", "BaseException")
            if broad and not any(isinstance(inner, ast.Raise) for inner in ast.walk(node)):
                yield node.lineno, "swallows whatever goes wrong, the end of a battle included"


def _around_await(tree: ast.Module) -> Found:
    """`finally` and `with` around a question would run when a fork is dropped."""
    for node in ast.walk(tree):
        around: list[ast.AST] = []
        if isinstance(node, ast.Try) and node.finalbody:
            around = [*node.body, *node.handlers, *node.orelse]
        elif isinstance(node, ast.With | ast.AsyncWith):
            around = [*node.body]
        if any(isinstance(inner, ast.Await) for part in around for inner in ast.walk(part)):
            yield node.lineno, "finally or with around an await would also run when the flow is dropped"


def _other_player(tree: ast.Module) -> Found:
    for node in ast.walk(tree):
        match node:
            case (
                ast.BinOp(left=ast.Constant(value=1), op=ast.Sub() | ast.BitXor(), right=who)
                | ast.BinOp(left=who, op=ast.BitXor(), right=ast.Constant(value=1))
            ):
                if re.search(r"(?<![a-z])(player|active|side)(?![a-z])", ast.unparse(who).lower()):
                    yield node.lineno, f"'{ast.unparse(node)}' assumes two players; ask for opponents"


# ------------------------------------------------------------------ the tests


def modules(*folders: str) -> list[Path]:
    return sorted(p for folder in folders for p in (SOURCE / folder).rglob("*.py"))


@pytest.mark.parametrize("folder", ALL)
def test_the_source_keeps_the_discipline(folder: str) -> None:
    found = [
        offence
        for path in modules(folder)
        for offence in offences(path.read_text(), str(path.relative_to(SOURCE)), rules=folder in RULES)
    ]
    assert not found, "\n" + "\n".join(found)


def test_there_is_something_to_check() -> None:
    assert all(modules(folder) for folder in ALL)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x = math.hypot(1, 2)", "hypot differs"),
        ("from math import atan2\nx = atan2(1, 2)", "atan2 differs"),
        ("x = np.arctan2(1, 2)", "arctan2 differs"),
        ("x = np.dot(a, b)", "dot differs"),
        ("x = a @ b", "matrix product"),
        ("a @= b", "matrix product"),
        ("f = njit(fastmath=True)(g)", "fastmath"),
        ("f = njit(fastmath={'nnan'})(g)", "fastmath"),
        ("for x in {1, 2}: pass", "iterates over a set"),
        ("for x in set(y): pass", "iterates over a set"),
        ("z = [x for x in set(y)]", "iterates over a set"),
        ("z = {x: 1 for x in {y for y in w}}", "iterates over a set"),
        ("z = list({1, 2})", "iterates over a set"),
        ("z = tuple(a | set(b))", "iterates over a set"),
        ("z = ', '.join({'a', 'b'})", "iterates over a set"),
        ("z = [*{1, 2}]", "iterates over a set"),
        ("def f(near: set[int]):\n    for x in near: pass", "iterates over a set"),
        ("def f():\n    near: frozenset[int] = g()\n    return [x for x in near]", "iterates over a set"),
        ("def f():\n    near = set(a) - set(b)\n    return next(iter(near))", "iterates over a set"),
        ("near = set(a)\ndef f():\n    return near.pop()", "pop from a set"),
        ("SEEN = []", "SEEN is mutable"),
        ("SEEN: dict[int, int] = {}", "SEEN is mutable"),
        ("SEEN = defaultdict(list)", "SEEN is mutable"),
        ("SEEN = set()", "SEEN is mutable"),
        ("SEEN: Final = []\ndef f():\n    SEEN.append(1)", "constant of the module and is changed"),
        ("SEEN: Final = {}\ndef f():\n    SEEN[1] = 2", "constant of the module and is changed"),
        ("SEEN: Final = {}\ndef f():\n    del SEEN[1]", "constant of the module and is changed"),
        ("SEEN: Final = {}\ndef f():\n    SEEN[1] += 2", "constant of the module and is changed"),
        ("x = 1\ndef f():\n    global x\n    x = 2", "global x"),
        ("import random", "no random"),
        ("import time", "no time"),
        ("from datetime import date", "no datetime"),
        ("from random import Random, choice", "no random"),
        ("x = Random(5)", "not random numbers of their own"),
        ("x = np.random.default_rng()", "not random numbers of their own"),
        ("x = id(y)", "id() differs"),
        ("x = hash(y)", "hash() of text"),
        ("try:\n    f()\nexcept Exception:\n    pass", "swallows"),
        ("try:\n    f()\nexcept:\n    x = 1", "swallows"),
        ("async def f():\n    try:\n        await g()\n    finally:\n        h()", "finally or with"),
        ("async def f():\n    with g():\n        if x:\n            await h()", "finally or with"),
        ("enemy = 1 - player", "assumes two players"),
        ("enemy = 1 - b.state.active", "assumes two players"),
        ("enemy = unit.player ^ 1", "assumes two players"),
    ],
)  # fmt: skip
def test_a_planted_offence_is_found(source: str, words: str) -> None:
    found = offences(source, "planted.py", rules=True)
    assert any(words in offence for offence in found), found
    assert all(offence.startswith("planted.py:") for offence in found)


@pytest.mark.parametrize(
    "source",
    [
        "x = math.sqrt(a * a + b * b)",
        "def dist(a): return a\nx = dist(1)",
        "f = njit(fastmath=False)(g)",
        "for x in sorted({1, 2}): pass",
        "z = sorted(x for x in set(y))",
        "z = len(set(y)) + sum(x for x in {1, 2})",
        "z = any(x in near for x in far)",
        "def f(): return {x for x in set(y)}",
        "def f(): return {*near, *set(far)}",
        "z = x in {1, 2}",
        "near: Final = set(a)\ndef f(near: list[int]):\n    return [x for x in near]",
        "NAMES: Final = ['a']\nx = NAMES[0]",
        "NAMES: Final[dict[str, int]] = {'a': 1}",
        "NAMES = ('a', 'b')",
        "NAMES = MappingProxyType({'a': 1})",
        "NAMES = frozenset({'a'})",
        "__all__ = ['a']",
        "from random import Random\ndef suggest(w, d, rng: Random): return rng.random()",
        "if TYPE_CHECKING:\n    from datetime import date",
        "try:\n    f()\nexcept KeyError:\n    pass",
        "try:\n    f()\nexcept Exception as e:\n    raise ValueError from e",
        "async def f():\n    try:\n        g()\n    finally:\n        h()\n    await k()",
        "x = 1 - share",
        "x = 1 - inside[observers]",
        "x = len(players) - 1",
    ],
)
def test_what_is_sound_is_let_be(source: str) -> None:
    assert offences(source, "sound.py", rules=True) == []


def test_a_picture_may_use_any_arithmetic() -> None:
    assert offences("x = math.hypot(1, 2)", "table/picture_page.py", rules=False) == []
    assert offences("x = math.hypot(1, 2)", "table/sight.py", rules=False) != []


def test_a_sample_may_draw_lots_for_its_armies() -> None:
    assert offences("from random import Random\nx = Random(5)", "systems/w40k10/sample.py", rules=True) == []


def test_the_table_and_the_machine_may_keep_caches() -> None:
    assert offences("_cache: dict[int, int] = {}\nimport time", "world.py", rules=False) == []
