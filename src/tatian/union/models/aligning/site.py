"""What every way of attaching a piece needs to know, and how an edit is made."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tatian.text import WovenToken
from tatian.text.content import saying
from tatian.union.models.aligning.edits import Edit, is_clipped, lowered, whole
from tatian.union.models.aligning.images import Images
from tatian.union.models.aligning.slots import Slots, neighbour_slot
from tatian.union.models.aligning.units import Unit
from tatian.union.models.aligning.words import Alignment


class Site:
    """The base with its slots, and the sentence whose pieces go into it."""

    def __init__(self, alignment: Alignment, images: Images) -> None:
        self.alignment = alignment
        self.images = images
        self.other = alignment.other
        self.base = alignment.base
        self.slots = Slots(alignment.base)
        words = (p for p in range(len(self.other)) if self.other.tag(p) != "PUNCT")
        self._first = next(words, 0)

    def words(self, places: Sequence[int]) -> list[WovenToken]:
        """The words at these places, without the capital of a sentence's start."""
        words = [
            lowered(self.other, place) if place <= self._first else self.other.tokens[place]
            for place in places
        ]
        if places and is_clipped(self.other, places[-1]):
            words[-1] = whole(words[-1])
        return words

    def edit(
        self,
        unit: Unit,
        at: int,
        places: Sequence[int] | None = None,
        *,
        before: Sequence[WovenToken] = (),
        after: Sequence[WovenToken] = (),
        set_off: bool = False,
        drop: int = 0,
        cost: float = 0.0,
    ) -> Edit:
        """The unit, or some of its words, put at a place of the base."""
        moved = unit.places if places is None else tuple(places)
        words = (*before, *self.words(moved), *after)
        safe = at in {0, self.base.end} or at == neighbour_slot(unit, self.alignment, self.slots)
        return Edit(at, words, set_off, drop, moved, cost, safe, unit.places[0], unit.relation)

    def expansion(self, places: Sequence[int], at: int) -> Edit:
        """The rest of a name that the base has in part."""
        words = tuple(
            replace(word, sources=tuple(replace(s, kind="substituted") for s in word.sources))
            for word in (self.other.tokens[place] for place in places)
        )
        return Edit(at, words, places=tuple(places), rank=len(self.other), kind="name")

    def says(self, place: int) -> bool:
        """Whether a word of the base is a verb of saying."""
        return self.base.concepts[place] in saying()

    def fronted(self, unit: Unit) -> bool:
        """Whether the unit opens its sentence."""
        first = unit.places[0]
        return first == 0 or (first == 1 and self.other.tag(0) in {"CCONJ", "PUNCT"})
