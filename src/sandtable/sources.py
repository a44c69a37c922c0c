"""Fingerprints of our own sources: what was made from them is good as long as the fingerprint stays."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

_PACKAGE: Final = os.path.dirname(os.path.abspath(__file__))
_KERNELS: Final = os.path.join(_PACKAGE, "kernels")
_ROOT: Final = os.path.dirname(_PACKAGE)
_IMPORT: Final = re.compile(r"^(?:from (sandtable[\w.]*) import (\([^)]*\)|[^\n]*)|import (sandtable[\w.]*))", re.M)
_NAME: Final = re.compile(r"(\w+)(?: as \w+)?")


@cache
def fingerprint(source: str) -> str:
    """Of a source and all of ours that it imports: a compiled kernel holds what it calls from elsewhere, too.

    It depends on what is written there alone, so that a second checkout finds what the first one made. How kernels are
    compiled is no part of it: what that changes stands in the name of each version.
    """
    found = hashlib.blake2b(digest_size=8)
    for digest in sorted(_source(path).digest for path in closure(source)):
        found.update(digest)
    return found.hexdigest()


def closure(source: str) -> set[str]:
    """A source and the sources of ours that it imports, directly or not."""
    seen: set[str] = set()
    waiting = [source]
    while waiting:
        here = waiting.pop()
        if here not in seen:
            seen.add(here)
            waiting += _source(here).imports
    return seen


class _Source(NamedTuple):
    digest: bytes
    imports: tuple[str, ...]


@cache
def _source(path: str) -> _Source:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = [_file(module) for module in _imports(text)]
    digest = hashlib.blake2b(f"{os.path.basename(path)}\0{text}".encode(), digest_size=16).digest()
    return _Source(digest, tuple(file for file in found if file and not file.startswith(_KERNELS)))


def _imports(text: str) -> Iterator[str]:
    """The modules that a source imports; `from a.b import c` means `a.b.c` where that is a module, or else `a.b`."""
    for module, names, plain in _IMPORT.findall(text):
        if plain:
            yield plain
        for name in _NAME.findall(names):
            inner = f"{module}.{name}"
            yield inner if _file(inner) else module


@cache
def _file(module: str) -> str:
    path = os.path.join(_ROOT, *module.split("."))
    return next((file for file in (f"{path}.py", os.path.join(path, "__init__.py")) if os.path.isfile(file)), "")
