"""Command-line options and arguments, as default values of the command functions' parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import signature
from typing import Any

import click
from msgspec import Struct

from tatian.cli.commands import examples, examples_of

STREAM = "-"
"""Standard input or output, where the name of a file is expected."""

any_path = click.Path(allow_dash=True)
"""A path with shell completion; click does not check that it exists."""


class _Command(click.Command):
    """A command whose help ends with its examples."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples that the registry has for the command."""
        self.epilog = examples(examples_of(ctx.command_path))
        super().format_epilog(ctx, formatter)


class Parameter(Struct, frozen=True):
    """An option or argument, named after the function's argument whose default it is."""

    kind: type[click.Parameter]
    names: Sequence[str]
    """Names on the command line; if empty, the argument's own."""
    settings: dict[str, Any]

    def declare(self, name: str) -> click.Parameter:
        """Return the click parameter."""
        usual = [f"--{name.replace('_', '-')}"] if self.kind is click.Option else []
        return self.kind([*(self.names or usual), name], **self.settings)


class OptionGroup(Struct, frozen=True):
    """Several options that a command receives as one value."""

    options: dict[str, Any]
    value: Callable[..., Any]


def command(name: str | None = None) -> Callable[[Callable[..., Any]], click.Command]:
    """Return a decorator that makes a function a click command; it adds ``--quiet``."""

    def decorate(function: Callable[..., Any]) -> click.Command:
        parameters = signature(function).parameters.items()
        defaults = {name: parameter.default for name, parameter in parameters}
        groups = {name: group for name, group in defaults.items() if isinstance(group, OptionGroup)}

        @wraps(function)
        def run(**values: Any) -> Any:
            for name, group in groups.items():
                values[name] = group.value(**{part: values.pop(part) for part in group.options})
            return function(**values)

        params = [
            parameter.declare(part)
            for name, default in defaults.items()
            for part, parameter in (
                default.options if isinstance(default, OptionGroup) else {name: default}
            ).items()
        ]
        return click.command(name, cls=_Command, params=[*params, _QUIET])(run)

    return decorate


def option(help: str, *names: str, **settings: Any) -> Any:
    """Declare an option; `settings` are those of click."""
    return Parameter(click.Option, names, {"help": help, **settings})


def several(help: str, *names: str, metavar: str) -> Any:
    """Declare an option that may be given several times."""
    return option(f"{help} Repeatable.", *names, multiple=True, metavar=metavar)


def choice(values: Sequence[str], help: str, *names: str, **settings: Any) -> Any:
    """Declare an option that takes one of several words."""
    shown = "default" in settings
    return option(help, *names, type=click.Choice(values), show_default=shown, **settings)


def number(help: str, *names: str, default: int | None = None, most: int | None = None) -> Any:
    """Declare an option that takes a positive integer, `most` at most."""
    numbers, shown = click.IntRange(1, most), default is not None
    return option(help, *names, type=numbers, default=default, show_default=shown, metavar="N")


def flag(help: str, *names: str) -> Any:
    """Declare an option that takes no value."""
    return option(help, *names, is_flag=True)


def file(help: str, *names: str, **settings: Any) -> Any:
    """Declare an option that takes the name of a file, or - for a stream."""
    return option(help, *names, type=any_path, metavar="FILE", **settings)


def argument(metavar: str | None = None, **settings: Any) -> Any:
    """Declare an argument; `settings` are those of click."""
    return Parameter(click.Argument, (), {"metavar": metavar, **settings})


def path(metavar: str | None = None, *, required: bool = True) -> Any:
    """Declare an argument that takes the name of a file, or - for a stream."""
    return argument(metavar, type=any_path, required=required)


def paths(metavar: str | None = None, *, required: bool = True) -> Any:
    """Declare an argument that takes the names of any number of files."""
    return argument(metavar, type=any_path, required=required, nargs=-1)


TABLE_FORMATS = ("text", "markdown", "latex", "csv", "json")
"""Formats of a table."""


def output_format(*forms: str) -> Any:
    """Declare ``--to``, the output format; the first one is the default."""
    text = f"Output format; by default from the ending of the output file, or {forms[0]}."
    return option(text, "--to", type=click.Choice(forms))


def input_format(formats: Iterable[str]) -> Any:
    """Declare ``--from``, the input format."""
    text = "Input format; by default recognised from the content of each file."
    return option(text, "--from", type=click.Choice(sorted(formats)))


def model(step: str, default: str | None = None) -> Any:
    """Declare ``--model``, the name of a model of the step."""
    text = f"{step} model: a name from 'tatian models list', or package.module:Class."
    return option(text, metavar="NAME", default=default, show_default=default is not None)


def port(number: int) -> Any:
    """Declare ``--port``, for commands that start a server."""
    text = "Port to listen on; 0 for any free port."
    ports = click.IntRange(0, 65535)
    return option(text, type=ports, default=number, show_default=True, metavar="PORT")


def output_for(folder: str = "") -> Any:
    """Declare ``--output``; `folder` is a sentence on when it names a folder."""
    text = f"Write to this file instead of standard output. {folder}".strip()
    return option(text, "-o", "--output", type=any_path, default=STREAM)


_QUIET_KEY = "tatian.quiet"
_QUIET = click.Option(
    ["-q", "--quiet"],
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, value: context.meta.update({_QUIET_KEY: value}),
    help="No progress, notes or warnings; errors are still shown.",
)
output = output_for()
judge = option(
    "Model that decides whether the sources support a sentence; by default small.",
    metavar="small|local|MODEL",
    default="small",
)
"""``--judge``; its values are those of `tatian.consolidation.verification.judges.open_judge`."""
format = option(
    "Print text, or JSON with unrounded numbers.",
    "--format",
    type=click.Choice(["text", "json"]),
    default="text",
)
"""Option of commands that print figures."""
kb = option(
    "A knowledge base made by 'tatian kb build', or 'starter'.", type=click.Path(), metavar="FILE"
)
seed = option("Seed of the random choices.", type=int, default=0, show_default=True, metavar="N")
host = option("Address to listen on.", default="127.0.0.1", show_default=True, metavar="HOST")
public_url = option(
    "Address at which others reach the server, such as https://example.org.", metavar="URL"
)
behind_proxy = flag("Run behind a proxy: trust its headers X-Forwarded-For and X-Forwarded-Proto.")


def is_quiet() -> bool:
    """Return whether the running command is to be quiet."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET_KEY))
