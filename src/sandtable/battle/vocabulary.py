"""The words of a rules system: which questions it asks, ways of moving, rolls and events it knows, read off its code.

Scenario files name all of these. Nobody keeps a list of them by hand: what the code says is what there is.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from sandtable import cachefiles
from sandtable.battle.decisions import ANSWERS
from sandtable.battle.system import System
from sandtable.sources import fingerprint

SHAPES: Final = {shape.__name__: str(shape.__struct_config__.tag).replace("_", " ") for shape in ANSWERS}
CHOOSE: Final = "Choose"
SHARED: Final = ("sandtable.kit", "sandtable.forty")
"""What systems build on; of it, what a system imports belongs to its words."""
DEEPEST: Final = 4
"""Through so many functions a word is followed that is handed on."""
KEPT: Final = 20
"""Systems whose words are kept on disk."""
DOTS: Final = "..."
VALUES: Final = "[]"
"""Behind the name of a table: what stands in it."""
_FILLED: Final = re.compile(r"\{[^{}]*\}")
_REPEATED: Final = re.compile(r"\.\.\.(?: \.\.\.)+")
CHOOSING: Final = {"choose": 1, "choose_unit": 1, "pick_unit": 2}
"""What lets a player choose, and which of its arguments is the kind; the prompt follows it."""
FILLING: Final = "filled_in"
"""What puts names into a prompt, which is its first argument."""


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
    marks: tuple[str, ...] = ()
    """What may be said of single models."""


def vocabulary(system: System) -> Vocabulary:
    """All words of a system."""
    steps = {segment: tuple(flow.__name__ for flow in flows) for segment, flows in system.segments.items()}
    found = _words(system.next_segment.__module__.rpartition(".")[0])
    return msgspec.structs.replace(found, steps=steps, reactions=reactions_of(system), marks=system.model_marks)


def reactions_of(system: System) -> dict[str, tuple[str, ...]]:
    """Kinds of questions that windows ask, and the rules that they are asked for; no code is read for these."""
    reactions: dict[str, tuple[str, ...]] = {}
    for trigger, those in sorted(system.by_trigger.items()):
        for prefix, due in (("order", True), ("react", False)):
            names = tuple(dict.fromkeys(r.name for r in those if r.mandatory == due))
            reactions |= {f"{prefix}.{trigger}": names} if names else {}
    return reactions


@cache
def _words(package: str) -> Vocabulary:
    """What the code of a package says, from the folder of kept words if that code was read before."""
    path = cachefiles.cache_folder() / "words" / _name_of(package)
    raw = cachefiles.read(path)
    if raw is not None:
        with suppress(msgspec.DecodeError):
            return msgspec.msgpack.decode(raw, type=Vocabulary)
    found = _read(package)
    cachefiles.keep(path, msgspec.msgpack.encode(found), KEPT)
    return found


def _name_of(package: str) -> str:
    """A name for the words of a package that changes with its code, with what it imports, and with how that is read."""
    sources = (__file__, *sorted(str(path) for path in _folder(package).rglob("*.py")))
    key = "\0".join([package, *map(fingerprint, sources)])
    return hashlib.blake2b(key.encode(), digest_size=12).hexdigest()


def _read(package: str) -> Vocabulary:
    code = _Code(package)
    asked = {shape: code.pairs(shape, "kind", "prompt") for shape in SHAPES}
    for name, place in CHOOSING.items():
        asked[CHOOSE] |= code.pairs(name, "kind", "prompt", place)
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


class _Said(NamedTuple):
    """An expression, and the call that it stands in."""

    call: _Call
    node: ast.expr | None


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
            spoken = _Said(call, _argument(call.node, beside, place + 1) if beside else None)
            for value, (where, prompt) in self._together(_Said(call, _argument(call.node, word, place)), spoken, 0):
                if DOTS not in value and not found.get(value):
                    texts = (_REPEATED.sub(DOTS, _FILLED.sub(DOTS, text)) for text in self._texts(where, prompt, 0))
                    found[value] = " / ".join(dict.fromkeys(texts))
        return found

    def _together(self, word: _Said, beside: _Said, depth: int) -> Iterator[tuple[str, _Said]]:
        """The texts that a word can be, each with what the same caller put beside it."""
        call, node = word
        if call.inside is None or not _is_parameter(word):
            yield from ((text, beside) for text in self._texts(call, node, depth))
            return
        follows = beside.call is call
        for caller in self._calls.get(call.inside.name, []) if depth < DEEPEST else ():
            yield from self._together(_given(caller, word), _given(caller, beside) if follows else beside, depth + 1)

    def _texts(self, call: _Call, node: ast.expr | None, depth: int) -> Iterator[str]:
        """The texts that an expression can be, with dots for what is filled in."""
        match node:
            case ast.Constant(str() as value) if value:
                yield value
            case ast.JoinedStr(values):
                yield "".join(self._part(call, value, depth) for value in values)
            case ast.Subscript(ast.Name(table)):
                yield from self._texts(call, ast.Name(table + VALUES), depth)
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

    def _part(self, call: _Call, node: ast.expr, depth: int) -> str:
        """The texts that a part of a text can be: a word that is filled in, where it can be no other."""
        match node:
            case ast.Constant(value):
                return str(value)
            case ast.FormattedValue(ast.Name() as name):
                words = [word for word in self._texts(call, name, depth + 1) if DOTS not in word]
                return words[0] if len(words) == 1 else DOTS
        return DOTS

    def _handed_on(self, call: _Call, name: str, depth: int) -> Iterator[str]:
        """What a parameter is given by those who call the function."""
        place = _place_of(call, name)
        if call.inside is None or place is None:
            return
        for caller in self._calls.get(call.inside.name, []):
            yield from self._texts(*_handed(caller, call, name, place), depth)


def _is_parameter(said: _Said) -> bool:
    """Whether what is said is handed on: a parameter that the function around it does not set anew."""
    call, node = said
    return isinstance(node, ast.Name) and _place_of(call, node.id) is not None and not _bound(call, node.id)


def _given(caller: _Call, said: _Said) -> _Said:
    """What a caller gives for a parameter that is handed on; anything else stays as it is."""
    if not isinstance(said.node, ast.Name) or (place := _place_of(said.call, said.node.id)) is None:
        return said
    return _handed(caller, said.call, said.node.id, place) if _is_parameter(said) else said


def _handed(caller: _Call, call: _Call, name: str, place: int) -> _Said:
    """What a caller gives for a parameter of the function around a call, or what it is without that."""
    given = _argument(caller.node, name, place)
    return _Said(call, _default(call, name)) if given is None else _Said(caller, given)


def _default(call: _Call, name: str) -> ast.expr | None:
    """What a parameter of the function around a call is if nobody gives anything for it."""
    if call.inside is None:
        return None
    args = call.inside.args
    plain = [*args.posonlyargs, *args.args]
    pairs = [*zip(plain[len(plain) - len(args.defaults) :], args.defaults, strict=True)]
    pairs += [(arg, value) for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True) if value is not None]
    return next((value for arg, value in pairs if arg.arg == name), None)


def _place_of(call: _Call, name: str) -> int | None:
    """Which parameter of the function around a call a name is, counted from 0 (-1: it is given by name alone)."""
    if call.inside is None:
        return None
    names = [a.arg for a in (*call.inside.args.posonlyargs, *call.inside.args.args)]
    if name in names:
        return names.index(name) - (names[0] == "self")
    return -1 if name in [a.arg for a in call.inside.args.kwonlyargs] else None


def _imported(tree: ast.Module, numbers: Mapping[str, int]) -> dict[str, tuple[int, str]]:
    """For each name that a module imports from another that is read, which one that is, and its name there."""
    return {
        alias.asname or alias.name: (numbers[node.module], alias.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module and node.module in numbers
        for alias in node.names
    }


def _folder(package: str) -> Path:
    return Path(str(importlib.import_module(package).__file__)).parent


def _modules(package: str) -> Iterator[tuple[str, ast.Module]]:
    """The modules by their names."""
    top, root = _folder("sandtable").parent, _folder(package)
    waiting = sorted(root.rglob("*.py"), reverse=True)
    seen: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        own = path.relative_to(root).parts if path.is_relative_to(root) else ()
        parts = (package, *own) if own else path.relative_to(top).parts
        yield ".".join(parts).removesuffix(".py"), tree
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(SHARED):
                waiting += _files(node.module, [alias.name for alias in node.names])


def _files(module: str, names: Sequence[str]) -> list[Path]:
    """The files of a shared module, and of those that are imported from it by name."""
    folder = _folder("sandtable").joinpath(*module.split(".")[1:])
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
        named: dict[str, list[ast.expr | None]] = {}
        match node.value:
            case ast.Tuple(elts):
                named[target.id] = [*elts]
            case ast.Dict(keys, values):
                named[target.id], named[target.id + VALUES] = [*keys], [*values]
            case other:
                named[target.id] = [other]
        for name, parts in named.items():
            if words := [word for part in parts for word in _words_in(part, {**elsewhere, **known})]:
                known[name] = tuple(words)
    return known


def _words_in(part: ast.expr | None, known: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    match part:
        case ast.Constant(str() as value):
            return (value,)
        case ast.Name(name):
            return known.get(name, ())
    return ()


def _calls(tree: ast.AST) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef | None, ast.Call]]:
    """Every call, with the function that it stands in, in the order of the text."""
    waiting: list[tuple[ast.FunctionDef | ast.AsyncFunctionDef | None, ast.AST]] = [(None, tree)]
    while waiting:
        inside, node = waiting.pop()
        if isinstance(node, ast.Call):
            yield inside, node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inside = node
        waiting += [(inside, child) for child in ast.iter_child_nodes(node)][::-1]


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
    """What a call gives for a parameter, by name or in its place."""
    by_name = [keyword.value for keyword in call.keywords if keyword.arg == name]
    given = by_name[0] if by_name else call.args[place] if 0 <= place < len(call.args) else None
    match given:
        case ast.Call(ast.Name(function), [text, *_]) if function == FILLING:
            return text
    return given


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(name):
            return name
        case ast.Attribute(_, name):
            return name
    return ""
