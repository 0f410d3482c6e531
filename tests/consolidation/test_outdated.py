"""States and plans of earlier days, beside the newest report."""

from __future__ import annotations

import pytest

import tatian
from tatian.analysis.installed import unavailable
from tatian.consolidation.weave import plan
from tatian.pipeline import Pipeline

from .bundles import bundle

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "")

NEWS = (
    "The ferry Marla Grey was raised on Monday and towed into Halverne. Nineteen people died when "
    "she sank in fog off the harbour. Two cranes lifted her from the bank in six hours. The owner, "
    "Sennick Line, will sell the wreck for scrap. A judge is to hear the captain in the autumn."
)
FAR = ("2023-03-14", "2023-03-20")
PASSING = "a state or plan of an earlier day"


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline()


def reasons(early: str, pipeline: Pipeline, days: tuple[str | None, ...] = FAR) -> dict[str, str]:
    """Reasons for which sentences of the early report are left out beside the news."""
    first, _ = tatian.consolidate(bundle(early, NEWS, days=days), pipeline=pipeline).documents
    return {
        " ".join(first.text[sentence.start : sentence.end].split()): sentence.why
        for sentence in first.sentences
        if sentence.fate == "unused"
    }


START = "The ferry Marla Grey left Ostrey with 97 people aboard. A gale blew from the north."


@pytest.mark.parametrize(
    "sentence",
    [
        "Divers are searching the car deck.",
        "Twelve passengers are still missing.",
        "Tugs will try to free the bow on Wednesday.",
        "The harbour has been closed to all ships.",
        "The company has suspended all crossings.",
        "Officials say the ship is in danger of breaking up.",
        "Three islanders were expected to give evidence.",
    ],
)
def test_states_and_plans_of_an_earlier_day_are_left_out(sentence: str, pipeline: Pipeline) -> None:
    assert reasons(f"{START} {sentence}", pipeline) == {sentence: PASSING}


@pytest.mark.parametrize(
    "sentence",
    [
        "Lifeboats from Cape Lorn picked up forty people.",
        "The strait between Ostrey and Cape Lorn is eleven miles wide.",
        "Sennick Line employs 300 sailors on five ships.",
        "Captain Verrick has worked on the route for nine years.",
        '"We are looking for my brother, who was on the upper deck," said Tom Reyes.',
    ],
)
def test_acts_and_what_lasts_stay(sentence: str, pipeline: Pipeline) -> None:
    assert reasons(f"{START} {sentence}", pipeline) == {}


@pytest.mark.parametrize("days", [(None, None), ("2023-03-20", "2023-03-20"), FAR[::-1]])
def test_states_stay_if_the_report_is_not_of_an_earlier_day(
    days: tuple[str | None, ...], pipeline: Pipeline
) -> None:
    assert (
        PASSING
        not in reasons(f"{START} Divers are searching the car deck.", pipeline, days).values()
    )


def test_a_state_that_the_next_sentence_needs_stays(pipeline: Pipeline) -> None:
    early = f"{START} A crew of nine is being questioned. They had seen the barge too late."
    assert reasons(early, pipeline) == {}


def test_the_newest_report_is_not_shortened_by_older_ones(pipeline: Pipeline) -> None:
    early = (
        f"{START} Two cranes will lift her from the bank in six hours. The owner is Sennick Line."
    )
    documents = [pipeline.process(d) for d in bundle(early, NEWS, days=FAR)]
    planned = plan(documents)
    newest = [span.key for span in planned.story.sources[1].spans]
    assert planned.backbone == 1
    assert planned.selection.kept.issuperset(newest)


def test_a_live_page_loses_what_passed_while_it_was_written(pipeline: Pipeline) -> None:
    page = (
        "06:55 Fire crews were called to the ferry Marla Grey in Halverne. 07:10 Smoke is pouring "
        "from her bow. We are hearing that one man is missing. 07:25 A tug, the Orme, took forty "
        "people off the ferry. 07:40 More tugs are on their way, our reporter tells us."
    )
    found = reasons(page, pipeline, ("2023-03-20", "2023-03-20"))
    assert found["We are hearing that one man is missing."] == PASSING
    assert not any("took forty people" in sentence for sentence in found)


@pytest.mark.parametrize(
    "sentence",
    [
        "Tom Reyes, a cook, is still missing. His brother swam ashore.",
        "Four sailors are still missing. The coast guard sent them a raft.",
    ],
)
def test_a_state_stays_if_the_next_sentence_needs_it(sentence: str, pipeline: Pipeline) -> None:
    assert PASSING not in reasons(f"{START} {sentence}", pipeline).values()
