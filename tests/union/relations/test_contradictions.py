"""Points on which sentences cannot all be right."""

from __future__ import annotations

import time

import pytest

from tatian.pipeline import Pipeline
from tatian.text import Document, Span
from tatian.text.documents import Passage
from tatian.union.models import Contradiction
from tatian.union.relations.contradictions import find_contradictions


def passages(*texts: str) -> list[Passage]:
    """Each text as the one sentence of a document of its own."""
    pipeline = Pipeline(analyser="rules", detector="names", resolver="match")
    return [
        Passage(pipeline.process(Document(chr(97 + n), text)), Span(0, len(text)))
        for n, text in enumerate(texts)
    ]


def rivals(*texts: str) -> list[list[str]]:
    """What the claims of each contradiction say."""
    return [[claim.text for claim in found.claims] for found in contradictions(*texts)]


def contradictions(*texts: str) -> tuple[Contradiction, ...]:
    return find_contradictions(passages(*texts))


class TestNumbers:
    def test_two_numbers_of_the_same_things_contradict(self) -> None:
        found = contradictions("It injured 12 people.", "In all, 13 people were injured.")
        assert [one.kind for one in found] == ["number"]
        assert [claim.text for claim in found[0].claims] == ["12", "13"]
        assert [claim.document for claim in found[0].claims] == ["a", "b"]
        assert found[0].why == "12 against 13 people"

    def test_a_claim_is_the_whole_number(self) -> None:
        assert rivals(
            "The theft cost the museum nine million crowns.",
            "The theft cost the museum twelve million crowns.",
        ) == [["nine million crowns", "twelve million crowns"]]

    def test_a_vague_number_contradicts_none(self) -> None:
        assert rivals("It injured 212 people.", "It injured more than 200 people.") == []

    def test_two_least_numbers_may_both_be_right(self) -> None:
        assert (
            rivals("A ferry sank, killing at least 3 people.", "At least 5 people died, they said.")
            == []
        )

    def test_a_number_below_the_least_of_another_contradicts_it(self) -> None:
        assert rivals("It injured 150 people.", "It injured more than 200 people.") == [
            ["150", "more than 200"]
        ]

    def test_least_numbers_of_what_can_happen_again_do_not(self) -> None:
        assert rivals("The Colts won two games for Orm.", "The Colts won at least 10 games.") == []
        assert rivals("They won at least 8 games.", "They won at least 10 games.") == []

    def test_two_prices_of_one_purchase_contradict(self) -> None:
        assert rivals(
            "Acme bought Globex for $2.1 billion on Monday.",
            "Acme has agreed to purchase Globex for $2.4 billion.",
        ) == [["$2.1 billion", "$2.4 billion"]]

    def test_prices_of_other_deals_do_not(self) -> None:
        assert (
            rivals("Acme bought Globex for $2 million.", "Acme sold Globex for $3 million.") == []
        )
        assert rivals("Acme bought Globex for $2 million.", "Acme bought Orm for $3 million.") == []

    def test_number_in_words_does_not_contradict_digits(self) -> None:
        assert rivals("It injured 12 people.", "It injured twelve people.") == []

    def test_numbers_of_different_things_do_not_meet(self) -> None:
        assert rivals("It injured 12 people.", "It injured 13 dogs.") == []

    def test_numbers_of_differently_named_things_are_not_compared(self) -> None:
        assert rivals("It injured 12 people.", "Later 13 people ate soup.") == []

    def test_whoever_gives_both_numbers_contradicts_neither(self) -> None:
        both = "On Monday it injured 12 people and on Friday it injured 13 people."
        assert rivals(both, "It injured 13 people.") == []
        assert rivals("It injured 13 people.", both) == []
        assert rivals(both, both) == []


class TestDates:
    def test_two_days_for_the_same_thing_contradict(self) -> None:
        found = contradictions(
            "The audit was completed on September 28.", "The audit was completed on September 29."
        )
        assert [one.kind for one in found] == ["date"]
        assert [c.text for c in found[0].claims] == ["September 28", "September 29"]

    def test_days_of_different_things_do_not(self) -> None:
        assert rivals("The audit began on May 28.", "Winslade resigned on May 29.") == []

    def test_a_weekday_and_yesterday_do_not_contradict(self) -> None:
        assert (
            rivals("The audit was completed on Tuesday.", "The audit was completed yesterday.")
            == []
        )

    def test_a_month_and_a_footnote_are_no_day(self) -> None:
        assert rivals("It was completed in May ² again.", "It was completed in May ③ again.") == []


class TestNames:
    ONE = "The watchman Alan Firth was found tied to a chair."
    TWO = "The watchman Adam Firth was found tied to a chair."

    def test_surname_with_different_first_names_contradicts(self) -> None:
        (found,) = contradictions(self.ONE, self.TWO)
        assert found.kind == "name"
        assert [claim.text for claim in found.claims] == ["Alan Firth", "Adam Firth"]

    @pytest.mark.parametrize("other", ["A. Firth", "Allan Firth", "Al Firth", "Firth"])
    def test_an_initial_a_short_form_or_a_spelling_does_not(self, other: str) -> None:
        assert rivals(self.ONE, self.ONE.replace("Alan Firth", other)) == []

    def test_first_names_that_begin_otherwise_are_two_people(self) -> None:
        assert rivals(self.ONE, self.ONE.replace("Alan", "Martha")) == []

    def test_names_in_sentences_about_other_things_do_not_meet(self) -> None:
        assert rivals(self.ONE, "Later Adam Firth wrote a book.") == []

    def test_whoever_names_both_contradicts_neither(self) -> None:
        both = "The watchmen Alan Firth and Adam Firth were found tied to a chair."
        assert rivals(both, both) == []
        assert rivals(both, self.ONE) == []


def test_source_does_not_contradict_itself() -> None:
    text = "It injured 12 people. It injured 13 people."
    document = Pipeline(analyser="rules", detector="names").process(Document("a", text))
    both = [Passage(document, Span(s.start, s.end)) for s in document.sentences]
    assert find_contradictions(both) == ()


def test_three_accounts_contradict_each_other_pair_by_pair() -> None:
    texts = [f"It injured {number} people." for number in (12, 13, 14)]
    assert rivals(*texts) == [["12", "13"], ["12", "14"], ["13", "14"]]


def test_every_claim_stands_in_its_account() -> None:
    texts = ("It injured 12 people on May 28.", "It injured 13 people on May 29.")
    for found in contradictions(*texts):
        for claim in found.claims:
            assert texts["ab".index(claim.document)][claim.start : claim.end] == claim.text


def test_no_passages_have_no_contradictions() -> None:
    assert find_contradictions([]) == ()


def test_hundreds_of_sentences_are_compared_in_seconds() -> None:
    many = passages(*(f"It injured {12 + number % 2} people." for number in range(200)))
    begin = time.process_time()
    assert find_contradictions(many)
    assert time.process_time() - begin < 10


def test_figure_with_many_counterparts_is_no_conflict(passage_of):
    texts = [f"The flood in Orm injured {count} people on Monday." for count in (3, 5, 7, 9)]
    passages = [passage_of(text, f"d{index}") for index, text in enumerate(texts)]
    assert find_contradictions(passages[:2])
    assert not find_contradictions(passages)


def test_figures_of_frequently_counted_things_are_no_conflict(passage_of):
    passages = [
        passage_of("Hill scored 23 points and Reed scored 8 points for Orm.", "a"),
        passage_of("Stone scored 14 points, Ward 12 points and Lane 6 points for Orm.", "b"),
        passage_of("Cole scored 31 points for Orm.", "c"),
    ]
    assert not find_contradictions(passages)
