"""Who "he" is, and who Verrick is, when sentences stand in new company."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tatian.consolidation.draft import Draft, Told
from tatian.pipeline import CrossChain
from tatian.pipeline.profiles import is_name
from tatian.text import Document, Mention, Source, WovenToken
from tatian.text.lexicon import PRONOUNS
from tatian.union.models import Passage
from tatian.union.models.copying import copy_tokens

Place = tuple[str, int]
"""A document and the start of a token in it."""


def name_strangers(draft: Draft, chains: Sequence[CrossChain]) -> None:
    """Put a name for a subject pronoun whose antecedent no longer stands just before it."""
    chain_at: dict[Place, CrossChain] = {}
    for chain in chains:
        for document, mention in chain.mentions():
            chain_at[(document, mention.start)] = chain
    before: Told | None = None
    for told in draft.told:
        index = _subject(told.tokens)
        if index is not None:
            pronoun = told.tokens[index]
            source = pronoun.sources[0]
            chain_found = chain_at.get((source.document, source.start))
            clear = before is not None and (
                _follows(before, told) or _subject_is(before, chain_found, chain_at)
            )
            if chain_found and not clear:
                told.tokens = _named(draft, told.tokens, index, chain_found)
        before = told


def _subject(tokens: Sequence[WovenToken]) -> int | None:
    """Where a sentence opens with "he" or "she", outside quotation marks."""
    if not tokens or tokens[0].glue or tokens[0].quoted:
        return None
    pronoun = PRONOUNS.get(tokens[0].text.lower())
    subject = tokens[0].text.lower() in {"he", "she"}
    return 0 if pronoun and subject else None


def _follows(before: Told, told: Told) -> bool:
    """Whether the two stand together in an account as well."""
    return any(
        one.account == two.account and one.index + 1 == two.index
        for one in before.units
        for two in told.units
    )


def _subject_is(told: Told, chain: CrossChain | None, chain_at: dict[Place, CrossChain]) -> bool:
    """Whether the first person the sentence speaks of is this one."""
    for token in told.tokens:
        for source in token.sources:
            found = chain_at.get((source.document, source.start))
            if found is not None and found.type == "PER":
                return found is chain
    return False


def _named(
    draft: Draft, tokens: tuple[WovenToken, ...], index: int, chain: CrossChain
) -> tuple[WovenToken, ...]:
    documents = {document.id: document for document in draft.documents}
    pronoun = tokens[index].sources[0]
    named: list[tuple[bool, bool, int, str, Mention]] = [
        (
            _is_plain(documents[document], mention),
            document == pronoun.document,
            -abs(mention.start - pronoun.start),
            document,
            mention,
        )
        for document, mention in chain.mentions()
        if mention.of(documents[document].text).lower() not in PRONOUNS
    ]
    if not named:
        return tokens
    *_, document, mention = max(named, key=lambda found: found[:3])
    words = copy_tokens(Passage(documents[document], mention))
    if not words:
        return tokens
    origin = Source(pronoun.document, pronoun.start, pronoun.end, "substituted")
    replaced = [
        replace(
            word,
            sources=(*(replace(source, kind="substituted") for source in word.sources), origin),
        )
        for word in words
    ]
    first = replaced[0].text
    replaced[0] = replace(replaced[0], text=first[0].upper() + first[1:])
    return (*tokens[:index], *replaced, *tokens[index + 1 :])


def _is_plain(document: Document, mention: Mention) -> bool:
    """Whether it is a name or no more than "the captain": what can stand for a pronoun."""
    words = mention.of(document.text).lower().split()
    return is_name(document, mention) or (words[:1] == ["the"] and len(words) == 2)
