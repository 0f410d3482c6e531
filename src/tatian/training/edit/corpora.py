"""English sentences from a folder of data sets, as the edit model's data are made from them.

================================================  ===========================================
``consolidation/train/``                          bundles of accounts with reference texts
``union/extra/wikisplit-tune.tsv``                sentences that people split in two
``coreference/ecbplus-topics-1-35.tar.gz``        sentences of news reports
``knowledge/schoolswiki-pages-articles.xml.bz2``  paragraphs of an encyclopedia
================================================  ===========================================
"""

from __future__ import annotations

import bz2
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

from msgspec import Struct

from tatian.errors import InputError
from tatian.formats.ecbplus import read_ecbplus
from tatian.text import SENTENCES
from tatian.training.data import lines_of
from tatian.training.references import project_unions
from tatian.training.stories import read_bundles
from tatian.union.data import read as read_unions

SEPARATOR = "<::::>"
REPORTED = range(8, 61)
"""Tokens of a sentence of ECB+ that is taken: shorter ones are headlines and datelines."""
PARAGRAPHS = 9000
SEED = 1
"""Which paragraphs are drawn."""
_PARAGRAPH = re.compile(r"\n([A-Z'][^\n|{}<>=*#]{300,})")
_LINK = re.compile(r"\[\[([^\]]*)\]\]")
_MARKUP = re.compile(r"''+|&\w+;|\[[^\]]*\]")
_BRACKETS = re.compile(r"\([^)]*\)")

Triple = tuple[str, str, str]


class Sources(Struct, frozen=True):
    """Text that has not been parsed yet."""

    unions: list[Triple]
    """First sentence, second sentence, union."""
    joined: list[Triple]
    """Two sentences and the one they were made from."""
    sentences: list[str]
    texts: list[str]
    """Of several sentences each."""


def read_sources(folder: Path, bundles: Sequence[Path] = (), limit: int | None = None) -> Sources:
    """All sentences below a folder of data sets and of further bundles.

    At most `limit` of each kind are read (a dry run).
    """
    every = bundles_of(folder, bundles)
    sentences = [
        *reports(folder / "coreference" / "ecbplus-topics-1-35.tar.gz"),
        *accounts(every),
    ]
    wiki = folder / "knowledge" / "schoolswiki-pages-articles.xml.bz2"
    return Sources(
        own_unions(every)[:limit],
        joined(folder / "union" / "extra" / "wikisplit-tune.tsv")[:limit],
        sentences[:limit],
        paragraphs(wiki)[:limit],
    )


def bundles_of(folder: Path, further: Sequence[Path]) -> tuple[Path, ...]:
    """Where bundles are read from."""
    own = folder / "consolidation" / "train"
    if not own.is_dir():
        raise InputError("no folder of bundles", path=str(own))
    return (own, *further)


def own_unions(bundles: Sequence[Path]) -> list[Triple]:
    """The unions that this project wrote, in their order."""
    return [
        (_line(one.sources[0]), _line(one.sources[1]), _line(one.merged))
        for one in project_unions(bundles)
    ]


def accounts(bundles: Sequence[Path]) -> Iterator[str]:
    """The sentences of the accounts of bundles."""
    for path in bundles:
        for bundle in read_bundles(path):
            for account in bundle.accounts:
                yield from (_line(text) for text in account.sentences)


def unions(path: Path) -> list[Triple]:
    """The rows of the Sentence Union data, in their order."""
    found = []
    for row in read_unions(path):
        if len(row.sentences) != 2 or row.merged is None:
            raise InputError(f"row {row.id} is no pair with its union", path=str(path))
        first, second = row.sentences
        found.append((_line(first), _line(second), _line(row.merged)))
    return found


def joined(path: Path) -> list[Triple]:
    """WikiSplit: a whole sentence, a tab, and two sentences that say the same."""
    found = []
    for number, line in enumerate(_opened(path), start=1):
        whole, tab, parts = line.partition("\t")
        first, separator, second = parts.partition(SEPARATOR)
        if not tab or not separator:
            raise InputError(f"no tab or no {SEPARATOR}", path=str(path), line=number)
        found.append((_line(first), _line(second), _line(whole)))
    return found


def reports(path: Path) -> Iterator[str]:
    """The sentences of ECB+, their tokens apart."""
    for document in read_ecbplus(path):
        for sentence in document.get(SENTENCES):
            tokens = [t.text for t in document.tokens if sentence.start <= t.start < sentence.end]
            if len(tokens) in REPORTED:
                yield " ".join(tokens)


def paragraphs(path: Path) -> list[str]:
    """Paragraphs of running text from a MediaWiki export, drawn at random."""
    try:
        text = bz2.decompress(path.read_bytes()).decode("utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", path=str(path)) from error
    found = list(_plain(_PARAGRAPH.findall(text)))
    Random(SEED).shuffle(found)
    return found[:PARAGRAPHS]


def _plain(paragraphs: Iterable[str]) -> Iterator[str]:
    """Without links, emphasis and brackets; what has other markup is left out."""
    for paragraph in paragraphs:
        bare = _MARKUP.sub("", _LINK.sub(r"\1", paragraph))
        bare = _BRACKETS.sub("", bare)
        if "[" not in bare and "&" not in bare:
            yield bare


def _opened(path: Path) -> Iterator[str]:
    try:
        yield from lines_of(path)
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from error


def _line(text: str) -> str:
    return " ".join(text.split())
