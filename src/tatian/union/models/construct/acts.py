"""Merge two verbs for one event: their arguments, and adjuncts that only one of them has."""

from __future__ import annotations

from tatian.text.layers import glue
from tatian.union.models.construct.draft import FrameDraft
from tatian.union.models.construct.nouns import NounMerge
from tatian.union.models.construct.outline import VAGUE, core_of, roles

_TIGHT = frozenset(("obj", "iobj", "obl", "advmod", "compound", "xcomp", "nmod"))
CLAUSES = frozenset(("acl", "advcl", "ccomp", "csubj", "parataxis"))
_SKIPPED = frozenset(
    ("aux", "cop", "mark", "punct", "cc", "expl", "conj", "nsubj", "parataxis", "csubj", "ccomp")
)
_LEAST_FRESH = 0.34
"""Minimum share of new words in an adjunct that is inserted whole."""


class ActMerge:
    """Adds the other sentence's arguments and adjuncts to the frame's verbs for the same events."""

    def __init__(self, draft: FrameDraft, nouns: NounMerge) -> None:
        self.draft, self.nouns = draft, nouns
        self.pairing = draft.pairing
        self.frame, self.other = draft.frame, draft.other

    def merge(self, theirs: int, mine: int) -> None:
        """Add the arguments and adjuncts of verb `theirs` to the frame's verb `mine`."""
        frame, other = self.frame, self.other
        ours, foreign = roles(frame, mine), roles(other, theirs)
        if theirs in self.pairing.turned and len(foreign) == 1:
            foreign = {"object": next(iter(foreign.values()))}
        same = frame.concepts[mine] == other.concepts[theirs]
        for role, place in foreign.items():
            if role in ours:
                self.nouns.argument(ours[role], place, role)
            elif role == "subject" and same and self._is_passive(mine):
                self._put_agent(mine, place)
        taken = set(foreign.values())
        attribution = self.pairing.other_outline.attribution
        for child in other.children[theirs]:
            if child in taken and not (other.relations[child] == "obj" and "object" not in ours):
                continue
            if other.relations[child] in _SKIPPED or (
                attribution is not None and child in attribution.places
            ):
                continue
            if child in self.pairing.acts:
                continue
            if other.relations[child] == "xcomp" or (
                not same and other.relations[child] == "advmod"
            ):
                continue
            if self._dangles(theirs, mine, child):
                continue
            self._put_circumstance(mine, child, ours)
        for inner in other.under(theirs, "ccomp", "xcomp"):
            twins = frame.under(mine, "ccomp", "xcomp")
            if (
                twins
                and inner not in self.pairing.acts
                and frame.concepts[twins[0]] == (other.concepts[inner])
            ):
                self.merge(inner, twins[0])

    def _dangles(self, theirs: int, mine: int, child: int) -> bool:
        """Return True for a clause such as "after being closed" with another subject.

        If it is passive, attach it to its own noun.
        """
        frame, other, draft = self.frame, self.other, self.draft
        if other.relations[child] != "advcl" or other.under(child, "nsubj"):
            return False
        subjects = other.under(theirs, "nsubj"), frame.under(mine, "nsubj")
        if not subjects[0] or not subjects[1] or other.finite(child):
            return False
        twin = self.pairing.twin(subjects[0][0])
        if twin is None or twin == subjects[1][0] or theirs not in self.pairing.turned:
            return False
        passive = any(other.words[c].relation == "aux:pass" for c in other.children[child])
        if passive:
            gone = {p for c in other.under(child, "mark", "aux") for p in other.subtree(c)}
            kept = [p for p in sorted(other.subtree(child)) if p not in gone]
            draft.insert(self.nouns.behind(twin, "acl", True), draft.words(kept), commas=True)
        return True

    def _is_passive(self, place: int) -> bool:
        frame = self.frame
        return any(frame.words[c].relation == "nsubj:pass" for c in frame.children[place])

    def _put_agent(self, mine: int, theirs: int) -> None:
        if not self.pairing.fresh(self.other.subtree(theirs)):
            return
        words = self.draft.words(range(*self.other.extent(theirs)))
        at = mine + 1
        for child in self.frame.children[mine]:
            if child == at and self.frame.relations[child] in ("xcomp", "compound"):
                at = self.frame.extent(child)[1]
        self.draft.insert(at, [glue("by"), *words])

    def _put_circumstance(self, mine: int, child: int, ours: dict[str, int]) -> None:
        """Insert an adjunct after the verb, or its new part at the frame's matching noun."""
        other, draft = self.other, self.draft
        places = other.subtree(child)
        fresh = self.pairing.fresh(places - draft.spent)
        if not fresh or self.pairing.named_time(child):
            return
        twin = self.pairing.twins.get(child)
        if twin is not None and not self._is_other_place(child, twin, mine):
            self.nouns.merge(twin, child)
            return
        content = [place for place in places if other.concepts[place] is not None]
        if fresh < _LEAST_FRESH * len(content):
            for place in sorted(places):
                if place in self.pairing.twins:
                    self.nouns.merge(self.pairing.twins[place], place)
            return
        if self._is_kind_of(mine, child, ours):
            return
        first, end = other.extent(child)
        kept = draft.pruned(range(first, end), child)
        commas = first > 0 and other.lower[first - 1] == "," and other.relations[child] != "obj"
        draft.insert(self._slot(mine, child), draft.words(kept), commas=commas)

    def _is_other_place(self, child: int, twin: int, mine: int) -> bool:
        """Return True if the frame has the noun only in another clause, so it must be repeated."""
        return twin not in self.frame.subtree(mine) and self.other.relations[child] != "obj"

    def _is_kind_of(self, mine: int, child: int, ours: dict[str, int]) -> bool:
        """Return True if a name replaces a vague noun: "Torino", not "an Italian club"."""
        frame, other = self.frame, self.other
        nearest = [place for place in frame.under(mine, "obl", "obj") if place > mine][:1]
        first = other.under(other.heads[child], "obl", "obj")[:1] == [child]
        free = [
            place
            for place in nearest
            if first and place not in self.pairing.twins.values() and not frame.temporal(place)
        ]
        vague = other.lower[core_of(other, child)[0]] in VAGUE
        if other.relations[child] == "obj" and "object" not in ours:
            general = [p for p in free if frame.lower[core_of(frame, p)[0]] in VAGUE]
            return len(general) == 1 and not vague and self.nouns.swap_core(general[0], child)
        if (
            other.relations[child] == "obl"
            and vague
            and not roles(other, other.heads[child]).get("object")
        ):
            named = [p for p in frame.under(mine, "obj") if p in free and frame.name_at(p)]
            return bool(named) and not other.temporal(child)
        return False

    def _slot(self, mine: int, child: int) -> int:
        """Return the position for an adjunct of a verb: after the verb's complements."""
        frame = self.frame
        at = mine + 1
        if self.other.relations[child] == "obj":
            return at
        for place in [place for place in frame.children[mine] if place > mine]:
            first, end = frame.extent(place)
            relation = frame.relations[place]
            if relation not in _TIGHT or first > at:
                break
            heavy = any(frame.relations[p] in CLAUSES for p in range(first, end))
            if heavy and relation != "obj":
                break
            at = end
        return at
