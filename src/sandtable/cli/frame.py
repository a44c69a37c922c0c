"""The frame of the commands: commands that load when they are called, and errors in one sentence."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from sandtable.errors import UserError

if TYPE_CHECKING:
    from typer._click.core import Command as AnyCommand
    from typer._click.core import Context as AnyContext

#: The exit status when what was asked for cannot be done as it was asked.
WRONG_INPUT = 2


def new_app(help: str) -> typer.Typer:
    """A Typer app as every command module makes it.

    An app with a single command and no callback is that command itself; give it a callback to keep the two words.
    """
    return typer.Typer(cls=Group, help=help, rich_markup_mode=None, add_completion=False)


class Group(TyperGroup):
    """A group that shows its help when nothing more is said, and suggests the command that was meant."""

    def parse_args(self, ctx: AnyContext, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            args = ["--help"]
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: AnyContext, args: list[str]) -> tuple[str | None, AnyCommand | None, list[str]]:
        known = self.list_commands(ctx)
        if args[0] not in known and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise UserError(unknown("command", args[0], known, ctx.command_path))
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and _sparing(command), rest


def lazy_group(commands: Mapping[str, tuple[str, str]]) -> type[Group]:
    """A group whose commands are modules, by name: (module, one line of help).

    Each module has an app, made by `new_app`, under the name `app`. It is imported when its command is
    called, not when help is shown.
    """

    class LazyGroup(Group):
        def list_commands(self, ctx: AnyContext) -> list[str]:
            return [*commands, *super().list_commands(ctx)]

        def get_command(self, ctx: AnyContext, cmd_name: str) -> AnyCommand | None:
            if cmd_name in commands:
                return TyperCommand(cmd_name, help=commands[cmd_name][1], rich_markup_mode=None)
            return super().get_command(ctx, cmd_name)

        def resolve_command(self, ctx: AnyContext, args: list[str]) -> tuple[str | None, AnyCommand | None, list[str]]:
            name, command, rest = super().resolve_command(ctx, args)
            if name is not None and name in commands:
                command = _sparing(typer.main.get_command(import_module(commands[name][0]).app))
                command.name = name
            return name, command, rest

    return LazyGroup


class _Plain:
    """Takes a value that is what it should be as it is, and leaves all others to Typer.

    Typer has Pydantic look at every value, even the default ones, and loading that takes longer than most answers.
    """

    def coerce(self, value: Any, param: Any, ctx: AnyContext) -> Any:
        wanted = param.type_descriptor.annotation
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if type(value) is wanted and wanted in (str, int, float, bool):
            return value
        if wanted == list[str] and isinstance(value, list | tuple) and all(type(each) is str for each in value):
            return [*value]
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def _sparing(command: Any) -> Any:
    """A command that asks Typer only about values that need it; where another version of Typer works otherwise, all."""
    all_params = command.get_params

    def get_params(ctx: AnyContext) -> Any:
        params = all_params(ctx)
        for param in params:
            if getattr(param, "_runtime_param", param) is None and hasattr(param, "type_descriptor"):
                param._runtime_param = _Plain()
        return params

    command.get_params = get_params
    return command


def call(app: typer.Typer, program: str, arguments: Sequence[str] | None = None) -> int:
    """Run an app and give the exit status. What the user did wrong becomes one sentence on stderr."""
    try:
        status = _sparing(typer.main.get_command(app)).main(arguments, prog_name=program, standalone_mode=False)
    except UserError as error:
        return complain(str(error))
    except typer.TyperException as error:
        return complain(_sentence(error))
    except typer.Abort:
        return complain("Stopped.")
    return status if isinstance(status, int) else 0


def unknown(kind: str, name: str, known: Sequence[str], where: str) -> str:
    """The sentence for a name that does not exist, with the one that was perhaps meant."""
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=2)
    if close:
        return f"'{where}' has no {kind} '{name}'. Did you mean {' or '.join(repr(match) for match in close)}?"
    return f"'{where}' has no {kind} '{name}'. It has: {', '.join(known)}."


def _sentence(error: typer.TyperException) -> str:
    """What Typer says about bad arguments, in our words where it tells enough, with the way to more help."""
    context: Any = getattr(error, "ctx", None)
    where = context.command_path if context else "sandtable"
    option = getattr(error, "option_name", None)
    if option and hasattr(error, "possibilities"):
        known = [name for param in context.command.get_params(context) for name in param.opts] if context else []
        return unknown("option", option, sorted(name for name in known if name.startswith("-")), where)
    message = " ".join(error.format_message().split())
    return f"{message}{'' if message.endswith(('.', '?', '!')) else '.'} See '{where} --help'."


def complain(sentence: str) -> int:
    """Say on stderr what was wrong, and give the exit status."""
    # Sentences of Typer, too, repeat what was typed: they are made as harmless as our own.
    with suppress(OSError):  # a full or broken stream: the status says it
        print(f"Error: {UserError(sentence)}", file=sys.stderr)
    return WRONG_INPUT
