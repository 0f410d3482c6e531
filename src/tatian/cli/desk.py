"""``tatian desk``: consolidation in the browser, from sources to the text."""

from __future__ import annotations

import os
from pathlib import Path

import click

from tatian.cli import options
from tatian.cli.annotate import LOCAL, show
from tatian.cli.campaign.options import open_database
from tatian.cli.common import say
from tatian.cli.options import command
from tatian.errors import InputError, MissingExtra
from tatian.limits import DESK_JOB_SECONDS


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
        metavar="ADDRESS",
    ),
    editor: str = options.option(
        "Let a language model order the sentences and merge partly redundant ones; only verified "
        "merges are used.",
        default="",
        metavar="ADDRESS",
    ),
    judge: str | None = options.option(
        "Model that decides whether the sources support a sentence; by default the one chosen in "
        "the browser, at first small.",
        metavar="small|local|ADDRESS",
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

    On this machine nobody needs to sign in: the printed link works once, for one browser. With
    --host, others can reach the desk; they sign in and see their own projects. The first admin uses
    the printed link, others the password that was set with 'tatian campaign user add'. Language
    models can also be chosen in the browser, including those that run on this machine.
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
        if not no_browser and host in LOCAL:
            show(link)

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
