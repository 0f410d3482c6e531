"""Source sentences left out of the text."""

from __future__ import annotations

from msgspec.structs import replace

from tatian.workbench.desk.decisions import AddSentence, Decision, Drop, Exclude
from tatian.workbench.desk.leftout import LeftOutSentence, find_left_out

from .texts import CLOSED, HIT, LIFEBOATS, PAGE, THIRTEEN, TWELVE, WOVEN, edited


def list_left_out(*decisions: Decision) -> dict[str, LeftOutSentence]:
    return {one.id: one for one in find_left_out(edited(*decisions))}


def test_redundant_sentences_are_listed_with_the_covering_ones() -> None:
    found = list_left_out()
    assert {HIT, THIRTEEN, LIFEBOATS, PAGE} <= set(found)
    assert [one.text for one in found[HIT].covering] == ["A ferry ran aground on Tuesday."]
    assert TWELVE not in found


def test_words_missing_from_the_covering_sentence_are_marked() -> None:
    one = list_left_out()[HIT]
    assert [one.text[start:end] for start, end in one.missing] == ["hit", "sandbank"]
    assert round(one.risk, 2) == 0.67


def test_a_figure_by_its_value_is_no_missing_word() -> None:
    one = list_left_out()[THIRTEEN]
    assert [one.text[start:end] for start, end in one.missing] == ["doctors"]


def test_the_least_covered_comes_first() -> None:
    risks = [one.risk for one in find_left_out(edited())]
    assert risks == sorted(risks, reverse=True)
    order = [one.id for one in find_left_out(edited())]
    assert order.index(LIFEBOATS) < order.index(HIT) < order.index(THIRTEEN)


def test_sentences_left_out_by_a_person_come_last() -> None:
    found = find_left_out(edited(Drop(CLOSED), Exclude(LIFEBOATS)))
    assert {one.id for one in found[-2:]} == {CLOSED, LIFEBOATS}
    assert all(one.decided for one in found[-2:])


def test_an_added_sentence_is_no_longer_left_out() -> None:
    assert HIT not in list_left_out(AddSentence(HIT))


def test_headlines_come_after_sentences() -> None:
    account = WOVEN.documents[0]
    first, *rest = account.sentences
    headed = replace(account, sentences=(replace(first, why="a headline"), *rest))
    text = replace(WOVEN, documents=(headed, *WOVEN.documents[1:]))
    assert find_left_out(edited(text=text))[-1].text == "Ferry aground"
