"""Is a pair fit for a union and, if not, why; and what must its writer notice?"""

import pytest

from tatian import Pipeline
from tatian.analysis.installed import unavailable
from tatian.text import Document, Metadata, Span
from tatian.text.documents import Passage
from tatian.union.relations.fitness import (
    SentenceOverlap,
    consolidation_probability,
    judge,
    measure_overlap,
)

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


def test_quotation_of_an_unnamed_speaker_lacks_context(fitness):
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
    assert (found.reason, found.why) == ("unnatural", "sentence 1 asks, the other states")


def test_an_event_reported_ahead_of_it_on_a_given_day_is_unnatural(fitness):
    found = fitness(
        "The board of the ferry line met on Sunday to discuss the accident.",
        "The board of the ferry line will meet Sunday about the accident, sources said Friday.",
    )
    assert found.reason == "unnatural"
    assert found.why.startswith("sentence 2 reports before the event")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "Acupuncture is the ancient Chinese medical therapy technique of inserting thin, "
            "sharpened needles into specific nerve junction points of the body.",
            "53.8 percent of the subjects who had needles inserted in four acupuncture zones in "
            "the ear five times a week tested free of cocaine at the end of the study period.",
        ),
        (
            "Ferries sail to Halverne about every five hours.",
            "Another ferry to Halverne would spoil the harbour's peace, its master told reporters.",
        ),
        (
            "The engine of a ferry weighs as much as a house.",
            "A ferry lost its engine off Halverne on Monday.",
        ),
    ],
    ids=["the paper's", "bare plural", "the part of a kind"],
)
def test_a_general_truth_beside_one_event_has_nothing_to_consolidate(fitness, first, second):
    found = fitness(first, second)
    assert (found.reason, found.why) == (
        "no-consolidation",
        "sentence 1 says what holds in general, the other what holds in one case",
    )


def test_headline_in_the_present_is_an_event(fitness):
    found = fitness(
        "After scooping up jewelry and watches estimated to be worth 2 million euros the thieves "
        "reversed their car out of the store and set fire to it before making off",
        "Robbers crash 4x4 into store, grabbing jewelry and watches, before setting car ablaze.",
    )
    assert found.fit


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (
            "The line will build its ferry in Sennick.",
            "The line will build its ferry in Halverne, its owner said.",
            ("Sennick", "Halverne"),
        ),
        (
            "The council rejected the harbour plan.",
            "The council approved the harbour plan by two votes.",
            ("rejected", "approved"),
        ),
    ],
)
def test_sentences_that_cannot_both_be_true_disagree(fitness, first, second, words):
    found = fitness(first, second)
    assert found.reason == "disagreement"
    (dispute,) = found.contradictions
    assert all(word in claim.text for word, claim in zip(words, dispute.claims, strict=True))


def test_the_mother_of_13_and_of_12_is_a_disagreement(fitness):
    found = fitness(
        "Video of Brooklyn Mother of 13 Zurana Horton shot and killed in a gang shooting was "
        "revealed Thursday.",
        "A shocking video released for the first time Thursday captures the moment a Brooklyn "
        "mother of 12 was killed in a gang shootout as she picked her daughter up from school.",
    )
    assert found.reason == "disagreement"
    assert "13" in found.why
    assert "12" in found.why


def test_a_time_of_night_is_no_disagreement_with_the_night(fitness):
    assert fitness(
        "The ferry sank at 3:10 in the morning.", "The ferry, which sank in the night, was old."
    ).fit
    assert fitness("The ferry sank at about 2 a.m.", "The ferry sank before dawn off Sennick.").fit


def test_different_end_dates_disagree(fitness):
    found = fitness(
        "The trial of the captain was put off until March.",
        "The trial of the captain was put off until May.",
    )
    assert found.reason == "disagreement"


def test_an_unattributed_judgement_beside_a_report_lacks_context(fitness):
    found = fitness(
        "Sadly, because Magic Leap seldom hires and does not actively recruit female candidates, "
        "the company loses competitive advantage to products like Microsoft's Hololens.",
        "When Tannen Campbell was hired by Magic Leap in 2015, the Florida company had no women "
        "in leadership roles and its only idea to make its product female-friendly was to "
        "release a pink version, according to Forbes.",
    )
    assert (found.reason, found.why) == (
        "missing-context",
        "whose judgement is 'Sadly' in sentence 1?",
    )


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        (
            '"The ice broke and three boys fell in," he said.',
            "Three boys fell through the ice off Halverne on Sunday.",
            "who says what sentence 1 quotes?",
        ),
        (
            '"They made up the story about the ferry," she said.',
            "The newspaper made up the story about the ferry, a court ruled.",
            "who says what sentence 1 quotes?",
        ),
        (
            "We were told to sign blank forms.",
            "Sailors in Halverne were told to sign blank forms, an inquiry found.",
            "who is 'We' in sentence 1?",
        ),
        (
            "The captain lost his licence after the ferry ran aground off Halverne.",
            "That led to the end of the ferry line to Halverne.",
            "what is 'That' in sentence 2?",
        ),
    ],
)
def test_unnamed_speaker_is_missing_context(fitness, first, second, why):
    found = fitness(first, second)
    assert (found.reason, found.why) == ("missing-context", why)


def test_expectation_and_outcome_are_before_and_after(fitness):
    found = cases(
        fitness(
            "After leaving Alderson at 12:30 a.m. on March 3, 2005, Martha Stewart declared the "
            '5-month experience as "life altering and life affirming."',
            "US lifestyle guru Martha Stewart is expected to leave jail on Friday after a "
            "five-month sentence for a stock scandal.",
        )
    )
    assert found["before-after"].why == "sentence 1 was written after the event: use the past tense"


def test_weeks_ago_are_a_time_that_needs_the_day_of_publication(fitness):
    found = fitness(
        "The island's last cinema closed two weeks ago.",
        "The last cinema on the island closed on August 9.",
        date="2024-08-23",
    )
    assert found.fit
    assert "relative-date" in cases(found)


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


def test_shared_attribution_is_no_attribution_case(fitness):
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
    chances = [consolidation_probability(SentenceOverlap(words, 1, 0.4)) for words in range(8)]
    assert chances == sorted(chances)
    assert (
        consolidation_probability(SentenceOverlap(0, 0, 0.0))
        < 0.1
        < 0.9
        < consolidation_probability(SentenceOverlap(5, 2, 0.8))
    )


def test_without_the_encoder_words_alone_decide():
    assert (
        consolidation_probability(SentenceOverlap(0, 0))
        < 0.5
        < consolidation_probability(SentenceOverlap(3, 1))
    )


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
