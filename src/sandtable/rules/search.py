"""Full text search over ledger rows.

A word counts most in the name of a rule, less in its text, least in a note; a whole word counts more than the start
of one; and a rare word counts more than one that every rule uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import log

import msgspec

from sandtable.rules.ledger import Row

#: How much a word counts in each part of a row.
NAME, ID, WHERE, TEXT, CHECKS, NOTE = 10.0, 6.0, 3.0, 3.0, 2.0, 1.0
WHOLE_WORD, START_OF_WORD = 1.0, 0.6
#: Added for a row that has the words next to each other, and for one whose name they are, for each of them.
PHRASE, WHOLE_NAME = 4.0, 20.0
SNIPPET_WIDTH = 110
SHORTEST_STEM = 4

_WORD = re.compile(r"[a-z0-9+]+(?:['-][a-z0-9]+)*")
_ENDINGS = ("ing", "ed", "es", "s", "e")
_SMALL_WORDS = frozenset(
    (
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "for",
        "from",
        "in",
        "is",
        "it",
        "of",
        "on",
        "or",
        "that",
        "the",
        "to",
    )
)


class Hit(msgspec.Struct, frozen=True):
    """A row that was found, how well it fits, and the place in it that says so."""

    row: Row
    score: float
    snippet: str


def search(rows: Sequence[Row], words: str | Sequence[str]) -> list[Hit]:
    """The rows that have all the words, best first; if there are none, those that have any of them."""
    query = query_words(words)
    if not query or not rows:
        return []
    patterns = [_pattern(word) for word in query]
    said = words_of(words if isinstance(words, str) else " ".join(words))
    phrase = re.compile(r"[^a-z0-9]+".join(re.escape(word) for word in said)) if len(said) > 1 else None

    found: list[tuple[Row, list[float], bool]] = []
    for row in rows:
        parts = _parts(row)
        scores = [sum(weight * _fit(pattern, text) for text, weight in parts) for pattern in patterns]
        if any(scores):
            found.append((row, scores, phrase is not None and any(phrase.search(text) for text, _ in parts)))
    complete = [entry for entry in found if all(entry[1])]
    rarity = [log(1 + len(rows) / (1 + sum(1 for _, scores, _ in found if scores[i]))) for i in range(len(query))]

    hits = []
    for row, scores, together in complete or found:
        score = sum(s * r for s, r in zip(scores, rarity, strict=True))
        score += len(query) * (PHRASE * together + WHOLE_NAME * (words_of(row.name) == said))
        hits.append((score, row))
    hits.sort(key=lambda hit: (-hit[0], hit[1].id))
    return [Hit(row, round(score, 2), snippet(row, query)) for score, row in hits]


def query_words(words: str | Sequence[str]) -> list[str]:
    """The words that a search looks for: small words only if there is nothing else."""
    everything = words_of(words if isinstance(words, str) else " ".join(words))
    return [word for word in everything if word not in _SMALL_WORDS] or everything


def words_of(text: str) -> list[str]:
    """The different words of a text, in lower case."""
    return list(dict.fromkeys(_WORD.findall(text.lower())))


def snippet(row: Row, query: Sequence[str], width: int = SNIPPET_WIDTH) -> str:
    """The piece of the row's text, checks or note with the most of the words in it."""
    pieces = [" ".join(piece.split()) for piece in (row.text, *row.checks, row.note or "")]
    patterns = [_pattern(word) for word in query]
    # The first of equals wins, so that the text comes before the checks and the note.
    best = max(pieces, key=lambda piece: sum(_fit(pattern, piece.lower()) for pattern in patterns))
    places = [match.start() for pattern in patterns if (match := pattern.search(best.lower()))]
    if len(best) <= width:
        return best
    start = max(0, min(min(places, default=0) - width // 4, len(best) - width))
    if start:
        start = best.find(" ", start) + 1
    end = start + width if start + width >= len(best) else best.rfind(" ", start, start + width)
    return ("... " if start else "") + best[start:end] + (" ..." if end < len(best) else "")


def similar_words(rows: Iterable[Row], word: str) -> list[str]:
    """Words of the ledger that look like a word that it does not have."""
    from difflib import get_close_matches

    vocabulary = {entry for row in rows for text, _ in _parts(row) for entry in words_of(text)}
    return get_close_matches(word.lower(), sorted(vocabulary), n=3, cutoff=0.75)


def _parts(row: Row) -> list[tuple[str, float]]:
    return [
        (row.name.lower(), NAME),
        (row.id.replace(".", " ").replace("_", " "), ID),
        (row.where.lower(), WHERE),
        (row.text.lower(), TEXT),
        ("\n".join(row.checks).lower(), CHECKS),
        ((row.note or "").lower(), NOTE),
    ]


def _pattern(word: str) -> re.Pattern[str]:
    """Finds a word in its common forms (the group `whole`), and longer words that begin with it."""
    stem = word
    for ending in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= SHORTEST_STEM:
            stem = word.removesuffix(ending)
            break
    return re.compile(rf"(?<![a-z0-9]){re.escape(stem)}(?:(?P<whole>(?:{'|'.join(_ENDINGS)}|d)?(?![a-z0-9]))|)")


def _fit(pattern: re.Pattern[str], text: str) -> float:
    """How well the best occurrence of a word fits."""
    best = 0.0
    for match in pattern.finditer(text):
        if match["whole"] is not None:
            return WHOLE_WORD
        best = START_OF_WORD
    return best
