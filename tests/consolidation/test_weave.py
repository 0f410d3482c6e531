"""The stages together: the account that is followed, its day, sections, the encoder."""

from __future__ import annotations

import re
from collections.abc import Callable
from textwrap import fill

import pytest
from hypothesis import given, settings

import tatian
from tatian.analysis.installed import unavailable
from tatian.consolidation.context import find_missing_context
from tatian.consolidation.plan import Plan
from tatian.consolidation.result import Consolidation
from tatian.consolidation.weave import plan
from tatian.text import Document, Metadata

from .bundles import account, bundle, consolidate, fates, processed, sentences
from .promises import every_sentence_has_its_fate, tokens_are_where_they_say
from .test_sections import FAR, RAISED, SANK, glue
from .test_weaving import accounts

needs_encoder = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")


def planned(*texts: str) -> Plan:
    return plan(processed(*texts), fast=True)


def reasons(result: Consolidation) -> dict[str, str]:
    """Why each source sentence had its fate."""
    return {
        one.text[sentence.start : sentence.end]: sentence.why
        for one in result.documents
        for sentence in one.sentences
    }


class TestBackbone:
    def test_backbone_is_the_source_that_says_most(self) -> None:
        assert planned("Tugs came at noon.", f"{SANK} Lifeboats saved all of them.").backbone == 1

    def test_of_equal_ones_it_is_the_first(self) -> None:
        assert planned(SANK, SANK).backbone == 0

    def test_its_lead_opens_the_text(self) -> None:
        full = f"{SANK} Lifeboats saved all of them."
        result = consolidate(bundle("Tugs came at noon to Halverne.", full))
        assert sentences(result)[0] == "A ferry with 212 people sank off Halverne in thick fog."

    def test_an_account_that_does_not_say_whom_it_speaks_of_counts_less(self) -> None:
        headless = "He had slept on the bridge. Jonas Verrick left Halverne at noon."
        named = "Jonas Verrick had slept on the bridge. Jonas left Halverne."
        assert planned(headless, named).backbone == 1


class TestDays:
    def test_a_date_line_gives_the_account_its_day(self) -> None:
        result = consolidate(bundle(f"Posted: March 14, 2023 10:50AM CDT\n\n{SANK}"))
        assert result.documents[0].date == "2023-03-14"
        assert "Posted" not in result.text

    def test_dateline_gives_the_date(self) -> None:
        result = consolidate(bundle(f"HALVERNE, March 14, 2023 - {SANK}", RAISED))
        assert [one.date for one in result.documents] == ["2023-03-14", None]

    def test_metadata_precedes_the_date_line(self) -> None:
        given = account("a", f"March 14, 2023\n\n{SANK}", "2023-03-15")
        assert consolidate([given]).documents[0].date == "2023-03-15"

    def test_a_day_inside_the_story_is_not_the_accounts(self) -> None:
        result = consolidate(bundle("A ferry sank off Halverne on March 14, 2023 in fog."))
        assert result.documents[0].date is None


class TestReasons:
    def test_outcomes_have_reasons(self) -> None:
        given = f"Ferry sinks\n\nMarch 14, 2023\n\n{SANK} What a night! See www.halverne.example"
        result = consolidate(bundle(given, "A ferry sank off Halverne in fog."))
        assert reasons(result)["Ferry sinks"] == "a headline"
        assert reasons(result)["March 14, 2023"] == "a date line"
        assert reasons(result)["What a night!"] == "an exclamation"
        assert reasons(result)["A ferry sank off Halverne in fog."] == "other sentences say it"
        assert reasons(result)["Tugs came at noon."] == "other sentences do not say all of it"


@needs_encoder
class TestEncoder:
    PIPELINE = tatian.Pipeline()

    def consolidate(self, given: list[Document]) -> Consolidation:
        return tatian.consolidate(given, pipeline=self.PIPELINE)

    def test_mostly_repeated_sentence_is_dropped_with_the_reason(self) -> None:
        first = (
            "A finance director who stole 1.2 million pounds from a hospice began a prison term on"
            " Monday. Desmond Rooke made up firms and sent himself their invoices for five years."
            " His downfall was a clerk, who saw that a firm was based at his lock-up garage."
        )
        again = (
            "Rooke, the finance director of the hospice, invented firms, sent himself their"
            " invoices and so stole money from it over the course of several years."
        )
        judge = "The judge called it the meanest of crimes."
        result = self.consolidate(bundle(first, f"{judge} {again}"))
        assert result.text.endswith(f"From a second account: {judge}")
        assert reasons(result)[again].startswith("other sentences say")

    @settings(max_examples=5)
    @given(accounts(most=3))
    def test_words_have_sources_and_sentences_have_outcomes(self, given: list[Document]) -> None:
        result = self.consolidate(given)
        tokens_are_where_they_say(result)
        every_sentence_has_its_fate(result, given)
        assert result == self.consolidate(given)

    def test_paraphrases_are_kept_once(self) -> None:
        given = bundle(
            "The ferry Marla Grey ran aground off Halverne on Tuesday morning. Tugs came at noon.",
            "On Tuesday morning the Marla Grey, a ferry, grounded off Halverne.",
        )
        assert "redundant" in fates(self.consolidate(given)).values()

    def test_different_figures_are_both_given(self) -> None:
        text = self.consolidate(
            bundle("The crash injured 12 people.", "The crash injured 13 people.")
        ).text
        assert text == "The crash injured 13 people (12 by another account)."

    def test_names_and_days_that_differ_in_the_examples_are_named_and_a_count_that_grew(
        self,
    ) -> None:
        for example, kind, relation in (
            ("museum", "name", "conflict"),
            ("army", "date", "conflict"),
            ("ferry", "number", "superseded"),
        ):
            woven = tatian.consolidate([f"examples/{example}"], pipeline=self.PIPELINE)
            assert [(one.kind, one.relation) for one in woven.contradictions] == [(kind, relation)]

    def test_misspelt_name_is_no_conflict_but_another_name_is(self) -> None:
        given = [
            "Hanna Brode was shot near a school in Ostrey on Friday.",
            "Hannah Brode was shot near a school on Friday.",
            "Neighbours wept for Hannah Brode, who had shielded children.",
        ]
        assert self.consolidate(bundle(*given)).contradictions == ()
        given[0] = given[0].replace("Hanna", "Helga")
        (found,) = self.consolidate(bundle(*given)).contradictions
        assert [claim.document for claim in found.claims] == ["a", "b", "c"]

    def test_a_quotation_of_several_paragraphs_is_opened_once_and_closed_once(self) -> None:
        spoken = 'Ann Brode said: "It was dark.\n\n"We saw nothing of the ferry.\n\n"We left."'
        text = self.consolidate(bundle(f"A ferry sank.\n\n{spoken}", "Divers came.")).text
        assert 'said: "It was dark. We saw nothing of the ferry. We left."' in text

    def test_its_last_paragraph_may_name_the_speaker(self) -> None:
        spoken = '"It was dark. He told us nothing.\n\n"We rang.\n\n"We left," she said.'
        text = self.consolidate(bundle(f"Ann Brode came.\n\n{spoken}", "Divers came.")).text
        assert '"It was dark. He told us nothing. We rang. We left," she said.' in text

    @pytest.mark.parametrize(
        "before",
        [
            '"It was dark, said Ann Brode.',
            'Ann Brode said: "It was dark.',
            'A 6" pipe had cracked.',
        ],
    )
    def test_unclosed_mark_quotes_no_words_of_other_sources(self, before: str) -> None:
        given = bundle(f'A ferry sank.\n\n{before}\n\n"We left," said Jon Rowe.', "Divers came.")
        assert '"We left," said Jon Rowe.' in self.consolidate(given).text

    def test_later_meeting_days_are_no_conflict(self) -> None:
        given = [
            Document(
                f"{day}",
                f"The city council of Ostrey met on May {day - 1} to discuss the new harbour.",
                Metadata(date=f"2023-05-{day}"),
            )
            for day in (11, 18)
        ]
        assert self.consolidate(given).contradictions == ()

    @pytest.mark.parametrize(
        ("said", "other", "kinds"),
        [
            ("The fair was held in Ostrey on June 10.", "June 14", ["date"]),
            ("The fair was held in Ostrey on May 10–12.", "May 11–12", []),
            ("In May 10 people were killed by a bus in Ostrey.", "May 13", ["number"]),
        ],
    )
    def test_days_that_differ_are_conflicts(self, said: str, other: str, kinds: list[str]) -> None:
        one = re.search(r"(?:June|May) \d+(?:–\d+)?", said)
        assert one
        found = self.consolidate(bundle(said, said.replace(one[0], other))).contradictions
        assert [each.kind for each in found] == kinds

    def test_a_weekday_with_its_date_gets_no_other(self) -> None:
        given = [
            Document("a", "The bridge fell on May 10.", Metadata(date="2023-05-11")),
            Document(
                "b",
                "An inquiry opened. The bridge fell on Wednesday, May 10, when its pier broke.",
                Metadata(date="2023-05-17"),
            ),
        ]
        assert "May 17" not in self.consolidate(given).text

    def test_the_story_that_ends_a_digest_is_left_out(self) -> None:
        ferry = "A ferry sank off Halverne on Tuesday in thick fog. Lifeboats saved all 212 people."
        museum = (
            "Thieves broke into a museum in Port Lorn and took three paintings."
            " A guard in Port Lorn had fallen asleep."
            " A picture by Orla Fenn is worth two million dollars."
            " The museum of Port Lorn has no alarm. Orla Fenn painted it in 1962."
            " Police in Port Lorn are looking for a white van."
            " Port Lorn has lost pictures before. Orla Fenn has a house in Port Lorn."
        )
        report = "A ferry ran aground off Halverne on Tuesday, and 212 people were saved."
        result = self.consolidate(bundle(f"{ferry}\n\n{museum}", report))
        assert "Port Lorn" not in result.text
        assert "thick fog" in result.text
        assert reasons(result)["The museum of Port Lorn has no alarm."] == "another story"

    def test_source_of_another_kind_is_not_interleaved(self) -> None:
        news = (
            "The ferry Marla Grey ran aground off Halverne on Tuesday. Tugs pulled her free."
            " Nobody was hurt. The captain, Jonas Verrick, was questioned for three hours."
            " Divers found a tear of four metres in the hull. Sennick Line cancelled all sailings."
            " The coast guard will publish its report next month."
        )
        history = (
            "Nineteen ferries were lost on the Sennick route before the war. Halverne had no light."
            " Its people lived by salt. The first Marla Grey carried horses in 1871."
            " A storm took her rudder. The owners sold the line to a bishop."
        )
        result = self.consolidate([account("a", news), account("b", history, source="The Annals")])
        told, heard = result.text.split("\n\nFrom The Annals: ")
        assert told.replace("\n\n", " ") == news
        assert heard.replace("\n\n", " ") == history

    def test_fast_goes_through_the_same_stages(self) -> None:
        given = bundle(f"Ferry sinks\n\n{SANK}", RAISED, days=FAR)
        seen: dict[bool, list[str]] = {True: [], False: []}
        results = [
            tatian.consolidate(
                given,
                fast=fast,
                pipeline=None if fast else self.PIPELINE,
                progress=lambda stage, done, total, fast=fast: seen[fast].append(stage),
            )
            for fast in (True, False)
        ]
        assert list(dict.fromkeys(seen[True])) == list(dict.fromkeys(seen[False]))
        for result in results:
            assert result.title == "Ferry sinks"
            assert glue(result) == ["Reported", "on", "April", "20,", "2023:"]


WIRE = (
    "HALVERNE, March 14 - A passenger ferry carrying 212 people ran aground on a sandbank outside "
    "the harbour of Halverne on Tuesday morning, injuring 12 people, the coast guard said. The "
    "ship, the Marla Grey, was on its way to the island of Sennick when it hit the bank at 6 a.m."
)
COURIER = (
    "HALVERNE, March 14 - A passenger ferry ran aground on a sandbank outside the harbour of "
    "Halverne on Tuesday morning, injuring thirteen people. Its captain, Jonas Verrick, will be "
    "questioned by accident investigators on Wednesday, the Transport Ministry said."
)


@needs_encoder
@pytest.mark.parametrize(
    "pasted",
    [
        lambda text: fill(text, 72),
        lambda text: fill(text, 72).replace("\n", "\r\n"),
        lambda text: re.sub(r"\b(\w{1,3}) ", "\\1\u00a0", text),
    ],
    ids=["wrapped", "Windows", "non-breaking"],
)
def test_line_ends_and_blanks_change_nothing(pasted: Callable[[str], str]) -> None:
    def woven(*texts: str) -> Consolidation:
        return tatian.consolidate([Document(str(n), text) for n, text in enumerate(texts)])

    result = woven(*map(pasted, (WIRE, COURIER)))
    tokens_are_where_they_say(result)
    assert result.text == woven(WIRE, COURIER).text
    assert "injuring 12 people (thirteen by another account)" in result.text


@needs_encoder
@pytest.mark.parametrize("length", [10, 20, 30, 40])
def test_with_a_length_nothing_stands_without_what_it_refers_to(length: int) -> None:
    texts = (
        "A ferry ran aground off Halverne on Monday. Ann Dale steered the lifeboat. She had slept"
        " for two hours. The driver of a van saw it all. He called the harbour.",
        "A ferry with 212 people ran aground off Halverne. Lifeboats came within an hour. They took"
        " everyone off. Peter Lund saw Tom Hale on the deck. He was waving a torch.",
    )
    pipeline = tatian.Pipeline(detector="names", aggregator="heads")
    made = plan([pipeline.process(one) for one in bundle(*texts)], length=length)
    order = [span for paragraph in made.paragraphs for span in paragraph.spans]
    assert order
    assert (
        find_missing_context(order[1:], made.story.sources, made.selection.dropped, nouns=True)
        == {}
    )
