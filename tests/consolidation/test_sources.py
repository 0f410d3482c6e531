"""What accounts leave out: the other stories of a digest, and what later accounts overtook."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import tatian
from tatian import Pipeline
from tatian.consolidation.sources import exclude_other_stories
from tatian.consolidation.spans import SourceSpans, read_spans

from .bundles import bundle, processed

FERRY = "A ferry sank off Halverne. The crew was saved. Divers came to Halverne. Fog had come."
MUSEUM = (
    "Thieves broke into a museum in Port Lorn. A guard of Port Lorn slept. A picture by Orla Fenn"
    " is gone. The museum of Port Lorn has no alarm. Orla Fenn wept. Port Lorn is poor. The thieves"
    " left Port Lorn by car. Orla Fenn offers a reward."
)
REPORT = "A ferry sank near Halverne. Lifeboats left Halverne at noon."


def divided(*texts: str, far: tuple[str, ...] = (MUSEUM,)) -> tuple[SourceSpans, ...]:
    """The accounts without other stories; what is in `far` means something else than the rest."""
    accounts = [read_spans(number, one) for number, one in enumerate(processed(*texts))]
    vectors: dict[tuple[int, int], NDArray[np.float32]] = {
        span.key: np.array(
            [0, 1] if any(span.text in text for text in far) else [1, 0], dtype=np.float32
        )
        for account in accounts
        for span in account.spans
    }
    return exclude_other_stories(accounts, vectors)


def test_a_closing_part_that_shares_no_name_and_no_meaning_is_another_story() -> None:
    digest, report = divided(f"{FERRY} {MUSEUM}", REPORT)
    assert " ".join(span.text for span in digest.spans) == FERRY
    assert digest.excluded == dict.fromkeys(range(4, 12), "another story")
    assert report.excluded == {}


def test_other_story_is_kept_if_similar() -> None:
    digest, _ = divided(f"{FERRY} {MUSEUM}", REPORT, far=())
    assert digest.excluded == {}


def test_other_story_is_kept_if_another_source_has_it() -> None:
    digest, _ = divided(f"{FERRY} {MUSEUM}", f"{REPORT} {MUSEUM}", far=(MUSEUM,))
    assert digest.excluded == {}


def test_other_story_is_kept_if_it_shares_names() -> None:
    here = MUSEUM.replace("Port Lorn", "Halverne")
    digest, _ = divided(f"{FERRY} {here}", REPORT, far=(here,))
    assert digest.excluded == {}


def test_a_few_sentences_are_no_story_of_their_own() -> None:
    short = " ".join(MUSEUM.split(". ")[:2]) + "."
    digest, _ = divided(f"{FERRY} {short}", REPORT, far=(short,))
    assert digest.excluded == {}


def test_single_source_is_one_story() -> None:
    (digest,) = divided(f"{FERRY} {MUSEUM}")
    assert digest.excluded == {}


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline()


def overtaken(
    early: str, late: str, pipeline: Pipeline, days: tuple[str | None, ...] = ()
) -> dict[str, str]:
    """Why sentences of an early account are left out beside a late one."""
    given = bundle(early, late, days=days or ("2014-03-04", "2014-03-06"))
    first, _ = tatian.consolidate(given, pipeline=pipeline).documents
    return {
        " ".join(first.text[one.start : one.end].split()): one.why
        for one in first.sentences
        if one.fate == "unused"
    }


VERDICT, DEATH = "a later account gives the verdict", "a later account reports the death"
CAME = "a later account reports the outcome"
FOUND = "a later account reports the end of the search"
RAIN = " Rain had fallen on Port Lorn all week and the streets of the harbour were empty."
OVERTAKEN = [
    (
        "Marcus Odell is accused of setting fire to the Port Lorn sawmill.",
        "Marcus Odell was convicted on Thursday of setting fire to the sawmill in Port Lorn.",
        VERDICT,
    ),
    (
        "Greta Sands faces three counts of fraud over the Halverne lottery.",
        "A jury found Greta Sands guilty of three counts of fraud over the Halverne lottery.",
        VERDICT,
    ),
    (
        "Peter Lund, the pilot, was in critical condition at Halverne hospital.",
        "Peter Lund, the pilot, died at Halverne hospital on Thursday morning.",
        DEATH,
    ),
    (
        "Police are searching for Tom Reyes, who escaped from Sennick prison.",
        "Tom Reyes, who escaped from Sennick prison, was arrested by police on Thursday.",
        FOUND,
    ),
    (
        "Lorn Lines may announce the sale of its ferries this week.",
        "Lorn Lines announced the sale of all its ferries on Thursday.",
        CAME,
    ),
    (
        "The union has scheduled a news conference in Halverne for Wednesday.",
        "The union said at a news conference in Halverne on Wednesday that it would strike.",
        CAME,
    ),
]


@pytest.mark.parametrize(("early", "late", "why"), OVERTAKEN)
def test_superseded_sentence_is_dropped_with_the_reason(
    early: str, late: str, why: str, pipeline: Pipeline
) -> None:
    assert overtaken(early + RAIN, late, pipeline) == {early: why}


@pytest.mark.parametrize(
    ("early", "late", "why"),
    [
        (
            "Imre is in serious condition at the Lorn clinic.",
            "Rosa Imre, 51, died on Wednesday night.",
            "a later account reports the death",
        ),
        (
            "Odell, 29, is accused of driving the lorry.",
            "A court on Friday convicted Marcus Odell of driving the lorry to the sawmill.",
            "a later account gives the verdict",
        ),
    ],
)
def test_a_brief_sentence_on_a_status_goes_with_all_it_says(
    early: str, late: str, why: str, pipeline: Pipeline
) -> None:
    assert overtaken(f"{early} The men fled north.", late, pipeline) == {early: why}


@pytest.mark.parametrize(("early", "late"), [one[:2] for one in OVERTAKEN[:5]])
def test_an_account_written_later_is_not_overtaken(
    early: str, late: str, pipeline: Pipeline
) -> None:
    assert overtaken(early + RAIN, late, pipeline, ("2014-03-06", "2014-03-04")) == {}


@pytest.mark.parametrize(
    ("early", "late"),
    [
        (
            "Marcus Odell is accused of setting fire to the Port Lorn sawmill.",
            "His brother, Ivan Odell's friend Karl Voss, was convicted of theft in Port Lorn.",
        ),
        (
            "Peter Lund, the pilot, was in critical condition at Halverne hospital.",
            "Rosa Imre, a passenger of Peter Lund, died at Halverne hospital on Thursday.",
        ),
        (
            "Lorn Lines will build a radar station on Sennick for four million crowns next year.",
            "Lorn Lines announced the sale of all its ferries on Thursday.",
        ),
    ],
)
def test_the_outcome_of_another_matter_overtakes_nothing(
    early: str, late: str, pipeline: Pipeline
) -> None:
    assert overtaken(early + RAIN, late, pipeline) == {}


def test_newest_source_with_the_event_as_news_opens_the_text(
    pipeline: Pipeline,
) -> None:
    old = (
        "The trial of Marcus Odell over the fire at the Port Lorn sawmill opened on Monday. Twelve"
        " witnesses were called. The owner of the sawmill wept when a film of the fire was shown."
        " Firemen said that the flames had been forty feet high. A dog had barked at two."
    )
    new = (
        "Marcus Odell was found guilty of setting fire to the Port Lorn sawmill. The fire at the"
        " sawmill was the worst in Port Lorn for fifty years. The trial had opened in March."
    )
    woven = tatian.consolidate(
        bundle(old, new, days=("2014-03-04", "2014-03-24")), pipeline=pipeline
    )
    assert woven.text.startswith("Marcus Odell was found guilty")
    assert "Reported on March 4, 2014: " in woven.text


STORM = (
    "A storm tore the roof off the Port Lorn market hall on Sunday. Firemen came with four engines."
    " Stalls were thrown about the square. Nobody was hurt. By noon the square was cleared."
)


def test_the_next_days_news_stands_before_the_longer_account(pipeline: Pipeline) -> None:
    charged = (
        "The owner of the Port Lorn market hall was charged on Monday with neglecting its roof."
        " Ada Brandt will appear in court in May."
    )
    given = bundle(STORM, charged, days=("2014-03-02", "2014-03-03"))
    woven = tatian.consolidate(given, pipeline=pipeline)
    assert woven.text.startswith(charged)
    assert "A storm tore the roof off" in woven.text


def test_the_next_days_colour_does_not(pipeline: Pipeline) -> None:
    colour = "The market hall of Port Lorn had a clock that children loved. It was built in 1880."
    given = bundle(STORM, colour, days=("2014-03-02", "2014-03-03"))
    woven = tatian.consolidate(given, pipeline=pipeline)
    assert woven.text.startswith("A storm tore the roof off")


def test_a_later_account_of_another_event_does_not_open_the_text(pipeline: Pipeline) -> None:
    old = (
        "A cable off Halverne was cut on Monday and a third of the town lost its telephones. Ships"
        " had anchored there in the storm. The mayor, Odile Renn, asked the navy for help. Two"
        " hundred shops closed early. The cable was laid in 1994."
    )
    new = "Lorn Lines opened a new quay on Sennick. Two bands played. The weather was fine."
    woven = tatian.consolidate(
        bundle(old, new, days=("2014-03-04", "2014-03-24")), pipeline=pipeline
    )
    assert woven.text.startswith("A cable off Halverne was cut")
