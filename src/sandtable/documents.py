"""Documents: YAML as plain data, and plain data as structs. Whoever wrote them may mean harm.

What is read is plain: mappings, lists, texts, numbers, yes and no. Words are words unless they are `true`, `yes`,
`false`, `no` or `null`; numbers are decimal, or have 0x or 0o in front. Everything has its bound, and what is wrong is
told with its line.
"""

from __future__ import annotations

import math
import re
import unicodedata
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

import msgspec

from sandtable.errors import UserError, short
from sandtable.files import MAX_TEXT, read_text

MAX_DEPTH: Final = 40
MAX_VALUES: Final = 200_000
MAX_KEY: Final = 200
MAX_NUMBER: Final = 1 << 62
MAX_DIGITS: Final = 40
SHOWN: Final = 60
MAX_SEARCHED: Final = 200_000
"""Characters of a text in which the line of a mistake is looked for."""

T = TypeVar("T")

_WORDS: Final[dict[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE", "yes", "Yes", "YES"), True),
    **dict.fromkeys(("false", "False", "FALSE", "no", "No", "NO"), False),
}
_FIRST_OF_NUMBERS: Final = frozenset("+-.0123456789")
_INTEGER: Final = re.compile(r"[-+]?[0-9]+")
_DECIMAL: Final = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_BASED: Final = re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+")
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
    "\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0"
    "\ufff0-\ufffb\ue000-\uf8ff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff\U000f0000-\U0010ffff]"
)
"""Control characters; those that turn the direction of what follows; those that nothing draws, or that everybody draws
as they like: a name must be seen, and must not look like another one."""
_JOINING: Final = re.compile("[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""What changes how the letters and pictures beside it are drawn, and is nothing by itself."""
_ENDLESS: Final = re.compile(r"[-+]?\.(?:inf|nan)", re.IGNORECASE)


def read_document(path: Path, kind: type[T]) -> T:
    """A struct from a YAML file."""
    return parse_document(read_text(path), kind, str(path))


def visible(text: str) -> str:
    """A text without what no document may hold: characters that nobody sees."""
    return _UNSEEN.sub("", text)


def as_seen(text: str) -> str:
    """A name as it is compared with others: without what nobody could tell it from them by."""
    return " ".join(unicodedata.normalize("NFC", _JOINING.sub("", text)).split())


def parse_document(text: str, kind: type[T], where: str) -> T:
    """A struct from YAML; what does not fit is told with its line."""
    return convert(parse_yaml(text, where), kind, where, text)


# --- YAML -------------------------------------------------------------------------------------------------------------


def parse_yaml(text: str, where: str) -> Any:
    """Plain data from YAML; refuses, with the place, what is no YAML or could blow up."""
    import yaml

    if len(text) > MAX_TEXT:
        raise UserError(f"{where}: at most {MAX_TEXT >> 20} MB can be read.")
    builder = _Builder(where)
    try:
        parser = yaml.CSafeLoader(text)
        try:
            for event in iter(parser.get_event, None):
                builder.hear(event)
        finally:
            parser.dispose()
    except yaml.reader.ReaderError as error:
        line = text.encode()[: error.position].count(b"\n") + 1
        raise UserError(f"{where}, line {line}: not valid YAML: it holds a character that cannot be read.") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = f", line {mark.line + 1}" if mark else ""
        problem = short(error.problem or error.context or "it cannot be read", SHOWN)
        raise UserError(f"{where}{at}: not valid YAML: {problem}.") from None
    except UnicodeEncodeError:
        raise UserError(f"{where}: not valid YAML: it holds a character that cannot be read.") from None
    return builder.document


class _Builder:
    """Builds plain data from the events of the YAML parser."""

    def __init__(self, where: str) -> None:
        import yaml

        self.document: Any = None
        self._where = where
        self._values = 0
        self._documents = 0
        self._outer: list[tuple[Any, Any, Any]] = []
        """What is open around the collection: each collection, its key that waits for a value, its keys' lines."""
        self._inner: Any = None
        self._key: Any = _NONE
        self._lines: dict[Any, int] = {}
        self._hear = {
            yaml.ScalarEvent: self._scalar,
            yaml.MappingStartEvent: self._open,
            yaml.SequenceStartEvent: self._open,
            yaml.MappingEndEvent: self._close,
            yaml.SequenceEndEvent: self._close,
            yaml.AliasEvent: self._alias,
            yaml.DocumentStartEvent: self._document,
        }
        self._mapping = yaml.MappingStartEvent

    def hear(self, event: Any) -> None:
        heard = self._hear.get(type(event))
        if heard is not None:
            heard(event)

    def _refuse(self, event: Any, problem: str) -> NoReturn:
        mark = event.start_mark
        raise UserError(f"{self._where}, line {mark.line + 1}, column {mark.column + 1}: {problem}")

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            self._refuse(event, "not valid YAML: a second document begins here, and a file holds one.")

    def _alias(self, event: Any) -> None:
        self._refuse(event, "YAML aliases (*name) are not allowed here; write it out.")

    def _scalar(self, event: Any) -> None:
        if event.tag is not None:
            self._refuse_tag(event)
        value = event.value
        if not (value.isascii() and value.isprintable()) and _UNSEEN.search(value):
            self._refuse(event, "a text holds a character that nobody sees, or that changes how others look.")
        if not value.isascii() and not as_seen(value):
            self._refuse(event, "a text holds nothing that anybody sees.")
        if event.implicit[0]:
            if value in _WORDS:
                value = _WORDS[value]
            elif value[0] in _FIRST_OF_NUMBERS:
                value = self._number(event, value)
        self._add(event, value)

    def _number(self, event: Any, text: str) -> int | float | str:
        """A number; a word that only begins like one stays a word."""
        if _ENDLESS.fullmatch(text):
            self._refuse(event, f"'{text}' is no number that can be counted or measured with.")
        whole = _INTEGER.fullmatch(text) or _BASED.fullmatch(text)
        if not whole and not _DECIMAL.fullmatch(text):
            return text
        number: int | float = math.inf
        if len(text) <= MAX_DIGITS:
            number = float(text) if not whole else int(text) if "x" not in text and "o" not in text else int(text, 0)
        if abs(number) > MAX_NUMBER:
            self._refuse(event, f"the number {short(text, SHOWN)} is too large or too long.")
        return number

    def _refuse_tag(self, event: Any) -> NoReturn:
        tag = str(event.tag)
        tag = f"!!{tag.rpartition(':')[2]}" if tag.startswith("tag:yaml.org,2002:") else tag
        self._refuse(event, f"YAML tags ({short(tag, SHOWN)}) are not allowed here; write the value alone.")

    def _open(self, event: Any) -> None:
        if event.tag is not None:
            self._refuse_tag(event)
        if len(self._outer) >= MAX_DEPTH:
            self._refuse(event, f"nested too deeply: at most {MAX_DEPTH} levels.")
        if type(self._inner) is dict and self._key is _NONE:
            self._refuse(event, "a list or mapping cannot name a field.")
        self._outer.append((self._inner, self._key, self._lines))
        self._inner = {} if type(event) is self._mapping else []
        self._key, self._lines = _NONE, {}

    def _close(self, event: Any) -> None:
        done = self._inner
        self._inner, self._key, self._lines = self._outer.pop()
        self._add(event, done)

    def _add(self, event: Any, value: Any) -> None:
        self._values += 1
        if self._values > MAX_VALUES:
            self._refuse(event, f"more than {MAX_VALUES} values.")
        inner = self._inner
        if inner is None:
            self.document = value
        elif type(inner) is list:
            inner.append(value)
        elif self._key is _NONE:
            self._name(event, value)
        else:
            inner[self._key] = value
            self._key = _NONE

    def _name(self, event: Any, key: Any) -> None:
        if isinstance(key, str) and len(key) > MAX_KEY:
            self._refuse(event, f"the name of a field has at most {MAX_KEY} characters, not {len(key)}.")
        if key in self._lines:
            self._refuse(event, f"'{key}' stands twice; the first time in line {self._lines[key]}.")
        self._lines[key] = event.start_mark.line + 1
        self._key = key


class _None:
    """Stands for a key that has not come yet; None itself is one in YAML."""


_NONE: Final = _None()


# --- Structs ----------------------------------------------------------------------------------------------------------

_ERROR: Final = re.compile(r"(?P<problem>.*?)(?: - at (?P<key>`key` in )?`\$(?P<path>.*)`)?", re.DOTALL)
_STEP: Final = re.compile(r"\.(?P<name>[^.\[\]]+)|\[(?P<number>\d+|\.\.\.)\]")


def convert(raw: Any, kind: type[T], where: str, text: str = "") -> T:
    """Plain data as a struct; the error says where, and which field. With its text, the line as well."""
    try:
        return msgspec.convert(raw, kind, strict=True)
    except msgspec.ValidationError as error:
        raise UserError(_explain(str(error), kind, raw, where, text)) from None
    except RecursionError:
        raise UserError(f"{where}: nested too deeply.") from None


def _explain(error: str, kind: Any, raw: Any, where: str, text: str) -> str:
    found = _ERROR.fullmatch(error)
    assert found is not None
    problem, path = found["problem"], found["path"] or ""
    steps = [match["name"] or match["number"] for match in _STEP.finditer(path)]
    problem = re.sub(r"Object missing required field `(.*)`", r"the field '\1' is missing", problem, flags=re.DOTALL)
    unknown = re.search(r"unknown field `(.*)`", problem, re.DOTALL)
    if unknown and (known := fields_of(kind, steps, raw)):
        problem += f"; its fields are {', '.join(known)}"
    if problem.startswith("Invalid enum value") and (values := words_of(kind, steps, raw)):
        problem += f"; it is one of {', '.join(values)}"
    line = _line(text, [*steps, unknown[1]] if unknown else steps) if len(text) <= MAX_SEARCHED else 0
    at = f", line {line}" if line else ""
    field = f"{'a name in ' if found['key'] else ''}{path.lstrip('.')}"
    return f"{where}{at}{', ' if field and not at else ': ' if field else ''}{field}: {problem}."


def fields_of(kind: Any, steps: list[str], raw: Any = None) -> tuple[str, ...]:
    """The fields of the struct that a path leads to; none where several could stand there and `raw` has no tag."""
    import msgspec.inspect as look

    at = _type_at(kind, steps, raw)
    return tuple(f.encode_name for f in at.fields) if isinstance(at, look.StructType) else ()


def words_of(kind: Any, steps: list[str], raw: Any = None) -> tuple[str, ...]:
    """The words of which one stands where a path leads to."""
    import msgspec.inspect as look

    at = _type_at(kind, steps[:-1], raw)
    found = [f.type for f in at.fields if f.encode_name == steps[-1]] if isinstance(at, look.StructType) else []
    kinds = [t for f in found for t in (f.types if isinstance(f, look.UnionType) else (f,))]
    return tuple(str(v) for t in kinds if isinstance(t, look.LiteralType) for v in t.values)


def _type_at(kind: Any, steps: list[str], raw: Any) -> Any:
    """The type that a path leads to; None where several could stand there and `raw` has no tag."""
    import msgspec.inspect as look

    at: Any = look.type_info(kind)
    for step in [*steps, ""]:
        if isinstance(at, look.Metadata):
            at = at.type
        if isinstance(at, look.UnionType):
            fits = (look.CollectionType, look.TupleType) if step.isdecimal() else (look.StructType, look.DictType)
            fit = [t for t in at.types if isinstance(t, fits)]
            tagged = [t for t in fit if isinstance(t, look.StructType) and t.tag and _inside(raw, t.tag_field) == t.tag]
            at = fit[0] if len(fit) == 1 else tagged[0] if tagged else None
        match at:
            case _ if not step:
                return at
            case look.StructType():
                at = next((f.type for f in at.fields if f.encode_name == step), None)
            case look.DictType():
                at = at.value_type
            case look.TupleType():
                at = at.item_types[int(step)] if step.isdecimal() and int(step) < len(at.item_types) else None
            case look.CollectionType():
                at = at.item_type
            case _:
                break
        raw = _inside(raw, int(step) if step.isdecimal() else step)
    return None


def _inside(raw: Any, step: str | int | None) -> Any:
    if isinstance(raw, dict):
        return raw.get(step)
    return raw[step] if isinstance(raw, list) and isinstance(step, int) and step < len(raw) else None


def _line(text: str, steps: list[str]) -> int:
    """The line of what a path leads to, or of what is nearest around it; of a text that was read before."""
    import yaml

    node = yaml.compose(text, Loader=yaml.CSafeLoader) if text and steps else None
    line = 0
    for step in steps:
        if isinstance(node, yaml.MappingNode):
            found = next(((k, v) for k, v in node.value if k.value == step), None)
        elif isinstance(node, yaml.SequenceNode) and step.isdecimal() and int(step) < len(node.value):
            found = (node.value[int(step)],) * 2
        else:
            found = None
        if found is None:
            break
        line, node = found[0].start_mark.line + 1, found[1]
    return line
