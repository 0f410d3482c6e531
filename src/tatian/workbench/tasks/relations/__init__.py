"""Annotation task for experts: relate spans of two sentences that say the same, or one more.

Hirsch et al. 2023, §3, Figure 2 and §5.3, whose counts ``tatian union tally`` prints. Spans that
nobody relates are disjoint. Answers are compared by pairs of related words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any

from msgspec import Struct

from tatian.errors import InputError
from tatian.text.layers import Record
from tatian.text.spans import Span
from tatian.union.tallies import SortedRelations, SpanRelation
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
    alpha,
    compare_bags,
    f_measure,
    find_difference,
    mean_of_pairs,
    shared_items,
)
from tatian.workbench.tasks.items import checked_note, converter, item_sentences, to_json
from tatian.workbench.tasks.words import find_words, find_words_within

KINDS = {
    "equivalent": "both say the same",
    "entails": "the first says more",
    "entailed": "the second says more",
}
NOT_RELATED = "not related"
WordPair = tuple[int, int]
"""Starts of a word of the first and a word of the second sentence."""
Place = tuple[tuple[int, ...], tuple[int, ...]]
"""Starts of the words on either side of a relation."""


class RelationItem(Struct, frozen=True):
    """An item as it is stored."""

    sentences: tuple[str, str]

    def __post_init__(self) -> None:
        if not all(find_words(text) for text in self.sentences):
            raise ValueError("two sentences, none of them empty")


class RelationAnswer(Struct, frozen=True, omit_defaults=True):
    """Relations between the spans of two sentences."""

    relations: tuple[SpanRelation, ...] = ()
    note: str = ""
    """Remark; in gold, the reason."""

    def check(self, texts: Sequence[str]) -> None:
        """Refuse spans that lie outside the sentences, or contain no word."""
        for relation in self.relations:
            for text, spans in zip(texts, (relation.first, relation.second), strict=True):
                if any(span.end > len(text) for span in spans):
                    raise InputError("a relation lies outside its sentence")
                if not find_words_within(text, spans):
                    raise InputError("a relation without words")


_content = converter(RelationItem, "not a pair of sentences")
_answer = converter(RelationAnswer, "not relations")


class RelationsTask(Task):
    """Task of relating the spans of two sentences."""

    name = "union.relations"
    title = "Relate what two sentences say"
    folder = Path(__file__).parent
    module = "relations.js"
    columns = ("id", "sentences")
    convert_item = staticmethod(_content)
    demo_stages = (
        CampaignStage("training", feedback=True, pass_mark=0.5),
        CampaignStage("relating"),
    )

    def row(self, row: Json) -> Json:
        """Read a pair of sentences, in any form that a union campaign reads."""
        return self.content({"sentences": list(item_sentences(row))})

    def gold(self, content: Json, gold: Any) -> Json:
        """Return relations that lie in the sentences."""
        gold_answer = _answer(gold)
        gold_answer.check(_content(content).sentences)
        return to_json(gold_answer)

    def to_page(self, content: Json, seed: int, options: Json) -> Json:
        """Return the two sentences."""
        return {"sentences": list(_content(content).sentences)}

    def from_page(self, content: Json, seed: int, options: Json, answer: Any) -> Json:
        """Return relations that lie in the sentences, in order, each once."""
        page_answer = _answer(answer)
        page_answer.check(_content(content).sentences)
        ordered = sorted(set(page_answer.relations), key=attrgetter("first", "second", "kind"))
        return to_json(RelationAnswer(tuple(ordered), checked_note(page_answer.note)))

    def score(self, content: Json, gold: Json, answer: Json) -> float:
        """Return F1 of pairs of related words with their kind; 1 if neither has any."""
        related = (_relate_words(content, _answer(relations)) for relations in (gold, answer))
        return f_measure(*(Counter(pairs.items()) for pairs in related))

    def agreement(self, contents: Contents, answers: AnswersByItem) -> Sequence[Measure]:
        """Return F1 of related words, with and without their kind, and alpha of the kinds."""
        related = [
            {
                person: _relate_words(content, _answer(answer))
                for person, answer in by_person.items()
            }
            for content, by_person in shared_items(contents, answers)
        ]
        word_pairs = [
            {person: relations.keys() for person, relations in by_person.items()}
            for by_person in related
        ]
        with_kinds = [
            {person: relations.items() for person, relations in by_person.items()}
            for by_person in related
        ]
        kinds = [
            [kind for relations in by_person.values() if (kind := relations.get(pair))]
            for by_person in related
            for pair in dict.fromkeys(chain.from_iterable(by_person.values()))
        ]
        return [
            mean_of_pairs("F1 of related words", compare_bags(with_kinds), "pairs of answers"),
            mean_of_pairs("F1 whatever the kind", compare_bags(word_pairs), "pairs of answers"),
            alpha("alpha of kinds", kinds, "nominal, pairs of words that two or more related"),
        ]

    def settle(self, content: Json, answers: Answers, rule: VotingRule) -> Settled:
        """Return the relations that enough people drew between the same words."""
        if not answers:
            return Settled(None)
        drawn = {person: _by_place(content, _answer(answer)) for person, answer in answers.items()}
        accepted: list[SpanRelation] = []
        differences: list[AnswerDifference] = []
        for place in dict.fromkeys(chain.from_iterable(drawn.values())):
            relations = {who: drawn[who][place] for who in drawn if place in drawn[who]}
            labels = {
                who: relations[who].kind if who in relations else NOT_RELATED for who in drawn
            }
            for kind, votes in Counter(labels.values()).items():
                if kind != NOT_RELATED and rule.accepts(votes, len(labels)):
                    of_kind = (relation for relation in relations.values() if relation.kind == kind)
                    accepted.append(next(of_kind))
            labels_in_words = {who: KINDS.get(kind, kind) for who, kind in labels.items()}
            where = _quote(content, next(iter(relations.values())))
            differences += find_difference(where, labels_in_words)
        answer = RelationAnswer(tuple(sorted(accepted, key=attrgetter("first", "second"))))
        return Settled(to_json(answer), tuple(differences))

    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """Yield every expert's relations with their sentences, for ``tatian union tally``."""
        yield self.lines("relations.jsonl", items, records, _to_record)


def _starts(text: str, spans: Iterable[Span]) -> tuple[int, ...]:
    return tuple(word.start for word in find_words_within(text, spans))


def _relate_words(content: Json, answer: RelationAnswer) -> dict[WordPair, str]:
    """Return the kind of each pair of related words; of two relations the later."""
    return {
        (left, right): relation.kind
        for (first, second), relation in _by_place(content, answer).items()
        for left in first
        for right in second
    }


def _by_place(content: Json, answer: RelationAnswer) -> dict[Place, SpanRelation]:
    texts = content["sentences"]
    return {
        (_starts(texts[0], relation.first), _starts(texts[1], relation.second)): relation
        for relation in answer.relations
    }


def _quote(content: Json, relation: SpanRelation) -> str:
    sides = zip(content["sentences"], (relation.first, relation.second), strict=True)
    quoted = [" … ".join(span.of(text) for span in spans) for text, spans in sides]
    return " and ".join(f"“{words}”" for words in quoted)


def _to_record(record: Record[Json], item: RelationItem) -> SortedRelations:
    relations = _answer(record.answer).relations
    return SortedRelations(record.item, record.made.by, item.sentences, relations)
