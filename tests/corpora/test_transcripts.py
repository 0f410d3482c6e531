"""Cues of subtitles as running text."""

from __future__ import annotations

import pytest

from tatian.corpora.transcripts import read_captions
from tatian.errors import EmptyInput

from .file_samples import PARAGRAPHS, srt, vtt


def text_of(*cues: str, gap: float = 0.5) -> str:
    """The text of cues that are shown for a second each."""
    starts = [number * (1 + gap) for number in range(len(cues))]
    lines = [
        f"{number}\n00:00:{start:06.3f} --> 00:00:{start + 1:06.3f}\n{cue}\n"
        for number, (start, cue) in enumerate(zip(starts, cues, strict=True), start=1)
    ]
    return read_captions("\n".join(lines).encode(), "a.srt", print)[0].text


def test_cues_become_running_text_without_times_or_numbers() -> None:
    for data in (srt(), vtt()):
        text = read_captions(data, "a", print)[0].text
        assert text == " ".join(PARAGRAPHS)


def test_speakers_begin_paragraphs_and_are_named_once() -> None:
    assert text_of("ANNA: We ran", "aground.", "TOM: Was anybody hurt?", "ANNA: No.") == (
        "ANNA: We ran aground.\n\nTOM: Was anybody hurt?\n\nANNA: No."
    )


def test_voices_of_webvtt_are_speakers() -> None:
    cue = "00:01.000 --> 00:02.000 align:start\n<v.loud Zoë Müller>It <i>stopped</i>.</v>"
    other = "00:03.000 --> 00:04.000\n<v Tom>Why?"
    text = read_captions(f"WEBVTT\n\n{cue}\n\nid\n{other}\n".encode(), "a.vtt", print)[0].text
    assert text == "Zoë Müller: It stopped.\n\nTom: Why?"


def test_dashes_separate_speakers() -> None:
    assert text_of("- Is it fog?\n- It is.") == "Is it fog?\n\nIt is."


def test_sounds_music_and_markup_are_left_out() -> None:
    assert (
        text_of("[Music]", "{\\an8}<font color='red'>It</font> stopped.", "♪ la la ♪", "(horn)")
        == "It stopped."
    )


def test_lines_kept_on_screen_are_read_once() -> None:
    assert text_of(
        "It ran aground", "It ran aground\non Tuesday.", "on Tuesday.\nNobody was hurt."
    ) == ("It ran aground on Tuesday. Nobody was hurt.")


def test_repeated_lines_are_kept() -> None:
    assert text_of("No.", "No.") == "No. No."


def test_a_pause_after_a_sentence_begins_a_paragraph() -> None:
    assert text_of("It stopped.", "Then fog", "came.", gap=5) == "It stopped.\n\nThen fog came."


def test_cues_without_blank_lines_between_them_are_read() -> None:
    data = b"1\n00:00:01,000 --> 00:00:02,000\nOne.\n2\n00:00:02,000 --> 00:00:03,000\nTwo.\n"
    assert read_captions(data, "a.srt", print)[0].text == "One. Two."


def test_other_encodings_are_read() -> None:
    data = "1\r\n00:00:01,000 --> 00:00:02,000\r\nEin Café.\r\n"
    for encoding in ("cp1252", "utf-16", "utf-8-sig"):
        assert read_captions(data.encode(encoding), "a.srt", lambda _: None)[0].text == "Ein Café."


def test_a_transcript_of_sounds_alone_has_no_text() -> None:
    with pytest.raises(EmptyInput, match="a transcript without text"):
        text_of("[Music]")
