"""Annotation task: write a union of sentences: choose a base, highlight new words, write.

Hirsch et al. 2023, §4.2 and App. A to C. Answers are stored as `UnionAnswer`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from hashlib import sha256
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Struct

from tatian.errors import InputError
from tatian.grouping import grouped
from tatian.union.annotation import Highlight, Skipped, UnionAnswer, Written
from tatian.union.data import COLUMNS, Origin, Relatedness, UnionInstance, format_lines
from tatian.union.data.checks import choose_representatives
from tatian.union.generate import one_sentence, passages
from tatian.union.models import Merged, Merger, mergers
from tatian.workbench.settings import CampaignStage, describe
from tatian.workbench.tasks import (
    Exported,
    Json,
    NewItem,
    Records,
    Task,
    by_model,
    current_records,
    items,
)
from tatian.workbench.tasks.agreement import (
    Answers,
    AnswersByItem,
    Contents,
    Measure,
    Settled,
    VotingRule,
)
from tatian.workbench.tasks.items import convert, converter, to_json
from tatian.workbench.tasks.union import agreement
from tatian.workbench.tasks.union.agreement import Gold, GoldUnion
from tatian.workbench.tasks.words import Vocabulary, find_words, find_words_within, fold

if TYPE_CHECKING:
    from tatian.pipeline import Pipeline


class UnionOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a union campaign."""

    shuffled: Annotated[
        bool, describe("Sentences in drawn order", "Whether each annotator sees another order.")
    ] = True


class UnionItem(Struct, frozen=True, omit_defaults=True):
    """An item as it is stored."""

    sentences: tuple[str, ...]
    date: str | None = None
    """Publication date of the sentences, as ISO 8601."""
    sources: tuple[Origin, ...] = ()
    relatedness: Relatedness | None = None

    def __post_init__(self) -> None:
        if len(self.sentences) < 2 or not all(text.strip() for text in self.sentences):
            raise ValueError("a union needs two sentences or more, none of them empty")

    def instance(self, id: str) -> UnionInstance:
        """Return the instance for data sets and scorers."""
        return UnionInstance(
            id, self.sentences, date=self.date, sources=self.sources, relatedness=self.relatedness
        )


class _Line(UnionItem, frozen=True):
    """A line of a file: an item, possibly with its gold."""

    merged: str | None = None
    base: int | None = None
    highlights: tuple[Highlight, ...] = ()


_content = converter(UnionItem, "not sentences to merge")


class UnionTask(Task):
    """Task of writing unions of two or more sentences, in four steps."""

    name = "union"
    title = "Write sentence unions"
    folder = Path(__file__).parent
    module = "union.js"
    columns = ("id", *COLUMNS[:2], "date", "gold")
    convert_item = staticmethod(_content)
    options = UnionOptions
    demo_stages = (
        CampaignStage("training", feedback=True),
        CampaignStage("subtle cases", feedback=True, pass_mark=0.6),
        CampaignStage("unions"),
    )

    def item(self, row: Json, number: int) -> NewItem:
        """Read JSONL with ``sentences``, or CSV with a column for each of two sentences.

        A union in the file is gold only if the mapping says so: {"gold": "mergedText"}.
        """
        pair = {"sentences": items.item_sentences(row), "date": row.get("date") or None}
        line = convert(row if "sentences" in row else pair, _Line, "item")
        content = to_json(msgspec.convert(msgspec.to_builtins(line), UnionItem))
        gold = items.item_gold(row)
        if isinstance(gold, str):
            gold = to_json(GoldUnion(gold, line.base, line.highlights))
        return items.make_item(row, number, content, self.gold(content, gold) if gold else None)

    def gold(self, content: Json, gold: Json) -> Json:
        """Return a union that fits the sentences, or the reason why none is right."""
        right_answer = _gold(gold)
        right_answer.check(_content(content).sentences)
        return to_json(right_answer)

    def to_page(self, content: Json, seed: int, options: Json) -> Json:
        """Return the sentences by number, in an order from the seed."""
        item = _content(content)
        numbered = [{"id": id, "text": text} for id, text in enumerate(item.sentences)]
        if _options(options).shuffled:
            numbered.sort(key=lambda sentence: sha256(f"{seed} {sentence['id']}".encode()).digest())
        return {"sentences": numbered, "date": item.date}

    def from_page(self, content: Json, seed: int, options: Json, answer: Any) -> Json:
        """Return a union that has every highlighted word, or a reason for none."""
        texts = _content(content).sentences
        page_answer = _answer(answer)
        if isinstance(page_answer, Skipped):
            return to_json(Skipped(page_answer.reason, page_answer.note.strip()))
        page_answer.check(texts)
        if missing := _find_missing(texts, page_answer):
            quoted = ", ".join(f"'{word}'" for word in missing)
            raise InputError(
                f"highlighted but not in the merged sentence: {quoted}; write it in, or take the "
                "highlight away"
            )
        in_order = sorted(set(page_answer.highlights), key=attrgetter("sentence", "start", "end"))
        merged = " ".join(page_answer.merged.split())
        return to_json(Written(page_answer.base, merged, tuple(in_order)))

    def score(self, content: Json, gold: Json, answer: Json) -> float:
        """Return the mean F-measure of highlighted and of merged words (`agreement.score`)."""
        return agreement.score(_content(content).sentences, _gold(gold), _answer(answer))

    def feedback(self, content: Json, gold: Json, answer: Json) -> Json:
        """Return the gold answer, the person's own, the score, and why the gold is right."""
        return {**super().feedback(content, gold, answer), "answer": answer}

    def suggest(self, content: Json) -> Json | None:
        """Return a draft of Tatian's own model; None if it cannot merge the sentences."""
        return draft_union(_content(content).instance("item"))

    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """Yield all answers, one union for each item (for ``tatian union score``), and the skips.

        Of several unions of one item, the one most similar to all others is chosen. An item that at
        least half skipped counts as skipped.
        """
        contents = {item.key: _content(item.content).instance(item.key) for item in items}
        answered = [
            contents[record.item].answered(_answer(record.answer), record.made.by)
            for record in current_records(records, contents)
        ]
        order = {key: index for index, key in enumerate(contents)}
        answered.sort(key=lambda instance: order[instance.id])
        by_item = grouped((instance.id, instance) for instance in answered)
        chosen = chain.from_iterable(map(choose_representatives, by_item.values()))
        merged = [instance for instance in chosen if instance.merged is not None]
        pairs = [instance for instance in merged if len(instance.sentences) == 2]
        skipped = [instance for instance in answered if instance.skip is not None]
        files = {"unions": merged, "skipped": skipped, "answers": answered}
        yield Exported("unions.csv", "".join(format_lines(pairs, "csv")).encode())
        for name, instances in files.items():
            yield Exported(f"{name}.jsonl", "".join(format_lines(instances, "jsonl")).encode())

    def agreement(self, contents: Contents, answers: AnswersByItem) -> Sequence[Measure]:
        """Return F1 of words of unions and highlights, and alpha of skipping and of the base."""
        return agreement.measure(contents, answers)

    def settle(self, content: Json, answers: Answers, rule: VotingRule) -> Settled:
        """Return the union that enough people wrote, or else the one most similar to the others."""
        return agreement.settle(answers, rule)


def _find_missing(texts: Sequence[str], union: Written) -> list[str]:
    """Return the highlighted words that the merged sentence lacks, each once."""
    merged_words = Vocabulary(union.merged)
    highlighted = (
        word.text
        for number, text in enumerate(texts)
        for word in find_words_within(
            text, [mark for mark in union.highlights if mark.sentence == number]
        )
    )
    return list(dict.fromkeys(word for word in highlighted if word not in merged_words))


_options = converter(UnionOptions, "options of the campaign")
_answer: Callable[[Any], Written | Skipped] = converter(
    UnionAnswer,  # type: ignore[arg-type]
    "not a union, nor a reason for none",
)
_gold: Callable[[Any], Gold] = converter(Gold, "gold")  # type: ignore[arg-type]


@by_model
def draft_union(instance: UnionInstance) -> Json | None:
    """Return base, highlights and merged sentence as a page state; None if no model helps."""
    pipeline, merger = _tools()
    spans = passages(instance, pipeline.process)
    merged = merger.merge(spans)
    text = one_sentence(merged)
    if not text.strip():
        return None
    base = max(range(len(spans)), key=lambda number: (_overlap(merged, instance, number), -number))
    marks = _highlights(instance, base, text)
    tried = {str(base): {"highlights": marks, "merged": text}}
    return {"step": 1, "base": base, "tried": tried, "skip": None}


@cache
def _tools() -> tuple[Pipeline, Merger]:
    """Return tools that need no encoder: half a second for a pair of sentences."""
    from tatian.pipeline import Pipeline

    return Pipeline.fast(), mergers.create("edit", effort="quick", show_conflicts=False)


def _overlap(merged: Merged, instance: UnionInstance, number: int) -> int:
    """Return the number of characters of a sentence that the union uses."""
    name = f"{instance.id}.{number + 1}"
    spans = {(source.start, source.end) for source in merged.sources() if source.document == name}
    return sum(end - start for start, end in spans)


def _highlights(instance: UnionInstance, base: int, text: str) -> list[Json]:
    """Return the words of the union that come from other sentences than its base."""
    vocabulary = Vocabulary(instance.sentences[base])
    new = {fold(word.text) for word in find_words(text) if word.text not in vocabulary}
    return [
        {"start": word.start, "end": word.end, "sentence": number}
        for number, sentence in enumerate(instance.sentences)
        if number != base
        for word in find_words(sentence)
        if fold(word.text) in new
    ]
