"""Annotation task: write a phrase that names several entities of an article at once.

Jumel et al. 2020 (TESA), §3 and Figures 1 to 6. The answers are
`tatian.aggregation.data.records.AggregationAnswer`; ``tatian aggregate dataset`` reads the export.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from msgspec import Struct

from tatian import limits
from tatian.aggregation.data import Instance
from tatian.aggregation.data.cleanup import AnswerRecord, WrittenAnswer
from tatian.aggregation.data.records import MAX_ANSWERS, AggregationAnswer, check
from tatian.aggregation.models import Generator, generators
from tatian.errors import InputError
from tatian.text import Document, Span
from tatian.text.layers import Record
from tatian.workbench.settings import CampaignStage, RuleName, describe
from tatian.workbench.tasks import Exported, Json, NewItem, Records, Task, by_model
from tatian.workbench.tasks.aggregation import agreement, rules
from tatian.workbench.tasks.agreement import (
    Answers,
    AnswersByItem,
    Contents,
    Measure,
    Settled,
    VotingRule,
)
from tatian.workbench.tasks.items import convert, converter, to_json

_PAGE = "https://en.wikipedia.org/wiki/Special:Search?go=Go&search="
"""Prefix of links to the page with exactly this title, or to a search if there is none."""

NumberedMention = tuple[Span, int]
"""A mention and the number of its entity."""
_TYPES = {
    "people": "person",
    "persons": "person",
    "area": "location",
    "areas": "location",
    "locations": "location",
    "organizations": "organization",
}
"""Other words for entity types that files may have."""


class AggregationOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of an aggregation campaign."""

    background: Annotated[
        bool,
        describe("Background", "Whether people see what an encyclopedia says of the entities."),
    ] = True


class AggregationItem(Struct, frozen=True, omit_defaults=True):
    """An item as it is stored: an instance without its answers."""

    entities: tuple[str, ...]
    type: str
    title: str = ""
    context: str = ""
    background: dict[str, str] = {}
    links: dict[str, str] = {}
    """The https address of an entity's page, if its name does not lead there."""
    date: str = ""
    source: str = ""
    mentions: dict[str, tuple[tuple[int, int], ...]] = {}

    def __post_init__(self) -> None:
        check(self.instance("item"))
        count, most = len(self.entities), limits.AGGREGATION_ENTITIES
        if count > most:
            raise ValueError(f"{count} entities: at most {most} fit a page")
        if len(self.context) > limits.AGGREGATION_CONTEXT_CHARACTERS:
            longest = f"{limits.AGGREGATION_CONTEXT_CHARACTERS:,} characters"
            raise ValueError(f"context: more than {longest}: take an excerpt")
        for name, address in self.links.items():
            if name not in self.entities:
                raise ValueError(f"links: of '{name}', which is not among the entities")
            if not address.startswith("https://") or " " in address:
                raise ValueError(f"links: '{address}' is not an https address")

    def instance(self, id: str) -> Instance:
        """Return the instance for data sets and models."""
        return Instance(
            id, self.entities, self.type, self.title, self.context, self.background,
            date=self.date, source=self.source, mentions=self.mentions,
        )  # fmt: skip

    def link(self, name: str) -> str:
        """Return the address of an entity's page."""
        return self.links.get(name) or _PAGE + quote(name)


class PagePhrases(Struct, frozen=True):
    """Answer from the page: phrases, or N/A."""

    phrases: tuple[str, ...] = ()
    not_applicable: bool = False


class AggregationGold(Struct, frozen=True):
    """All phrases that are right; none if N/A is right."""

    phrases: tuple[str, ...] = ()
    note: str = ""
    """Reason."""

    def __post_init__(self) -> None:
        if not all(phrase.strip() for phrase in self.phrases):
            raise ValueError("an empty phrase")


def _split_cell(cell: str) -> list[str]:
    return [part.strip() for part in cell.split(";") if part.strip()]


_content = converter(AggregationItem, "not an instance")


class AggregationTask(Task):
    """Task of naming sets of entities."""

    name = "aggregation"
    title = "Name several things at once"
    folder = Path(__file__).parent
    module = "aggregation.js"
    columns = ("id", "entities", "type", "title", "context", "gold")
    convert_item = staticmethod(_content)
    options = AggregationOptions
    usual_rule: RuleName = "two-of-three"
    demo_stages = (
        CampaignStage("training", feedback=True),
        CampaignStage("harder sets", feedback=True, pass_mark=0.5),
        CampaignStage("naming"),
    )

    def row(self, row: Json) -> Json:
        """Read an instance from JSONL, or from a row whose entities are separated by semicolons.

        Phrases in the file are gold only if the mapping says so: {"gold": "aggregations"}.
        """
        fields = {name: row[name] for name in AggregationItem.__struct_fields__ if row.get(name)}
        if isinstance(names := fields.get("entities"), str):
            fields["entities"] = _split_cell(names)
        if isinstance(kind := fields.get("type"), str):
            fields["type"] = _TYPES.get(name := kind.strip().lower(), name)
        return self.content(fields)

    def gold(self, content: Json, gold: Any) -> Json:
        """Return any number of accepted phrases; none means that no phrase names all entities."""
        phrases = _split_cell(gold) if isinstance(gold, str) else gold
        return to_json(_gold({"phrases": phrases} if isinstance(phrases, list) else gold))

    def to_page(self, content: Json, seed: int, options: Json) -> Json:
        """Return the article with its mentions, the background, the prompt and the rules."""
        item, page_options = _content(content), _options(options)
        instance = item.instance("item")
        return {
            "title": msgspec.to_builtins(_divide(item.title, _find_by_name(instance, item.title))),
            "context": msgspec.to_builtins(context_runs(instance)),
            "entities": [
                {
                    "name": name,
                    "background": item.background.get(name, "") if page_options.background else "",
                    "link": item.link(name) if page_options.background else "",
                }
                for name in item.entities
            ],
            "background": page_options.background,
            "prompt": to_json(rules.make_prompt(instance)),
            "rules": rules.browser_rules(instance),
        }

    def from_page(self, content: Json, seed: int, options: Json, answer: Any) -> Json:
        """Return one or two phrases that keep to the rules; none for N/A."""
        page_answer = convert(answer, PagePhrases, "not an answer of this page")
        phrases = tuple(filter(None, (" ".join(phrase.split()) for phrase in page_answer.phrases)))
        if page_answer.not_applicable and phrases:
            raise InputError("a phrase and N/A exclude each other: take one of them away")
        if not page_answer.not_applicable and not phrases:
            raise InputError("write a phrase, or say that there is none (N/A)")
        rules.refuse_invalid(phrases, _content(content).instance("item"))
        return to_json(_answer({"phrases": phrases}))

    def answer_to_page(self, content: Json, seed: int, options: Json, answer: Json) -> Json:
        """Return the phrases, or N/A if there are none."""
        phrases = _answer(answer).phrases
        return {"phrases": list(phrases), "not_applicable": not phrases}

    def score(self, content: Json, gold: Json, answer: Json) -> float:
        """Return 1 for a phrase of the gold, half for a similar one; N/A is right or wrong."""
        return agreement.score(_answer(answer).phrases, _gold(gold).phrases)

    def feedback(self, content: Json, gold: Json, answer: Json) -> Json:
        """Return the accepted phrases, and the score of each of the person's own."""
        gold_answer = _gold(gold)
        return {
            "gold": list(gold_answer.phrases),
            "own": [
                {"phrase": phrase, "worth": agreement.score_phrase(phrase, gold_answer.phrases)}
                for phrase in _answer(answer).phrases
            ],
            "note": gold_answer.note,
            "score": self.score(content, gold, answer),
        }

    def suggest(self, content: Json) -> Json | None:
        """Return phrases of Tatian's generator; None if it knows nothing that all share."""
        return draft_phrases(_content(content).instance("item"))

    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """Yield answers with instances for ``tatian aggregate dataset``, then all instances."""
        instances = {item.key: _content(item.content).instance(item.key) for item in items}
        answers = (
            _answer_record(record, instances[record.item])
            for record in records
            if record.item in instances
        )
        yield Exported.lines("answers.jsonl", answers)
        yield Exported.lines("instances.jsonl", instances.values())

    def agreement(self, contents: Contents, answers: AnswersByItem) -> Sequence[Measure]:
        """Return how often two annotators share a phrase or its words, and agree on N/A."""
        return agreement.measure(answers)

    def settle(self, content: Json, answers: Answers, rule: VotingRule) -> Settled:
        """Return the phrases that enough annotators gave, or N/A, with differences by phrase."""
        return agreement.settle(answers, rule)


def _answer_record(record: Record[Json], instance: Instance) -> AnswerRecord:
    """Return a record in the form that the dataset builder reads."""
    phrases = _answer(record.answer).phrases
    return AnswerRecord(
        record.id, record.task, record.item, record.made,
        WrittenAnswer(phrases, not_applicable=not phrases),
        record.replaces, record.preannotated, instance,
    )  # fmt: skip


_options = converter(AggregationOptions, "options of the campaign")
_answer = converter(AggregationAnswer, "not phrases")
_gold = converter(AggregationGold, "gold")
_PROPOSALS = 10
"""Number of phrases that the generator proposes."""


@by_model
def draft_phrases(instance: Instance) -> Json | None:
    """Return the best phrases that pass all rules, as a page state; None if there are none."""
    proposals = _generator().generate(instance, _PROPOSALS)
    phrases = (f"the {proposal.phrase}" for proposal in proposals)
    passing = [phrase for phrase in phrases if not rules.check_phrase(phrase, instance)]
    if not passing:
        return None
    first, second, *_ = [*passing[:MAX_ANSWERS], ""]
    return {"first": first, "second": second, "none": False}


@cache
def _generator() -> Generator:
    return generators.create("tatian")


# Article with its mentions, as the page shows it.


class TextRun(Struct, frozen=True, omit_defaults=True):
    """A piece of a text, and the entity that it mentions."""

    text: str
    entity: int | None = None
    """Number of the entity, from 0."""


def context_runs(instance: Instance) -> tuple[TextRun, ...]:
    """Return the excerpt with all mentions; entities without given mentions are found by name."""
    mentions = [
        (Span(start, end), number)
        for number, name in enumerate(instance.entities)
        for start, end in instance.mentions.get(name, ())
    ]
    marked = {number for _, number in mentions}
    if len(marked) < len(instance.entities):
        by_name = _find_by_name(instance, instance.context)
        mentions += [mention for mention in by_name if mention[1] not in marked]
    return _divide(instance.context, mentions)


def _find_by_name(instance: Instance, text: str) -> list[NumberedMention]:
    """Return names and last names in a text; "New York" in "New York City" is not one."""
    from tatian.pipeline.instances.entities import NamedEntity, locate_entities

    named_entities = [NamedEntity(name, instance.type) for name in instance.entities]
    mentions = [
        (span, number)
        for number, entity in enumerate(locate_entities(named_entities, Document("text", text)))
        for span in entity.mentions
    ]
    longest_mentions: list[NumberedMention] = []
    for span, number in sorted(mentions, key=lambda mention: (mention[0].start, -len(mention[0]))):
        if not longest_mentions or longest_mentions[-1][0].end <= span.start:
            longest_mentions.append((span, number))
    return longest_mentions


def _divide(text: str, mentions: Sequence[NumberedMention]) -> tuple[TextRun, ...]:
    """Divide a text at the borders of mentions; of nested mentions the inner one counts."""
    bounds = {0, len(text), *(at for span, _ in mentions for at in (span.start, span.end))}
    shortest_first = sorted(mentions, key=lambda mention: (len(mention[0]), mention[0].start))

    def entity_at(start: int, end: int) -> int | None:
        around = (n for span, n in shortest_first if span.start <= start and end <= span.end)
        return next(around, None)

    return tuple(
        TextRun(text[start:end], entity_at(start, end)) for start, end in pairwise(sorted(bounds))
    )
