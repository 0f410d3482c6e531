"""A campaign without its answers as one file, so that it can be run again, here or elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import Connection, bindparam, select, update

import tatian
from tatian.errors import InputError
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.campaigns.records import brought_in
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage import plain
from tatian.workbench.storage.tables import guidelines
from tatian.workbench.storage.tables import items as stored
from tatian.workbench.tasks import NewItem, Plain

VERSION = 1
_AT_ONCE = 500
MARK: Literal["tatian.campaign"] = "tatian.campaign"


class CampaignHeader(Struct, frozen=True, omit_defaults=True):
    """The first line of such a file: everything but the items."""

    id: str
    task: str
    title: str
    settings: CampaignSettings
    guidelines: tuple[str, ...]
    """Every version, oldest first."""
    software: str = ""
    file: Literal["tatian.campaign"] = MARK
    version: int = VERSION


Place = Annotated[int, Meta(ge=0, le=1 << 30)]


class CampaignLine(NewItem, frozen=True, omit_defaults=True):
    """Each further line: an item as it was brought in, and what became of it since."""

    retired: bool = False
    position: Place | None = None
    """Its place in the order of work; None in files of before it was kept."""
    batch: Place = 0
    suggestion: Plain | None = None


class Portable(Struct, frozen=True):
    """Such a file, read."""

    header: CampaignHeader
    items: tuple[CampaignLine, ...]


def lines(connection: Connection, campaign: Campaign) -> Iterator[bytes]:
    """The file of a campaign, line by line, each with its end."""
    encoder = msgspec.json.Encoder()
    chosen = select(guidelines.c.text).where(guidelines.c.campaign == campaign.id)
    texts = connection.execute(chosen.order_by(guidelines.c.version)).scalars()
    header = CampaignHeader(
        campaign.id,
        campaign.task,
        campaign.title,
        campaign.settings,
        tuple(texts),
        f"tatian {tatian.__version__}",
    )
    marked = {"file": MARK, "version": VERSION, **msgspec.to_builtins(header)}
    yield encoder.encode(marked) + b"\n"
    ordered = select(stored).where(stored.c.campaign == campaign.id).order_by(stored.c.id)
    for row in connection.execute(ordered.execution_options(yield_per=_AT_ONCE)):
        line = CampaignLine(
            **msgspec.structs.asdict(brought_in(row, campaign)),
            retired=row.retired,
            position=row.position,
            batch=row.batch,
            suggestion=plain.decode(row.suggestion),
        )
        yield encoder.encode(line) + b"\n"


def put_back(
    connection: Connection, campaign: Campaign, lines: Sequence[CampaignLine], *, ordered: bool
) -> None:
    """Give items that were made of `lines` their suggestions and, where `ordered`, their places."""
    change = update(stored).where(
        stored.c.campaign == campaign.id, stored.c.key == bindparam("named")
    )
    suggested: list[dict[str, Any]] = [
        {"named": line.key, "suggestion": plain.encode(line.suggestion, "a suggestion")}
        for line in lines
        if line.suggestion is not None
    ]
    places: list[dict[str, Any]] = [
        {"named": line.key, "position": line.position, "batch": line.batch}
        for line in lines
        if ordered and line.position is not None
    ]
    for rows in (suggested, places):
        for start in range(0, len(rows), _AT_ONCE):
            connection.execute(change, rows[start : start + _AT_ONCE])


def is_portable(data: bytes) -> bool:
    """Whether a file begins as one of these does."""
    return data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b'{"file":"' + MARK.encode() + b'"')


def parse(name: str, data: bytes) -> Portable:
    """Read such a file; `name` is what errors call it."""
    numbered = _numbered(data.removeprefix(b"\xef\xbb\xbf").splitlines())
    found = next(numbered, None)
    if found is None:
        raise InputError("no campaign in it: the file is empty", path=name)
    number, first = found
    try:
        about = msgspec.json.decode(first, type=_About)
        if about.version > VERSION:
            raise InputError(
                f"written by a newer version ({about.software or about.version}): upgrade first",
                path=name,
                line=number,
            )
        header = msgspec.json.decode(first, type=CampaignHeader)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"not a campaign's first line: {error}", path=name, line=number) from error
    decoder = msgspec.json.Decoder(CampaignLine)
    items: list[CampaignLine] = []
    for number, line in numbered:
        try:
            items.append(decoder.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise InputError(f"not an item: {error}", path=name, line=number) from error
    return Portable(header, tuple(items))


class _About(Struct):
    file: Literal["tatian.campaign"]
    version: int = VERSION
    software: str = ""


def _numbered(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())
