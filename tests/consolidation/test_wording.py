"""Words that are only clear where they stood."""

from __future__ import annotations

from datetime import date

import pytest

import tatian
from tatian.analysis.installed import unavailable
from tatian.consolidation.connectives import without_connectives
from tatian.consolidation.wording import (
    Calendar,
    in_the_past,
    with_dates,
    with_days,
    with_source,
    words_of,
)
from tatian.text import Document
from tatian.text.documents import Passage, copy_tokens
from tatian.text.layers import render

pytestmark = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")
TUESDAY = date(2023, 3, 14)


@pytest.fixture(scope="module")
def pipeline() -> tatian.Pipeline:
    return tatian.Pipeline()


def dated(pipeline: tatian.Pipeline, text: str, *days: date | None) -> str:
    """The sentence as an account of the first of these days has it in the text."""
    document = pipeline.process(Document("a", text))
    calendar = Calendar({chr(97 + number): day for number, day in enumerate(days)})
    tokens = copy_tokens(Passage(document, document.sentences[0]))
    return render(with_days(tokens, document, words_of(document), calendar))


def joined(pipeline: tatian.Pipeline, text: str) -> str:
    document = pipeline.process(Document("a", text))
    tokens = copy_tokens(Passage(document, document.sentences[0]))
    return render(without_connectives(tokens, words_of(document)))


def explained(pipeline: tatian.Pipeline, text: str, *days: date | None) -> str:
    """What the sentences of an account of the first of these days become, one after the other."""
    document = pipeline.process(Document("a", text))
    calendar = Calendar({chr(97 + number): day for number, day in enumerate(days)})
    known: dict[str, date] = {}
    return " ".join(
        render(
            with_dates(
                copy_tokens(Passage(document, one)), document, words_of(document), calendar, known
            )
        )
        for one in document.sentences
    )


class TestDates:
    def test_a_weekday_among_accounts_of_different_weeks_gets_its_date_once(
        self, pipeline: tatian.Pipeline
    ) -> None:
        said = "Verrick was questioned Monday morning. He was freed on Monday by the court."
        assert explained(pipeline, said, TUESDAY, date(2023, 5, 1)) == (
            "Verrick was questioned Monday morning (March 13). He was freed on Monday by the court."
        )

    @pytest.mark.parametrize(
        "said",
        [
            "The trial will resume Monday.",
            "The trial is scheduled to resume Monday.",
            "A trial that was expected to last a week began Monday.",
            "Verrick was questioned on Monday, March 6.",
            "Verrick was questioned last Monday.",
            '"I was freed Monday," he said.',
        ],
    )
    def test_future_or_dated_events_are_unchanged(
        self, pipeline: tatian.Pipeline, said: str
    ) -> None:
        assert explained(pipeline, said, TUESDAY, date(2023, 5, 1)) == said

    def test_within_a_week_the_weekday_is_enough(self, pipeline: tatian.Pipeline) -> None:
        said = "Verrick was questioned Monday."
        assert explained(pipeline, said, TUESDAY, date(2023, 3, 17)) == said
        assert explained(pipeline, said, None, date(2023, 5, 1)) == said


class TestDays:
    @pytest.mark.parametrize(
        ("said", "written"),
        [
            ("Verrick was questioned yesterday.", "Verrick was questioned on Monday."),
            ("Yesterday, Verrick was questioned.", "On Monday, Verrick was questioned."),
            ("Verrick was freed this morning.", "Verrick was freed on Tuesday morning."),
            ("Today, Tuesday, Verrick was freed.", "On Tuesday, Verrick was freed."),
            ("Verrick was freed last night.", "Verrick was freed on Monday night."),
            (
                "The ship had been missing since yesterday.",
                "The ship had been missing since Monday.",
            ),
            ("Tugs ended yesterday's search.", "Tugs ended Monday's search."),
        ],
    )
    def test_days_within_a_week_become_weekdays(
        self, pipeline: tatian.Pipeline, said: str, written: str
    ) -> None:
        assert dated(pipeline, said, TUESDAY, date(2023, 3, 17)) == written

    def test_accounts_of_different_weeks_need_the_date(self, pipeline: tatian.Pipeline) -> None:
        said = "Verrick was freed this morning."
        assert dated(pipeline, said, TUESDAY, date(2023, 5, 1)) == (
            "Verrick was freed on the morning of March 14."
        )

    def test_unknown_day_is_dropped_from_the_sentence(self, pipeline: tatian.Pipeline) -> None:
        said = "Verrick was charged yesterday in connection with the wreck."
        assert dated(pipeline, said, None) == "Verrick was charged in connection with the wreck."

    def test_quoted_words_and_these_days_stay(self, pipeline: tatian.Pipeline) -> None:
        for said in (
            '"I will not talk today," he said.',
            "Today the building houses a museum.",
            "The company said today (14 March 2023) that it was sorry.",
        ):
            assert dated(pipeline, said, TUESDAY) == said

    def test_a_named_day_knows_the_words_it_stands_for(self, pipeline: tatian.Pipeline) -> None:
        document = pipeline.process(Document("a", "Verrick was questioned yesterday."))
        tokens = copy_tokens(Passage(document, document.sentences[0]))
        written = with_days(tokens, document, words_of(document), Calendar({"a": TUESDAY}))
        monday = next(token for token in written if token.text == "Monday")
        assert [(one.start, one.kind) for one in monday.sources] == [(23, "substituted")]

    @pytest.mark.parametrize(
        "said",
        [
            "Oake spoke on World News Tonight with Ann Dale.",
            "The picture was shown on CBS This Morning in May.",
            "The figures were given to USA Today by the company.",
        ],
    )
    def test_name_of_a_programme_is_no_day(self, pipeline: tatian.Pipeline, said: str) -> None:
        assert dated(pipeline, said, TUESDAY, TUESDAY) == said
        assert dated(pipeline, said, None, None) == said

    def test_relative_clause_that_says_nothing_else_keeps_its_day(
        self, pipeline: tatian.Pipeline
    ) -> None:
        said = "The patch, which was released last night, closes the gap."
        assert dated(pipeline, said, None, None) == said
        more = "The patch, which was released on the site yesterday, closes the gap."
        assert dated(pipeline, more, None, None) == more.replace(" yesterday", "")


class TestPast:
    def told(self, pipeline: tatian.Pipeline, text: str, *days: date | None) -> str:
        document = pipeline.process(Document("a", text))
        calendar = Calendar({chr(97 + number): day for number, day in enumerate(days)})
        tokens = copy_tokens(Passage(document, document.sentences[0]))
        return render(in_the_past(tokens, document, words_of(document), calendar))

    @pytest.mark.parametrize(
        ("said", "written"),
        [
            ("He will appear in court on Wednesday.", "He was to appear in court on Wednesday."),
            ("They will appear in court tomorrow.", "They were to appear in court tomorrow."),
            ("The trial is due to start on Friday.", "The trial was due to start on Friday."),
        ],
    )
    def test_plans_of_days_that_are_over_were_plans(
        self, pipeline: tatian.Pipeline, said: str, written: str
    ) -> None:
        assert self.told(pipeline, said, TUESDAY, date(2023, 3, 20)) == written

    @pytest.mark.parametrize(
        ("said", "written"),
        [
            ("Fire crews are still on the scene.", "Fire crews were still on the scene."),
            ("He is still in hospital.", "He was still in hospital."),
            ("The United States is still at war.", "The United States was still at war."),
            ("The main building remains closed.", "The main building remained closed."),
            (
                "The fire has destroyed the store and crews are still on the scene.",
                "The fire has destroyed the store and crews were still on the scene.",
            ),
            ("The results are not yet known.", "The results were not yet known."),
            ("The dead have not yet been named.", "The dead had not yet been named."),
            (
                "Although the bridge has not yet reopened, the mayor, who has been ill, came.",
                "Although the bridge had not yet reopened, the mayor, who has been ill, came.",
            ),
            ("The jury hasn't yet decided.", "The jury hadn't yet decided."),
        ],
    )
    def test_present_states_get_the_past_tense(
        self, pipeline: tatian.Pipeline, said: str, written: str
    ) -> None:
        assert self.told(pipeline, said, TUESDAY, date(2023, 3, 20)) == written
        assert self.told(pipeline, said, None, date(2023, 3, 20)) == said

    @pytest.mark.parametrize(
        "said",
        [
            "The plant will close in 2030.",
            '"It is still dark," she said.',
            "It may remain closed.",
            "‘We remain confident,’ Hanna Brode said.",
            "Mount Halver remains the highest mountain in Norway.",
            "The chapel, which is still in use, dates from 1850.",
            '"He will appear on Wednesday," she said.',
            "He will not appear on Wednesday.",
            "It has not yet reopened, and many want it to stay shut.",
            '"It has not yet reopened," she said.',
            "The bridge has not reopened since 1850.",
        ],
    )
    def test_other_plans_are_unchanged(self, pipeline: tatian.Pipeline, said: str) -> None:
        assert self.told(pipeline, said, TUESDAY, date(2023, 3, 20)) == said

    def test_newest_source_keeps_the_future_tense(self, pipeline: tatian.Pipeline) -> None:
        said = "He will appear in court on Wednesday."
        assert self.told(pipeline, said, date(2023, 3, 20), TUESDAY) == said


class TestJoints:
    @pytest.mark.parametrize(
        ("said", "written"),
        [
            ("However, the company denied it.", "the company denied it."),
            ("But police said the bomb was found.", "police said the bomb was found."),
            ("The Yankees also have shown interest.", "The Yankees have shown interest."),
            ("Verrick was sorry, too.", "Verrick was sorry."),
            ("So far nobody has been found.", "So far nobody has been found."),
            ("Also known as Katie, she studied law.", "Also known as Katie, she studied law."),
        ],
    )
    def test_connectives_without_their_neighbour_are_dropped(
        self, pipeline: tatian.Pipeline, said: str, written: str
    ) -> None:
        assert joined(pipeline, said) == written


class TestSources:
    @pytest.mark.parametrize(
        ("text", "source", "written"),
        [
            (
                "The clerk told this newspaper that he was ill.",
                "Ostrey Post",
                "The clerk told the Ostrey Post that he was ill.",
            ),
            (
                "The clerk told this paper that he was ill.",
                "The Crown Daily",
                "The clerk told the Crown Daily that he was ill.",
            ),
            (
                "Listeners rang this station at noon.",
                "Radio Orme",
                "Listeners rang Radio Orme at noon.",
            ),
            ("Listeners rang this station.", "Moor FM", "Listeners rang Moor FM."),
            ("The clerk told us why.", "KRDL-AM 1240", "The clerk told KRDL-AM 1240 why."),
            (
                "Our reporter Ann Dale told the clerk.",
                "Herald",
                "Our reporter Ann Dale told the clerk.",
            ),
            (
                "The clerk told our reporter that he was ill.",
                None,
                "The clerk told a reporter that he was ill.",
            ),
            (
                "The clerk told the agency that he was ill.",
                "Northern Press Agency",
                "The clerk told the Northern Press Agency that he was ill.",
            ),
            (
                "The clerk told the agency that he was ill.",
                "Ostrey Post",
                "The clerk told the agency that he was ill.",
            ),
            (
                "The clerk told us that he was ill.",
                "Ostrey Post",
                "The clerk told the Ostrey Post that he was ill.",
            ),
            ("The clerk told me that he was ill.", None, "The clerk told me that he was ill."),
            (
                '"I buy this newspaper every day," the clerk said.',
                "Ostrey Post",
                '"I buy this newspaper every day," the clerk said.',
            ),
        ],
    )
    def test_a_source_that_speaks_of_itself_is_named(
        self, pipeline: tatian.Pipeline, text: str, source: str | None, written: str
    ) -> None:
        document = pipeline.process(Document("a", text))
        tokens = copy_tokens(Passage(document, document.sentences[0]))
        assert render(with_source(tokens, source)) == written
