"""Names and keywords of the dataset, written as we write them."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

LONGEST: Final = 80
_NO_LETTER: Final = re.compile(r"[^a-z0-9]+")
_QUOTES: Final = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-"})


def cut(name: str) -> str:
    """A name that fits a document."""
    return " ".join(name.translate(_QUOTES).split())[:LONGEST].strip() or "?"


def plain(name: str) -> str:
    """A name as it is compared: without case, accents and signs."""
    ascii_ = unicodedata.normalize("NFKD", name.translate(_QUOTES)).encode("ascii", "ignore").decode()
    return _NO_LETTER.sub(" ", ascii_.lower()).strip()


def titled(name: str) -> str:
    """A name that is all in capitals, with a capital for each word."""
    return " ".join(word.capitalize() for word in name.split())


def keyword(word: str) -> str:
    """A keyword: upper case, with straight quotes."""
    return cut(word).upper()


def as_id(text: str) -> str:
    """An id of our format."""
    return _NO_LETTER.sub("-", plain(text).replace(" ", "-")).strip("-")[:60].strip("-") or "unnamed"
