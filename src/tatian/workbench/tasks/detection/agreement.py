"""Both rounds of the mention benchmark: how far labelers agree, what is settled, what comes out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from tatian.formats import mentions_jsonl as jsonl
from tatian.formats.labels import links
from tatian.formats.links import relinked, topic_of
from tatian.knowledge.entities import page_title
from tatian.mentions import annotation as ground_truth
from tatian.mentions.annotation import Detection, LinkedTerm
from tatian.statistics import AverageKappa
from tatian.text import Document
from tatian.text.layers import Authorship, Record
from tatian.workbench.tasks import Plain, Records, standing
from tatian.workbench.tasks.agreement import (
    AnswerDispute,
    Answers,
    ByItem,
    Measure,
    Settled,
    VotingRule,
)
from tatian.workbench.tasks.detection.rules import nested
from tatian.workbench.tasks.items import converted, plain

A = TypeVar("A")
_NAME = "average pairwise kappa"
NOT_LINKED = "not linked"


def measured(answers: ByItem) -> Sequence[Measure]:
    """The benchmark's kappa (§3), over all that anybody linked."""
    found = ground_truth.agreement(records(answers, Detection, "mentions.detect")).detection
    return [kappa(found, "whether a term is linked to a page, of all that anybody linked")]


def settled(answers: Answers, rule: VotingRule) -> Settled:
    """The links that enough annotators made; of nested ones the longest."""
    given = {person: _links(answer) for person, answer in answers.items()}
    votes = Counter(link for links in given.values() for link in links)
    agreed = sorted(link for link, count in votes.items() if rule.accepts(count, len(given)))
    inner = {shorter for shorter, _ in nested(agreed)}
    kept = tuple(link for link in agreed if link not in inner)
    answer = plain(Detection(kept)) if given else None
    return Settled(answer, tuple(_disputes(given)))


def kappa(found: AverageKappa | None, of: str) -> Measure:
    """The average over pairs of annotators, each weighed by the mentions both saw."""
    if found is None:
        return Measure(_NAME, None, 0, f"of {of}")
    pairs = {f"{one.first} {one.second}": one for one in found.pairs}
    return Measure(
        _NAME,
        None if math.isnan(found.value) else found.value,
        sum(one.mentions for one in found.pairs),
        f"of {of}; pairs weigh as much as they share; n: mentions compared, over all pairs",
        {name: one.kappa for name, one in pairs.items() if not math.isnan(one.kappa)},
    )


def records(answers: Mapping[str, Answers], kind: type[A], task: str) -> Iterator[Record[A]]:
    """Answers by item and annotator as records."""
    for key, by_person in answers.items():
        for person, answer in by_person.items():
            made = Authorship(person, kind="person")
            typed = converted(answer, kind, f"the answer of '{person}' to '{key}'")
            yield Record(f"{person}/{key}", task, key, made, typed)


def _links(answer: object) -> frozenset[LinkedTerm]:
    found = converted(answer, Detection, "not links").mentions
    return frozenset(replace(one, title=page_title(one.title)) for one in found)


def _disputes(given: Mapping[str, frozenset[LinkedTerm]]) -> Iterator[AnswerDispute]:
    places = {(one.start, one.end): one.term for links in given.values() for one in links}
    for (start, end), term in sorted(places.items()):
        said = {
            person: _titles(one for one in links if (one.start, one.end) == (start, end))
            for person, links in given.items()
        }
        if len(set(said.values())) > 1:
            yield AnswerDispute(f"“{term}” ({start}–{end})", said)


def _titles(links: Iterable[LinkedTerm]) -> str:
    return ", ".join(sorted(one.title for one in links)) or NOT_LINKED


# The files that ``tatian mentions`` reads.


def typed(records: Records, texts: Mapping[str, Document], answer: type[A]) -> list[Record[A]]:
    """The records that are about these texts and not replaced, their answers as structs."""
    return [
        Record(
            one.id, one.task, one.item, one.made,
            converted(one.answer, answer, f"record '{one.id}'"),
            preannotated=one.preannotated,
        )
        for one in standing(records, texts)
    ]  # fmt: skip


def rounds(records: Sequence[Record[Any]], texts: Mapping[str, Document]) -> Iterator[Plain]:
    """Each record with the text that it is about, in the order of the texts."""
    order = {key: place for place, key in enumerate(texts)}
    for record in sorted(records, key=lambda one: order[one.item]):
        text = texts[record.item]
        topic = {"topic": topic_of(text)} if topic_of(text) else {}
        yield {**msgspec.to_builtins(record), "text": text.text, **topic}


def union(records: Sequence[Record[Detection]], texts: Mapping[str, Document]) -> bytes:
    """What anybody linked in each text that somebody answered, as mentions JSONL."""
    found = ground_truth.union(records, texts)
    return mentions(
        relinked(text, links(found[key])) for key, text in texts.items() if key in found
    )


def mentions(texts: Iterable[Document]) -> bytes:
    """Texts as mentions JSONL."""
    return b"".join(jsonl.encode(text).encode() + b"\n" for text in texts)
