"""How each kind of phrase is attached to the base."""

from __future__ import annotations

from tatian.text.lexicon import ARTICLES, PRONOUNS
from tatian.text.provenance import glue
from tatian.union.models.aligning.clauses import Clauses
from tatian.union.models.aligning.edits import CLOSING, Edit
from tatian.union.models.aligning.site import Site
from tatian.union.models.aligning.slots import neighbour_slot
from tatian.union.models.aligning.times import is_day, is_vague
from tatian.union.models.aligning.units import Unit, cuts_quotation

_PAUSES = frozenset((",", "--", "–", "—", "(", "-"))
_NOMINAL = frozenset(("NOUN", "PROPN", "NUM", "PRON"))
_ARGUMENTS = frozenset(("nsubj", "obj", "iobj"))
_VAGUE = frozenset("a an some others dozens scores several many people someone somebody".split())


class Placer:
    """Turns new pieces of one sentence into edits of the other."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.clauses = Clauses(site)
        self.other = site.other
        self.base = site.base
        self.slots = site.slots

    def place(self, unit: Unit) -> Edit | None:
        """Where and how the unit goes in; None if there is no good way."""
        if not unit.places or cuts_quotation(self.other, unit.places):
            return None
        edit = self._placed(unit)
        if edit is None or not edit.words or self.slots.quoted(edit.at):
            return None
        depth = self.slots.depth
        if depth[edit.at] > (depth[unit.anchor] if unit.anchor is not None else 0):
            return None
        dropped = self.base.tokens[edit.at : edit.at + edit.drop]
        return None if any(token.quoted for token in dropped) else edit

    def _placed(self, unit: Unit) -> Edit | None:
        edit = self.clauses.place(unit)
        anchor = unit.anchor
        if edit is not None or anchor is None or unit.relation in self.clauses.kinds:
            return edit
        if unit.relation in {"premodifier", "title"}:
            return self._premodifier(unit, anchor)
        if unit.relation in _ARGUMENTS:
            return self._argument(unit, anchor)
        if unit.relation == "conj":
            return None if self.other.predicate(unit.head) else self._conjunct(unit, anchor)
        if self.other.words[unit.head].relation == "nmod:poss":
            return self._possessive(unit, anchor)
        if unit.relation == "flat":
            slot = neighbour_slot(unit, self.site.alignment, self.slots) or anchor + 1
            return self.site.edit(unit, slot)
        return self._modifier(unit, anchor)

    def _premodifier(self, unit: Unit, anchor: int) -> Edit | None:
        """ "An old" before "ferry"; a number only where there is none."""
        same = (
            self.other.words[unit.governor].lemma.lower() == self.base.words[anchor].lemma.lower()
        )
        if self.base.tag(anchor) not in {"NOUN", "PROPN"} or not (same or unit.relation == "title"):
            return None
        counted = any(self.other.relations[place] == "nummod" for place in unit.places)
        if counted and self.base.under(anchor, "nummod"):
            return None
        slot = self.slots.before_noun(anchor, title=unit.relation == "title")
        places = list(unit.places)
        if self.other.lower[places[0]] in ARTICLES and slot and self.base.tag(slot - 1) != "PUNCT":
            places = places[1:]
        return self.site.edit(unit, slot, places) if places else None

    def _modifier(self, unit: Unit, anchor: int) -> Edit | None:
        """What follows its noun or verb: in front if it stands there, else at the first slot."""
        base, other = self.base, self.other
        noun = base.tag(anchor) in _NOMINAL and not base.under(anchor, "cop")
        fronted = self.site.fronted(unit)
        main = unit.governor == other.root and anchor == base.root
        if not noun and fronted and main and self._takes_front():
            return self.site.edit(unit, 0, after=[glue(",", space=False)])
        slot: int | None
        if unit.relation == "advcl":
            slot = self.slots.after_clause(self.slots.clause_of(anchor))
        else:
            slot = neighbour_slot(unit, self.site.alignment, self.slots)
            if slot is None and noun:
                slot = self.slots.after_noun(anchor, last=unit.relation == "acl")
            elif slot is None:
                slot = self.slots.beside_time(anchor) if other.temporal(unit.head) else None
                slot = self.slots.after_verb(anchor) if slot is None else slot
        if slot is None:
            return None
        before = unit.places[0] - 1
        paused = before >= 0 and other.lower[before] in _PAUSES
        return self.site.edit(unit, slot, set_off=paused and not fronted)

    def _takes_front(self) -> bool:
        """Whether the base opens with its subject, so that something can go before it."""
        base = self.base
        subjects = base.under(base.root, "nsubj", "expl", "csubj")
        opens = not subjects or base.extent(subjects[0])[0] == 0
        return opens and base.extent(base.root)[0] == 0 and not base.tokens[0].quoted

    def _possessive(self, unit: Unit, anchor: int) -> Edit | None:
        """ "Palmer's" before a noun, in the place of its article."""
        base = self.base
        if base.tag(anchor) != "NOUN" or self.other.tag(unit.head) == "PRON":
            return None
        if any(base.words[c].relation == "nmod:poss" for c in base.children[anchor]):
            return None
        articles = [c for c in base.under(anchor, "det") if base.lower[c] in ARTICLES]
        if articles:
            return self.site.edit(unit, articles[0], drop=1)
        return self.site.edit(unit, self.slots.before_noun(anchor))

    def _conjunct(self, unit: Unit, anchor: int) -> Edit | None:
        """One more member of a list of things."""
        base, other = self.base, self.other
        cc = [c for c in other.under(unit.head, "cc") if c in unit.places]
        places = [p for p in unit.places if p not in cc]
        if not places or base.tag(anchor) not in _NOMINAL | {"ADJ"} or base.tag(anchor) == "PRON":
            return None
        conjuncts = base.under(anchor, "conj")
        if conjuncts:
            marks = [mark for c in conjuncts for mark in base.under(c, "cc")]
            slot = marks[0] if marks else base.extent(conjuncts[-1])[0]
            if slot and base.lower[slot - 1] == ",":
                slot -= 1
            return self.site.edit(unit, slot, places, before=[glue(",", space=False)])
        link = other.tokens[cc[0]] if cc else glue("and")
        found = self.slots.after_noun(anchor) if base.tag(anchor) != "ADJ" else anchor + 1
        return None if found is None else self.site.edit(unit, found, places, before=[link])

    def _argument(self, unit: Unit, anchor: int) -> Edit | None:
        """A subject or object: in the place of a pronoun, or where there is none."""
        base, other = self.base, self.other
        if other.tag(unit.head) == "PRON" or self.site.says(anchor):
            return None
        roles = {"obj", "iobj"} if unit.relation == "iobj" else {unit.relation}
        mates = [c for c in base.children[anchor] if base.relations[c] in roles]
        if not mates:
            fits = unit.relation == "obj" and base.tag(anchor) == "VERB" and unit.sure
            passive = bool(base.under(anchor, "aux")) and base.feature(anchor, "Voice") == "Pass"
            if not fits or passive or not self.slots.open(anchor + 1):
                return None
            return self.site.edit(unit, anchor + 1)
        mate = mates[0]
        if base.lower[mate] not in PRONOUNS or base.children[mate]:
            return None
        return self.site.edit(unit, mate, drop=1) if self._may_stand_for(unit, mate) else None

    def _may_stand_for(self, unit: Unit, pronoun: int) -> bool:
        """Whether a pronoun of the base has nothing before it that it could refer to."""
        base, other = self.base, self.other
        known = PRONOUNS[base.lower[pronoun]]
        clause = any(other.tag(place) in {"VERB", "PRON"} for place in unit.places)
        before = any(base.tag(place) in {"NOUN", "PROPN"} for place in range(pronoun))
        return known.person == 3 and not known.reflexive and not clause and not before

    def replacement(self, unit: Unit, mate: int) -> Edit | None:
        """The unit instead of a phrase of the base that says less: "a wildfire", "dozens"."""
        base, other = self.base, self.other
        start, end = base.extent(mate)
        inside = range(start, end)
        timed = is_vague(base, mate) and is_day(other, unit.head)
        alike = timed or base.marker(mate) == other.marker(unit.head)
        whole = base.subtree(mate) >= set(inside) and alike
        content = [place for place in inside if base.content[place]]
        vague = any(base.lower[place] in _VAGUE for place in inside) and len(content) <= 1
        telling = any(other.name_at(p) or other.tag(p) == "NUM" for p in unit.places)
        vague, telling = vague or timed, telling or timed
        quoted = any(base.tokens[place].quoted for place in inside)
        said = unit.anchor is not None and self.site.says(unit.anchor)
        if not (whole and vague and telling) or quoted or said:
            return None
        if cuts_quotation(other, unit.places):
            return None
        return self.site.edit(unit, start, drop=end - start)

    def naming(self, unit: Unit, noun: int) -> tuple[Edit, ...]:
        """A name beside the words that describe its bearer.

        "the envoy, Terje Larsen,", but "Terje Larsen, an envoy,".
        """
        base = self.base
        start, end = base.extent(noun)
        articles = [c for c in base.under(noun, "det") if base.lower[c] in {"a", "an"}]
        if articles and articles[0] == start and base.subtree(noun) >= set(range(start, end)):
            edit = self.site.edit(unit, start, after=[glue(",", space=False)])
            if end == len(base) or base.tokens[end].text in CLOSING:
                return (edit,)
            return edit, Edit(end, (glue(",", space=False),), rank=-1, kind="comma")
        slot = self.slots.after_noun(noun)
        return () if slot is None else (self.site.edit(unit, slot, set_off=True),)
