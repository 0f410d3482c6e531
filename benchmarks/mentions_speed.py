"""Speed of spotting and linking, with the analysis and the encoder apart.

The parts are measured in CPU time, which other work on the machine hardly changes; the whole also
in wall time. Models, base and encoder are loaded before.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, ParamSpec

from tatian.analysis.encoder import analyze_all
from tatian.formats.links import topic_of
from tatian.knowledge.base import KnowledgeBase
from tatian.mentions.models.ranked import RankedLinker
from tatian.mentions.spots import spots
from tatian.statistics import Cell, Column, Table
from tatian.text import Document

P = ParamSpec("P")
THREADS = 2
TOKENS = 6_000
"""Number of tokens of each set."""


def speeds(sets: dict[str, list[Document]], base: KnowledgeBase) -> Table:
    """Tabulate tokens per CPU second of the parts, and per second of the whole."""
    rows: list[list[Cell]] = []
    fast, full = RankedLinker(base, encoder=False), RankedLinker(base)
    for name, texts in sets.items():
        chosen, documents = _some(texts)
        tokens = sum(len(document.tokens) for document in documents)
        full.choose(documents[0])
        spotting = _spent(_spotted, base, chosen)
        without = _spent(_linked, fast, chosen, documents)
        linking = _spent(_linked, full, chosen, documents)
        analysing = _spent(_analysed, chosen)
        parts = (spotting, without, linking, analysing)
        wall = linking.wall + analysing.wall
        rows.append([name, tokens, *(tokens / part.processor for part in parts), tokens / wall])
    names = (
        "spotting",
        "linker without vectors",
        "linker",
        "analysis",
        "analysis and linker, wall",
    )
    columns = [Column(name, precision=0) for name in names]
    return Table.of(["set", "tokens", *columns], rows, f"tokens a second, {THREADS} threads")


def _some(texts: Sequence[Document]) -> tuple[list[Document], list[Document]]:
    """Return the first texts of a set, and the same texts analysed."""
    chosen: list[Document] = []
    characters = 0
    for text in texts:
        if characters > TOKENS * 5:
            break
        chosen.append(text)
        characters += len(text.text)
    return chosen, _analysed(chosen)


def _analysed(texts: Sequence[Document]) -> list[Document]:
    return list(
        analyze_all((Document(document.id, document.text) for document in texts), threads=THREADS)
    )


def _linked(model: RankedLinker, texts: Sequence[Document], documents: Sequence[Document]) -> None:
    for text, document in zip(texts, documents, strict=True):
        model.choose(document, topic_of(text))


def _spotted(base: KnowledgeBase, texts: Sequence[Document]) -> None:
    for text in texts:
        spots(text.text, base.dictionary)


class Spent(NamedTuple):
    """Wall time, and CPU time of all threads, in seconds."""

    wall: float
    processor: float


def _spent(work: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> Spent:
    wall, processor = time.perf_counter(), time.process_time()
    work(*args, **kwargs)
    return Spent(time.perf_counter() - wall, time.process_time() - processor)
