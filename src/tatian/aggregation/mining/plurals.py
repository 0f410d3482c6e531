"""Aggregations by coreference: a set is named after its members were, "the two leaders"."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from tatian.aggregation.data.records import Instance
from tatian.aggregation.mining.antecedents import Plural, link_plurals
from tatian.aggregation.mining.found import Found
from tatian.aggregation.mining.phrases import answer
from tatian.analysis.trees import trees
from tatian.knowledge import KnowledgeBase
from tatian.text import Document

PATTERN = "plural"
_OPEN = ("'", "’", "-")
"""What a phrase cannot be taken out before: "the two countries' leaders"."""


def taken_up(document: Document, base: KnowledgeBase) -> Iterator[Found]:
    """The phrases with a number ("the two leaders", "both firms") that take up names before them.

    Only those count whose noun the base confirms of every name. The context begins with the first
    sentence that has one of them, and has their names in place of the phrase.
    """
    places = list(trees(document))
    starts = [tree.tokens[0].start for tree in places]
    for plural in link_plurals(document, base):
        if not plural.counted or not plural.supported:
            continue
        tree = places[bisect_right(starts, plural.phrase.start) - 1]
        words = [place for place, token in enumerate(tree.tokens) if plural.phrase.contains(token)]
        phrase = answer(tree, words[0], words[-1])
        end = plural.phrase.end
        if not phrase or document.text[end : end + 1] in _OPEN:
            continue
        first = starts[bisect_right(starts, plural.antecedents[0].mention.start) - 1]
        context = (
            document.text[first : plural.phrase.start]
            + _listed([one.name for one in plural.antecedents])
            + document.text[end : tree.tokens[-1].end]
        )
        yield _found(document, plural, phrase, context, tree.tokens[0].start, tree.tokens[-1].end)


def _found(
    document: Document, plural: Plural, phrase: str, context: str, start: int, end: int
) -> Found:
    about = document.metadata
    instance = Instance(
        id="",
        entities=tuple(sorted(one.name for one in plural.antecedents)),
        type=plural.type,
        title=about.title or "",
        context=" ".join(context.split()),
        aggregations=(phrase,),
        date=about.date or "",
        source=document.id,
    )
    return Found(instance, PATTERN, " ".join(document.text[start:end].split()))


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
