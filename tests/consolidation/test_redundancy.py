"""Sentences that say nothing the rest of the text does not say."""

from __future__ import annotations

import pytest
from tatian.consolidation.draft import Draft
from tatian.consolidation.redundancy import drop_repeated, settle_headlines

from tatian.consolidation import redundancy
from tatian.text.provenance import render

from .bundles import copied, processed, weights


def settled(*texts: str) -> Draft:
    documents = processed(*texts)
    draft = copied(documents)
    drop_repeated(draft, weights(documents))
    settle_headlines(draft)
    return draft


def told(*texts: str) -> list[str]:
    return [render(one.tokens) for one in settled(*texts).told]


pytestmark = pytest.mark.usefixtures("unjudged")

AGROUND = "The old ferry ran aground off Halverne in thick fog on Tuesday."


class TestRepetition:
    def test_a_sentence_that_another_says_is_dropped(self) -> None:
        assert told(AGROUND, "The ferry ran aground off Halverne.") == [AGROUND]

    def test_a_sentence_that_several_say_together_is_dropped(self) -> None:
        one, two = (
            "The old ferry ran aground off Halverne.",
            "Thick fog lay off Halverne on Tuesday.",
        )
        assert told(f"{one} {two}", "The old ferry ran aground in thick fog.") == [one, two]

    def test_it_says_where_it_went_and_why(self) -> None:
        draft = settled(AGROUND, "The ferry ran aground off Halverne.")
        gone = draft.settled[(1, 0)]
        assert (gone.fate, gone.into) == ("redundant", [draft.told[0]])
        assert gone.why == "other sentences say it"

    @pytest.mark.parametrize(
        "news",
        [
            "The old ferry ran aground off Sennick in thick fog on Tuesday.",
            "The old ferry ran aground off Halverne in thick fog at 7:40 on Tuesday.",
            "Verrick ran aground off Halverne in thick fog on Tuesday in the old ferry.",
        ],
    )
    def test_a_new_name_or_number_keeps_it(self, news: str) -> None:
        assert news in told(AGROUND, news)

    def test_the_name_a_sentence_begins_with_keeps_it(self) -> None:
        both = [
            f"{name} resigned from the board of the ferry company on Tuesday after the report."
            for name in ("Verrick", "Tolle")
        ]
        assert told(*both) == both

    def test_new_words_in_quotation_marks_keep_it(self) -> None:
        quote = '"The old ferry simply ran aground off Halverne in thick fog on Tuesday," he said.'
        assert quote in told(AGROUND, quote)

    def test_what_an_account_says_twice_itself_stays(self) -> None:
        text = "The ferry ran aground off Halverne."
        assert told(f"{AGROUND} {text}") == [AGROUND, text]

    def test_a_sentence_that_another_was_dropped_for_stays(self) -> None:
        texts = [
            AGROUND,
            "The ferry ran aground off Halverne.",
            "The old ferry ran aground in fog.",
        ]
        assert told(*texts) == [AGROUND]

    def test_a_sentence_without_content_stays(self) -> None:
        assert told(AGROUND, "It was.") == [AGROUND, "It was."]


class TestRewording:
    LONG = (
        "The old ferry with passengers and crew ran aground on a sandbank outside the harbour in "
        "thick fog on the morning of the storm."
    )
    BATTERED = "The battered old ferry ran aground off Halverne in thick fog."

    def test_a_small_share_may_be_put_otherwise(self) -> None:
        other = self.LONG.replace("old", "ancient")
        assert len(told(self.LONG, other)) == 1

    def test_a_larger_one_keeps_the_sentence(self) -> None:
        assert told(AGROUND, self.BATTERED) == [AGROUND, self.BATTERED]

    def test_unless_a_model_of_meaning_agrees(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(redundancy, "follows", lambda premise, hypothesis: True)
        draft = settled(AGROUND, self.BATTERED)
        assert [render(one.tokens) for one in draft.told] == [AGROUND]
        assert draft.settled[(1, 0)].why == "other sentences say it, in other words than: battered"

    def test_which_is_asked_whether_the_one_follows_from_the_other(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[tuple[str, str]] = []
        monkeypatch.setattr(redundancy, "follows", lambda *pair: asked.append(pair) or False)
        assert told(AGROUND, self.BATTERED) == [AGROUND, self.BATTERED]
        assert (AGROUND, self.BATTERED) in asked

    def test_names_and_numbers_are_never_a_question_of_meaning(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(redundancy, "follows", lambda premise, hypothesis: True)
        news = AGROUND.replace("Halverne", "Sennick")
        assert told(AGROUND, news) == [AGROUND, news]


class TestCopies:
    @pytest.mark.parametrize(
        "text", ["Nobody screamed.", '"Nobody screamed."', "🚢 🙏", "Nobody SCREAMED!"]
    )
    def test_a_sentence_that_stands_there_word_for_word_is_dropped(self, text: str) -> None:
        assert told(text, text) == [text]

    @pytest.mark.parametrize(
        ("one", "other"),
        [("The fall was -5.", "The fall was -20."), ("🚢 🙏", "🚢 😢"), ("...", "???")],
    )
    def test_signs_count_as_words(self, one: str, other: str) -> None:
        assert told(one, other) == [one, other]


class TestHeadlines:
    def test_a_headline_that_the_text_tells_is_redundant(self) -> None:
        draft = settled(f"Ferry runs aground off Halverne\n\n{AGROUND}")
        assert [render(one.tokens) for one in draft.told] == [AGROUND]
        assert draft.settled[(0, 0)].fate == "redundant"
        assert draft.settled[(0, 0)].into == draft.told

    NEWS = "Union demands new radar on the Petrel"

    def test_a_headline_with_a_name_or_number_of_its_own_goes_before_its_account(self) -> None:
        texts = (AGROUND, f"{self.NEWS}\n\nTugs came at night.")
        assert told(*texts) == [AGROUND, f"{self.NEWS}.", "Tugs came at night."]

    def test_one_that_only_has_other_words_is_unused(self) -> None:
        draft = settled(f"Union demands new radar station\n\n{AGROUND}")
        assert [render(one.tokens) for one in draft.told] == [AGROUND]
        assert (draft.settled[(0, 0)].fate, draft.settled[(0, 0)].into) == ("unused", [])

    def test_capitals_of_a_headline_in_title_case_make_no_names(self) -> None:
        assert told(f"Union Demands New Radar Station\n\n{AGROUND}") == [AGROUND]

    def test_its_full_stop_is_glue(self) -> None:
        draft = settled(f"{self.NEWS}\n\nTugs came at night.")
        assert [token.text for token in draft.told[0].tokens if token.glue] == ["."]

    @pytest.mark.parametrize(
        "headline", ["Live pictures from Halverne:", "Ferry with 12 aboard lost 🚢"]
    )
    def test_a_headline_that_ends_in_a_mark_gets_no_stop(self, headline: str) -> None:
        assert told(f"{headline}\n\nTugs came at night.")[0] == headline

    def test_one_that_another_headline_says_is_redundant(self) -> None:
        headline = "Union demands new radar station"
        assert told(f"{headline}\n", f"{headline}\n") == [f"{headline}."]

    def test_a_dated_headline_too(self) -> None:
        headline = "Monday, March 13 in Halverne"
        assert told(f"{headline}\n", f"{headline}\n") == [f"{headline}."]
