"""Speech in subtitles (SubRip, WebVTT): cues as running text, a paragraph per speaker."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from tatian.corpora.decoding import Warn, decode
from tatian.corpora.properties import build_document, clean_text
from tatian.errors import EmptyInput, NotText
from tatian.text import Document

_TIME = r"(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_TIMES = re.compile(rf"^\s*({_TIME})\s*-->\s*({_TIME})[^\n]*$")
_MARKUP = re.compile(r"<[^<>\n]{0,200}>|\{\\[^{}\n]{0,100}\}")
_VOICE = re.compile(r"<v(?:\.[^<>\s]*)?\s+([^<>\n]{1,100})>")
_SPEAKER = re.compile(r"(?:>>\s*)?([A-Z][\w.'’-]*(?:[ ,][\w.'’()-]+){0,4}):\s+(?=\S)")
_SOUND = re.compile(r"(?:[\[(][^\])]*[\])]|[♪♫#\s]+[^♪♫#]*[♪♫#]\s*|[♪♫\s]+)\Z")
_DASH = re.compile(r"(?:-|–|—|>>)\s*")
_PAUSE_SECONDS = 3.0
"""Seconds after which a new paragraph begins, if a sentence has ended."""
_MAX_GAP_SECONDS = 0.05
"""Maximum time between a cue and one that repeats its single line, in seconds."""
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\Z")


class Cue(NamedTuple):
    """Lines that are shown from `start` to `end`, in seconds."""

    start: float
    end: float
    lines: list[str]


class _Turn(NamedTuple):
    speaker: str | None
    words: list[str]


def read_captions(data: bytes, name: str, warn: Warn) -> list[Document]:
    """Read a SubRip or WebVTT file as one source."""
    text = decode(data, name, warn).lstrip("\ufeff")
    cues = list(_cues(text.replace("\r\n", "\n").replace("\r", "\n")))
    if not cues:
        message = "a transcript without cues: no line has times such as 00:01 --> 00:04"
        raise NotText(message, path=name)
    turns = [turn for turn in _turns(cues) if turn.words]
    if not turns:
        raise EmptyInput("a transcript without text", path=name)
    paragraphs = (
        f"{turn.speaker}: {' '.join(turn.words)}" if turn.speaker else " ".join(turn.words)
        for turn in turns
    )
    head = re.match(r"WEBVTT[ \t]+(?:- ?)?(\S.*)", text)
    return [build_document(paragraphs, titles=(head[1],) if head else ())]


def _cues(text: str) -> Iterator[Cue]:
    lines = text.split("\n")
    times = [(index, match) for index, line in enumerate(lines) if (match := _TIMES.match(line))]
    for number, (index, match) in enumerate(times):
        end = times[number + 1][0] if number + 1 < len(times) else len(lines)
        shown: list[str] = []
        for line in lines[index + 1 : end]:
            if not line.strip():
                break
            shown.append(line)
        else:
            # Some writers leave no blank line: the rest is the next cue's number.
            if number + 1 < len(times) and shown and shown[-1].strip().isdecimal():
                shown.pop()
        yield Cue(_seconds(match[1]), _seconds(match[2]), shown)


def _seconds(stamp: str) -> float:
    total = 0.0
    for part in stamp.replace(",", ".").split(":"):
        total = 60 * total + float(part)
    return total


def _turns(cues: list[Cue]) -> Iterator[_Turn]:
    """Yield the words of each speaker in turn; repeated lines count once."""
    turn = _Turn(None, [])
    previous: list[str] = []
    last_end = 0.0
    for cue in cues:
        shown: list[str] = []
        paused = cue.start - last_end > _PAUSE_SECONDS
        for line in cue.lines:
            voice = _VOICE.search(line)
            speech = clean_text(unescape(_MARKUP.sub("", line)))
            shown.append(speech)
            follows = len(cue.lines) > 1 or cue.start - last_end < _MAX_GAP_SECONDS
            if not speech or _SOUND.match(speech) or (follows and speech in previous):
                continue
            dash = _DASH.match(speech)
            speech = speech[dash.end() :] if dash else speech
            named = _SPEAKER.match(speech)
            speaker = clean_text(voice[1]) if voice else named[1] if named else None
            speech = speech[named.end() :] if named and not voice else speech
            is_new_speaker = speaker is not None and speaker != turn.speaker
            sentence_ended = not turn.words or _SENTENCE_END.search(turn.words[-1]) is not None
            may_begin = paused or (dash and speaker is None)
            if is_new_speaker or (sentence_ended and may_begin):
                yield turn
                turn = _Turn(speaker if speaker or dash else turn.speaker, [])
            paused = False
            turn.words.append(speech)
        previous = shown or previous
        last_end = max(last_end, cue.end)
    yield turn
