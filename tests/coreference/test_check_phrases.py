"""What is markable: sections 3.1 to 3.7 and 4.2 of the definition."""

from __future__ import annotations

import pytest

from .check_samples import found, strings


@pytest.mark.parametrize(
    ("marked", "string"),
    [
        ("[a|The boys and girls] enjoy [a|their] breakfast.", "The boys and girls"),
        ("[a|Doctors and nurses] left the ward.", "Doctors and nurses"),
        ("[a|Kim Lee, Ann Roe and Bob Poe] came.", "Kim Lee, Ann Roe and Bob Poe"),
        ("She met [a|her deputy and her brother].", "her deputy and her brother"),
    ],
)
def test_a_phrase_with_two_heads_is_not_markable(marked: str, string: str) -> None:
    assert strings("conjoined", marked) == [string]


@pytest.mark.parametrize(
    "marked",
    [
        "[a|Edna Fribble] and [b|Sam Morton] addressed the meeting.",
        "[a|Research and development costs^costs] rose.",
        "[a|Procter & Gamble Co.] and [b|Simon & Schuster] grew.",
        "[a|One or two people^people] came.",
        "[a|The man who sells apples and pears^man] left.",
        "[a|The director of sales and marketing^director] left.",
    ],
)
def test_conjunctions_elsewhere_in_a_phrase_are_fine(marked: str) -> None:
    assert found(marked) == []


@pytest.mark.parametrize(
    ("marked", "string"),
    [
        ("[a|Slowing the economy] is supported by some; [a|it] is not.", "Slowing the economy"),
        ("[a|Raising taxes] is hard.", "Raising taxes"),
        ("[a|Quickly building a bridge] was hard.", "Quickly building a bridge"),
        ("[a|Closing the plant] cost money.", "Closing the plant"),
    ],
)
def test_a_gerund_is_not_markable(marked: str, string: str) -> None:
    assert strings("gerund", marked) == [string]


@pytest.mark.parametrize(
    "marked",
    [
        "[a|Program trading^trading] is a racket.",
        "[a|Excessive spending^spending] hurt the budget.",
        "[a|The slowing of the economy^slowing] went on.",
        "[a|His leading role^role] ended.",
        "[a|Building materials^materials] are cheap.",
        "[a|The meeting] ended.",
        "[a|Nothing the mayor said^Nothing] helped.",
    ],
)
def test_a_participle_used_like_a_noun_is_markable(marked: str) -> None:
    assert found(marked) == []


def test_relative_pronouns_are_not_marked() -> None:
    marked = (
        "The captain [a|who] steered the ship, the ship [b|that] sank and the firm [c|whose] "
        "flag it flew are known."
    )
    assert strings("relative-pronoun", marked) == ["who", "that", "whose"]


def test_question_words_and_demonstratives_are_no_relative_pronouns() -> None:
    assert found("[a|Who] did it? [b|That] was wrong. I know [c|who] did it. [d|This] is.") == []


@pytest.mark.parametrize(
    ("marked", "string"),
    [
        (
            "[a|It's not to the benefit of the small investor], [a|that]'s for sure.",
            "It's not to the benefit of the small investor",
        ),
        ("[a|The bank raised its rates], and [a|that] hurt.", "The bank raised its rates"),
        ("She wants [a|to leave the country].", "to leave the country"),
        ("They [a|attacked] at dawn.", "attacked"),
    ],
)
def test_clauses_and_verbs_are_not_markable(marked: str, string: str) -> None:
    assert strings("clause", marked) == [string]


@pytest.mark.parametrize(
    "marked",
    [
        "[a|The wounded] were taken away.",
        "[a|The idea that prices will fall^idea] is wrong.",
        "[a|The plan to close the port^plan] failed.",
        "[a|every man who knows [a|his] own mind^man] left.",
    ],
)
def test_a_phrase_with_a_clause_in_it_is_markable(marked: str) -> None:
    assert found(marked) == []


@pytest.mark.parametrize(
    ("marked", "string"),
    [
        ("[a|Linguists] are odd. Some [a|linguists] even like spinach.", "linguists"),
        ("A strong [a|wind] blew.", "wind"),
        ("Two [a|men] ran.", "men"),
        ("[a|The old [a|mayor]^mayor] spoke.", "mayor"),
        ("[a|Mr. [a|Holland]^Holland] spoke.", "Holland"),
    ],
)
def test_a_head_is_not_marked_apart_from_its_phrase(marked: str, string: str) -> None:
    assert strings("head-inside", marked) == [string]


@pytest.mark.parametrize(
    "marked",
    [
        "The price of [a|aluminum] siding rose, as the market for [a|aluminum] reacts.",
        "The [a|voters] left.",
        "Dreamy Detergents named [a|Henry Higgins] [a?|president].",
        "[a|Julius Caesar, [a|the well-known emperor,^emperor]^Julius Caesar] died.",
    ],
)
def test_nouns_before_nouns_and_whole_phrases_may_be_marked(marked: str) -> None:
    assert strings("head-inside", marked) == []


@pytest.mark.parametrize(
    ("marked", "whole"),
    [
        ("[a|The mayor] of Oslo left.", "The mayor of Oslo"),
        ("[a|The man] who sold it left.", "The man who sold it"),
    ],
)
def test_the_maximal_phrase_is_to_be_marked(marked: str, whole: str) -> None:
    (only,) = found(marked)
    assert only.rule == "not-maximal"
    assert f"'{whole}'" in only.advice


def test_modifiers_of_the_clause_are_not_missing() -> None:
    assert found("[a|The mayor] left Oslo. On Monday [a|the mayor] came back.") == []


def test_a_headline_in_capitals_is_not_judged() -> None:
    assert found("[a|DOCTORS AND NURSES] LEAVE [b|THE] WARD") == []


@pytest.mark.parametrize(
    "marked",
    [
        "[a|WHO] says that salt helps.",
        "[a|An empire whose costly mistakes would echo for years^empire] fell.",
        "[a|Specialized knowledge (of science or old movies)^knowledge] helps.",
        "[a|The rope [b|the sailor]'s dog chewed^rope] broke.",
    ],
)
def test_correct_phrases_that_look_wrong_are_not_reported(marked: str) -> None:
    assert found(marked) == []
