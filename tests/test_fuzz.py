"""Damaged files of every kind, through the command line. `make fuzz` tries twenty times as many."""

from __future__ import annotations

import os

import pytest

from support.fuzzing import KINDS, fuzz, intact

COUNT = int(os.environ.get("SANDTABLE_FUZZ", "100"))
SEED = int(os.environ.get("SANDTABLE_FUZZ_SEED", "1"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_is_played_or_refused_in_a_sentence(kind: str) -> None:
    found = intact(kind) or fuzz(kind, SEED, COUNT)
    assert not found, "\n".join(f"{f.kind} {f.number}: {f.what}" for f in found[:20])
