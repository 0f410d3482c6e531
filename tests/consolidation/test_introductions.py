"""Who "he" is, and the full name first, when sentences stand in new company."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import tatian
from tatian.analysis.installed import unavailable
from tatian.consolidation.introductions import Introductions
from tatian.consolidation.spans import SourceSpan, read_spans
from tatian.pipeline import link_chains
from tatian.text import CHAINS, NAMES, Chain, Document, Mention, Name, SourcedToken, Span
from tatian.text.datelines import publication_days

from .bundles import PIPELINE

TITLE = "Inspector "
NO_NAMES = {"He", "His", "The captain", "The old captain", "The actress"}


def people(
    id_: str, text: str, *chains: Sequence[str], pipeline: tatian.Pipeline = PIPELINE
) -> Document:
    """An account that speaks of these people, each with what it calls them, one after the other."""
    found = []
    for number, phrases in enumerate(chains):
        position, mentions = 0, []
        for phrase in phrases:
            start = text.index(phrase, position)
            position = start + len(phrase)
            head = Span(start + len(TITLE), position) if phrase.startswith(TITLE) else None
            mentions.append(Mention(start, position, "" if phrase in NO_NAMES else "PER", head))
        found.append(Chain(f"{id_}{number}", tuple(mentions), "PER"))
    names = [
        Name(one.start, one.end, "PER") for chain in found for one in chain.mentions if one.type
    ]
    document = Document(id_, text).with_layer(NAMES, sorted(names), "me")
    return pipeline.process(document.with_layer(CHAINS, found, "me"))


class Text:
    """What is written of units of these accounts, one after the other."""

    def __init__(self, *documents: Document) -> None:
        self.spans = [read_spans(number, one).spans for number, one in enumerate(documents)]
        self._introductions = Introductions(
            documents, publication_days(documents), link_chains(documents)
        )

    def tokens(self, span: SourceSpan, *, follows: bool = False) -> tuple[SourcedToken, ...]:
        return self._introductions.written(span, follows=follows)[0]

    def written(self, account: int, index: int, *, follows: bool = False) -> str:
        words = self.tokens(self.spans[account][index], follows=follows)
        return "".join(" " * word.space + word.text for word in words).strip()


class TestPronouns:
    TEXT = "Jonas Verrick was questioned. He had slept."

    def test_away_from_its_place_a_pronoun_becomes_the_name(self) -> None:
        text = Text(people("a", self.TEXT, ["Jonas Verrick", "He"]))
        assert text.written(0, 1) == "Jonas Verrick had slept."

    def test_of_two_names_in_a_chain_the_usual_one_is_taken(self) -> None:
        text = "Verrick was questioned. Deep Throat was someone. Verrick wept. He had slept."
        chain = ["Verrick", "Deep Throat", "Verrick", "He"]
        assert Text(people("a", text, chain)).written(0, 3) == "Verrick had slept."

    @pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")
    def test_he_is_never_several(self) -> None:
        text = "The Pharisees came. He had slept."
        account = people("a", text, ["Pharisees", "He"], pipeline=tatian.Pipeline())
        assert Text(account).written(0, 1) == "He had slept."

    def test_pronoun_in_a_later_sentence_becomes_the_name(self) -> None:
        text = "Police said that Jonas Verrick was questioned. He had slept."
        account = people("a", text, ["Jonas Verrick", "He"])
        assert Text(account).written(0, 1) == "Jonas Verrick had slept."

    def test_description_is_not_used_as_a_name(self) -> None:
        account = people("a", "The Son came. He had slept.", ["Son", "He"])
        assert Text(account).written(0, 1) == "He had slept."

    def test_pronoun_beside_another_is_kept(self) -> None:
        text = "Jonas Verrick was questioned. He thanked him."
        account = people("a", text, ["Jonas Verrick", "He"])
        assert read_spans(0, account).spans[1].dependency == "before"
        assert Text(account).written(0, 1) == "He thanked him."

    def test_in_its_place_it_stays(self) -> None:
        text = Text(people("a", self.TEXT, ["Jonas Verrick", "He"]))
        assert text.written(0, 1, follows=True) == "He had slept."

    def test_ambiguous_pronoun_is_kept(self) -> None:
        told = "Jonas Verrick met Anton Held. He had slept."
        text = Text(people("a", told, ["Jonas Verrick", "He"], ["Anton Held"]))
        assert text.written(0, 1) == "He had slept."

    def test_pronoun_without_a_named_antecedent_is_kept(self) -> None:
        told = "The captain was questioned. He had slept."
        text = Text(people("a", told, ["The captain", "He"]))
        assert text.written(0, 1) == "He had slept."

    def test_a_name_is_preferred_to_a_longer_description(self) -> None:
        told = "The old captain left. Verrick was questioned. He had slept."
        text = Text(people("a", told, ["The old captain", "Verrick", "He"]))
        assert text.written(0, 2) == "Verrick had slept."

    def test_his_becomes_the_name_with_an_ending(self) -> None:
        told = "Jonas Verrick was questioned. His radar had failed."
        text = Text(people("a", told, ["Jonas Verrick", "His"]))
        assert text.written(0, 1) == "Jonas Verrick's radar had failed."

    def test_after_the_full_name_the_name_is_what_its_account_says(self) -> None:
        told = "Jonas Verrick left. Verrick was questioned. He had slept."
        text = Text(people("a", told, ["Jonas Verrick", "Verrick", "He"]))
        text.written(0, 0)
        assert text.written(0, 2) == "Verrick had slept."

    def test_the_words_know_that_they_stand_for_the_pronoun(self) -> None:
        text = Text(people("a", self.TEXT, ["Jonas Verrick", "He"]))
        first = text.tokens(text.spans[0][1])[0]
        assert {source.kind for source in first.sources} == {"substituted"}
        starts = [self.TEXT[source.start : source.end] for source in first.sources]
        assert starts == ["Jonas", "He"]


class TestNames:
    SHORT = "Police questioned Verrick at noon. They saw Verrick again."
    FULL = "A witness saw Jonas Verrick."

    def text(self) -> Text:
        short = people("a", self.SHORT, ["Verrick", "Verrick"])
        return Text(short, people("b", self.FULL, ["Jonas Verrick"]))

    def test_the_first_time_a_person_has_the_fullest_name_of_all_accounts(self) -> None:
        assert self.text().written(0, 0) == "Police questioned Jonas Verrick at noon."

    def test_then_the_name_stays_as_its_account_has_it(self) -> None:
        text = self.text()
        text.written(0, 0)
        assert text.written(0, 1) == "They saw Verrick again."

    def test_after_the_full_name_of_another_account_the_name_stays(self) -> None:
        text = self.text()
        text.written(1, 0)
        assert text.written(0, 0) == "Police questioned Verrick at noon."

    def test_a_title_stays_before_it(self) -> None:
        text = Text(
            people("a", "Inspector Dale was asked.", ["Inspector Dale"]),
            people("b", "Ann Dale came.", ["Ann Dale"]),
        )
        assert text.written(0, 0) == "Inspector Ann Dale was asked."

    @pytest.mark.parametrize("title", ["Mr", "Mr.", "Ms"])
    def test_courtesy_before_a_full_name_goes(self, title: str) -> None:
        text = Text(
            people("a", f"Later, {title} Dale was asked. {title} Dale wept.", ["Dale", "Dale"]),
            people("b", "Ann Dale came.", ["Ann Dale"]),
        )
        assert text.written(0, 0) == "Later, Ann Dale was asked."
        assert text.written(0, 1) == f"{title} Dale wept."

    def test_a_first_name_that_stands_before_it_is_not_doubled(self) -> None:
        text = Text(
            people("a", "The Ann Dale of old was asked.", ["Dale"]),
            people("b", "Ann Dale came.", ["Ann Dale"]),
        )
        assert text.written(0, 0) == "The Ann Dale of old was asked."

    def test_a_name_inside_a_quotation_is_never_altered(self) -> None:
        quoted = '"Ask Verrick," said police.'
        text = Text(people("a", quoted, ["Verrick"]), people("b", self.FULL, ["Jonas Verrick"]))
        assert text.written(0, 0) == quoted

    def test_a_firm_keeps_its_name(self) -> None:
        for firm in ("Verrick and Sons", "Verrick & Co"):
            owned = f"The ship belonged to {firm} then."
            text = Text(people("a", owned, ["Verrick"]), people("b", self.FULL, ["Jonas Verrick"]))
            assert text.written(0, 0) == owned

    def test_a_place_keeps_its_name(self) -> None:
        documents = [
            PIPELINE.process(Document("a", "Fog lay near Lorn.")),
            PIPELINE.process(Document("b", "Fog lay near Port Lorn.")),
        ]
        assert Text(*documents).written(0, 0) == "Fog lay near Lorn."

    def test_a_sentence_without_people_comes_back_as_it_is(self) -> None:
        assert Text(people("a", "Fog came, and rain.")).written(0, 0) == "Fog came, and rain."


class TestKnownPeople:
    def text(self) -> Text:
        first = people("a", "Raj Chohan parked her car.", ["Raj Chohan"])
        second = people(
            "b",
            "A grandmother crossing a street was killed. Raj Chohan was 59.",
            ["A grandmother", "Raj Chohan"],
        )
        third = people("c", "A woman was killed. Raj Chohan died.", ["A woman", "Raj Chohan"])
        return Text(first, second, third)

    def test_named_person_gets_no_indefinite_article(self) -> None:
        text = self.text()
        text.written(0, 0)
        assert text.written(1, 0) == "The grandmother crossing a street was killed."
        assert text.written(2, 0) == "Raj Chohan was killed."

    def test_unnamed_person_gets_an_indefinite_article(self) -> None:
        assert self.text().written(1, 0) == "A grandmother crossing a street was killed."


class TestRepeatedIntroductions:
    """The full name and the office are given once; then the surname, if accounts use it."""

    def text(self, *sentences: str, chains: Sequence[Sequence[str]] | None = None) -> Text:
        names = chains or [["Ann Dale", "Dale"], ["Ann Dale"], ["Ann Dale"]]
        named = zip(sentences, names, strict=False)
        return Text(*(people(chr(97 + n), text, *[c]) for n, (text, c) in enumerate(named)))

    def test_the_second_time_it_is_the_surname(self) -> None:
        text = self.text("Ann Dale came late. Dale left.", "The crowd cheered Ann Dale.")
        text.written(0, 0)
        assert text.written(1, 0) == "The crowd cheered Dale."

    def test_without_an_account_that_uses_the_surname_it_stays(self) -> None:
        chains = [["Ann Dale"], ["Ann Dale"]]
        text = self.text("Ann Dale came late.", "The crowd cheered Ann Dale.", chains=chains)
        text.written(0, 0)
        assert text.written(1, 0) == "The crowd cheered Ann Dale."

    def test_of_two_people_with_one_surname_both_keep_their_names(self) -> None:
        one = people("a", "Ann Dale came. Dale left. Tom Dale stayed.", ["Ann Dale", "Dale"])
        both = people(
            "b", "Ann Dale met Tom Dale. Ann Dale wept.", ["Ann Dale", "Ann Dale"], ["Tom Dale"]
        )
        text = Text(one, both)
        text.written(0, 0)
        assert text.written(1, 1) == "Ann Dale wept."

    def test_of_brothers_with_one_surname_the_second_keeps_his_given_name(self) -> None:
        text = self.text("Ann Dale came late. Dale left.", "Police held Tom and Ann Dale.")
        text.written(0, 0)
        assert text.written(1, 0) == "Police held Tom and Ann Dale."

    @pytest.mark.parametrize(
        "sentence",
        [
            "Police questioned Managing Ann Dale on Tuesday.",
            "Police questioned Lorn's Ann Dale on Tuesday.",
        ],
    )
    def test_a_name_with_a_title_or_an_owner_before_it_stays(self, sentence: str) -> None:
        text = self.text("Ann Dale came late. Dale left.", sentence)
        text.written(0, 0)
        assert text.written(1, 0) == sentence

    def test_a_name_with_a_particle_stays(self) -> None:
        chains = [["Ann van Dale", "Dale"], ["Ann van Dale"]]
        text = self.text("Ann van Dale came. Dale left.", "Ann van Dale wept.", chains=chains)
        text.written(0, 0)
        assert text.written(1, 0) == "Ann van Dale wept."

    def test_after_another_full_name_the_surname_is_enough(self) -> None:
        text = self.text("Ann Dale came late. Dale left.", "Police held Tom Moss and Ann Dale.")
        text.written(0, 0)
        assert text.written(1, 0) == "Police held Tom Moss and Dale."

    @pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")
    def test_of_two_known_people_named_together_none_is_shortened_alone(self) -> None:
        chains = [["Tom Moss", "Moss"], ["Ann Dale", "Dale"]]
        said = "Tom Moss and Ann Dale came late. Moss and Dale left."
        again = "Critics praised the painters Tom Moss and Ann Dale."
        pipeline = tatian.Pipeline()
        text = Text(
            people("a", said, *chains, pipeline=pipeline),
            people("b", again, *(chain[:1] for chain in chains), pipeline=pipeline),
        )
        text.written(0, 0)
        assert text.written(1, 0) == again

    def test_quoted_words_stay(self) -> None:
        text = self.text("Ann Dale came late. Dale left.", '"We saw Ann Dale," they said.')
        text.written(0, 0)
        assert text.written(1, 0) == '"We saw Ann Dale," they said.'

    @pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")
    @pytest.mark.parametrize(
        ("first", "second", "written"),
        [
            (
                "Harbour master Ingrid Tolle spoke. Tolle left.",
                "Harbour master Ingrid Tolle saw the ship.",
                "Tolle saw the ship.",
            ),
            (
                "The crew cheered Ingrid Tolle. Tolle left.",
                "Harbour master Ingrid Tolle saw the ship.",
                "Harbour master Ingrid Tolle saw the ship.",
            ),
            (
                "Ingrid Tolle spoke. Tolle left.",
                "The harbour master, Ingrid Tolle, saw the ship.",
                "The harbour master, Ingrid Tolle, saw the ship.",
            ),
        ],
    )
    def test_an_office_goes_only_if_the_text_has_given_it(
        self, first: str, second: str, written: str
    ) -> None:
        pipeline = tatian.Pipeline(detector="names", aggregator="heads")
        text = Text(
            people("a", first, ["Ingrid Tolle", "Tolle"], pipeline=pipeline),
            people("b", second, ["Ingrid Tolle"], pipeline=pipeline),
        )
        text.written(0, 0)
        assert text.written(1, 0) == written

    @pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")
    def test_the_office_that_comes_later_is_given_the_first_time(self) -> None:
        pipeline = tatian.Pipeline(detector="names", aggregator="heads")
        text = Text(
            people("a", "Lehmann died at dawn.", ["Lehmann"], pipeline=pipeline),
            people(
                "b", "Captain Ernst Lehmann led the ship.", ["Ernst Lehmann"], pipeline=pipeline
            ),
        )
        assert text.written(0, 0) == "Captain Ernst Lehmann died at dawn."
        assert text.written(1, 0) == "Lehmann led the ship."

    @pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")
    def test_the_office_behind_the_name_is_not_put_before_it_too(self) -> None:
        first = people("a", "Dale, the launch director, has left.", ["Dale"])
        second = people("b", '"It flies," launch director Ann Dale said.', ["Ann Dale"])
        written = Text(first, second).written(0, 0)
        assert written == "Ann Dale, the launch director, has left."

    def test_office_beside_a_full_name_is_kept(self) -> None:
        first = people("a", "Edwin Sallow came. Sallow left.", ["Edwin Sallow", "Sallow"])
        second = people("b", "They praised the painter Edwin Sallow.", ["Edwin Sallow"])
        text = Text(first, second)
        text.written(0, 0)
        assert text.written(1, 0).startswith("They praised the painter")

    def test_unchanged_span_names_people_only_in_its_words(self) -> None:
        first = people("a", "Dale came late.", ["Dale"])
        second = people("b", "Ann Dale left.", ["Ann Dale"])
        text = Text(first, second)
        text._introductions.quoted(text.spans[0][0])
        assert text.written(1, 0) == "Ann Dale left."

    @pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")
    def test_full_name_stays_where_it_says_who_somebody_is(self) -> None:
        text = "Ann Dale fled. Dale wept. Police identified the driver as Ann Dale of Orme."
        account = people("a", text, ["Ann Dale", "Dale", "Ann Dale"], pipeline=tatian.Pipeline())
        found = Text(account, people("b", "Tugs came.", pipeline=tatian.Pipeline()))
        assert found.written(0, 0) == "Ann Dale fled."
        assert found.written(0, 2) == "Police identified the driver as Ann Dale of Orme."


class TestOpening:
    TEXT = "Ann Dale leaves Orme.\n\nThe actress has left the clinic. The actress wept."

    def text(self) -> Text:
        return Text(people("a", self.TEXT, ["Ann Dale", "The actress", "The actress"]))

    def test_person_whom_the_headline_names_opens_the_text_by_name(self) -> None:
        assert self.text().written(0, 1) == "Ann Dale has left the clinic."

    def test_later_the_description_stays(self) -> None:
        text = self.text()
        text.written(0, 1)
        assert text.written(0, 2, follows=True) == "The actress wept."

    def test_description_stays_in_a_sentence_with_the_name(self) -> None:
        told = "The actress left, Ann Dale said."
        text = Text(people("a", told, ["The actress", "Ann Dale"]))
        assert text.written(0, 0) == told
