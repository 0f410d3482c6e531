"""An expert marks what is wrong with a union, word by word: missing, unfaithful, redundant.

Hirsch et al. 2023, §5.1. ``tatian union marks`` makes coverage, faithfulness and redundancy of a
sample out of the export.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tatian.errors import InputError
from tatian.text.records import Record
from tatian.text.spans import Span
from tatian.union.annotation import Highlight, Marks
from tatian.union.metrics import MarkedUnion, content_spans, estimate
from tatian.workbench.settings import Stage
from tatian.workbench.tasks import Exported, NewItem, Plain
from tatian.workbench.tasks.marking.agreement import MarkingComparing
from tatian.workbench.tasks.reading import converted, items, plain, sentences, shipped

LONGEST_NOTE = 2_000

Word = tuple[str, int, int]
"""A marked content word: how it is marked, in which text (-1: the union), where it begins."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What a campaign of marking can be told: nothing."""


class Content(Struct, frozen=True, omit_defaults=True):
    """An item as it is stored."""

    sentences: tuple[str, ...]
    merged: str
    dataset: str = ""
    """Where the union comes from; experts are not shown it."""

    def __post_init__(self) -> None:
        if not any(sentence.strip() for sentence in self.sentences):
            raise ValueError("no source sentences")
        if not self.merged.strip():
            raise ValueError("no union to mark: 'merged' is empty")


class MarkingTask(MarkingComparing):
    """Marking of missing, unfaithful and redundant words."""

    name = "union.mark"
    title = "Mark errors in sentence unions"
    folder = Path(__file__).parent
    module = "marking.js"
    columns = ("id", "sentences", "merged", "dataset")
    demo_stages = (
        Stage("training", feedback=True),
        Stage("subtle cases", feedback=True, pass_mark=0.6),
        Stage("marking"),
    )

    def guidelines(self) -> str:
        """The instructions that come with the task."""
        return shipped("marking", "guidelines.md").decode()

    def read(self, name: str, data: bytes, mapping: Mapping[str, str]) -> Iterable[NewItem]:
        """CSV or JSONL of unions, as ``tatian union generate`` writes them."""
        return items(name, data, mapping, self._from_row, self.gold)

    def content(self, content: Plain) -> Plain:
        """Sentences and their union."""
        return plain(_content(content))

    def gold(self, content: Plain, gold: Plain) -> Plain:
        """Marks that lie inside the texts."""
        item, marks = _content(content), converted(gold, Marks, "gold")
        marks.check(item.sentences, item.merged)
        return plain(marks)

    def check_options(self, options: Plain) -> None:
        """Refuse any: there are none."""
        converted(options, Options, "options of the campaign")

    def shown(self, content: Plain, seed: int, options: Plain) -> Plain:
        """The texts, and where their content words are: only those count."""
        item = _content(content)
        return {
            "sentences": list(item.sentences),
            "union": item.merged,
            "content": {
                "sentences": [_places(sentence) for sentence in item.sentences],
                "union": _places(item.merged),
            },
        }

    def received(self, content: Plain, seed: int, options: Plain, answer: Any) -> Plain:
        """Marks that lie inside the texts, in their order."""
        item, marks = _content(content), converted(answer, Marks, "not an answer of this page")
        marks.check(item.sentences, item.merged)
        if len(marks.note) > LONGEST_NOTE:
            raise InputError(f"the note is longer than {LONGEST_NOTE} characters")
        return plain(
            Marks(
                tuple(sorted(set(marks.missing), key=lambda mark: (mark.sentence, mark))),
                tuple(sorted(set(marks.unfaithful))),
                tuple(sorted(set(marks.redundant))),
                marks.unfluent,
                marks.note.strip(),
            )
        )

    def restored(self, content: Plain, seed: int, options: Plain, answer: Plain) -> Plain:
        """The same: nothing is shuffled."""
        return plain(converted(answer, Marks, "not marks"))

    def score(self, content: Plain, gold: Plain, answer: Plain) -> float:
        """F1 of the marked content words, each with its kind and place; 1 where neither has any."""
        item = _content(content)
        right = set(_words(item, converted(gold, Marks, "gold")))
        given = set(_words(item, converted(answer, Marks, "not marks")))
        if not right and not given:
            return 1.0
        return 2 * len(right & given) / (len(right) + len(given))

    def feedback(self, content: Plain, gold: Plain, answer: Plain) -> Plain:
        """The right marks, to lay beside one's own."""
        right = converted(gold, Marks, "gold")
        return {
            "gold": plain(right),
            "note": right.note,
            "score": self.score(content, gold, answer),
        }

    def suggest(self, content: Plain) -> Plain | None:
        """What `tatian.union.metrics.estimate` counts."""
        item = _content(content)
        found = estimate(item.sentences, item.merged)
        return plain(
            Marks(
                tuple(Highlight(one.start, one.end, one.sentence or 0) for one in found.missing),
                tuple(Span(one.start, one.end) for one in found.unfaithful),
                tuple(Span(one.start, one.end) for one in found.repeated),
            )
        )

    def export(
        self, items: Sequence[NewItem], records: Sequence[Record[Plain]]
    ) -> Iterable[Exported]:
        """Marked unions with their texts; ``tatian union marks`` reads them."""
        contents = {item.key: _content(item.content) for item in items}
        replaced = {record.replaces for record in records}
        lines = (
            msgspec.json.encode(_marked(record, contents[record.item])) + b"\n"
            for record in records
            if record.id not in replaced and record.item in contents
        )
        yield Exported("marks.jsonl", b"".join(lines))

    def demo(self) -> Sequence[NewItem]:
        """Two training stages with the right marks, and a few items to mark."""
        return list(self.read("marking.jsonl", shipped("marking", "demo.jsonl"), {}))

    def _from_row(self, row: Plain) -> Plain:
        found = {
            "sentences": list(sentences(row)),
            "merged": row.get("merged", row.get("mergedText", "")) or "",
            "dataset": row.get("dataset") or "",
        }
        return self.content(found)


def _content(given: Plain) -> Content:
    return converted(given, Content, "not a union to mark")


def _places(text: str) -> list[list[int]]:
    return [[span.start, span.end] for span in content_spans(text)]


def _words(item: Content, marks: Marks) -> Iterator[Word]:
    for index, sentence in enumerate(item.sentences):
        spans = [mark for mark in marks.missing if mark.sentence == index]
        yield from (("missing", index, start) for start in _touched(sentence, spans))
    yield from (("unfaithful", -1, start) for start in _touched(item.merged, marks.unfaithful))
    yield from (("redundant", -1, start) for start in _touched(item.merged, marks.redundant))


def _touched(text: str, spans: Sequence[Span]) -> Iterator[int]:
    for word in content_spans(text):
        if any(word.overlaps(span) for span in spans):
            yield word.start


def _marked(record: Record[Plain], item: Content) -> MarkedUnion:
    marks = converted(record.answer, Marks, f"record '{record.id}'")
    return MarkedUnion(
        record.item, item.sentences, item.merged, item.dataset, record.made.by, marks.missing,
        marks.unfaithful, marks.redundant, marks.unfluent, marks.note,
    )  # fmt: skip
