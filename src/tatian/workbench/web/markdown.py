"""Markdown that campaigns' owners wrote, as HTML that can do no harm."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt
from msgspec import Struct


class Tab(Struct, frozen=True):
    """One part of the instructions."""

    title: str
    html: str


def rendered(text: str) -> str:
    """HTML without anything that the text itself had as HTML; no images, no unsafe links."""
    return str(_renderer().render(text))


def tabs(text: str) -> list[Tab]:
    """The parts that begin at ``## Title``; what stands before the first belongs to it."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    starts, titles = [], []
    tokens = _renderer().parse("\n".join(lines))
    for heading, inline in pairwise(tokens):
        if heading.type == "heading_open" and heading.tag == "h2" and heading.level == 0:
            assert heading.map is not None
            starts.append(heading.map)
            titles.append(inline.content)
    if not starts:
        return [Tab("", rendered(text))] if text.strip() else []
    ends = [start for start, _ in starts[1:]] + [len(lines)]
    parts = [lines[after:end] for (_, after), end in zip(starts, ends, strict=True)]
    parts[0] = [*lines[: starts[0][0]], "", *parts[0]]
    bodies = (rendered("\n".join(part)) for part in parts)
    return [Tab(title, body) for title, body in zip(titles, bodies, strict=True)]


@cache
def _renderer() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
