"""A response beside a key: what was missed, invented, split and merged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

import msgspec

from tatian.coreference.comparing.alignment import moved_chains
from tatian.coreference.comparing.finding import find_errors
from tatian.coreference.comparing.heads import Heads
from tatian.coreference.comparing.kinds import Form
from tatian.coreference.comparing.labels import key_labels, response_labels
from tatian.coreference.comparing.matching import match_mentions, shifted_pairs
from tatian.coreference.comparing.result import Compared, Comparison, Marked, Side
from tatian.coreference.metrics.aligning import pair_up
from tatian.coreference.metrics.documents import score, usual_match
from tatian.coreference.metrics.kinds import Kinds
from tatian.coreference.metrics.matching import Match
from tatian.errors import InputError
from tatian.text import CHAINS, SENTENCES, Chain, Document, Span, split

METRICS = {"conll": "CoNLL", "muc": "MUC", "b3": "B³", "ceafe": "CEAF-e", "lea": "LEA",
           "mentions": "mentions"}  # fmt: skip


def compare(
    key: Document | Iterable[Document],
    response: Document | Iterable[Document],
    match: Match | None = None,
    *,
    singletons: bool = True,
) -> Comparison:
    """Compare the chains of one or more documents with those of their key.

    Documents are paired by their ids; one document and its key belong together whatever theirs.
    Mentions match as in `tatian.coreference.metrics.score`; without `singletons`, chains of one
    mention are left out on both sides.
    """
    wanted, given = _several(key), _several(response)
    pairs = pair_up(wanted, given)
    mode = match or usual_match(wanted)
    return Comparison(
        tuple(compare_document(*pair, mode, singletons=singletons) for pair in pairs),
        mode,
        singletons,
        _scores(wanted, given, mode, singletons),
    )


def compare_document(
    key: Document, response: Document, match: Match = "exact", *, singletons: bool = True
) -> Compared:
    """The same for one document, whatever the ids."""
    kinds = Kinds(key)
    fewest = 1 if singletons else 2
    ours = make_side(key.get(CHAINS), kinds, fewest)
    theirs = make_side(moved_chains(response, key), kinds, fewest)
    pairs = match_mentions(ours.mentions, theirs.mentions, key.text, match)
    shifted = shifted_pairs(ours.mentions, theirs.mentions, pairs, Heads(key))
    to_key = {mine: wanted for wanted, mine in (*pairs, *shifted)}
    labels = response_labels(theirs, ours, to_key)
    return Compared(
        id=key.id,
        text=key.text,
        sentences=sentences_of(key),
        key=ours,
        response=msgspec.structs.replace(theirs, labels=labels),
        pairs=pairs,
        shifted=shifted,
        errors=find_errors(ours, theirs, pairs, shifted),
    )


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


def _several(documents: Document | Iterable[Document]) -> list[Document]:
    return [documents] if isinstance(documents, Document) else list(documents)


def _scores(
    key: list[Document], response: list[Document], match: Match, singletons: bool
) -> dict[str, float]:
    """None where the scorer refuses what can still be looked at, such as repeated mentions."""
    try:
        found = score(key, response, metrics=METRICS, match=match, singletons=singletons)
    except InputError:
        return {}
    return {name: found.rates(name).f1 for name in METRICS}
