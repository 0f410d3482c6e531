"""Generated phrases: what matches gold, what is supported, how varied they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.aggregation.data.records import Instance
from tatian.aggregation.data.rules import normalize_phrase
from tatian.aggregation.metrics import score_generated
from tatian.aggregation.metrics.answers import GenerationLine
from tatian.aggregation.models import quote_context
from tatian.aggregation.models.facts.generator import FactJudge
from tatian.errors import InputError
from tatian.scoring import Scores

GOLD = ("french politicians", "presidential candidates")


def instance(id: str = "i") -> Instance:
    return Instance(id, ("Royal", "Bayrou"), "person", aggregations=GOLD)


def generated(
    *phrases: str, id: str = "i", support: tuple[tuple[str, ...], ...] = ()
) -> GenerationLine:
    return GenerationLine(
        id, tuple((phrase, 1 / n) for n, phrase in enumerate(phrases, 1)), support
    )


def values(*phrases: str) -> dict[str, float]:
    found = score_generated([instance()], {"i": generated(*phrases)})
    return {name: found.value(name) for name in found.metrics}


@pytest.mark.parametrize(
    "phrase",
    [
        "The French Politicians",
        "the two french politicians",
        "these 3 French politicians.",
        "both french  politicians",
        "All the twelve French politicians",
    ],
)
def test_phrases_are_compared_without_case_determiners_and_numbers(phrase: str) -> None:
    assert normalize_phrase(phrase) == "french politicians"


@pytest.mark.parametrize("phrase", ["the", "two", "french politician", "candidates of the left"])
def test_normalisation_keeps_content_words(phrase: str) -> None:
    assert normalize_phrase(phrase) == phrase


@given(st.text())
def test_normalising_twice_changes_nothing(phrase: str) -> None:
    assert normalize_phrase(normalize_phrase(phrase)) == normalize_phrase(phrase)


def test_the_first_match_counts_for_match_and_rank() -> None:
    found = values("politicians", "The French politicians", "french politicians")
    assert (found["match@1"], found["match@10"], found["mrr"]) == (0, 1, 1 / 2)


def test_a_gold_phrase_is_recalled_once_however_often_it_is_proposed() -> None:
    assert values("French politicians", "the french politicians")["recall"] == 1 / 2


def test_phrase_without_a_match_scores_0() -> None:
    found = values("politicians")
    assert (found["match@10"], found["mrr"], found["recall"]) == (0, 0, 0)


def test_phrases_beyond_the_limit_do_not_count() -> None:
    found = values(*["politicians"] * 10, "french politicians")
    assert found["match@10"] == 0
    assert found["recall"] == 0


def test_proposals_that_differ_in_case_only_are_not_distinct() -> None:
    assert values("politicians", "Politicians", "leaders", "the two leaders")["distinct"] == 2 / 4


def test_repeated_words_lower_the_variety() -> None:
    assert values("french leaders", "french politicians")["words"] == 3 / 4


def test_support_is_the_share_of_proposals_that_carry_facts() -> None:
    answer = generated("leaders", "politicians", support=((), ("Royal: nationality France",)))
    found = score_generated([instance()], {"i": answer})
    assert found.score("supported").value == 1 / 2
    assert found.score("supported@1").value == 0


def test_a_system_without_support_gets_no_score_of_support() -> None:
    assert "supported" not in values("leaders")


def test_quotations_of_the_context_are_not_facts() -> None:
    answer = generated("leaders", support=((quote_context("the leaders"),),))
    assert score_generated([instance()], {"i": answer}).score("supported").value == 0


def test_a_judge_of_facts_decides_in_place_of_the_system() -> None:
    answer = generated("The politicians", "poets", support=((), ("a false fact",)))
    found = score_generated([instance()], {"i": answer}, facts=lambda _: {"politicians"})
    assert found.score("supported").value == 1 / 2
    assert found.score("supported@1").value == 1
    assert "|support:base|" in found.signature()


@pytest.fixture(scope="module")
def facts() -> FactJudge:
    return FactJudge("starter")


def test_a_base_supports_what_its_facts_say_of_all_entities(facts: FactJudge) -> None:
    found = facts(Instance("i", ("France", "Germany"), "location"))
    assert "european countries" in found
    assert "asian countries" not in found


def test_invalid_sets_get_no_support(facts: FactJudge) -> None:
    assert facts(Instance("i", ("France",), "location")) == frozenset()


def test_an_instance_without_proposals_is_not_answered() -> None:
    answers = {"a": generated("french politicians", id="a"), "b": generated(id="b")}
    found = score_generated([instance("a"), instance("b")], answers)
    assert found.score("answered").value == 1 / 2
    assert found.score("match@1").value == 1 / 2
    assert found.score("distinct").value == 1


def test_support_of_fewer_phrases_than_there_are_is_refused() -> None:
    answer = generated("leaders", "politicians", support=(("a fact",),))
    with pytest.raises(InputError, match="instance 'i': 2 phrases, but the support of 1"):
        score_generated([instance()], {"i": answer})


def test_an_empty_phrase_is_refused() -> None:
    with pytest.raises(InputError, match="an empty phrase"):
        values(" ")


def test_answers_must_be_those_of_the_task() -> None:
    with pytest.raises(InputError, match="without an answer: 'i'"):
        score_generated([instance()], {"j": generated("leaders", id="j")})


def many(*phrases: str) -> Scores:
    ids = [f"i{number}" for number in range(20)]
    return score_generated(
        [instance(id) for id in ids], {id: generated(*phrases, id=id) for id in ids}
    )


def test_plain_data_has_intervals_and_a_signature() -> None:
    plain = many("leaders").to_json()
    assert plain["instances"] == 20
    assert plain["intervals"]["match@1"] == {"low": 0, "high": 0, "level": 0.95}
    assert plain["signature"].startswith("generation|limit:10|n:20|data:")


def test_instances_without_phrases_add_nothing_to_distinct() -> None:
    answers = {"i": generated("poets", "poets"), "j": generated(id="j")}
    found = score_generated([instance(), instance("j")], answers)
    assert found.score("distinct").value == 1 / 2


def test_distinct_is_0_where_nothing_was_proposed() -> None:
    assert values()["distinct"] == 0
