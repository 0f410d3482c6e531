"""Annotators write a phrase that names several entities at once, in the context of an article.

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
from tatian.workbench.tasks import Exported, NewItem, Plain, Records, Task, by_model
from tatian.workbench.tasks.aggregation import agreement, rules
from tatian.workbench.tasks.agreement import (
    Answers,
    ByItem,
    Contents,
    Measure,
    Settled,
    VotingRule,
)
from tatian.workbench.tasks.items import convert, converter, to_plain

_PAGE = "https://en.wikipedia.org/wiki/Special:Search?go=Go&search="
"""Prefix of links to the page with exactly this title, or to a search if there is none."""

Placed = tuple[Span, int]
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
        if len(self.entities) > limits.AGGREGATION_ENTITIES:
            raise ValueError(
                f"{len(self.entities)} entities: at most {limits.AGGREGATION_ENTITIES} fit a page"
            )
        if len(self.context) > limits.AGGREGATION_CONTEXT_CHARACTERS:
            most = f"{limits.AGGREGATION_CONTEXT_CHARACTERS:,} characters"
            raise ValueError(f"context: more than {most}: take an excerpt")
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
    """Answer from the page: phrases, or the box ticked."""

    phrases: tuple[str, ...] = ()
    not_applicable: bool = False


class AggregationGold(Struct, frozen=True):
    """All phrases that are right, none if N/A is; with a reason."""

    phrases: tuple[str, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        if not all(phrase.strip() for phrase in self.phrases):
            raise ValueError("an empty phrase")


def _split_cell(cell: str) -> list[str]:
    return [part.strip() for part in cell.split(";") if part.strip()]


_content = converter(AggregationItem, "not an instance")


class AggregationTask(Task):
    """Phrases for sets of entities."""

    name = "aggregation"
    title = "Name several things at once"
    folder = Path(__file__).parent
    module = "aggregation.js"
    columns = ("id", "entities", "type", "title", "context", "gold")
    holds = staticmethod(_content)
    options = AggregationOptions
    usual_rule: RuleName = "two-of-three"
    demo_stages = (
        CampaignStage("training", feedback=True),
        CampaignStage("harder sets", feedback=True, pass_mark=0.5),
        CampaignStage("naming"),
    )

    def row(self, row: Plain) -> Plain:
        """Read instances from JSONL, or a table with the entities of a row divided by semicolons.

        Phrases in the file are gold only where the mapping says so: {"gold": "aggregations"}.
        """
        fields = {name: row[name] for name in AggregationItem.__struct_fields__ if row.get(name)}
        if isinstance(names := fields.get("entities"), str):
            fields["entities"] = _split_cell(names)
        if isinstance(kind := fields.get("type"), str):
            fields["type"] = _TYPES.get(name := kind.strip().lower(), name)
        return self.content(fields)

    def gold(self, content: Plain, gold: Any) -> Plain:
        """Return any number of accepted phrases; none means that no phrase covers all."""
        phrases = _split_cell(gold) if isinstance(gold, str) else gold
        return to_plain(_gold({"phrases": phrases} if isinstance(phrases, list) else gold))

    def to_page(self, content: Plain, seed: int, options: Plain) -> Plain:
        """Return the article with its mentions, the background, the prompt and the rules."""
        item, page_options = _content(content), _options(options)
        instance = item.instance("item")
        return {
            "title": msgspec.to_builtins(_split(item.title, _find_by_name(instance, item.title))),
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
            "prompt": to_plain(rules.prompt(instance)),
            "rules": rules.browser_rules(instance),
        }

    def from_page(self, content: Plain, seed: int, options: Plain, answer: Any) -> Plain:
        """Return one or two phrases that keep to the rules, or N/A and none."""
        return to_plain(_check(_content(content), answer))

    def answer_to_page(self, content: Plain, seed: int, options: Plain, answer: Plain) -> Plain:
        """Return the phrases, with the box ticked if there are none."""
        phrases = _answer(answer).phrases
        return {"phrases": list(phrases), "not_applicable": not phrases}

    def score(self, content: Plain, gold: Plain, answer: Plain) -> float:
        """Return 1 for a phrase of the gold, half for one near to it; N/A is right or wrong."""
        return agreement.score(_answer(answer).phrases, _gold(gold).phrases)

    def feedback(self, content: Plain, gold: Plain, answer: Plain) -> Plain:
        """Return the accepted phrases, and the worth of each of the person's own."""
        gold_answer = _gold(gold)
        return {
            "gold": list(gold_answer.phrases),
            "own": [
                {"phrase": phrase, "worth": agreement.worth(phrase, gold_answer.phrases)}
                for phrase in _answer(answer).phrases
            ],
            "note": gold_answer.note,
            "score": self.score(content, gold, answer),
        }

    def suggest(self, content: Plain) -> Plain | None:
        """Return phrases of Tatian's generator; None if it knows nothing that all share."""
        return draft(_content(content).instance("item"))

    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """Yield answers with instances for ``tatian aggregate dataset``, then all instances."""
        instances = {item.key: _content(item.content).instance(item.key) for item in items}
        known = (record for record in records if record.item in instances)
        answers = (_answer_record(record, instances[record.item]) for record in known)
        yield Exported.lines("answers.jsonl", answers)
        yield Exported.lines("instances.jsonl", instances.values())

    def agreement(self, contents: Contents, answers: ByItem) -> Sequence[Measure]:
        """Return how often two annotators share a phrase or its words, and agree on N/A."""
        return agreement.measure(answers)

    def settle(self, content: Plain, answers: Answers, rule: VotingRule) -> Settled:
        """Return the phrases that enough annotators gave, or N/A, with disagreements by phrase."""
        return agreement.settle(answers, rule)


def _check(item: AggregationItem, answer: Any) -> AggregationAnswer:
    page_answer = convert(answer, PagePhrases, "not an answer of this page")
    phrases = tuple(
        cleaned for phrase in page_answer.phrases if (cleaned := " ".join(phrase.split()))
    )
    if page_answer.not_applicable and phrases:
        raise InputError("a phrase and N/A exclude each other: take one of them away")
    if not page_answer.not_applicable and not phrases:
        raise InputError("write a phrase, or say that there is none (N/A)")
    rules.check(phrases, item.instance("item"))
    return convert({"phrases": phrases}, AggregationAnswer, "not phrases")


def _answer_record(record: Record[Plain], instance: Instance) -> AnswerRecord:
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


@by_model
def draft(instance: Instance) -> Plain | None:
    """Return the best phrases that pass all rules, as a page state; None if there are none."""
    proposed = _generator().generate(instance, _PROPOSALS)
    passing = [
        f"the {proposal.phrase}"
        for proposal in proposed
        if not rules.findings(f"the {proposal.phrase}", instance)
    ]
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
    placed = [
        (Span(start, end), number)
        for number, name in enumerate(instance.entities)
        for start, end in instance.mentions.get(name, ())
    ]
    marked = {number for _, number in placed}
    if len(marked) < len(instance.entities):
        placed += [
            (span, number)
            for span, number in _find_by_name(instance, instance.context)
            if number not in marked
        ]
    return _split(instance.context, placed)


def _find_by_name(instance: Instance, text: str) -> list[Placed]:
    """Return names and last names in a text; "New York" in "New York City" is not one."""
    from tatian.pipeline.instances.entities import NamedEntity, locate_entities

    named_entities = [NamedEntity(name, instance.type) for name in instance.entities]
    mentions = [
        (span, number)
        for number, entity in enumerate(locate_entities(named_entities, Document("text", text)))
        for span in entity.mentions
    ]
    by_length = sorted(mentions, key=lambda placed: (placed[0].start, -len(placed[0])))
    longest_mentions: list[Placed] = []
    for span, number in by_length:
        if not longest_mentions or longest_mentions[-1][0].end <= span.start:
            longest_mentions.append((span, number))
    return longest_mentions


def _split(text: str, placed: Sequence[Placed]) -> tuple[TextRun, ...]:
    """Return the whole text in pieces; of nested mentions the inner one counts."""
    cuts = {0, len(text), *(at for span, _ in placed for at in (span.start, span.end))}
    bounds = sorted(cuts)
    shortest_first = sorted(placed, key=lambda mention: (len(mention[0]), mention[0].start))
    return tuple(
        TextRun(text[start:end], _entity_at(shortest_first, start, end))
        for start, end in pairwise(bounds)
    )


def _entity_at(mentions: Iterable[Placed], start: int, end: int) -> int | None:
    return next(
        (number for span, number in mentions if span.start <= start and end <= span.end), None
    )
