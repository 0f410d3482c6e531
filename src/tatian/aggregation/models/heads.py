"""Aggregation by shared nouns: three people who are all ministers are "the three ministers"."""

from __future__ import annotations

import re

from tatian.text import CHAINS, Document, EntitySet
from tatian.text.lexicon import NUMBER_WORDS, ROLE_HEADS

_NUMBERS = {value: word for word, value in NUMBER_WORDS.items() if value <= 12 and word != "dozen"}


class HeadAggregator:
    """The noun that every title in the set ends with, with the number of things."""

    def aggregate(self, entities: EntitySet, context: Document) -> tuple[tuple[str, float], ...]:
        """Phrases for the set; empty when its members share no noun."""
        shared: set[str] | None = None
        for chain_id in entities.chains:
            nouns = _titles(context, chain_id)
            shared = nouns if shared is None else shared & nouns
        count = _NUMBERS.get(len(entities.chains), str(len(entities.chains)))
        return tuple((f"the {count} {_plural(noun)}", 1.0) for noun in sorted(shared or ()))


def _titles(context: Document, chain_id: str) -> set[str]:
    """The nouns of the titles that stand in front of the name anywhere in the document."""
    nouns: set[str] = set()
    for chain in context.get(CHAINS):
        if chain.id != chain_id:
            continue
        for mention in chain.mentions:
            if mention.head is not None and mention.head.start > mention.start:
                title = context.text[mention.start : mention.head.start].lower()
                nouns.update(title.partition(" of ")[0].split()[-1:])
    return nouns & ROLE_HEADS


def _plural(noun: str) -> str:
    if noun.endswith(("man", "woman")):
        return re.sub("man$", "men", noun)
    if re.search("[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")
