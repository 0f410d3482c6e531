"""Chains across documents: which chain of one account is which of another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from tatian.coreference.models.match import name_words, same_name
from tatian.text import CHAINS, Chain, Document, Mention
from tatian.text.content import stem
from tatian.text.lexicon import PRONOUNS


class CrossChain(Struct, frozen=True):
    """One person or thing, in all documents that speak of it."""

    id: str
    name: str
    """The fullest way any document puts it."""
    type: str
    members: tuple[tuple[str, Chain], ...]
    """(document id, chain)"""

    def mentions(self) -> Iterator[tuple[str, Mention]]:
        """Every mention with the document it stands in."""
        for document, chain in self.members:
            for mention in chain.mentions:
                yield document, mention


class _Open:
    """A cross-document chain while it grows."""

    def __init__(self, document: Document, chain: Chain) -> None:
        self.type = chain.type
        self.members = [(document, chain)]
        self.names = _names(document, chain)
        self.heads = _heads(document, chain)

    def takes(self, document: Document, chain: Chain) -> bool:
        if chain.type != self.type:
            return False
        names = _names(document, chain)
        if names or self.names:
            return bool(names and self.names) and all(
                same_name(one, other, self.type) for one in names for other in self.names
            )
        return bool(self.heads & _heads(document, chain))

    def add(self, document: Document, chain: Chain) -> None:
        self.members.append((document, chain))
        self.names += _names(document, chain)
        self.heads |= _heads(document, chain)

    def closed(self, number: int) -> CrossChain:
        return CrossChain(
            id=f"e{number}",
            name=max(
                (_called(document, m) for document, chain in self.members for m in chain.mentions),
                key=lambda called: (not called.islower(), len(called)),
            ),
            type=self.type,
            members=tuple((document.id, chain) for document, chain in self.members),
        )


def link_chains(documents: Sequence[Document]) -> tuple[CrossChain, ...]:
    """Group the chains of several documents by what they are called, in order of appearance."""
    grown: list[_Open] = []
    by_word: dict[str, list[_Open]] = {}
    for document in documents:
        for chain in document.get(CHAINS):
            words = _index_words(document, chain)
            candidates = [group for word in words for group in by_word.get(word, ())]
            match = next((group for group in candidates if group.takes(document, chain)), None)
            if match is None:
                match = _Open(document, chain)
                grown.append(match)
            else:
                match.add(document, chain)
            for word in words:
                groups = by_word.setdefault(word, [])
                if match not in groups:
                    groups.append(match)
    return tuple(group.closed(number) for number, group in enumerate(grown, 1))


def _index_words(document: Document, chain: Chain) -> list[str]:
    names = _names(document, chain)
    words = {name[-1] for name in names} | {name[0] for name in names} | _heads(document, chain)
    return sorted(words)


def _is_name(document: Document, mention: Mention) -> bool:
    return (mention.head or mention).of(document.text)[:1].isupper() and (
        mention.of(document.text).lower() not in PRONOUNS
    )


def _names(document: Document, chain: Chain) -> list[list[str]]:
    found: list[list[str]] = []
    for mention in chain.mentions:
        if _is_name(document, mention):
            words = name_words(document, mention)
            if words and words not in found:
                found.append(words)
    return found


def _heads(document: Document, chain: Chain) -> set[str]:
    """Head nouns of chains that no mention gives a name."""
    if chain.type:
        return set()
    return {stem((m.head or m).of(document.text)) for m in chain.mentions}


def _called(document: Document, mention: Mention) -> str:
    named = mention.head if mention.head is not None and mention.type else mention
    return " ".join(named.of(document.text).split())
