"""Annotators write unions of sentences: read, choose the base, highlight what is new, write.

Hirsch et al. 2023, §4.2 and App. A to C. The answers are `tatian.union.annotation.UnionAnswer`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Struct

from tatian.errors import InputError
from tatian.union.annotation import Highlight, Skipped, UnionAnswer, Written
from tatian.union.data import COLUMNS, Format, Origin, Relatedness, UnionInstance, written
from tatian.union.data.representative import choose_representatives
from tatian.union.generate import one_sentence, passages
from tatian.union.models import Merged, Merger, mergers
from tatian.workbench.settings import CampaignStage, said
from tatian.workbench.tasks import (
    Exported,
    NewItem,
    Plain,
    Records,
    Task,
    by_model,
    items,
    standing,
)
from tatian.workbench.tasks.agreement import Answers, ByItem, Contents, Measure, Settled, VotingRule
from tatian.workbench.tasks.items import converted, form, plain
from tatian.workbench.tasks.union import agreement
from tatian.workbench.tasks.union.agreement import Gold, GoldUnion
from tatian.workbench.tasks.words import Vocabulary, folded, within, words

if TYPE_CHECKING:
    from tatian.pipeline import Pipeline


class UnionOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """What a campaign of unions can be told."""

    shuffled: Annotated[
        bool, said("Sentences in drawn order", "Whether each annotator sees another order.")
    ] = True


class UnionItem(Struct, frozen=True, omit_defaults=True):
    """An item as it is stored."""

    sentences: tuple[str, ...]
    date: str | None = None
    """ISO 8601: when the sentences were published."""
    sources: tuple[Origin, ...] = ()
    relatedness: Relatedness | None = None

    def __post_init__(self) -> None:
        if len(self.sentences) < 2 or not all(text.strip() for text in self.sentences):
            raise ValueError("a union needs two sentences or more, none of them empty")

    def instance(self, id: str) -> UnionInstance:
        """As data sets and scorers know it."""
        return UnionInstance(
            id,
            self.sentences,
            date=self.date,
            sources=self.sources,
            relatedness=self.relatedness,
        )


class _Given(UnionItem, frozen=True):
    """A line of a file: an item and, where it is asked for, its gold."""

    merged: str | None = None
    base: int | None = None
    highlights: tuple[Highlight, ...] = ()


_content = form(UnionItem, "not sentences to merge")


class UnionTask(Task):
    """Unions of two or more sentences, in four steps."""

    name = "union"
    title = "Write sentence unions"
    folder = Path(__file__).parent
    module = "union.js"
    columns = ("id", *COLUMNS[:2], "date", "gold")
    holds = staticmethod(_content)
    options = UnionOptions
    demo_stages = (
        CampaignStage("training", feedback=True),
        CampaignStage("subtle cases", feedback=True, pass_mark=0.6),
        CampaignStage("unions"),
    )

    def item(self, row: Plain, number: int) -> NewItem:
        """JSONL with ``sentences``, or CSV with a column for each of two sentences.

        A union in the file is gold only where the mapping says so: {"gold": "mergedText"}.
        """
        pair = {"sentences": items.sentences(row), "date": row.get("date") or None}
        given = converted(row if "sentences" in row else pair, _Given, "item")
        content = msgspec.convert(msgspec.to_builtins(given), UnionItem)
        gold = items.gold(row)
        right: Gold | None = None
        if isinstance(gold, str):
            right = GoldUnion(gold, given.base, given.highlights)
        elif gold:
            right = _gold(gold)
        if right is not None:
            right.check(content.sentences)
        return items.item(row, number, plain(content), None if right is None else plain(right))

    def gold(self, content: Plain, gold: Plain) -> Plain:
        """A union, or that none is right, that fits the sentences."""
        right = _gold(gold)
        right.check(_content(content).sentences)
        return plain(right)

    def shown(self, content: Plain, seed: int, options: Plain) -> Plain:
        """The sentences by number, in an order that the seed decides."""
        item, wanted = _content(content), _options(options)
        numbered = [{"id": id, "text": text} for id, text in enumerate(item.sentences)]
        if wanted.shuffled:
            numbered.sort(key=lambda one: sha256(f"{seed} {one['id']}".encode()).digest())
        return {"sentences": numbered, "date": item.date}

    def received(self, content: Plain, seed: int, options: Plain, answer: Any) -> Plain:
        """A union with every highlighted word in it, or a reason for none."""
        texts = _content(content).sentences
        given = _answer(answer)
        if isinstance(given, Skipped):
            return plain(Skipped(given.reason, given.note.strip()))
        given.check(texts)
        merged = " ".join(given.merged.split())
        left = _yellow(texts, given)
        if left:
            named = ", ".join(f"'{word}'" for word in left)
            raise InputError(
                f"highlighted but not in the merged sentence: {named}; write it in, or take the "
                "highlight away"
            )
        in_order = sorted(set(given.highlights), key=lambda one: (one.sentence, one.start, one.end))
        return plain(Written(given.base, merged, tuple(in_order)))

    def score(self, content: Plain, gold: Plain, answer: Plain) -> float:
        """The mean F-measure of highlighted and of merged words (`agreement.score`)."""
        return agreement.score(_content(content).sentences, _gold(gold), _answer(answer))

    def feedback(self, content: Plain, gold: Plain, answer: Plain) -> Plain:
        """The gold answer, one's own, how near they are, and why the gold is right."""
        return {**super().feedback(content, gold, answer), "answer": answer}

    def suggest(self, content: Plain) -> Plain | None:
        """A draft by our own model; None where it cannot merge the sentences."""
        return draft(_content(content).instance("item"))

    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """Every answer; one union for each item (``tatian union score`` reads it); the skipped.

        Where several people wrote a union of one item, the one nearest to all of them stands for
        it; where at least half skipped it, it counts as skipped.
        """
        contents = {item.key: _content(item.content).instance(item.key) for item in items}
        answered = [
            contents[record.item].answered(_answer(record.answer), record.made.by)
            for record in standing(records, contents)
        ]
        order = {key: place for place, key in enumerate(contents)}
        answered.sort(key=lambda one: order[one.id])
        by_item: dict[str, list[UnionInstance]] = {}
        for one in answered:
            by_item.setdefault(one.id, []).append(one)
        chosen = [one for group in by_item.values() for one in choose_representatives(group)]
        merged = [one for one in chosen if one.merged is not None]
        pairs = [one for one in merged if len(one.sentences) == 2]
        yield _exported("unions.csv", pairs, "csv")
        yield _exported("unions.jsonl", merged, "jsonl")
        yield _exported("skipped.jsonl", [one for one in answered if one.skip is not None], "jsonl")
        yield _exported("answers.jsonl", answered, "jsonl")

    def agreement(self, contents: Contents, answers: ByItem) -> Sequence[Measure]:
        """Words that unions and highlights share, and alpha of skipping and of the base."""
        return agreement.measured(contents, answers)

    def settled(self, content: Plain, answers: Answers, rule: VotingRule) -> Settled:
        """The union that enough people wrote, or else the one nearest to all of theirs."""
        return agreement.settled(answers, rule)


def _yellow(texts: Sequence[str], given: Written) -> list[str]:
    """Highlighted words that the merged sentence does not have, each once."""
    there = Vocabulary(given.merged)
    marked = (
        word.text
        for number, text in enumerate(texts)
        for word in within(text, [one for one in given.highlights if one.sentence == number])
    )
    return list(dict.fromkeys(word for word in marked if word not in there))


_options = form(UnionOptions, "options of the campaign")


_answer: Callable[[Any], Written | Skipped] = form(
    UnionAnswer,  # type: ignore[arg-type]
    "not a union, nor a reason for none",
)
_gold: Callable[[Any], Gold] = form(Gold, "gold")  # type: ignore[arg-type]


def _exported(name: str, instances: Sequence[UnionInstance], form: Format) -> Exported:
    return Exported(name, "".join(written(instances, form)).encode())


@by_model
def draft(instance: UnionInstance) -> Plain | None:
    """Base, highlights and merged sentence as the page keeps them; None where no model helps."""
    pipeline, merger = _tools()
    told = passages(instance, pipeline.process)
    merged = merger.merge(told)
    text = one_sentence(merged)
    if not text.strip():
        return None
    base = max(range(len(told)), key=lambda number: (_used(merged, instance, number), -number))
    marks = _highlights(instance, base, text)
    tried = {str(base): {"highlights": marks, "merged": text}}
    return {"step": 1, "base": base, "tried": tried, "skip": None}


@cache
def _tools() -> tuple[Pipeline, Merger]:
    """What needs no encoder: half a second for a pair of sentences."""
    from tatian.pipeline import Pipeline

    return Pipeline.fast(), mergers.create("edit", effort="quick", disputes=False)


def _used(merged: Merged, instance: UnionInstance, number: int) -> int:
    """How many characters of a sentence the union draws on."""
    name = f"{instance.id}.{number + 1}"
    places = {(source.start, source.end) for source in merged.sources() if source.document == name}
    return sum(end - start for start, end in places)


def _highlights(instance: UnionInstance, base: int, text: str) -> list[Plain]:
    """What the union has and its base has not, wherever another sentence says it."""
    known = Vocabulary(instance.sentences[base])
    new = {folded(word.text) for word in words(text) if word.text not in known}
    return [
        {"start": word.start, "end": word.end, "sentence": number}
        for number, sentence in enumerate(instance.sentences)
        if number != base
        for word in words(sentence)
        if folded(word.text) in new
    ]
