"""Articles of news corpora, whatever they are kept in."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from tatian.corpora.articles import OTHER_YEARS, Advance, Article, Source, Years, in_years
from tatian.corpora.decoding import Warn
from tatian.corpora.nyt import archives_in, is_corpus
from tatian.corpora.reading import iterate
from tatian.errors import InputError
from tatian.text.formats import Losses
from tatian.text.opening import STDIN, printable


class Texts(Struct, frozen=True):
    """Plain texts, web pages, JSONL or CoNLL-U as `tatian.corpora.read` takes them."""

    paths: tuple[str, ...]
    warn: Warn

    @property
    def name(self) -> str:
        """All paths in one."""
        return "\n".join(printable(path) for path in self.paths)

    @property
    def size(self) -> int:
        """Unknown: texts are counted by the document."""
        return 0

    def articles(self, years: Years | None, defects: Losses, advance: Advance) -> Iterator[Article]:
        """Every text as an article without an index; texts without a date are of no year."""
        for document in iterate(self.paths, warn=self.warn):
            about = document.metadata
            date = about.date or ""
            if years is not None and not in_years(date, years):
                defects.add("articles without a date" if not date else OTHER_YEARS, document.id)
                continue
            yield Article(
                id=document.id,
                title=about.title or "",
                date=date[:10],
                path=about.path or "",
                document=document,
            )


def sources(paths: Sequence[str], *, years: Years | None = None, warn: Warn) -> list[Source]:
    """What to read of `paths`, in order: archives of the New York Times one by one, texts together.

    A path is of the New York Times if it is a tar archive, an NITF file or a directory with any of
    them in it, at whatever depth. Archives that lie in the folder of another year are left out.
    """
    found: list[Source] = []
    plain: list[str] = []
    for path in _each_once(paths):
        if is_corpus(path):
            found.extend(archives_in(path, years))
        else:
            plain.append(path)
    if plain:
        found.append(Texts(tuple(plain), warn))
    if not found:
        raise InputError("nothing of these years in the corpus", path=printable(paths[0]))
    return found


def _each_once(paths: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for path in paths:
        real = path if path == STDIN else os.path.realpath(path)
        if real not in seen:
            seen.add(real)
            yield path
