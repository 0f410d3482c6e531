"""Presentation of stored values: Markdown as safe HTML, dates, titles of items."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise
from textwrap import shorten
from typing import Any

import msgspec
from markdown_it import MarkdownIt
from msgspec import Struct

from tatian.workbench.tasks import Json


class Tab(Struct, frozen=True):
    """A part of the instructions."""

    title: str
    html: str


def render_markdown(text: str) -> str:
    """Return HTML without any HTML of the text itself, images or unsafe links."""
    return str(_renderer().render(text))


def split_tabs(text: str) -> list[Tab]:
    """Return the parts that begin at ``## Title``; text before the first belongs to it."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    starts, titles = [], []
    tokens = _renderer().parse("\n".join(lines))
    for heading, inline in pairwise(tokens):
        if heading.type == "heading_open" and heading.tag == "h2" and heading.level == 0:
            assert heading.map is not None
            starts.append(heading.map)
            titles.append(inline.content)
    if not starts:
        return [Tab("", render_markdown(text))] if text.strip() else []
    ends = [start for start, _ in starts[1:]] + [len(lines)]
    parts = [lines[after:end] for (_, after), end in zip(starts, ends, strict=True)]
    parts[0] = [*lines[: starts[0][0]], "", *parts[0]]
    bodies = (render_markdown("\n".join(part)) for part in parts)
    return [Tab(title, body) for title, body in zip(titles, bodies, strict=True)]


@cache
def _renderer() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


_MOMENT_NAMES = frozenset({"at", "created", "seen", "expires", "given", "finished", "submitted"})
"""Names of fields that hold times."""
_LATEST_MOMENT = datetime(9999, 12, 31, 23, 59, tzinfo=UTC).timestamp()
_EARLIEST_MOMENT = 10**11
"""Milliseconds since 1970, in 1973; smaller numbers are not times of a campaign."""


def indented_json(data: bytes) -> str:
    """Return JSON, indented, with times in words."""
    shown = msgspec.json.encode(_format_moments(msgspec.json.decode(data)))
    return msgspec.json.format(shown, indent=2).decode()


def _format_moments(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _format_moments(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [_format_moments(inner) for inner in value]
    if isinstance(value, int) and name in _MOMENT_NAMES and value >= _EARLIEST_MOMENT:
        return f"{format_moment(value)} UTC"
    return value


def format_moment(milliseconds: int) -> str:
    """Return a date and time as every page writes it, in UTC."""
    return format_moment_as(milliseconds, "%Y-%m-%d %H:%M")


def format_moment_as(milliseconds: int, form: str) -> str:
    """Return a moment in the given format; beyond the calendar, the last possible one."""
    seconds = min(max(milliseconds, 0) / 1000, _LATEST_MOMENT)
    return datetime.fromtimestamp(seconds, UTC).strftime(form)


def format_duration(seconds: float | None) -> str:
    """Return a duration in words."""
    if seconds is None:
        return "–"
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes, left = divmod(round(seconds), 60)
    return f"{minutes} min {left} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def format_share(value: float | None) -> str:
    """Return a score as a percentage."""
    return "–" if value is None else f"{value * 100:.0f}%"


def format_decimal(value: float | None) -> str:
    """Return an amount or a measure with two decimals."""
    return "–" if value is None else f"{value:,.2f}"


def as_sentence(text: str) -> str:
    """Return a message as a sentence, with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


FILTERS: dict[str, Any] = {
    "day": lambda milliseconds: format_moment_as(milliseconds, "%Y-%m-%d"),
    "moment": format_moment,
    "duration": format_duration,
    "share": format_share,
    "decimal": format_decimal,
    "pair": lambda word: (word, word),
}
"""Filters of the templates."""

_BEGINNING_CHARACTERS = 60
"""Maximum length of a title by `first_words`."""


def first_words(content: Json) -> str:
    """Return the first words of an item, to identify it in lists; empty if it has none."""
    first = next((text for text in iterate_texts(content) if " " in text), "")
    return shorten(first, _BEGINNING_CHARACTERS, placeholder=" …")


def iterate_texts(value: Any) -> Iterator[str]:
    """Yield every text in a JSON value, in order."""
    if isinstance(value, str):
        yield " ".join(value.split())
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from iterate_texts(part)
