"""Is a pair fit for a union and, if not, why; and what must its writer notice?"""

import pytest

from tatian import Pipeline
from tatian.analysis.installed import unavailable
from tatian.text import Document, Metadata, Span
from tatian.union.models import Passage
from tatian.union.relations.fitness import SentenceOverlap, consolidation, judge, measure_overlap

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable())

FERRY = "A passenger ferry ran aground off Halverne on Tuesday, injuring 12 people."


@pytest.fixture(scope="module")
def process():
    return Pipeline.for_sentences().process


@pytest.fixture(scope="module")
def fitness(process):
    def judged(first, second, date=None, **options):
        passages = [
            Passage(process(Document(name, text, Metadata(date=date))), Span(0, len(text)))
            for name, text in (("a", first), ("b", second))
        ]
        return judge(*passages, **options)

    return judged


def test_partly_overlapping_sentences_are_fit(fitness):
    found = fitness(FERRY, "The ferry, which ran aground off Halverne, was built in 1994.")
    assert found.fit
    assert found.reason is None
    assert found.consolidation > 0.5


def test_sentences_that_share_nothing_have_nothing_to_consolidate(fitness):
    found = fitness(FERRY, "Prices of wheat rose sharply in the capital.")
    assert (found.fit, found.reason) == (False, "no-consolidation")
    assert found.why.startswith("0 content words in common")


def test_the_halves_of_one_story_have_nothing_to_consolidate(fitness):
    found = fitness(
        "Oake was born in Sennick and studied law.", "She later became a judge and wrote novels."
    )
    assert found.reason == "no-consolidation"


def test_a_disagreement_names_the_conflicting_words(fitness):
    second = "A ferry ran aground off Halverne on Tuesday, injuring 13 people."
    found = fitness(FERRY, second)
    assert found.reason == "disagreement"
    (dispute,) = found.contradictions
    assert [claim.text for claim in dispute.claims] == ["12", "13"]
    assert [second[claim.start : claim.end] for claim in dispute.claims[1:]] == ["13"]


@pytest.mark.parametrize(
    ("first", "second", "figures"),
    [
        (
            "The navy captured 26 armed pirates off Halverne.",
            "Off Halverne the navy captured 33 pirates from Sennick.",
            ("26", "33"),
        ),
        (
            "On Friday 36-year-old Duncan Rait fell from a ridge.",
            "43-year-old Duncan Rait fell from a ridge near Halverne.",
            ("36", "43"),
        ),
        (
            "Drought causes $7 billion in losses every year.",
            "Every year drought causes $14 billion in losses.",
            ("$7 billion", "$14 billion"),
        ),
    ],
)
def test_numbers_of_the_same_things_conflict_whatever_stands_next_to_them(
    fitness, first, second, figures
):
    found = fitness(first, second).contradictions
    assert [tuple(claim.text for claim in one.claims) for one in found] == [figures]


def test_a_less_exact_number_is_no_disagreement(fitness):
    found = fitness(
        FERRY, "At least ten people were injured when a ferry ran aground off Halverne."
    )
    assert found.contradictions == ()


def test_a_quotation_whose_speaker_nobody_names_lacks_context(fitness):
    found = fitness(
        "Faulty radars make ferries run aground in fog.",
        '"Everybody warned them for years that such a radar would put a ferry aground," he added.',
    )
    assert (found.reason, found.why) == ("missing-context", "who says what sentence 2 quotes?")


def test_a_speaker_whom_the_other_sentence_names_is_context_enough(fitness):
    found = fitness(
        "Faulty radars make ferries run aground in fog, says Paula Oake.",
        '"Everybody warned them for years that such a radar would put a ferry aground," she added.',
    )
    assert found.fit


def test_the_first_person_in_one_sentence_alone_lacks_context(fitness):
    found = fitness(
        "The ferry ran aground off Halverne in dense fog, injuring twelve.",
        "We stood on the pier all night when the ferry ran aground, and our hearts were heavy.",
    )
    assert (found.reason, found.why) == ("missing-context", "who is 'We' in sentence 2?")


def test_a_question_beside_a_statement_is_unnatural(fitness):
    found = fitness(
        "Was the ferry's radar faulty when it ran aground off Halverne?",
        "The ferry's radar was faulty when it ran aground off Halverne.",
    )
    assert (found.reason, found.why) == ("unnatural", "sentence 1 asks, the other tells")


def test_an_event_reported_ahead_of_it_on_a_given_day_is_unnatural(fitness):
    found = fitness(
        "The board of the ferry line met on Sunday to discuss the accident.",
        "The board of the ferry line will meet Sunday about the accident, sources said Friday.",
    )
    assert found.reason == "unnatural"
    assert found.why.startswith("sentence 2 reports before the event")


def cases(found):
    return {case.kind: case for case in found.cases}


def test_before_and_after_an_event_is_a_subtle_case(fitness):
    found = cases(
        fitness(
            "The captain was questioned by investigators on Wednesday.",
            "The captain will be questioned by investigators about the ferry.",
        )
    )
    assert found["before-after"].why == "sentence 1 was written after the event: use the past tense"


def test_a_source_that_one_sentence_names_is_a_subtle_case(fitness):
    found = cases(fitness(FERRY, "A ferry ran aground off Halverne, the coast guard said."))
    assert found["attribution"].why == "one sentence names a source: the coast guard"


def test_the_same_source_in_both_is_none(fitness):
    found = fitness(
        "A ferry ran aground, the coast guard said.", "The coast guard said a ferry ran aground."
    )
    assert "attribution" not in cases(found)


def test_times_that_need_the_day_of_publication_are_a_subtle_case(fitness):
    found = cases(
        fitness(
            "The ferry ran aground off Halverne yesterday.",
            "The ferry ran aground off Halverne on March 14.",
            date="2023-03-15",
        )
    )
    assert found["relative-date"].why == "'yesterday' equals 'on March 14': the same time"
    assert len(found["relative-date"].places) == 2


def test_sentences_without_trees_are_judged_by_their_words(fitness):
    rules = Pipeline(analyser="rules").process
    one, other = (
        Passage(rules(Document(name, text)), Span(0, len(text)))
        for name, text in (("a", FERRY), ("b", FERRY.replace("12", "13")))
    )
    assert judge(one, other).reason == "disagreement"


def test_more_in_common_is_never_less_likely_a_pair():
    chances = [consolidation(SentenceOverlap(words, 1, 0.4)) for words in range(8)]
    assert chances == sorted(chances)
    assert (
        consolidation(SentenceOverlap(0, 0, 0.0))
        < 0.1
        < 0.9
        < consolidation(SentenceOverlap(5, 2, 0.8))
    )


def test_without_the_encoder_words_alone_decide():
    assert consolidation(SentenceOverlap(0, 0)) < 0.5 < consolidation(SentenceOverlap(3, 1))


def test_words_of_names_are_counted_apart(process):
    one, other = (
        Passage(process(Document(name, text)), Span(0, len(text)))
        for name, text in (
            ("a", "Jonas Verrick steered the ferry."),
            ("b", "The ferry was Jonas Verrick's."),
        )
    )
    found = measure_overlap(one, other)
    assert (found.words, found.names) == (1, 2)
