"""Links that open a question again: "sandtable://odds/st1.CODE".

The code is the whole question: which function of `sandtable.odds` is asked, and all its arguments, as JSON, packed,
with a check sum. Units and lists of packs stand in it by name; those of files by value, so that no code names a file.
"""

from __future__ import annotations

import inspect
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, Final, ParamSpec, TypeVar, get_type_hints

import msgspec

from sandtable.armies.lists import ArmyList
from sandtable.armies.packs import find_packs, is_file
from sandtable.errors import UserError
from sandtable.forty.odds.matchups import Force, Situation
from sandtable.odds.bounds import plainly
from sandtable.odds.setting import Setting, load_named
from sandtable.odds.units import list_in, open_list, unit_of_list
from sandtable.version import __version__

if TYPE_CHECKING:
    from sandtable.odds.answers import Answer

FORMAT: Final = "st1"
SCHEME: Final = "sandtable://odds/"
MAX_CODE: Final = 8 << 10
MAX_INFLATED: Final = 64 << 10
SUM: Final = 4
"""Bytes of the check sum in front of the question."""
RAW: Final = -15
"""Deflated without a header of its own."""
COMMON: Final = (
    b'"rounds":1"before":null,"overwatch":null,"back":null,"values":[],"times":1,"most":12,"wanted":0.8,"aim":"destroy",'
    b'"names":["",""],"without":"","against":[],"options":[]," led by  with profile: panel: space-marines-1000-'
    b'orks-1000-necrons-1000-tyranids-1000-"cover""half-range""charged""Oath of Moment"'
    b'"reroll":"optimal","goal":"destroy"{"version":"0.1.0","ask":"lists","with":{"mine":""theirs":"'
    b'{"version":"0.1.0","ask":"into","with":{"attackers":["10 "],"attacker":"10 ","among":["unit":"5 "],"target":"5 ",'
    b'"how":{"melee":true,"distance":null,"modifiers":["how":{"melee":false,"distance":null,"modifiers":[],"weapons":[],'
    b'"uses":[]},"setting":{"system":"w40k10","pack":"w40k10","options":{},"allocation":"in_order","reroll":"failures",'
    b'"goal":"damage"}}}'
)
"""What most questions hold; codes leave it out. Part of the format: another text needs another FORMAT."""
HOW_IT_LOOKS: Final = f"a code starts with '{FORMAT}.', and a link with '{SCHEME}{FORMAT}.'"
_CODE: Final = re.compile(r"st(\d{1,6})\.([A-Za-z0-9_-]*)")

P = ParamSpec("P")
A = TypeVar("A", bound="Answer")


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question as a code holds it."""

    version: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-z.+-]{1,20}$")]
    """Of the program that asked it."""
    ask: str
    """The function of `sandtable.odds`."""
    arguments: dict[str, Any] = msgspec.field(name="with")
    """As plain data."""

    @property
    def link(self) -> str:
        """A link that opens the question again."""
        packer = zlib.compressobj(9, wbits=RAW, zdict=COMMON)
        text = msgspec.json.encode(self)
        packed = packer.compress(text) + packer.flush()
        code = urlsafe_b64encode(zlib.crc32(packed).to_bytes(SUM) + packed).rstrip(b"=").decode()
        link = f"{SCHEME}{FORMAT}.{code}"
        # What could not be opened again is not given out.
        return link if len(link) <= MAX_CODE and len(text) < MAX_INFLATED else ""


# --- What can be asked ------------------------------------------------------------------------------------------------


class Form(msgspec.Struct, frozen=True):
    """A function that can be asked, and the struct that its arguments are read as."""

    ask: Callable[..., Any]
    arguments: type[msgspec.Struct]


FORMS: Final[dict[str, Form]] = {}
WRITTEN: Final[dict[Any, Any]] = {
    str | Force: str | ArmyList,
    Sequence[str | Force]: tuple[str | ArmyList, ...],
    Sequence[int]: tuple[int, ...],
}
"""What stands in a code in place of an argument's own type."""
RARE: Final[dict[str, Any]] = {"order": "best", "who": "", "then": None}
"""What a code leaves out where it has this value."""


def asked(function: Callable[P, A]) -> Callable[P, A]:
    """Make a function a question: its answers carry the link that opens it, and its refusals are plain."""
    signature, answer_to = inspect.signature(function), plainly(function)
    hints = get_type_hints(function)
    fields: list[Any] = []
    for name, parameter in signature.parameters.items():
        kind = WRITTEN.get(hints[name], hints[name])
        # What can only be named came later, or is rare: a code may leave it out.
        named = parameter.kind is inspect.Parameter.KEYWORD_ONLY
        fields.append((name, kind, parameter.default) if named else (name, kind))
    arguments = msgspec.defstruct(function.__name__, fields, frozen=True, forbid_unknown_fields=True)

    @wraps(function)
    def ask(*args: P.args, **kwargs: P.kwargs) -> A:
        answer = answer_to(*args, **kwargs)
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        written = _write(given.arguments)
        if written is None:
            return answer
        question = Question(__version__, function.__name__, _shortened(msgspec.to_builtins(arguments(**written))))
        return msgspec.structs.replace(answer, question=question)

    FORMS[function.__name__] = Form(ask, arguments)
    return ask


def _shortened(data: dict[str, Any]) -> dict[str, Any]:
    """Plain data without what is rare and says nothing here."""
    return {
        name: _shortened(value) if isinstance(value, dict) else value
        for name, value in data.items()
        if name not in RARE or value != RARE[name]
    }


def _write(given: dict[str, Any]) -> dict[str, Any] | None:
    """Arguments as a code holds them; None where a unit was made in Python and has no words."""
    setting: Setting = given["setting"]
    pack = setting.open_pack().header.id
    try:
        written = {name: _one(value, setting) for name, value in given.items()}
    except LookupError:
        return None
    return written | {"setting": msgspec.structs.replace(setting, pack=pack)}


def _one(value: Any, setting: Setting) -> Any:
    match value:
        case Force():
            return _unit(value, setting)
        case str() if is_file(value):
            return msgspec.structs.replace(open_list(value, setting)[0], note=None)
        case str() if is_file(list_in(value)):
            name, _, unit = value.rpartition(":")
            return unit_of_list(name.strip(), unit.strip(), setting).army
        case str():
            return " ".join(value.split())
        case Situation() | Setting():
            return value
        case Sequence():
            return tuple(_one(item, setting) for item in value)
    return value


def _unit(force: Force, setting: Setting) -> str | ArmyList:
    if force.losses is not None or force.profiles:
        raise LookupError
    if force.pack is setting.open_panel():
        return f"panel: {force.name}"
    pack = force.army.pack
    if force.pack is setting.open_pack() or (pack in find_packs() and load_named(pack) is force.pack):
        return msgspec.structs.replace(force.army, note=None)
    raise LookupError


# --- Opening ----------------------------------------------------------------------------------------------------------


def open_link(link: str, pack: str = "") -> Answer:
    """Ask the question of a link or code again. `pack` is the folder of its pack, if that is not installed.

    >>> from sandtable import odds
    >>> answer = odds.into("5 hellblasters", "5 terminators")
    >>> odds.open(answer.link) == answer
    True
    """
    # Whatever can be asked has to be there.
    from sandtable.odds import exchanges, fields, flights, other_rolls, plans, powers, questions  # noqa: F401

    question = read_link(link)
    foreign = question.version != __version__
    made = f" It was made by Sandtable {question.version}, and this is {__version__}." if foreign else ""
    form = FORMS.get(question.ask)
    if form is None:
        raise UserError(f"There is no question '{question.ask[:40]}'; there are: {', '.join(FORMS)}.{made}")
    try:
        asked_for = msgspec.convert(question.arguments, form.arguments)
    except (msgspec.ValidationError, RecursionError) as error:
        raise UserError(f"The question '{question.ask}' in this link cannot be read: {error}.{made}") from None
    if not all(word.isprintable() for word in _words(question.arguments)):
        raise UserError("This link holds letters that cannot be printed, which no question has.")
    given: dict[str, Any] = {name: getattr(asked_for, name) for name in asked_for.__struct_fields__}
    _check_sources(given, pack)
    given["setting"] = msgspec.structs.replace(given["setting"], pack=pack or given["setting"].pack)
    answer: Answer = form.ask(**given)
    if not foreign:
        return answer
    note = f"the link was made by Sandtable {question.version}, the numbers are those of {__version__}"
    assumptions = msgspec.structs.replace(answer.assumptions, notes=(*answer.assumptions.notes, note))
    return msgspec.structs.replace(answer, assumptions=assumptions)


def read_link(link: str) -> Question:
    """The question in a link or code, with its arguments still unread. Whoever sent it may mean harm."""
    code = link.strip()
    if len(code) > MAX_CODE:
        raise UserError(f"That is too long for a question: {len(code)} letters, and at most {MAX_CODE} are read.")
    code = code.rpartition("#")[2]
    if code.lower().startswith(SCHEME):
        code = code[len(SCHEME) :].rstrip("/")
    found = _CODE.fullmatch(code)
    if found is None:
        raise UserError(f"'{code[:40]}' is no link to a question: {HOW_IT_LOOKS}.")
    if f"st{found[1]}" != FORMAT:
        raise UserError(
            f"This link was made by another version: it has the format st{found[1]}, and Sandtable {__version__} "
            f"reads {FORMAT}."
        )
    try:
        packed = urlsafe_b64decode(found[2] + "=" * (-len(found[2]) % 4))
    except ValueError:
        packed = b""
    checked, packed = packed[:SUM], packed[SUM:]
    if zlib.crc32(packed).to_bytes(SUM) != checked:
        raise UserError("This link was changed or cut on its way here; copy it again, whole.")
    try:
        return msgspec.json.decode(_inflate(packed), type=Question)
    except (msgspec.DecodeError, RecursionError) as error:
        raise UserError(f"This link holds no question: {error}.") from None


def _inflate(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=RAW, zdict=COMMON)
    try:
        text = unpacker.decompress(packed, MAX_INFLATED)
    except zlib.error:
        raise UserError("This link holds no question: it cannot be unpacked.") from None
    if len(text) == MAX_INFLATED:
        raise UserError(f"This link unpacks to more than the {MAX_INFLATED >> 10} kB that a question may have.")
    if not unpacker.eof or unpacker.unused_data:
        raise UserError("This link holds no question: it ends too early or too late.")
    return text


def _words(data: Any) -> Iterator[str]:
    """Every text in plain data."""
    match data:
        case str():
            yield data
        case dict():
            yield from (word for pair in data.items() for part in pair for word in _words(part))
        case list() | tuple():
            yield from (word for item in data for word in _words(item))


def _check_sources(given: dict[str, Any], pack: str) -> None:
    """Refuse what would read anything but packs that are installed, or the folder that the user named."""
    wanted = given["setting"].pack
    known = find_packs()
    if pack:
        named = load_named(pack).header.id
        if named != wanted:
            raise UserError(f"The question is about the pack '{wanted[:60]}', and {pack} holds '{named}'.")
    elif wanted not in known:
        here = f"which is not installed here; there are: {', '.join(known)}"
        raise UserError(f"The question is about the pack '{wanted[:60]}', {here}. Install it, or name its folder.")
    for value in _sources(given):
        if isinstance(value, ArmyList):
            if value.pack != wanted and value.pack not in known:
                raise UserError(f"The list {value.name} is for the pack '{value.pack}', which is not installed here.")
        elif is_file(value) or is_file(list_in(value)):
            raise UserError("A link never opens files; links that Sandtable makes hold the lists themselves.")


def _sources(given: dict[str, Any]) -> Iterator[str | ArmyList]:
    for value in given.values():
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, str | ArmyList):
                yield item
