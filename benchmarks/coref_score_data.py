"""Responses to score, made from a key by seeded mistakes, at any length of document."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable

from tatian.formats.brackets import ColumnDocument, TokenSpan

Chains = dict[str, list[TokenSpan]]
DROPPED, MOVED, ADDED = 0.1, 0.15, 0.1
"""Shares of the key's mentions."""


def with_errors(document: ColumnDocument, rng: random.Random) -> Chains:
    """Return the document's chains with mentions left out, moved to other chains, and invented."""
    labels = list(document.chains)
    taken = {span for spans in document.chains.values() for span in spans}
    response: Chains = defaultdict(list)
    for label, spans in document.chains.items():
        for span in spans:
            chance = rng.random()
            if chance < DROPPED:
                continue
            chosen = rng.choice(labels) if chance < DROPPED + MOVED else label
            response[chosen].append(span)
    for _ in range(int(ADDED * len(taken))):
        start = rng.randrange(document.tokens)
        span = start, min(document.tokens, start + rng.randint(1, 4))
        if span not in taken:
            taken.add(span)
            response[rng.choice(labels)].append(span)
    return {label: drop_crossing(spans) for label, spans in response.items()}


def drop_crossing(spans: list[TokenSpan]) -> list[TokenSpan]:
    """Drop spans that cross another, which brackets of one chain cannot hold."""
    kept: list[TokenSpan] = []
    around: list[int] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        while around and around[-1] <= start:
            around.pop()
        if not around or end <= around[-1]:
            kept.append((start, end))
            around.append(end)
    return kept


def join_documents(documents: list[ColumnDocument], times: int) -> list[ColumnDocument]:
    """Join every `times` consecutive documents, and their chains of one label."""
    longer = []
    for first in range(0, len(documents) - times + 1, times):
        group = documents[first : first + times]
        chains: Chains = defaultdict(list)
        tokens = 0
        for document in group:
            for label, spans in document.chains.items():
                chains[label] += [(start + tokens, end + tokens) for start, end in spans]
            tokens += document.tokens
        longer.append(ColumnDocument(f"{group[0].id} x{times}", 1, tokens, dict(chains)))
    return longer


def to_conll(documents: Iterable[tuple[str, int, Chains]]) -> str:
    """Format documents as CoNLL: id, number of tokens, chains labelled by numbers."""
    lines = []
    for id, tokens, chains in documents:
        cells: dict[int, list[str]] = defaultdict(list)
        for number, spans in enumerate(chains.values()):
            for start, end in spans:
                if end == start + 1:
                    cells[start].append(f"({number})")
                else:
                    cells[start].append(f"({number}")
                    cells[end - 1].append(f"{number})")
        lines.append(f"#begin document ({id}); part 000")
        key = id.replace(" ", "_")
        blank = "\t".join(["_"] * 8)
        lines += [
            f"{key}\t0\t{place}\tword\t{blank}\t{'|'.join(cells.get(place, ['-']))}"
            for place in range(tokens)
        ]
        lines += ["", "#end document"]
    return "\n".join(lines) + "\n"
