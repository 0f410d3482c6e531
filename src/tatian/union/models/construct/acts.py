"""Merge two verbs for one event: their arguments, and adjuncts that only one of them has."""

from __future__ import annotations

from tatian.text.layers import glue
from tatian.union.models.construct.draft import FrameDraft
from tatian.union.models.construct.nouns import NounMerge
from tatian.union.models.construct.outline import VAGUE, find_core, find_roles

_COMPLEMENTS = frozenset(("obj", "iobj", "obl", "advmod", "compound", "xcomp", "nmod"))
"""Relations of words that stay before a new adjunct."""
CLAUSES = frozenset(("acl", "advcl", "ccomp", "csubj", "parataxis"))
_SKIPPED = frozenset(
    ("aux", "cop", "mark", "punct", "cc", "expl", "conj", "nsubj", "parataxis", "csubj", "ccomp")
)
_MIN_NEW_SHARE = 0.34
"""Minimum share of new words in an adjunct that is inserted whole."""


class ActMerge:
    """Adds the other sentence's arguments and adjuncts to the frame's verbs for the same events.

    The frame is the sentence whose structure the union keeps.
    """

    def __init__(self, draft: FrameDraft, nouns: NounMerge) -> None:
        self.draft, self.nouns = draft, nouns
        self.pairing = draft.pairing
        self.frame, self.other = draft.frame, draft.other

    def merge(self, other_verb: int, verb: int) -> None:
        """Add the arguments and adjuncts of verb `other_verb` to the frame's verb `verb`."""
        frame, other = self.frame, self.other
        roles, other_roles = find_roles(frame, verb), find_roles(other, other_verb)
        if other_verb in self.pairing.inverted and len(other_roles) == 1:
            other_roles = {"object": next(iter(other_roles.values()))}
        same = frame.concepts[verb] == other.concepts[other_verb]
        for role, place in other_roles.items():
            if role in roles:
                self.nouns.merge_arguments(roles[role], place, role)
            elif role == "subject" and same and self._is_passive(verb):
                self._add_agent(verb, place)
        taken = set(other_roles.values())
        attribution = self.pairing.other_outline.attribution
        for child in other.children[other_verb]:
            if child in taken and not (other.relations[child] == "obj" and "object" not in roles):
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
            if self._handle_dangling(other_verb, verb, child):
                continue
            self._add_adjunct(verb, child, roles)
        for inner in other.under(other_verb, "ccomp", "xcomp"):
            twins = frame.under(verb, "ccomp", "xcomp")
            if (
                twins
                and inner not in self.pairing.acts
                and frame.concepts[twins[0]] == (other.concepts[inner])
            ):
                self.merge(inner, twins[0])

    def _handle_dangling(self, other_verb: int, verb: int, child: int) -> bool:
        """Handle a clause such as "after being closed" that would get the wrong subject.

        A passive clause is attached to its own noun, any other is dropped. Return False for clauses
        that are safe.
        """
        frame, other, draft = self.frame, self.other, self.draft
        if other.relations[child] != "advcl" or other.under(child, "nsubj"):
            return False
        subjects = other.under(other_verb, "nsubj"), frame.under(verb, "nsubj")
        if not subjects[0] or not subjects[1] or other.finite(child):
            return False
        twin = self.pairing.twin(subjects[0][0])
        if twin is None or twin == subjects[1][0] or other_verb not in self.pairing.inverted:
            return False
        passive = any(other.words[c].relation == "aux:pass" for c in other.children[child])
        if passive:
            helpers = {p for c in other.under(child, "mark", "aux") for p in other.subtree(c)}
            kept = [p for p in sorted(other.subtree(child)) if p not in helpers]
            position = self.nouns.position_after(twin, "acl", True)
            draft.insert(position, draft.take_words(kept), commas=True)
        return True

    def _is_passive(self, place: int) -> bool:
        frame = self.frame
        return any(frame.words[c].relation == "nsubj:pass" for c in frame.children[place])

    def _add_agent(self, verb: int, agent: int) -> None:
        if not self.pairing.count_new(self.other.subtree(agent)):
            return
        words = self.draft.take_words(range(*self.other.extent(agent)))
        position = verb + 1
        for child in self.frame.children[verb]:
            if child == position and self.frame.relations[child] in ("xcomp", "compound"):
                position = self.frame.extent(child)[1]
        self.draft.insert(position, [glue("by"), *words])

    def _add_adjunct(self, verb: int, child: int, roles: dict[str, int]) -> None:
        """Insert an adjunct after the verb, or its new part at the frame's matching noun."""
        other, draft = self.other, self.draft
        places = other.subtree(child)
        new_count = draft.count_new(places)
        if not new_count or self.pairing.is_shared_time(child):
            return
        twin = self.pairing.twins.get(child)
        if twin is not None and not self._is_in_other_clause(child, twin, verb):
            self.nouns.merge(twin, child)
            return
        content = [place for place in places if other.concepts[place] is not None]
        if new_count < _MIN_NEW_SHARE * len(content):
            for place in sorted(places):
                if place in self.pairing.twins:
                    self.nouns.merge(self.pairing.twins[place], place)
            return
        if self._replace_vague_noun(verb, child, roles):
            return
        first, end = other.extent(child)
        kept = draft.prune_clause(range(first, end), child)
        commas = first > 0 and other.lower[first - 1] == "," and other.relations[child] != "obj"
        draft.insert(self._find_position(verb, child), draft.take_words(kept), commas=commas)

    def _is_in_other_clause(self, child: int, twin: int, verb: int) -> bool:
        """Return True if the frame has the noun only in another clause, so it must be repeated."""
        return twin not in self.frame.subtree(verb) and self.other.relations[child] != "obj"

    def _replace_vague_noun(self, verb: int, child: int, roles: dict[str, int]) -> bool:
        """Merge a name with a vague noun such as "an Italian club"; True if nothing else is new."""
        frame, other = self.frame, self.other
        nearest = [place for place in frame.under(verb, "obl", "obj") if place > verb][:1]
        first = other.under(other.heads[child], "obl", "obj")[:1] == [child]
        free = [
            place
            for place in nearest
            if first and place not in self.pairing.twins.values() and not frame.temporal(place)
        ]
        vague = other.lower[find_core(other, child)[0]] in VAGUE
        if other.relations[child] == "obj" and "object" not in roles:
            general = [p for p in free if frame.lower[find_core(frame, p)[0]] in VAGUE]
            return len(general) == 1 and not vague and self.nouns.swap_core(general[0], child)
        if (
            other.relations[child] == "obl"
            and vague
            and not find_roles(other, other.heads[child]).get("object")
        ):
            named = [p for p in frame.under(verb, "obj") if p in free and frame.name_at(p)]
            return bool(named) and not other.temporal(child)
        return False

    def _find_position(self, verb: int, child: int) -> int:
        """Return the position for an adjunct of a verb: after the verb's complements."""
        frame = self.frame
        position = verb + 1
        if self.other.relations[child] == "obj":
            return position
        for place in [place for place in frame.children[verb] if place > verb]:
            first, end = frame.extent(place)
            relation = frame.relations[place]
            if relation not in _COMPLEMENTS or first > position:
                break
            heavy = any(frame.relations[p] in CLAUSES for p in range(first, end))
            if heavy and relation != "obj":
                break
            position = end
        return position
