"""The command `sandtable replay`: play a saved battle again, and see whether it still plays the same."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandtable.cli.frame import new_app
from sandtable.errors import UserError

if TYPE_CHECKING:
    from rich.text import Text

    from sandtable.battle.journal import Entry
    from sandtable.cli.account import Account

app = new_app("Play a saved battle again.")


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A battle that was saved.")],
    verify: Annotated[bool, typer.Option("--verify", help="Only say whether it plays the same.")] = False,
    until: Annotated[
        int | None, typer.Option("--until", metavar="N", min=0, help="Stop after this many answers.")
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Tell every decision and every roll, with the rules behind them.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page that replays the battle.")
    ] = None,
) -> None:
    """Play a saved battle again, and see whether it still plays the same."""
    from sandtable.api import disagreement
    from sandtable.api import replay as play_again
    from sandtable.cli.out import console, show, text
    from sandtable.files import claim

    claim(html, beside=[file])
    teller = Teller(verbose)
    battle, agreement = play_again(file, until, None if verify else teller)
    screen = console()
    if not verify:
        teller.finish(battle)
        teller.close()
        for line in teller.lines:
            show(screen, line)
    trouble = disagreement(file, agreement)
    if trouble:
        raise UserError(trouble)
    other = "" if agreement.same_version else f" It was written by Sandtable {agreement.version}."
    here = f"after {len(battle.answers)} answers" if until is not None else "to its end"
    screen.print(text(f"{file} plays the same {here}: {agreement.of} steps agree.{other}"))
    if html is not None:
        from sandtable.page import write_page

        write_page(battle, html)
        screen.print(text(f"Wrote {html}."))


class Teller:
    """The account of a battle that is played again."""

    def __init__(self, verbose: bool) -> None:
        self.lines: list[Text] = []
        self._verbose = verbose
        self._account: Account | None = None
        self._told = 0

    def __call__(self, battle: Any, entry: Entry) -> None:
        from sandtable.battle.journal import UndoEntry
        from sandtable.cli.out import text

        self.finish(battle)
        if isinstance(entry, UndoEntry):
            self.close()
            answers = "answer is" if entry.count == 1 else "answers are"
            self.lines.append(text(f"    {entry.count} {answers} taken back."))

    def close(self) -> None:
        """Tell what was held back."""
        if self._account is not None:
            self._account.finish()

    def finish(self, battle: Any) -> None:
        """Tell what has happened since."""
        from sandtable.cli.short_account import account_of

        if self._account is None:
            self._account = account_of(battle, self.lines.append, verbose=self._verbose)
        # What was taken back leaves a shorter story.
        self._told = min(self._told, len(battle.events))
        for event in battle.events[self._told :]:
            self._account.tell(event)
        self._told = len(battle.events)
        for decision in battle.decisions:
            self._account.asked(decision)
