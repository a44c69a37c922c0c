"""The command `sandtable bench`: run the measurements of a checkout and hold them against their limits."""

from __future__ import annotations

import multiprocessing
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Annotated, Any

import typer

from sandtable.cli.frame import WRONG_INPUT, new_app
from sandtable.errors import UserError

AGAIN = 2
"""How often figures over their limit are measured again."""

app = new_app("Measure how fast the engine is.")


@app.command()
def bench(
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    only: Annotated[str, typer.Option("--only", metavar="NAME", help="Only bench/NAME.py.")] = "",
    project: Annotated[
        Path | None, typer.Option("--project", metavar="FOLDER", help="Another source checkout than the one in use.")
    ] = None,
) -> None:
    """Measure how fast the engine is; a figure over its limit ends it with status 1."""
    from sandtable.rules.project import Project, existing

    root = Project.here().root if project is None else existing(project)
    files = [p for p in sorted((root / "bench").glob("*.py")) if not p.name.startswith("_")]
    if only:
        files = [p for p in files if p.stem == only]
    if not files:
        wanted = f"bench/{only}.py" if only else "folder bench/ with measurements"
        raise UserError(f"There is no {wanted} in {root}; this command needs a source checkout of the project.")
    figures: dict[str, dict[str, Any]] = {}
    troubles: list[str] = []
    for path in files:
        try:
            figures.update(_best(path))
        except UserError as error:
            # One module that fails does not take the figures of the others with it.
            troubles.append(str(error))
    if json:
        from sandtable.cli.out import print_json

        print_json(figures)
    else:
        _print(figures)
    for trouble in troubles:
        typer.echo(f"Error: {trouble}", err=True)
    if troubles:
        raise typer.Exit(WRONG_INPUT)
    if any(not figure["ok"] for figure in figures.values()):
        raise typer.Exit(1)


def _best(path: Path) -> dict[str, dict[str, Any]]:
    """The figures of one module. One over its limit is measured again, for a shared machine stalls now and then."""
    best = _alone(path)
    for _ in range(AGAIN):
        if all(figure["ok"] for figure in best.values()):
            break
        for name, figure in _alone(path).items():
            better = max if figure.get("at_least") else min
            if name not in best or better(figure["value"], best[name]["value"]) == figure["value"]:
                best[name] = figure
    return best


def _alone(path: Path) -> dict[str, dict[str, Any]]:
    """The figures of one module, from a process of its own: what others leave in memory would slow its forks down."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        try:
            return process.submit(_measure, path).result()
        except BrokenProcessPool:
            raise UserError(
                f"bench/{path.name} cannot be measured: its process died, perhaps for want of memory."
            ) from None


def _measure(path: Path) -> dict[str, dict[str, Any]]:
    """The figures of one module, each with `value`, `limit`, `what`, and whether it is `ok`.

    A limit is the most that a value may be; with `at_least: true` it is the least. None sets no limit.
    """
    from sandtable import kernels

    kernels.engage(kernels.COMPILED)
    where = f"bench/{path.name}"
    spec = spec_from_file_location(f"sandtable_bench_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        measure = getattr(module, "measure", None)
        found = {} if measure is None else measure()
    except UserError:
        raise
    except Exception as error:
        raise UserError(f"{where} cannot be measured: {type(error).__name__}: {error}.") from error
    out = {}
    for name, figure in found.items():
        if not isinstance(figure, Mapping) or not {"value", "limit", "what"} <= set(figure):
            raise UserError(f"{where}: '{name}' needs a value, a limit and what it is.")
        value, limit = figure["value"], figure["limit"]
        ok = limit is None or (value >= limit if figure.get("at_least") else value <= limit)
        out[str(name)] = {**figure, "ok": ok}
    return out


def _print(figures: Mapping[str, Mapping[str, Any]]) -> None:
    from rich.table import Table

    from sandtable.cli.out import console

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("")
    table.add_column("figure", overflow="fold")
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("limit", justify="right", no_wrap=True)
    table.add_column("what", overflow="fold")
    for name, figure in figures.items():
        limit = "" if figure["limit"] is None else f"{figure['limit']:g}"
        mark = "[green]ok[/]" if figure["ok"] else "[bold red]OVER[/]"
        table.add_row(mark, name, f"{figure['value']:.4g}", limit, str(figure["what"]))
    console().print(table)
