"""Errors that are meant for the person at the keyboard."""

from __future__ import annotations

from typing import Final

MOST_TOLD: Final = 4000
"""Characters of an error; what is longer loses its middle, for both ends say more."""
MOST_LINE: Final = 1500


class UserError(Exception):
    """Something that came from outside is wrong; the message says what, where, and what would be right.

    Messages name what was read, so they are made harmless: bounded, and without codes that a terminal would obey.
    """

    def __init__(self, message: str) -> None:
        if len(message) > MOST_LINE or not message.isprintable():
            message = short("\n".join(short(plain(line), MOST_LINE) for line in message.split("\n")), MOST_TOLD)
        super().__init__(message)


def plain(text: str) -> str:
    """A text without control characters: names come from files of strangers, and a terminal obeys them."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def short(text: str, most: int) -> str:
    """A text of bounded length: its beginning and its end."""
    if len(text) <= most:
        return text
    end = most // 3
    return f"{text[: most - end]} [...] {text[-end:]}"
