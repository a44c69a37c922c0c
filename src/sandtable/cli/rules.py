"""The command `sandtable rules`: look rules up, count how much is in, prove that the tests prove."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandtable.cli.frame import new_app

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from sandtable.rules.coverage import Coverage
    from sandtable.rules.diff import Pair
    from sandtable.rules.explain import Explanation
    from sandtable.rules.mutate import Survey
    from sandtable.rules.project import Project
    from sandtable.rules.prove import Report
    from sandtable.rules.scan import ProofMark
    from sandtable.rules.session import Fault, Progress

app = new_app("Look rules up; see what enforces and what proves them.")

System = Annotated[
    str | None, typer.Option("--system", "-s", metavar="SYSTEM", help="Only this rules system, for example w40k10.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Checkout = Annotated[
    Path | None, typer.Option("--project", metavar="FOLDER", help="Another source checkout than the one in use.")
]

Rules = Annotated[list[str] | None, typer.Option("--rule", "-r", metavar="ID", help="Only this rule; may be repeated.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", metavar="N", min=1, help="How many to try at the same time.")]
Timeout = Annotated[
    float, typer.Option("--timeout", metavar="SECONDS", min=0.1, help="Seconds that one test may take.")
]

BAR_WIDTH = 12


@app.command()
def search(
    words: Annotated[list[str], typer.Argument(help="Words that the rule speaks of.", metavar="WORDS...")],
    system: System = None,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", min=1, help="Show at most this many rules.")] = 20,
    json: Json = False,
) -> None:
    """Find rules by words, best first."""
    from sandtable.errors import UserError
    from sandtable.rules.ledger import Ledger
    from sandtable.rules.search import query_words, similar_words

    if not query_words(words):
        raise UserError("Say at least one word that the rule speaks of.")
    ledger = Ledger()
    hits = ledger.search(words, system)
    if json:
        _print_json(
            [{"id": h.row.id, "name": h.row.name, "snippet": h.snippet, "score": h.score} for h in hits[:limit]]
        )
        return
    query = query_words(words)
    if not hits:
        similar = [match for word in query for match in similar_words(ledger.rows(system), word)]
        end = f" Did you mean {' or '.join(similar[:3])}?" if similar else ""
        typer.echo(f"No rule speaks of {' '.join(words)!r}.{end}", err=True)
        return
    console = _console()
    for hit in hits[:limit]:
        console.print(_text((hit.row.id, "bold cyan"), "  ", (hit.row.name, "bold")))
        snippet = _text("    ", hit.snippet)
        snippet.highlight_words(query, "bold yellow", case_sensitive=False)
        console.print(snippet)
    if len(hits) > limit:
        console.print(_text((f"{len(hits) - limit} more; see them with --limit {len(hits)}.", "dim")))


@app.command()
def show(
    rule_id: Annotated[str, typer.Argument(help="The id of a rule, for example w40k10.move.advance.", metavar="ID")],
    project: Checkout = None,
    json: Json = False,
) -> None:
    """Print a rule, its code and the tests that prove it."""
    from sandtable.rules.explain import as_data, explain

    checkout = _checkout(project)
    found = explain(checkout, rule_id)
    if json:
        _print_json(as_data(checkout, found))
    else:
        _print_explanation(checkout, found)


@app.command()
def coverage(system: System = None, project: Checkout = None, json: Json = False) -> None:
    """Count the rules that code enforces and tests name.

    Marks that name no rule or no check of it are listed, and end it with status 1.
    """
    from sandtable.rules.coverage import coverage as count
    from sandtable.rules.scan import scan

    checkout = _checkout(project)
    checkout.need_tests()
    if system is not None:
        checkout.ledger.load(system)
    marks = scan(checkout)
    counts = count(checkout, system, marks)
    if json:
        _print_json(counts)
    else:
        _print_coverage(counts)
    for problem in marks.problems:
        typer.echo(f"{checkout.relative(problem.path)}:{problem.line}: {problem.message}", err=True)
    if marks.problems:
        raise typer.Exit(1)


@app.command()
def diff(
    one: Annotated[str, typer.Argument(help="A rules system, for example w40k10.", metavar="SYSTEM")],
    other: Annotated[str, typer.Argument(help="Another one.", metavar="SYSTEM")],
    area: Annotated[
        list[str] | None, typer.Option("--area", metavar="NAME", help="Only this part, for example charge; repeatable.")
    ] = None,
    changed: Annotated[bool, typer.Option("--facts", help="Only rules whose facts differ.")] = False,
    project: Checkout = None,
    json: Json = False,
) -> None:
    """Lay two systems side by side: their rules in the ledger's words, and the facts that each states.

    Rules belong together that have the same name or use the same rare words; what has no partner stands alone.
    """
    from sandtable.errors import UserError
    from sandtable.rules.diff import as_data
    from sandtable.rules.diff import diff as compare

    found = compare(_checkout(project), one, other)
    areas = list(dict.fromkeys(pair.area for pair in found))
    for name in area or ():
        if name not in areas:
            raise UserError(f"There is no part '{name}' in {one} or {other}; there are {', '.join(areas)}.")
    found = [p for p in found if (not area or p.area in area) and not (changed and p.same_facts)]
    if json:
        _print_json([as_data(pair) for pair in found])
    else:
        _print_diff(found, one, other)


@app.command()
def prove(
    system: System = None,
    rule: Rules = None,
    sample: Annotated[
        int | None, typer.Option("--sample", metavar="N", min=1, help="Only this many rules, at random.")
    ] = None,
    checks: Annotated[bool, typer.Option("--checks", help="Demand a proof of every check of the rules.")] = False,
    jobs: Jobs = 2,
    timeout: Timeout = 60.0,
    project: Checkout = None,
    json: Json = False,
) -> None:
    """Take rules away and demand that their tests fail.

    Each rule's code is replaced by code that answers as if the rule did not exist. A rule whose tests all pass without
    its code is hollow. With --checks, each check that tests name needs one that fails without the rule, or that kills a
    mutant of the rule's code. Hollow rules, checks without a proof, and tests that fail anyway, end it with status 1.
    """
    from sandtable.rules.prove import prove as run

    checkout = _checkout(project)
    with _ProgressBar() as progress:
        report = run(
            checkout,
            system=system,
            rules=rule or (),
            sample=sample,
            jobs=jobs,
            checks=checks,
            timeout=timeout,
            progress=progress,
        )
    if json:
        content = {"good": report.good, "hollow": report.hollow, "proofs": report.proofs, "faults": report.faults}
        if checks:
            content["unproved"] = [{"rule": p.rule, "check": number} for p in report.proofs for number in p.unproved]
            content["unnamed"] = [{"rule": p.rule, "check": number} for p in report.proofs for number in p.unnamed]
        _print_json(content)
    else:
        _print_report(report, checks)
    if not report.good:
        raise typer.Exit(1)


@app.command()
def mutate(
    system: System = None,
    rule: Rules = None,
    file: Annotated[
        list[str] | None,
        typer.Option("--file", "-f", metavar="PATH", help="Only functions of this file, as in charge.py; repeatable."),
    ] = None,
    sample: Annotated[
        int | None, typer.Option("--sample", metavar="N", min=1, help="Only this many mutants, drawn by the seed.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Draws the sample.")] = 0,
    changed: Annotated[
        bool,
        typer.Option(
            "--changed",
            help="Only functions that differ from where HEAD left the shared branch (origin/HEAD, origin/main, main); "
            "if it has not left it, from HEAD, or from the commit before if nothing is uncommitted.",
        ),
    ] = False,
    since: Annotated[
        str | None, typer.Option("--since", metavar="COMMIT", help="As --changed, but against this commit.")
    ] = None,
    jobs: Jobs = 2,
    timeout: Timeout = 60.0,
    project: Checkout = None,
    json: Json = False,
) -> None:
    """Change one thing in the code of rules and demand that their tests fail.

    A mutant is the code of a rule with one slip in it: a comparison, any for all, a number one off, a condition that is
    not looked at. Those that no test of the rule notices survive and end it with status 1, unless they stand on the
    list of equivalent mutants in tests/equivalent.
    """
    from sandtable.rules.mutate import mutate as run

    checkout = _checkout(project)
    with _ProgressBar() as progress:
        survey = run(
            checkout,
            system=system,
            rules=rule or (),
            files=file or (),
            sample=sample,
            seed=seed,
            only_changed=changed,
            since=since,
            jobs=jobs,
            timeout=timeout,
            progress=progress,
        )
    if json:
        survived = [
            {"rule": ", ".join(m.rules), "file": m.file, "line": m.line, "what": f"{m.function}: {m.what}"}
            for m in survey.survived
        ]
        counts = {"mutants": survey.mutants, "killed": survey.killed, "equivalent": survey.equivalent}
        _print_json({**counts, "survived": survived})
        if survey.compared is not None:
            typer.echo(f"Functions that differ from {survey.compared}.", err=True)
        for fault in survey.faults:
            typer.echo(f"{fault.where}: {fault.message}", err=True)
    else:
        _print_survey(survey)
    if not survey.good:
        raise typer.Exit(1)


# ------------------------------------------------------------------------------------------------------- printing


def _print_explanation(project: Project, found: Explanation) -> None:
    console = _console()
    row = found.row
    console.print(_text((row.id, "bold cyan"), "  ", (row.name, "bold")))
    console.print(_text((row.where, "dim")))
    console.print()
    console.print(_text(" ".join(row.text.split())))
    if row.table is not None:
        import yaml

        console.print()
        console.print(_text(yaml.safe_dump(row.table, sort_keys=False, allow_unicode=True, width=100).rstrip()))
    console.print()
    console.print(_text(("Checks", "bold")))
    for number, check in enumerate(row.checks, 1):
        console.print(_text(f"  {number}. {' '.join(check.split())}"))
        for test in found.proving(number):
            console.print(_text(("     proved by ", "dim"), (_place(project, test), "green")))
        if not found.proving(number):
            console.print(_text(("     no test names it yet", "yellow")))
    for test in found.tests:
        if not test.checks:
            console.print(_text(("  named as a whole by ", "dim"), (_place(project, test), "green")))
    for label, content in (("Decided by", row.choice), ("Builds on", ", ".join(row.needs)), ("Note", row.note)):
        if content:
            console.print()
            console.print(_text((f"{label}: ", "bold"), " ".join(content.split())))
    console.print()
    console.print(_text(("Enforced by", "bold")))
    for code in found.code:
        console.print(_text((f"  {project.relative(code.path)}:{code.line}", "green"), f"  {code.function}"))
        if code.doc:
            console.print(_text((f"    {code.doc}", "dim")))
    if not found.code:
        console.print(_text(("  no code yet", "yellow")))


def _place(project: Project, test: ProofMark) -> str:
    return f"{project.relative(test.path)}:{test.line}" + (f"  {test.test}" if test.test else "")


def _print_coverage(counts: list[Coverage]) -> None:
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("system")
    for name in ("enforced", "tested", "checks tested"):
        table.add_column(name, justify="right", no_wrap=True)
        table.add_column("")
    for count in counts:
        cells: list[Any] = [count.system]
        for done, total in (
            (count.enforced, count.rules),
            (count.tested, count.rules),
            (count.checks_tested, count.checks),
        ):
            cells += [f"{done}/{total}", ProgressBar(total=total, completed=done, width=BAR_WIDTH)]
        table.add_row(*cells)
    _console().print(table)


def _print_diff(found: list[Pair], *systems: str) -> None:
    from rich.table import Table

    from sandtable.rules.diff import told

    console = _console()
    shown = ""
    for pair in found:
        if pair.area != shown:
            shown = pair.area
            console.print(_text("\n" if pair is not found[0] else "", (shown.capitalize(), "bold underline")))
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), expand=True, show_header=False)
        table.add_column(ratio=1)
        table.add_column(ratio=1)
        cells = []
        for row, facts in zip(pair.rows, pair.facts, strict=True):
            if row is None:
                cells.append(_text(("nothing like it", "dim")))
                continue
            style = "" if pair.same_facts else "yellow"
            values = [(f"\n{line}", style) for line in told(facts)]
            cells.append(_text((row.name, "bold"), (f"  {row.id}\n", "cyan"), " ".join(row.text.split()), *values))
        table.add_row(*cells)
        console.print(table)
        console.print()
    both = sum(1 for pair in found if all(pair.rows))
    alone = [sum(1 for pair in found if not pair.rows[1 - i]) for i in (0, 1)]
    counts = ", ".join(f"{n} in {name} alone" for n, name in zip(alone, systems, strict=True))
    console.print(f"{both} rules in both, {counts}.", highlight=False)


def _print_report(report: Report, checks: bool) -> None:
    console = _console()
    for proof in report.proofs:
        tests = "1 test" if proof.tests == 1 else f"{proof.tests} tests"
        verdict = ("hollow ", "bold red") if proof.hollow else ("proved ", "green")
        console.print(_text(verdict, (proof.rule, "bold"), f"  {tests}"))
        if proof.hollow:
            console.print(_text("    every test passes without the code that enforces the rule"))
        else:
            console.print(_text((f"    {proof.first_failure}: {proof.error}", "dim")))
        for check in proof.checks:
            if check.mutant is not None:
                console.print(_text((f"    check {check.number} kills a mutant: {check.mutant}", "dim")))
            elif not check.tests:
                console.print(_text((f"    check {check.number}: no test names it", "dim")))
            elif not check.proved:
                reason = "its tests pass without the rule and kill no mutant"
                console.print(_text((f"    check {check.number} is not proved: {reason}", "yellow")))
        for idle in proof.idle if proof.unproved else ():
            numbers = f" (check {', '.join(map(str, idle.checks))})" if idle.checks else ""
            console.print(_text((f"    passes without the rule: {idle.test}{numbers}", "yellow")))
    _print_faults(console, report.faults)
    proved = len(report.proofs) - len(report.hollow)
    console.print(f"{proved} proved, {len(report.hollow)} hollow, {len(report.faults)} faults.", highlight=False)
    if checks:
        unnamed = sum(len(proof.unnamed) for proof in report.proofs)
        named = sum(len(proof.checks) for proof in report.proofs) - unnamed
        console.print(
            f"{named - report.unproved} checks proved, {report.unproved} not; {unnamed} that no test names.",
            highlight=False,
        )


def _print_survey(survey: Survey) -> None:
    console = _console()
    if survey.compared is not None:
        console.print(_text((f"Functions that differ from {survey.compared}.", "dim")))
    for mutant in survey.survived:
        console.print(
            _text(("survived ", "bold red"), (f"{mutant.file}:{mutant.line}", "bold"), f"  {', '.join(mutant.rules)}")
        )
        console.print(_text(f"    {mutant.function}: {mutant.what}"))
    _print_faults(console, survey.faults)
    console.print(
        f"{survey.mutants} mutants: {survey.killed} killed, {survey.equivalent} equivalent, "
        f"{len(survey.survived)} survived; {len(survey.faults)} faults.",
        highlight=False,
    )


def _print_faults(console: Console, faults: list[Fault]) -> None:
    for fault in faults:
        console.print(_text(("fault  ", "bold red"), (fault.where, "bold"), f"  {fault.message}"))


class _ProgressBar:
    """A bar on stderr while rules are being proven, if someone is looking."""

    def __enter__(self) -> Progress:
        self.bar: Any = None
        if not sys.stderr.isatty():
            return lambda doing, done, total: None
        from rich.console import Console
        from rich.progress import Progress as Bars

        # A bar that refreshes itself has a thread, and a process with threads must not be forked.
        self.bar = Bars(console=Console(stderr=True), transient=True, auto_refresh=False)
        self.bar.start()
        self.task = self.bar.add_task("collecting the tests", total=None)
        self.bar.refresh()
        return self._advance

    def _advance(self, doing: str, done: int, total: int) -> None:
        self.bar.update(self.task, description=doing, completed=done, total=total, refresh=True)

    def __exit__(self, *exception: object) -> None:
        if self.bar is not None:
            self.bar.stop()


def _checkout(root: Path | None) -> Project:
    from sandtable.rules.project import Project

    return Project.here() if root is None else Project.at(root)


def _console() -> Console:
    from sandtable.cli.out import console

    return console()


def _text(*parts: str | tuple[str, str]) -> Text:
    from rich.text import Text

    return Text.assemble(*parts)


def _print_json(content: Any) -> None:
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(content), indent=2).decode())
