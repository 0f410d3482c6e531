"""States and plans of an earlier day go once days have passed; what was done stays."""

from __future__ import annotations

import pytest

import tatian
from tatian.analysis.installed import unavailable
from tatian.consolidation.outdated import OPEN_STATE
from tatian.text import Document, Metadata

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "-")

OLD = "Thieves took three paintings from a museum in Tournel on Monday."
NEW = "The last of the three paintings came home to Tournel in a shopping bag."


def outcome(sentence: str, days: tuple[str, str]) -> tuple[str, str]:
    """Outcome and reason of the second sentence of the older of two sources."""
    texts = f"{OLD} {sentence} A guard heard nothing.", NEW
    documents = [
        Document(day, text, Metadata(date=day)) for day, text in zip(days, texts, strict=True)
    ]
    found = tatian.consolidate(documents).documents[0].sentences[1]
    return found.fate, found.why


@pytest.mark.parametrize(
    "sentence",
    [
        "Police are looking for a grey van that was seen nearby.",
        "A press conference is planned for Wednesday evening in the town hall.",
        "The museum will not open its doors before Friday.",
        "Two of the windows are still being repaired, the director said.",
    ],
)
def test_an_open_state_of_an_earlier_day_goes_with_the_reason(sentence: str) -> None:
    fate, why = outcome(sentence, ("2016-03-14", "2016-03-23"))
    assert fate == "unused"
    assert OPEN_STATE in why


@pytest.mark.parametrize(
    "sentence",
    [
        "Two men forced a window at the back of the building.",
        "Lightning cut the alarm, and the town will pay for a new one.",
        "The museum owns four hundred landscapes.",
        '"They are laughing at us," said the director, Cecile Hauwaert.',
    ],
)
def test_what_was_done_or_said_or_lasts_stays(sentence: str) -> None:
    assert outcome(sentence, ("2016-03-14", "2016-03-23"))[0] == "kept"


def test_the_state_of_the_day_before_stays() -> None:
    sentence = "Police are looking for a grey van that was seen nearby."
    assert outcome(sentence, ("2016-03-22", "2016-03-23"))[0] == "kept"
