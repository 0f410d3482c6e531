"""Sets of entities that a sentence lists together, and the phrases that name them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec.structs import replace

from tatian.aggregation.models import Aggregator
from tatian.pipeline.placing import HeadIndex
from tatian.text import CHAINS, ENTITY_SETS, MENTIONS, Document, EntitySet, Mention

LARGEST = 6
"""TESA §3.1: a set has two to six members."""


def find_sets(document: Document, aggregator: Aggregator) -> Document:
    """Add the `entity_sets` layer: enumerations such as "A, B and C" of one type."""
    chain_of = {m: chain.id for chain in document.get(CHAINS) for m in chain.mentions}
    index = HeadIndex(document, list(chain_of))
    found = []
    for run in _enumerations(document):
        held = [index.at(mention) for mention in run]
        chains = tuple(chain_of[mention] for mention in held if mention is not None)
        if len(set(chains)) == len(run):
            names = tuple((m.head or m).of(document.text) for m in run)
            plain = EntitySet(chains=chains, names=names, type=run[0].type)
            phrases = tuple(phrase for phrase, _ in aggregator.aggregate(plain, document))
            found.append(replace(plain, phrases=phrases))
    return document.with_layer(ENTITY_SETS, found, "tatian/enumerations")


def _enumerations(document: Document) -> Iterator[list[Mention]]:
    run: list[Mention] = []
    closed = False
    for first, second in pairwise(document.get(MENTIONS)):
        between = " ".join(document.text[first.end : second.start].lower().split())
        joined = between in {",", "and", ", and"} and first.type == second.type
        if not joined or (closed and between == ","):
            yield from _finished(run, closed)
            run, closed = [], False
            continue
        run = run or [first]
        run.append(second)
        closed = "and" in between
    yield from _finished(run, closed)


def _finished(run: list[Mention], closed: bool) -> Iterator[list[Mention]]:
    if closed and 2 <= len(run) <= LARGEST:
        yield run
