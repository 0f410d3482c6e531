"""How far experts mark the same words of a union, and which marks stand for theirs.

Compared are content words, as they are counted (§5.1), each with its kind and place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from tatian.text.spans import Span
from tatian.union.annotation import Highlight, Marks
from tatian.union.metrics import content_spans
from tatian.workbench.tasks import Plain
from tatian.workbench.tasks.agreement import (
    Alike,
    Answers,
    Dispute,
    Measure,
    Rule,
    Settled,
    accepted,
    alpha,
    mean_of_pairs,
    pairs,
)
from tatian.workbench.tasks.reading import converted, plain
from tatian.workbench.tasks.union.agreement import f_measure

KINDS = ("missing", "unfaithful", "redundant")
MARKED, NOT_MARKED = "marked", "not marked"
_READS = {True: "reads badly", False: "reads well"}
_UNION = -1


class Place(NamedTuple):
    """A content word that can be marked."""

    kind: str
    text: int
    """The number of the sentence; -1: the union."""
    start: int
    end: int


class MarkingComparing:
    """The part of the marking task that compares marks."""

    def agreement(
        self, contents: Mapping[str, Plain], answers: Mapping[str, Answers]
    ) -> Sequence[Measure]:
        """Words that two experts both marked, and alpha over all words they could mark."""
        shared = [
            (list(_places(contents[key])), _given(answered))
            for key, answered in answers.items()
            if len(answered) > 1 and key in contents
        ]
        labels = (
            [place in marked for marked in _marked(places, given).values()]
            for places, given in shared
            for place in places
        )
        reading = [[one.unfluent for one in given.values()] for _, given in shared]
        return [
            mean_of_pairs("F1 of marked words", _alike(shared), "pairs of answers"),
            alpha("alpha of marks", labels, "nominal, content words by kind of mark"),
            alpha("alpha of reading badly", reading, "nominal, unions"),
        ]

    def settled(self, content: Plain, answers: Answers, rule: Rule) -> Settled:
        """The words that enough experts marked, in whole spans where enough drew the same."""
        given = _given(answers)
        if not given:
            return Settled(None)
        places = list(_places(content))
        by_person = _marked(places, given)
        agreed = [
            place
            for place in places
            if rule.accepts(sum(place in one for one in by_person.values()), len(given))
        ]
        missing, unfaithful, redundant = (_spans(kind, agreed, given, rule) for kind in KINDS)
        fluency = {person: _READS[one.unfluent] for person, one in given.items()}
        answer = Marks(
            tuple(Highlight(start, end, text) for text, start, end in missing),
            tuple(Span(start, end) for _, start, end in unfaithful),
            tuple(Span(start, end) for _, start, end in redundant),
            accepted(fluency.values(), rule) == _READS[True],
        )
        disputes = list(_disputes(content, places, by_person))
        if len(set(fluency.values())) > 1:
            disputes.append(Dispute("How the union reads", dict(fluency)))
        return Settled(plain(answer), tuple(disputes))


def _spans(
    kind: str, agreed: Iterable[Place], given: Mapping[str, Marks], rule: Rule
) -> list[tuple[int, int, int]]:
    """The agreed words of a kind: text, start and end, in whole spans where enough drew them."""
    drawn = Counter(one for marks in given.values() for one in set(_drawn(kind, marks)))
    whole = [one for one, votes in drawn.items() if rule.accepts(votes, len(given))]
    left = [
        (place.text, place.start, place.end)
        for place in agreed
        if place.kind == kind
        and not any(
            text == place.text and start < place.end and place.start < end
            for text, start, end in whole
        )
    ]
    return sorted(whole + left)


def _disputes(
    content: Plain, places: Iterable[Place], by_person: Mapping[str, set[Place]]
) -> Iterator[Dispute]:
    """Stretches of words that the same people marked, and others did not."""

    def stretch(place: Place) -> tuple[str, int, frozenset[str]]:
        who = frozenset(person for person, marked in by_person.items() if place in marked)
        return place.kind, place.text, who

    for (kind, number, who), group in groupby(places, stretch):
        if not who or len(who) == len(by_person):
            continue
        run = list(group)
        text = content["merged"] if number == _UNION else content["sentences"][number]
        words = text[run[0].start : run[-1].end]
        where = "the union" if number == _UNION else f"sentence {number + 1}"
        yield Dispute(
            f"“{words}” in {where}: {kind}",
            {person: MARKED if person in who else NOT_MARKED for person in by_person},
        )


def _alike(shared: Iterable[tuple[list[Place], dict[str, Marks]]]) -> Iterator[Alike]:
    for places, given in shared:
        marked = {person: Counter(one) for person, one in _marked(places, given).items()}
        for one, other in pairs(marked):
            yield one, other, f_measure(marked[one], marked[other])


def _places(content: Plain) -> Iterator[Place]:
    """Every word that can be marked, in the order of the page."""
    for number, sentence in enumerate(content["sentences"]):
        yield from (Place("missing", number, *_ends(word)) for word in content_spans(sentence))
    for kind in KINDS[1:]:
        yield from (Place(kind, _UNION, *_ends(word)) for word in content_spans(content["merged"]))


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _marked(places: Sequence[Place], given: Mapping[str, Marks]) -> dict[str, set[Place]]:
    found: dict[str, set[Place]] = {}
    for person, marks in given.items():
        drawn = {kind: list(_drawn(kind, marks)) for kind in KINDS}
        found[person] = {
            place
            for place in places
            if any(
                text == place.text and start < place.end and place.start < end
                for text, start, end in drawn[place.kind]
            )
        }
    return found


def _drawn(kind: str, marks: Marks) -> Iterator[tuple[int, int, int]]:
    if kind == "missing":
        yield from ((one.sentence, one.start, one.end) for one in marks.missing)
    else:
        spans: Sequence[Span] = marks.unfaithful if kind == "unfaithful" else marks.redundant
        yield from ((_UNION, one.start, one.end) for one in spans)


def _given(answers: Answers) -> dict[str, Marks]:
    return {person: converted(one, Marks, "not marks") for person, one in answers.items()}
