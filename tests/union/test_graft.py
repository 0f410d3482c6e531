"""The most detailed sentence, with what the others add grafted on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tatian.errors import EmptyInput
from tatian.pipeline import Pipeline
from tatian.text import Document, Metadata, Source, Span, WovenToken, tokenize
from tatian.text.content import concept, is_content, is_telling
from tatian.union import judging
from tatian.union.models import Merged, Passage, graft, mergers
from tatian.union.models.graft import Graft

PIPELINE = Pipeline(analyser="rules", detector="names", resolver="match")


@pytest.fixture(scope="module", autouse=True)
def unjudged() -> Iterator[None]:
    """Rules alone decide what says the same, whether or not a model of meaning is installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "_available", lambda: False)
        yield


def passage(id_: str, text: str, **metadata: str) -> Passage:
    document = PIPELINE.process(Document(id_, text, Metadata(**metadata)))
    return Passage(document, Span(0, len(text)))


def merged(*texts: str) -> Merged:
    return Graft().merge([passage(chr(97 + n), text) for n, text in enumerate(texts)])


def union(*texts: str) -> str:
    return merged(*texts).text


def fates(*texts: str) -> list[str]:
    return [outcome.fate for outcome in merged(*texts).outcomes]


def sources(found: Merged, word: str) -> tuple[Source, ...]:
    tokens: list[WovenToken] = [token for sentence in found.sentences for token in sentence]
    return next(token for token in tokens if token.text == word).sources


class TestWhatIsSaidOnce:
    def test_one_sentence_stays_as_it_is(self) -> None:
        assert union("The ferry sank in fog.") == "The ferry sank in fog."

    def test_a_sentence_that_says_nothing_more_is_redundant(self) -> None:
        texts = ("The ferry sank in fog off Halverne.", "The ferry sank off Halverne.")
        assert union(*texts) == texts[0]
        assert fates(*texts) == ["kept", "redundant"]

    def test_the_more_detailed_sentence_is_the_base_wherever_it_stands(self) -> None:
        assert union("The ferry sank.", "The ferry sank in fog off Halverne.") == (
            "The ferry sank in fog off Halverne."
        )

    def test_other_words_for_the_same_things_add_nothing(self) -> None:
        texts = ("The ferry hit the bank in dense fog.", "The vessel struck the bank in thick fog.")
        assert union(*texts) == texts[0]

    def test_who_reports_it_is_not_news(self) -> None:
        assert fates("The ferry sank off Halverne.", "They said the ferry sank.")[1] == "redundant"

    def test_a_word_that_both_have_names_both_as_its_sources(self) -> None:
        found = merged("The ferry sank in fog.", "The ferry sank.")
        assert sources(found, "sank") == (Source("a", 10, 14), Source("b", 10, 14))

    def test_another_word_for_it_counts_as_substituted(self) -> None:
        found = merged("The ferry sank in fog.", "The vessel sank.")
        assert sources(found, "ferry")[1] == Source("b", 4, 10, "substituted")

    def test_another_form_of_it_counts_as_inflected(self) -> None:
        found = merged("The fog injured two men.", "Fog was injuring men.")
        assert sources(found, "injured")[1].kind == "inflected"


class TestWhatIsAdded:
    def test_a_circumstance_is_joined_on(self) -> None:
        assert union(
            "The ferry carrying 212 people ran aground off Halverne.",
            "The ferry ran aground in thick fog.",
        ) == ("The ferry carrying 212 people ran aground off Halverne in thick fog.")

    def test_a_relative_clause_goes_to_its_noun_between_commas(self) -> None:
        assert union(
            "Two tugs pulled the Marla Grey into Halverne harbour.",
            "Tugs pulled the Marla Grey, which was old.",
        ) == ("Two tugs pulled the Marla Grey, which was old, into Halverne harbour.")

    def test_the_source_of_the_report_goes_to_the_end(self) -> None:
        assert union(
            "The ferry ran aground off Halverne in fog.", "It ran aground, the coast guard said."
        ) == ("The ferry ran aground off Halverne in fog, the coast guard said.")

    def test_an_adjective_goes_before_its_noun_and_takes_its_article(self) -> None:
        assert union("A ferry ran aground off Halverne in fog.", "An old ferry ran aground.") == (
            "An old ferry ran aground off Halverne in fog."
        )

    def test_a_phrase_in_front_stays_in_front(self) -> None:
        assert union(
            "The ferry ran aground off Halverne.", "On Tuesday, the ferry ran aground."
        ) == ("On Tuesday, the ferry ran aground off Halverne.")

    def test_what_was_added_is_told_and_knows_its_source(self) -> None:
        found = merged("The ferry sank off Halverne.", "The ferry sank in fog.")
        assert found.outcomes[1].fate == "merged"
        assert found.outcomes[1].why == "adds: fog"
        assert sources(found, "fog") == (Source("b", 18, 21),)

    def test_what_cannot_be_joined_on_stays_a_sentence_of_its_own(self) -> None:
        texts = ("The ferry ran aground off Halverne in fog.", "Tolle saw the ferry at 7:40 a.m.")
        assert union(*texts) == " ".join(texts)
        assert fates(*texts) == ["kept", "kept"]

    def test_such_a_sentence_leaves_out_a_last_circumstance_already_told(self) -> None:
        assert union(
            "The ferry ran aground off Halverne in thick fog.", "Tolle saw the ferry in the fog."
        ) == ("The ferry ran aground off Halverne in thick fog. Tolle saw the ferry.")

    def test_a_denial_is_news(self) -> None:
        texts = (
            "The company ignored two warnings in January.",
            "The company did not hide warnings.",
        )
        assert union(*texts) == " ".join(texts)

    def test_three_sentences_become_one(self) -> None:
        assert union(
            "The ferry ran aground off Halverne harbour.",
            "The ferry ran aground in fog.",
            "The ferry ran aground, officials said.",
        ) == ("The ferry ran aground off Halverne harbour in fog, officials said.")


class TestNumbers:
    def test_a_vague_number_is_implied_by_an_exact_one(self) -> None:
        texts = ("It carried 212 people off Halverne.", "It carried more than 200 people.")
        assert union(*texts) == texts[0]
        assert fates(*texts)[1] == "redundant"

    def test_so_is_a_vague_number_in_words(self) -> None:
        texts = ("It carried 212 people off Halverne.", "It carried more than two hundred people.")
        assert union(*texts) == texts[0]

    def test_but_not_if_it_is_far_off(self) -> None:
        assert "500" in union("It carried 212 people.", "It carried more than 500 people.")

    def test_a_contradiction_is_shown_not_resolved(self) -> None:
        found = merged("It injured 12 people off Halverne.", "It injured 13 people.")
        assert found.text == "It injured 12 people (13, according to another account) off Halverne."
        assert [one.kind for one in found.contradictions] == ["number"]

    def test_who_says_otherwise_is_called_by_its_publisher(self) -> None:
        both = [
            passage("a", "It injured 12 people off Halverne."),
            passage("b", "It injured 13 people.", source="The Coastal Wire"),
        ]
        assert "(13, according to The Coastal Wire)" in Graft().merge(both).text

    def test_every_rival_claim_is_shown_once(self) -> None:
        text = union(*(f"It injured {n} people." for n in (12, 13, 13, 14)))
        assert (text.count("13"), text.count("14")) == (1, 1)
        assert text.startswith("It injured 12 people (")

    def test_a_number_of_several_words_is_disputed_as_a_whole(self) -> None:
        assert union(
            "The theft cost the museum nine million crowns on Tuesday.",
            "The theft cost the museum twelve million crowns.",
        ).endswith("nine million crowns (twelve million, according to another account) on Tuesday.")

    def test_a_disputed_date_is_shown_right_after_the_date(self) -> None:
        assert union(
            "The audit was completed on September 28 police sources said.",
            "The audit was completed on September 29.",
        ).startswith(
            "The audit was completed on September 28 (September 29, according to another account)"
        )

    def test_words_of_a_rival_claim_know_their_place(self) -> None:
        found = merged("It injured 12 people off Halverne.", "It injured\n13 people.")
        assert sources(found, "13") == (Source("b", 11, 13),)


class TestDays:
    @pytest.mark.parametrize("pair", [("on Tuesday", "yesterday"), ("yesterday", "on Tuesday")])
    def test_a_weekday_and_yesterday_do_not_contradict(self, pair: tuple[str, str]) -> None:
        texts = [f"The ferry sank off Halverne {day}." for day in pair]
        assert union(*texts) == texts[0]

    def test_two_weekdays_do(self) -> None:
        text = union("The ferry sank off Halverne on Tuesday.", "The ferry sank on Friday.")
        assert "Friday" in text


class TestNames:
    LONG = "Verrick was questioned by investigators about the radar for three hours."

    def test_a_person_gets_the_fullest_name(self) -> None:
        found = merged(self.LONG, "The investigators questioned Jonas Verrick.")
        assert found.text.startswith("Jonas Verrick was questioned")
        assert sources(found, "Jonas")[0].kind == "substituted"

    def test_and_so_after_a_title(self) -> None:
        text = union(f"Captain {self.LONG}", "The investigators questioned Jonas Verrick.")
        assert text.startswith("Captain Jonas Verrick was questioned")

    def test_and_so_in_brackets(self) -> None:
        long = "The captain (Verrick) was questioned by investigators about the radar."
        text = union(long, "Investigators questioned Jonas Verrick.")
        assert text.startswith("The captain (Jonas Verrick) was")

    def test_nobody_gets_the_name_of_another_of_the_family(self) -> None:
        family = "Verrick left with his wife, Anna Verrick, for three days on Tuesday."
        assert union(family, family) == family
        text = union(f"Mr. {family}", "Anna Verrick left for three days.")
        assert "Anna Verrick left with his wife" not in text

    def test_a_full_name_is_not_given_twice(self) -> None:
        text = f"Jonas {self.LONG}"
        assert union(text, "The investigators questioned Jonas Verrick.") == text


class TestRewording:
    """What of a sentence may be other words for what is said."""

    LONG = "The ferry hit the sandbank and stayed there in thick fog off Halverne."
    ROUGH = "The battered ferry hit the sandbank roughly."

    def test_one_of_several_words_may_be(self) -> None:
        other = "The ferry hit the sandbank off Halverne in thick fog suddenly."
        found = merged(self.LONG, other)
        assert found.text == self.LONG
        assert found.outcomes[1].why == "in other words: suddenly"

    def test_more_may_not_unless_a_model_of_meaning_agrees(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert fates(self.LONG, self.ROUGH)[1] != "redundant"
        monkeypatch.setattr(graft, "follows", lambda premise, hypothesis: True)
        assert "roughly" not in union(self.LONG, self.ROUGH)
        monkeypatch.setattr(graft, "follows", lambda premise, hypothesis: False)
        assert "roughly" in union(self.LONG, self.ROUGH)

    def test_names_and_numbers_never_are(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(graft, "follows", lambda premise, hypothesis: True)
        assert "1994" in union(self.LONG, "The 1994 ferry hit the sandbank.")
        assert "Sennick" in union(self.LONG, "The Sennick ferry hit the sandbank.")

    def test_an_announcement_is_overtaken_by_the_event(self) -> None:
        """Union paper, appendix B: written after the event, the past tense is right."""
        report = "Investigators questioned the captain for three hours about the radar on Friday."
        texts = ("The captain will be questioned by investigators, the ministry said.", report)
        assert union(*texts) == report


class TestQuotations:
    """Text inside quotation marks is never altered."""

    @pytest.mark.parametrize(
        ("quote", "other"),
        [
            ('"We hit a bank off Halverne," he said.', "They hit a big bank in fog."),
            ('"Verrick knew about the radar," she said on Tuesday.', "Jonas Verrick knew."),
            ('"It injured 12 people in all," she said on Tuesday.', "It injured 13 people."),
            ("“A ferry ran aground off Halverne in fog,” she said.", "An old ferry ran aground."),
            ('"It sank. We hit a bank off Halverne. We left," he said.', "They hit a bank in fog."),
        ],
    )
    def test_nothing_is_put_between_its_words(self, quote: str, other: str) -> None:
        marks = "“”" if "“" in quote else '""'
        words = quote[quote.index(marks[0]) : quote.rindex(marks[1]) + 1]
        for texts in ((quote, other), (other, quote)):
            assert words in union(*texts)

    def test_a_disputed_number_in_a_quotation_leaves_the_other_sentence_standing(self) -> None:
        found = merged('"It injured 12 people in all," she said in port.', "It injured 13 people.")
        assert (
            found.text == '"It injured 12 people in all," she said in port. It injured 13 people.'
        )
        assert found.contradictions

    def test_new_words_somebody_said_are_never_called_a_paraphrase(self) -> None:
        text = union("The ferry ran aground off Halverne in fog.", '"The ferry groaned," he said.')
        assert '"The ferry groaned,"' in text


class TestOddInput:
    def test_nothing_to_merge_is_an_error(self) -> None:
        with pytest.raises(EmptyInput, match="no passages"):
            Graft().merge([])

    @pytest.mark.parametrize(
        "texts",
        [("", "It sank."), ("...", "!!"), ("Sinking", "In fog, it was."), ("🚢", "🚢"), ("a", "b")],
    )
    def test_sentences_without_much_in_them_do_no_harm(self, texts: tuple[str, str]) -> None:
        assert len(merged(*texts).outcomes) == 2

    def test_a_sentence_of_thousands_of_words_is_merged_in_seconds(self) -> None:
        long = "The ferry " + " ".join(f"in fog{n} near bank{n}," for n in range(750)) + " sank."
        assert "Halverne" in union(long, "The ferry sank off Halverne near bank7.")

    def test_it_is_found_by_its_name(self) -> None:
        assert isinstance(mergers.create("graft"), Graft)


POOL = [
    "The ferry ran aground off Halverne on Tuesday.",
    "A passenger ferry carrying 212 people ran aground in thick fog.",
    "The vessel, which was built in 1994, ran aground near Halverne, the coast guard said.",
    "More than 200 people were on board when the ferry hit a sandbank.",
    '"The ferry ran aground in fog," said Ingrid Tolle, the harbour master.',
    "On Tuesday, the old ferry ran onto a sandbank because the radar had failed.",
    "Captain Jonas Verrick said that 13 people were injured.",
    "It injured 12 people, according to Verrick.",
    "No ferry ran aground off Sennick!",
]


@settings(max_examples=150)
@given(st.lists(st.sampled_from(POOL), min_size=1, max_size=5))
def test_names_numbers_and_quotations_are_never_lost(texts: list[str]) -> None:
    found = merged(*texts)
    written = {concept(token.text) for sentence in found.sentences for token in sentence}
    for text in texts:
        assert '"' not in text or text[: text.rindex('"')] in found.text
        told = {token.text for token in tokenize(text) if is_content(token.text)}
        assert {concept(word) for word in told if is_telling(word)} - {"200"} <= written


@settings(max_examples=150)
@given(st.lists(st.sampled_from(POOL), min_size=1, max_size=5))
def test_every_word_knows_its_sources_and_every_sentence_its_fate(texts: list[str]) -> None:
    found = merged(*texts)
    accounts = {chr(97 + n): text for n, text in enumerate(texts)}
    for sentence in found.sentences:
        assert sentence
        for token in sentence:
            for source in token.sources:
                words = accounts[source.document][source.start : source.end]
                assert source.kind != "copied" or words.lower() == token.text.lower()
    for outcome in found.outcomes:
        assert outcome.into
        assert all(0 <= index < len(found.sentences) for index in outcome.into)
        assert outcome.why
    kept = {outcome.into for outcome in found.outcomes if outcome.fate == "kept"}
    assert len(kept) == len(found.sentences)
