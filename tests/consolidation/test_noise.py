"""What is no part of the story is set aside, and the reason is told."""

from __future__ import annotations

import pytest

from tatian.consolidation.sources import remove_furniture
from tatian.consolidation.spans import read_spans

from .bundles import bundle, processed

SANK, SAVED, DIVERS = "A ferry sank off Halverne.", "The crew was saved.", "Divers came on Tuesday."


def aside(text: str) -> dict[str, str]:
    """Why each sentence of an account is set aside that is."""
    (document,) = processed(text)
    reasons = read_spans(0, document).excluded
    return {document.sentences[index].of(text): why for index, why in reasons.items()}


def story(sentence: str) -> str:
    """A report with this sentence in it."""
    return f"{SANK} {sentence} {SAVED} {DIVERS}"


class TestLines:
    @pytest.mark.parametrize(
        "line",
        [
            "Posted: Sep 27, 2013 10:50AM CDT",
            "Published on 27 September 2013 at 10:50",
            "Last updated Fri., Sept. 27, 2013, 6:05 p.m. EDT",
            "2013-09-27",
        ],
    )
    def test_a_line_that_only_dates_the_report_is_a_date_line(self, line: str) -> None:
        assert aside(f"{line}\n\n{SANK} {SAVED}") == {line: "a date line"}

    def test_a_sentence_with_a_date_in_it_is_part_of_the_story(self) -> None:
        assert aside("The Marla Grey sank on September 27, 2013.") == {}

    @pytest.mark.parametrize(
        "line", ["www.halverne-post.example/ferry/sinks", "desk@halverne-post.example"]
    )
    def test_a_line_with_an_address_is_an_address(self, line: str) -> None:
        assert set(aside(f"{SANK}\n\n{line}\n\n{SAVED}").values()) == {"an address"}

    @pytest.mark.parametrize("line", ["Ferry sinks off Halverne", "FERRY SINKS OFF HALVERNE."])
    def test_a_line_without_an_end_or_in_capitals_is_a_headline(self, line: str) -> None:
        assert aside(f"{line}\n\n{SANK} {SAVED}") == {line: "a headline"}

    @pytest.mark.parametrize(
        ("line", "why"),
        [
            ("© 1952 The Halverne Post. Printed at 6:30 AM.", "a copyright line"),
            ("Copyright 2009 by Lorn Press. All rights reserved.", "a copyright line"),
            ("Copyright The Halverne Post.", "a copyright line"),
            ("Reproduction only with permission.", "a copyright line"),
            ("Desk: the captain's name is to be confirmed.", "a note to the desk"),
            ("Please check the age of the mate.", "a note to the desk"),
            ("(Eds: adds a picture of the wreck.)", "a note to the desk"),
            ("More to come.", "a note to the desk"),
            ("About Lorn Lines: Lorn Lines has run ferries since 1911.", "what closes a statement"),
            ("Is Lorn Lines below 4 crowns a bargain?", "an advertisement"),
            ("Smart overcoats, only 42s. at Carver's.", "an advertisement"),
            ("Pictures, page 5.", "a pointer"),
            ("PICTURE: Ann Dale leaves the court with her lawyer.", "a pointer"),
            ("Full report on page 3.", "a pointer"),
            ("Pictures: pages 4 and 5.", "a pointer"),
            ("The rescue in pictures, on pages 4 to 9.", "a pointer"),
            ("More on this at our website.", "a pointer"),
            ("Tell us what you think.", "a pointer"),
            ("How to pay the toll: back page.", "a pointer"),
            ("The number is on our website.", "a pointer"),
            ("Photographs by Hew Orne.", "a pointer"),
            ("Ada Lorn writes here on Tuesdays.", "a pointer"),
            ("Back to the studio, and to the football.", "a pointer"),
            ("Afternoon, you're with Gil Marle on Radio Lorn.", "a greeting"),
            ("Good morning, and welcome to Radio Lorn.", "a greeting"),
            ("Weather: cloudy, with showers.", "the weather"),
            ("Anyone with information is asked to call 0555 210 443.", "a call to readers"),
            ("A helpline has been set up on 0800 555 12.", "a call to readers"),
            ("Back issues are available from our office.", "an advertisement"),
            ("More inside: the ten worst storms.", "a pointer"),
            ("Share this | 41 comments | Older posts.", "a pointer"),
            ("ANNOUNCER:", "a label"),
            ("Dear Passengers:", "a greeting"),
        ],
    )
    def test_lines_of_a_page_a_desk_or_a_shop_are_no_story(self, line: str, why: str) -> None:
        reasons = aside(f"{SANK}\n\n{line}\n\n{SAVED}")
        assert all(one.startswith(why) for one in reasons.values())
        assert " ".join(reasons) == line

    @pytest.mark.parametrize("line", ["The end of the Marla Grey?", "“We saw her list”"])
    def test_a_headline_may_ask_or_quote(self, line: str) -> None:
        assert aside(f"{line}\n\n{SANK} {SAVED}") == {line: "a headline"}

    @pytest.mark.parametrize(
        "line",
        [
            "Copyright law protects the drawings of the ferry.",
            "About Lorn there were many rumours.",
            "The desk of the captain was found afloat.",
            "Tickets for the ferry cost four crowns.",
            "Divers asked: was the hatch open?",
            "Contact was lost at 3 p.m.",
            "Good morning light helped the divers.",
            "Welcome rain fell on the hills.",
            "Evening flights to Lorn were cancelled.",
            "More at home in the north, the birds were seen on the wreck.",
            "Photographs by divers showed the hull.",
            "Photographs by Ann Dale sold for 300 crowns.",
            "After the weather cleared, divers went down.",
            "And now some residents want a new pier.",
            "Traffic now flows freely over the bridge.",
            "The report was published on the website.",
            "Tell us where the money went, relatives demanded.",
            "Afternoon to evening storms kept the tugs away.",
            "More on this coast have sunk than on any other.",
            "Share prices fell 3 percent.",
            "Video shows a man running from the bank.",
            "Follow-up tests found no cancer, doctors said.",
            "Watch officers found two bodies in the hold.",
            "You can see the bridge from here, police said.",
            "Buy-out talks resumed on Monday.",
            "Buy-out talks: will they sell?",
        ],
    )
    def test_lines_of_the_story_that_look_a_little_like_them_stay(self, line: str) -> None:
        assert aside(f"{SANK}\n\n{line}\n\n{SAVED}") == {}

    def test_who_reads_a_script_out_is_no_part_of_it(self) -> None:
        (document,) = (
            remove_furniture(one) for one in bundle(f"Presenter: {SANK}\n\n[SOT LINDQVIST] {SAVED}")
        )
        assert document.text == f"{SANK}\n\n{SAVED}"

    @pytest.mark.parametrize(
        "text",
        [
            f"PRESENTER: {SANK}\n\nREPORTER: {SAVED}",
            f"Presenter: {SANK}\n\nLund: {SAVED}",
            f"{SANK} “We need [U.S.] help,” he said.",
        ],
    )
    def test_a_transcript_keeps_its_speakers_and_a_quotation_its_words(self, text: str) -> None:
        (document,) = bundle(text)
        assert remove_furniture(document) is document

    @pytest.mark.parametrize(
        ("text", "written"),
        [
            (f"Deadline. com's editor said so. {SANK}", f"Deadline.com's editor said so. {SANK}"),
            (f"They came. community helps. {SANK}", f"They came. community helps. {SANK}"),
            (f"They came. Companies helped. {SANK}", f"They came. Companies helped. {SANK}"),
        ],
    )
    def test_the_name_of_a_website_is_one_word(self, text: str, written: str) -> None:
        (document,) = (remove_furniture(one) for one in bundle(text))
        assert document.text == written

    def test_a_time_within_a_line_is_no_date_line(self) -> None:
        assert aside("When did it sink? On Dec. 7, 1952. The crew was saved.") == {}

    def test_a_long_line_that_lost_its_full_stop_is_a_sentence(self) -> None:
        lost = (
            "The ferry, which was built in Port Lorn and carried two hundred people"
            " every day to the island of Sennick, sank"
        )
        assert aside(f"{SANK}\n\n{lost}\n\n{SAVED}") == {}

    def test_headline_inside_a_quotation_is_excluded(self) -> None:
        said = '"The ferry was overloaded.'
        rest = '"Nobody should have let her sail," Dale said.'
        headline = "Dale called for safer ferries"
        assert aside(f"{SANK}\n\n{said}\n\n{headline}\n\n{rest}") == {headline: "a headline"}
        assert aside(f"{SANK}\n\n{said}\n\n{headline}.\n\n{rest}") == {}

    @pytest.mark.parametrize(
        "standfirst", ["The captain left Halverne in thick fog.", "He left Halverne in thick fog."]
    )
    def test_line_that_needs_the_headline_above_is_part_of_it(self, standfirst: str) -> None:
        headline = "Verrick loses the Aurora"
        day = "April 4, 2027"
        found = aside(f"{headline}\n\n{standfirst}\n\n{day}\n\n{SANK} {SAVED}")
        assert found == {headline: "a headline", standfirst: "a headline", day: "a date line"}

    def test_line_without_end_below_a_headline_is_part_of_it(self) -> None:
        headline = "Verrick loses the Aurora"
        line = (
            "This will be the second time that the captain from Halverne has lost a ferry which "
            "belonged to the state"
        )
        assert set(aside(f"{headline}\n\n{line}\n\n{SANK} {SAVED}")) == {headline, line}

    def test_summary_below_a_headline_is_part_of_the_story(self) -> None:
        headline = "Verrick loses the Aurora"
        day = "April 4, 2027"
        found = aside(f"{headline}\n\n{SANK}\n\n{day}\n\n{SAVED}")
        assert found == {headline: "a headline", day: "a date line"}


class TestAsides:
    def test_the_writer_speaking_of_himself(self) -> None:
        said = "I could not believe it."
        assert aside(story(said)) == {said: "the writer speaking of himself"}

    def test_a_word_to_the_reader(self) -> None:
        asked = "What would you have done?"
        assert aside(story(asked)) == {asked: "a word to the reader"}

    def test_an_exclamation(self) -> None:
        assert aside(story("What a night!")) == {"What a night!": "an exclamation"}

    def test_a_pointer_to_something_else(self) -> None:
        points = "Click here for more pictures."
        assert aside(story(points)) == {points: "a pointer to something else"}

    def test_continuation_of_an_aside_is_excluded(self) -> None:
        found = aside(story("I was afraid. But it was soon over."))
        assert found["But it was soon over."] == "it continues an excluded aside"

    @pytest.mark.parametrize(
        "said",
        [
            "I saw Captain Lund in the harbour.",
            "I took a tug. She lay on the rocks.",
            "Anna, what did you see? “Only fog,” said Anna Held.",
            "I was afraid. But Captain Lund came with a lamp.",
        ],
        ids=["meeting", "pronoun", "answer", "name"],
    )
    def test_what_others_need_or_a_reporter_met_is_kept(self, said: str) -> None:
        last = said.split(". ")[-1]
        assert last not in aside(story(said))
        assert said.endswith("lamp.") or aside(story(said)) == {}

    def test_continuation_of_a_headline_is_kept(self) -> None:
        assert list(aside("Ferry sinks\n\nBut the crew was saved.")) == ["Ferry sinks"]


class TestKeptLines:
    def test_a_diary_says_i_and_all_of_it_is_the_story(self) -> None:
        assert aside("I woke at six. I saw the ferry sink. Its crew was saved. I went home.") == {}

    def test_an_account_that_opens_with_i_is_a_witness(self) -> None:
        assert aside(f"I saw the ferry sink. {SAVED} {DIVERS} Fog came. I went home.") == {}

    def test_a_letter_is_a_witness_below_its_greeting(self) -> None:
        letter = f"Dear Editor,\n\nI saw the ferry sink. {SAVED} {DIVERS} I went home.\n\nYours,\n"
        assert aside(letter) == {"Dear Editor,": "a greeting", "Yours,": "a greeting"}

    @pytest.mark.parametrize(
        "quoted",
        [
            '"I saw it sink," said Anna Held.',
            '"What would you have done?" asked Anna Held.',
            '"It was dark. I saw nothing. What a night!" said Anna Held.',
        ],
    )
    def test_quotations_are_never_asides(self, quoted: str) -> None:
        assert aside(story(quoted)) == {}

    def test_an_initial_is_not_the_writer(self) -> None:
        assert aside(story("Edward I. Marsh led the search.")) == {}
