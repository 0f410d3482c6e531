"""Lines of ``term#link``, one for each mention in the order of the text, as labelers entered them.

Figure 1 of the mention benchmark; here in a CSV with the columns id, text, topic and mentions. A
term stands at its first place after the one before it. Where that would be wrong, the place is
written as in the benchmark's appendix (§8.2): ``voters(36,42)#https://...``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from tatian import limits
from tatian.errors import EmptyInput, InputError
from tatian.formats import Format
from tatian.formats.links import build_document, links_of, place, topic_of
from tatian.formats.wiki import title_of, wikipedia_url
from tatian.knowledge.entities import page_title
from tatian.text import Document, Link, Span
from tatian.text.streams import csv_line

_HEADER = re.compile(r'"?id"?,', re.IGNORECASE)
COLUMNS = ("id", "text", "topic", "mentions")
_LINKED_TERM = re.compile(r"(?P<term>.*)#(?P<link>(?:https?://|uri:).*)", re.DOTALL)
_PLACED_TERM = re.compile(r"(?P<term>.*)\((?P<start>\d+),(?P<end>\d+)\)", re.DOTALL)


def parse_terms(text: str, entered: str) -> tuple[Link, ...]:
    """Return the mentions of lines of ``term#link``; a ValueError names a wrong line."""
    links: dict[Span, Link] = {}
    latest: Span | None = None
    for line in filter(None, map(str.strip, entered.splitlines())):
        term, title = _split(line)
        latest = _locate(text, term, title, latest, links)
        before = links.get(latest) or Link(latest.start, latest.end)
        titles = dict.fromkeys((*before.titles, title))
        links[latest] = replace(before, titles=tuple(titles))
    return tuple(sorted(links.values(), key=place))


def _split(line: str) -> tuple[str, str]:
    if match := _LINKED_TERM.fullmatch(line):
        term, title = match["term"], title_of(match["link"])
    else:
        term, _, link = line.rpartition("#")
        title = page_title(link)
    if not term.strip() or not title:
        raise ValueError(f"'{line}' is not term#link, with a link to a page of Wikipedia")
    return term.strip(), title


def _locate(text: str, term: str, title: str, latest: Span | None, links: dict[Span, Link]) -> Span:
    """Return the place of a term: as written, at the latest place (another page), or after it."""
    if (placed := _PLACED_TERM.fullmatch(term)) and int(placed["end"]) <= len(text):
        span = Span(int(placed["start"]), max(int(placed["end"]), int(placed["start"])))
        if _same(span.of(text), placed["term"]):
            return span
    if latest and _same(latest.of(text), term) and title not in links[latest].titles:
        return latest
    pattern = _pattern(term, text)
    for start in (latest.end, latest.start) if latest else (0,):
        for match in pattern.finditer(text, start):
            span = Span(*match.span())
            if span not in links or title not in links[span].titles:
                return span
    where = " after the term before it" if pattern.search(text) else ""
    raise ValueError(f"'{term}' is not in the text{where}")


def _pattern(term: str, text: str) -> re.Pattern[str]:
    """Return a pattern for a term with any white space; inside words only if never alone."""
    loose = r"\s+".join(map(re.escape, term.split()))
    as_words = re.compile(rf"(?<!\w){loose}(?!\w)")
    return as_words if as_words.search(text) else re.compile(loose)


def _same(first: str, second: str) -> bool:
    return first.split() == second.split()


def format_lines(mentions: Iterable[Link], text: str, *, placed: bool = False) -> str:
    """Return the lines that `parse_terms` reads as these mentions, with places where necessary."""
    lines = []
    for mention in mentions:
        term = " ".join(mention.of(text).split())
        where = f"({mention.start},{mention.end})" if placed else ""
        lines += [f"{term}{where}#{wikipedia_url(title)}" for title in mention.titles]
    return "\n".join(lines)


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """Yield the texts of a CSV with the columns id, text and mentions, and perhaps topic."""
    return (document for _, document in rows(text, path))


def rows(
    text: str, path: str | None = None, needed: Sequence[str] = ()
) -> Iterator[tuple[dict[str, str | None], Document]]:
    """Yield the rows of such a CSV, each with its text; `needed` columns must exist as well."""
    csv.field_size_limit(max(csv.field_size_limit(), limits.CSV_TEXT_CHARACTERS))
    table = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    line = 1
    try:
        columns = (*needed, *(column for column in COLUMNS if column != "topic"))
        missing = [column for column in columns if column not in (table.fieldnames or ())]
        if missing:
            raise InputError(f"no column {' or '.join(missing)}", path=path, line=1)
        has_rows = False
        for row in table:
            has_rows = True
            body = row["text"] or ""
            mentions = parse_terms(body, row["mentions"] or "")
            topic = row.get("topic") or ""
            yield row, build_document(row["id"] or "", body, mentions, topic=topic)
            line = table.line_num
    except (ValueError, csv.Error) as error:
        raise InputError(str(error), path=path, line=line + 1) from error
    if not has_rows:
        raise EmptyInput("the file contains no text", path=path)


def write(texts: Iterable[Document]) -> Iterator[str]:
    """Yield a row for each text, with the names of the columns above the first."""
    for number, text in enumerate(texts):
        linked = [link for link in links_of(text) if link.titles]
        mentions = tuple(Link(link.start, link.end, link.titles) for link in linked)
        entered = format_lines(mentions, text.text)
        if not _reads_as(text.text, entered, mentions):
            entered = format_lines(mentions, text.text, placed=True)
        heading = csv_line(COLUMNS) if not number else ""
        yield heading + csv_line((text.id, text.text, topic_of(text), entered))


def _reads_as(text: str, entered: str, mentions: tuple[Link, ...]) -> bool:
    try:
        return parse_terms(text, entered) == mentions
    except ValueError:
        return False


FORMAT = Format(
    "csv",
    "the mention benchmark's lines of term#link, a text a row",
    "mention",
    (".csv",),
    lambda head: bool(_HEADER.match(head)),
    read,
    write,
)
