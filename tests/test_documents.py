"""YAML of strangers: what is read, and what is refused with its place before it can do harm."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import pytest

from sandtable.documents import MAX_DEPTH, MAX_VALUES, convert, fields_of, parse_document, parse_yaml
from sandtable.errors import UserError

HUGE = "9" * 5000
UNKNOWN = "Object contains unknown field"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("-12", -12),
        ("+5", 5),
        ("007", 7),
        ("0x1F", 31),
        ("0o17", 15),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("-2.5E-1", -0.25),
        ("4611686018427387904", 1 << 62),
        ("yes", True),
        ("False", False),
        ("~", None),
        ("", None),
        ("null", None),
        # Words that are not numbers, though YAML 1.1 took some of them for such.
        ("on", "on"),
        ("off", "off"),
        ("12:30:15", "12:30:15"),
        ("1_000", "1_000"),
        ("2023-01-01", "2023-01-01"),
        ("2D6", "2D6"),
        ("5+", "5+"),
        ("0b11", "0b11"),
        ("'7'", "7"),
        ('"yes"', "yes"),
        ("'~'", "~"),
        ("|\n  a\n  b\n", "a\nb\n"),
        ("{a: 1, 2: [x, {}], yes: ~}", {"a": 1, 2: ["x", {}], True: None}),
        ("a: &name 1", {"a": 1}),
        ("# nothing but a remark", None),
    ],
)
def test_plain_data_is_read_as_it_looks(text: str, value: Any) -> None:
    read = parse_yaml(text, "f.yaml")
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "a: 1\nb: !!bool x",
            "f.yaml, line 2, column 4: YAML tags (!!bool) are not allowed here; write the value",
        ),
        ("- !!timestamp x", "f.yaml, line 1, column 3: YAML tags (!!timestamp) are not allowed"),
        ("- !!int x", "YAML tags (!!int)"),
        ("!!set {a, b}", "f.yaml, line 1, column 1: YAML tags (!!set)"),
        ("!mine [1]", "YAML tags (!mine)"),
        ("a: ! x", "YAML tags (!)"),
        (f"! {{!!int {HUGE}: 1}}", "YAML tags (!)"),
        ("a: 1\n\nc:\n  a: 1\n  b: 2\n  a: 3", "f.yaml, line 6, column 3: 'a' stands twice; the first time in line 4."),
        ("{1: a, 1.0: b}", "line 1, column 8: '1.0' stands twice; the first time in line 1."),
        ("? [1, 2]\n: x", "line 1, column 3: a list or mapping cannot name a field."),
        ("? {a: b}\n: x", "a list or mapping cannot name a field."),
        (f"{'k' * 201}: 1", "the name of a field has at most 200 characters, not 201."),
        ("a: &x [1]\nb: *x", "line 2, column 4: YAML aliases (*name) are not allowed here"),
        ("x: 0x" + "F" * 5000, "line 1, column 4: the number 0xFFFFF"),
        (f"[1, {HUGE}]", "line 1, column 5: the number 9999"),
        ("4611686018427387905", "the number 4611686018427387905 is too large or too long"),
        ("1e400", "the number 1e400 is too large or too long"),
        ("-1e19", "the number -1e19 is too large"),
        ("a: .nan", "line 1, column 4: '.nan' is no number that can be counted or measured with"),
        ("-.INF", "'-.INF' is no number"),
        ("a: 1\n---\nb: 2", "line 2, column 1: not valid YAML: a second document begins here"),
        ("[" * (MAX_DEPTH + 1), f"line 1, column 41: nested too deeply: at most {MAX_DEPTH} levels"),
        ("a: 1\nb: \x1b[31m", "f.yaml, line 2: not valid YAML: it holds a character that cannot be read."),
        ("a: \ud800", "f.yaml: not valid YAML: it holds a character that cannot be read."),
        ("a: 'x", "f.yaml, line 1: not valid YAML: found unexpected end of stream."),
        ("%YAML 9.9\n--- a", "f.yaml, line 1: not valid YAML: found incompatible YAML document."),
        (f"%{'x' * 5000} 1\n--- a", "not valid YAML"),
        (f"a: !<{'x' * 5000}> b", "YAML tags (xxxxx"),
    ],
)
def test_what_could_do_harm_is_refused_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_yaml(text, "f.yaml")
    assert sentence in str(caught.value)
    assert len(str(caught.value)) < 250


def test_the_deepest_nesting_and_the_longest_name_are_read() -> None:
    read = parse_yaml("[" * MAX_DEPTH + "]" * MAX_DEPTH, "f.yaml")
    for _ in range(MAX_DEPTH - 1):
        (read,) = read
    assert read == []
    assert parse_yaml(f"{'k' * 200}: 1", "f.yaml") == {"k" * 200: 1}


@pytest.mark.parametrize(
    "text",
    [
        "[" + "1," * 500_000 + "]",
        "- \n" * 340_000,
        "{" + ",".join(f"a{i}: 1" for i in range(80_000)) + "}",
        "[" + "[]," * 340_000 + "]",
        "x: " + "y " * 500_000,
        "[" * 1_000_000,
        "- " * 500_000,
        "{a: " * 250_000,
        "? " * 500_000,
        '"' + "\\x41" * 250_000 + '"',
        "&a " * 340_000,
        "a: !!int 1\n" * 90_000,
    ],
    ids=range(12),
)
def test_a_megabyte_of_anything_is_read_or_refused_without_waiting_for_ever(text: str) -> None:
    began = time.process_time()
    try:
        parse_yaml(text[: 1 << 20], "f.yaml")
    except UserError as error:
        assert len(str(error)) < 250
    assert time.process_time() - began < 8, "it hangs"


def test_as_many_values_as_the_bound_are_read_and_no_more() -> None:
    assert len(parse_yaml("[" + "1," * (MAX_VALUES - 1) + "]", "f.yaml")) == MAX_VALUES - 1
    with pytest.raises(UserError, match=f"f.yaml, line 1, column .*: more than {MAX_VALUES} values."):
        parse_yaml("[" + "1," * MAX_VALUES + "]", "f.yaml")


# --- Structs ----------------------------------------------------------------------------------------------------------


class Other(msgspec.Struct, tag=True):
    colour: str = ""


class Part(msgspec.Struct, tag=True, forbid_unknown_fields=True, rename={"start": "from"}):
    start: int = 0
    more: tuple[Part, ...] = ()
    by: dict[str, Part] = {}
    any: Part | str | None = None
    pair: tuple[int, Part] | None = None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("from: x", "f.yaml, line 1: from: Expected `int`, got `str`."),
        ("\n[]", "f.yaml: Expected `object`, got `array`."),
        ("more:\n- {}\n- from: 1\n  to: 2", f"f.yaml, line 4: more[1]: {UNKNOWN} `to`; its fields are from, more,"),
        ("by:\n  a:\n    b: 1", f"f.yaml, line 1: by[...]: {UNKNOWN} `b`; its fields are from, more,"),
        ("any: {b: 1}", f"f.yaml, line 1: any: {UNKNOWN} `b`; its fields are from, more,"),
        ("pair: [1,\n {b: 1}]", f"f.yaml, line 2: pair[1]: {UNKNOWN} `b`; its fields are from, more,"),
        ("by: {1: {}}", "f.yaml, line 1: a name in by: Expected `str`, got `int`."),
        ("wrong: 1", f"f.yaml, line 1: {UNKNOWN} `wrong`; its fields are from, more,"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_with_line_and_field(text: str, sentence: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_document(text, Part, "f.yaml")
    assert str(caught.value).startswith(sentence)


def test_a_part_of_a_document_is_told_without_a_line() -> None:
    with pytest.raises(UserError, match=r"^the first sheet, more\[0\].from: Expected `int`, got `str`.$"):
        convert({"more": [{"from": "x"}]}, Part, "the first sheet")
    with pytest.raises(UserError, match=r"^the first sheet: Expected `object`, got `int`.$"):
        convert(3, Part, "the first sheet")


def test_fields_are_named_only_where_it_is_clear_which() -> None:
    assert fields_of(Part, ["nothing"]) == ()
    assert fields_of(Part, ["from", "x"]) == ()
    assert fields_of(Part | Other, []) == ()
    assert fields_of(Part | Other, [], {"type": "Other"}) == ("colour",)
    assert fields_of(tuple[Part | Other, ...], ["1"], [{}, {"type": "Other"}]) == ("colour",)
    assert fields_of(tuple[Part | Other, ...], ["0"], [{}, {"type": "Other"}]) == ()
    assert fields_of(tuple[int, ...], []) == ()
    assert fields_of(int, []) == ()


def test_an_error_in_a_long_document_is_told_without_searching_it_for_the_line() -> None:
    text = "from: x\nmore: [" + "{}," * 90_000 + "]"
    began = time.process_time()
    with pytest.raises(UserError, match=r"^f.yaml, from: Expected `int`, got `str`.$"):
        parse_document(text, Part, "f.yaml")
    assert time.process_time() - began < 8, "it hangs"


def test_a_sign_that_only_looks_like_a_number_leads_nowhere() -> None:
    assert fields_of(tuple[int, int], ["\u00b2"]) == ()
