"""Both rounds of the mention benchmark: agreement of labelers, settled links, exports."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from tatian.formats import mentions_jsonl as jsonl
from tatian.formats.labels import links
from tatian.formats.links import replace_links, topic_of
from tatian.knowledge.entities import page_title
from tatian.mentions import annotation as ground_truth
from tatian.mentions.annotation import Detection, LinkedTerm
from tatian.statistics import AverageKappa
from tatian.text import Document
from tatian.text.layers import Authorship, Record
from tatian.workbench.tasks import Plain, Records, current_records
from tatian.workbench.tasks.agreement import (
    AnswerDifference,
    Answers,
    ByItem,
    Measure,
    Settled,
    VotingRule,
)
from tatian.workbench.tasks.detection.rules import find_nested
from tatian.workbench.tasks.items import convert, to_plain

A = TypeVar("A")
_NAME = "average pairwise kappa"
NOT_LINKED = "not linked"


def measure(answers: ByItem) -> Sequence[Measure]:
    """Return the benchmark's kappa (§3), over all links of anyone."""
    pairwise = ground_truth.agreement(records(answers, Detection, "mentions.detect")).detection
    return [kappa(pairwise, "whether a term is linked to a page, of all that anybody linked")]


def settle(answers: Answers, rule: VotingRule) -> Settled:
    """Return the links that enough annotators made; of nested ones the longest."""
    by_person = {person: _links(answer) for person, answer in answers.items()}
    votes = Counter(link for links in by_person.values() for link in links)
    agreed = sorted(link for link, count in votes.items() if rule.accepts(count, len(by_person)))
    inner = {shorter for shorter, _ in find_nested(agreed)}
    kept = tuple(link for link in agreed if link not in inner)
    answer = to_plain(Detection(kept)) if by_person else None
    return Settled(answer, tuple(_disputes(by_person)))


def kappa(average: AverageKappa | None, of: str) -> Measure:
    """Return the average over pairs of annotators, each weighted by the mentions both saw."""
    if average is None:
        return Measure(_NAME, None, 0, f"of {of}")
    pairs = {f"{pair.first} {pair.second}": pair for pair in average.pairs}
    return Measure(
        _NAME,
        None if math.isnan(average.value) else average.value,
        sum(pair.mentions for pair in average.pairs),
        f"of {of}; pairs weigh as much as they share; n: mentions compared, over all pairs",
        {name: pair.kappa for name, pair in pairs.items() if not math.isnan(pair.kappa)},
    )


def records(answers: Mapping[str, Answers], kind: type[A], task: str) -> Iterator[Record[A]]:
    """Yield answers by item and annotator as records."""
    for key, by_person in answers.items():
        for person, answer in by_person.items():
            author = Authorship(person, kind="person")
            typed = convert(answer, kind, f"the answer of '{person}' to '{key}'")
            yield Record(f"{person}/{key}", task, key, author, typed)


def _links(answer: object) -> frozenset[LinkedTerm]:
    mentions = convert(answer, Detection, "not links").mentions
    return frozenset(replace(mention, title=page_title(mention.title)) for mention in mentions)


def _disputes(by_person: Mapping[str, frozenset[LinkedTerm]]) -> Iterator[AnswerDifference]:
    places = {(link.start, link.end): link.term for links in by_person.values() for link in links}
    for (start, end), term in sorted(places.items()):
        choices = {
            person: _titles(link for link in links if (link.start, link.end) == (start, end))
            for person, links in by_person.items()
        }
        if len(set(choices.values())) > 1:
            yield AnswerDifference(f"“{term}” ({start}–{end})", choices)


def _titles(links: Iterable[LinkedTerm]) -> str:
    return ", ".join(sorted(link.title for link in links)) or NOT_LINKED


# Files that ``tatian mentions`` reads.


def typed_records(
    records: Records, texts: Mapping[str, Document], answer: type[A]
) -> list[Record[A]]:
    """Return the current records about these texts, with their answers as structs."""
    return [
        Record(
            record.id, record.task, record.item, record.made,
            convert(record.answer, answer, f"record '{record.id}'"),
            preannotated=record.preannotated,
        )
        for record in current_records(records, texts)
    ]  # fmt: skip


def rounds(records: Sequence[Record[Any]], texts: Mapping[str, Document]) -> Iterator[Plain]:
    """Yield each record with its text, in the order of the texts."""
    order = {key: place for place, key in enumerate(texts)}
    for record in sorted(records, key=lambda answered: order[answered.item]):
        text = texts[record.item]
        topic = {"topic": topic_of(text)} if topic_of(text) else {}
        yield {**msgspec.to_builtins(record), "text": text.text, **topic}


def union(records: Sequence[Record[Detection]], texts: Mapping[str, Document]) -> bytes:
    """Return all links of anyone in each answered text, as mentions JSONL."""
    linked = ground_truth.union(records, texts)
    return mentions(
        replace_links(text, links(linked[key])) for key, text in texts.items() if key in linked
    )


def mentions(texts: Iterable[Document]) -> bytes:
    """Return texts as mentions JSONL."""
    return b"".join(jsonl.encode(text).encode() + b"\n" for text in texts)
