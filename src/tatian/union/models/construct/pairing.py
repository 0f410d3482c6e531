"""Matches between two sentences: the frame, whose structure the union keeps, and the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tatian.claims.claim import VAGUE as QUANTITIES
from tatian.text.content import reporting_concepts
from tatian.text.lexicon import DETERMINERS, MONTHS, RELATIVE_DATES, WEEKDAYS
from tatian.union.models.construct.outline import (
    ANYBODY,
    VAGUE,
    AttributionPhrase,
    ClauseStatement,
    StatementOutline,
    find_core,
    find_entity,
    find_roles,
    is_past,
    is_person,
    is_planned,
)
from tatian.union.models.sentences import Parsed
from tatian.union.relations.alignment import UnitMatch
from tatian.union.relations.rules import SAME_HEAD
from tatian.union.relations.units import NOUNS, ParsedPassage, Unit, UnitKind

Side = Literal["same", "frame", "other"]
"""The more specific side of a link, or "same"."""
_SIDES: dict[str, Side] = {"equivalent": "same", "entails": "frame", "entailed": "other"}
_REVERSED: dict[Side, Side] = {"same": "same", "frame": "other", "other": "frame"}
_CLAUSAL = frozenset(
    ("root", "conj", "acl", "advcl", "ccomp", "xcomp", "parataxis", "csubj", "appos")
)
_PERIODS = frozenset("week weekend month weeks days".split())
_MEANING = "meaning"
"""Prefix of the reason of a match by the encoder."""


class PhraseLink(Struct, frozen=True):
    """A phrase of the frame matched with one of the other sentence."""

    frame: Unit
    other: Unit
    fuller: Side
    """The more specific side."""
    heads_only: bool = False
    """True if only the heads match and each side has modifiers of its own."""
    guessed: bool = False
    """True if the encoder matched the phrases by meaning, not by their words."""

    @property
    def kinds(self) -> set[UnitKind]:
        """Kinds of the two phrases."""
        return {self.frame.kind, self.other.kind}

    @property
    def reversed(self) -> PhraseLink:
        """The link with its sides exchanged."""
        fuller = _REVERSED[self.fuller]
        return PhraseLink(self.other, self.frame, fuller, self.heads_only, self.guessed)


def link_phrases(
    matches: Iterable[UnitMatch], first: ParsedPassage, second: ParsedPassage
) -> list[PhraseLink]:
    """Convert the aligner's matches; an exact figure is more specific than a vague one."""
    links = []
    for match in matches:
        match = replace(match, first=_extend_by_number(first, match.first))
        match = replace(match, second=_extend_by_number(second, match.second))
        fuller = _SIDES[match.verdict.kind]
        unit, other = match.first, match.second
        if fuller == "same" and "verb" not in (unit.kind, other.kind):
            amounts = first.amount(unit), second.amount(other)
            if amounts[0] is not None and amounts[1] is not None:
                exact = amounts[0].exact, amounts[1].exact
                if exact[0] != exact[1]:
                    fuller = "frame" if exact[0] else "other"
        guessed = match.verdict.why.startswith(_MEANING)
        links.append(PhraseLink(unit, other, fuller, match.verdict.why == SAME_HEAD, guessed))
    return links


def _extend_by_number(reading: ParsedPassage, unit: Unit) -> Unit:
    """Extend a phrase by the vague number before it: "thousands of homes"."""
    tree = reading.tree
    above = tree.heads[unit.head]
    counted = unit.kind == "phrase" and above >= 0 and tree.text(above).lower() in QUANTITIES
    if counted and above < unit.first and tree.relation(unit.head) == "nmod":
        return replace(unit, first=above)
    return unit


class Pairing:
    """Word-level matches of the frame and the other sentence."""

    def __init__(self, frame: Parsed, other: Parsed, links: Sequence[PhraseLink]) -> None:
        self.frame, self.other = frame, other
        self.links = [*links, *_link_time_spans(frame, other)]
        self.twins: dict[int, int] = {}
        """Maps nouns of the other sentence to the frame's nouns for the same entities, by index."""
        self._guessed: set[int] = set()
        self._twin_nouns()
        is_shared = self._is_speaker_shared()
        self.frame_outline = StatementOutline(frame, is_shared)
        self.other_outline = StatementOutline(other, is_shared)
        self.excluded: set[int] = set()
        """Words of the other sentence in claims that conflict with the frame."""
        self.acts: dict[int, int] = {}
        """Maps verbs of the other sentence to the frame's verbs for the same events, by index."""
        self.inverted: set[int] = set()
        """Matched verbs whose subject is the object in the other sentence: "the tunnel opened"."""
        for link in self.links:
            if link.kinds == {"verb"} and self._is_same_act(link):
                self.acts[link.other.head] = link.frame.head
        self._pair_outcomes()
        self.links += list(self._link_vague_arguments())

    def _link_vague_arguments(self) -> Iterator[PhraseLink]:
        """Yield links between arguments of matched verbs if one is vague, such as "a factory"."""
        for other_verb, frame_verb in self.acts.items():
            frame_roles = find_roles(self.frame, frame_verb)
            other_roles = find_roles(self.other, other_verb)
            for role in frame_roles.keys() & other_roles.keys():
                argument, peer = frame_roles[role], other_roles[role]
                if peer in self.twins or argument in self.twins.values():
                    continue
                core, other_core = find_core(self.frame, argument), find_core(self.other, peer)
                is_vague = self.frame.lower[core[0]] in VAGUE
                are_people = is_person(self.frame, argument) and is_person(self.other, peer)
                if is_vague != (self.other.lower[other_core[0]] in VAGUE):
                    yield _link(core, argument, other_core, peer, "other" if is_vague else "frame")
                    self.twins[peer] = argument
                elif are_people and {self.frame.lower[argument], self.other.lower[peer]} & ANYBODY:
                    yield _link([argument], argument, [peer], peer, "same")
            argument = _complement(self.frame, frame_verb)
            peer = _complement(self.other, other_verb)
            if argument < 0 or peer < 0 or peer in self.twins or argument in self.twins.values():
                continue
            if {self.frame.relations[argument], self.other.relations[peer]} != {"obj", "obl"}:
                continue
            core, other_core = find_core(self.frame, argument), find_core(self.other, peer)
            if self.frame.lower[core[0]] in VAGUE and self.other.name_at(peer) is not None:
                yield _link(core, argument, other_core, peer, "other")
            elif self.other.lower[other_core[0]] in VAGUE and self.frame.name_at(argument):
                yield _link(core, argument, other_core, peer, "frame")

    # Nouns

    def _twin_nouns(self) -> None:
        for link in self.links:
            if not link.kinds.isdisjoint(("verb", "time")):
                continue
            if self._differ_in_number(link) or self._are_speakers(link):
                continue
            noun, other_noun = link.frame.head, link.other.head
            self.twins.setdefault(other_noun, noun)
            top = find_entity(self.other, other_noun)
            if top != other_noun:
                self.twins.setdefault(top, find_entity(self.frame, noun))
            above = self.other.heads[other_noun]
            if link.other.first != other_noun and above in link.other.places:
                self.twins.setdefault(above, noun)
            if link.guessed:
                self._guessed.add(other_noun)
        frame_nouns, other_nouns = _heads_by_word(self.frame), _heads_by_word(self.other)
        for word, places in other_nouns.items():
            nouns = frame_nouns.get(word, ())
            if len(places) == len(nouns) == 1 and nouns[0] not in self.twins.values():
                self.twins.setdefault(places[0], nouns[0])

    def _attributions(self) -> list[AttributionPhrase | None]:
        sentences = self.frame, self.other
        return [StatementOutline(sentence, False).attribution for sentence in sentences]

    def _are_speakers(self, link: PhraseLink) -> bool:
        """Return True if both phrases are speakers matched only by the encoder."""
        attribution, other_attribution = self._attributions()
        if not link.guessed or attribution is None or other_attribution is None:
            return False
        heads = link.frame.head, link.other.head
        return (attribution.speaker, other_attribution.speaker) == heads

    def _differ_in_number(self, link: PhraseLink) -> bool:
        """Return True if one phrase is singular and the other plural: "ship", "two boats"."""
        numbers = (
            self.frame.feature(link.frame.head, "Number"),
            self.other.feature(link.other.head, "Number"),
        )
        words = self.frame.lower[link.frame.head], self.other.lower[link.other.head]
        has_name = "name" in link.kinds
        return not has_name and set(numbers) == {"Sing", "Plur"} and words[0] != words[1]

    def _is_speaker_shared(self) -> bool:
        """Return True if one sentence is about the person whom the other quotes."""
        attribution, other_attribution = self._attributions()
        if other_attribution is not None and other_attribution.speaker in self._guessed:
            return False
        guessed = {self.twins[place] for place in self._guessed if place in self.twins}
        if attribution is not None and attribution.speaker in guessed:
            return False
        twin = self.twin(other_attribution.speaker) if other_attribution is not None else None
        if twin is not None:
            return attribution is None or find_entity(self.frame, attribution.speaker) == twin
        return attribution is not None and attribution.speaker in self.twins.values()

    def twin(self, place: int) -> int | None:
        """Return the frame's match for a word of the other sentence, or for its entity, if any."""
        twin = self.twins.get(place)
        return self.twins.get(find_entity(self.other, place)) if twin is None else twin

    # Events

    def _is_same_act(self, link: PhraseLink) -> bool:
        """Return True if two verbs can be one event: no shared argument changes its role."""
        other, frame = link.other.head, link.frame.head
        if not {self.other.relations[other], self.frame.relations[frame]} <= _CLAUSAL:
            return False
        for outline, act in ((self.frame_outline, frame), (self.other_outline, other)):
            if outline.attribution is not None and act in outline.attribution.places:
                return False
        if link.guessed and (_is_speech(self.frame, frame) != _is_speech(self.other, other)):
            return False
        if link.guessed and not self._share_participant(other, frame):
            return False
        frame_roles, other_roles = find_roles(self.frame, frame), find_roles(self.other, other)
        for role, other_argument in other_roles.items():
            twin = self.twin(other_argument)
            for frame_role, argument in frame_roles.items():
                if frame_role != role and twin == find_entity(self.frame, argument):
                    if len(other_roles) > 1 and len(frame_roles) > 1:
                        return False
                    self.inverted.add(other)
        return True

    def _share_participant(self, other: int, frame: int) -> bool:
        """Return True if the two events share a participant."""
        below = self.frame.subtree(frame)
        return any(
            place in self.twins and self.twins[place] in below
            for place in self.other.subtree(other)
        ) or any(self.twin(p) is not None for p in find_roles(self.other, other).values())

    def _pair_outcomes(self) -> None:
        """Match a planned event with its outcome: same subject, same time."""
        for statement in self.frame_outline.statements:
            for other_statement in self.other_outline.statements:
                verb, other_verb = statement.predicate, other_statement.predicate
                if other_verb in self.acts or verb in self.acts.values():
                    continue
                if is_planned(self.frame, verb) == is_planned(self.other, other_verb):
                    continue
                if self.frame.negated(verb) or self.other.negated(other_verb):
                    continue
                subject = other_statement.subject
                share_subject = subject is not None and self.twin(subject) == statement.subject
                if share_subject and self._share_time(statement, other_statement):
                    self.acts[other_verb] = verb

    def _share_time(self, statement: ClauseStatement, other_statement: ClauseStatement) -> bool:
        return any(
            link.other.kind == "time"
            and link.other.head in other_statement.places
            and link.frame.head in statement.places
            for link in self.links
        )

    def is_stale(self, act: int) -> bool:
        """Return True if an event is planned in the frame and past in the other sentence."""
        return is_planned(self.frame, self.acts[act]) and is_past(self.other, act)

    # New information

    @cached_property
    def frame_concepts(self) -> frozenset[str | None]:
        """Concepts of the frame's words."""
        concepts = frozenset(self.frame.concepts) - {None}
        return concepts | {concept.removesuffix(".") for concept in concepts if concept is not None}

    @cached_property
    def new(self) -> frozenset[int]:
        """Content words of the other sentence that the frame lacks."""
        covered = {
            place
            for link in self.links
            if link.fuller != "other" and not link.heads_only and self._is_valid(link)
            for place in link.other.places
        }
        covered |= {place for act in self.acts for place in self._verb_group(act)}
        return frozenset(
            place
            for place, concept in enumerate(self.other.concepts)
            if concept is not None
            and place not in covered
            and place not in self.excluded
            and concept not in self.frame_concepts
            and concept.removesuffix(".") not in self.frame_concepts
            and self.other.tag(place) not in {"PUNCT", "AUX"}
        )

    def _verb_group(self, place: int) -> set[int]:
        other = self.other
        particles = [
            p for p in other.under(place, "compound") if other.words[p].relation.endswith(":prt")
        ]
        above = other.heads[place]
        lead = {above} if is_planned(other, place) and other.relations[place] == "xcomp" else set()
        return {place, *particles, *lead}

    def _is_valid(self, link: PhraseLink) -> bool:
        return link.kinds != {"verb"} or link.other.head in self.acts

    def count_new(self, places: Set[int] | Iterable[int]) -> int:
        """Count the words among `places` that are new."""
        return len(self.new & set(places))

    def agree(self, link: PhraseLink) -> bool:
        """Return True if the phrases agree in number, so that one can replace the other."""
        numbers = {
            self.frame.feature(link.frame.head, "Number"),
            self.other.feature(link.other.head, "Number"),
        }
        return not numbers >= {"Sing", "Plur"}

    def have_same_role(self, link: PhraseLink) -> bool:
        """Return True if two phrases have the same role in matched verbs."""
        for other_verb, frame_verb in self.acts.items():
            frame_roles = find_roles(self.frame, frame_verb)
            for role, other_argument in find_roles(self.other, other_verb).items():
                if (frame_roles.get(role), other_argument) == (link.frame.head, link.other.head):
                    return True
        return False

    def is_shared_time(self, place: int) -> bool:
        """Return True if a word belongs to a time that the frame also names."""
        return any(link.other.kind == "time" and place in link.other.places for link in self.links)


def _link(
    first: Sequence[int], head: int, second: Sequence[int], other_head: int, fuller: Side
) -> PhraseLink:
    frame = Unit("phrase", first[0], first[-1] + 1, head)
    other = Unit("phrase", second[0], second[-1] + 1, other_head)
    return PhraseLink(frame, other, fuller, guessed=True)


def _complement(sentence: Parsed, verb: int) -> int:
    """Return the first object or complement after a verb that is not a time; -1 if none."""
    following = [
        place
        for place in sentence.under(verb, "obj", "obl")
        if place > verb and not sentence.temporal(place)
    ]
    return following[0] if following else -1


def _is_speech(sentence: Parsed, place: int) -> bool:
    return sentence.concepts[place] in reporting_concepts() or sentence.lower[place] == "according"


def _heads_by_word(sentence: Parsed) -> dict[str, list[int]]:
    """Map each unquoted noun that heads a phrase to its positions."""
    places: dict[str, list[int]] = {}
    for place in range(len(sentence)):
        is_part = sentence.relations[place] in ("compound", "flat", "amod")
        if sentence.tag(place) in NOUNS and not is_part and not sentence.tokens[place].quoted:
            places.setdefault(sentence.lower[place], []).append(place)
    return places


def _link_time_spans(frame: Parsed, other: Parsed) -> Iterator[PhraseLink]:
    """Link a day to "over the weekend" or "this week" if each sentence has one time."""
    frame_times, other_times = list(_times(frame)), list(_times(other))
    if len(frame_times) == len(other_times) == 1 and frame_times[0][1] != other_times[0][1]:
        side: Side = "other" if frame_times[0][1] else "frame"
        yield PhraseLink(frame_times[0][0], other_times[0][0], side)


def _times(sentence: Parsed) -> Iterator[tuple[Unit, bool]]:
    """Yield time phrases of the main clause, each with a flag for a vague span."""
    for place in sentence.children[StatementOutline(sentence, False).content]:
        word = sentence.lower[place]
        if sentence.relations[place] not in ("obl", "advmod"):
            continue
        first, end = sentence.extent(place)
        preceded = any(
            sentence.lower[p] in DETERMINERS | {"last", "next"} for p in range(first, place)
        )
        if word in _PERIODS and preceded and end == place + 1:
            yield Unit("time", first, end, place), True
        elif word in WEEKDAYS or word in RELATIVE_DATES or word in MONTHS:
            yield Unit("time", first, end, place), False
