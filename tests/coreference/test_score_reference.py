"""Equal to the CoNLL reference scorer, on its own cases."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tatian.coreference.metrics.documents import score_columns
from tatian.errors import InputError

DATA = Path(os.environ.get("TATIAN_DATA") or Path(__file__).parents[3] / "shared" / "data")
CASES = DATA / "coreference" / "scorer-cases"
OURS = {"bcub": "b3"}
NOT_CLAIMED = {("B1", "muc"), ("C1", "muc")}
"""The reference scorer's tests leave these out: their figures are placeholders, not outputs."""


def cases() -> list[dict[str, object]]:
    listed = CASES / "cases.json"
    return json.loads(listed.read_text()) if listed.exists() else []


@pytest.mark.data
@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_all_figures_equal_those_of_the_reference_scorer(case):
    texts = [(CASES / case[side]).read_text() for side in ("key", "response")]
    found = score_columns(*texts)
    for metric, wanted in case["expected"].items():
        if (case["id"], metric) not in NOT_CLAIMED:
            assert found.rates(OURS.get(metric, metric)) == pytest.approx(wanted, abs=1e-4), metric


KEY = """#begin document (a); part 000
a - 0 one (0)
a - 1 two (0)
a - 2 three (1)
a - 3 four (1)
#end document
"""


def repeated(times: int) -> str:
    return KEY.replace("two (0)", "two " + "(0)" * (times + 1))


def test_ten_repeated_mentions_are_dropped():
    found = score_columns(KEY, repeated(10))
    assert found.repeats == (0, 10)
    assert {rates.f1 for rates in found.all_rates().values()} == {1}


def test_more_than_ten_are_refused():
    with pytest.raises(InputError, match="repeats 11 mentions: more than 10 are refused"):
        score_columns(KEY, repeated(11))


def test_a_mention_in_two_chains_stays_in_the_one_that_begins_first():
    text = KEY.replace("two (0)", "two (1)|(0)")
    assert score_columns(KEY, text).rates("b3").f1 == 1


def test_a_mention_that_the_key_repeats_counts_once_too():
    found = score_columns(repeated(3), KEY)
    assert (found.repeats, found.rates("b3").f1) == ((3, 0), 1)


@pytest.mark.parametrize("metric", ["muc", "b3", "ceafm", "ceafe", "blanc", "lea", "mentions"])
def test_an_empty_response_and_an_empty_key_score_nothing(metric):
    empty = "".join(
        line.rsplit(" ", 1)[0] + " -\n" if line.startswith("a ") else line
        for line in KEY.splitlines(keepends=True)
    )
    for key, response in ((KEY, empty), (empty, KEY), (empty, empty)):
        assert score_columns(key, response).rates(metric) == (0, 0, 0)


def test_documents_are_paired_by_id_whatever_their_order():
    two = KEY.replace("(a)", "(b)")
    assert score_columns(KEY + two, two + KEY).rates("conll").f1 == 1


def test_documents_without_a_partner_are_named():
    two = KEY.replace("(a)", "(b)")
    with pytest.raises(InputError, match="the response lacks document 'b'"):
        score_columns(KEY + two, KEY)
    with pytest.raises(InputError, match="the key lacks document 'b'"):
        score_columns(KEY, KEY + two)
    with pytest.raises(InputError, match="the response has two documents called 'a'"):
        score_columns(KEY, KEY + KEY)


def test_a_different_number_of_tokens_is_reported_with_its_place():
    fewer = KEY.replace("a - 2 three (1)\n", "")
    message = r"r\.conll: document 'a' has 3 tokens and 4 in the key: .* token 2, line 4"
    with pytest.raises(InputError, match=message):
        score_columns(KEY, fewer, response_path="r.conll")


def test_single_documents_are_paired_despite_different_ids():
    found = score_columns(KEY, KEY.replace("(a)", "(b)"))
    assert found.rates("conll").f1 == 1
    assert (found.ids, found.partners) == (("a",), ("b",))
