"""Parts of sentences that the text has told already."""

from __future__ import annotations

import pytest

import tatian
from tatian.analysis.coverage import read_coverage
from tatian.analysis.installed import unavailable
from tatian.consolidation.coverage import compare_spans
from tatian.consolidation.cuts import find_cuts
from tatian.consolidation.spans import read_spans
from tatian.text import Document

pytestmark = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")


@pytest.fixture(scope="module")
def pipeline() -> tatian.Pipeline:
    return tatian.Pipeline()


def second(pipeline: tatian.Pipeline, *texts: str) -> str:
    """The last of these accounts without what those before it tell."""
    documents = [pipeline.process(Document(str(n), text)) for n, text in enumerate(texts)]
    spans = [span for n, one in enumerate(documents) for span in read_spans(n, one).spans]
    found = find_cuts(spans, documents, compare_spans(spans, documents, judge=read_coverage))
    document = documents[-1]
    gone = found.get(spans[-1].key, frozenset())
    words = [token.text for token in document.tokens if token.start not in gone]
    return " ".join(words).replace(" ,", ",").replace(" .", ".")


RUSSELL = "Chief Scott Russell was badly injured in the blast at the bank."


class TestParts:
    def test_phrase_with_a_measure_is_not_cut(self, pipeline: tatian.Pipeline) -> None:
        text = "The death of Mr Buckley came a day after Duncan Rait was killed in the park."
        assert second(pipeline, "Duncan Rait was killed in the park on Friday.", text) == text

    def test_a_day_before_a_clause_stays(self, pipeline: tatian.Pipeline) -> None:
        text = "The service began again on Friday, when a smaller ship made the first crossing."
        assert second(pipeline, "Sailings began again on Friday.", text) == text

    def test_time_behind_an_adverb_is_not_cut(self, pipeline: tatian.Pipeline) -> None:
        told = "Scott Russell was found dead in his cell in Salem late on Tuesday night."
        text = "Police in Salem said that Russell had hanged himself late on Tuesday night."
        assert second(pipeline, told, text) == text

    def test_redundant_part_between_commas_is_cut(self, pipeline: tatian.Pipeline) -> None:
        text = (
            "Russell, 46, who was injured in the blast at the bank, thanked the doctors of Salem."
        )
        assert second(pipeline, RUSSELL, text) == "Russell, 46, thanked the doctors of Salem."

    def test_cut_removes_the_commas_around_it(self, pipeline: tatian.Pipeline) -> None:
        told = f"{RUSSELL} Scott Russell, the chief of police in Woodburn, is 46 years old."
        text = "Russell, the chief of police in Woodburn, thanked the doctors of Salem."
        assert second(pipeline, told, text) == "Russell thanked the doctors of Salem."

    def test_the_comma_before_a_speaker_stays(self, pipeline: tatian.Pipeline) -> None:
        told = f"{RUSSELL} The blast at the bank in Woodburn killed two officers."
        text = "A door was torn off by the blast, which killed two officers, investigators said."
        assert second(pipeline, told, text) in (
            text,
            "A door was torn off by the blast, investigators said.",
        )

    def test_the_subject_of_the_next_verb_stays(self, pipeline: tatian.Pipeline) -> None:
        told = "The head of the rescue service, Matthias Brugger, was in Sankt Veit on Saturday."
        text = (
            "Two people have died and two are missing after the avalanche above Sankt Veit, the"
            " head of the rescue service, Matthias Brugger, told a news conference at 1 p.m."
        )
        assert "Matthias Brugger, told" in second(pipeline, told, text)

    def test_uncovered_part_is_not_cut(self, pipeline: tatian.Pipeline) -> None:
        text = "Tugs, which had come from Ostrey at noon, pulled the ferry free."
        assert second(pipeline, RUSSELL, text) == text

    @pytest.mark.parametrize(
        "text",
        [
            "Russell did not leave the clinic, where he was treated after the blast at the bank.",
            '"Russell, who was injured in the blast at the bank, thanked us," a doctor said.',
        ],
    )
    def test_denials_and_quotations_stay_whole(self, pipeline: tatian.Pipeline, text: str) -> None:
        kept = second(pipeline, f"{RUSSELL} He was treated at the clinic.", text)
        assert kept.count("blast") == 1

    def test_first_occurrence_is_never_cut(self, pipeline: tatian.Pipeline) -> None:
        assert second(pipeline, RUSSELL) == RUSSELL
