"""Names that are one by their words: proposed where the model saw no link."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tatian.coreference.definition import Proposal
from tatian.coreference.models.match import name_words, same_name
from tatian.text import NAMES, Document, Mention

SUPPOSED = 0.0
"""The probability of such a link: whatever the model says comes first."""
_LATEST = 8
"""Earlier names with a word in common that one is compared with."""


class _Called(NamedTuple):
    """A name, and its words without title and suffix."""

    mention: Mention
    words: Sequence[str]
    suffixed: bool
    """Whether it says what it is: "Corp.", "Jr."."""


def same_names(document: Document) -> Iterator[Proposal]:
    """ "Acme" goes with "Acme Corp.", "GM" with "General Motors", a surname with its person."""
    known: dict[str, list[_Called]] = {}
    for name in document.get(NAMES):
        mention = Mention(name.start, name.end, name.type)
        words = name_words(document, mention)
        one = _Called(mention, words, len(words) < len(document.tokens_in(mention)))
        keys = _keys(words)
        found = [other for key in keys for other in known.get(key, ())[-_LATEST:]]
        same = [other.mention for other in found if _are_one(one, other)]
        if same:
            yield Proposal(mention, max(same), SUPPOSED)
        for key in keys:
            known.setdefault(key, []).append(one)


def _are_one(one: _Called, other: _Called) -> bool:
    """By their words; a name of another type only where a suffix tells what both are."""
    if one.mention.type == other.mention.type:
        return same_name(one.words, other.words, one.mention.type)
    return one.words == other.words and one.suffixed != other.suffixed


def _keys(words: Sequence[str]) -> list[str]:
    """What names that can be one have in common: the first word, the last, the initials."""
    if not words:
        return []
    initials = "".join(word[0] for word in words) if len(words) > 1 else words[0]
    return sorted({words[0], words[-1], initials.replace(".", "")})
