"""Reports of one day: which of them is older, and what that does to the text."""

from __future__ import annotations

import pytest

import tatian
from tatian.analysis.installed import unavailable
from tatian.pipeline import Pipeline

from .bundles import bundle

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "")

MORNING = (
    "Fire broke out in the Corran mine early on Thursday, trapping an unknown number of men. The "
    "alarm was raised at 4.50 a.m. by a driver. The fire is thought to have begun in a conveyor "
    "belt. Families have gathered at the gate. Two teams are searching the lower levels. Two men "
    "died in the Corran mine in 2009."
)
EVENING = (
    "Four of six miners missing after a fire in the Corran mine were found alive on Thursday, but "
    "two were dead, the owner said. The survivors were brought to the surface at 6.40 p.m. by a "
    "rescue team. The fire began in a conveyor belt. A minister announced an inquiry."
)
DAY = "2017-09-14"


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline()


def consolidated(pipeline: Pipeline, *texts: str) -> str:
    return tatian.consolidate(bundle(*texts, days=[DAY] * len(texts)), pipeline=pipeline).text


def test_the_report_of_the_later_hour_leads(pipeline: Pipeline) -> None:
    for texts in ((MORNING, EVENING), (EVENING, MORNING)):
        text = consolidated(pipeline, *texts)
        assert text.startswith("Four of six miners")
        assert "Reported earlier on September 14, 2017:" in text
        assert "are searching" not in text


@pytest.mark.parametrize(
    "evening",
    [
        "All six men were found alive in the Corran mine. A rescue team had reached them.",
        "All six men were found alive in the Corran mine. A mass will be held at 8 p.m. there.",
        "All six men were found alive in the Corran mine. A bell rang at 9 p.m. on Tuesday.",
        "All six men were found alive in the Corran mine. A rescue team left at 5.20 a.m. for it.",
    ],
)
def test_without_a_later_hour_of_that_day_reports_stay_together(
    evening: str, pipeline: Pipeline
) -> None:
    assert "Reported earlier" not in consolidated(pipeline, MORNING, evening)


def test_a_report_without_passing_states_is_not_set_apart(pipeline: Pipeline) -> None:
    done = "Fire broke out in the Corran mine on Thursday. The alarm was raised at 4.50 a.m. there."
    assert "Reported earlier" not in consolidated(pipeline, done, EVENING)


STATES = (
    "Fire broke out in the Corran mine on Thursday. Two teams are searching the lower levels. "
    "Families are waiting at the gate. The cause is not known."
)


@pytest.mark.parametrize(
    "morning",
    [
        f"Updated 08:40\n\n{STATES}",
        f"{STATES} The minister will speak at noon in Corran.",
        STATES,
        "Fire broke out in the Corran mine at four this morning. Two teams are searching it.",
        "Fire broke out in the mine at nine o'clock. Two teams are searching it on Thursday.",
    ],
    ids=["stamp", "plan", "states", "word", "o'clock"],
)
def test_an_earlier_report_is_known_by_more_than_its_hours(
    morning: str, pipeline: Pipeline
) -> None:
    text = consolidated(pipeline, morning, EVENING)
    assert text.startswith("Four of six miners")
    assert "Reported earlier on September 14, 2017:" in text


def test_a_stamp_counts_before_the_hours_of_a_report(pipeline: Pipeline) -> None:
    late = f"7.30 p.m. bulletin\n\n{MORNING}"
    assert "Reported earlier" not in consolidated(pipeline, late, EVENING)


def test_a_third_report_of_the_day_has_a_section_of_its_own(pipeline: Pipeline) -> None:
    noon = (
        "Fire crews were still fighting a blaze in the Corran mine on Thursday. A rescue team "
        "from Sennick had arrived at 1 p.m. with its pumps. Three doctors are waiting at the gate."
    )
    text = consolidated(pipeline, MORNING, noon, EVENING)
    first = text.index("Reported earlier on September 14, 2017:")
    assert first < text.index("Reported after that, on September 14, 2017:")


def test_two_reports_of_another_day_are_called_first_and_later(pipeline: Pipeline) -> None:
    newest = (
        "The owner of the Corran mine was arrested on Friday over a fire that trapped six miners "
        "and killed two. Four were found alive on Thursday. The fire broke out early on Thursday "
        "and began in a conveyor belt. An inquiry was opened."
    )
    days = [DAY, DAY, "2017-09-15"]
    text = tatian.consolidate(bundle(MORNING, EVENING, newest, days=days), pipeline=pipeline).text
    assert text.index("Reported first on September 14") < text.index("Reported later on S")


def test_a_brief_later_report_of_the_day_does_not_lead(pipeline: Pipeline) -> None:
    early = f"Updated 08:40\n\n{MORNING} {EVENING.replace(' at 6.40 p.m.', '')}"
    brief = (
        "Updated 10:15\n\nFour of six miners missing after a fire in the Corran mine were found."
    )
    text = consolidated(pipeline, early, brief)
    assert text.startswith("Fire broke out in the Corran mine")


def test_a_headline_with_the_day_and_the_hour_is_a_stamp(pipeline: Pipeline) -> None:
    late = f"SATURDAY, SEPTEMBER 14, 2017, 9:29 PM\n\n{MORNING}"
    assert "Reported earlier" not in consolidated(pipeline, late, EVENING)
