"""A list of names that the text has just had, by one phrase: "the three automakers".

Only where nothing is lost and nothing becomes unclear: the same names stand in a list a few
sentences before, nothing else of their kind is spoken of in between, and the phrase is sure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tatian.consolidation.aggregations import Named
from tatian.consolidation.draft import Draft, Told
from tatian.consolidation.together import DOER, DONE_TO, NameList, Together
from tatian.pipeline import CrossChain
from tatian.text import WovenToken, tokenize
from tatian.text.content import concepts
from tatian.text.lexicon import word_set
from tatian.text.provenance import capitalized

SURE = 0.7
"""The score from which a phrase may stand in place of names."""
NEAR = 3
"""Sentences after a list in which it may be taken up."""
_ROLES = frozenset({DOER, DONE_TO, "obl"})
_NEVER_BESIDE = word_set("both either neither between ' ’ 's ’s")
_NOUN_LIKE = word_set("NOUN PROPN ADJ NUM DET PRON")
"""What beside a list belongs to one noun phrase with it: "Ford, Toyota and Honda shares"."""


class _Run(Struct, frozen=True):
    """A list in a sentence of the text, by the places of its words."""

    start: int
    end: int
    listed: NameList


def name_lists(
    draft: Draft,
    accounts: Mapping[str, Together],
    chains: Sequence[CrossChain],
    names: Mapping[frozenset[str], Named],
) -> None:
    """Put a phrase of `names` for each list that the text repeats, where that is safe."""
    chain_at = {
        (document, mention.start): chain
        for chain in chains
        for document, mention in chain.mentions()
    }
    standing: dict[frozenset[str], int] = {}
    said: set[str] = set()
    for index, told in enumerate(draft.told):
        for run in sorted(_runs(told, accounts), key=lambda run: -run.start):
            named = names.get(run.listed.members)
            since = standing.get(run.listed.members, index - NEAR - 1)
            new = {*concepts(t.text for t in told.tokens[run.start : run.end])} - said
            if (
                named is not None
                and (named.score or 0) >= SURE
                and index - since <= NEAR
                and not new
                and _fits(told, run, accounts)
                and not _others(draft.told[since : index + 1], run.listed, chain_at)
            ):
                told.tokens = _written(told.tokens, run, named.phrase)
            else:
                standing[run.listed.members] = index
        said |= told.concepts()


def _runs(told: Told, accounts: Mapping[str, Together]) -> Iterator[_Run]:
    """The lists that the accounts have and the sentence has whole, word for word."""
    for at, token in enumerate(told.tokens):
        source = token.sources[0] if token.sources else None
        account = accounts.get(source.document) if source else None
        listed = account.list_at.get(source.start) if source and account else None
        if source is None or account is None or listed is None:
            continue
        words = account.document.tokens_in(listed.span)
        run = told.tokens[at : at + len(words)]
        places = [(s.document, s.start) for one in run for s in one.sources[:1]]
        same = [one.text for one in run] == [word.text for word in words]
        if same and places == [(source.document, word.start) for word in words]:
            yield _Run(at, at + len(words), listed)


def _fits(told: Told, run: _Run, accounts: Mapping[str, Together]) -> bool:
    """Whether a phrase can stand where the list does."""
    if run.listed.role.name not in _ROLES or any(
        token.quoted for token in told.tokens[run.start : run.end]
    ):
        return False
    around = (*told.tokens[max(0, run.start - 1) : run.start], *told.tokens[run.end : run.end + 1])
    return all(
        token.text.lower() not in _NEVER_BESIDE
        and not any(
            accounts[source.document].tag(source.start) in _NOUN_LIKE
            for source in token.sources
            if source.document in accounts
        )
        for token in around
    )


def _others(
    between: Sequence[Told], listed: NameList, chain_at: Mapping[tuple[str, int], CrossChain]
) -> bool:
    """Whether the sentences speak of something else that the phrase could be taken for."""
    types = {chain.type for chain in chain_at.values() if chain.id in listed.members}
    spoken = (
        chain_at.get((source.document, source.start))
        for told in between
        for token in told.tokens
        for source in token.sources
    )
    return any(
        chain is not None and chain.type in types and chain.id not in listed.members
        for chain in spoken
    )


def _written(tokens: tuple[WovenToken, ...], run: _Run, phrase: str) -> tuple[WovenToken, ...]:
    """The phrase, all of whose words stand for all of the list."""
    behind = tuple(
        replace(source, kind="aggregated")
        for token in tokens[run.start : run.end]
        for source in token.sources
    )
    words = [WovenToken(token.text, behind) for token in tokenize(phrase)]
    words[0] = replace(words[0], space=tokens[run.start].space)
    changed = (*tokens[: run.start], *words, *tokens[run.end :])
    return capitalized(changed) if not run.start else changed
