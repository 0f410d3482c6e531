"""Agreement and settlement of chains."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tatian.formats.muc.markables import Markup, chains_of
from tatian.statistics.agreement import krippendorff_alpha
from tatian.workbench.tasks.agreement import VotingRule
from tatian.workbench.tasks.coreference import CoreferenceTask
from tatian.workbench.tasks.coreference.agreement import LinkedPhrases, links_alpha
from tatian.workbench.tasks.items import convert

WORDS = [f"w{number:02}" for number in range(12)]
TEXT = " ".join(WORDS)
CONTENT = {"text": TEXT}
TWO_OF_THREE = VotingRule(share=0.5)


def answer(*chains: tuple[int, ...]) -> dict:
    """Return an answer with chains of words by number."""
    found = []
    for chain in chains:
        for word in chain:
            one = {"id": str(word), "start": 4 * word, "end": 4 * word + 3}
            found.append(one if word == chain[0] else {**one, "antecedent": str(chain[0])})
    return {"markables": found}


def chains(plain: dict) -> set[tuple[int, ...]]:
    markup = convert(plain, Markup, "answer")
    return {
        tuple(one.start // 4 for one in chain.mentions) for chain in chains_of(markup.markables)
    }


@pytest.fixture
def task() -> CoreferenceTask:
    return CoreferenceTask()


def measures(task, answers):
    return {one.name: one for one in task.agreement({"d": CONTENT}, {"d": answers})}


def test_equal_chains_agree_fully(task):
    same = answer((0, 1, 2), (4, 5))
    found = measures(task, {"ann": same, "ben": same})
    assert found["CoNLL F1 of chains"].value == 1
    assert found["CoNLL F1 of chains"].pairs == {"ann ben": 1.0}
    assert found["alpha on links"].value == 1


def test_chains_with_nothing_in_common_agree_no_more_than_by_chance(task):
    found = measures(task, {"ann": answer((0, 1)), "ben": answer((2, 3))})
    assert found["CoNLL F1 of chains"].value == 0
    assert found["alpha on links"].value < 0.05


def test_different_borders_with_one_min_agree(task):
    wide = answer((0, 2))
    wide["markables"][1] |= {"end": 15, "head": {"start": 8, "end": 11}}
    found = measures(task, {"ann": answer((0, 2)), "ben": wide})
    assert found["CoNLL F1 of chains"].value == 1


def test_single_answer_gives_no_agreement(task):
    found = measures(task, {"ann": answer((0, 1))})
    assert [one.value for one in found.values()] == [None, None, None]


partitions = st.lists(st.integers(0, 3), min_size=8, max_size=8)


@given(st.lists(partitions, min_size=2, max_size=4))
def test_alpha_is_krippendorffs_over_all_pairs_of_phrases(labels):
    def grouped(own):
        return [tuple(i for i, label in enumerate(own) if label == one) for one in set(own)]

    markups = {
        f"a{number}": convert(answer(*[g for g in grouped(own) if len(g) > 1]), Markup, "")
        for number, own in enumerate(labels)
    }
    phrases = LinkedPhrases.of(markups)
    assume(len(phrases.order) > 1)
    linked = {
        name: {pair for group in groups for pair in combinations(sorted(group), 2)}
        for name, groups in phrases.chains.items()
    }
    ratings = [[pair in own for own in linked.values()] for pair in combinations(phrases.order, 2)]
    expected = krippendorff_alpha(ratings)
    value, units = links_alpha([phrases])
    assert units == len(ratings)
    assert (value is None) if math.isnan(expected) else value == pytest.approx(expected)


def test_a_majority_settles_phrases_and_links(task):
    answers = {
        "ann": answer((0, 1, 2), (4, 5)),
        "ben": answer((0, 1, 2), (6, 7)),
        "cyn": answer((0, 1), (4, 5)),
    }
    settled = task.settle(CONTENT, answers, TWO_OF_THREE)
    assert chains(settled.answer) == {(0, 1, 2), (4, 5)}
    assert task.from_page(CONTENT, 1, {}, settled.answer) == settled.answer


def test_differing_chains_are_described(task):
    answers = {"ann": answer((0, 1, 2), (4, 5)), "ben": answer((0, 1), (4, 5))}
    (dispute,) = task.settle(CONTENT, answers, TWO_OF_THREE).differences
    assert dispute.where == "the chain of “w00”"
    assert dispute.choices == {"ann": "“w00” = “w01” = “w02”", "ben": "“w00” = “w01”"}


def test_joined_and_divided_chains_are_one_difference(task):
    answers = {"ann": answer((0, 1, 2, 3)), "ben": answer((0, 1), (2, 3))}
    (dispute,) = task.settle(CONTENT, answers, TWO_OF_THREE).differences
    assert dispute.choices["ben"] == "“w00” = “w01”; “w02” = “w03”"


def test_borders_and_optionality_differ_separately(task):
    doubted = answer((0, 2))
    doubted["markables"][1] |= {"optional": True}
    (dispute,) = task.settle(
        CONTENT, {"ann": answer((0, 2)), "ben": doubted}, VotingRule()
    ).differences
    assert dispute.choices == {"ann": "“w02”", "ben": "“w02”, optional"}


def test_nothing_is_settled_without_answers(task):
    assert task.settle(CONTENT, {}, VotingRule()).answer is None


@given(st.lists(st.lists(st.integers(0, 3), min_size=8, max_size=8), min_size=1, max_size=5))
def test_a_settled_answer_is_valid(labels):
    task = CoreferenceTask()
    answers = {
        f"a{number}": answer(*[
            tuple(i for i, label in enumerate(own) if label == one)
            for one in set(own) if own.count(one) > 1
        ])
        for number, own in enumerate(labels)
    }  # fmt: skip
    settled = task.settle(CONTENT, answers, VotingRule(0.6, reached=True))
    assert task.from_page(CONTENT, 1, {}, settled.answer) == settled.answer
    if len({str(chains(one)) for one in answers.values()}) == 1:
        assert chains(settled.answer) == chains(answers["a0"])
        assert settled.differences == ()
