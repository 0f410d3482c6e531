"""Where the source of a claim is named."""

from __future__ import annotations

import pytest

from tatian.workbench.desk.decisions import Retype, Settle

from .texts import DISPUTE, TWELVE, edited


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "Twelve people fell in the a.m.",
            "Thirteen people fell in the a.m., according to a2.txt.",
        ),
        (
            "Twelve people fell at 9:40 p.m.",
            "Thirteen (according to a2.txt) people fell at 9:40 p.m.",
        ),
    ],
)
def test_a_source_is_named_behind_its_claim_where_the_rest_is_not_its_own(
    said: str, expected: str
) -> None:
    named = Settle(DISPUTE, "one", 1, attribute=True)
    assert f"\n\n{expected} The" in edited(Retype(TWELVE, said), named).consolidation.text
