"""Experts mark which spans of two sentences say the same, and which says more.

Hirsch et al. 2023, §3, Figure 2 and §5.3, whose counts ``tatian union tally`` prints. What nobody
relates is disjoint. Answers are compared by pairs of related words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from tatian import limits
from tatian.errors import InputError
from tatian.text.layers import Record
from tatian.text.spans import Span
from tatian.union.tallies import SortedRelations, SpanRelation
from tatian.workbench.settings import CampaignStage
from tatian.workbench.tasks import Exported, NewItem, Plain, Records, Task, standing
from tatian.workbench.tasks.agreement import (
    Alike,
    AnswerDispute,
    Answers,
    ByItem,
    Contents,
    Measure,
    Settled,
    VotingRule,
    alpha,
    f_measure,
    mean_of_pairs,
    pairs,
    shared,
)
from tatian.workbench.tasks.items import form, plain, sentences
from tatian.workbench.tasks.words import within, words

KINDS = {
    "equivalent": "both say the same",
    "entails": "the first says more",
    "entailed": "the second says more",
}
NOT_RELATED = "not related"
WordPair = tuple[int, int]
"""The starts of a word of the first and of a word of the second sentence."""
Place = tuple[tuple[int, ...], tuple[int, ...]]
"""The starts of the words on either side of a relation."""


class RelationItem(Struct, frozen=True):
    """An item as it is stored."""

    sentences: tuple[str, str]

    def __post_init__(self) -> None:
        if not all(words(text) for text in self.sentences):
            raise ValueError("two sentences, none of them empty")


class RelationAnswer(Struct, frozen=True, omit_defaults=True):
    """The relations of one pair; as gold, the note says why."""

    relations: tuple[SpanRelation, ...] = ()
    note: str = ""

    def check(self, texts: Sequence[str]) -> None:
        """Refuse spans that lie outside the sentences, or hold no word."""
        for relation in self.relations:
            for text, spans in zip(texts, (relation.first, relation.second), strict=True):
                if any(span.end > len(text) for span in spans):
                    raise InputError("a relation lies outside its sentence")
                if not within(text, spans):
                    raise InputError("a relation without words")


_content = form(RelationItem, "not a pair of sentences")
_answer = form(RelationAnswer, "not relations")


class RelationsTask(Task):
    """Marking of relations between the spans of two sentences."""

    name = "union.relations"
    title = "Relate what two sentences say"
    folder = Path(__file__).parent
    module = "relations.js"
    columns = ("id", "sentences")
    holds = staticmethod(_content)
    demo_stages = (
        CampaignStage("training", feedback=True, pass_mark=0.5),
        CampaignStage("relating"),
    )

    def row(self, row: Plain) -> Plain:
        """Pairs as any union campaign reads them."""
        return self.content({"sentences": list(sentences(row))})

    def gold(self, content: Plain, gold: Any) -> Plain:
        """Relations that lie in the sentences."""
        given = _answer(gold)
        given.check(_content(content).sentences)
        return plain(given)

    def shown(self, content: Plain, seed: int, options: Plain) -> Plain:
        """The two sentences."""
        return {"sentences": list(_content(content).sentences)}

    def received(self, content: Plain, seed: int, options: Plain, answer: Any) -> Plain:
        """Relations that lie in the sentences, in their order, each once."""
        given = _answer(answer)
        given.check(_content(content).sentences)
        if len(given.note) > limits.NOTE_CHARACTERS:
            raise InputError(f"the note is longer than {limits.NOTE_CHARACTERS} characters")
        ordered = sorted(set(given.relations), key=lambda one: (one.first, one.second, one.kind))
        return plain(RelationAnswer(tuple(ordered), given.note.strip()))

    def score(self, content: Plain, gold: Plain, answer: Plain) -> float:
        """F1 of pairs of related words with their kind; 1 where neither has any."""
        right, given = (_related(content, _answer(one)) for one in (gold, answer))
        return f_measure(Counter(right.items()), Counter(given.items()))

    def agreement(self, contents: Contents, answers: ByItem) -> Sequence[Measure]:
        """F1 of related words, with and without their kind; alpha of the kinds of shared pairs."""
        found = [
            {who: _related(content, _answer(one)) for who, one in given.items()}
            for content, given in shared(contents, answers)
        ]
        kinds = [
            [kind for one in given.values() if (kind := one.get(pair))]
            for given in found
            for pair in dict.fromkeys(pair for one in given.values() for pair in one)
        ]
        return [
            mean_of_pairs("F1 of related words", _alike(found, kinds=True), "pairs of answers"),
            mean_of_pairs("F1 whatever the kind", _alike(found, kinds=False), "pairs of answers"),
            alpha("alpha of kinds", kinds, "nominal, pairs of words that two or more related"),
        ]

    def settled(self, content: Plain, answers: Answers, rule: VotingRule) -> Settled:
        """The relations that enough people drew between the same words."""
        given = {who: _answer(answer) for who, answer in answers.items()}
        if not given:
            return Settled(None)
        drawn = {who: _drawn(content, one) for who, one in given.items()}
        kept: list[SpanRelation] = []
        disputes: list[AnswerDispute] = []
        for place in dict.fromkeys(place for one in drawn.values() for place in one):
            said = {
                who: one[place].kind if place in one else NOT_RELATED for who, one in drawn.items()
            }
            for kind, votes in Counter(said.values()).items():
                if kind != NOT_RELATED and rule.accepts(votes, len(said)):
                    relations = (one[place] for one in drawn.values() if place in one)
                    kept.append(next(one for one in relations if one.kind == kind))
            if len(set(said.values())) > 1:
                shown = {who: KINDS.get(kind, kind) for who, kind in said.items()}
                disputes.append(AnswerDispute(_quoted(content, drawn, place), shown))
        answer = RelationAnswer(tuple(sorted(kept, key=lambda one: (one.first, one.second))))
        return Settled(plain(answer), tuple(disputes))

    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """Every expert's relations with their sentences; ``tatian union tally`` reads them."""
        contents = {item.key: _content(item.content) for item in items}
        lines = (_sorted(one, contents[one.item]) for one in standing(records, contents))
        yield Exported.lines("relations.jsonl", lines)


def _starts(text: str, spans: Iterable[Span]) -> tuple[int, ...]:
    return tuple(word.start for word in within(text, spans))


def _related(content: Plain, given: RelationAnswer) -> dict[WordPair, str]:
    """The kind of each pair of related words; of two relations the later."""
    return {
        (one, other): relation.kind
        for (first, second), relation in _drawn(content, given).items()
        for one in first
        for other in second
    }


def _drawn(content: Plain, given: RelationAnswer) -> dict[Place, SpanRelation]:
    texts = content["sentences"]
    return {
        (_starts(texts[0], one.first), _starts(texts[1], one.second)): one
        for one in given.relations
    }


def _alike(found: Iterable[Mapping[str, dict[WordPair, str]]], *, kinds: bool) -> Iterator[Alike]:
    for given in found:
        for one, other in pairs(given):
            ours, theirs = given[one], given[other]
            alike = f_measure(Counter([*ours]), Counter([*theirs]))
            if kinds:
                alike = f_measure(Counter(ours.items()), Counter(theirs.items()))
            yield one, other, alike


def _quoted(content: Plain, drawn: Mapping[str, Mapping[Place, SpanRelation]], place: Place) -> str:
    relation = next(one[place] for one in drawn.values() if place in one)
    sides = zip(content["sentences"], (relation.first, relation.second), strict=True)
    quoted = [" … ".join(span.of(text) for span in spans) for text, spans in sides]
    return " and ".join(f"“{words}”" for words in quoted)


def _sorted(record: Record[Plain], item: RelationItem) -> SortedRelations:
    relations = _answer(record.answer).relations
    return SortedRelations(record.item, record.made.by, item.sentences, relations)
