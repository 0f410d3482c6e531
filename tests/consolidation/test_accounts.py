"""What a digest has after the story that is asked for is left out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tatian.consolidation.accounts import without_other_stories
from tatian.consolidation.units import AccountUnits
from tatian.consolidation.units import account as units_of

from .bundles import processed

FERRY = "A ferry sank off Halverne. The crew was saved. Divers came to Halverne. Fog had come."
MUSEUM = (
    "Thieves broke into a museum in Port Lorn. A guard of Port Lorn slept. A picture by Orla Fenn"
    " is gone. The museum of Port Lorn has no alarm. Orla Fenn wept."
)
REPORT = "A ferry sank near Halverne. Lifeboats left Halverne at noon."


def divided(*texts: str, far: tuple[str, ...] = (MUSEUM,)) -> tuple[AccountUnits, ...]:
    """The accounts without other stories; what is in `far` means something else than the rest."""
    accounts = [units_of(number, one) for number, one in enumerate(processed(*texts))]
    vectors: dict[tuple[int, int], NDArray[np.float32]] = {
        unit.key: np.array(
            [0, 1] if any(unit.text in text for text in far) else [1, 0], dtype=np.float32
        )
        for account in accounts
        for unit in account.units
    }
    return without_other_stories(accounts, vectors)


def test_a_closing_part_that_shares_no_name_and_no_meaning_is_another_story() -> None:
    digest, report = divided(f"{FERRY} {MUSEUM}", REPORT)
    assert " ".join(unit.text for unit in digest.units) == FERRY
    assert digest.aside == dict.fromkeys(range(4, 9), "another story")
    assert report.aside == {}


def test_it_stays_if_it_means_the_like() -> None:
    digest, _ = divided(f"{FERRY} {MUSEUM}", REPORT, far=())
    assert digest.aside == {}


def test_it_stays_if_another_account_tells_it_too() -> None:
    digest, _ = divided(f"{FERRY} {MUSEUM}", f"{REPORT} {MUSEUM}", far=(MUSEUM,))
    assert digest.aside == {}


def test_it_stays_if_it_names_what_the_story_names() -> None:
    here = MUSEUM.replace("Port Lorn", "Halverne")
    digest, _ = divided(f"{FERRY} {here}", REPORT, far=(here,))
    assert digest.aside == {}


def test_a_few_sentences_are_no_story_of_their_own() -> None:
    short = " ".join(MUSEUM.split(". ")[:2]) + "."
    digest, _ = divided(f"{FERRY} {short}", REPORT, far=(short,))
    assert digest.aside == {}


def test_one_account_alone_is_one_story() -> None:
    (digest,) = divided(f"{FERRY} {MUSEUM}")
    assert digest.aside == {}
