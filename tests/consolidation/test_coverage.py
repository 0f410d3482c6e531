"""What tells what: how much of each unit the others tell, word by word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tatian.analysis.coverage import Coverage, WordCoverage
from tatian.consolidation.coverage import CoverageModel, compare_spans
from tatian.consolidation.passages import Passages
from tatian.consolidation.spans import SourceSpan, read_spans
from tatian.text import tokenize

from .bundles import processed


def everything(pairs: Sequence[tuple[str, str]]) -> list[Coverage]:
    """A judge that takes every word for told."""
    return [
        Coverage(
            1.0, 1.0, 1.0, tuple(WordCoverage(t.start, t.end, 1.0, 1.0) for t in tokenize(text))
        )
        for text, _ in pairs
    ]


def compared(
    *texts: str, days: Sequence[str | None] = (), judged: bool = False
) -> tuple[CoverageModel, list[SourceSpan]]:
    """What the units of these accounts tell of each other, by shared words or by the judge."""
    documents = processed(*texts, days=days)
    spans = [one for n, document in enumerate(documents) for one in read_spans(n, document).spans]
    return compare_spans(spans, documents, judge=everything if judged else None), spans


def told(one: str, *others: str, judged: bool = False, days: Sequence[str | None] = ()) -> float:
    """How much of a sentence the others tell."""
    found, (span, *rest) = compared(one, *others, days=days, judged=judged)
    return found.covered_share(span.key, [other.key for other in rest])


class TestWordCoverage:
    def test_sentence_with_shared_words_is_covered(self) -> None:
        assert told("The ferry sank off Halverne.", "In fog the ferry sank off Halverne.") == 1

    def test_longer_sentence_is_partly_covered(self) -> None:
        assert 0 < told("The ferry sank off Halverne in fog.", "The ferry sank.") < 1

    def test_synonyms_cover_each_other(self) -> None:
        assert told("The vessel hurt twelve people.", "The ferry injured 12 people.") == 1

    def test_sentence_without_shared_words_covers_nothing(self) -> None:
        assert told("The ferry sank.", "Divers wept.") == 0

    def test_several_spans_cover_more_than_each_alone(self) -> None:
        others = ("The ferry sank in fog.", "The ferry struck rocks in fog.")
        one = "The ferry struck rocks and sank in fog."
        assert told(one, *others) == 1
        assert all(told(one, other) < 1 for other in others)

    def test_days_are_compared_by_their_date(self) -> None:
        days = ["2023-03-15", "2023-03-14"]
        one, other = "The ferry sank yesterday.", "The ferry sank today."
        assert told(one, other, days=days) == 1
        assert told(one, other, days=["2023-03-15", "2023-03-15"]) < 1

    def test_attribution_counts_less_than_content(self) -> None:
        one = "Police said the ferry sank."
        assert told(one, "Police: the ferry sank.") > told(one, "Police said the ferry left.")


class TestModelCoverage:
    def test_coverage_of_the_model_counts(self) -> None:
        assert told("The ferry quickly sank.", "The ferry sank.", judged=True) == 1

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("The ferry carried 212 people.", "The ferry carried 12 people."),
            ("The ferry carried two people.", "The ferry carried three people."),
            ("The ferry belongs to Verrick.", "The ferry belongs to Held."),
        ],
    )
    def test_but_a_name_or_number_only_if_another_has_it(self, one: str, other: str) -> None:
        assert told(one, other, judged=True) < 1

    def test_a_number_may_be_written_otherwise(self) -> None:
        one, other = "The ferry carried twelve people.", "The ferry carried 12 people."
        assert told(one, other, judged=True) == 1

    def test_the_first_word_is_not_a_name_for_its_capital(self) -> None:
        assert told("Yesterday the ferry sank.", "The ferry sank.", judged=True) == 1

    def test_name_is_covered_by_any_of_several_spans(self) -> None:
        one = "The ferry of Verrick struck rocks."
        others = ("The ferry of Verrick left.", "The ferry struck rocks.")
        found, (span, *rest) = compared(one, *others, judged=True)
        keys = [other.key for other in rest]
        assert found.joint_covered_share(span.key, keys) == found.covered_share(span.key, keys) == 1
        assert found.joint_covered_share(span.key, keys[1:]) < 1


class TestSimilarity:
    def test_similarity_is_symmetric(self) -> None:
        found, (one, other) = compared("The ferry sank off Halverne in fog.", "The ferry sank.")
        assert found.similarity(one.key, other.key) == found.similarity(other.key, one.key) > 0

    def test_meaning_counts_beside_words(self) -> None:
        documents = processed("The ferry sank.", "The ferry left.", "The ferry wept.")
        spans = [
            one for n, document in enumerate(documents) for one in read_spans(n, document).spans
        ]
        rows = np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32)
        vectors = {span.key: row for span, row in zip(spans, rows, strict=True)}
        found = compare_spans(spans, documents, vectors)
        first, near, far = (span.key for span in spans)
        assert found.similarity(first, near) > found.similarity(first, far)

    def test_sentences_of_long_accounts_are_compared_where_they_are_aligned(self) -> None:
        documents = processed(*["The ferry sank. Fog fell. The ferry sank in fog."] * 2)
        spans = [
            one for n, document in enumerate(documents) for one in read_spans(n, document).spans
        ]
        passages = Passages(frozenset((0, 1)), {((0, 0), (1, 2)): 1.0})
        found = compare_spans(spans, documents, passages=passages)
        assert list(found.candidates((0, 0))) == [(1, 2)]
        assert not list(found.candidates((0, 1)))
        assert found.similarity((0, 0), (0, 2)) > 0


def test_span_without_words_is_covered() -> None:
    assert told("...", "The ferry sank.") == 1
