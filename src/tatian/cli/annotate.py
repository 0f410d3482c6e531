"""``tatian annotate``: the web server for annotation."""

from __future__ import annotations

import sys
import threading
import webbrowser

import click

from tatian.cli import options
from tatian.cli.campaign.options import database_url, open_database
from tatian.cli.common import say
from tatian.cli.options import command, is_quiet
from tatian.errors import MissingExtra

LOCAL = {"127.0.0.1", "localhost", "::1"}


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
            demo.prepare(database)

        def announce(link: str) -> None:
            base, _, once = link.rpartition("/sign-in")
            label = "Sign in (once, within a day)" if once else "Sign in"
            click.echo(f"{label}: {link}", err=True)
            if not is_quiet():
                _announce(base, [] if no_demo else demo.paths(database))
            terminal = sys.stderr.isatty() and sys.stdin.isatty()
            if open_browser or (open_browser is None and host in LOCAL and terminal):
                show(link)

        app = server.create_app(
            database, public_url=public_url, host=host, behind_proxy=behind_proxy
        )
        server.serve(app, host, port, announce)


def _announce(base: str, demos: list[tuple[str, str]]) -> None:
    for title, path in demos:
        click.echo(f"Try '{title}': {base}{path}", err=True)
    say("note", f"the workbench runs on {base}: end it with Ctrl-C")


def show(link: str) -> None:
    """Open a browser in the background: the server does not answer yet."""
    threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
