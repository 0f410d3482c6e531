"""Lists of names that the text repeats, by one phrase; and the phrases that a result tells of."""

from __future__ import annotations

import pytest

from tatian.analysis.installed import unavailable
from tatian.consolidation import Consolidation
from tatian.consolidation.result import Aggregation
from tatian.pipeline import Pipeline

from .bundles import bundle, consolidate
from .promises import every_sentence_has_its_fate, tokens_are_where_they_say

pytestmark = [
    pytest.mark.skipif(bool(unavailable()), reason=unavailable()),
    pytest.mark.usefixtures("unjudged"),
]

PIPELINE = Pipeline(merger="longer-or-both")
FIRST = "Ford, Toyota and Honda recalled 500,000 cars over faulty airbags."
AGAIN = "Ford, Toyota and Honda will pay for the repairs."


def woven(*texts: str) -> Consolidation:
    return consolidate(bundle(*texts), pipeline=PIPELINE)


def test_a_list_that_was_just_there_is_named_by_a_sure_phrase() -> None:
    assert (
        woven(f"{FIRST} {AGAIN}").text == f"{FIRST} The three automakers will pay for the repairs."
    )


def test_the_words_of_the_phrase_stand_for_the_whole_list() -> None:
    text = f"{FIRST} {AGAIN}"
    result = woven(text)
    (_, second) = result.sentences
    for token in second.tokens[:3]:
        behind = {text[one.start : one.end] for one in token.sources}
        assert {"Ford", "Toyota", "Honda"} <= behind
        assert {one.kind for one in token.sources} == {"aggregated"}


def test_the_phrase_is_no_mention_of_the_first_of_them() -> None:
    result = woven(f"{FIRST} {AGAIN}")
    phrase = result.aggregations[0]
    assert phrase.start is not None
    assert not any(one.start <= phrase.start < one.end for one in result.mentions)


@pytest.mark.parametrize(
    "text",
    [
        AGAIN,
        f"{FIRST} Both Ford, Toyota and Honda will pay.",
        f"{FIRST} Shares of rivals Ford, Toyota and Honda fell.",
        f"{FIRST} Ford, Toyota and Honda shares fell.",
        f'{FIRST} "Ford, Toyota and Honda will pay," he said.',
        f"{FIRST} Nissan and Volvo are fine. {AGAIN}",
        f"{FIRST} Fog came. Rain fell. Snow lay. {AGAIN}",
        "Ford Motor Company recalled cars. Toyota and Honda did so too. " + AGAIN,
        "They met Al Held and Ed Rowe. Al Held and Ed Rowe will pay.",
    ],
)
def test_where_it_would_be_unclear_or_lose_a_word_the_list_stays(text: str) -> None:
    assert woven(text).text == text


class TestAggregations:
    def test_a_phrase_comes_with_its_score_and_facts(self) -> None:
        (found,) = woven(FIRST).aggregations
        assert found.phrase == "the three automakers"
        assert found.score is not None
        assert 0.65 <= found.score <= 1
        assert "Honda: industry Automotive industry" in found.support

    def test_a_set_that_two_accounts_have_is_told_once(self) -> None:
        assert len(woven(FIRST, AGAIN).aggregations) == 1

    def test_a_plural_of_the_accounts_is_told_with_what_it_speaks_of(self) -> None:
        text = "Angela Merkel met Emmanuel Macron and Boris Johnson. The three leaders spoke."
        result = woven(text)
        found = next(one for one in result.aggregations if one.start is not None)
        names = {chain.id: chain.name for chain in result.chains}
        assert found.phrase == "The three leaders"
        assert [names[one] for one in found.chains] == [
            "Angela Merkel",
            "Emmanuel Macron",
            "Boris Johnson",
        ]
        assert (found.score, found.support) == (None, ())

    def test_a_result_from_before_there_were_scores_can_be_read(self) -> None:
        plain = woven(FIRST).to_json()
        for one in plain["aggregations"]:
            del one["score"], one["support"]
        (found,) = Consolidation.from_json(plain).aggregations
        assert found == Aggregation("the three automakers", found.chains)


@pytest.mark.parametrize(
    "texts",
    [
        (f"{FIRST} {AGAIN}",),
        (FIRST, "The three automakers recalled 500,000 cars because airbags may explode."),
        ("France and Germany signed a treaty.", "The two countries signed a treaty in Berlin."),
    ],
)
def test_what_is_named_keeps_the_promises_of_a_result(texts: tuple[str, ...]) -> None:
    given = bundle(*texts)
    result = consolidate(given, pipeline=PIPELINE)
    tokens_are_where_they_say(result)
    every_sentence_has_its_fate(result, [PIPELINE.process(document) for document in given])
