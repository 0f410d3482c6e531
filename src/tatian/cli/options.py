"""Options that several commands have, each defined once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

STREAM = "-"
"""Standard input or output, where the name of a file is expected."""

any_path = click.Path(allow_dash=True)
"""A path that is completed by the shell but opened, and checked, by the reader."""


def examples(*lines: str) -> str:
    """The end of a command's help."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def command(*lines: str, name: str | None = None) -> Callable[[Callable[..., Any]], click.Command]:
    """A command whose help ends with these examples."""
    return click.command(name, epilog=examples(*lines))


_QUIET = "tatian.quiet"


quiet = click.option(
    "-q",
    "--quiet",
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, value: context.meta.update({_QUIET: value}),
    help="No progress, notes or warnings; errors are still shown.",
)
"""``--quiet``, which `is_quiet` reads."""
output = click.option(
    "-o",
    "--output",
    type=any_path,
    default=STREAM,
    help="Write to this file instead of standard output.",
)
judge = click.option(
    "--judge",
    metavar="small|local|ADDRESS",
    default="small",
    help="Who decides whether the sources support a sentence; by default small.",
)
"""``--judge``, as `tatian.consolidation.verification.judges.open_judge` takes it."""
format = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Text for people, or JSON for programs, with unrounded numbers.",
)
"""Option of commands that print figures."""
kb = click.option(
    "--kb",
    type=click.Path(),
    metavar="FILE",
    help="A knowledge base made by 'tatian kb build', or 'starter'.",
)
seed = click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="The same seed gives the same choice.",
)


def is_quiet() -> bool:
    """Return whether the running command is to be quiet."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


def to(*forms: str, default: str) -> Callable[[F], F]:
    """Add ``--to``, for commands that write one of several formats."""
    text = f"What to write; by default what the name of the output file says, or {default}."
    return click.option("--to", "form", type=click.Choice(forms), help=text)


def origin(formats: Iterable[str]) -> Callable[[F], F]:
    """Add ``--from``, the format of what is read."""
    text = "What is read; by default what each file looks like."
    return click.option("--from", "origin", type=click.Choice(sorted(formats)), help=text)


def model(step: str, default: str | None = None) -> Callable[[F], F]:
    """Add ``--model``, the name of a model of some step."""
    text = f"{step} model: a name from 'tatian models list', or package.module:Class."
    shown = default is not None
    return click.option("--model", metavar="NAME", default=default, show_default=shown, help=text)


def number(*names: str, help: str, default: int | None = None) -> Callable[[F], F]:
    """Add an option that takes a whole number, from 1."""
    number, has_default = click.IntRange(min=1), default is not None
    return click.option(
        *names, type=number, default=default, show_default=has_default, metavar="N", help=help
    )


def flag(*names: str, help: str) -> Callable[[F], F]:
    """Add an option that takes no value."""
    return click.option(*names, is_flag=True, help=help)


def file(*names: str, help: str, multiple: bool = False) -> Callable[[F], F]:
    """Add an option that takes the name of a file, or - for a stream."""
    return click.option(*names, type=any_path, metavar="FILE", multiple=multiple, help=help)


def address(port: int, host: str = "Where to listen.") -> Callable[[F], F]:
    """Add ``--host`` and ``--port``, for commands that serve something."""
    text = "Where to listen; 0 for any that is free."
    of_port = click.option(
        "--port", type=click.IntRange(0, 65535), default=port, show_default=True, help=text
    )
    of_host = click.option("--host", default="127.0.0.1", show_default=True, help=host)
    return lambda command: of_host(of_port(command))


def public_url(command: F) -> F:
    """Add ``--public-url``, for servers with another public name."""
    text = "How others reach it: https://example.org."
    return click.option("--public-url", metavar="URL", help=text)(command)


def behind_proxy(command: F) -> F:
    """Add ``--public-url`` and ``--behind-proxy``, for servers that others reach."""
    text = "Trust the proxy in front: take the caller from X-Forwarded-For and -Proto."
    return public_url(click.option("--behind-proxy", is_flag=True, help=text)(command))
