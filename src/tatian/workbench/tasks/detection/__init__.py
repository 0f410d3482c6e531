"""Annotators link terms of a text to Wikipedia pages: the first round of the mention benchmark.

Mass et al. 2018, §3 and §8.1. All links go into the union, which the second round
(`tatian.workbench.tasks.confirmation`) confirms; ``tatian campaign confirm`` makes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tatian import limits
from tatian.errors import InputError
from tatian.formats.links import build_document as linked_document
from tatian.formats.links import replace_links
from tatian.knowledge.entities import page_title
from tatian.mentions.annotation import Detection, LinkedTerm
from tatian.text import Document, Link
from tatian.workbench.settings import CampaignStage
from tatian.workbench.tasks import Exported, NewItem, Plain, Records, Task
from tatian.workbench.tasks.agreement import Answers, ByItem, Contents, Measure, Settled, VotingRule
from tatian.workbench.tasks.detection import agreement, pages
from tatian.workbench.tasks.detection.reading import is_settled, linked_terms, read
from tatian.workbench.tasks.detection.rules import NEVER, check, draft
from tatian.workbench.tasks.items import convert, converter, to_plain

Place = tuple[int, int]


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
    """The right links, with a reason."""

    note: str = ""


_content = converter(DetectionItem, "not a text to annotate")


class DetectionTask(Task):
    """Linking of terms to pages."""

    name = "mentions.detect"
    title = "Link terms to Wikipedia pages"
    folder = Path(__file__).parent
    module = "detection.js"
    columns = ("id", "text", "topic", "mentions")
    holds = staticmethod(_content)
    demo_stages = (
        CampaignStage("training", feedback=True),
        CampaignStage("harder texts", feedback=True, pass_mark=0.5),
        CampaignStage("linking"),
    )

    def read(self, name: str, data: bytes, mapping: Mapping[str, str]) -> Iterable[NewItem]:
        """Read texts with their topics: JSONL, a table, NIF, AIDA or another format of mentions.

        The links of a file are gold; those of labelers' records are not.
        """
        return read(name, data, mapping, self._content_and_gold)

    def gold(self, content: Plain, gold: Plain) -> Plain:
        """Return links that lie in the text."""
        right = _gold(gold)
        right.check(_content(content).text)
        return to_plain(right)

    def check_options(self, options: Plain) -> None:
        """Refuse a knowledge base that cannot be opened."""
        pages.check(options)

    def to_page(self, content: Plain, seed: int, options: Plain) -> Plain:
        """Return text and topic, and the words that are never linked."""
        return {**to_plain(_content(content)), "never": NEVER}

    def from_page(self, content: Plain, seed: int, options: Plain, answer: Any) -> Plain:
        """Return links that keep to the rules, with redirects followed."""
        detection = convert(answer, Detection, "not an answer of this page")
        check(_content(content).text, detection)
        resolved = (_resolved(mention, options) for mention in detection.mentions)
        return to_plain(Detection(tuple(sorted(set(resolved)))))

    def score(self, content: Plain, gold: Plain, answer: Plain) -> float:
        """Return F1 of the links; of several gold pages for a term, any is right."""
        right, answered = _by_place(_gold(gold)), _by_place(_detection(answer))
        links = [(place, title) for place, titles in answered.items() for title in titles]
        true = sum(title in right.get(place, ()) for place, title in links)
        hit = sum(bool(titles & answered.get(place, set())) for place, titles in right.items())
        if not right and not answered:
            return 1.0
        precision, recall = true / max(1, len(links)), hit / max(1, len(right))
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    def suggest(self, content: Plain) -> Plain | None:
        """Return the links of Tatian's linker; None if it cannot run."""
        item = _content(content)
        return draft(item.text, item.topic)

    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """Yield every labeler's answers, for ``tatian mentions agree``, and their union."""
        texts = {item.key: text_of(item) for item in items}
        answers = agreement.typed_records(records, texts, Detection)
        yield Exported.lines("detections.jsonl", agreement.rounds(answers, texts))
        yield Exported("union.jsonl", agreement.union(answers, texts))

    def document(self, key: str, content: Plain, answer: Plain | None) -> Document:
        """Return the text with the links of an answer; those of one place are together."""
        places: dict[Place, list[str]] = {}
        for mention in () if answer is None else _detection(answer).mentions:
            places.setdefault((mention.start, mention.end), []).append(mention.title)
        links = [Link(*place, tuple(titles)) for place, titles in sorted(places.items())]
        return replace_links(text_of(NewItem(key, content)), links)

    def of_document(self, document: Document) -> Plain:
        """Return the links of a document that name a page."""
        return to_plain(Detection(tuple(sorted(set(linked_terms(document))))))

    def agreement(self, contents: Contents, answers: ByItem) -> Sequence[Measure]:
        """Return the benchmark's average pairwise kappa of the first round."""
        return agreement.measure(answers)

    def settle(self, content: Plain, answers: Answers, rule: VotingRule) -> Settled:
        """Return the links that enough annotators made, and the terms that they see differently."""
        return agreement.settle(answers, rule)

    def _content_and_gold(self, text: Document, gold: Plain | None) -> tuple[Plain, Plain | None]:
        content = self.content({"text": text.text, "topic": text.metadata.topic or ""})
        if gold is not None:
            return content, self.gold(content, gold)
        links = linked_terms(text)
        return content, to_plain(DetectionGold(links)) if is_settled(text) else None


def text_of(item: NewItem) -> Document:
    """Return an item's text as a document of a benchmark."""
    content = _content(item.content)
    return linked_document(item.key, content.text, topic=content.topic)


_detection = converter(Detection, "not links")
_gold = converter(DetectionGold, "gold")


def _by_place(detection: Detection) -> dict[Place, set[str]]:
    titles: dict[Place, set[str]] = {}
    for mention in detection.mentions:
        titles.setdefault((mention.start, mention.end), set()).add(page_title(mention.title))
    return titles


def _resolved(mention: LinkedTerm, options: Plain) -> LinkedTerm:
    """Return a term with the page that its title leads to; refuse pages that are no articles."""
    try:
        page = pages.find_page(pages.campaign_base(options), mention.title)
    except InputError:  # A missing base must not lose an answer.
        return replace(mention, title=page_title(mention.title))
    if page.problem:
        raise InputError(f"'{mention.term}': {page.problem}")
    return replace(mention, title=page.title)
