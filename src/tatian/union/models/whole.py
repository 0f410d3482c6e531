"""Baselines: keep one sentence, or several, unchanged."""

from __future__ import annotations

from collections.abc import Sequence

from tatian.errors import EmptyInput
from tatian.text import SourcedToken
from tatian.text.content import is_content
from tatian.text.documents import Passage, copy_tokens
from tatian.text.layers import glue
from tatian.union.models import Merged


class Longer:
    """The longest sentence, unchanged: omits content of the others, repeats nothing."""

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Keep the passage with the most characters; the last one on ties.

        The published figures of this baseline on the Sentence Union dataset use that tie rule.
        """
        if not passages:
            raise EmptyInput("no passages to merge")
        chosen = max(range(len(passages)), key=lambda index: (len(passages[index].text), index))
        return Merged((copy_tokens(passages[chosen]),))


MIN_NEW_SHARE = 0.7
"""Another sentence is kept as well if more than this share of its content words is new."""


class LongerOrBoth:
    """The longest sentence, and every other with more than 70% new content words."""

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Keep whole sentences in order; of equally long ones, the last counts as the longest."""
        if not passages:
            raise EmptyInput("no passages to merge")
        sentences = [copy_tokens(passage) for passage in passages]
        words = [_content(tokens) for tokens in sentences]
        places = range(len(passages))
        longest = max(places, key=lambda index: (len(passages[index].text), index))
        kept, covered = {longest}, words[longest]
        for index in places:
            if index != longest and len(words[index] - covered) > MIN_NEW_SHARE * len(words[index]):
                kept.add(index)
                covered = covered | words[index]
        return Merged(tuple(sentences[index] for index in sorted(kept)))


def _content(tokens: Sequence[SourcedToken]) -> frozenset[str]:
    return frozenset(token.text.lower() for token in tokens if is_content(token.text))


def join_by_semicolons(sentences: Sequence[tuple[SourcedToken, ...]]) -> tuple[SourcedToken, ...]:
    """Join sentences with semicolons."""
    tokens: tuple[SourcedToken, ...] = ()
    for sentence in sentences:
        if tokens and tokens[-1].text == ".":
            tokens = (*tokens[:-1], glue(";", space=False))
        tokens = (*tokens, *sentence)
    return tokens


class Concatenation:
    """All sentences in order: omits nothing, repeats all shared content."""

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Copy each passage that is not empty as a sentence of its own, in the given order."""
        if not passages:
            raise EmptyInput("no passages to merge")
        sentences = map(copy_tokens, passages)
        return Merged(tuple(tokens for tokens in sentences if tokens))
