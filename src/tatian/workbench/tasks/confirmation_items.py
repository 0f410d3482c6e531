"""The second round out of the first: what anybody linked, as candidates to confirm."""

from __future__ import annotations

from collections.abc import Mapping

from tatian.mentions import ground_truth
from tatian.mentions.annotation import Detection
from tatian.mentions.data.records import LinkedText
from tatian.workbench.tasks import NewItem, Plain
from tatian.workbench.tasks.comparing import Answers
from tatian.workbench.tasks.confirmation import ConfirmationTask, plain_terms
from tatian.workbench.tasks.detection import Content
from tatian.workbench.tasks.detection_agreement import records
from tatian.workbench.tasks.reading import converted


def confirmation_items(
    contents: Mapping[str, Plain], answers: Mapping[str, Answers], *, repeats: bool = False
) -> list[NewItem]:
    """An item for each text in which anybody linked anything, in the order of `contents`.

    Every place and page is a candidate of its own. With `repeats` a term that was linked at one
    place is a candidate at its other places too (§8.1, technical guideline 5).
    """
    texts = {key: _text(key, content) for key, content in contents.items()}
    known = {key: by_person for key, by_person in answers.items() if key in texts}
    detections = records(known, Detection, "mentions.detect")
    found = ground_truth.union(detections, texts, repeats=repeats)
    task = ConfirmationTask()
    return [
        NewItem(
            key,
            task.content(
                {"text": text.text, "topic": text.topic, "candidates": plain_terms(found[key])}
            ),
        )
        for key, text in texts.items()
        if found.get(key)
    ]


def _text(key: str, content: Plain) -> LinkedText:
    item = converted(content, Content, f"item '{key}'")
    return LinkedText(key, item.text, item.topic)
