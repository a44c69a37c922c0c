"""Damage for files: what strangers, broken disks and people who mean harm make of them. The same seed does the same."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

Damage = Callable[[Random, bytes, bytes], bytes]

DEEP = "[" * 3000 + "]" * 3000
TOKENS = [
    "!!bool x", "!!timestamp x", "!!int x", "!!float x", "!!binary x", "!!set {a, b}", "!!python/object:os.system x",
    "!x", "&a [*a]", "*a", "&a", "<<: {a: 1}", "0x" + "F" * 4000, "0o7", "1:2:3:4:5", "190:20:30.15", "9" * 400,
    "9" * 5000, "1e999", "1e15", "-1e15", ".nan", "-.inf", "1_000", "2023-99-99", "2001-12-14t21:59:43.10-05:00",
    "~", "null", "yes", "off", "-1", "0", "1", "1000", "1000000", "4611686018427387904", "-0.0", "0.0000001", "D6",
    "999999999D6", "2D6+99999", "x", "x" * 3000, "x" * 100_000, "[]", "{}", "[1, 2, 3]", "{a: 1}", "[[]]", DEEP,
    "{a: " * 500 + "1" + "}" * 500, "'", '"', "|", ">", "%YAML 9.9", "---", "...", "? ", ": ", "- ", "#", ",", "@",
    "`", "\t", "\0", "\x1b[31;1m", "\x9b2J", "\u202e", "\u200b", "\ufeff", "\ufffe", "\U0001f600", "e\u0301" * 50,
    "\x07", "\r", "\\x1b[2J", '"\\e[2J"', '"\\0"', '"\\u202e"', "../../../../etc/passwd", "/dev/zero", "/",
    "random-7", "pass", "default", "*",
]  # fmt: skip
"""What stands in a file in place of something sensible."""

NUMBERS: list[Any] = [
    -1, 0, 1, 2, 3, 6, 7, 12, 60, 99, 100, 101, 1000, 1001, 4095, 4096, 2**31, 2**53, 2**62, -(2**62), 2**63, 0.5,
    -0.25, 0.001, 30.3, 1e18,
]  # fmt: skip
STRINGS = [
    "", "x", "0", "-", "D6", "2D3+1", "60", "9999999", "999999999D6", "x" * 150, "x" * 300, "x" * 5000, "\x1b[2J\x9b",
    "\u202e", "\0", "a\nb", "../../../../etc/passwd", "/dev/zero", "/", "random-7", "red", "blue", "pass", "W/0", "W/3",
    "H/2+12", "*", "a|b", "%s%n", "{0}", "32mm", "hull 4x3", "torrent", "rapid fire 99",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, *NUMBERS, *STRINGS, [], {}, [[]], [0], [1, 2], [[0, 0]], [[0, 0], [1, 1], [0, 1]], {"a": 1},
    {"": ""}, [None], [{}], ["x", ["y"]],
]  # fmt: skip
"""What stands in a tree of plain data in place of something sensible."""


def damage(rng: Random, data: bytes, other: bytes) -> bytes:
    """The bytes of a file after one to four mishaps; `other` is another file of its kind."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        data = rng.choice(MISHAPS)(rng, data, other)
    return data


def _place(rng: Random, data: bytes) -> int:
    return rng.randrange(len(data) + 1)


def _flip(rng: Random, data: bytes, _: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 3, 20))):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _truncate(rng: Random, data: bytes, _: bytes) -> bytes:
    return data[: _place(rng, data)]


def _splice(rng: Random, data: bytes, other: bytes) -> bytes:
    return data[: _place(rng, data)] + other[_place(rng, other) :]


def _repeat(rng: Random, data: bytes, _: bytes) -> bytes:
    start = _place(rng, data)
    chunk = data[start : start + rng.choice((1, 8, 60, 400))]
    return data[:start] + chunk * rng.choice((2, 3, 50)) + data[start:]


def _cut(rng: Random, data: bytes, _: bytes) -> bytes:
    start = _place(rng, data)
    return data[:start] + data[start + rng.choice((1, 4, 40, 300)) :]


def _insert(rng: Random, data: bytes, _: bytes) -> bytes:
    start = _place(rng, data)
    return data[:start] + rng.choice(TOKENS).encode() + data[start:]


def _lines(rng: Random, data: bytes, _: bytes) -> bytes:
    """A line twice, gone, elsewhere or indented otherwise."""
    lines = data.split(b"\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            lines.insert(j, lines[i])
        case 1:
            del lines[i]
        case 2:
            lines[i], lines[j] = lines[j], lines[i]
        case _:
            lines[i] = b" " * rng.randrange(5) + lines[i].lstrip()
    return b"\n".join(lines)


def _word(rng: Random, data: bytes, _: bytes) -> bytes:
    """A word or number becomes something else; that is where most of the meaning is."""
    spots = [i for i, c in enumerate(data) if c in b" [:,\n" and data[i + 1 : i + 2].isalnum()]
    if not spots:
        return data
    start = rng.choice(spots) + 1
    end = next((i for i in range(start, len(data)) if data[i] in b" ],:}\n"), len(data))
    return data[:start] + rng.choice(TOKENS).encode() + data[end:]


MISHAPS: list[Damage] = [_flip, _truncate, _splice, _repeat, _cut, _insert, _lines, _lines, _word, _word, _word]


def damage_tree(rng: Random, tree: Any) -> Any:
    """Plain data with one to four values changed, wherever they are; its outer form stays."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        tree = _change(rng, tree, _branches(tree))
    return tree


def _branches(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = [path] if path else []
    if isinstance(tree, dict):
        for key, value in tree.items():
            found += _branches(value, (*path, key))
    elif isinstance(tree, list):
        # Of a long list a few are enough: the others would leave no chance to the rest of the file.
        for i in range(min(len(tree), 12)):
            found += _branches(tree[i], (*path, i))
    return found


def _change(rng: Random, tree: Any, paths: list[tuple[Any, ...]]) -> Any:
    if not paths:
        return deepcopy(rng.choice(VALUES))
    path = rng.choice(paths)
    holder = tree
    for step in path[:-1]:
        holder = holder[step]
    last = path[-1]
    match rng.randrange(8):
        case 0 if isinstance(holder, dict):
            del holder[last]
        case 1 if isinstance(holder, dict):
            holder[rng.choice(("x", "extra", "", "id", "name", "\x1b[2J", "x" * 300))] = holder[last]
        case 2 if isinstance(holder, list):
            holder *= rng.choice((2, 40, 600))
        case 3 if isinstance(holder, list):
            holder.reverse()
        case 4 if isinstance(holder[last], int | float):
            holder[last] = holder[last] * rng.choice((-1, 0, 10, 1_000_000)) + rng.choice((-1, 0, 1))
        case 5:
            for _ in range(rng.choice((1, 3, 60))):
                holder[last] = rng.choice(([holder[last]], {"a": holder[last]}))
        case _:
            holder[last] = deepcopy(rng.choice(VALUES))
    return tree


def twist_tree(rng: Random, tree: Any) -> Any:
    """Plain data with values changed for others of their kind: what is refused, if at all, for its meaning."""
    for _ in range(rng.choice((1, 1, 2, 5))):
        paths = _branches(tree)
        if paths:
            _twist(rng, tree, rng.choice(paths), paths)
    return tree


def _at(tree: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        tree = tree[step]
    return tree


def _twist(rng: Random, tree: Any, path: tuple[Any, ...], paths: list[tuple[Any, ...]]) -> None:
    holder, last = _at(tree, path[:-1]), path[-1]
    value = holder[last]
    match value:
        case bool():
            holder[last] = not value
        case int():
            holder[last] = rng.choice(
                (value + 1, value - 1, -value, 2 * value, *[n for n in NUMBERS if type(n) is int])
            )
        case float():
            holder[last] = rng.choice((value + 0.5, -value, 10 * value, *NUMBERS))
        case str():
            others = [word for path in paths if isinstance(word := _at(tree, path), str)]
            holder[last] = rng.choice(
                (rng.choice(others), rng.choice(others), rng.choice(STRINGS), value[::-1], value[:-1])
            )
        case list() if value:
            i = rng.randrange(len(value))
            match rng.randrange(5):
                case 0:
                    del value[i]
                case 1:
                    value.insert(i, value[i])
                case 2:
                    rng.shuffle(value)
                case 3:
                    value *= rng.choice((2, 10, 200))
                case _:
                    value[i] = value[rng.randrange(len(value))]
        case dict() if value:
            key = rng.choice(list(value))
            alike = [p for p in paths if isinstance(_at(tree, p), dict) and key in _at(tree, p)]
            if rng.random() < 0.3:
                del value[key]
            else:
                value[key] = deepcopy(_at(tree, rng.choice(alike))[key])
        case None:
            holder[last] = deepcopy(rng.choice(VALUES))
