"""Agreement and settlement of unions, ratings and marks."""

from __future__ import annotations

from typing import Any

import pytest

from tatian.workbench.tasks import Json, tasks
from tatian.workbench.tasks.agreement import Measure, Settled, VotingRule

from ..crowd import JUDGED, LONG, OTHER, SHORT, STORM, WINDS, rated, skipped, written

PAIR = {"sentences": [STORM, WINDS]}
MARKED = {"sentences": [STORM, WINDS], "merged": SHORT}
MAJORITY = VotingRule()


def comparing(name: str) -> Any:
    return tasks.create(name)


def settle_answers(
    name: str, content: Json, *answers: Json, rule: VotingRule = MAJORITY
) -> Settled:
    named = dict(zip("abcdef", answers, strict=False))
    found: Settled = comparing(name).settle(content, named, rule)
    return found


def measures(name: str, content: Json, *items: dict[str, Json]) -> dict[str, Measure]:
    contents = {str(number): content for number in range(len(items))}
    answers = {str(number): item for number, item in enumerate(items)}
    return {one.name: one for one in comparing(name).agreement(contents, answers)}


def missing(*spans: tuple[int, int], **more: Any) -> Json:
    """Marks on words of the first sentence."""
    marks = [{"start": start, "end": end, "sentence": 0} for start, end in spans]
    return {"missing": marks, **more}


TUESDAY = (STORM.index("Tuesday"), STORM.index("Tuesday") + len("Tuesday night"))
NIGHT = (STORM.index("night"), STORM.index("night") + len("night"))


class TestUnions:
    def test_the_majority_union_is_settled_with_its_base(self) -> None:
        found = settle_answers("union", PAIR, written(OTHER, 1), written(SHORT), written(SHORT))
        assert found.answer == written(SHORT)
        assert [one.where for one in found.differences] == ["Merged sentence"]

    def test_case_and_punctuation_make_no_different_union(self) -> None:
        found = settle_answers("union", PAIR, written("It rained."), written("it rained"))
        assert (found.answer, found.differences) == (written("It rained."), ())

    def test_of_different_unions_the_nearest_to_all_is_proposed(self) -> None:
        found = settle_answers("union", PAIR, written(OTHER), written(SHORT), written(LONG))
        assert found.answer in (written(SHORT), written(LONG))
        (dispute,) = found.differences
        assert dispute.choices == {"a": OTHER, "b": SHORT, "c": LONG}

    def test_most_skips_settle_a_skip_with_the_commonest_reason(self) -> None:
        found = settle_answers(
            "union", PAIR, skipped("unnatural"), skipped("disagreement"), skipped("unnatural"),
            written(SHORT),
        )  # fmt: skip
        assert found.answer == skipped("unnatural")
        assert [one.where for one in found.differences] == ["Union or none", "Why there is none"]

    def test_half_skips_are_a_difference(self) -> None:
        found = settle_answers("union", PAIR, skipped(), written(SHORT))
        assert found.differences[0].choices == {"a": "skipped", "b": "a union"}

    def test_without_answers_nothing_is_settled(self) -> None:
        assert settle_answers("union", PAIR) == Settled(None)

    def test_agreement_measures_words_highlights_skips_and_bases(self) -> None:
        marked = {**written(SHORT), "highlights": [{"start": 32, "end": 40, "sentence": 1}]}
        found = measures(
            "union",
            PAIR,
            {"a": marked, "b": marked},
            {"a": written(SHORT), "b": written(OTHER, 1)},
            {"a": skipped(), "b": skipped()},
            {"a": skipped()},
        )
        words = found["F1 of words of unions"]
        assert (words.n, words.pairs) == (2, {"a b": words.value})
        assert words.value == pytest.approx((1 + 2 * 3 / 15) / 2)
        assert (found["F1 of highlighted words"].value, found["F1 of highlighted words"].n) == (
            1,
            1,
        )
        assert (found["alpha of skipping"].value, found["alpha of skipping"].n) == (1, 3)
        assert found["alpha of the base"].n == 2

    def test_without_comparisons_there_are_no_figures(self) -> None:
        found = measures("union", PAIR, {"a": written(SHORT)})
        assert {(one.value, one.n) for one in found.values()} == {(None, 0)}


class TestRatings:
    content = JUDGED[0].content

    def test_majority_ratings_are_settled(self) -> None:
        found = settle_answers(
            "union.judge", self.content,
            rated(one=(4, 4, 4, 5), two=(1, 1, 1, 1)),
            rated(one=(4, 3, 4, 5), two=(1, 1, 1, 1)),
            rated(one=(4, 3, 4, 5), two=(1, 1, 1, 2)),
        )  # fmt: skip
        assert found.answer == rated(one=(4, 3, 4, 5), two=(1, 1, 1, 1))
        assert [one.choices for one in found.differences] == [
            {"a": 4, "b": 3, "c": 3},
            {"a": 1, "b": 1, "c": 2},
        ]

    def test_of_different_ratings_the_median_is_proposed(self) -> None:
        ratings = [rated(one=(1, 4, 4, last), two=(1, 1, 1, 1)) for last in (5, 2, 1)]
        found = settle_answers("union.judge", self.content, *ratings)
        assert found.answer == rated(one=(1, 4, 4, 2), two=(1, 1, 1, 1))

    def test_a_difference_names_the_union_and_not_its_system(self) -> None:
        ratings = [rated(one=(1, 4, 4, last), two=(1, 1, 1, 1)) for last in (5, 2)]
        (dispute,) = settle_answers("union.judge", self.content, *ratings).differences
        assert dispute.where == f"Fluency of “{SHORT}”"

    def test_systems_with_the_same_union_share_their_ratings(self) -> None:
        content = {**self.content, "systems": {"one": SHORT, "two": SHORT}}
        ratings = [rated(one=(4, 4, 4, last), two=(4, 4, 4, last)) for last in (5, 2)]
        found = settle_answers("union.judge", content, *ratings)
        assert len(found.differences) == 1
        assert found.answer == rated(one=(4, 4, 4, 2), two=(4, 4, 4, 2))

    def test_alpha_is_given_for_each_requested_criterion(self) -> None:
        judged = {"systems": {"one": {"fluency": 5}, "two": {"fluency": 1}}}
        found = measures("union.judge", self.content, {"a": judged, "b": judged})
        assert set(found) == {"alpha of fluency", "equal ratings"}
        assert (found["alpha of fluency"].value, found["alpha of fluency"].n) == (1, 2)
        assert found["equal ratings"].pairs == {"a b": 1}


class TestMarks:
    def test_majority_words_are_settled_with_their_spans(self) -> None:
        found = settle_answers("union.mark", MARKED, missing(TUESDAY), missing(TUESDAY), {})
        assert found.answer == missing(TUESDAY)
        (dispute,) = found.differences
        assert dispute.where == "“Tuesday night” in sentence 1: missing"
        assert dispute.choices == {"a": "marked", "b": "marked", "c": "not marked"}

    def test_common_words_of_different_spans_are_settled(self) -> None:
        found = settle_answers("union.mark", MARKED, missing(TUESDAY), missing(NIGHT))
        assert found.answer == missing(NIGHT)
        assert [one.where for one in found.differences] == ["“Tuesday” in sentence 1: missing"]

    def test_fluency_is_a_separate_difference(self) -> None:
        found = settle_answers("union.mark", MARKED, {"unfluent": True}, {"unfluent": True}, {})
        assert found.answer == {"unfluent": True}
        (dispute,) = found.differences
        assert set(dispute.choices.values()) == {"reads badly", "reads well"}

    def test_agreement_measures_marked_words(self) -> None:
        found = measures("union.mark", MARKED, {"a": missing(TUESDAY), "b": missing(NIGHT)})
        assert found["F1 of marked words"].value == pytest.approx(2 / 3)
        alpha = found["alpha of marks"].value
        assert alpha is not None
        assert 0 < alpha < 1
