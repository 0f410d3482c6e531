"""Annotation task for experts: mark missing, unfaithful and redundant words of a union.

Hirsch et al. 2023, §5.1. ``tatian union marks`` computes coverage, faithfulness and redundancy from
the export. Answers are compared by their marked content words, as there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from tatian.text.layers import Record
from tatian.text.spans import Span
from tatian.union.annotation import Highlight, Marks
from tatian.union.metrics import MarkedUnion, content_spans, estimate
from tatian.workbench.settings import CampaignStage
from tatian.workbench.tasks import Exported, Json, NewItem, Records, Task
from tatian.workbench.tasks.agreement import (
    AnswerDifference,
    Answers,
    AnswersByItem,
    Contents,
    Measure,
    Settled,
    VotingRule,
    accepted_label,
    alpha,
    compare_bags,
    convert_answers,
    f_measure,
    find_difference,
    mean_of_pairs,
    shared_items,
)
from tatian.workbench.tasks.items import checked_note, convert, converter, item_sentences, to_json

KINDS = ("missing", "unfaithful", "redundant")
_FLUENCY = {True: "reads badly", False: "reads well"}
"""Names of the values of `Marks.unfluent`."""
_UNION = -1
"""Index of the union in `MarkedPlace.text`."""


class MarkingItem(Struct, frozen=True, omit_defaults=True):
    """An item as it is stored."""

    sentences: tuple[str, ...]
    merged: str
    dataset: str = ""
    """Data set of the union, which experts do not see."""

    def __post_init__(self) -> None:
        if not any(sentence.strip() for sentence in self.sentences):
            raise ValueError("no source sentences")
        if not self.merged.strip():
            raise ValueError("no union to mark: 'merged' is empty")


class MarkedPlace(NamedTuple):
    """A marked span of a text, or a content word that can be marked."""

    kind: str
    text: int
    """Index of the sentence; -1 for the union."""
    start: int
    end: int

    def overlaps(self, other: MarkedPlace) -> bool:
        """Return True if both mark the same characters as the same kind of error."""
        same_text = self.kind == other.kind and self.text == other.text
        return same_text and self.start < other.end and other.start < self.end


_content = converter(MarkingItem, "not a union to mark")


class MarkingTask(Task):
    """Task of marking missing, unfaithful and redundant words."""

    name = "union.mark"
    title = "Mark errors in sentence unions"
    folder = Path(__file__).parent
    module = "marking.js"
    columns = ("id", "sentences", "merged", "dataset")
    convert_item = staticmethod(_content)
    demo_stages = (
        CampaignStage("training", feedback=True),
        CampaignStage("subtle cases", feedback=True, pass_mark=0.6),
        CampaignStage("marking"),
    )

    def row(self, row: Json) -> Json:
        """Read CSV or JSONL of unions, as ``tatian union generate`` writes them."""
        merged = row.get("merged", row.get("mergedText", "")) or ""
        fields = {"sentences": list(item_sentences(row)), "merged": merged}
        return self.content({**fields, "dataset": row.get("dataset") or ""})

    def gold(self, content: Json, gold: Json) -> Json:
        """Return marks that lie inside the texts."""
        item, marks = _content(content), convert(gold, Marks, "gold")
        marks.check(item.sentences, item.merged)
        return to_json(marks)

    def to_page(self, content: Json, seed: int, options: Json) -> Json:
        """Return the texts and the offsets of their content words, which alone count."""
        item = _content(content)
        return {
            "sentences": list(item.sentences),
            "union": item.merged,
            "content": {
                "sentences": [_content_offsets(sentence) for sentence in item.sentences],
                "union": _content_offsets(item.merged),
            },
        }

    def from_page(self, content: Json, seed: int, options: Json, answer: Any) -> Json:
        """Return marks that lie inside the texts, in order."""
        item, marks = _content(content), convert(answer, Marks, "not an answer of this page")
        marks.check(item.sentences, item.merged)
        return to_json(
            Marks(
                tuple(sorted(set(marks.missing), key=lambda mark: (mark.sentence, mark))),
                tuple(sorted(set(marks.unfaithful))),
                tuple(sorted(set(marks.redundant))),
                marks.unfluent,
                checked_note(marks.note),
            )
        )

    def score(self, content: Json, gold: Json, answer: Json) -> float:
        """Return F1 of marked content words, each with kind and place; 1 if neither has any."""
        marked = _mark_words(list(_places(content)), {"gold": _marks(gold), "own": _marks(answer)})
        return f_measure(*map(Counter, marked.values()))

    def suggest(self, content: Json) -> Json | None:
        """Return the words that `tatian.union.metrics.estimate` counts."""
        item = _content(content)
        errors = estimate(item.sentences, item.merged)
        return to_json(
            Marks(
                tuple(Highlight(m.start, m.end, m.sentence or 0) for m in errors.missing),
                tuple(Span(span.start, span.end) for span in errors.unfaithful),
                tuple(Span(span.start, span.end) for span in errors.repeated),
            )
        )

    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """Yield marked unions with their texts, for ``tatian union marks``."""
        yield self.lines("marks.jsonl", items, records, _union)

    def agreement(self, contents: Contents, answers: AnswersByItem) -> Sequence[Measure]:
        """Return the words that two experts both marked, and alpha over all words."""
        marked, labels, fluency = [], [], []
        for content, by_person in shared_items(contents, answers):
            places, marks_of = list(_places(content)), convert_answers(by_person, _marks)
            words = _mark_words(places, marks_of)
            marked.append(words)
            labels += [[place in marks for marks in words.values()] for place in places]
            fluency.append([marks.unfluent for marks in marks_of.values()])
        return [
            mean_of_pairs("F1 of marked words", compare_bags(marked), "pairs of answers"),
            alpha("alpha of marks", labels, "nominal, content words by kind of mark"),
            alpha("alpha of reading badly", fluency, "nominal, unions"),
        ]

    def settle(self, content: Json, answers: Answers, rule: VotingRule) -> Settled:
        """Return the words that enough experts marked, as whole spans if enough marked the same."""
        if not answers:
            return Settled(None)
        marks_of, places = convert_answers(answers, _marks), list(_places(content))
        by_person = _mark_words(places, marks_of)
        accepted = _accept(by_person, marks_of, rule)
        missing, unfaithful, redundant = (
            [place for place in accepted if place.kind == kind] for kind in KINDS
        )
        fluency = {person: _FLUENCY[marks.unfluent] for person, marks in marks_of.items()}
        answer = Marks(
            tuple(Highlight(place.start, place.end, place.text) for place in missing),
            tuple(Span(place.start, place.end) for place in unfaithful),
            tuple(Span(place.start, place.end) for place in redundant),
            accepted_label(fluency.values(), rule) == _FLUENCY[True],
        )
        differences = _compare(content, places, by_person)
        return Settled(
            to_json(answer), (*differences, *find_difference("How the union reads", fluency))
        )


_marks = converter(Marks, "not marks")


def _content_offsets(text: str) -> list[list[int]]:
    return [[span.start, span.end] for span in content_spans(text)]


def _places(content: Json) -> Iterator[MarkedPlace]:
    """Yield every word that can be marked, in the order of the page."""
    for number, sentence in enumerate(content["sentences"]):
        yield from (MarkedPlace("missing", number, *span) for span in _content_offsets(sentence))
    for kind in KINDS[1:]:
        yield from (
            MarkedPlace(kind, _UNION, *span) for span in _content_offsets(content["merged"])
        )


def _marked_spans(marks: Marks) -> Iterator[MarkedPlace]:
    for mark in marks.missing:
        yield MarkedPlace("missing", mark.sentence, mark.start, mark.end)
    for kind, spans in (("unfaithful", marks.unfaithful), ("redundant", marks.redundant)):
        yield from (MarkedPlace(kind, _UNION, span.start, span.end) for span in spans)


def _mark_words(
    places: Sequence[MarkedPlace], answers: Mapping[str, Marks]
) -> dict[str, set[MarkedPlace]]:
    """Return the words that each answer marks."""
    spans_by_person = {person: list(_marked_spans(marks)) for person, marks in answers.items()}
    return {
        person: {place for place in places if any(map(place.overlaps, spans))}
        for person, spans in spans_by_person.items()
    }


def _accept(
    by_person: Mapping[str, set[MarkedPlace]], answers: Mapping[str, Marks], rule: VotingRule
) -> list[MarkedPlace]:
    """Return the spans that enough experts marked, and the words outside that enough marked."""

    def enough(marked: Iterable[set[MarkedPlace]]) -> list[MarkedPlace]:
        votes = Counter(chain.from_iterable(marked))
        return [place for place, count in votes.items() if rule.accepts(count, len(answers))]

    spans = enough(set(_marked_spans(marks)) for marks in answers.values())
    words = enough(by_person.values())
    return sorted({*spans, *(word for word in words if not any(map(word.overlaps, spans)))})


def _compare(
    content: Json, places: Iterable[MarkedPlace], by_person: Mapping[str, set[MarkedPlace]]
) -> Iterator[AnswerDifference]:
    """Yield each run of words that the same people marked and others did not."""

    def kind_text_people(place: MarkedPlace) -> tuple[str, int, frozenset[str]]:
        people = frozenset(person for person, marked in by_person.items() if place in marked)
        return place.kind, place.text, people

    for (kind, number, people), group in groupby(places, kind_text_people):
        if not people or len(people) == len(by_person):
            continue
        run = list(group)
        text = content["merged"] if number == _UNION else content["sentences"][number]
        words = text[run[0].start : run[-1].end]
        where = "the union" if number == _UNION else f"sentence {number + 1}"
        yield AnswerDifference(
            f"“{words}” in {where}: {kind}",
            {person: "marked" if person in people else "not marked" for person in by_person},
        )


def _union(record: Record[Json], item: MarkingItem) -> MarkedUnion:
    marks = convert(record.answer, Marks, f"record '{record.id}'")
    return MarkedUnion(
        record.item, item.sentences, item.merged, item.dataset, record.made.by, marks.missing,
        marks.unfaithful, marks.redundant, marks.unfluent, marks.note,
    )  # fmt: skip
