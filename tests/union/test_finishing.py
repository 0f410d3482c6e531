"""Last touches: one day is named once, and two statements never run into each other."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tatian.analysis.installed import unavailable
from tatian.text import Metadata, Source, SourcedToken
from tatian.text.documents import Passage, copy_tokens
from tatian.text.layers import render
from tatian.union.models.finishing import finish, has_adjacent_numbers, merge_days

needs_encoder = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "")


@pytest.fixture
def woven(passage_of):
    """Two sentences and a union of theirs, given as stretches of either: (sentence, words)."""

    def make(sentences, *stretches, dates=(None, None)):
        passages = []
        for number, (text, date) in enumerate(zip(sentences, dates, strict=True)):
            passage = passage_of(text, f"d{number}")
            document = replace(passage.document, metadata=Metadata(date=date))
            passages.append(Passage(document, passage.span))
        tokens = []
        for number, words in stretches:
            start = sentences[number].index(words)
            tokens += [
                token
                for token in copy_tokens(passages[number])
                if start <= token.sources[0].start < start + len(words)
            ]
        return tokens, passages

    return make


RESIGNED = ("The minister resigned on March 15.", "The minister resigned on Wednesday in tears.")


def test_a_date_and_a_weekday_side_by_side_become_one_phrase(woven):
    union = woven(RESIGNED, (0, "The minister resigned on March 15"), (1, "on Wednesday in tears."))
    assert render(merge_days(*union)) == "The minister resigned on Wednesday, March 15, in tears."


@pytest.mark.parametrize(
    ("date", "text"),
    [
        ("2023-03-17", "The minister resigned on Wednesday, March 15, in tears."),
        ("2024-03-17", "The minister resigned on March 15 on Wednesday in tears."),
    ],
)
def test_a_known_year_says_whether_the_weekday_is_that_of_the_date(woven, date, text):
    stretches = (0, "The minister resigned on March 15"), (1, "on Wednesday in tears.")
    union = woven(RESIGNED, *stretches, dates=(date, date))
    assert render(merge_days(*union)) == text


def test_today_gives_way_to_the_weekday(woven):
    sentences = ("Today a ferry sank.", "A ferry sank on Tuesday.")
    union = woven(sentences, (0, "Today"), (1, "on Tuesday"), (0, "a ferry sank."))
    assert render(finish(*union)) == "On Tuesday a ferry sank."


@pytest.mark.parametrize("vague", ["earlier this month", "last week", "this year"])
def test_a_day_says_more_than_a_month(woven, vague):
    sentences = (f"A ferry sank {vague}.", "A ferry sank on Tuesday.")
    for stretches in (
        [(1, "A ferry sank on Tuesday"), (0, f"{vague}.")],
        [(0, f"A ferry sank {vague}"), (1, "on Tuesday.")],
    ):
        union = woven(sentences, *stretches)
        assert render(merge_days(*union)) == "A ferry sank on Tuesday."


def test_the_day_that_stays_also_names_the_place_of_the_one_that_goes(woven):
    sentences = ("A ferry sank today.", "A ferry sank on Tuesday.")
    union = woven(sentences, (0, "A ferry sank today"), (1, "on Tuesday."))
    day = next(token for token in merge_days(*union) if token.text == "Tuesday")
    assert {source.document for source in day.sources} == {"d0", "d1"}


@pytest.mark.parametrize(
    "sentences",
    [
        ("A ferry sank on Monday.", "A ferry sank on Tuesday."),
        ("A ferry sank on May 3.", "A ferry sank on May 4."),
        ("A ferry sank today.", "A ferry sank yesterday."),
    ],
    ids=["weekdays", "dates", "relative"],
)
def test_days_that_differ_are_left_alone(woven, sentences):
    day = sentences[1].removeprefix("A ferry sank ")
    tokens, passages = woven(sentences, (0, sentences[0].removesuffix(".")), (1, day))
    assert merge_days(tokens, passages) == tuple(tokens)


def test_two_names_of_a_day_in_one_account_are_its_own_choice(woven):
    sentences = ("A ferry sank on Tuesday, March 14, in fog.", "A ferry sank.")
    tokens, passages = woven(sentences, (0, sentences[0]))
    assert merge_days(tokens, passages) == tuple(tokens)


def test_quoted_days_are_left_alone(woven):
    sentences = ('She said: "We sail today"', "They sail on Tuesday.")
    tokens, passages = woven(sentences, (0, sentences[0]), (1, "on Tuesday."))
    assert merge_days(tokens, passages) == tuple(tokens)


@needs_encoder
@pytest.mark.parametrize("comma", ["", ","], ids=["bare", "comma"])
def test_a_second_statement_is_set_apart_by_a_semicolon(woven, comma):
    sentences = (
        f"The official was executed for accepting bribes{comma}.",
        "They have taken steps against unsafe food.",
    )
    union = woven(sentences, (0, sentences[0].removesuffix(".")), (1, sentences[1]))
    assert render(finish(*union)) == (
        "The official was executed for accepting bribes; They have taken steps against unsafe food."
    )


@needs_encoder
def test_a_second_verb_without_its_subject_takes_and(woven):
    sentences = (
        "A former employee walked into the party on Friday.",
        "The former employee, of Halverne, has been charged with murder.",
    )
    union = woven(
        sentences,
        (0, "A former employee walked into the party on Friday"),
        (1, ", has been charged with murder."),
    )
    assert render(finish(*union)) == (
        "A former employee walked into the party on Friday, and has been charged with murder."
    )


@needs_encoder
@pytest.mark.parametrize("link", ["and", "while"])
def test_a_statement_that_is_linked_already_stays(woven, link):
    sentences = (f"The ferry sank near Sennick {link}.", "The crew swam to the shore.")
    tokens, passages = woven(sentences, (0, sentences[0].removesuffix(".")), (1, sentences[1]))
    assert finish(tokens, passages) == tuple(tokens)


@needs_encoder
@pytest.mark.parametrize("text", ["The ferry sank, police said.", "It rained, the ferry sank."])
def test_a_sentence_of_one_account_is_never_changed(woven, text):
    tokens, passages = woven((text, "The ferry sank."), (0, text))
    assert finish(tokens, passages) == tuple(tokens)


def test_numbers_of_two_sentences_side_by_side_are_seen():
    def word(text: str, *documents: str) -> SourcedToken:
        return SourcedToken(text, tuple(Source(name, 0, len(text)) for name in documents))

    assert has_adjacent_numbers(
        [word("least"), word("5", "b"), word("3", "a"), word("people", "a")]
    )
    assert has_adjacent_numbers([word("five", "b"), word("3", "a")])
    assert not has_adjacent_numbers([word("5", "a", "b"), word("3", "a")])
    assert not has_adjacent_numbers([word("5", "b"), word("million", "a")])
    assert not has_adjacent_numbers([word("5", "b"), word("or"), word("3", "a")])


CLOCK = ("The man stopped the clock.", '"He broke it," Ann Lee said.')


def test_a_quotation_that_follows_a_statement_is_separated_from_it(woven):
    union = woven(CLOCK, (0, "The man stopped the clock"), (1, CLOCK[1]))
    assert render(finish(*union)) == 'The man stopped the clock; "He broke it," Ann Lee said.'


def test_a_statement_behind_a_quotation_that_ends_a_sentence_is_separated_from_it(woven):
    texts = ('Ann Lee said: "He broke it."', "Two clocks stopped.")
    union = woven(texts, (0, texts[0]), (1, texts[1]))
    assert render(finish(*union)).startswith('Ann Lee said: "He broke it"; ')
