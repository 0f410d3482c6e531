"""Which pieces of the other sentence are worth moving, and how large."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tatian.text.content import saying
from tatian.union.models.aligning.edits import Edit
from tatian.union.models.aligning.images import Images
from tatian.union.models.aligning.names import missing
from tatian.union.models.aligning.placing import Placer
from tatian.union.models.aligning.sentences import FUNCTION
from tatian.union.models.aligning.site import Site
from tatian.union.models.aligning.times import is_clock, is_day, is_vague, told_in_past
from tatian.union.models.aligning.units import Unit, trimmed
from tatian.union.models.aligning.words import Alignment

_PRENOMINAL = frozenset(("amod", "compound", "nummod", "flat", "det"))
_REMOVABLE = frozenset("advcl appos parataxis advmod discourse vocative".split())
"""What a phrase can do without, if it is said already."""
_LOOSE = frozenset(("obl", "advcl", "conj", "parataxis", "appos"))
"""What may hang on a word that only plays the same part."""
_BEARERS = ("flat", "appos", "nmod", "compound")
"""How a name hangs on what describes its bearer, or the reverse."""

_WORTH = {"PROPN": 0.4, "NUM": 0.55, "ADJ": 0.45, "VERB": 0.35, "ADV": 0.45, "NOUN": 0.22}
_OTHER_WORTH = 0.2
_FUNCTION = 0.05
_JOINTS = {
    "obl": 0.3,
    "nmod": 0.3,
    "conj": 0.1,
    "premodifier": 0.6,
    "title": 0.1,
    "naming": 0.1,
    "acl": 0.3,
    "appos": 0.1,
    "advcl": -0.2,
    "attribution": 0.3,
    "parataxis": 0.3,
    "nsubj": 0.9,
    "obj": 0.7,
    "iobj": 0.7,
    "ccomp": 0.6,
    "xcomp": 0.6,
    "advmod": 0.9,
}
"""What attaching a phrase of each kind costs; tuned with the rest on union/train."""
_OTHER_JOINT = 0.4
_LITTLE_NEW = 0.5
"""The share of a reported clause that may be new for its speaker to be taken over."""

Plan = tuple[float, tuple[Edit, ...]]
NOTHING: Plan = (0.0, ())


class Prices(Struct, frozen=True):
    """What news is worth and what it costs to bring it in, counted in words."""

    said: float = 0.6
    """Each content word said once more."""
    weak: float = 0.2
    """Hanging on a word that only plays the same part."""
    clause: float = 1.2
    """A clause joined on with a subject of its own."""
    inside: float = 0.3
    """Standing amid words that it does not stand amid in its own sentence."""
    double: float = 1.2
    """A second phrase in the same role."""
    name: float = 0.3
    """What giving a name in full is worth."""
    lost: float = 0.9
    """The share of the other sentence that may be lost before it is joined on as it stands."""
    eager: float = 0.15
    """Added to the worth of every edit."""


class Planner:
    """Chooses for every phrase whether it moves whole, in parts, or not at all."""

    def __init__(self, alignment: Alignment, prices: Prices) -> None:
        self.alignment = alignment
        self.other = alignment.other
        self.base = alignment.base
        self.images = Images(alignment)
        self.site = Site(alignment, self.images)
        self.placer = Placer(self.site)
        self.prices = prices
        self._known: dict[Unit, Plan] = {}

    def plan(self) -> Plan:
        """The best set of edits and what it is worth."""
        worth, edits = self._best(Unit(self.other.root, (), "root"))
        moved = {place for edit in edits for place in edit.places}
        most = self.prices.lost * max(1, sum(self.other.content))
        if self.left(edits) >= most or not self.alignment.opposed <= moved:
            joined = self._joined()
            worth, edits = joined if joined[1] else (worth, edits)
        moved = {place for edit in edits for place in edit.places}
        for pair in self.alignment.names:
            found = missing(self.other, self.base, pair)
            if found is not None and moved.isdisjoint(found[0]):
                worth += self.prices.name
                edits = (*edits, self.site.expansion(*found))
        return worth, (*told_in_past(self.site), *edits)

    def left(self, edits: Sequence[Edit]) -> int:
        """How many new words the edits do not bring."""
        moved = {place for edit in edits for place in edit.places}
        return sum(self.alignment.new(p) for p in range(len(self.other)) if p not in moved)

    def _joined(self) -> Plan:
        """The whole sentence, joined on."""
        places = trimmed(self.other, range(len(self.other)))
        while places and places[-1] >= self.other.end:
            places = places[:-1]
        edit = self.placer.place(Unit(self.other.root, places, "root"))
        return (self._worth(edit.places) - self.prices.clause, (edit,)) if edit else NOTHING

    def _new(self, places: Iterable[int]) -> bool:
        return any(map(self.alignment.new, places))

    def _best(self, unit: Unit) -> Plan:
        """The best that can be made of the phrase under the unit's head."""
        if unit not in self._known:
            self._known[unit] = max(self._options(unit), key=lambda plan: plan[0])
        return self._known[unit]

    def _options(self, unit: Unit) -> list[Plan]:
        node = unit.head
        if not self._new(self.other.subtree(node)) or self._dated_already(unit):
            return [NOTHING]
        options = [NOTHING]
        said = node in self.alignment.to_base or node in self.alignment.named
        if not said:
            options += [self._whole(unit), self._replaced(unit), self._described(node)]
            options += [self._naming(node), self._reported(unit)]
        image = self.images.of.get(node, self.images.mates.get(node))
        if image is not None:
            sure = said and self.images.sure[node] == 1.0
            options.append(self._parts(node, image, sure=sure))
        elif unit.anchor is not None:
            options.append(self._parts(node, unit.anchor, sure=False))
        return options

    def _dated_already(self, unit: Unit) -> bool:
        """Whether the phrase says when, and the base gives its own time for it."""
        if unit.anchor is None or not self.other.temporal(unit.head) or unit.relation == "conj":
            return False
        times = [c for c in self.base.children[unit.anchor] if self.base.temporal(c)]
        if not unit.sure and not self.images.close:
            return True
        if self._vague_time(unit) is not None:
            return False
        return any(is_clock(self.other, unit.head) == is_clock(self.base, c) for c in times)

    def _parts(self, node: int, image: int, sure: bool) -> Plan:
        """The node stays behind; each of its dependents is looked at by itself."""
        plans, before = [], []
        speech = not sure and self.site.says(image)
        for child in self.other.children[node]:
            relation = self.other.relations[child]
            if relation in FUNCTION:
                continue
            if self._precedes(child, node):
                before.append(child)
            elif not speech and (sure or relation in _LOOSE or child in self.images.of):
                plans.append(self._best(Unit(child, (), relation, node, image, sure)))
        if sure or node in self.images.of:
            plans += [self._valued(u) for u in self._premodifiers(node, before, image, sure)]
        return _sum(plans)

    def _whole(self, unit: Unit) -> Plan:
        """The phrase moves, without what is said already and can be spared."""
        node = unit.head
        left_out = [
            child
            for child in self.other.children[node]
            if self.other.relations[child] in _REMOVABLE
            and not self._new(below := self.other.subtree(child))
            and any(self.other.content[place] for place in below)
        ]
        places = trimmed(self.other, sorted(self.other.subtree(node, left_out)))
        if unit.relation in {"obl", "advcl", "nmod"} and self._names_source(node):
            unit = replace(unit, relation="attribution")
        worth, edits = self._valued(replace(unit, places=places))
        return (worth - self.prices.double if node in self.images.mates else worth), edits

    def _names_source(self, node: int) -> bool:
        return "according" in (self.other.marker(node), self.other.lower[node])

    def _replaced(self, unit: Unit) -> Plan:
        """The phrase in the place of a vaguer one."""
        mate = self.images.mates.get(unit.head, self._vague_time(unit))
        if mate is None or unit.relation not in {"nsubj", "obj", "obl", "nmod"}:
            return NOTHING
        places = trimmed(self.other, sorted(self.other.subtree(unit.head)))
        edit = self.placer.replacement(replace(unit, places=places), mate) if places else None
        return (self._worth(places), (edit,)) if edit is not None else NOTHING

    def _vague_time(self, unit: Unit) -> int | None:
        """What the base says vaguely about the time that the unit names by its day."""
        if unit.anchor is None or not unit.sure or not self.other.temporal(unit.head):
            return None
        found = [c for c in self.base.children[unit.anchor] if self.base.temporal(c)]
        vague = [c for c in found if is_vague(self.base, c)]
        exact = is_day(self.other, unit.head)
        return vague[0] if exact and vague and len(found) == 1 else None

    def _described(self, node: int) -> Plan:
        """A title or description before a name that the base has bare."""
        for child in self.other.under(node, *_BEARERS):
            image = self.images.of.get(child)
            adjoins = child > node and self.other.extent(child)[0] == node + 1
            if image is None or not adjoins or self.other.marker(child):
                continue
            if self.images.sure[child] == 1.0 and self.base.tag(image) == "PROPN":
                cases = self.other.under(node, "case", "mark")
                places = sorted(p for p in self.other.subtree(node, cases) if p <= node)
                unit = Unit(node, trimmed(self.other, places), "title", node, image)
                return _sum([self._valued(unit), self._parts(child, image, sure=True)])
        return NOTHING

    def _naming(self, node: int) -> Plan:
        """A person's name that the base has not, beside what the base calls its bearer."""
        name = self.other.name_at(node)
        if name is None or name[2] != "PER":
            return NOTHING
        head = self.images.of.get(self.other.heads[node])
        noun = None if head is None or self.site.says(head) else self.images.mates.get(node)
        for child in self.other.under(node, *_BEARERS):
            if self.images.sure.get(child) == 1.0 and not self.other.marker(child):
                noun = self.images.of[child]
        if noun is None or self.base.tag(noun) != "NOUN" or self._bears_name(noun):
            return NOTHING
        places = tuple(range(name[0], name[1]))
        edits = self.placer.naming(Unit(node, places, "appos", node, noun), noun)
        if not edits or self.site.slots.quoted(edits[0].at):
            return NOTHING
        worth = self._worth(places) - _JOINTS["naming"]
        return _sum([(worth, edits), self._parts(node, noun, sure=True)])

    def _bears_name(self, noun: int) -> bool:
        bare = [c for c in self.base.under(noun, *_BEARERS) if not self.base.marker(c)]
        return any(self.base.tag(child) == "PROPN" and child > noun for child in bare)

    def _reported(self, unit: Unit) -> Plan:
        """Who says it, and what is said, each by itself."""
        node = unit.head
        told = self.other.under(node, "ccomp", "parataxis")
        if self.other.concepts[node] not in saying() or not told:
            return NOTHING
        plans = [self._best(replace(unit, head=told[0]))]
        places = sorted(self.other.subtree(node, told[:1]))
        same = self.images.of.get(told[0]) == self.base.root and self._is_told(told[0])
        if unit.governor < 0 and same and self._new(p for p in places if p != node):
            plans.append(self._valued(Unit(node, trimmed(self.other, places), "attribution")))
        return _sum(plans)

    def _is_told(self, node: int) -> bool:
        """Whether the base says most of what stands under the node."""
        content = [place for place in self.other.subtree(node) if self.other.content[place]]
        new = sum(map(self.alignment.new, content))
        return new <= _LITTLE_NEW * len(content)

    def _precedes(self, child: int, node: int) -> bool:
        """Whether a word stands before its noun as an adjective or title does."""
        if child > node or self.other.words[child].relation == "nmod:poss":
            return False
        relation = self.other.relations[child]
        if relation in _PRENOMINAL:
            return True
        bare = not self.other.under(child, "case")
        return relation in {"nmod", "appos"} and bare and self.other.tag(node) == "PROPN"

    def _premodifiers(
        self, node: int, before: Sequence[int], image: int, sure: bool
    ) -> Sequence[Unit]:
        """New words before a shared noun, those that stand together as one."""
        named = self.alignment.named.get(node)
        relation = "title" if named and named.other[2] == "PER" else "premodifier"
        found = []
        run: list[int] = []
        for child in [*before, -1]:
            places = sorted(self.other.subtree(child)) if child >= 0 else []
            new = self._new(places)
            if new and run and run[-1] + 2 >= places[0]:
                run = sorted({*run, *range(run[-1] + 1, places[0]), *places})
                continue
            if run:
                kept = trimmed(self.other, run)
                found.append(Unit(run[-1], kept, relation, node, image, sure))
            run = places if new else []
        return found

    def _valued(self, unit: Unit) -> Plan:
        """What it is worth to move the unit, if there is a place for it."""
        edit = self.placer.place(unit) if self._new(unit.places) else None
        if edit is None:
            return NOTHING
        prices = self.prices
        joint = prices.clause * edit.cost or _JOINTS.get(unit.relation, _OTHER_JOINT)
        joint += prices.weak * (not unit.sure) + prices.inside * (not edit.safe)
        return self._worth(edit.places) - joint + prices.eager, (edit,)

    def _worth(self, places: Sequence[int]) -> float:
        total = 0.0
        for place in places:
            if self.alignment.new(place):
                total += _WORTH.get(self.other.tag(place), _OTHER_WORTH)
            else:
                total += -self.prices.said if self.other.content[place] else _FUNCTION
        return total


def _sum(plans: Sequence[Plan]) -> Plan:
    good = [plan for plan in plans if plan[0] > 0]
    return sum(plan[0] for plan in good), tuple(edit for plan in good for edit in plan[1])
