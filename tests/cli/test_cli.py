"""The command line: quick to start, and clear about what was wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandtable import __version__
from sandtable.cli import frame
from sandtable.cli.main import COMMANDS, main
from sandtable.errors import UserError

HEAVY = ("numba", "numpy", "matplotlib", "rich", "yaml", "msgspec", "pytest", "sandtable.rules", "sandtable.battle")


def loaded_after(arguments: list[str], **more: str) -> set[str]:
    """The modules that a fresh process has loaded when the command is done."""
    script = (
        "import sys; from sandtable.cli.main import main\n"
        f"status = main({arguments!r})\n"
        "print('\\n' + ' '.join(sys.modules)); sys.exit(status)"
    )
    done = subprocess.check_output([sys.executable, "-c", script], text=True, env={**os.environ, **more})
    return set(done.splitlines()[-1].split())


def test_help_loads_nothing_heavy() -> None:
    assert loaded_after(["--help"]).isdisjoint(HEAVY)


def test_looking_rules_up_needs_neither_numba_nor_numpy_nor_pytest() -> None:
    modules = loaded_after(["rules", "search", "advance", "--system", "w40k10"])
    assert "sandtable.rules.ledger" in modules
    assert modules.isdisjoint({"numba", "numpy", "matplotlib", "pytest"})


def test_one_question_about_odds_needs_neither_machine_code_nor_a_document(tmp_path: Path) -> None:
    question = ["odds", "into", "10 intercessors", "10 boyz", "--mod", "cover"]
    first, again = (loaded_after(question, XDG_CACHE_HOME=str(tmp_path), SANDTABLE_KERNELS="beside") for _ in range(2))
    assert "yaml" in first
    assert again.isdisjoint({"numba", "yaml", "matplotlib", "pydantic"})


def test_a_number_that_was_typed_is_still_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "into", "10 intercessors", "10 boyz", "--hurt", "-1"]) == 2
    assert capsys.readouterr().err.startswith("Error: Invalid value for '--hurt'")
    assert main(["odds", "into", "10 intercessors", "10 boyz", "--hurt", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["target"] == "10 Boyz, 1 wound lost"


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    for name, (_, line) in COMMANDS.items():
        assert f"{name} {line}" in said


@pytest.mark.parametrize("arguments", [[], ["rules"]])
def test_a_group_alone_shows_its_help(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    assert capsys.readouterr().out.startswith("Usage: sandtable")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"sandtable {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rulse"], "'sandtable' has no command 'rulse'. Did you mean 'rules'?"),
        (["rules", "serach", "x"], "'sandtable rules' has no command 'serach'. Did you mean 'search'?"),
        (["rules", "show", "--jsn"], "'sandtable rules show' has no option '--jsn'. Did you mean '--json'?"),
        (["rules", "--zzzzzz"], "'sandtable rules' has no option '--zzzzzz'. It has: --help, -h."),
        (["rules", "show"], "Missing argument 'ID'. See 'sandtable rules show --help'."),
        (
            ["rules", "show", "w40k10.move.advanc"],
            "There is no rule 'w40k10.move.advanc'. Did you mean w40k10.move.advance",
        ),
        (["rules", "search", "x", "-s", "w40k9"], "There is no rules system 'w40k9'; the ledger has epica"),
        (["rules", "coverage", "-s", "w40k9"], "There is no rules system 'w40k9'; the ledger has epica"),
        (["rules", "prove", "--jobs", "0"], "Invalid value for '--jobs'"),
    ],
)
def test_what_was_wrong_is_said_in_one_line(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"Error: {sentence}")
    assert said.err.count("\n") == 1


def test_a_user_error_in_a_command_becomes_a_sentence_and_any_other_error_stays_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    app = frame.new_app("A test.")

    @app.command()
    def wrong() -> None:
        raise UserError("The table has no legs.")

    @app.command()
    def broken() -> None:
        raise ZeroDivisionError

    assert frame.call(app, "test", ["wrong"]) == 2
    assert capsys.readouterr().err == "Error: The table has no legs.\n"
    with pytest.raises(ZeroDivisionError):
        frame.call(app, "test", ["broken"])


def test_a_lazy_command_is_imported_when_it_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import typer

    (tmp_path / "lazy_dance.py").write_text(
        "from sandtable.cli.frame import new_app\napp = new_app('Dance.')\n"
        "@app.command()\ndef step(times: int) -> None:\n    print('step ' * times)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    app = typer.Typer(cls=frame.lazy_group({"dance": ("lazy_dance", "Dance a little.")}), rich_markup_mode=None)
    app.callback()(lambda: None)

    assert frame.call(app, "test", ["--help"]) == 0
    assert "dance  Dance a little." in capsys.readouterr().out
    assert "lazy_dance" not in sys.modules
    assert frame.call(app, "test", ["dance", "2"]) == 0
    assert capsys.readouterr().out == "step step \n"
    monkeypatch.delitem(sys.modules, "lazy_dance")


def test_the_installed_command_gives_the_exit_status() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sandtable.cli.main", "nonsense"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_terminal_that_knows_few_letters_gets_question_marks_and_the_command_goes_on() -> None:
    script = "import sandtable.cli.main as m; m.main = lambda: print('Gr\\xfc\\u2502n') or 3; m.run()"
    asked = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (asked.returncode, asked.stdout, asked.stderr) == (3, "Gr??n\n", "")


@pytest.mark.parametrize(("columns", "width"), [("0", 80), ("19", 80), ("20", 20), ("200", 200)])
def test_a_terminal_without_width_is_taken_for_a_common_one(
    columns: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sandtable.cli.out import console

    monkeypatch.setenv("COLUMNS", columns)
    assert console().width == width


def test_rules_are_shown_on_a_terminal_without_width(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "0")
    assert main(["rules", "show", "w40k10.move.options_free"]) == 0
    assert "w40k10.move.options_free" in capsys.readouterr().out


def test_what_was_typed_is_repeated_in_part_and_without_codes(capsys: pytest.CaptureFixture[str]) -> None:
    for nonsense in (
        ["\x1b[2J" + "x" * 100_000],
        ["rules", "show", "\x1b[2J" + "x" * 100_000],
        ["battle", "--seed", "\x1b" + "x" * 100_000],
    ):
        assert main(nonsense) == 2
        said = capsys.readouterr().err
        assert "\x1b" not in said
        assert len(said) < 3000


def test_search_prints_id_name_and_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "search", "advance", "-s", "w40k10", "--limit", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "w40k10.move.advance  Advance"
    assert "advance" in lines[1].lower()
    assert lines[2].endswith("--limit 26.")


def test_search_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "search", "advance", "-s", "w40k10", "--limit", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [set(hit) for hit in found] == [{"id", "name", "snippet", "score"}] * 2


def test_search_for_a_misspelt_word_suggests_another(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "search", "ovrewatch", "-s", "w40k8"]) == 0
    assert capsys.readouterr().err == "No rule speaks of 'ovrewatch'. Did you mean overwatch?\n"


@pytest.mark.parametrize("words", [[""], [" "], ["?!"]])
def test_a_search_for_nothing_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "search", *words]) == 2
    assert capsys.readouterr().err == "Error: Say at least one word that the rule speaks of.\n"


@pytest.mark.parametrize(
    "arguments", [["rules", "coverage", "--project"], ["bench", "--project"], ["odds", "into", "a", "b", "--pack"]]
)
def test_a_folder_whose_name_is_too_long_is_not_there(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*arguments, "x" * 300]) == 2
    assert capsys.readouterr().err.startswith(("Error: There is no folder xxx", "Error: No pack 'xxx"))


def test_show_prints_all_of_a_rule(capsys: pytest.CaptureFixture[str]) -> None:
    from sandtable.rules.ledger import find

    row = find("w40k10.move.advance")
    assert main(["rules", "show", row.id]) == 0
    said = capsys.readouterr().out
    for number, check in enumerate(row.checks, 1):
        assert f"{number}. {check}" in said
    assert " ".join(row.text.split()) in said
    assert "Enforced by" in said
    assert f"Builds on: {', '.join(row.needs)}" in said


def test_show_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "show", "w40k10.move.advance", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["name"] == "Advance"
    assert {"where", "text", "checks", "needs", "note", "code", "tests"} <= shown.keys()


def test_coverage_as_json_is_a_list_of_systems(capsys: pytest.CaptureFixture[str]) -> None:
    main(["rules", "coverage", "--system", "w40k4", "--json"])
    (counted,) = json.loads(capsys.readouterr().out)
    assert list(counted) == ["system", "rules", "checks", "enforced", "tested", "checks_tested", "missing"]
    assert counted["system"] == "w40k4"


def test_coverage_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    main(["rules", "coverage", "--system", "w40k4"])
    assert "w40k4" in capsys.readouterr().out


def test_coverage_with_a_wrong_mark_ends_with_status_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = tmp_path / "src" / "toy" / "rules" / "ledger" / "toy.yaml"
    ledger.parent.mkdir(parents=True)
    ledger.write_text("system: toy\nrules:\n  - {id: toy.a.one, name: x, where: x, text: x, checks: [x]}\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_toy.py").write_text('@pytest.mark.rule("toy.a.one", check=2)\ndef test(): ...\n')
    assert main(["rules", "coverage", "--project", str(tmp_path), "--json"]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out)[0]["tested"] == 1
    assert said.err == "tests/test_toy.py:1: toy.a.one has no check 2; it has 1 check.\n"


@pytest.mark.parametrize(
    "words",
    [
        ["battle", "--system", "w40k8", "--red", "ork-horde", "--blue", "orks-40-green-tide"],
        ["matchup", "ork-horde", "orks-40-green-tide", "--system", "w40k8"],
        ["army", "report", "ork-horde", "--system", "w40k8"],
    ],
)
def test_an_unknown_army_list_is_answered_with_near_ones_of_its_edition(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    told = capsys.readouterr().err
    assert "Did you mean 'orks-" in told
    assert "'sandtable army lists --system w40k8' shows all 15" in told
    assert "2000" not in told
    assert len(told) < 300


def test_the_ready_lists_of_an_edition_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["army", "lists", "--system", "w40k8"]) == 0
    names = capsys.readouterr().out.split()
    assert len(names) == 15
    assert "orks-40-green-tide" in names
