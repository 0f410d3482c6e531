"""How disagreements of accounts are told in the text, and what counts as told with them."""

from __future__ import annotations

from datetime import date

import pytest

import tatian
from tatian.analysis.installed import unavailable
from tatian.consolidation.notes import ConflictNotes
from tatian.consolidation.result import Consolidation
from tatian.text import Document
from tatian.text.documents import Passage, copy_tokens

from .test_conflicts import MORNING, NIGHT, Found

pytestmark = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")


@pytest.fixture(scope="module")
def pipeline() -> tatian.Pipeline:
    return tatian.Pipeline()


class TestNotes:
    def test_other_value_follows_the_figure(self, pipeline: tatian.Pipeline) -> None:
        written = Found(pipeline, NIGHT, MORNING).written()
        assert "at 7 a.m. (6:40 a.m. by another account), the chief" in written

    def test_with_the_source_of_the_account(self, pipeline: tatian.Pipeline) -> None:
        found = Found(pipeline, NIGHT, MORNING, sources=("The Orme Post", "The Courier"))
        assert "(6:40 a.m. according to The Courier)" in found.written()

    def test_behind_the_thing_that_is_counted(self, pipeline: tatian.Pipeline) -> None:
        one = "The 6.1-magnitude quake struck Velm island, home to 120,000 people."
        found = Found(pipeline, one, one.replace("6.1", "5.9").replace("120,000", "200,000"))
        assert "The 6.1-magnitude quake (5.9 by another account) struck" in found.written()
        assert "120,000 people (200,000 by another account)." in found.written()

    def test_a_number_that_opens_its_sentence_is_small_inside_another(
        self, pipeline: tatian.Pipeline
    ) -> None:
        one = "Three people died when the quake struck Velm island on Monday."
        written = Found(pipeline, one, one.replace("Three", "Four")).written()
        assert written.startswith("Three people (four by another account) died")

    def test_a_bound_comes_with_its_figure(self, pipeline: tatian.Pipeline) -> None:
        one = "The mill on Velm island employs 3,100 people."
        written = Found(pipeline, one, one.replace("3,100", "more than 4,000")).written()
        assert "3,100 people (more than 4,000 by another account)" in written

    def test_after_the_time_that_makes_a_figure_a_rate(self, pipeline: tatian.Pipeline) -> None:
        one = "The stone fell on the island of Velm at 17 kilometres per second on Monday."
        written = Found(pipeline, one, one.replace("17", "14")).written()
        assert "17 kilometres per second (14 kilometres by another account) on" in written

    @pytest.mark.parametrize(
        ("clock", "written"),
        [
            ("7.25pm.", "7.25pm (6.40pm by another account)."),
            ("7:25 p.m.", "7:25 p.m. (6:40 p.m. by another account)."),
        ],
    )
    def test_full_stop_of_the_sentence_follows_the_note(
        self, pipeline: tatian.Pipeline, clock: str, written: str
    ) -> None:
        other = clock.replace("7", "6").replace("25", "40")
        texts = [f"The fire at the sawmill was put out at {time}" for time in (clock, other)]
        assert Found(pipeline, *texts).written().endswith(written)

    def test_remark_on_a_source_is_no_part_of_its_name(self, pipeline: tatian.Pipeline) -> None:
        found = Found(pipeline, NIGHT, MORNING, sources=("The Orme Post", "Orme News (web page)"))
        assert "(6:40 a.m. according to Orme News)" in found.written()

    def test_never_behind_a_conversion_in_brackets(self, pipeline: tatian.Pipeline) -> None:
        one = "The damage at the Corvin mill was put at €1 million ($1.5 million) on Monday."
        other = "The damage at the Corvin mill was put at $2.5 million on Monday."
        assert Found(pipeline, one, other).written() == one

    def test_never_inside_a_quotation(self, pipeline: tatian.Pipeline) -> None:
        one = '"The fire at the sawmill was put out at 7 a.m.," the chief said.'
        assert Found(pipeline, one, MORNING).written() == one

    def test_words_of_ours_are_glue_and_the_others_have_sources(
        self, pipeline: tatian.Pipeline
    ) -> None:
        found = Found(pipeline, NIGHT, MORNING)
        span = found.spans[0]
        words = copy_tokens(Passage(found.documents[0], span.bodies[0]))
        (written,) = ConflictNotes(found.conflicts, found.documents, found.days).added(
            span, [words]
        )
        added = [token for token in written if token not in words]
        assert [token.text for token in added if token.glue] == "( by another account )".split()
        assert {one.document for token in added for one in token.sources} == {"b"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("One of the passengers died in the crash.", "Three people died in the crash."),
        ("12 were rescued by a trawler.", "15 were rescued by helicopter."),
        ("The pilot was jailed for two to three years.", "The pilot was jailed for two years."),
    ],
)
def test_a_part_another_doer_and_a_range_exclude_nothing(
    one: str, other: str, pipeline: tatian.Pipeline
) -> None:
    texts = [f"A plane came down near Oslo on Monday. {text}" for text in (one, other)]
    woven = tatian.consolidate([Document(text, text) for text in texts], pipeline=pipeline)
    assert not woven.contradictions


@pytest.mark.parametrize(("later", "values"), [(2022, []), (2021, [["27", "30"]])])
def test_people_grow_older(pipeline: tatian.Pipeline, later: int, values: list[list[str]]) -> None:
    found = Found(
        pipeline,
        "Ann Dale, 27, is wanted for the murder of a guard in Halverne.",
        "The jury found Ann Dale, 30, guilty of the murder of a guard in Halverne.",
        days=[date(2020, 6, 25), date(later, 3, 20)],
    )
    assert found.values == values


def test_thousands_are_one_figure_and_an_account_is_no_other_than_itself(
    pipeline: tatian.Pipeline,
) -> None:
    quake = [
        f"The quake killed {count} – the worst toll in decades." for count in ("2,300", "1,900")
    ]
    crash = [
        "Seven people died in the crash on Monday, two of them on the ground.",
        "Five people died in the crash on Monday.",
    ]
    for texts, claims in ((quake, {"2,300", "1,900"}), (crash, {"Seven", "Five"})):
        woven = tatian.consolidate([Document(text, text) for text in texts], pipeline=pipeline)
        (found,) = woven.contradictions
        assert {one.text for one in found.claims} == claims
        assert woven.text.count("by another account") == 1


class TestThreeSources:
    """Of one accident, with another time of day, duration and count in one of them."""

    TEXTS = (
        "Thirteen people were injured when the car ferry Ingrid Toll struck the north quay at "
        "Brenholt on Tuesday morning. The Ingrid Toll struck the quay at 7:40 a.m., the harbour "
        "office said. Rescue crews brought everyone ashore within two hours. Police questioned the "
        "captain, Marla Grey, for three hours in the afternoon. The ferry company said that an "
        "engine had not answered in reverse. Divers will look at the hull on Wednesday.",
        "A car ferry with 86 passengers aboard struck the north quay at Brenholt at 7:40 a.m. on "
        "Tuesday, injuring 13 of them. A boy with a broken arm was taken to the hospital at "
        "Lysvik. Captain Marla Grey told reporters that the engine did not answer when she put it "
        "into reverse. Within two hours all passengers had been brought ashore by the rescue "
        "crews. The quay stays closed until Friday.",
        "The ferry of captain Marla Grey struck the north quay at Brenholt at 7:20 a.m. on "
        "Tuesday. 12 people were injured, the county hospital said. The passengers were all "
        "brought ashore within three hours by rescue crews. Grey has commanded ferries for eleven "
        "years. The county has asked for a report by the end of the month.",
    )

    @pytest.fixture(params=["", "\u00ad"], ids=["plain", "soft hyphens"])
    def woven(self, pipeline: tatian.Pipeline, request: pytest.FixtureRequest) -> Consolidation:
        parts = str.maketrans({"r": f"r{request.param}", "2": f"2{request.param}"})
        texts = [text.translate(parts) for text in self.TEXTS]
        return tatian.consolidate([Document(text, text) for text in texts], pipeline=pipeline)

    def test_all_three_are_named(self, woven: Consolidation) -> None:
        claims = [{one.text for one in each.claims} for each in woven.contradictions]
        assert claims == [
            {"Thirteen", "13", "12"},
            {"7:40 a.m.", "7:20 a.m."},
            {"two hours", "three hours"},
        ]
        assert woven.text.count("by another account)") == 3

    def test_places_are_those_in_the_accounts_as_given(self, woven: Consolidation) -> None:
        texts = {account.id: account.text for account in woven.documents}
        assert list(texts) == list(texts.values())
        places = [one for each in woven.contradictions for one in each.claims]
        assert [plain(texts[one.document][one.start : one.end]) for one in places] == [
            one.text for one in places
        ]
        words = [token for sentence in woven.sentences for token in sentence.tokens]
        for token in words:
            for source in token.sources:
                said = plain(texts[source.document][source.start : source.end])
                same = said.casefold() == woven.text[token.start : token.end].casefold()
                assert same or source.kind != "copied"

    def test_reason_of_a_dropped_sentence_mentions_the_other_figure(
        self, woven: Consolidation
    ) -> None:
        why = {
            plain(account.text[one.start : one.end]): one.why
            for account in woven.documents
            for one in account.sentences
            if one.fate == "redundant"
        }
        told = "other sentences say it"
        assert why["Rescue crews brought everyone ashore within two hours."] == told
        others = {"7:20 a.m.": "7:40 a.m.", "12 people": "13", "ashore within three": "two hours"}
        due = {
            sentence: f"{told}, with “{other}” where it has “{own}”"
            for sentence in why
            for part, other in others.items()
            if part in sentence
            for own in ("7:20 a.m.", "12", "three hours")
            if own in sentence
        }
        assert len(due) >= 2
        assert {sentence: each for sentence, each in why.items() if each != told} == due


def plain(text: str) -> str:
    """Without soft hyphens."""
    return text.replace("\u00ad", "")


def test_sentence_that_differs_only_in_the_figure_covers_the_span(
    pipeline: tatian.Pipeline,
) -> None:
    one = "The 6.1-magnitude quake struck Velm island and the port of Orme."
    found = Found(pipeline, one, one.replace("6.1", "5.9"))
    first, second = (span.key for span in found.spans)
    assert found.settled.covered_share(first, [second]) > found.before.covered_share(
        first, [second]
    )
    assert found.settled.covered_share(first, [second]) > 0.95


def test_a_consolidation_lists_them(pipeline: tatian.Pipeline) -> None:
    accounts = [Document("a", NIGHT), Document("b", MORNING)]
    woven = tatian.consolidate(accounts, pipeline=pipeline)
    (conflict,) = woven.contradictions
    assert [claim.text for claim in conflict.claims] == ["7 a.m.", "6:40 a.m."]
    assert woven.text.count("by another account") == 1
    assert conflict.sentences
