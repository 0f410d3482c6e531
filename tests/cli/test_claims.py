"""``tatian claims compare``."""

from __future__ import annotations

import json

import pytest

from tatian.analysis.installed import unavailable

from .harness import Command

SENTENCES = ("The Ilma sank at 3 p.m. on Monday.", "The Ilma sank at 4 p.m. on Monday.")
needs_weights = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "-")


@needs_weights
def test_compare_prints_claims_and_their_relation(tatian: Command) -> None:
    done = tatian("claims", "compare", *SENTENCES)
    assert (done.status, done.err) == (0, "")
    assert "“3 p.m.” excludes “4 p.m.”: different times of day" in done.out
    assert "not known without --dates" in done.out


@needs_weights
def test_json_contains_the_values_of_claims(tatian: Command) -> None:
    dates = ("--dates", "2024-05-07", "2024-05-08")
    done = tatian("claims", "compare", *SENTENCES, *dates, "--format", "json")
    found = json.loads(done.out)
    clock = next(one for one in found["claims"][0] if one["kind"] == "clock")
    assert (clock["text"], clock["low"], clock["high"]) == ("3 p.m.", 900, 900)
    day = next(one for one in found["claims"][0] if one["kind"] == "date")
    assert (day["low"], day["high"]) == ("2024-05-06", "2024-05-06")
    relations = {(one["first"], one["relation"]) for one in found["comparisons"]}
    assert ("3 p.m.", "exclude") in relations


@needs_weights
def test_sentences_without_claims_have_nothing_comparable(tatian: Command) -> None:
    done = tatian("claims", "compare", "It rained.", "It was cold.")
    assert (done.status, done.out) == (0, "No comparable figures, times or names.\n")


def test_a_wrong_date_is_a_plain_error(tatian: Command) -> None:
    done = tatian("claims", "compare", *SENTENCES, "--dates", "May", "2024-01-01")
    assert done.status == 2
    assert "'May' is not a date such as 2024-05-31" in done.err
