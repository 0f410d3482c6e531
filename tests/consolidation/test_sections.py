"""Sections of the text: their headings, their order, and which sources they hold."""

from __future__ import annotations

import pytest

import tatian
from tatian.consolidation.result import Consolidation

from .bundles import account, bundle, consolidate

SANK = "A ferry with 212 people sank off Halverne in thick fog. Tugs came at noon."
RAISED = "Divers raised the Marla Grey. A crane lifted her bow."
FAR = ("2023-03-14", "2023-04-20")


def glue(result: Consolidation) -> list[str]:
    """The words that no account has."""
    return [
        result.text[token.start : token.end]
        for sentence in result.sentences
        for token in sentence.tokens
        if token.glue
    ]


def test_source_of_another_day_has_a_section_with_its_day() -> None:
    text = consolidate(bundle(SANK, RAISED, days=FAR)).text
    first, second = text.split("\n\nReported on April 20, 2023: ")
    assert (first.replace("\n\n", " "), second.replace("\n\n", " ")) == (SANK, RAISED)


def test_the_words_of_the_heading_are_glue() -> None:
    result = consolidate(bundle(SANK, RAISED, days=FAR))
    assert glue(result) == ["Reported", "on", "April", "20,", "2023:"]


def test_sections_stand_in_the_order_of_time() -> None:
    days = ["2023-03-14", "2023-05-02", "2023-04-20"]
    text = consolidate(bundle(SANK, RAISED, "Jonas Verrick resigned.", days=days)).text
    assert text.index("on April 20, 2023: Jonas") < text.index("on May 2, 2023: Divers")


def test_every_other_day_has_a_section() -> None:
    days = ["2023-03-14", "2023-04-20", "2023-04-21"]
    text = consolidate(bundle(SANK, RAISED, "Jonas Verrick resigned.", days=days)).text
    assert "Reported on April 20, 2023: Divers" in text
    assert "Reported on April 21, 2023: Jonas" in text


def test_source_of_two_days_later_has_a_section() -> None:
    text = consolidate(bundle(SANK, RAISED, days=("2023-03-14", "2023-03-16"))).text
    assert "\n\nReported on March 16, 2023: Divers" in text


def test_source_of_the_next_day_has_a_section() -> None:
    text = consolidate(bundle(SANK, RAISED, days=("2023-03-14", "2023-03-15"))).text
    assert "\n\nReported on March 15, 2023: Divers" in text


def test_accounts_of_one_day_follow_one_another() -> None:
    text = consolidate(bundle(SANK, RAISED, days=("2023-03-14", "2023-03-14"))).text
    first, second = text.split("\n\nFrom a second account: ")
    assert (first.replace("\n\n", " "), second.replace("\n\n", " ")) == (SANK, RAISED)


def test_accounts_without_a_day_follow_the_first_one() -> None:
    text = consolidate(bundle(SANK, RAISED, days=("2023-03-14", None))).text
    assert "\n\nFrom a second account: Divers" in text


def test_source_that_adds_nothing_has_no_heading() -> None:
    repeats = account("b", SANK, "2023-03-14", source="Echo")
    adds = account("c", RAISED, "2023-03-14", source="Wire")
    text = consolidate([account("a", SANK, "2023-03-14"), repeats, adds]).text
    assert "From Wire: Divers" in text
    assert "Echo" not in text


def test_unnamed_accounts_are_counted_as_they_appear() -> None:
    text = consolidate(bundle(SANK, SANK, RAISED)).text
    assert "From a second account: Divers" in text


def test_accounts_with_a_name_are_called_by_it() -> None:
    wire = account("b", RAISED, "2023-03-14", source="Wire")
    text = consolidate([account("a", SANK, "2023-03-14"), wire]).text
    assert "\n\nFrom Wire: Divers" in text


def test_remark_on_an_account_is_no_part_of_its_name() -> None:
    wire = account("b", RAISED, "2023-03-14", source="Wire (web page)")
    text = consolidate([account("a", SANK, "2023-03-14"), wire]).text
    assert "\n\nFrom Wire: Divers" in text


def test_a_section_of_which_nothing_is_left_has_no_heading() -> None:
    again = "A ferry with 212 people sank off Halverne."
    assert glue(consolidate(bundle(SANK, again, days=FAR))) == []


def test_whoever_says_i_or_we_is_heard_alone() -> None:
    own = "I stood at the rail. We saw nothing in the fog. Tugs took my bag."
    text = consolidate(bundle(own, f"{SANK} {RAISED}")).text
    told, heard = text.split("In the words of one account: ")
    assert told.replace("\n\n", " ").strip() == f"{SANK} {RAISED}"
    assert heard.replace("\n\n", " ") == own


def test_log_has_a_section_with_the_name_of_its_source() -> None:
    said = "11:05: A lamp went out. 11:20: A passenger fell yesterday. 12:00: The bank is wet."
    log = account("log", said, "2023-03-14", source="Coast guard")
    text = consolidate([account("a", f"{SANK} {RAISED}"), log]).text
    assert text.replace("\n\n", " ").endswith(f"In the words of Coast guard: {said}")


def test_entries_of_a_live_page_follow_time_each_in_a_paragraph() -> None:
    entries = [
        "9.58pm Tugs left Orme.",
        "9.40 pm The bank is wet. One buoy drifts.",
        "7:05 pm A lamp fell.",
    ]
    page = account("log", " ".join(entries), "2023-03-14", source="Orme Live")
    text = consolidate([account("a", f"{SANK} {RAISED}"), page]).text
    assert text.endswith("From Orme Live: " + "\n\n".join(reversed(entries)))


def test_two_entries_are_sorted_too() -> None:
    page = account("log", "2.40 PM Tugs left. Two were hurt. 12.10 PM Fog came. Smoke rose.")
    text = consolidate([account("a", f"{SANK} {RAISED}"), page]).text
    assert text.endswith("12.10 PM Fog came. Smoke rose.\n\n2.40 PM Tugs left. Two were hurt.")


def test_quotations_are_no_voice_of_the_account() -> None:
    quoted = '"I saw nothing," said Hanna Brode. "We left," said Peter Aldous. Tugs came.'
    assert "In the words" not in consolidate(bundle(SANK, quoted)).text


def test_single_source_has_no_introduction() -> None:
    assert glue(consolidate(bundle("I stood at the rail. We saw nothing."))) == []


def test_a_year_that_no_account_gives_is_not_written() -> None:
    given = bundle(f"HALVERNE, March 14 - {SANK}", f"HALVERNE, April 20 - {RAISED}")
    assert "Reported on April 20: Divers" in consolidate(given).text


@pytest.mark.parametrize("words", [12, 20, 30, 40])
def test_a_shortened_text_may_leave_out_a_shared_sentence(words: int) -> None:
    shared = "A lorry hit the bridge at Orme on Monday and closed it for hours."
    first = (
        f"{shared} The driver was unhurt. Trains from Vey to Orme were late all day because of it."
    )
    second = f"Fog lay over Orme. {shared} The driver had worked for the brewery for nine years."
    assert tatian.consolidate(bundle(first, second), length=words).text
