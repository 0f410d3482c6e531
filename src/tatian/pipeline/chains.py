"""Chains across documents: which chain of one account is which of another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from tatian.pipeline.likeness import LEAST, log_odds
from tatian.pipeline.linkage import candidates, clusters
from tatian.pipeline.profiles import Profile, is_name, profiles
from tatian.text import Chain, Document, Mention


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


def link_chains(documents: Sequence[Document], *, lone: bool = False) -> tuple[CrossChain, ...]:
    """Group the chains of several documents by what is said of them, in order of appearance.

    What only pronouns speak of is linked with nothing. What is mentioned once in all documents is
    left out unless it has a name or `lone` asks for it.
    """
    known = [profile for document in documents for profile in profiles(document)]
    odds = {
        (one, other): log_odds(known[one], known[other])
        for one, other in candidates([profile.keys() for profile in known])
    }
    by_id = {document.id: document for document in documents}
    groups = [[known[number] for number in group] for group in clusters(len(known), odds, LEAST)]
    kept = [group for group in groups if lone or _worth_keeping(group)]
    return tuple(_joined(group, number, by_id) for number, group in enumerate(kept, 1))


def _worth_keeping(group: Sequence[Profile]) -> bool:
    mentions = sum(len(profile.chain.mentions) for profile in group)
    return mentions > 1 or any(profile.names for profile in group)


def _joined(group: Sequence[Profile], number: int, documents: dict[str, Document]) -> CrossChain:
    types = Counter(profile.type for profile in group if profile.type)
    return CrossChain(
        id=f"e{number}",
        name=_best_name(group, documents),
        type=min(types, key=lambda type: (-types[type], type)) if types else "",
        members=tuple((profile.document, profile.chain) for profile in group),
    )


def _best_name(group: Sequence[Profile], documents: dict[str, Document]) -> str:
    """The longest name; without names, the longest phrase."""
    called = (
        _called(documents[profile.document], mention)
        for profile in group
        for mention in profile.chain.mentions
    )
    return max(called, key=lambda found: (found[0], len(found[1])))[1]


def _called(document: Document, mention: Mention) -> tuple[bool, str]:
    """Whether a mention is a name, and how it calls its thing."""
    named = is_name(document, mention)
    span = mention.head if mention.head is not None and named else mention
    return named, " ".join(span.of(document.text).split())
