"""Where in the base a piece of the other sentence may stand."""

from __future__ import annotations

from tatian.union.models.aligning.sentences import Parsed
from tatian.union.models.aligning.units import Unit
from tatian.union.models.aligning.words import Alignment

_TIGHT = frozenset(
    "det amod compound flat case aux cop nummod mark fixed cc goeswith expl advmod".split()
)
"""Nothing goes between these and their heads."""
_ARGUMENTS = frozenset("nsubj obj iobj obl advmod compound expl nmod aux cop xcomp".split())
"""What stands closer to its verb than a circumstance."""
_CLOSEST = frozenset("flat compound fixed goeswith nummod".split())
_PARTS = frozenset("compound amod nummod".split())
"""Words before a noun, which take no modifiers after them."""
_POSSESSIVE = frozenset(("'s", "’s", "'", "’"))
_BREAKS = frozenset((",", ";", ":", "--", "–", "—", "-", "("))


class Slots:
    """The places of one base where words can go in."""

    def __init__(self, base: Parsed) -> None:
        self.base = base
        self.closed = _closed(base)
        self.depth = _depths(base)

    def open(self, slot: int) -> bool:
        """Whether words may stand before this place."""
        return 0 <= slot <= self.base.end and not self.closed[slot]

    def quoted(self, slot: int) -> bool:
        """Whether words put here would stand inside quotation marks."""
        tokens = self.base.tokens
        return 0 < slot < len(tokens) and tokens[slot].quoted and tokens[slot - 1].quoted

    def before_noun(self, noun: int, title: bool = False) -> int:
        """Where a modifier goes that stands before the noun: after determiner and number.

        A title goes before all that stands before a name.
        """
        base = self.base
        name = base.name_at(noun)
        slot = min(noun, name[0]) if name else noun
        closest = {"compound", "flat", "nmod", "amod", "appos"} if title else {"compound", "flat"}
        for child in base.children[noun]:
            possessive = base.words[child].relation == "nmod:poss"
            if child < slot and base.relations[child] in closest and not possessive:
                slot = min(slot, base.extent(child)[0])
        return base.compound_at(slot)[0]

    def after_noun(self, noun: int, last: bool = False) -> int | None:
        """Where a modifier goes that follows the noun and what belongs closest to it.

        With `last`, after its other modifiers too, up to a comma.
        """
        base = self.base
        if base.relations[noun] in _PARTS and base.heads[noun] > noun:
            return None
        name = base.name_at(noun)
        end = max(noun + 1, name[1]) if name else noun + 1
        for child in base.children[noun]:
            if child < noun:
                continue
            relation = base.relations[child]
            start, stop = base.extent(child)
            of = base.marker(child) == "of"
            bearer = relation in {"appos", "nmod", "flat"} and not base.marker(child)
            near = relation in _CLOSEST or of or (last and relation in {"nmod", "acl", "amod"})
            if (near or bearer) and start <= end:
                end = max(end, stop)
        end = base.compound_at(end - 1)[1]
        if end < len(base) and base.lower[end] in _POSSESSIVE and not base.tokens[end].space:
            return None
        return end

    def after_verb(self, verb: int) -> int:
        """Where a circumstance goes: after the verb, its objects and its other circumstances."""
        base = self.base
        end = verb + 1
        for child in base.children[verb]:
            if child < verb:
                continue
            relation = base.relations[child]
            start, stop = base.extent(child)
            if relation == "punct":
                if base.lower[child] in _BREAKS:
                    break
                continue
            if relation not in _ARGUMENTS or start > end + 1:
                break
            if relation == "xcomp" and base.tag(child) == "VERB":
                break
            end = max(end, stop)
        return self._opening(end, verb)

    def after_clause(self, verb: int) -> int:
        """Where another clause can follow: after everything that hangs on the verb."""
        base = self.base
        last = verb + 1
        for child in base.children[verb]:
            if child > verb and base.relations[child] not in {"punct", "parataxis", "conj"}:
                last = max(last, base.extent(child)[1])
        return self._opening(last, verb)

    def _opening(self, slot: int, place: int) -> int:
        """The first place from `slot` on where words can go in, in the same brackets as `place`."""
        while slot < self.base.end and not (
            self.open(slot) and self.depth[slot] <= self.depth[place]
        ):
            slot += 1
        return min(slot, self.base.end)

    def beside_time(self, verb: int) -> int | None:
        """After what the base says already about when."""
        found = [c for c in self.base.children[verb] if c > verb and self.base.temporal(c)]
        slot = self.base.extent(found[-1])[1] if found else None
        return slot if slot is not None and self.open(slot) else None

    def clause_of(self, place: int) -> int:
        """The head of the clause that the word stands in."""
        while not self.base.predicate(place) and self.base.heads[place] >= 0:
            place = self.base.heads[place]
        return place


def neighbour_slot(unit: Unit, alignment: Alignment, slots: Slots) -> int | None:
    """After the word of the base that answers to the one before the unit, if that will do."""
    other, base = alignment.other, alignment.base
    left = unit.places[0] - 1
    while left >= 0 and other.tag(left) == "PUNCT":
        left -= 1
    image = alignment.to_base.get(left)
    if image is None or unit.anchor is None:
        return None
    if image != unit.anchor and unit.anchor not in base.ancestors(image):
        return None
    name = base.name_at(image)
    slot = max(base.compound_at(image)[1], name[1] if name else 0)
    return slot if slots.open(slot) else None


def _depths(base: Parsed) -> list[int]:
    """For each place, how many brackets are open before it."""
    depths, depth = [], 0
    for word in base.lower:
        depths.append(depth)
        depth = max(0, depth + (word in {"(", "["}) - (word in {")", "]"}))
    return [*depths, depth]


def _closed(base: Parsed) -> list[bool]:
    closed = [False] * (len(base) + 1)

    def close(low: int, high: int) -> None:
        for slot in range(low + 1, high + 1):
            closed[slot] = True

    for place, head in enumerate(base.heads):
        relation = base.relations[place]
        if relation in {"obj", "iobj"}:
            start, end = base.extent(place)
            close(*((head, start) if place > head else (end - 1, head)))
        elif relation in _TIGHT and not (relation == "advmod" and place > head):
            close(min(place, head), max(place, head))
    for start, end in base.compounds:
        close(start, end - 1)
    for start, end, _ in base.names:
        close(start, end - 1)
    for place in range(1, len(base)):
        inside = base.tokens[place].quoted and base.tokens[place - 1].quoted
        attached = not base.tokens[place].space and base.tag(place) != "PUNCT"
        if inside or attached:
            closed[place] = True
    return closed
