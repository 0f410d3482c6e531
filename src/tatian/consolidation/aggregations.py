"""The phrases that name several of the chains at once: the models', and the text's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from tatian.consolidation.result import Aggregation, Consolidation
from tatian.consolidation.together import Together
from tatian.pipeline import CrossChain
from tatian.text import ENTITY_SETS, Document, Span


class Named(Struct, frozen=True):
    """A set of chains with the best phrase that any account's model has for it."""

    chains: tuple[str, ...]
    phrase: str
    score: float | None = None
    support: tuple[str, ...] = ()


def named_sets(
    documents: Sequence[Document], chains: Sequence[CrossChain]
) -> dict[frozenset[str], Named]:
    """The sets of all accounts that have a phrase, each once, by their chains across accounts."""
    across = {
        (document, member.id): chain.id for chain in chains for document, member in chain.members
    }
    found: dict[frozenset[str], Named] = {}
    for document in documents:
        for entities in document.get(ENTITY_SETS):
            members = tuple(across.get((document.id, chain), "") for chain in entities.chains)
            key = frozenset(members)
            if not entities.phrases or not all(members) or len(key) < len(members):
                continue
            score = entities.scores[0] if entities.scores else None
            support = entities.support[0] if entities.support else ()
            if key not in found or (score or 0) > (found[key].score or 0):
                found[key] = Named(members, entities.phrases[0], score, support)
    return found


def aggregations(
    sets: Mapping[frozenset[str], Named],
    accounts: Mapping[str, Together],
    written: Consolidation,
) -> Iterator[Aggregation]:
    """The phrase of every set, and where the text uses it; then the plurals of the text itself."""
    placed: list[tuple[int, int]] = []
    for named in sets.values():
        place = _place(named, written)
        placed += [place] if place else []
        start, end = place or (None, None)
        yield Aggregation(named.phrase, named.chains, start, end, named.score, named.support)
    order = [chain.id for chain in written.chains]
    for span, members in _plurals(accounts, written):
        apart = all(end <= span.start or span.end <= start for start, end in placed)
        if apart and members <= set(order):
            named_here = tuple(chain for chain in order if chain in members)
            yield Aggregation(span.of(written.text), named_here, span.start, span.end)


def _place(named: Named, written: Consolidation) -> tuple[int, int] | None:
    """Where the phrase stands: after all that it names, or else for the first time."""
    bare = re.escape(named.phrase.removeprefix("the "))
    pattern = re.compile(rf"(?<![\w-]){bare}(?![\w-])", re.IGNORECASE)
    found = [match.span() for match in pattern.finditer(written.text)]
    first = {mention.chain: mention.end for mention in reversed(written.mentions)}
    known = max(first.get(chain, 0) for chain in named.chains)
    return next((one for one in found if one[0] >= known), found[0] if found else None)


def _plurals(
    accounts: Mapping[str, Together], written: Consolidation
) -> Iterator[tuple[Span, frozenset[str]]]:
    """The plurals of accounts that stand in the text whole, with what they surely speak of."""
    starting = {
        (account, plural.phrase.span.start): plural
        for account, together in accounts.items()
        for plural in together.plurals
        if plural.members and plural.sure
    }
    for sentence in written.sentences:
        for at, token in enumerate(sentence.tokens):
            source = token.sources[0] if token.sources else None
            plural = starting.get((source.document, source.start)) if source else None
            if source is None or plural is None:
                continue
            words = accounts[source.document].document.tokens_in(plural.phrase.span)
            run = sentence.tokens[at : at + len(words)]
            places = [(s.document, s.start) for one in run for s in one.sources[:1]]
            if places == [(source.document, word.start) for word in words]:
                yield Span(run[0].start, run[-1].end), plural.members
