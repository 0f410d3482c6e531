"""Matches between two parsed sentences: phrases, verbs and nouns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tatian.claims.claim import VAGUE as QUANTITIES
from tatian.text.content import saying
from tatian.text.lexicon import DETERMINERS, MONTHS, RELATIVE_DATES, WEEKDAYS
from tatian.union.models.construct.outline import (
    ANYBODY,
    VAGUE,
    AttributionPhrase,
    ClauseStatement,
    StatementOutline,
    core_of,
    entity,
    is_past,
    is_person,
    is_planned,
    roles,
)
from tatian.union.models.sentences import Parsed
from tatian.union.relations.alignment import UnitMatch
from tatian.union.relations.rules import SAME_HEAD
from tatian.union.relations.units import ParsedPassage, Unit

Side = Literal["same", "frame", "other"]
"""The more specific side of a link, or "same"."""
_SIDES: dict[str, Side] = {"equivalent": "same", "entails": "frame", "entailed": "other"}
_TURNED: dict[Side, Side] = {"same": "same", "frame": "other", "other": "frame"}
_CLAUSAL = frozenset(
    ("root", "conj", "acl", "advcl", "ccomp", "xcomp", "parataxis", "csubj", "appos")
)
_SPANS = frozenset("week weekend month weeks days".split())
_NOUNS = frozenset(("NOUN", "PROPN"))
_MEANING = "meaning"
"""Prefix of the reason of a match by the encoder."""


class PhraseLink(Struct, frozen=True):
    """A phrase of the frame matched with one of the other sentence."""

    frame: Unit
    other: Unit
    fuller: Side
    """The more specific side."""
    bare: bool = False
    """True if only the heads match and each side has modifiers of its own."""
    guessed: bool = False
    """True if the encoder matched the phrases by meaning, not by their words."""

    @property
    def turned(self) -> PhraseLink:
        """The link with the sides exchanged."""
        return PhraseLink(self.other, self.frame, _TURNED[self.fuller], self.bare, self.guessed)


def phrase_links(
    matches: Iterable[UnitMatch], first: ParsedPassage, second: ParsedPassage
) -> list[PhraseLink]:
    """Convert the aligner's matches; an exact figure is more specific than a vague one."""
    links = []
    for match in matches:
        match = replace(match, first=_counted(first, match.first))
        match = replace(match, second=_counted(second, match.second))
        side = _SIDES[match.verdict.kind]
        mine, theirs = match.first, match.second
        if side == "same" and "verb" not in (mine.kind, theirs.kind):
            bounds = first.amount(mine), second.amount(theirs)
            if bounds[0] is not None and bounds[1] is not None:
                exact = bounds[0].exact, bounds[1].exact
                if exact[0] != exact[1]:
                    side = "frame" if exact[0] else "other"
        guessed = match.verdict.why.startswith(_MEANING)
        links.append(PhraseLink(mine, theirs, side, match.verdict.why == SAME_HEAD, guessed))
    return links


def _counted(reading: ParsedPassage, unit: Unit) -> Unit:
    """Extend a phrase by the vague number before it: "thousands of homes"."""
    tree = reading.tree
    above = tree.heads[unit.head]
    inside = unit.kind == "phrase" and above >= 0 and tree.text(above).lower() in QUANTITIES
    if inside and above < unit.first and tree.relation(unit.head) == "nmod":
        return replace(unit, first=above)
    return unit


class Pairing:
    """Word-level matches of the frame and the other sentence."""

    def __init__(self, frame: Parsed, other: Parsed, links: Sequence[PhraseLink]) -> None:
        self.frame, self.other = frame, other
        self.links = [*links, *_spans_of_time(frame, other)]
        self.twins: dict[int, int] = {}
        """Maps nouns of the other sentence to the frame's nouns for the same entities, by index."""
        self._guessed: set[int] = set()
        self._twin_nouns()
        speaks = self._speaker_is_shared()
        self.frame_outline = StatementOutline(frame, speaks)
        self.other_outline = StatementOutline(other, speaks)
        self.withheld: set[int] = set()
        """Words of the other sentence that contradict the frame."""
        self.acts: dict[int, int] = {}
        """Maps verbs of the other sentence to the frame's verbs for the same events, by index."""
        self.turned: set[int] = set()
        """Matched verbs whose subject is the object in the other sentence: "the tunnel opened"."""
        for link in self.links:
            if link.other.kind == link.frame.kind == "verb" and self._is_same_act(link):
                self.acts[link.other.head] = link.frame.head
        self._pair_outcomes()
        self.links += list(self._implied())

    def _implied(self) -> Iterator[PhraseLink]:
        """Yield links between arguments of matched verbs if one is vague, such as "a factory"."""
        for theirs, mine in self.acts.items():
            ours, foreign = roles(self.frame, mine), roles(self.other, theirs)
            for role in ours.keys() & foreign.keys():
                arg, twin = ours[role], foreign[role]
                if twin in self.twins or arg in self.twins.values():
                    continue
                first, second = core_of(self.frame, arg), core_of(self.other, twin)
                vague = self.frame.lower[first[0]] in VAGUE, self.other.lower[second[0]] in VAGUE
                people = is_person(self.frame, arg) and is_person(self.other, twin)
                anybody = {self.frame.lower[arg], self.other.lower[twin]} & ANYBODY
                if vague[0] != vague[1]:
                    yield _link(first, arg, second, twin, "other" if vague[0] else "frame")
                    self.twins[twin] = arg
                elif people and anybody:
                    yield _link([arg], arg, [twin], twin, "same")
            arg, twin = _nearest(self.frame, mine), _nearest(self.other, theirs)
            if arg < 0 or twin < 0 or twin in self.twins or arg in self.twins.values():
                continue
            if {self.frame.relations[arg], self.other.relations[twin]} != {"obj", "obl"}:
                continue
            first, second = core_of(self.frame, arg), core_of(self.other, twin)
            vague = self.frame.lower[first[0]] in VAGUE, self.other.lower[second[0]] in VAGUE
            named = self.frame.name_at(arg) is not None, self.other.name_at(twin) is not None
            if vague[0] and named[1]:
                yield _link(first, arg, second, twin, "other")
            elif vague[1] and named[0]:
                yield _link(first, arg, second, twin, "frame")

    # Nouns

    def _twin_nouns(self) -> None:
        for link in self.links:
            if "verb" in (link.other.kind, link.frame.kind) or "time" in (
                link.other.kind,
                link.frame.kind,
            ):
                continue
            if self._differ_in_number(link) or self._are_speakers(link):
                continue
            self.twins.setdefault(link.other.head, link.frame.head)
            top = entity(self.other, link.other.head)
            if top != link.other.head:
                self.twins.setdefault(top, entity(self.frame, link.frame.head))
            if link.other.first != link.other.head and self.other.heads[link.other.head] in (
                link.other.places
            ):
                self.twins.setdefault(self.other.heads[link.other.head], link.frame.head)
            if link.guessed:
                self._guessed.add(link.other.head)
        mine, theirs = _heads_by_word(self.frame), _heads_by_word(self.other)
        for word, places in theirs.items():
            if len(places) == 1 and len(mine.get(word, ())) == 1:
                taken = mine[word][0] in self.twins.values()
                if not taken:
                    self.twins.setdefault(places[0], mine[word][0])

    def _attributions(self) -> list[AttributionPhrase | None]:
        sentences = self.frame, self.other
        return [StatementOutline(sentence, False).attribution for sentence in sentences]

    def _are_speakers(self, link: PhraseLink) -> bool:
        """Return True if both phrases are speakers matched only by the encoder."""
        mine, theirs = self._attributions()
        return (
            link.guessed
            and mine is not None
            and theirs is not None
            and (mine.speaker, theirs.speaker) == (link.frame.head, link.other.head)
        )

    def _differ_in_number(self, link: PhraseLink) -> bool:
        """Return True if one phrase is singular and the other plural: "ship", "two boats"."""
        numbers = (
            self.frame.feature(link.frame.head, "Number"),
            self.other.feature(link.other.head, "Number"),
        )
        words = self.frame.lower[link.frame.head], self.other.lower[link.other.head]
        plain = "name" not in (link.frame.kind, link.other.kind)
        return plain and set(numbers) == {"Sing", "Plur"} and words[0] != words[1]

    def _speaker_is_shared(self) -> bool:
        """Return True if one sentence is about the person whom the other quotes."""
        mine, theirs = self._attributions()
        if theirs is not None and theirs.speaker in self._guessed:
            return False
        guessed = {self.twins[place] for place in self._guessed if place in self.twins}
        if mine is not None and mine.speaker in guessed:
            return False
        if theirs is not None and (twin := self.twin(theirs.speaker)) is not None:
            return mine is None or entity(self.frame, mine.speaker) == twin
        return mine is not None and mine.speaker in self.twins.values()

    def twin(self, place: int) -> int | None:
        """Return the frame's match of a word of the other sentence; None if there is none."""
        twin = self.twins.get(place)
        return self.twins.get(entity(self.other, place)) if twin is None else twin

    # Events

    def _is_same_act(self, link: PhraseLink) -> bool:
        """Return True if two verbs can be one event: no shared argument changes its role."""
        other, frame = link.other.head, link.frame.head
        if not {self.other.relations[other], self.frame.relations[frame]} <= _CLAUSAL:
            return False
        for outline, act in ((self.frame_outline, frame), (self.other_outline, other)):
            if outline.attribution is not None and act in outline.attribution.places:
                return False
        if link.guessed and (_speaks(self.frame, frame) != _speaks(self.other, other)):
            return False
        if link.guessed and not self._share_a_thing(other, frame):
            return False
        mine, theirs = roles(self.frame, frame), roles(self.other, other)
        for role, place in theirs.items():
            twin = self.twin(place)
            for another, there in mine.items():
                if another == role or twin is None or twin != entity(self.frame, there):
                    continue
                if len(theirs) == 1 or len(mine) == 1:
                    self.turned.add(other)
                    continue
                return False
        return True

    def _share_a_thing(self, other: int, frame: int) -> bool:
        """Return True if the two events share a participant."""
        below = self.frame.subtree(frame)
        return any(
            place in self.twins and self.twins[place] in below
            for place in self.other.subtree(other)
        ) or any(self.twin(p) is not None for p in roles(self.other, other).values())

    def _pair_outcomes(self) -> None:
        """Match a planned event with its outcome: same subject, same time."""
        for mine in self.frame_outline.statements:
            for theirs in self.other_outline.statements:
                my_act, their_act = mine.predicate, theirs.predicate
                if their_act in self.acts or my_act in self.acts.values():
                    continue
                if is_planned(self.frame, my_act) == is_planned(self.other, their_act):
                    continue
                if self.frame.negated(my_act) or self.other.negated(their_act):
                    continue
                same = theirs.subject is not None and self.twin(theirs.subject) == mine.subject
                if same and self._share_time(mine, theirs):
                    self.acts[their_act] = my_act

    def _share_time(self, mine: ClauseStatement, theirs: ClauseStatement) -> bool:
        return any(
            link.other.kind == "time"
            and link.other.head in theirs.places
            and link.frame.head in mine.places
            for link in self.links
        )

    def is_stale(self, act: int) -> bool:
        """Return True if the frame words an event as planned that the other says has happened."""
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
            if link.fuller != "other" and not link.bare and self._holds(link)
            for place in link.other.places
        }
        covered |= {place for act in self.acts for place in self._verb(act)}
        return frozenset(
            place
            for place, concept in enumerate(self.other.concepts)
            if concept is not None
            and place not in covered
            and place not in self.withheld
            and concept not in self.frame_concepts
            and concept.removesuffix(".") not in self.frame_concepts
            and self.other.tag(place) not in {"PUNCT", "AUX"}
        )

    def _verb(self, place: int) -> set[int]:
        other = self.other
        particles = [
            p for p in other.under(place, "compound") if other.words[p].relation.endswith(":prt")
        ]
        above = other.heads[place]
        lead = {above} if is_planned(other, place) and other.relations[place] == "xcomp" else set()
        return {place, *particles, *lead}

    def _holds(self, link: PhraseLink) -> bool:
        verbs = link.other.kind == "verb" and link.frame.kind == "verb"
        return not verbs or link.other.head in self.acts

    def fresh(self, places: Set[int] | Iterable[int]) -> int:
        """Count the words among `places` that are new."""
        return len(self.new & set(places))

    def agree(self, link: PhraseLink) -> bool:
        """Return True if the phrases agree in number, so that one can replace the other."""
        numbers = {
            self.frame.feature(link.frame.head, "Number"),
            self.other.feature(link.other.head, "Number"),
        }
        return not numbers >= {"Sing", "Plur"}

    def in_same_part(self, link: PhraseLink) -> bool:
        """Return True if two phrases have the same role in matched verbs."""
        for theirs, mine in self.acts.items():
            ours, foreign = roles(self.frame, mine), roles(self.other, theirs)
            for role in ours.keys() & foreign.keys():
                if ours[role] == link.frame.head and foreign[role] == link.other.head:
                    return True
        return False

    def named_time(self, place: int) -> bool:
        """Return True if a word belongs to a time that the frame also names."""
        return any(link.other.kind == "time" and place in link.other.places for link in self.links)


def _link(
    first: Sequence[int], head: int, second: Sequence[int], other_head: int, fuller: Side
) -> PhraseLink:
    frame = Unit("phrase", first[0], first[-1] + 1, head)
    other = Unit("phrase", second[0], second[-1] + 1, other_head)
    return PhraseLink(frame, other, fuller, guessed=True)


def _nearest(sentence: Parsed, verb: int) -> int:
    """Return the first object or complement after a verb that is not a time; -1 if none."""
    following = [
        place
        for place in sentence.under(verb, "obj", "obl")
        if place > verb and not sentence.temporal(place)
    ]
    return following[0] if following else -1


def _speaks(sentence: Parsed, place: int) -> bool:
    return sentence.concepts[place] in saying() or sentence.lower[place] == "according"


def _heads_by_word(sentence: Parsed) -> dict[str, list[int]]:
    """Map each unquoted noun that heads a phrase to its positions."""
    places: dict[str, list[int]] = {}
    for place in range(len(sentence)):
        part = sentence.relations[place] in ("compound", "flat", "amod")
        if sentence.tag(place) in _NOUNS and not part and not sentence.tokens[place].quoted:
            places.setdefault(sentence.lower[place], []).append(place)
    return places


def _spans_of_time(frame: Parsed, other: Parsed) -> Iterator[PhraseLink]:
    """Link a day to "over the weekend" or "this week" if each sentence has one time."""
    mine, theirs = list(_times(frame)), list(_times(other))
    if len(mine) == len(theirs) == 1 and mine[0][1] != theirs[0][1]:
        side: Side = "other" if mine[0][1] else "frame"
        yield PhraseLink(mine[0][0], theirs[0][0], side)


def _times(sentence: Parsed) -> Iterator[tuple[Unit, bool]]:
    """Yield time phrases of the main clause, each with a flag for a vague span."""
    for place in sentence.children[StatementOutline(sentence, False).content]:
        word = sentence.lower[place]
        if sentence.relations[place] not in ("obl", "advmod"):
            continue
        first, end = sentence.extent(place)
        led = any(sentence.lower[p] in DETERMINERS | {"last", "next"} for p in range(first, place))
        if word in _SPANS and led and end == place + 1:
            yield Unit("time", first, end, place), True
        elif word in WEEKDAYS or word in RELATIVE_DATES or word in MONTHS:
            yield Unit("time", first, end, place), False
