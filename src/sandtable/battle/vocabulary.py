"""The words of a rules system: which questions it asks, ways of moving, rolls and events it knows, read off its code.

Scenario files name all of these. Nobody keeps a list of them by hand: what the code says is what there is.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from sandtable.battle.decisions import ANSWERS
from sandtable.battle.system import System

SHAPES: Final = {shape.__name__: str(shape.__struct_config__.tag).replace("_", " ") for shape in ANSWERS}
CHOOSE: Final = "Choose"
SHARED: Final = ("sandtable.kit", "sandtable.forty")
"""What systems build on; of it, what a system imports belongs to its words."""
DEEPEST: Final = 4
"""Through so many functions a word is followed that is handed on."""
DOTS: Final = "..."
_FILLED: Final = re.compile(r"\{[^{}]*\}")
_REPEATED: Final = re.compile(r"\.\.\.(?: \.\.\.)+")
CHOOSING: Final = {"choose": 1, "choose_unit": 1, "pick_unit": 2}
"""What lets a player choose, and which of its arguments is the kind; the prompt follows it."""
FRAMES: Final = {
    "Move": ("move_of", 2),
    "Place": ("place_of", 2),
    "ChooseSome": ("some_of", 1),
    "Assign": ("to_write_down", 1),
}
"""What puts questions of a shape about whole units, and which of its arguments is the kind; the prompt follows it."""


class Asked(msgspec.Struct, frozen=True, order=True):
    """A kind of question: how answers name it, its shape, and how it is put."""

    kind: str
    shape: str
    prompt: str = ""


class Vocabulary(msgspec.Struct, frozen=True):
    """The words of a system."""

    steps: dict[str, tuple[str, ...]]
    """By segment, in the order in which they are taken."""
    questions: tuple[Asked, ...]
    reactions: dict[str, tuple[str, ...]]
    """Kinds of questions that windows ask, and the rules that they are asked for."""
    modes: tuple[str, ...]
    rolls: tuple[str, ...]
    told: tuple[str, ...]


def vocabulary(system: System) -> Vocabulary:
    """All words of a system."""
    reactions: dict[str, tuple[str, ...]] = {}
    for trigger, those in sorted(system.by_trigger.items()):
        for prefix, due in (("order", True), ("react", False)):
            names = tuple(dict.fromkeys(r.name for r in those if r.mandatory == due))
            reactions |= {f"{prefix}.{trigger}": names} if names else {}
    steps = {segment: tuple(flow.__name__ for flow in flows) for segment, flows in system.segments.items()}
    found = _words(system.next_segment.__module__.rpartition(".")[0])
    return msgspec.structs.replace(found, steps=steps, reactions=reactions)


@cache
def _words(package: str) -> Vocabulary:
    code = _Code(package)
    asked = {shape: code.pairs(shape, "kind", "prompt") for shape in SHAPES}
    for name, place in CHOOSING.items():
        asked[CHOOSE] |= code.pairs(name, "kind", "prompt", place)
    for shape, (frame, place) in FRAMES.items():
        asked[shape] |= code.pairs(frame, "kind", "prompt", place)
    questions = {k: Asked(k, SHAPES[shape], asked[shape][k]) for shape in asked for k in asked[shape]}
    rolls = {*code.pairs("roll", "reason", "", 1), *code.pairs("roll_one", "reason", "")}
    return Vocabulary(
        {},
        tuple(sorted(questions.values())),
        {},
        tuple(sorted(code.pairs("Mode", "name", ""))),
        tuple(sorted(rolls)),
        tuple(sorted(code.pairs("tell", "kind", ""))),
    )


# --- Reading code -----------------------------------------------------------------------------------------------------


class _Call(NamedTuple):
    module: int
    inside: ast.FunctionDef | ast.AsyncFunctionDef | None
    node: ast.Call


class _Code:
    """The modules of a package, with the shared ones that they import."""

    def __init__(self, package: str) -> None:
        named = dict(_modules(package))
        trees = list(named.values())
        self._constants = _constants(trees)
        numbers = {module: number for number, module in enumerate(named)}
        self._imported = [_imported(tree, numbers) for tree in trees]
        self._calls: dict[str, list[_Call]] = {}
        for number, tree in enumerate(trees):
            for inside, node in _calls(tree):
                self._calls.setdefault(_name(node.func), []).append(_Call(number, inside, node))

    def pairs(self, function: str, word: str, beside: str, place: int = 0) -> dict[str, str]:
        """What calls of a function give for an argument, by name or in its place, with what stands beside it."""
        found: dict[str, str] = {}
        for call in self._calls.get(function, []):
            texts = self._texts(call, _argument(call.node, beside, place + 1), 0) if beside else ()
            beside_it = " / ".join(dict.fromkeys(_REPEATED.sub(DOTS, _FILLED.sub(DOTS, text)) for text in texts))
            for value in self._texts(call, _argument(call.node, word, place), 0):
                if DOTS not in value:
                    found[value] = found.get(value) or beside_it
        return found

    def _texts(self, call: _Call, node: ast.expr | None, depth: int) -> Iterator[str]:
        """The texts that an expression can be, with dots for what is filled in."""
        match node:
            case ast.Constant(str() as value) if value:
                yield value
            case ast.JoinedStr(values):
                yield "".join(str(v.value) if isinstance(v, ast.Constant) else DOTS for v in values)
            case ast.IfExp():
                yield from self._texts(call, node.body, depth)
                yield from self._texts(call, node.orelse, depth)
            case ast.Name(name) if depth < DEEPEST:
                home, first = self._imported[call.module].get(name, (call.module, name))
                known = [self._constants[home][first]] if first in self._constants[home] else []
                known += [c[name] for c in (self._constants[call.module], *self._constants) if name in c]
                if bound := _bound(call, name):
                    for item in bound:
                        yield from self._texts(call, item, depth + 1)
                elif known:
                    yield from known[0]
                else:
                    yield from self._handed_on(call, name, depth + 1)

    def _handed_on(self, call: _Call, name: str, depth: int) -> Iterator[str]:
        """What a parameter is given by those who call the function."""
        if call.inside is None:
            return
        names = [a.arg for a in (*call.inside.args.posonlyargs, *call.inside.args.args)]
        if name not in (*names, *(a.arg for a in call.inside.args.kwonlyargs)):
            return
        place = names.index(name) - (names[0] == "self") if name in names else -1
        for caller in self._calls.get(call.inside.name, []):
            yield from self._texts(caller, _argument(caller.node, name, place), depth)


def _imported(tree: ast.Module, numbers: Mapping[str, int]) -> dict[str, tuple[int, str]]:
    """For each name that a module imports from another that is read, which one that is, and its name there."""
    return {
        alias.asname or alias.name: (numbers[node.module], alias.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module and node.module in numbers
        for alias in node.names
    }


def _modules(package: str) -> Iterator[tuple[str, ast.Module]]:
    """The modules by their names."""
    top = Path(str(importlib.import_module("sandtable").__file__)).parent.parent
    root = Path(str(importlib.import_module(package).__file__)).parent
    waiting = sorted(root.rglob("*.py"), reverse=True)
    seen: list[Path] = []
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.append(path)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        own = path.relative_to(root).parts if path.is_relative_to(root) else ()
        parts = (package, *own) if own else path.relative_to(top).parts
        yield ".".join(parts).removesuffix(".py"), tree
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(SHARED):
                waiting += _files(node.module, [alias.name for alias in node.names])


def _files(module: str, names: Sequence[str]) -> list[Path]:
    """The files of a shared module, and of those that are imported from it by name."""
    folder = Path(str(importlib.import_module("sandtable").__file__)).parent.joinpath(*module.split(".")[1:])
    paths = [folder.with_suffix(".py"), *(folder / f"{name}.py" for name in names)]
    return [path for path in paths if path.is_file()]


def _constants(trees: Sequence[ast.Module]) -> list[dict[str, tuple[str, ...]]]:
    """For each module the texts, tuples of texts and keys of tables that it gives names to."""
    found: list[dict[str, tuple[str, ...]]] = [{} for _ in trees]
    for _ in range(DEEPEST):
        # A table may be made of names from other modules, and these of others again.
        everywhere = {name: words for those in found for name, words in those.items()}
        found = [_constants_in(tree, everywhere) for tree in trees]
    return found


def _constants_in(tree: ast.Module, elsewhere: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    known: dict[str, tuple[str, ...]] = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        if not isinstance(target, ast.Name):
            continue
        match node.value:
            case ast.Tuple(elts):
                parts: list[ast.expr | None] = [*elts]
            case ast.Dict(keys):
                parts = [*keys]
            case other:
                parts = [other]
        words: list[str] = []
        for part in parts:
            match part:
                case ast.Constant(str() as value):
                    words.append(value)
                case ast.Name(name):
                    words += known.get(name) or elsewhere.get(name, ())
        if words:
            known[target.id] = tuple(words)
    return known


def _calls(
    tree: ast.AST, inside: ast.FunctionDef | ast.AsyncFunctionDef | None = None
) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef | None, ast.Call]]:
    """Every call, with the function that it stands in."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.Call):
            yield inside, child
        yield from _calls(child, child if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) else inside)


def _bound(call: _Call, name: str) -> list[ast.expr]:
    """What a name stands for in the function around a call: what it is set to, or runs through in a loop."""
    found: list[ast.expr] = []
    for node in ast.walk(call.inside) if call.inside else ():
        match node:
            case ast.Assign([ast.Name(target)], value) if target == name:
                found.append(value)
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                pairs = zip(targets, values, strict=False)
                found += [value for one, value in pairs if isinstance(one, ast.Name) and one.id == name]
            case ast.For() | ast.comprehension():
                found += _run_through(node, name)
    return found


def _run_through(loop: ast.For | ast.comprehension, name: str) -> Iterator[ast.expr]:
    """The items for a name, as in `for move in (NORMAL, ADVANCE)`, or `for move, far in ((NORMAL, 6), ...)`."""
    items = loop.iter.elts if isinstance(loop.iter, ast.Tuple) else [loop.iter]
    match loop.iter, loop.target:
        case ast.Call(ast.Attribute(ast.Name() as table, "items")), ast.Tuple([ast.Name(target), _]) if target == name:
            # The keys of a table, whose name stands for them.
            yield table
            return
    match loop.target:
        case ast.Name(target) if target == name:
            yield from items
        case ast.Tuple(targets):
            for place, part in enumerate(targets):
                if isinstance(part, ast.Name) and part.id == name:
                    yield from (item.elts[place] for item in items if isinstance(item, ast.Tuple))


def _argument(call: ast.Call, name: str, place: int) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    return call.args[place] if 0 <= place < len(call.args) else None


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(name):
            return name
        case ast.Attribute(_, name):
            return name
    return ""
