"""``tatian campaign export``, ``import``, ``backup``, ``restore``, ``move``: data in and out."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tatian.atomic import open_replaced, write_errors
from tatian.cli import options
from tatian.cli.campaign.options import (
    ACTOR,
    campaign_id,
    column_names,
    database_url,
    open_campaign,
    open_database,
)
from tatian.cli.options import STREAM, command
from tatian.cli.output import say, write_bytes
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.workbench.campaigns.exports import Download, ExportForm
    from tatian.workbench.tasks import Exported

_MAX_NAMED_FILES = 10
"""Maximum number of files of an earlier export that a warning names."""


@command()
def export(
    id: str = campaign_id,
    form: ExportForm = options.choice(
        ["records", "task", "csv", "items", "items-csv", "label-studio", "webanno", "xmi"],
        "Write one record per answer, the task's own formats (several files as a zip archive), "
        "or a table. Or write the items as JSONL or as a table, or spans and links for Label "
        "Studio or INCEpTION (WebAnno TSV, UIMA CAS XMI).",
        "--to",
        default="records",
    ),
    everything: bool = options.flag(
        "With --to task and tools: include training, tests, excluded people, corrected answers.",
        "--all",
    ),
    final: bool = options.flag(
        "With --to records or csv: omit training, tests, excluded people, corrected answers."
    ),
    output: str = options.output,
    url: str = database_url,
) -> None:
    """Write the answers of campaign ID with annotator, time and version of the guidelines.

    Annotators appear by pseudonym. The task's formats go into a folder if -o names an existing
    folder, or has no ending such as .zip.
    """
    from tatian.workbench.campaigns.exports import ARCHIVE_FORMS, export_files
    from tatian.workbench.campaigns.exports import export as export_file

    if everything and final:
        raise InputError("--all and --final exclude each other")
    include_all = True if everything else False if final else None
    with open_database(url, output=output) as database:
        if form in ARCHIVE_FORMS and is_folder(output):
            save_files(export_files(database, id, form, everything=everything), output)
            return
        download = export_file(database, id, form, everything=include_all)
    save(download, output)


def is_folder(output: str) -> bool:
    """Return whether files go into a folder, rather than into an archive."""
    path = Path(output)
    return output != STREAM and (output.endswith("/") or path.is_dir() or not path.suffix)


def save_files(exported: Iterable[Exported], folder: str) -> None:
    """Write several files into a folder, which is made if it is missing; other files stay.

    A warning names other files with the same endings: their annotators may be excluded by now.
    """
    written: set[Path] = set()
    for file in exported:
        path = Path(folder) / file.name
        written.add(path)
        with write_errors(path):
            path.parent.mkdir(exist_ok=True, parents=True)
        with open_replaced(path) as out:
            out.writelines(file.chunks())
    if other_files := _other_files(Path(folder), written):
        more = len(other_files) - _MAX_NAMED_FILES
        names = ", ".join(other_files[:_MAX_NAMED_FILES])
        names += f" and {more:,} more" if more > 0 else ""
        say("warning", f"{folder} also has these files, perhaps of an earlier export: {names}")


def _other_files(folder: Path, written: set[Path]) -> list[str]:
    """Return files beside those written, or in folders like theirs, with an ending of theirs."""
    endings = {path.suffix for path in written}
    depths = {len(path.relative_to(folder).parts) for path in written} or {1}
    candidates = (path for depth in depths for path in folder.glob("/".join("*" * depth)))
    in_folder = (
        path for path in candidates if path.is_file() and path.suffix in (endings or {path.suffix})
    )
    return sorted(str(path.relative_to(folder)) for path in in_folder if path not in written)


def save(download: Download, output: str) -> None:
    """Write one file to standard output or to the path of -o."""
    with download.file:
        if output == STREAM and download.media == "application/zip" and sys.stdout.isatty():
            raise InputError("a zip archive cannot be printed on a terminal: name a file with -o")
        write_bytes(download.chunks(), output)


@command(name="import")
def import_(
    id: str = campaign_id,
    files: tuple[str, ...] = options.paths("FILE..."),
    renamed: tuple[str, ...] = column_names,
    stage: str | None = options.option("Stage of the items.", metavar="NAME"),
    test: bool = options.flag("Add the items as hidden tests."),
    prefix: str = options.option("Prefix of the items' ids.", default="", metavar="TEXT"),
    gold: bool = options.option(
        "Keep answers in FILEs as gold, or drop them.", "--gold/--no-gold", default=True
    ),
    answers: bool = options.flag("Import answers to existing items."),
    by: str | None = options.option(
        "With --answers: annotator of the answers, if FILEs do not say.", metavar="NAME"
    ),
    url: str = database_url,
) -> None:
    """Add the items of FILEs to campaign ID, or with --answers people's answers.

    Either all are added or none. Answers come from records or a table that a campaign exported,
    from Label Studio or INCEpTION, or from a file of items. Its gold is then the answer of --by.
    """
    if answers:
        _import_answers(id, files, by, url)
        return
    if by is not None:
        raise InputError("--by is for --answers: give both")
    from tatian.workbench.campaigns import campaigns, item_files, items
    from tatian.workbench.campaigns.plans import CampaignFile
    from tatian.workbench.tasks import tasks

    fields: dict[str, Any] = {"test": test, "prefix": prefix, "gold": gold}
    mapping = item_files.parse_mapping(renamed)
    read = [CampaignFile.read(path) for path in files]
    messages: list[str] = []
    repeated: dict[str, str] = {}
    with open_database(url) as database:
        with database.writing() as connection:
            campaign = campaigns.get(connection, id)
            task = tasks.create(campaign.task)
            names = [stage.name for stage in campaign.settings.stages]
            if stage is not None:
                if stage not in names:
                    raise InputError(f"no stage '{stage}': there are {', '.join(names)}")
                fields |= {"stage": names.index(stage), "production": campaign.last}
            for file in read:
                new = item_files.read_items(task, file.name, file.data, mapping, **fields)
                repeated |= items.find_repeated(connection, campaign, new)
                items.add(connection, campaign, new, ACTOR)
                messages.append(f"{file.name}: {len(new):,} items")
        if campaign.settings.suggestions != "none":
            items.suggest(database, campaign, task, ACTOR)
    for line in messages:
        say("note", line)
    if repeated:
        new_key, key = next(iter(repeated.items()))
        say(
            "warning",
            f"{len(repeated):,} of these items were in the campaign already, with another id: "
            f"'{new_key}' is '{key}'",
        )


def _import_answers(id: str, files: tuple[str, ...], by: str | None, url: str) -> None:
    from tatian.workbench.campaigns.exchange import add_answers, read_answers
    from tatian.workbench.campaigns.plans import CampaignFile
    from tatian.workbench.tasks import tasks

    read = [CampaignFile.read(path) for path in files]
    with open_campaign(url, id, write=True, lock=True) as (connection, campaign):
        task = tasks.create(campaign.task)
        answers = [
            answer for file in read for answer in read_answers(task, file.name, file.data, by)
        ]
        done = add_answers(connection, campaign, task, answers, ACTOR)
    repeated = f"; {done.known:,} were there already" if done.known else ""
    say("note", f"{done.added:,} answers of {done.people:,} people{repeated}")


@command()
def backup(
    output: str = options.option(
        "Backup file.", "-o", "--output", type=click.Path(), required=True, metavar="FILE"
    ),
    url: str = database_url,
) -> None:
    """Write the whole database to FILE, also while the server runs.

    The backup is consistent: it has the state of one moment. It holds personal data and the secret
    that signs links, so keep it as safe as the database.
    """
    from tatian.workbench.storage.backup import back_up

    replaced = ", in place of an earlier one" if Path(output).exists() else ""
    with open_database(url) as database:
        back_up(database, Path(output))
    size = Path(output).stat().st_size
    say("note", f"backed up to {output} ({size:,} bytes){replaced}")


@command()
def move(target: str = options.argument("URL"), url: str = database_url) -> None:
    """Copy the whole database into the empty database URL, and compare every row.

    URL is SQLite or PostgreSQL. If anything fails, nothing is copied. Stop the server first; the
    old database does not change.
    """
    from time import perf_counter

    from tatian.workbench.storage.backup import move as move_rows

    started = perf_counter()
    with open_database(url) as database, open_database(target, make=True) as new:
        rows = move_rows(database, new)
    seconds = perf_counter() - started
    say("note", f"{rows:,} rows copied and compared in {seconds:.1f} s; use the new database now")


@command()
def restore(
    file: str = options.argument("FILE", type=click.Path()), url: str = database_url
) -> None:
    """Restore a backup into an empty database, SQLite or PostgreSQL."""
    from tatian.workbench.storage.backup import open_backup
    from tatian.workbench.storage.backup import restore as restore_rows

    with open_backup(file) as backup, open_database(url, make=True) as database:
        restore_rows(database, backup)
    say("note", f"restored from {file}")
