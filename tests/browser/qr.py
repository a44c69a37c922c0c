"""Reads the squares of a QR code, as a camera would see them without a single flaw."""

from __future__ import annotations

BLOCKS = (1, 1, 1, 2, 2, 4, 4, 4, 5, 5)
CHECKS = (10, 16, 26, 18, 24, 16, 18, 22, 22, 26)
"""Of level M, for versions 1 to 10: blocks, and codewords of each that are there for errors alone."""
ALIGNED = ((), (6, 18), (6, 22), (6, 26), (6, 30), (6, 34), (6, 22, 38), (6, 24, 42), (6, 26, 46), (6, 28, 50))

Squares = set[tuple[int, int]]


def read(dark: Squares, size: int) -> str:
    """The text of a code; `dark` are the places of its dark squares."""
    version = (size - 17) // 4
    assert size == 17 + 4 * version
    shown = sum(((x, 8) in dark) << (14 - i) for i, x in enumerate((0, 1, 2, 3, 4, 5, 7, 8)))
    mask = (shown ^ 0x5412) >> 10 & 7
    assert (shown ^ 0x5412) >> 13 == 0, "the level is not M"
    bits = [((x, y) in dark) != _masked(mask, x, y) for x, y in _way(size, _taken(version, size))]
    words = [sum(bit << (7 - k) for k, bit in enumerate(bits[i : i + 8])) for i in range(0, len(bits) - 7, 8)]
    blocks = BLOCKS[version - 1]
    per = [len(words) // blocks - CHECKS[version - 1] + (i >= blocks - len(words) % blocks) for i in range(blocks)]
    data: list[list[int]] = [[] for _ in range(blocks)]
    rest = iter(words)
    for place in range(max(per)):
        for i in range(blocks):
            if place < per[i]:
                data[i].append(next(rest))
    stream = "".join(f"{word:08b}" for block in data for word in block)
    assert stream[:4] == "0100", "it holds something else than bytes"
    wide = 16 if version > 9 else 8
    count = int(stream[4 : 4 + wide], 2)
    text = stream[4 + wide :]
    return bytes(int(text[8 * i : 8 * i + 8], 2) for i in range(count)).decode()


def _taken(version: int, size: int) -> Squares:
    """Squares that hold no data."""
    taken = {(6, i) for i in range(size)} | {(i, 6) for i in range(size)}
    for x0, y0 in ((0, 0), (size - 8, 0), (0, size - 8)):
        taken |= {(x0 + dx, y0 + dy) for dx in range(8) for dy in range(8)}
    taken |= {(8, i) for i in (*range(9), *range(size - 8, size))} | {
        (i, 8) for i in (*range(9), *range(size - 8, size))
    }
    places = ALIGNED[version - 1]
    corners = {(6, 6), (6, size - 7), (size - 7, 6)}
    for x, y in {(x, y) for x in places for y in places} - corners:
        taken |= {(x + dx, y + dy) for dx in range(-2, 3) for dy in range(-2, 3)}
    if version > 6:
        taken |= {(a, b) for a in range(size - 11, size - 8) for b in range(6)}
        taken |= {(b, a) for a in range(size - 11, size - 8) for b in range(6)}
    return taken


def _way(size: int, taken: Squares) -> list[tuple[int, int]]:
    """The squares of the data in their order: up and down in columns of two, from the right."""
    way, up = [], True
    columns = [*range(size - 1, 6, -2), 5, 3, 1]
    for right in columns:
        rows = range(size - 1, -1, -1) if up else range(size)
        way += [(x, y) for y in rows for x in (right, right - 1) if (x, y) not in taken]
        up = not up
    return way


def _masked(mask: int, x: int, y: int) -> bool:
    product = x * y
    return (
        (x + y) % 2, y % 2, x % 3, (x + y) % 3, (x // 3 + y // 2) % 2,
        product % 2 + product % 3, (product % 2 + product % 3) % 2, ((x + y) % 2 + product % 3) % 2,
    )[mask] == 0  # fmt: skip
