"""Annotation task for experts: sort skipped pairs by reason, or as skipped by mistake.

Hirsch et al. 2023, App. A and Table 5, which ``tatian union tally`` prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import ClassVar

import msgspec
from msgspec import Struct

from tatian.text.layers import Record
from tatian.union.annotation import SkipReason
from tatian.union.tallies import SKIPS, SkipCategory, SortedSkip
from tatian.workbench.settings import CampaignStage
from tatian.workbench.tasks import Exported, Json, NewItem, Records
from tatian.workbench.tasks.choice import ChoiceTask, convert_answer
from tatian.workbench.tasks.items import converter, item_sentences

_KEY = "category"
_QUESTION = "Why can these sentences not be merged?"


class SkippedPair(Struct, frozen=True, omit_defaults=True):
    """An item as it is stored."""

    sentences: tuple[str, ...]
    reason: SkipReason | None = None
    """Reason that the annotator gave, which experts do not see."""

    def __post_init__(self) -> None:
        if len(self.sentences) < 2 or not all(text.strip() for text in self.sentences):
            raise ValueError("two sentences or more, none of them empty")


_content = converter(SkippedPair, "not a skipped pair")


class SkipsTask(ChoiceTask):
    """Task of sorting skipped sentence pairs."""

    name = "union.skips"
    title = "Sort skipped sentence pairs"
    folder = Path(__file__).parent
    module = "skips.js"
    columns = ("id", "sentences", "reason")
    convert_item = staticmethod(_content)
    choices: ClassVar[Mapping[str, str]] = {str(name): text for name, text in SKIPS.items()}
    demo_stages = (CampaignStage("training", feedback=True), CampaignStage("sorting"))

    def row(self, row: Json) -> Json:
        """Read JSONL that a union campaign exports (``skipped.jsonl``), or a table of pairs."""
        reason = row.get("reason") or row.get("skip")
        fields = {"sentences": list(item_sentences(row))}
        return self.content({**fields, "reason": reason} if reason else fields)

    def questions(self, content: Json) -> Mapping[str, str]:
        """Return the only question."""
        return {_KEY: _QUESTION}

    def page(self, content: Json, seed: int) -> Json:
        """Return the sentences."""
        numbered = enumerate(_content(content).sentences, 1)
        return {
            "texts": [{"title": f"Sentence {n}", "text": text} for n, text in numbered],
            "groups": [
                {"title": "", "text": "", "questions": [{"name": _KEY, "title": _QUESTION}]}
            ],
        }

    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """Yield every expert's category with the annotator's reason, for ``tatian union tally``."""
        yield self.lines("skips.jsonl", items, records, _to_record)


def _to_record(record: Record[Json], item: SkippedPair) -> SortedSkip:
    category = msgspec.convert(convert_answer(record.answer).chosen[_KEY], SkipCategory)
    return SortedSkip(record.item, record.made.by, category, item.reason)
