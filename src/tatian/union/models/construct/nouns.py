"""Merge two mentions of one entity: the fuller mention, with the other's modifiers."""

from __future__ import annotations

from tatian.text.layers import glue
from tatian.text.lexicon import POSSESSIVE_DETERMINERS, PRONOUNS
from tatian.union.models.construct.draft import FrameDraft
from tatian.union.models.construct.outline import ANYBODY, VAGUE, core_of, entity, is_person
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
        mine, theirs = link.frame, link.other
        if link.fuller != "other" or link.bare or "verb" in (mine.kind, theirs.kind):
            return
        frame, other = self.frame, self.other
        if link.guessed and not self.pairing.in_same_part(link):
            return
        if mine.kind != "time" and not self.pairing.agree(link):
            return
        if self.pairing.twins.get(theirs.head, mine.head) != mine.head:
            return
        speakers = self.pairing.frame_outline.attribution, self.pairing.other_outline.attribution
        if link.guessed and any(
            attribution is not None and attribution.speaker == place
            for attribution, place in zip(speakers, (mine.head, theirs.head), strict=True)
        ):
            return
        first, places = mine.first, list(theirs.places)
        lead = frame.lower[first], other.lower[places[0]]
        if mine.kind != "time" and lead[0] in POSSESSIVE_DETERMINERS:
            return
        words = self.draft.words(places)
        owners = [c for c in other.children[theirs.head] if other.words[c].relation == "nmod:poss"]
        if owners and owners[0] in places and self.pairing.twin(owners[0]) is not None:
            gone = other.subtree(owners[0])
            words = [glue("the"), *self.draft.words(p for p in places if p not in gone)]
        elif mine.kind != "time" and lead[0] in _DEFINITE and lead[1] in VAGUE:
            words = [*self.draft.frame_words([first]), *words[1:]]
        elif (
            frame.tag(first) == "DET"
            and other.tag(places[0]) not in ("DET", "NUM")
            and theirs.kind != "name"
            and mine.kind != "time"
        ):
            words = [*self.draft.frame_words([first]), *words]
        if not self.draft.swap(first, mine.end, words):
            self.draft.spent.difference_update(places)

    def merge(self, mine: int, theirs: int) -> None:
        """Add the modifiers of noun `theirs` to the frame's noun `mine`."""
        other, frame = self.other, self.frame
        if (mine, theirs) in self._done:
            return
        self._done.add((mine, theirs))
        if other.tag(theirs) in ("PRON", "VERB", "ADJ") or frame.tag(mine) in ("VERB", "ADJ"):
            return
        if frame.tokens[mine].quoted:
            return
        self._name(mine, theirs)
        for child in other.children[theirs]:
            twin = self.pairing.twins.get(child)
            if twin is not None and twin != mine and other.relations[child] != "conj":
                self.merge(twin, child)
            elif twin == mine:
                self.merge(mine, child)
            elif self.pairing.fresh(other.subtree(child) - self.draft.spent):
                self._attach(mine, theirs, child)
        top = entity(other, theirs)
        if top != theirs:
            self.merge(mine, top)

    def _name(self, mine: int, theirs: int) -> None:
        """Put "the Swedish striker" before a bare name, or a name to a bare role."""
        frame, other, draft = self.frame, self.other, self.draft
        block, core = core_of(other, theirs), core_of(frame, mine)
        fresh = self.pairing.fresh(set(block) - draft.spent)
        if not fresh or mine in self.named:
            return
        named = any(frame.name_at(place) for place in core)
        names = [p for p in block if (name := other.name_at(p)) and name[2] != "MISC"]
        if named and not names and theirs in self.pairing.new and is_person(other, theirs):
            beside = [p for p in frame.children[mine] if frame.words[p].relation == "nmod:desc"]
            led = frame.tag(core[0]) in ("DET", "NOUN", "ADJ")
            if not beside and not led and frame.relations[mine] != "appos":
                draft.insert(core[0], draft.words(block))
                self.named.add(mine)
        elif names and not named and frame.relations[mine] != "appos":
            if any(frame.relations[child] == "appos" for child in frame.children[mine]):
                return
            concepts = {other.concepts[place] for place in block}
            role = [frame.concepts[place] for place in core if frame.concepts[place] is not None]
            alone = len(names) == sum(other.concepts[p] is not None for p in block)
            if role and set(role) <= concepts:
                draft.swap(core[0], core[-1] + 1, draft.words(block))
                self.named.add(mine)
            elif alone and frame.lower[core[0]] in _DEFINITE:
                draft.insert(core[-1] + 1, draft.words(names), commas=True)
                self.named.add(mine)

    def _attach(self, mine: int, theirs: int, child: int) -> None:
        """Insert a modifier at the noun that it modifies."""
        frame, other, draft = self.frame, self.other, self.draft
        plain = other.relations[child]
        places = sorted(other.subtree(child))
        content = {place for place in places if other.concepts[place] is not None}
        if not draft.spent.isdisjoint(content) or plain in ("conj", "parataxis", "det", "cc"):
            return
        core = core_of(frame, mine)
        if other.words[child].relation == "nmod:poss":
            if frame.lower[core[0]] == "the":
                draft.swap(core[0], core[0] + 1, draft.words(places))
            return
        if child < theirs and plain in _BEFORE:
            self._put_before(mine, core, places, child)
            return
        if frame.words[mine].relation == "nmod:poss":
            return
        relative = other.words[child].relation == "acl:relcl"
        if relative and any(frame.words[c].relation == "acl:relcl" for c in frame.children[mine]):
            return
        commas = places[0] > 0 and other.lower[places[0] - 1] == ","
        if other.tag(places[0]) == "PUNCT" and not other.tokens[places[0]].quoted:
            places, commas = places[1:], True
        if plain == "appos" and commas:
            places = self._until_comma(theirs, places)
        places = draft.pruned(places, child)
        while places and other.tag(places[-1]) == "PUNCT" and not other.tokens[places[-1]].quoted:
            places = places[:-1]
        if plain in _BEHIND and places:
            if plain in ("acl", "appos"):
                self.described.add(mine)
            at = self.behind(mine, plain, commas)
            draft.insert(at, draft.words(places), commas=commas)

    def _until_comma(self, theirs: int, places: list[int]) -> list[int]:
        """Extend an apposition to its closing comma, as parses of its "and" are unreliable."""
        other = self.other
        below = other.subtree(theirs)
        end = places[0]
        while end < len(other) and end in below and other.lower[end] not in {",", ".", ";"}:
            end += 1
        longer = list(range(places[0], end))
        plain = not any(other.relations[p] in ("acl", "advcl") for p in longer)
        return longer if set(places) < set(longer) and plain else places

    def _put_before(self, mine: int, core: list[int], places: list[int], child: int) -> None:
        """Put an adjective, a figure or a compound's first part before the noun."""
        frame, other, draft = self.frame, self.other, self.draft
        plain = other.relations[child]
        same = [p for p in core if p != mine and frame.concepts[p] == other.concepts[child]]
        if same and other.concepts[child] is not None:
            draft.swap(same[0], same[0] + 1, draft.words(places))
            return
        if other.tag(child) == "NUM" and any(frame.tag(place) == "NUM" for place in core):
            return
        start = core[0]
        while start < mine and frame.tag(start) == "DET":
            start += 1
        if start < mine and any(
            frame.words[p].relation == "nmod:poss" for p in frame.children[mine]
        ):
            start = max(
                frame.extent(p)[1]
                for p in frame.children[mine]
                if frame.words[p].relation == "nmod:poss"
            )
        named = any(frame.name_at(place) for place in core) and frame.tag(core[0]) != "DET"
        if named and plain in ("compound", "amod") and not other.name_at(child):
            return
        at = start if plain in ("nummod", "amod", "nmod") else mine
        draft.insert(min(at, mine), draft.words(places))

    def behind(self, mine: int, plain: str, commas: bool) -> int:
        """Return the position for a modifier after a noun of the frame."""
        frame = self.frame
        end = core_of(frame, mine)[-1] + 1
        for child in sorted(frame.children[mine]):
            if child < end:
                continue
            first, stop = frame.extent(child)
            relation = frame.relations[child]
            heavy = any(frame.relations[p] == "acl" for p in range(first, stop))
            tight = relation in ("nmod", "flat", "nummod") and not (heavy and not commas)
            if relation == "appos" and first == end:
                tight = True
            if plain in ("acl", "appos") and relation == "acl" and not commas:
                tight = False
            if first == end and tight:
                end = stop
        return end

    def swap_core(self, mine: int, theirs: int) -> bool:
        """Replace a noun of the frame by the other sentence's, both with their premodifiers."""
        frame, other, draft = self.frame, self.other, self.draft
        core, block = core_of(frame, mine), core_of(other, theirs)
        words = draft.words(block)
        owners = [c for c in other.children[theirs] if other.words[c].relation == "nmod:poss"]
        if owners and self.pairing.twin(owners[0]) is not None:
            gone = other.subtree(owners[0])
            words = [glue("the"), *draft.words([place for place in block if place not in gone])]
        return draft.swap(core[0], core[-1] + 1, words)

    def _is_part(self, mine: int, theirs: int, core: list[int], block: list[int]) -> bool:
        """Put "the bell tower of" before the cathedral that the frame names as a whole."""
        other, draft = self.other, self.draft
        wholes = [p for p in other.under(theirs, "nmod") if self.pairing.twins.get(p) == mine]
        if not wholes or theirs not in self.pairing.new:
            return False
        cases = [p for p in other.under(wholes[0], "case") if other.lower[p] == "of"]
        if not cases:
            return False
        draft.insert(core[0], draft.words([*block, cases[0]]))
        self.merge(mine, wholes[0])
        return True

    def _counts_people(self, mine: int, theirs: int, core: list[int], block: list[int]) -> bool:
        """Merge "residents" and "more than 200 people" into "more than 200 residents"."""
        frame, other, draft = self.frame, self.other, self.draft
        if not (is_person(frame, mine) and is_person(other, theirs)):
            return False
        if frame.lower[mine] in ANYBODY and other.lower[theirs] not in ANYBODY:
            draft.swap(mine, mine + 1, draft.words([theirs]))
        elif other.lower[theirs] in ANYBODY and len(core) == 1:
            draft.insert(mine, draft.words(block[: block.index(theirs)]))
            draft.spent.add(theirs)
        else:
            return False
        return True

    def argument(self, mine: int, theirs: int, role: str) -> None:
        """Merge two mentions of the same argument of a verb."""
        frame, other, draft = self.frame, self.other, self.draft
        if frame.lower[mine] in PRONOUNS or other.lower[theirs] in PRONOUNS:
            return
        twin = self.pairing.twin(theirs)
        if twin is not None:
            self.merge(twin, theirs)
            return
        core, block = core_of(frame, mine), core_of(other, theirs)
        if self._is_part(mine, theirs, core, block):
            return
        linked = any(
            link.frame.head in core and link.other.head in block for link in self.pairing.links
        )
        if linked or not self.pairing.fresh(block):
            self.merge(mine, theirs)
            return
        if self._counts_people(mine, theirs, core, block):
            self.merge(mine, theirs)
            return
        names = [any(s.name_at(p) for p in c) for s, c in ((frame, core), (other, block))]
        vague = [s.lower[c[0]] in VAGUE for s, c in ((frame, core), (other, block))]
        taken = mine in self.pairing.twins.values()
        if vague[0] and not vague[1] and not taken:
            self.swap_core(mine, theirs)
        elif vague[1] and not vague[0]:
            draft.spent.update(block)
        elif frame.words[mine].relation == "obj" and not any(names) and not taken:
            if all(frame.tag(p) != "NUM" for p in core) or all(
                other.tag(p) != "NUM" for p in block
            ):
                words = draft.words(range(*other.extent(theirs)))
                draft.insert(core[-1] + 1, [glue("and"), *words])
        elif names[0] != names[1]:
            pass
        else:
            draft.spent.update(block)
        self.merge(mine, theirs)
