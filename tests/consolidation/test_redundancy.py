"""What others repeat may go, but no fact may go with it."""

from __future__ import annotations

import pytest

from tatian.analysis.installed import unavailable
from tatian.consolidation.drafts import CitedStretch, _without_repetitions
from tatian.consolidation.redundancy import find_covering

pytestmark = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")

AGROUND = "The ferry Anna, which carried 80 passengers, ran aground off Halverne on Monday."
UNHURT = "Captain Olav Brekke said nobody was hurt and the fog was thick."
HULL = "The hull was torn open by rocks, and divers found a leak."


@pytest.mark.parametrize(
    ("text", "tellers"),
    [
        ("The ferry Anna ran aground off Halverne on Monday.", [0]),
        ("It carried eighty passengers.", [0]),
        ("Captain Olav Brekke said nobody was hurt.", [1]),
        ("The fog was thick, Brekke said.", [1]),
        ("The ferry Anna ran aground on Monday. The hull was torn open by rocks.", [0, 2]),
    ],
)
def test_text_is_covered_by_as_few_sentences_as_needed(text: str, tellers: list[int]) -> None:
    assert find_covering(text, [AGROUND, UNHURT, HULL]) == tellers


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The mayor did not resign on Monday.", "The mayor resigned on Monday after the vote."),
        ("The mayor resigned on Monday.", "The mayor did not resign on Monday after the vote."),
        ("The mayor resigned on Monday.", "The mayor may resign on Monday after the vote."),
        ("The driver fled to Orme.", "The driver allegedly fled to Orme on Friday."),
        ("Police arrested Tom Hale on Friday.", "Police arrested Ann Hale on Friday in Oslo."),
        ("The ferry carried 80 people.", "The ferry carried 90 people on Monday."),
        ("Four firemen were hurt in the fire.", "Seven firemen were hurt in the fire on Monday."),
        ("“We heard a bang,” said Mara Lindholm.", "“We heard a bang,” said Ib Lund, a neighbour."),
        ("“We heard a bang,” he said.", "“We heard a loud noise,” he said at noon."),
        (f"{AGROUND} {UNHURT} {HULL} A dog drowned.", f"{AGROUND} {UNHURT} {HULL}"),
    ],
)
def test_a_text_with_a_fact_of_its_own_is_not_covered(text: str, other: str) -> None:
    assert find_covering(text, [other, "It was cold."]) == []


def test_text_without_others_is_uncovered() -> None:
    assert find_covering(AGROUND, []) == []


def stretches(*texts: str) -> list[CitedStretch]:
    return [CitedStretch(text, ((0, number),), not number) for number, text in enumerate(texts)]


def left(some: list[CitedStretch]) -> list[str]:
    return [stretch.text for stretch in _without_repetitions(some) if not stretch.why]


def test_of_two_sentences_that_say_the_same_one_stays() -> None:
    again = "The ferry Anna ran aground off Halverne on Monday."
    assert left(stretches(AGROUND, UNHURT, again)) == [AGROUND, UNHURT]
    assert left(stretches(again, again, again)) == [again]


def test_the_last_sentence_with_a_fact_stays_though_each_is_covered_by_the_next() -> None:
    chain = (
        "The ferry Anna ran aground on Monday.",
        "The ferry Anna ran aground off Halverne on Monday.",
        AGROUND,
    )
    for order in (chain, chain[::-1]):
        assert left(stretches(*order)) == [AGROUND]


def test_a_stretch_that_repeats_itself_loses_the_repetition() -> None:
    twice = CitedStretch(f"{AGROUND} {HULL} {AGROUND}", ((0, 0),), True)
    first, second, third = _without_repetitions([twice])
    assert [one.text for one in (first, second, third)] == [AGROUND, HULL, AGROUND]
    assert [one.why for one in (first, second, third)] == ["", "", "it repeats other sentences"]
    assert [one.opens for one in (first, second, third)] == [True, False, False]


def test_a_sentence_stays_to_which_the_next_one_refers() -> None:
    visit = "Mayor Ruth Hale visited passengers in Orme."
    texts = (visit, AGROUND, visit, "She thanked the crew of a lifeboat.")
    assert left(stretches(*texts)) == list(texts[1:])


def test_covering_sentence_takes_over_the_citations() -> None:
    first, _, refused = _without_repetitions(
        stretches(AGROUND, UNHURT, "The ferry Anna ran aground off Halverne on Monday.")
    )
    assert (first.cited, refused.cited) == (((0, 0), (0, 2)), ((0, 2),))


def test_without_a_repetition_all_stays_as_it_was() -> None:
    kept = stretches(f"{AGROUND} {UNHURT}", HULL)
    assert _without_repetitions(kept) == kept
