"""Servers: ``tatian annotate serve``, ``tatian desk`` and ``tatian mcp``."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from pathlib import Path

import click

from tatian.cli import options
from tatian.cli.campaign.options import database_url, open_database
from tatian.cli.options import command, is_quiet
from tatian.cli.output import say
from tatian.errors import InputError, MissingExtra
from tatian.limits import DESK_JOB_SECONDS

_LOCAL = {"127.0.0.1", "localhost", "::1"}


@command()
def serve(
    host: str = options.host,
    port: int = options.port(8000),
    public_url: str | None = options.public_url,
    behind_proxy: bool = options.behind_proxy,
    no_demo: bool = options.flag("Do not add demo campaigns to an empty database."),
    open_browser: bool | None = options.option(
        "Open the sign-in link in a browser; by default on a terminal.",
        "--open/--no-open",
        default=None,
    ),
    url: str = database_url,
) -> None:
    """Serve the workbench until Ctrl-C.

    A database without campaigns gets a demo campaign of each task, with a link to try it. The
    sign-in link works once. It is no longer printed once an admin has a password, set with 'tatian
    campaign user add'; 'tatian campaign user link' still makes one.
    """
    try:
        from tatian.workbench import demo
        from tatian.workbench.web import server
    except ImportError as error:
        raise MissingExtra("the workbench", "workbench") from error

    with open_database(url, make=True) as database:
        if not no_demo:
            demo.create_demos(database)

        def announce(link: str) -> None:
            base, _, once = link.rpartition("/sign-in")
            label = "Sign in (once, within a day)" if once else "Sign in"
            click.echo(f"{label}: {link}", err=True)
            for title, path in [] if no_demo or is_quiet() else demo.demo_paths(database):
                click.echo(f"Try '{title}': {base}{path}", err=True)
            say("note", f"the workbench runs on {base}: end it with Ctrl-C")
            terminal = sys.stderr.isatty() and sys.stdin.isatty()
            if open_browser or (open_browser is None and host in _LOCAL and terminal):
                _open_browser(link)

        app = server.create_app(
            database, public_url=public_url, host=host, behind_proxy=behind_proxy
        )
        server.serve(app, host, port, announce)


def _open_browser(link: str) -> None:
    """Open a browser in the background: the server does not answer yet."""
    threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()


def _database() -> str:
    """Return the default database of projects, in the user's data folder."""
    base = os.environ.get("XDG_DATA_HOME")
    folder = (Path(base) if base else Path.home() / ".local" / "share") / "tatian"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        reason = f"cannot make the folder for projects ({error.strerror}): give --database"
        raise InputError(reason, path=str(folder)) from error
    return f"sqlite:///{folder / 'desk.db'}"


@command()
def desk(
    host: str = options.host,
    port: int = options.port(8010),
    public_url: str | None = options.public_url,
    behind_proxy: bool = options.behind_proxy,
    url: str | None = options.option(
        "SQLite file or postgresql:// address; by default $TATIAN_DATABASE, or a file in your data "
        "folder.",
        "--database",
        envvar="TATIAN_DATABASE",
        metavar="URL",
    ),
    writer: str = options.option(
        "Let a language model write the text and suggest other wordings; each is verified.",
        default="",
        metavar="MODEL",
    ),
    editor: str = options.option(
        "Let a language model order the sentences and merge partly redundant ones; only verified "
        "merges are used.",
        default="",
        metavar="MODEL",
    ),
    judge: str | None = options.option(
        "Model that decides whether the sources support a sentence; by default the one chosen in "
        "the browser, at first small.",
        metavar="small|local|MODEL",
    ),
    job_limit: float = options.option(
        "Stop the models' work for one person after so many minutes.",
        type=click.FloatRange(min=0, min_open=True),
        default=DESK_JOB_SECONDS / 60,
        show_default=True,
        metavar="MINUTES",
    ),
    no_browser: bool = options.flag("Open no browser."),
) -> None:
    """Consolidate sources and edit the text in a browser.

    The printed link works once and signs in one browser. On this machine, nothing else is needed.
    With --host, others can reach the desk, and everybody sees their own projects. The first admin
    signs in by the printed link. Everybody else needs a password, set with 'tatian campaign user
    add'. Language models, also those on this machine, can be chosen in the browser. MODEL is the
    address of an OpenAI-compatible server, or a GGUF file.
    """
    try:
        from tatian.workbench.desk.models import NamedModels, check_models
        from tatian.workbench.web.server import create_app, serve
    except ImportError as error:
        raise MissingExtra("the desk", "workbench") from error

    if writer and editor:
        raise click.UsageError("--writer and --editor exclude each other: choose one")
    models = NamedModels(writer, editor, judge)
    check_models(models, files=models.places)

    def announce(link: str) -> None:
        click.echo(f"The desk: {link}", err=True)
        say("note", "end it with Ctrl-C; your projects stay")
        if not no_browser and host in _LOCAL:
            _open_browser(link)

    with open_database(url or _database(), make=True) as database:
        app = create_app(
            database,
            public_url=public_url,
            host=host,
            behind_proxy=behind_proxy,
            desk=True,
            models=models,
            job_limit=job_limit * 60,
        )
        serve(app, host, port, announce)


@command()
def mcp(
    http: bool = options.flag("Use streamable HTTP instead of standard input and output."),
    host: str = options.option(
        "Address to listen on, as clients name it.",
        default="127.0.0.1",
        show_default=True,
        metavar="HOST",
    ),
    port: int = options.port(8765),
    judge: str = options.judge,
) -> None:
    """Serve consolidation and verification as MCP tools.

    The tools are consolidate, trace, contradictions and analyze. Clients of the Model Context
    Protocol start this command and use its standard input and output. With --http they connect to
    http://HOST:PORT/mcp. There is no login and no encryption: everybody who reaches the port may
    use it.
    """
    from tatian.mcp import serve_http, serve_stdio

    def announce(address: str) -> None:
        say("note", f"listening on {address}: end with Ctrl-C")

    if http:
        serve_http(host, port, announce, judge)
    else:
        serve_stdio(judge)
