"""Lists of names in a sentence: "Peru, Chile and Bolivia"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from tatian.aggregation.data.records import FEWEST, MOST
from tatian.text import Name, Span
from tatian.text.lexicon import ROLE_TITLES, TITLES

_BETWEEN = re.compile(
    r"\s*(?P<comma>,)?\s*(?P<joint>and|or|&|as well as|along with)?\s*(?P<the>the)?"
    r"(?P<title>(?:\s*[A-Z][\w.-]*){0,3})\s*",
)
_ARTICLE = re.compile(r"\b[Tt]he\s+$")
_TITLE_BEFORE = re.compile(r"((?:[A-Z][\w.-]*\s+){1,3})$")


class NameList(Struct, frozen=True):
    """Two to six names that stand side by side."""

    names: tuple[Name, ...]
    joined: bool
    """Whether a conjunction stands before the last name."""
    span: Span
    """From the first name's title or article to the last name."""
    members: tuple[Span, ...]
    """Each name with its title, without article."""

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.span.start

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.span.end


def name_lists(text: str, names: Sequence[Name], sentence: Span) -> Iterator[NameList]:
    """The longest lists of names within a sentence, whatever their types."""
    inside = [name for name in names if sentence.contains(name)]
    run: list[Name] = []
    joined = False
    for first, second in pairwise(inside):
        found = _BETWEEN.fullmatch(text, first.end, second.start)
        linked = bool(found and (found["comma"] or found["joint"]) and _is_title(found["title"]))
        if not linked or joined:
            yield from _list(text, run, joined, sentence)
            run, joined = [], False
        if linked and found is not None:
            run = run or [first]
            run.append(second)
            joined = bool(found["joint"])
    yield from _list(text, run, joined, sentence)


def _list(text: str, run: list[Name], joined: bool, sentence: Span) -> Iterator[NameList]:
    if not FEWEST <= len(run) <= MOST:
        return
    members = tuple(_with_title(text, name, sentence) for name in run)
    start = members[0].start
    if article := _ARTICLE.search(text, sentence.start, start):
        start = article.start()
    yield NameList(tuple(run), joined, Span(start, run[-1].end), members)


def _with_title(text: str, name: Name, sentence: Span) -> Span:
    before = _TITLE_BEFORE.search(text, sentence.start, name.start)
    if before is None:
        return Span(name.start, name.end)
    words = before[1].split()
    for count in range(len(words), 0, -1):
        title = " ".join(words[-count:])
        if _is_title(title):
            return Span(text.rindex(words[-count], before.start(), name.start), name.end)
    return Span(name.start, name.end)


def _is_title(written: str) -> bool:
    """Whether capitalised words before a name say who somebody is; nothing at all is fine too."""
    plain = " ".join(written.lower().split())
    return not plain or plain in TITLES or plain in ROLE_TITLES
