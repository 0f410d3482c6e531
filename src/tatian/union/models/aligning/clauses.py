"""How clauses, and who says them, are joined to the base."""

from __future__ import annotations

from collections.abc import Sequence

from tatian.text import WovenToken
from tatian.text.content import saying
from tatian.text.lexicon import PRONOUNS, ROLE_HEADS
from tatian.text.provenance import glue
from tatian.union.models.aligning.edits import Edit, lowered
from tatian.union.models.aligning.site import Site
from tatian.union.models.aligning.units import Unit

_WITH_SUBJECT = 1.0
_SHARED_SUBJECT = 0.8
_APPOSITION = 0.3
_AFTER_QUOTATION = 0.5
_LONGEST_INSIDE = 14
"""Words of a relative clause that may stand in the middle of a sentence."""
_PEOPLE = ROLE_HEADS | frozenset(
    "police people man men woman women boy girl child children officer officers official officials "
    "student students worker workers resident residents victim victims suspect suspects teenager "
    "mother father wife husband son daughter brother sister family soldier soldiers".split()
)


class Clauses:
    """Turns clauses of one sentence into edits of the other."""

    kinds = frozenset(("root", "attribution", "parataxis", "ccomp", "xcomp", "csubj"))
    """Relations that nothing else knows how to place."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.other = site.other
        self.base = site.base
        self.slots = site.slots

    def place(self, unit: Unit) -> Edit | None:
        """Where and how the clause goes in; None if it is none, or there is no good way."""
        if unit.relation == "attribution":
            return self._attribution(unit)
        if unit.relation == "parataxis" and self.other.concepts[unit.head] in saying():
            return self._attribution(unit)
        if unit.relation in {"root", "parataxis"} or unit.anchor is None:
            return self._clause(unit)
        if unit.relation in {"ccomp", "xcomp"}:
            return self._complement(unit, unit.anchor)
        if unit.relation == "conj" and self.other.predicate(unit.head):
            return self._coordinated(unit, unit.anchor)
        return None

    def _attribution(self, unit: Unit) -> Edit | None:
        """Who says it, unless the base names somebody already."""
        base = self.base
        verbs = [p for p in range(len(base)) if base.tag(p) == "VERB" and self.site.says(p)]
        if verbs or "according" in base.lower:
            return None
        if unit.places[0] == 0 and unit.places[-1] < self.other.end - 3:
            blocked = base.tokens[0].quoted or base.tag(0) == "CCONJ"
            return None if blocked else self.site.edit(unit, 0)
        return self.site.edit(unit, base.end, set_off=True)

    def _coordinated(self, unit: Unit, anchor: int) -> Edit | None:
        """One more thing that the subject of a shared verb does."""
        base, other = self.base, self.other
        if not base.predicate(anchor):
            return None
        cc = [c for c in other.under(unit.head, "cc") if c in unit.places]
        places = [p for p in unit.places if p not in cc]
        link = other.tokens[cc[0]] if cc else glue("and")
        earlier = [c for c in base.under(anchor, "conj") if base.predicate(c)]
        own = bool(other.under(unit.head, "nsubj", "expl"))
        comma = bool(cc) and cc[0] > 0 and other.lower[cc[0] - 1] == ","
        slot = self.slots.after_clause(earlier[-1] if earlier else anchor)
        pause = own or comma or bool(earlier)
        return self.site.edit(unit, slot, places, before=[link], set_off=pause)

    def _complement(self, unit: Unit, anchor: int) -> Edit | None:
        """One more thing that somebody says, or plans: "and that ...", "and to ..."."""
        base, other = self.base, self.other
        mates = [c for c in base.under(anchor, unit.relation) if c > anchor]
        if not unit.sure or not mates or not base.predicate(anchor):
            return None
        marks = [c for c in other.under(unit.head, "mark") if c in unit.places]
        places = [p for p in unit.places if p not in marks]
        word = "that" if unit.relation == "ccomp" else "to"
        if not places or base.marker(mates[-1]) not in {word, ""} or other.tokens[places[0]].quoted:
            return None
        slot = self.slots.after_clause(mates[-1])
        link = [glue("and"), other.tokens[marks[0]] if marks else glue(word)]
        return self.site.edit(unit, slot, places, before=link)

    def _clause(self, unit: Unit) -> Edit | None:
        """A clause of its own, at its subject's place in the base or at the end."""
        other = self.other
        places = list(unit.places)
        link = glue("and")
        while (
            places
            and other.tag(places[0]) in {"CCONJ", "PUNCT"}
            and not other.tokens[places[0]].quoted
        ):
            if other.lower[places[0]] == "but":
                link = lowered(other, places[0])
            places.pop(0)
        if not places:
            return None
        subject = next(iter(other.under(unit.head, "nsubj")), None)
        if subject is not None:
            shared = self._under_subject(unit, subject, places, link)
            if shared is not None:
                return shared
        return self._at_end(unit, places, link, _WITH_SUBJECT)

    def _at_end(self, unit: Unit, places: Sequence[int], link: WovenToken, cost: float) -> Edit:
        """Joined on at the end; after a quotation that has its own full stop, by a semicolon."""
        base = self.base
        if self._ends_quoted():
            stop, mark = glue(".", space=False), glue(";", space=False)
            cost += _AFTER_QUOTATION
            return self.site.edit(unit, base.end, places, before=[mark], after=[stop], cost=cost)
        return self.site.edit(unit, base.end, places, before=[link], set_off=True, cost=cost)

    def _ends_quoted(self) -> bool:
        return self.base.end == len(self.base) and self.base.tokens[-1].quoted

    def _under_subject(
        self, unit: Unit, subject: int, places: Sequence[int], link: WovenToken
    ) -> Edit | None:
        """What is said of something that the base has too, said of it there."""
        base, other = self.base, self.other
        start, end = other.extent(subject)
        rest = [place for place in places if place >= end]
        while rest and other.tag(rest[0]) == "PUNCT":
            rest.pop(0)
        news = any(map(self.site.alignment.new, range(start, end)))
        if start != places[0] or not rest or news or not other.finite(unit.head):
            return None
        sure = self.site.images.sure.get(subject) == 1.0
        image = self.site.images.of[subject] if sure else None
        if image is not None and base.tag(image) in {"NOUN", "PROPN"}:
            inside = self._apposition(unit, image, rest) or self._relative(
                unit, subject, image, rest
            )
            if inside is not None:
                return inside
        ours = base.under(base.root, "nsubj")
        known = PRONOUNS.get(other.lower[subject])
        if ours and (image == ours[0] or (known and known.person == 3)) and not self._ends_quoted():
            return self._at_end(unit, rest, link, _SHARED_SUBJECT)
        return None

    def _apposition(self, unit: Unit, image: int, rest: Sequence[int]) -> Edit | None:
        """ "Pamuk is the winner" as "Pamuk, the winner,"."""
        other = self.other
        copulas = other.under(unit.head, "cop")
        plain = not other.under(unit.head, "aux", "advmod") and not other.negated(unit.head)
        if not copulas or not plain or other.tag(unit.head) not in {"NOUN", "PROPN"}:
            return None
        slot = self.slots.after_noun(image, last=True)
        named = [place for place in rest if place > copulas[0]]
        if slot is None or not named:
            return None
        return self.site.edit(unit, slot, named, set_off=True, cost=_APPOSITION)

    def _relative(self, unit: Unit, subject: int, image: int, rest: Sequence[int]) -> Edit | None:
        """ "The tsunami uprooted forests" as "the tsunami, which uprooted forests,"."""
        base, other = self.base, self.other
        if image in base.under(base.root, "nsubj") or len(rest) > _LONGEST_INSIDE:
            return None
        slot = self.slots.after_noun(image, last=True)
        taken = base.under(image, "acl", "appos")
        verbs = {unit.head, *other.under(unit.head, "aux", "cop")}
        if slot is None or taken or rest[0] not in verbs or not rest[0] or self._is_apart(slot):
            return None
        person = self._is_person(subject, image)
        who = glue("who" if person else "which")
        return self.site.edit(unit, slot, rest, before=[who], set_off=True, cost=_SHARED_SUBJECT)

    def _is_apart(self, slot: int) -> bool:
        """Whether more about the noun follows after a comma."""
        after = self.base.lower[slot + 1 : slot + 2]
        return self.base.lower[slot : slot + 1] == [","] and after[:1] != ["and"] and bool(after)

    def _is_person(self, subject: int, image: int) -> bool:
        names = (self.other.name_at(subject), self.base.name_at(image))
        person = any(name is not None and name[2] == "PER" for name in names)
        return person or self.base.lower[image] in _PEOPLE
