"""Annotation task for experts: assign one of seven causes to each error of a system.

Hirsch et al. 2023, App. J and Table 8, which ``tatian union tally`` prints. As in ``union.judge``,
systems are anonymous: pages label unions with letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import ClassVar, cast

from tatian.text.layers import Record
from tatian.union.metrics.mistakes import CRITERIA, KINDS, Kind
from tatian.union.tallies import ErrorCause, SortedErrors
from tatian.views.wording import short
from tatian.workbench.settings import CampaignStage
from tatian.workbench.tasks import Exported, Json, NewItem, Records
from tatian.workbench.tasks.choice import ChoiceTask, convert_answer
from tatian.workbench.tasks.items import converter
from tatian.workbench.tasks.judging import JudgingItem, JudgingTask, union_letter

NO_ERROR = "no error"
_QUOTED_CHARACTERS = 80
"""Maximum number of characters of a union that a question quotes."""
_TITLES = {
    "coverage": "Why is something missing?",
    "faithfulness": "Why is something unfaithful?",
    "redundancy": "Why is something repeated?",
}
_content = converter(JudgingItem, "not a valid item of this task")


class CausesTask(ChoiceTask):
    """Task of assigning causes to errors in sentence unions."""

    name = "union.errors"
    title = "Sort errors of sentence unions"
    folder = Path(__file__).parent
    module = "choosing.js"
    columns = ("id", "sentences", "reference", "systems")
    convert_item = staticmethod(_content)
    choices: ClassVar[Mapping[str, str]] = {
        NO_ERROR: "nothing is wrong here",
        **{str(kind): meaning for kind, meaning in KINDS.items()},
    }
    demo_stages = (
        CampaignStage("training", feedback=True, pass_mark=0.6),
        CampaignStage("sorting"),
    )

    def row(self, row: Json) -> Json:
        """Return the content as ``union.judge`` reads it."""
        return JudgingTask().row(row)

    def questions(self, content: Json) -> Mapping[str, str]:
        """Return one question per distinct union and criterion, by the union's first system."""
        return {
            f"{criterion}:{systems[0]}": f"{_TITLES[criterion]} “{short(text, _QUOTED_CHARACTERS)}”"
            for text, systems in _content(content).outputs().items()
            for criterion in CRITERIA
        }

    def page(self, content: Json, seed: int) -> Json:
        """Return the sentences, the reference, and the unions labelled with letters."""
        item = _content(content)
        numbered = enumerate(item.sentences, 1)
        return {
            "texts": [
                *({"title": f"Sentence {number}", "text": text} for number, text in numbered),
                {"title": "Reference", "text": item.reference},
            ],
            "groups": [
                {
                    "title": f"Sentence {union_letter(index)}",
                    "text": text,
                    "questions": [
                        {"name": f"{criterion}:{index}", "title": _TITLES[criterion]}
                        for criterion in CRITERIA
                    ],
                }
                for index, text in enumerate(item.shuffled(seed))
            ],
        }

    def keys(self, content: Json, seed: int) -> Mapping[str, str]:
        """Map the page's question names, which use positions, to stored keys, which use systems."""
        item = _content(content)
        outputs = item.outputs()
        return {
            f"{criterion}:{index}": f"{criterion}:{outputs[text][0]}"
            for index, text in enumerate(item.shuffled(seed))
            for criterion in CRITERIA
        }

    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """Export each expert's error causes per system, for ``tatian union tally``."""
        yield self.lines("errors.jsonl", items, records, _to_record)


def _to_record(record: Record[Json], item: JudgingItem) -> SortedErrors:
    choices = convert_answer(record.answer).chosen
    causes = tuple(
        ErrorCause(name, criterion, cast(Kind, kind))
        for systems in item.outputs().values()
        for criterion in CRITERIA
        if (kind := choices.get(f"{criterion}:{systems[0]}", NO_ERROR)) != NO_ERROR
        for name in systems
    )
    return SortedErrors(record.item, record.made.by, len(item.systems), causes)
