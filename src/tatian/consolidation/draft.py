"""The text while it is being put together."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct

from tatian.consolidation.units import Unit
from tatian.text import Document, WovenToken
from tatian.text.content import concepts
from tatian.union.models import Contradiction, Fate, Merged


class Told(Struct, eq=False):
    """One sentence of the output, and the source sentences it was made from."""

    tokens: tuple[WovenToken, ...]
    units: list[Unit]
    """Those it carries, the one whose wording it follows first."""
    instead: Told | None = None
    """The sentence that says it, once it was dropped."""

    @property
    def dropped(self) -> bool:
        """Whether it was taken out again."""
        return self.instead is not None

    def concepts(self) -> set[str]:
        """What it expresses."""
        return set(concepts(token.text for token in self.tokens))


class Settled(Struct):
    """What became of one source sentence."""

    fate: Fate
    why: str
    into: list[Told]


class Draft:
    """All output sentences in order, and every source sentence's fate."""

    def __init__(
        self,
        documents: Sequence[Document],
        accounts: Sequence[Sequence[Unit]],
        contradictions: Sequence[Contradiction] = (),
    ) -> None:
        self.documents = documents
        self.accounts = accounts
        self._accounts = {
            document.id: units for document, units in zip(documents, accounts, strict=True)
        }
        self.told: list[Told] = []
        self.groups: list[Sequence[Unit]] = []
        self.settled: dict[tuple[int, int], Settled] = {}
        self.contradictions = dict.fromkeys(contradictions)

    def add(self, members: Sequence[Unit], merged: Merged) -> list[Told]:
        """Take in what a merger made of one group; `arrange` puts it in order later."""
        self.groups.append(members)
        written = [Told(tokens, []) for tokens in merged.sentences]
        grafted = {
            i for outcome in merged.outcomes if outcome.fate == "merged" for i in outcome.into
        }
        pairs = list(zip(members, merged.outcomes, strict=True))
        for unit, outcome in sorted(pairs, key=lambda pair: pair[1].fate != "kept"):
            into = [written[index] for index in dict.fromkeys(outcome.into)]
            for told in into:
                told.units.append(unit)
            fate, why = outcome.fate, outcome.why
            if fate == "kept" and not grafted.isdisjoint(outcome.into):
                fate, why = "merged", "its wording carries what other accounts add"
            into = [told for told in into if told.tokens]
            if fate in {"kept", "merged"} and not into:
                fate, why = "unused", "no words of it were used"
            self.settled[unit.key] = Settled(fate, why, into)
        for told in written:
            told.units = told.units or _drawn_on(told, members, self.documents) or list(members[:1])
        self.contradictions.update(dict.fromkeys(merged.contradictions))
        return [told for told in written if told.tokens]

    def arrange(self, blocks: Sequence[Sequence[Told]]) -> None:
        """Set the order of telling."""
        self.told = [told for block in blocks for told in block]

    def carriers(self, document: str, start: int) -> list[Told]:
        """The output sentences that carry the source sentence at this place."""
        units = self._accounts[document]
        index = bisect_right(units, start, key=lambda unit: unit.sentence.start) - 1
        return self.settled[units[index].key].into if index >= 0 else []

    def drop(self, told: Told, into: Told, why: str) -> None:
        """Take a sentence out again because `into` says it; `sweep` removes it from the text."""
        told.instead = into
        for unit in told.units:
            settled = self.settled[unit.key]
            if settled.into == [told]:
                settled.fate, settled.why, settled.into = "redundant", why, [into]
            else:
                settled.into = [place for place in settled.into if place is not told]

    def sweep(self) -> None:
        """Remove what was dropped, and follow chains of what was dropped into what."""
        for settled in self.settled.values():
            settled.into = [_standing(told) for told in settled.into]
        self.told = [told for told in self.told if not told.dropped]


def _standing(told: Told) -> Told:
    while told.instead is not None:
        told = told.instead
    return told


def _drawn_on(told: Told, members: Sequence[Unit], documents: Sequence[Document]) -> list[Unit]:
    """The sentences a told one has words of, where its merger does not say which it carries."""
    places = {(source.document, source.start) for token in told.tokens for source in token.sources}
    return [
        unit
        for unit in members
        if any(
            document == documents[unit.account].id and unit.body.start <= start < unit.body.end
            for document, start in places
        )
    ]
