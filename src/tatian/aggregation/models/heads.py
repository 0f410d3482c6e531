"""Aggregation by shared nouns: three people who are all ministers are "the three ministers"."""

from __future__ import annotations

import re

from tatian.aggregation.models import Proposal, quoted
from tatian.text import CHAINS, Document, EntitySet
from tatian.text.lexicon import NUMBER_WORDS, ROLE_HEADS

_NUMBERS = {value: word for word, value in NUMBER_WORDS.items() if value <= 12 and word != "dozen"}


class HeadAggregator:
    """The noun that every title in the set ends with, with the number of things."""

    def aggregate(self, entities: EntitySet, context: Document) -> tuple[tuple[str, float], ...]:
        """Phrases for the set; empty when its members share no noun."""
        return tuple((one.phrase, one.score) for one in self.explain(entities, context))

    def explain(self, entities: EntitySet, context: Document) -> tuple[Proposal, ...]:
        """The same, each with the places where the text says it."""
        found = [_titles(context, chain_id) for chain_id in entities.chains]
        shared = set.intersection(*map(set, found)) if found else set()
        count = _NUMBERS.get(len(entities.chains), str(len(entities.chains)))
        return tuple(
            Proposal(
                f"the {count} {_plural(noun)}", 1.0, tuple(quoted(titles[noun]) for titles in found)
            )
            for noun in sorted(shared)
        )


def _titles(context: Document, chain_id: str) -> dict[str, str]:
    """The nouns of the titles that stand in front of the name, each with where it does."""
    nouns: dict[str, str] = {}
    for chain in context.get(CHAINS):
        if chain.id != chain_id:
            continue
        for mention in chain.mentions:
            if mention.head is not None and mention.head.start > mention.start:
                title = context.text[mention.start : mention.head.start].lower()
                for noun in title.partition(" of ")[0].split()[-1:]:
                    nouns.setdefault(noun, " ".join(mention.of(context.text).split()))
    return {noun: said for noun, said in nouns.items() if noun in ROLE_HEADS}


def _plural(noun: str) -> str:
    if noun.endswith(("man", "woman")):
        return re.sub("man$", "men", noun)
    if re.search("[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")
