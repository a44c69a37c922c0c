"""The command `sandtable serve`: battles over the network."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread
from typing import Annotated, Any

import typer

from sandtable.cli.frame import new_app
from sandtable.errors import UserError
from sandtable.folders import user_folder

app = new_app("Let people and programs play over the network.")


@app.command()
def serve(
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Who may connect: 0.0.0.0 for everybody on the network.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="0 for any that is free.")] = 8000,
    database: Annotated[
        str,
        typer.Option("--database", metavar="URL", help="sqlite:///FILE or postgresql://HOST/NAME; a file by default."),
    ] = "",
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", min=1, help="Processes that think for computer players.")
    ] = None,
    begins: Annotated[
        int,
        typer.Option("--begins", metavar="N", min=1, help="Battles that one address may begin in a minute."),
    ] = 20,
    idle: Annotated[
        float,
        typer.Option(
            "--idle",
            metavar="SECONDS",
            min=0.1,
            help="When a battle that nobody looks at leaves memory.",
        ),
    ] = 600.0,
    private_hooks: Annotated[
        bool, typer.Option("--private-hooks", help="Let seats name webhooks on this machine and its own network.")
    ] = False,
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            metavar="NAME",
            help="A name under which a proxy on this machine is reached; without --host nobody else is answered.",
        ),
    ] = None,
    forget: Annotated[
        float,
        typer.Option(
            "--forget",
            metavar="DAYS",
            min=0.0,
            help="When battles are removed in which no person ever answered; 0 for never.",
        ),
    ] = 0.0,
    cold: Annotated[bool, typer.Option("--cold", help="Load what battles need only when somebody asks.")] = False,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    battle: Annotated[bool, typer.Option("--battle", help="Open it, and begin a battle at once.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Write every request to the log.")] = False,
) -> None:
    """Let people and programs play over the network; battles are kept in a database."""
    from sandtable.server.running import run

    url = database or f"sqlite:///{_usual_file()}"
    count = workers or max(1, (os.cpu_count() or 2) - 1)

    def ready(address: str) -> None:
        typer.echo(f"Sandtable is at {address} (Ctrl-C ends it).")
        if open_page or battle:
            _show(f"{address}/#play" if battle else address)

    run(
        host,
        port,
        url,
        count,
        ready,
        begins_per_minute=begins,
        idle=idle,
        private_hooks=private_hooks,
        names=name or (),
        forget=forget,
        warm=not cold,
        verbose=verbose,
    )


def _usual_file() -> Path:
    """Where battles are kept unless a database is named."""
    folder = user_folder("XDG_DATA_HOME", ".local", "share")
    if folder is None:
        raise UserError("You have no home here in which battles could be kept; name a --database.")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise UserError(f"Cannot make the folder {folder}: {error.strerror}; name a --database.") from None
    return folder / "battles.db"


def _show(address: str) -> None:
    """Open the page beside the server, which a browser in the terminal would wait for, and keep from replying."""
    import webbrowser

    browse: Any = webbrowser.open
    Thread(target=browse, args=(address,), daemon=True).start()
