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
