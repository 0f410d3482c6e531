"""MIN: sections 4.1 and 4.3 of the definition."""

from __future__ import annotations

import pytest

from tatian.coreference.checks import check

from .check_samples import found


@pytest.mark.parametrize(
    ("marked", "minimum"),
    [
        ("[a|the coreference task] is hard.", "task"),
        ("It is [a|the last contract] ever.", "contract"),
        ("We sold [a|a large quantity of sugar].", "quantity"),
        ("[a|the Honorable Frederick F. Fernwhistle Jr.] spoke.", "Frederick F. Fernwhistle Jr."),
        ("[a|Ford Motor Co. of Dearborn, Michigan] grew.", "Ford Motor Co."),
        ("[a|Herr Dr. Georg Rath] spoke.", "Georg Rath"),
        ("He moved to [a|Newark, New Jersey].", "Newark"),
        ("[a|December 7, 1941, a day which will live in infamy,] was cold.", "December 7, 1941"),
        ("He paid [a|$1.2 million in crisp bills].", "$1.2 million"),
        ("She has [a|20% of the shares].", "20%"),
        ("He met [a|seven of the best].", "seven"),
        ("He met [a|the five who were left standing].", "five"),
        ("He met [a|the six youngest].", "youngest"),
    ],
)
def test_min_is_needed_where_more_than_an_article_is_around_the_head(
    marked: str, minimum: str
) -> None:
    (only,) = found(marked)
    assert (only.rule, only.advice) == ("min-missing", f'write MIN="{minimum}"')


@pytest.mark.parametrize(
    "marked",
    [
        "[a|the task] is hard, [b|a task] is easy, and [c|tasks] are many.",
        "[a|Frederick F. Fernwhistle Jr.] met [b|Ford Motor Co.] and [c|Century 21].",
        "On [a|December 7, 1941], [b|she] paid [c|$1.2 million] for [d|20%].",
        "[a|The youngest] met [b|Simon & Schuster].",
        "Its [a|shareholders] met in [b|New York].",
    ],
)
def test_min_is_not_needed_where_only_an_article_is(marked: str) -> None:
    assert [one for one in found(marked) if one.rule == "min-missing"] == []


WRONG = [
    ("min-title", "[a|Herr Dr. Georg Rath^Dr. Georg Rath] spoke.", "Georg Rath"),
    ("min-title", "[a|Mr. Holland^Mr. Holland] spoke.", "Holland"),
    ("min-title", "[a|President Jane Roe^President Jane Roe] spoke.", "Jane Roe"),
    (
        "min-suffix",
        "[a|the Honorable Frederick F. Fernwhistle Jr.^Frederick F. Fernwhistle] spoke.",
        "Frederick F. Fernwhistle Jr.",
    ),
    ("min-suffix", "[a|Ford Motor Co. of Dearborn^Ford Motor] grew.", "Ford Motor Co."),
    ("min-location", "He moved to [a|Newark, New Jersey^New Jersey].", "Newark"),
    ("min-location", "He moved to [a|Newark, New Jersey^Newark, New Jersey].", "Newark"),
    ("min-headless", "He met [a|the six youngest^six].", "youngest"),
    ("min-headless", "He met [a|seven of the best^best].", "seven"),
    ("min-headless", "He met [a|the five who were left standing^standing].", "five"),
    ("min-part", "[a|December 7, 1941, a cold day,^1941] came.", "December 7, 1941"),
    ("min-part", "He paid [a|about $5 million in cash^million].", "$5 million"),
    ("min-elsewhere", "We sold [a|about 200,000 tons of sugar^sugar].", "tons"),
    ("min-elsewhere", "He built [a|the big house on the hill^hill].", "house"),
]


@pytest.mark.parametrize(("rule", "marked", "minimum"), WRONG)
def test_min_other_than_the_head_is_reported(rule: str, marked: str, minimum: str) -> None:
    (only,) = found(marked)
    assert (only.rule, only.advice) == (rule, f'write MIN="{minimum}"')


@pytest.mark.parametrize(
    "marked",
    [
        "[a|the coreference task^task] met [b|a large quantity of sugar^quantity].",
        "[a|about 200,000 tons of sugar^tons] are here.",
        "[a|the Honorable Frederick F. Fernwhistle Jr.^Frederick F. Fernwhistle Jr.] spoke.",
        "[a|Ford Motor Co. of Dearborn, Michigan^Ford Motor Co.] grew.",
        "[a|Herr Dr. Georg Rath^Georg Rath] spoke.",
        "He moved to [a|Newark, New Jersey^Newark].",
        "[a|The mayor of Newark, New Jersey^mayor] spoke.",
        "[a|December 7, 1941, a day which will live in infamy,^December 7, 1941] was cold.",
        "He paid [a|$1.2 million in crisp bills^$1.2 million] for [b|20% of the shares^20%].",
        "He met [a|seven of the best^seven].",
        "He met [a|the five who were left standing^five].",
        "He met [a|the six youngest^youngest].",
        "He met [a|a 10-year veteran^veteran] and [b|the two oldest guests^guests].",
        "[a|Mrs. Fields Inc. of Utah^Mrs. Fields Inc.] grew.",
        "XYZ Inc. formed [a|a joint venture with Sony^venture].",
        "[a|The rumor that the war had ended^rumor] spread.",
        "[a|The senior of the executives who will assume Holland's duties^senior] left.",
        "[a|Fred Frosty, the ice cream king of Tyson's Corner,^Fred Frosty] left.",
        "[a|the Penn Central Co., which used to run a railroad,^Penn Central Co.] closed.",
    ],
)
def test_correct_min_is_not_reported(marked: str) -> None:
    assert found(marked) == []


def test_formats_without_min_get_no_advice_on_it() -> None:
    assert found("[a|the coreference task] is hard.", markup=False) == []


def test_a_date_does_not_begin_in_another_part_of_the_document() -> None:
    dates = '<DD> 01/05/94 </DD>\n<DD> <COREF ID="1">January 5, 1994</COREF> </DD>'
    assert check(f"<DOC>\n{dates}\n<TXT>It rained.</TXT>\n</DOC>\n") == []
