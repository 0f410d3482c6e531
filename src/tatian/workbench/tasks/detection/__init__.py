"""Annotation task: link terms of a text to Wikipedia pages (first round of the mention benchmark).

Mass et al. 2018, §3 and §8.1. In the second round, `tatian.workbench.tasks.confirmation`, people
confirm the links of all annotators; ``tatian campaign confirm`` creates its campaign.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tatian import limits
from tatian.errors import InputError
from tatian.formats import mentions_jsonl as jsonl
from tatian.formats.labels import Detection, LinkedTerm, links_of_terms
from tatian.formats.links import build_document as linked_document
from tatian.formats.links import replace_links, topic_of
from tatian.grouping import grouped
from tatian.knowledge.entities import page_title
from tatian.mentions import annotation as ground_truth
from tatian.statistics import AverageKappa
from tatian.text import Document, Link
from tatian.text.layers import Authorship, Record
from tatian.workbench.settings import CampaignStage
from tatian.workbench.tasks import Exported, Json, NewItem, Records, Task, current_records
from tatian.workbench.tasks.agreement import (
    AnswerDifference,
    Answers,
    AnswersByItem,
    Contents,
    Measure,
    Settled,
    VotingRule,
    find_difference,
)
from tatian.workbench.tasks.detection import pages
from tatian.workbench.tasks.detection.files import is_settled, linked_terms, read
from tatian.workbench.tasks.detection.rules import NEVER_LINKED, check, draft_links, find_nested
from tatian.workbench.tasks.items import convert, converter, to_json

Place = tuple[int, int]
"""Start and end of a term."""


class DetectionItem(Struct, frozen=True, omit_defaults=True):
    """An item as it is stored."""

    text: str
    topic: str = ""
    """Topic of the text; it decides which general terms matter."""

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ValueError("no text to annotate: 'text' is empty")
        if len(self.text) > limits.DETECTION_CHARACTERS:
            raise ValueError(
                f"a text of more than {limits.DETECTION_CHARACTERS:,} characters: divide it"
            )


class DetectionGold(Detection, frozen=True, omit_defaults=True):
    """The right links."""

    note: str = ""
    """Reason."""


_content = converter(DetectionItem, "not a text to annotate")


class DetectionTask(Task):
    """Task of linking terms to pages."""

    name = "mentions.detect"
    title = "Link terms to Wikipedia pages"
    folder = Path(__file__).parent
    module = "detection.js"
    columns = ("id", "text", "topic", "mentions")
    convert_item = staticmethod(_content)
    demo_stages = (
        CampaignStage("training", feedback=True),
        CampaignStage("harder texts", feedback=True, pass_mark=0.5),
        CampaignStage("linking"),
    )

    def read(self, name: str, data: bytes, mapping: Mapping[str, str]) -> Iterable[NewItem]:
        """Read texts with their topics: JSONL, a table, NIF, AIDA or another format of mentions.

        The links of a file are gold, except those of annotators' answers.
        """
        return read(name, data, mapping, self._content_and_gold)

    def gold(self, content: Json, gold: Json) -> Json:
        """Return links that lie in the text."""
        right_links = _gold(gold)
        right_links.check(_content(content).text)
        return to_json(right_links)

    def check_options(self, options: Json) -> None:
        """Refuse a knowledge base that cannot be opened."""
        pages.check(options)

    def to_page(self, content: Json, seed: int, options: Json) -> Json:
        """Return text and topic, and the words that are never linked."""
        return {**to_json(_content(content)), "never": NEVER_LINKED}

    def from_page(self, content: Json, seed: int, options: Json, answer: Any) -> Json:
        """Return links that keep to the rules, with redirects followed."""
        detection = convert(answer, Detection, "not an answer of this page")
        check(_content(content).text, detection)
        resolved = (_resolve(mention, options) for mention in detection.mentions)
        return to_json(Detection(tuple(sorted(set(resolved)))))

    def score(self, content: Json, gold: Json, answer: Json) -> float:
        """Return F1 of the links; of several gold pages for a term, any is right."""
        gold_titles, own_titles = _by_place(_gold(gold)), _by_place(_detection(answer))
        if not gold_titles and not own_titles:
            return 1.0
        correct = [
            title in gold_titles.get(place, ())
            for place, titles in own_titles.items()
            for title in titles
        ]
        hits = [
            not titles.isdisjoint(own_titles.get(place, ()))
            for place, titles in gold_titles.items()
        ]
        precision, recall = sum(correct) / max(1, len(correct)), sum(hits) / max(1, len(hits))
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    def suggest(self, content: Json) -> Json | None:
        """Return the links of Tatian's linker; None if it cannot run."""
        item = _content(content)
        return draft_links(item.text, item.topic)

    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """Yield all answers, for ``tatian mentions agree``, and the union of their links."""
        texts = {item.key: text_of(item) for item in items}
        answers = typed_records(records, texts, Detection)
        yield Exported.lines("detections.jsonl", with_texts(answers, texts))
        yield Exported("union.jsonl", encode_union(answers, texts))

    def document(self, key: str, content: Json, answer: Json | None) -> Document:
        """Return the text with the links of an answer; a term with several pages is one link."""
        mentions = () if answer is None else _detection(answer).mentions
        places = grouped(((mention.start, mention.end), mention.title) for mention in mentions)
        links = [Link(*place, tuple(titles)) for place, titles in sorted(places.items())]
        return replace_links(text_of(NewItem(key, content)), links)

    def of_document(self, document: Document) -> Json:
        """Return the links of a document that name a page."""
        return to_json(Detection(tuple(sorted(set(linked_terms(document))))))

    def agreement(self, contents: Contents, answers: AnswersByItem) -> Sequence[Measure]:
        """Return the benchmark's average pairwise kappa of the first round."""
        return measure(answers)

    def settle(self, content: Json, answers: Answers, rule: VotingRule) -> Settled:
        """Return the links that enough annotators made, and the terms that they do not agree on."""
        return settle(answers, rule)

    def _content_and_gold(self, text: Document, gold: Json | None) -> tuple[Json, Json | None]:
        content = self.content({"text": text.text, "topic": text.metadata.topic or ""})
        if gold is not None:
            return content, self.gold(content, gold)
        return content, to_json(DetectionGold(linked_terms(text))) if is_settled(text) else None


def text_of(item: NewItem) -> Document:
    """Return an item's text as a document of a benchmark."""
    content = _content(item.content)
    return linked_document(item.key, content.text, topic=content.topic)


_detection = converter(Detection, "not links")
_gold = converter(DetectionGold, "gold")


def _by_place(detection: Detection) -> dict[Place, set[str]]:
    mentions = detection.mentions
    titles = grouped(
        ((mention.start, mention.end), page_title(mention.title)) for mention in mentions
    )
    return {place: set(pages) for place, pages in titles.items()}


def _resolve(mention: LinkedTerm, options: Json) -> LinkedTerm:
    """Return a term with its title after redirects; refuse pages that are not articles."""
    try:
        page = pages.find_page(pages.campaign_base(options), mention.title)
    except InputError:  # A missing base must not lose an answer.
        return replace(mention, title=page_title(mention.title))
    if page.problem:
        raise InputError(f"'{mention.term}': {page.problem}")
    return replace(mention, title=page.title)


# Both rounds of the mention benchmark: agreement of annotators, settled links, exports.


A = TypeVar("A")
_KAPPA = "average pairwise kappa"
NOT_LINKED = "not linked"


def measure(answers: AnswersByItem) -> Sequence[Measure]:
    """Return the benchmark's kappa (§3), over all links of anyone."""
    pairwise = ground_truth.agreement(to_records(answers, Detection, "mentions.detect")).detection
    return [
        kappa_measure(pairwise, "whether a term is linked to a page, of all that anybody linked")
    ]


def settle(answers: Answers, rule: VotingRule) -> Settled:
    """Return the links that enough annotators made; of nested ones the longest."""
    by_person = {
        person: frozenset(
            replace(mention, title=page_title(mention.title))
            for mention in _detection(answer).mentions
        )
        for person, answer in answers.items()
    }
    votes = Counter(link for links in by_person.values() for link in links)
    agreed = sorted(link for link, count in votes.items() if rule.accepts(count, len(by_person)))
    inner = {shorter for shorter, _ in find_nested(agreed)}
    kept = tuple(link for link in agreed if link not in inner)
    answer = to_json(Detection(kept)) if by_person else None
    return Settled(answer, tuple(_compare(by_person)))


def kappa_measure(average: AverageKappa | None, subject: str) -> Measure:
    """Return the average over pairs of annotators, each weighted by the mentions both saw."""
    if average is None:
        return Measure(_KAPPA, None, 0, f"of {subject}")
    pairs = {f"{pair.first} {pair.second}": pair for pair in average.pairs}
    return Measure(
        _KAPPA,
        None if math.isnan(average.value) else average.value,
        sum(pair.mentions for pair in average.pairs),
        f"of {subject}; pairs weigh as much as they share; n: mentions compared, over all pairs",
        {name: pair.kappa for name, pair in pairs.items() if not math.isnan(pair.kappa)},
    )


def to_records(answers: Mapping[str, Answers], kind: type[A], task: str) -> Iterator[Record[A]]:
    """Yield answers by item and annotator as records."""
    for key, by_person in answers.items():
        for person, answer in by_person.items():
            author = Authorship(person, kind="person")
            typed = convert(answer, kind, f"the answer of '{person}' to '{key}'")
            yield Record(f"{person}/{key}", task, key, author, typed)


def _compare(by_person: Mapping[str, frozenset[LinkedTerm]]) -> Iterator[AnswerDifference]:
    """Yield each term that annotators link differently."""
    places = {(link.start, link.end): link.term for links in by_person.values() for link in links}
    for place, term in sorted(places.items()):
        choices = {}
        for person, person_links in by_person.items():
            titles = sorted(link.title for link in person_links if (link.start, link.end) == place)
            choices[person] = ", ".join(titles) or NOT_LINKED
        yield from find_difference(f"“{term}” ({place[0]}–{place[1]})", choices)


# Files that ``tatian mentions`` reads.


def typed_records(
    records: Records, texts: Mapping[str, Document], answer: type[A]
) -> list[Record[A]]:
    """Return the current records about some texts, with their answers as structs."""
    return [
        Record(
            record.id, record.task, record.item, record.made,
            convert(record.answer, answer, f"record '{record.id}'"),
            preannotated=record.preannotated,
        )
        for record in current_records(records, texts)
    ]  # fmt: skip


def with_texts(records: Sequence[Record[Any]], texts: Mapping[str, Document]) -> Iterator[Json]:
    """Yield each record with its text, in the order of the texts."""
    order = {key: index for index, key in enumerate(texts)}
    for record in sorted(records, key=lambda answered: order[answered.item]):
        text = texts[record.item]
        topic = {"topic": topic_of(text)} if topic_of(text) else {}
        yield {**msgspec.to_builtins(record), "text": text.text, **topic}


def encode_union(records: Sequence[Record[Detection]], texts: Mapping[str, Document]) -> bytes:
    """Return all links of anyone in each answered text, as mentions JSONL."""
    linked = ground_truth.union(records, texts)
    return encode_mentions(
        replace_links(text, links_of_terms(linked[key]))
        for key, text in texts.items()
        if key in linked
    )


def encode_mentions(texts: Iterable[Document]) -> bytes:
    """Return texts as mentions JSONL."""
    return b"".join(jsonl.encode(text).encode() + b"\n" for text in texts)
