"""Shared parts of the campaign commands: the database, and formats of times and names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tatian.cli import options
from tatian.cli.files import keep_inputs
from tatian.cli.options import STREAM
from tatian.cli.output import print_table, say, write
from tatian.errors import InputError

if TYPE_CHECKING:
    from msgspec import Struct
    from sqlalchemy import Connection

    from tatian.statistics import Cell
    from tatian.workbench.campaigns.campaigns import Campaign
    from tatian.workbench.storage.database import Database

DATABASE = "sqlite:///tatian-workbench.db"
"""`tatian.workbench.storage.database.DEFAULT`, repeated so that help needs no extra."""
ACTOR = "command line"
"""`tatian.workbench.campaigns.audit.COMMAND_LINE`, repeated for the same reason."""
_ADDRESS = "http://127.0.0.1:8000"
_TIME_FIELDS = frozenset({"at", "created", "seen"})
"""Fields of results with a time in milliseconds."""


database_url = options.option(
    "SQLite file or postgresql:// address; also from $TATIAN_DATABASE.",
    "--database",
    envvar="TATIAN_DATABASE",
    default=DATABASE,
    show_default=True,
    metavar="URL",
)
public_address = options.option(
    "Address of the server for people, by default that of its last start. Also from "
    "$TATIAN_PUBLIC_URL.",
    "--public-url",
    envvar="TATIAN_PUBLIC_URL",
    metavar="URL",
)
"""``--public-url``, for commands that print links."""
set_values = options.several(
    "Set one setting, such as annotators=3 or pay.item=0.3.", "--set", metavar="NAME=VALUE"
)
column_names = options.several(
    "Read a column of the task from another column of FILEs; gold for answers.",
    "--map",
    metavar="OURS=THEIRS",
)
campaign_id = options.argument("ID")


def server_url(connection: Connection, address: str | None) -> str:
    """Return the base of links: the given address, or that of the server's last start."""
    from tatian.hosts import checked_url
    from tatian.workbench.storage.schema import ADDRESS_KEY, recall

    return checked_url(address or recall(connection, ADDRESS_KEY) or _ADDRESS) or ""


def stage_file(argument: str) -> tuple[str, str]:
    """Return the name of a training stage and the file of its items."""
    name, equals, path = argument.partition("=")
    if not (name and equals and path):
        raise InputError(f"'{argument}' is not a stage: write NAME=FILE")
    return name, path


@contextmanager
def open_database(url: str, *, make: bool = False, output: str = STREAM) -> Iterator[Database]:
    """Open the database and bring it up to date; unless `make`, it must exist.

    `output` is a file to be written, which must not be the database.
    """
    from sqlalchemy.exc import DatabaseError, OperationalError

    from tatian.workbench.storage.database import Database, describe_problem, is_disk_full
    from tatian.workbench.storage.schema import prepare

    opened = Database(url, make=make)
    try:
        if opened.file is not None:
            keep_inputs(output, (str(opened.file),))
        prepare(opened)
        yield opened
    except DatabaseError as error:
        message = describe_problem(error, opened)
        if is_disk_full(error, opened):
            raise InputError(f"the database cannot be written: {message}") from error
        if isinstance(error, OperationalError):
            raise InputError(f"the database does not answer: {message}") from error
        if type(error) is DatabaseError:
            raise InputError(f"the database is damaged ({message}): restore a backup") from error
        raise
    finally:
        opened.close()


@contextmanager
def open_campaign(
    url: str, id: str, *, write: bool = False, lock: bool = False, output: str = STREAM
) -> Iterator[tuple[Connection, Campaign]]:
    """Open the database for one transaction, and look up a campaign."""
    from tatian.workbench.campaigns import campaigns

    with (
        open_database(url, output=output) as database,
        database.writing() if write else database.reading() as connection,
    ):
        yield connection, campaigns.get(connection, id, lock=lock)


def warn_unready(database: Database, campaign: Campaign) -> None:
    """Warn of what keeps an open campaign from working as its settings say."""
    from tatian.workbench.campaigns.progress import find_warnings

    with database.reading() as connection:
        problems = find_warnings(connection, campaign)
    for problem in problems:
        say("warning", problem)


def parse_future_time(text: str) -> int:
    """Parse a future day or time, by default in this machine's zone; return milliseconds."""
    try:
        time = datetime.fromisoformat(text)
        if len(text) <= 10:
            time = time.replace(hour=23, minute=59, second=59)
        time = time.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InputError(f"'{text}' is not a time: write 2026-01-31 or 2026-01-31T18:00") from error
    if time <= datetime.now(UTC):
        raise InputError(f"'{text}' has passed: give a time in the future")
    return int(time.timestamp() * 1000)


def local_time(milliseconds: int | None) -> str:
    """Return a time as tables show it, in this machine's zone."""
    if milliseconds is None:
        return ""
    return f"{datetime.fromtimestamp(milliseconds / 1000):%Y-%m-%d %H:%M}"


def print_result(result: Struct, form: str) -> None:
    """Print a result as JSON, or as a table of its fields and one of each list in it."""
    import msgspec

    if form == "json":
        write(msgspec.json.encode(result).decode())
        return
    print_rows([result])
    for name in result.__struct_fields__:
        nested = getattr(result, name)
        if isinstance(nested, tuple | list) and nested:
            write("")
            print_rows(nested)


def print_rows(structs: Sequence[Struct], output: str = STREAM) -> None:
    """Print structs as a table, with the fields that at least one of them has."""
    from tatian.statistics import Table

    rows = [_cells(struct) for struct in structs]
    empty = (None, "")
    names = [name for name in rows[0] if any(row[name] not in empty for row in rows)]
    table = Table.of(names, [[row[name] for name in names] for row in rows])
    print_table(table, output=output)


def _cells(struct: Struct, prefix: str = "") -> dict[str, Cell]:
    """Return fields by name; those of an inner struct have its name before theirs."""
    from msgspec import Struct

    cells: dict[str, Cell] = {}
    for name in struct.__struct_fields__:
        value = getattr(struct, name)
        if isinstance(value, Struct):
            cells |= _cells(value, f"{prefix}{name} ")
        elif isinstance(value, str | float | int | None):
            cells[f"{prefix}{name}".replace("_", " ")] = (
                local_time(value) if name in _TIME_FIELDS and isinstance(value, int) else value
            )
    return cells
