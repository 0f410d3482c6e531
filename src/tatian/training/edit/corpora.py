"""English sentences from a folder of data sets, as the edit model's data are made from them.

================================================  ===========================================
``union/train.csv``                               sentence pairs with their unions
``union/extra/wikisplit-tune.tsv``                sentences that people split in two
``union/extra/pyramid-fusion-train.csv``          sentences of news summaries (column ``text``)
``coreference/ecbplus-topics-1-35.tar.gz``        sentences of news reports
``aggregation/news-train.jsonl``                  excerpts of news (field ``context``)
``knowledge/schoolswiki-pages-articles.xml.bz2``  paragraphs of an encyclopedia
================================================  ===========================================
"""

from __future__ import annotations

import bz2
import csv
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from tatian.coreference.data import read_ecbplus
from tatian.errors import InputError
from tatian.text import SENTENCES
from tatian.training.data import lines_of
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


class _Excerpt(Struct):
    context: str


def read_sources(folder: Path, limit: int | None = None) -> Sources:
    """All sentences below a folder of data sets; at most `limit` of each kind (a dry run)."""
    extra = folder / "union" / "extra"
    sentences = [
        *summaries(extra / "pyramid-fusion-train.csv"),
        *reports(folder / "coreference" / "ecbplus-topics-1-35.tar.gz"),
    ]
    texts = [
        *excerpts(folder / "aggregation" / "news-train.jsonl")[:limit],
        *paragraphs(folder / "knowledge" / "schoolswiki-pages-articles.xml.bz2")[:limit],
    ]
    return Sources(
        unions(folder / "union" / "train.csv")[:limit],
        joined(extra / "wikisplit-tune.tsv")[:limit],
        sentences[:limit],
        texts,
    )


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


def summaries(path: Path) -> list[str]:
    """The sentences of a fusion data set, each once."""
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            rows = csv.DictReader(stream)
            if "text" not in (rows.fieldnames or ()):
                raise InputError("no column text", path=str(path), line=1)
            return list(dict.fromkeys(_line(row["text"]) for row in rows))
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from error


def reports(path: Path) -> Iterator[str]:
    """The sentences of ECB+, their tokens apart."""
    for document in read_ecbplus(path):
        for sentence in document.get(SENTENCES):
            tokens = [t.text for t in document.tokens if sentence.start <= t.start < sentence.end]
            if len(tokens) in REPORTED:
                yield " ".join(tokens)


def excerpts(path: Path) -> list[str]:
    """The contexts of an aggregation data set."""
    found = []
    for number, line in enumerate(_opened(path), start=1):
        try:
            found.append(msgspec.json.decode(line, type=_Excerpt).context)
        except msgspec.DecodeError as error:
            raise InputError(f"no context: {error}", path=str(path), line=number) from error
    return found


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
