"""Ideas for an open question: no two of them read the same."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.tactics import Idea
from sandtable.server import worker


def test_ideas_that_read_the_same_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [Idea(1, 0.0, "for marker 4"), Idea(2, 0.0, "for marker 4"), Idea(3, 0.0, "for marker 1"), Idea(4, 0.0, "")]
    monkeypatch.setattr(worker, "_open", lambda scene: (None, None))
    monkeypatch.setattr(worker.questions, "ideas", lambda view, decision: iter(found))
    monkeypatch.setattr(worker.answers, "describe", lambda view, decision, answer: "Normal move")
    scene: Any = None
    assert [(i.answer, i.why) for i in worker.ideas(scene, 9)] == [(1, "for marker 4"), (3, "for marker 1")]
