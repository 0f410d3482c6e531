"""Which sentences of a text are worth analysing: those worded as aggregations are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from tatian.aggregation.mining.antecedents import REACH
from tatian.aggregation.mining.mining import mine
from tatian.aggregation.mining.phrases import Found
from tatian.knowledge import KnowledgeBase
from tatian.text import Document
from tatian.text.splitter import split

_CUE = re.compile(
    r"\b(?:such as|[Ii]ncluding|[Ll]ike|[Ee]specially|[Nn]otably|[Pp]articularly|in particular|"
    r"among them|for example|for instance|namely)(?:,? the)?,? [A-Z]|\b[Ss]uch [\w ]+ as [A-Z]|"
    r"\b(?:and|or|&) (?:\w+ )?(?:other|similar) |"
    r"[A-Z][\w.]+, (?:the|two|three|four|five|six|both|all|fellow|former) [^,;.]{3,60}[,;.)]|"
    r"[a-z]s(?: of)? [A-Z]|\b(?:[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix) [^,]{3,60}[,:] [A-Z]"
)
_COUNTED = re.compile(
    r"\b(?:[Tt]h(?:e|ese) (?:two|three|four|five|six)|[Bb]oth) (?:[a-zA-Z-]+ ){0,3}[a-z]+s\b"
)
_JOINT = re.compile(r"(?:,|\band|\bor|&|\bas well as|\balong with) (?:the )?[A-Z]")
_CAPITAL = re.compile(r"\b[A-Z]")
_LONGEST = 1000
"""Characters above which a sentence is a table or a list."""


def sift(document: Document, *, plurals: bool = False) -> Iterator[Document]:
    """The parts of a text that may hold an aggregation, each with what it may take up.

    That is the sentence before it; with `plurals`, "the two leaders" has the three before it.
    """
    sentences = [" ".join(one.of(document.text).split()) for one in split(document.text)]
    wanted: set[int] = set()
    for number, text in enumerate(sentences):
        if len(text) > _LONGEST:
            continue
        if plurals and _COUNTED.search(text):
            wanted.update(range(max(0, number - REACH), number + 1))
        elif _may_hold(text):
            wanted.update((max(0, number - 1), number))
    kept: list[str] = []
    for number, text in enumerate(sentences):
        if number in wanted and len(text) <= _LONGEST:
            kept.append(text)
        elif kept:
            yield _part(document, kept)
            kept = []
    if kept:
        yield _part(document, kept)


def mine_all(
    documents: Iterable[Document],
    analyse: Callable[[Iterable[Document]], Iterator[Document]],
    base: KnowledgeBase | None = None,
) -> Iterator[Found]:
    """The aggregations of many texts; `analyse` sees only what may hold one."""
    plurals = base is not None
    parts = (part for document in documents for part in sift(document, plurals=plurals))
    source, number = "", 0
    for part in analyse(parts):
        for found in mine(part, base):
            number = number + 1 if part.id == source else 1
            source = part.id
            yield replace(found, instance=replace(found.instance, id=f"{source}-{number}"))


def _may_hold(text: str) -> bool:
    return (
        _JOINT.search(text) is not None
        and _CUE.search(text) is not None
        and len(_CAPITAL.findall(text)) > 1
    )


def _part(document: Document, sentences: list[str]) -> Document:
    return Document(document.id, "\n\n".join(sentences), document.metadata)
