"""World knowledge in unions: prefer the more specific of two names (App. B).

"The French capital" and "Paris" are known to be one place. A union that has only the first gets the
second instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tatian.text import Source, SourcedToken
from tatian.text.documents import Passage
from tatian.text.lexicon import DETERMINERS
from tatian.union.models import Merged, Merger
from tatian.union.relations.knowledge import Knowledge
from tatian.union.relations.units import ParsedPassage, Unit

_NAMED = frozenset(("name", "role", "phrase"))
Swap = tuple[ParsedPassage, Unit, ParsedPassage, Unit]
"""A general phrase and the specific one that replaces it, each in its sentence."""


class Specific:
    """A merger that prefers the more specific of two phrases that `knowledge` relates."""

    def __init__(self, merger: Merger, knowledge: Knowledge) -> None:
        self._merger = merger
        self._knowledge = knowledge

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Return the merger's union with general phrases replaced by specific ones."""
        merged = self._merger.merge(passages)
        for swap in self._swaps([ParsedPassage(passage) for passage in passages]):
            sentences = tuple(_insert_specific(s, swap) for s in merged.sentences)
            merged = replace(merged, sentences=sentences)
        return merged

    def _swaps(self, passages: Sequence[ParsedPassage]) -> Iterator[Swap]:
        """Yield general phrases, each with the only phrase of another sentence that entails it."""
        for general in passages:
            for unit in general.units:
                if unit.kind not in ("role", "phrase"):
                    continue
                candidates = [
                    (other, specific)
                    for other in passages
                    if other is not general
                    for specific in other.units
                    if specific.kind in _NAMED and self._entails(other, specific, general, unit)
                ]
                if len({other.text(phrase).lower() for other, phrase in candidates}) == 1:
                    yield general, unit, *candidates[0]

    def _entails(
        self,
        other: ParsedPassage,
        specific: Unit,
        general: ParsedPassage,
        unit: Unit,
    ) -> bool:
        relation = self._knowledge.compare(other.text(specific), general.text(unit))
        return relation is not None and relation.kind == "entails"


def _insert_specific(sentence: tuple[SourcedToken, ...], swap: Swap) -> tuple[SourcedToken, ...]:
    """Insert the specific phrase, unless it is there already or the general one is quoted."""
    general, unit, other, specific = swap
    old = [place for place, token in enumerate(sentence) if _is_from(token, general, unit)]
    has = any(_is_from(token, other, specific) for token in sentence)
    if not old or has or any(sentence[place].quoted for place in old):
        return sentence
    first, end = old[0], old[-1] + 1
    if [*range(first, end)] != old:
        return sentence
    if specific.kind == "name" and first and sentence[first - 1].text.lower() in DETERMINERS:
        first -= 1
    return (*sentence[:first], *_copy_unit(other, specific, sentence[first]), *sentence[end:])


def _is_from(token: SourcedToken, passage: ParsedPassage, unit: Unit) -> bool:
    span, id = passage.span(unit.first, unit.end), passage.passage.document.id
    return any(
        source.document == id and span.start <= source.start and source.end <= span.end
        for source in token.sources
    )


def _copy_unit(passage: ParsedPassage, unit: Unit, before: SourcedToken) -> Iterator[SourcedToken]:
    document = passage.passage.document
    end = 0
    for token in passage.tokens[unit.first : unit.end]:
        space = before.space if not end else token.start > end
        source = Source(document.id, token.start, token.end, "substituted")
        yield SourcedToken(token.text, (source,), space)
        end = token.end
