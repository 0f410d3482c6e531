"""The parts of an account that may be moved, and what they depend on."""

from __future__ import annotations

import pytest

import tatian
from tatian.analysis.installed import unavailable
from tatian.consolidation.spans import SourceSpan, read_spans
from tatian.text import SENTENCES, TOKENS, Document, Sentence, tokenize

from .bundles import PIPELINE, processed

STORY = "A ferry ran aground off Halverne. It was old."


def of(text: str) -> tuple[SourceSpan, ...]:
    return read_spans(0, processed(text)[0]).spans


def texts(text: str) -> list[str]:
    return [span.text for span in of(text)]


def lean(text: str) -> str:
    """How the last unit of an account depends on the one before."""
    return of(text)[-1].dependency


class TestDemonstratives:
    @pytest.mark.parametrize(
        ("text", "dependency"),
        [
            ("Ann Dale and Eve Moss fell. Police said both were dead.", "before"),
            ("A tug sank. Police said Ann Dale and Eve Moss both were dead.", ""),
            ("A cable broke. This cable carries calls to Velm.", "before"),
            ("A tug sank. Divers in Velm find this particularly hard.", ""),
            ('Velm Line owns it. "We are sorry," said its director, Ann Dale.', "before"),
            ('Velm Line owns it. "We are sorry," said the director, Ann Dale.', ""),
            ("The motor failed. A new one was expected before midnight.", "before"),
        ],
    )
    def test_demonstratives_depend_on_the_span_before(self, text: str, dependency: str) -> None:
        assert lean(text) == dependency

    def test_her_may_be_a_woman_of_whom_the_sentence_speaks(self) -> None:
        assert lean("A tug sank. The brother of a woman from Velm was blamed for her death.") == ""


class TestDatelines:
    @pytest.mark.parametrize(
        "opening",
        [
            "HALVERNE, March 14 - ",
            "HALVERNE — ",
            "   HALVERNE, March 14 - ",
            "PORT LORN (Wire) -- ",
        ],
    )
    def test_span_excludes_the_dateline(self, opening: str) -> None:
        assert of(opening + STORY)[0].text == "A ferry ran aground off Halverne."

    @pytest.mark.parametrize(
        "opening",
        [
            "PORT LORN. HALVERNE - ",
            "Port Lorn, Nov. 6. - ",
            "Halverne, Thursday. - ",
            "HALVERNE, Monday night - ",
            "HALVERNE, Nov. 6 - (AD) - ",
            "March 21 (Coastal Wire) - ",
        ],
    )
    def test_a_dateline_with_stops_in_it_is_left_out(self, opening: str) -> None:
        assert of(opening + STORY)[0].text == "A ferry ran aground off Halverne."

    def test_span_without_a_dateline_is_the_sentence(self) -> None:
        assert of(STORY)[0].text == "A ferry ran aground off Halverne."


class TestQuotations:
    LONG = '"It was dark. We saw nothing. We left," said Hanna Brode.'

    def test_quotation_of_several_sentences_is_one_span_with_its_speaker(self) -> None:
        assert texts(f"A ferry sank. {self.LONG} Divers came.") == [
            "A ferry sank.",
            self.LONG,
            "Divers came.",
        ]

    def test_paragraphs_that_each_open_a_mark_are_one_quotation(self) -> None:
        spoken = "“It was dark.\n\n“We left,” said Hanna Brode."
        assert texts(f"A ferry sank.\n\n{spoken}\n\nDivers came.") == [
            "A ferry sank.",
            "“It was dark. “We left,” said Hanna Brode.",
            "Divers came.",
        ]

    def test_straight_marks_that_each_open_a_paragraph_are_one_quotation_too(self) -> None:
        spoken = 'Brode said: "It was dark.\n\n"We saw nothing. It was cold.\n\n"We left."'
        assert len(texts(f"A ferry sank.\n\n{spoken}\n\nDivers came.")) == 3

    def test_a_mark_that_is_never_closed_opens_nothing(self) -> None:
        found = texts('A ferry sank. "It was dark, said Hanna Brode. Fog came. Divers came.')
        assert found[1:] == ['"It was dark, said Hanna Brode.', "Fog came.", "Divers came."]

    def test_a_mark_that_is_closed_too_late_opens_nothing(self) -> None:
        later = " ".join(f"Diver{number} came." for number in range(20))
        found = texts(f'"It was dark, said Hanna Brode. {later} Fog" came.')
        assert found[1] == "Diver0 came."

    def test_words_alone_belong_to_who_spoke_before(self) -> None:
        assert texts('Hanna Brode said it was dark. "We saw nothing." Divers came.') == [
            'Hanna Brode said it was dark. "We saw nothing."',
            "Divers came.",
        ]

    def test_text_after_a_colon_belongs_to_its_sentence(self) -> None:
        assert len(texts("This is what was found:\n\nA tear in the hull.")) == 1

    def test_an_abbreviation_does_not_end_a_unit(self) -> None:
        assert texts("They asked Const. Held about it. Fog came.") == [
            "They asked Const. Held about it.",
            "Fog came.",
        ]


class TestHalves:
    @pytest.mark.parametrize(
        "text",
        [
            "The pumps were old;\n\nthe hull was older.",
            "The pumps failed;\n\nnobody knew why.",
            "The crew left the ship.\n\nand swam ashore.",
            "An earlier version of this story was wrong. It gave the age of the clerk as 51.",
            "Correction: the report on the clerk had an error. The age is 51.",
        ],
    )
    def test_two_halves_are_one_unit(self, text: str) -> None:
        assert len(of(f"A ferry sank. {text}")) == 2

    @pytest.mark.parametrize(
        "text",
        [
            "The pumps were old. The hull was older.",
            "An earlier ferry was slow. It sank in May.",
            "The crew left the ship. iPads lay on the deck.",
        ],
    )
    def test_two_sentences_are_two(self, text: str) -> None:
        assert len(of(f"A ferry sank. {text}")) == 3


class TestDependencies:
    @pytest.mark.parametrize(
        "opening",
        ["However, it", "But the crew", "The other", "Another boat", "Both", "The next day it"],
    )
    def test_connectives_depend_on_the_span_before(self, opening: str) -> None:
        assert lean(f"A ferry sank. {opening} was saved.") == "before"

    @pytest.mark.parametrize(
        ("text", "dependency"),
        [
            ("Two were able to go home.", "before"),
            ("Most went to relatives.", "before"),
            ("Among them was Ann Dale, 33.", "before"),
            ("All are expected to survive.", "before"),
            ("Two injured crewmen were taken home.", ""),
            ("Some people went to relatives.", ""),
            ("Among the dead was Ann Dale, 33.", ""),
        ],
    )
    def test_a_part_depends_on_the_whole_before(self, text: str, dependency: str) -> None:
        assert lean(f"Nine people were rescued from the ferry. {text}") == dependency

    def test_pronouns_depend_on_the_span_before(self) -> None:
        assert lean("A ferry sank. It was old.") == "before"
        assert lean("Divers came. They found a tear.") == "before"

    def test_noun_with_this_depends_on_the_span_before(self) -> None:
        assert lean("Divers met. Brode praised the aims of this meeting.") == "before"
        assert lean("Divers met. Brode swam this summer.") == ""
        assert lean("Divers met. Brode will pay this fiscal year.") == ""
        assert lean('Divers met. "I hate this boat," said Hanna Brode.') == ""

    def test_answer_depends_on_its_question(self) -> None:
        asked = "Hanna Brode asked, “Who came?”"
        assert lean(f"A ferry sank. {asked}\n\nSimon Rowe answered, “Divers.”") == "before"
        assert lean(f"A ferry sank. {asked}\n\nSimon Rowe sailed the “Anna” to Ostrey.") == ""
        assert lean("Hanna Brode asked who came.\n\nSimon Rowe said, “Divers.”") == ""

    def test_sentence_with_a_named_subject_is_independent(self) -> None:
        assert lean("A ferry sank. Divers found a tear.") == ""
        assert lean("A ferry sank. Both Held and Rowe swam.") == ""

    def test_pronoun_resolved_in_its_sentence_is_independent(self) -> None:
        assert lean("A ferry sank. Jonas Verrick said he had slept.") == ""
        assert lean("Hanna Brode left. Jonas Verrick lost his bag.") == ""
        assert lean("Fog came. A man who was alone lost his bag.") == ""

    def test_quotation_opening_with_a_pronoun_is_dependent(self) -> None:
        assert lean('A ferry sank. "We slept," said Hanna Brode.') == ""
        assert lean('A ferry sank. "He slept," said Hanna Brode.') == "before"

    def test_he_is_named_if_the_last_name_is_the_only_one(self) -> None:
        assert lean("Jonas Verrick was questioned. He had slept.") == "name"
        assert lean("Jonas Verrick was questioned. Fog came. He had slept.") == "name"

    def test_he_is_not_named_after_two_people(self) -> None:
        assert lean("Jonas Verrick met Anton Held. He had slept.") == "before"

    def test_he_may_not_be_named_if_the_name_is_far_away(self) -> None:
        far = "Fog came. Tugs came. Divers came. Rain came."
        assert lean(f"Jonas Verrick was questioned. {far} He had slept.") == "before"

    def test_he_is_not_named_without_a_name(self) -> None:
        assert lean("The captain was questioned. He had slept.") == "before"

    def test_the_pronoun_is_known_by_its_place(self) -> None:
        text = "Jonas Verrick was questioned. Later he slept."
        (_, span) = of(text)
        assert span.pronoun is not None
        assert (span.pronoun.of(text), span.pronoun_text) == ("he", "he")


def test_an_empty_account_has_no_units() -> None:
    assert of("") == ()


def test_sentences_that_a_document_brings_along_are_its_units() -> None:
    own = Document("a", STORY).with_layer(TOKENS, tokenize(STORY), "me")
    own = own.with_layer(SENTENCES, [Sentence(0, len(STORY))], "me")
    (whole,) = read_spans(0, PIPELINE.process(own)).spans
    assert whole.text == STORY


def test_sentences_are_in_one_span_or_excluded() -> None:
    text = f"Ferry sinks\n\n{STORY} {TestQuotations.LONG} I was afraid. Divers came. Fog came."
    (document,) = processed(text)
    found = read_spans(0, document)
    indices = [index for span in found.spans for index in span.indices]
    assert sorted([*indices, *found.excluded]) == list(range(len(document.sentences)))


@pytest.mark.parametrize(
    ("text", "dependency"),
    [
        ("The man is thought to have fallen much earlier.", "before"),
        ('"The man is petrified," the judge said.', "before"),
        ("The man who called the police lives nearby.", "noun"),
    ],
)
def test_whoever_the_man_is_stands_before(text: str, dependency: str) -> None:
    opened = f"Verrick left Halverne at noon. {text}"
    assert lean(opened) == dependency


@pytest.mark.parametrize(
    "text",
    [
        "The last four died on Thursday night.",
        "The rest were taken to Ostrey.",
        "A third waited in a van.",
        "The work would take six weeks.",
        "Queues there were long.",
        "Nearly everything.",
        '"It comes from cattle."',
        '"I was treated badly," the 71-year-old said.',
        "Dale's offer is nine percent higher.",
    ],
)
def test_remainder_depends_on_the_sentence_before(text: str) -> None:
    assert lean(f"Verrick left Halverne at noon. {text}") == "before"


def test_an_answer_depends_on_its_question() -> None:
    assert lean("How does the tug steer? It turns on the spot with both screws.") == "before"


@pytest.mark.parametrize(
    "text",
    [
        "The prize went to Regina Holt, M. D., for her work in Halverne.",
        "The prize went to Regina Holt, M.B. A., for her work in Halverne.",
        "And the next captain of the Aurora is… Ann Dale.",
        "Holt won 43 matches in Halverne (. 535 of all).",
    ],
)
def test_initial_or_open_bracket_ends_no_sentence(text: str) -> None:
    assert texts(f"Nobody was hurt. {text} She left.")[1] == text


@pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")
@pytest.mark.parametrize(
    ("text", "dependency"),
    [
        ("Now when Ann Dale saw it, she went home.", "before"),
        ("Nobody had known that.", "before"),
        ("When Eve Moss found the lamp, Ann Dale kept it.", ""),
        ("Ann Dale gave them her coat.", "before"),
        ("Two boys came, and Ann Dale gave them her coat.", ""),
    ],
)
def test_pronoun_as_an_object_depends_on_the_sentence_before(text: str, dependency: str) -> None:
    document = tatian.Pipeline().process(Document("a", f"Verrick left a lamp behind. {text}"))
    assert read_spans(0, document).spans[1].dependency == dependency
