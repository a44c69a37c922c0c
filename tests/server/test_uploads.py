"""Damaged files sent to the server: each is taken, or refused in a sentence, and nobody else notices."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from server.live import Server
from support.fuzzing import case

COUNT = int(os.environ.get("SANDTABLE_FUZZ", "100")) // 4
SEED = int(os.environ.get("SANDTABLE_FUZZ_SEED", "1"))
MOST_SAID = 5000

Body = Callable[[str], dict[str, Any]]
SENT: dict[str, tuple[str, Body]] = {
    "scenario": ("/api/battles", lambda text: {"scenario": text}),
    "scenario of Epic": ("/api/battles", lambda text: {"scenario": text}),
    "army list": ("/api/lists", lambda text: {"text": text}),
    "exported list": ("/api/lists", lambda text: {"text": text}),
    "layout": ("/api/layouts", lambda text: {"system": "w40k10", "text": text}),
}


@pytest.mark.parametrize("kind", SENT)
def test_a_damaged_file_is_taken_or_refused_in_a_sentence(server: Server, kind: str) -> None:
    path, body = SENT[kind]
    found = []
    for number in range(min(COUNT, 50) if kind == "layout" else COUNT):
        text = case(kind, SEED, number).decode("utf-8", "replace")
        status, told = server.post(path, body(text or "-"))
        said = told.get("error", "")
        sentence = bool(said) and len(said) < MOST_SAID and "\n" not in said and "Traceback" not in said
        hidden = "/tmp" not in said and "sandtable-lists" not in said
        if status not in (200, 201) and not (status == 400 and sentence and hidden):
            found.append(f"{kind} {number}: {status} {said[:300]}")
    assert found == []
    assert server.get("/health")[0] == 200
