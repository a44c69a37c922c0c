"""The slips that mutants make: which, where, and that each is made in the running function and taken back."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from sandtable.rules.operators import Function, changes


def function_of(source: str) -> Function:
    node = ast.parse(dedent(source)).body[0]
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return node


def whats(expression: str) -> list[str]:
    """All changes to a function that returns an expression."""
    return [change.what for change in changes(function_of(f"def f(a, b, c, xs, m):\n    return {expression}"))]


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("a < b", "`a < b` becomes `a <= b`"),
        ("a <= b", "`a <= b` becomes `a < b`"),
        ("a > b", "`a > b` becomes `a >= b`"),
        ("a >= b", "`a >= b` becomes `a > b`"),
        ("a == b", "`a == b` becomes `a != b`"),
        ("a != b", "`a != b` becomes `a == b`"),
        ("a in xs", "`a in xs` becomes `a not in xs`"),
        ("a not in xs", "`a not in xs` becomes `a in xs`"),
        ("a is b", "`a is b` becomes `a is not b`"),
        ("a is not b", "`a is not b` becomes `a is b`"),
        ("a + b", "`a + b` becomes `a - b`"),
        ("a - b", "`a - b` becomes `a + b`"),
        ("a & b", "`a & b` becomes `a | b`"),
        ("a | b", "`a | b` becomes `a & b`"),
        ("any(xs)", "`any(xs)` becomes `all(xs)`"),
        ("all(xs)", "`all(xs)` becomes `any(xs)`"),
        ("min(xs)", "`min(xs)` becomes `max(xs)`"),
        ("max(xs)", "`max(xs)` becomes `min(xs)`"),
        ("m.any()", "`m.any()` becomes `m.all()`"),
        ("m.maximum(a, b)", "`m.maximum(a, b)` becomes `m.minimum(a, b)`"),
        ("m.argmin(a)", "`m.argmin(a)` becomes `m.argmax(a)`"),
        ("not a", "`not a` becomes `a`"),
        ("~a", "`~a` becomes `a`"),
    ],
)
def test_each_slip_has_its_opposite(expression: str, said: str) -> None:
    assert whats(expression) == [said]


def test_every_comparison_of_a_chain_changes_by_itself() -> None:
    assert whats("a < b <= c") == ["`a < b <= c` becomes `a <= b <= c`", "`a < b <= c` becomes `a < b < c`"]


def test_a_number_is_one_more_or_one_less_and_shown_with_what_is_around_it() -> None:
    assert whats("a * 3") == ["`a * 3` becomes `a * 4`", "`a * 3` becomes `a * 2`"]
    assert whats("xs[0]") == ["`xs[0]` becomes `xs[1]`", "`xs[0]` becomes `xs[-1]`"]
    assert whats("m(b=1.5)") == ["`m(b=1.5)` becomes `m(b=2.5)`", "`m(b=1.5)` becomes `m(b=0.5)`"]
    assert whats("6") == ["`return 6` becomes `return 7`", "`return 6` becomes `return 5`"]
    assert whats("m((0, b), c)")[0] == "`(0, b)` becomes `(1, b)`"
    assert whats("m[0, 1]")[0] == "`m[0, 1]` becomes `m[1, 1]`"
    assert whats("True") == []
    source = "def f():\n    for turn in (-1, 2):\n        g(turn)"
    assert [change.what for change in changes(function_of(source))][:2] == [
        "`(-1, 2)` becomes `(-2, 2)`",
        "`(-1, 2)` becomes `(-0, 2)`",
    ]


def test_of_joined_conditions_each_is_left_out_in_turn() -> None:
    assert whats("a and b and c") == [
        "`a and b and c` becomes `a or b or c`",
        "`a` is left out of `a and b and c`",
        "`b` is left out of `a and b and c`",
        "`c` is left out of `a and b and c`",
    ]
    assert whats("a or b")[0] == "`a or b` becomes `a and b`"


def test_a_condition_holds_always_or_never() -> None:
    assert whats("a if b else c") == ["`if b` holds always", "`if b` holds never"]
    assert whats("[x for x in xs if x]") == ["`if x` of a comprehension holds always"]
    source = """
        async def f(a):
            if a:
                return b
            while a:
                await a
    """
    assert [change.what for change in changes(function_of(source))] == [
        "`if a` holds always",
        "`if a` holds never",
        "`while a` holds never",
    ]


def test_words_docstrings_defaults_and_annotations_are_left_alone() -> None:
    source = '''
        @rule("toy.a.b", neutral=1)
        def f(a: Literal[1], b=2) -> Literal[3]:
            """Four is 4."""
            c: Literal[5] = g(f"{a + 6} inches", "1 model" if a == 1 else "some models", "a " + str(b - 1))
    '''
    assert changes(function_of(source)) == []


def test_inner_functions_and_lambdas_change_too_and_the_line_is_told() -> None:
    source = """
        def f(xs):
            def near(x: int = 3) -> bool:
                return x < 3
            return sorted(xs, key=lambda x: -x)[0] or near
    """
    found = {change.what: change.line for change in changes(function_of(source))}
    assert found["`x < 3` becomes `x <= 3`"] == 4
    assert found["`3` becomes `4`"] == 3
    assert found["`sorted(xs, key=lambda x: -x)[0]` becomes `sorted(xs, key=lambda x: -x)[1]`"] == 5


def test_equal_slips_of_one_function_are_numbered() -> None:
    assert whats("(a < b, a < b)") == ["`a < b` becomes `a <= b`", "`a < b` becomes `a <= b` (2)"]


def test_of_a_long_piece_of_code_the_part_that_differs_is_shown() -> None:
    (said,) = [what for what in whats(f"m({'a, ' * 200}a < b)") if "<=" in what]
    assert said == "`a < b` becomes `a <= b`"
    more, less = whats(f"m({'a, ' * 200}77)")
    assert more.endswith("a, 78)`")
    assert less.endswith("a, 76)`")
    assert len(more) < 400


def test_a_change_is_made_and_taken_back() -> None:
    function = function_of("def f(a, b):\n    return a < b and not a")
    before = ast.dump(function)
    for change in changes(function):
        with change.made():
            assert ast.dump(function) != before
        assert ast.dump(function) == before


def test_a_condition_that_is_not_looked_at_still_binds_its_names() -> None:
    function = function_of("def f(a):\n    if (b := a) > 3:\n        return b\n    return -b")
    answers = {}
    for change in changes(function):
        with change.made():
            space: dict[str, object] = {}
            exec(compile(ast.Module([function], []), "f.py", "exec"), space)
            answers[change.what] = [space["f"](a) for a in (3, 5)]  # type: ignore[operator]
    assert answers["`if (b := a) > 3` holds always"] == [3, 5]
    assert answers["`if (b := a) > 3` holds never"] == [-3, -5]
    assert answers["`(b := a) > 3` becomes `(b := a) >= 3`"] == [3, 5]
