"""What every answer has: a headline in words, a table, a picture, and the assumptions that it rests on."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from sandtable.errors import UserError
from sandtable.files import write_whole

if TYPE_CHECKING:
    from sandtable.odds.links import Question

Cell: TypeAlias = str | int | float | None
Row: TypeAlias = dict[str, Cell]


class Noted(msgspec.Struct, frozen=True):
    """Something that was assumed, and the rules behind it."""

    text: str
    rules: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.text} [{', '.join(self.rules)}]" if self.rules else self.text


class Assumptions(msgspec.Struct, frozen=True):
    """What an answer rests on: without it, nobody could dispute or repeat the numbers."""

    edition: str
    options: dict[str, str]
    """Readings of the rules."""
    units: tuple[str, ...]
    circumstances: tuple[Noted, ...] = ()
    policies: tuple[str, ...] = ()
    """How the players decide."""
    rules: tuple[str, ...] = ()
    """Every rule behind the tables."""
    left_out: tuple[str, ...] = ()
    """Abilities of the units that are not part of the numbers."""
    notes: tuple[str, ...] = ()
    cost: str = "points"
    """What units are measured by."""

    @property
    def returned(self) -> str:
        """What an attack brings for what it costs, in words."""
        return f"{self.cost} returned per {self.one}"

    def told(self, cost: float) -> str:
        """What units cost on average: whole points, but parts of Power Ratings."""
        return f"{cost:.0f}" if self.cost == "points" else f"{cost:.1f}"

    @property
    def one(self) -> str:
        """One of what units are measured by."""
        return self.cost.removesuffix("s")

    def lines(self) -> list[str]:
        """All of it, a sentence each."""
        options = ", ".join(f"{name}={value}" for name, value in self.options.items())
        out = [self.edition + (f"; options {options}" if options else "") + "."]
        out += [f"{_upper(unit)}." for unit in self.units]
        out += [f"{_upper(str(noted))}." for noted in self.circumstances]
        out += [f"{_upper(text)}." for text in (*self.policies, *self.notes)]
        if self.left_out:
            out.append(f"Not in these numbers: {', '.join(self.left_out)}.")
        return out

    def words(self) -> list[str]:
        """What a picture says of it: in words, without rule ids, which the link leads to, and without the units."""
        options = ", ".join(f"{name}={value}" for name, value in self.options.items())
        out = [self.edition + (f"; options {options}" if options else "") + "."]
        out += [f"{_upper(text)}." for text in (*(n.text for n in self.circumstances), *self.policies, *self.notes)]
        names = dict.fromkeys(name.partition(" (")[0] for name in self.left_out)
        return [*out, f"Not counted: {', '.join(names)}."] if names else out


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer. In a notebook it draws itself."""

    assumptions: Assumptions
    question: Question | None = None
    """None where units were changed, or answers put together, in Python: no link can tell of that."""

    @property
    def link(self) -> str:
        """A link that opens the question again, or nothing."""
        return self.question.link if self.question else ""

    @property
    def code(self) -> str:
        """The link without its address, as the command line shows it."""
        return self.link.rpartition("/")[2]

    @property
    def headline(self) -> str:
        """The answer in a sentence."""
        raise NotImplementedError

    def table(self) -> list[Row]:
        """The numbers, a row each."""
        raise NotImplementedError

    def data(self) -> dict[str, Any]:
        """Everything as plain data."""
        hidden = {"attacks", "assumptions", "question"}
        fields = {f: getattr(self, f) for f in self.__struct_fields__ if f not in hidden}
        found: dict[str, Any] = msgspec.to_builtins(fields)
        kind = type(self).__name__.lower()
        link = {"link": self.link} if self.link else {}
        return {"answer": kind, "headline": self.headline, **link, **found, "table": self.table(),
                "assumptions": msgspec.to_builtins(self.assumptions)}  # fmt: skip

    def to_json(self) -> str:
        """Everything as JSON."""
        return msgspec.json.format(msgspec.json.encode(self.data()), indent=2).decode()

    def to_csv(self) -> str:
        """The table as CSV."""
        rows = self.table()
        out = io.StringIO()
        names = list(dict.fromkeys(name for row in rows for name in row))
        writer = csv.DictWriter(out, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return out.getvalue()

    def svg(self) -> str:
        """The answer as a picture."""
        from sandtable.odds.pictures import to_svg

        return to_svg(self)

    def _repr_svg_(self) -> str:
        return self.svg()

    def save(self, path: str | Path) -> None:
        """Write the answer to a file: .svg or .png for the picture, .json or .csv for the numbers."""
        from sandtable.odds.pictures import to_png

        file = Path(path)
        match file.suffix.lower():
            case ".svg":
                write_whole(file, self.svg())
            case ".png":
                write_whole(file, to_png(self))
            case ".json":
                write_whole(file, self.to_json() + "\n")
            case ".csv":
                write_whole(file, self.to_csv())
            case _:
                raise UserError(f"{file}: name a file that ends in .svg, .png, .json or .csv.")

    def __str__(self) -> str:
        return self.headline


def percent(chance: float) -> str:
    """A chance in words, never rounded to certainty; small ones in fine steps, so that they can be compared."""
    if 0 < chance < 0.00005:
        return "under 0.01 %"
    if 0 < chance < 0.0095:
        return f"{100 * chance:.{1 if chance >= 0.00095 else 2}f} %"
    if 0.995 <= chance < 1 - 1e-12:
        return "over 99 %"
    return f"{100 * chance:.0f} %"


def signed(number: float, digits: int = 1) -> str:
    """A difference, with its sign."""
    rounded = round(number, digits)
    return f"{'+' if rounded > 0 else '-' if rounded < 0 else '±'}{abs(rounded):.{digits}f}"


def counted(number: int, one: str, several: str = "") -> str:
    """1 model, 2 models."""
    return f"{number} {one if number == 1 else several or one + 's'}"
