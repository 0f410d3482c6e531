"""Merge two mentions of one entity: the fuller mention, with the other's modifiers."""

from __future__ import annotations

from collections.abc import Sequence

from tatian.text.layers import glue
from tatian.text.lexicon import POSSESSIVE_DETERMINERS, PRONOUNS
from tatian.union.models.construct.draft import FrameDraft, Words
from tatian.union.models.construct.outline import ANYBODY, VAGUE, find_core, find_entity, is_person
from tatian.union.models.construct.pairing import PhraseLink

_DEFINITE = frozenset("the this that these those".split()) | POSSESSIVE_DETERMINERS
_BEFORE = frozenset(("amod", "compound", "nummod", "nmod", "advmod"))
_BEHIND = frozenset(("appos", "acl", "nmod", "advmod", "amod", "obl", "nummod"))


class NounMerge:
    """Adds modifiers from the other sentence to the frame's nouns for the same entities."""

    def __init__(self, draft: FrameDraft) -> None:
        self.draft = draft
        self.pairing = draft.pairing
        self.frame, self.other = draft.frame, draft.other
        self._done: set[tuple[int, int]] = set()
        self.named: set[int] = set()
        """Nouns of the frame that received a name or a role."""
        self.described: set[int] = set()
        """Nouns of the frame that received a clause or an apposition."""

    def swap_link(self, link: PhraseLink) -> None:
        """Replace the frame's phrase by the fuller phrase of the other sentence."""
        noun, other_noun = link.frame, link.other
        if link.fuller != "other" or link.heads_only or "verb" in link.kinds:
            return
        frame, other = self.frame, self.other
        if link.guessed and not self.pairing.have_same_role(link):
            return
        if noun.kind != "time" and not self.pairing.agree(link):
            return
        if self.pairing.twins.get(other_noun.head, noun.head) != noun.head:
            return
        speakers = self.pairing.frame_outline.attribution, self.pairing.other_outline.attribution
        if link.guessed and any(
            attribution is not None and attribution.speaker == place
            for attribution, place in zip(speakers, (noun.head, other_noun.head), strict=True)
        ):
            return
        first, places = noun.first, list(other_noun.places)
        lead = frame.lower[first], other.lower[places[0]]
        if noun.kind != "time" and lead[0] in POSSESSIVE_DETERMINERS:
            return
        words = self.draft.take_words(places)
        owner = self._find_shared_owner(other_noun.head)
        if owner is not None and owner in places:
            words = self._take_without_owner(places, owner)
        elif noun.kind != "time" and lead[0] in _DEFINITE and lead[1] in VAGUE:
            words = [*self.draft.frame_words([first]), *words[1:]]
        elif (
            frame.tag(first) == "DET"
            and other.tag(places[0]) not in ("DET", "NUM")
            and other_noun.kind != "name"
            and noun.kind != "time"
        ):
            words = [*self.draft.frame_words([first]), *words]
        if not self.draft.swap(first, noun.end, words):
            self.draft.used.difference_update(places)

    def _find_shared_owner(self, other_noun: int) -> int | None:
        """Return the possessor of a noun of the other sentence, if the frame has it too."""
        owner = next(iter(self.other.owners(other_noun)), None)
        return owner if owner is not None and self.pairing.twin(owner) is not None else None

    def _take_without_owner(self, places: Sequence[int], owner: int) -> Words:
        """Return words of the other sentence with "the" in place of a possessor."""
        owner_words = self.other.subtree(owner)
        return [
            glue("the"),
            *self.draft.take_words(place for place in places if place not in owner_words),
        ]

    def merge(self, noun: int, other_noun: int) -> None:
        """Add the modifiers of noun `other_noun` to the frame's noun `noun`."""
        other, frame = self.other, self.frame
        if (noun, other_noun) in self._done:
            return
        self._done.add((noun, other_noun))
        if other.tag(other_noun) in ("PRON", "VERB", "ADJ") or frame.tag(noun) in ("VERB", "ADJ"):
            return
        if frame.tokens[noun].quoted:
            return
        self._add_name(noun, other_noun)
        for child in other.children[other_noun]:
            twin = self.pairing.twins.get(child)
            if twin is not None and twin != noun and other.relations[child] != "conj":
                self.merge(twin, child)
            elif twin == noun:
                self.merge(noun, child)
            elif self.draft.count_new(other.subtree(child)):
                self._attach(noun, other_noun, child)
        top = find_entity(other, other_noun)
        if top != other_noun:
            self.merge(noun, top)

    def _add_name(self, noun: int, other_noun: int) -> None:
        """Put a role ("the Swedish striker") before a bare name, or add a name to a bare role."""
        frame, other, draft = self.frame, self.other, self.draft
        other_core, core = find_core(other, other_noun), find_core(frame, noun)
        new_count = draft.count_new(other_core)
        if not new_count or noun in self.named:
            return
        named = any(frame.name_at(place) for place in core)
        names = [p for p in other_core if (name := other.name_at(p)) and name[2] != "MISC"]
        if named and not names and other_noun in self.pairing.new and is_person(other, other_noun):
            beside = [p for p in frame.children[noun] if frame.words[p].relation == "nmod:desc"]
            led = frame.tag(core[0]) in ("DET", "NOUN", "ADJ")
            if not beside and not led and frame.relations[noun] != "appos":
                draft.insert(core[0], draft.take_words(other_core))
                self.named.add(noun)
        elif names and not named and frame.relations[noun] != "appos":
            if any(frame.relations[child] == "appos" for child in frame.children[noun]):
                return
            concepts = {other.concepts[place] for place in other_core}
            role = [frame.concepts[place] for place in core if frame.concepts[place] is not None]
            alone = len(names) == sum(other.concepts[p] is not None for p in other_core)
            if role and set(role) <= concepts:
                draft.swap(core[0], core[-1] + 1, draft.take_words(other_core))
                self.named.add(noun)
            elif alone and frame.lower[core[0]] in _DEFINITE:
                draft.insert(core[-1] + 1, draft.take_words(names), commas=True)
                self.named.add(noun)

    def _attach(self, noun: int, other_noun: int, child: int) -> None:
        """Insert a modifier at the noun that it modifies."""
        frame, other, draft = self.frame, self.other, self.draft
        relation = other.relations[child]
        places = sorted(other.subtree(child))
        content = {place for place in places if other.concepts[place] is not None}
        if not draft.used.isdisjoint(content) or relation in ("conj", "parataxis", "det", "cc"):
            return
        core = find_core(frame, noun)
        if other.words[child].relation == "nmod:poss":
            if frame.lower[core[0]] == "the":
                draft.swap(core[0], core[0] + 1, draft.take_words(places))
            return
        if child < other_noun and relation in _BEFORE:
            self._put_before(noun, core, places, child)
            return
        if frame.words[noun].relation == "nmod:poss":
            return
        relative = other.words[child].relation == "acl:relcl"
        if relative and any(frame.words[c].relation == "acl:relcl" for c in frame.children[noun]):
            return
        commas = places[0] > 0 and other.lower[places[0] - 1] == ","
        if other.tag(places[0]) == "PUNCT" and not other.tokens[places[0]].quoted:
            places, commas = places[1:], True
        if relation == "appos" and commas:
            places = self._extend_to_comma(other_noun, places)
        places = draft.prune_clause(places, child)
        while places and other.tag(places[-1]) == "PUNCT" and not other.tokens[places[-1]].quoted:
            places = places[:-1]
        if relation in _BEHIND and places:
            if relation in ("acl", "appos"):
                self.described.add(noun)
            position = self.position_after(noun, relation, commas)
            draft.insert(position, draft.take_words(places), commas=commas)

    def _extend_to_comma(self, other_noun: int, places: list[int]) -> list[int]:
        """Extend an apposition to its closing comma, as parses of its "and" are unreliable."""
        other = self.other
        below = other.subtree(other_noun)
        end = places[0]
        while end < len(other) and end in below and other.lower[end] not in {",", ".", ";"}:
            end += 1
        longer = list(range(places[0], end))
        relation = not any(other.relations[p] in ("acl", "advcl") for p in longer)
        return longer if set(places) < set(longer) and relation else places

    def _put_before(self, noun: int, core: list[int], places: list[int], child: int) -> None:
        """Put an adjective, a figure or a compound's first part before the noun."""
        frame, other, draft = self.frame, self.other, self.draft
        relation = other.relations[child]
        same = [p for p in core if p != noun and frame.concepts[p] == other.concepts[child]]
        if same and other.concepts[child] is not None:
            draft.swap(same[0], same[0] + 1, draft.take_words(places))
            return
        if other.tag(child) == "NUM" and any(frame.tag(place) == "NUM" for place in core):
            return
        start = core[0]
        while start < noun and frame.tag(start) == "DET":
            start += 1
        if start < noun and (owners := frame.owners(noun)):
            start = max(frame.extent(owner)[1] for owner in owners)
        named = any(frame.name_at(place) for place in core) and frame.tag(core[0]) != "DET"
        if named and relation in ("compound", "amod") and not other.name_at(child):
            return
        position = start if relation in ("nummod", "amod", "nmod") else noun
        draft.insert(min(position, noun), draft.take_words(places))

    def position_after(self, noun: int, modifier_relation: str, commas: bool) -> int:
        """Return the position for a modifier after a noun of the frame."""
        frame = self.frame
        end = find_core(frame, noun)[-1] + 1
        for child in sorted(frame.children[noun]):
            if child < end:
                continue
            first, stop = frame.extent(child)
            relation = frame.relations[child]
            heavy = any(frame.relations[p] == "acl" for p in range(first, stop))
            tight = relation in ("nmod", "flat", "nummod") and not (heavy and not commas)
            if relation == "appos" and first == end:
                tight = True
            if modifier_relation in ("acl", "appos") and relation == "acl" and not commas:
                tight = False
            if first == end and tight:
                end = stop
        return end

    def swap_core(self, noun: int, other_noun: int) -> bool:
        """Replace a noun of the frame by the other sentence's, both with their premodifiers."""
        frame, other, draft = self.frame, self.other, self.draft
        core, other_core = find_core(frame, noun), find_core(other, other_noun)
        words = draft.take_words(other_core)
        owner = self._find_shared_owner(other_noun)
        if owner is not None:
            words = self._take_without_owner(other_core, owner)
        return draft.swap(core[0], core[-1] + 1, words)

    def _add_part(self, noun: int, other_noun: int, core: list[int], other_core: list[int]) -> bool:
        """Put a part ("the bell tower of") before the whole that the frame has; False if none."""
        other, draft = self.other, self.draft
        wholes = [p for p in other.under(other_noun, "nmod") if self.pairing.twins.get(p) == noun]
        if not wholes or other_noun not in self.pairing.new:
            return False
        cases = [p for p in other.under(wholes[0], "case") if other.lower[p] == "of"]
        if not cases:
            return False
        draft.insert(core[0], draft.take_words([*other_core, cases[0]]))
        self.merge(noun, wholes[0])
        return True

    def _count_people(
        self, noun: int, other_noun: int, core: list[int], other_core: list[int]
    ) -> bool:
        """Merge "residents" and "more than 200 people" into "more than 200 residents"."""
        frame, other, draft = self.frame, self.other, self.draft
        if not (is_person(frame, noun) and is_person(other, other_noun)):
            return False
        if frame.lower[noun] in ANYBODY and other.lower[other_noun] not in ANYBODY:
            draft.swap(noun, noun + 1, draft.take_words([other_noun]))
        elif other.lower[other_noun] in ANYBODY and len(core) == 1:
            draft.insert(noun, draft.take_words(other_core[: other_core.index(other_noun)]))
            draft.used.add(other_noun)
        else:
            return False
        return True

    def merge_arguments(self, noun: int, other_noun: int, role: str) -> None:
        """Merge two mentions of the same argument of a verb."""
        frame, other, draft = self.frame, self.other, self.draft
        if frame.lower[noun] in PRONOUNS or other.lower[other_noun] in PRONOUNS:
            return
        twin = self.pairing.twin(other_noun)
        if twin is not None:
            self.merge(twin, other_noun)
            return
        core, other_core = find_core(frame, noun), find_core(other, other_noun)
        if self._add_part(noun, other_noun, core, other_core):
            return
        links = self.pairing.links
        linked = any(link.frame.head in core and link.other.head in other_core for link in links)
        if linked or not self.pairing.count_new(other_core):
            self.merge(noun, other_noun)
            return
        if self._count_people(noun, other_noun, core, other_core):
            self.merge(noun, other_noun)
            return
        names = [any(s.name_at(p) for p in c) for s, c in ((frame, core), (other, other_core))]
        vague = [s.lower[c[0]] in VAGUE for s, c in ((frame, core), (other, other_core))]
        taken = noun in self.pairing.twins.values()
        if vague[0] and not vague[1] and not taken:
            self.swap_core(noun, other_noun)
        elif vague[1] and not vague[0]:
            draft.used.update(other_core)
        elif frame.words[noun].relation == "obj" and not any(names) and not taken:
            if all(frame.tag(p) != "NUM" for p in core) or all(
                other.tag(p) != "NUM" for p in other_core
            ):
                words = draft.take_words(range(*other.extent(other_noun)))
                draft.insert(core[-1] + 1, [glue("and"), *words])
        elif names[0] != names[1]:
            pass
        else:
            draft.used.update(other_core)
        self.merge(noun, other_noun)
