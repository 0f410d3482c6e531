"""The chains of a key or a response, numbered: the same numbers where the two sides agree."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase
from typing import cast

from tatian.coreference.comparing.result import Form, Marked, Side, parts_of
from tatian.coreference.metrics.kinds import Kinds
from tatian.text import SENTENCES, Chain, Document, Span, split

INVENTED = "x"
METRICS = {"conll": "CoNLL", "muc": "MUC", "b3": "B³", "ceafe": "CEAF-e", "lea": "LEA",
           "mentions": "mentions"}  # fmt: skip


def key_labels(chains: int) -> tuple[str, ...]:
    """``1``, ``2`` and so on."""
    return tuple(map(str, range(1, chains + 1)))


def response_labels(response: Side, key: Side, to_key: dict[int, int]) -> tuple[str, ...]:
    """The number of the key chain that a response chain holds most of.

    Of several such chains the largest has the bare number, the others are ``3b``, ``3c``; chains
    that hold nothing of the key are ``x1``, ``x2``.
    """
    labels = [""] * len(response.chains)
    claims: dict[int, list[tuple[int, int]]] = {}
    invented = 0
    for chain, members in enumerate(response.members):
        parts = parts_of(members, key, to_key)
        if parts:
            claims.setdefault(parts[0].chain, []).append((-len(parts[0].mentions), chain))
        else:
            invented += 1
            labels[chain] = f"{INVENTED}{invented}"
    for wanted, claimed in claims.items():
        for rank, (_, chain) in enumerate(sorted(claimed)):
            labels[chain] = key.labels[wanted] + (_letters(rank) if rank else "")
    return tuple(labels)


def base(label: str) -> str:
    """The number of the key chain that a label stands for: ``3`` for ``3b``."""
    return label.rstrip(ascii_lowercase)


def _letters(rank: int) -> str:
    """``b`` for 1, ``z`` for 25, ``aa`` for 26."""
    rounds, letter = divmod(rank, len(ascii_lowercase))
    return (_letters(rounds - 1) if rounds else "") + ascii_lowercase[letter]


def make_side(chains: Sequence[Chain], kinds: Kinds, fewest: int = 1) -> Side:
    """Chains of at least `fewest` mentions in the order of the text, numbered."""
    ordered = sorted(
        (chain for chain in chains if len(chain.mentions) >= fewest),
        key=lambda chain: min((one.start, -one.end) for one in chain.mentions),
    )
    marked = [
        Marked(mention, index, cast(Form, kinds.of(mention)))
        for index, chain in enumerate(ordered)
        for mention in chain.mentions
    ]
    marked.sort(key=lambda one: (one.mention.start, -one.mention.end, one.chain))
    members: list[list[int]] = [[] for _ in ordered]
    for place, one in enumerate(marked):
        members[one.chain].append(place)
    return Side(
        chains=tuple(ordered),
        mentions=tuple(marked),
        members=tuple(map(tuple, members)),
        labels=key_labels(len(ordered)),
    )


def sentences_of(document: Document) -> tuple[Span, ...]:
    """The document's sentences, found if it has none."""
    given = document.sentences if document.has(SENTENCES) else split(document.text)
    return tuple(Span(one.start, one.end) for one in given)
