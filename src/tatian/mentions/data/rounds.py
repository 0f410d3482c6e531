"""The two rounds of annotation as formats: a labeler's record a line, with the text it is about.

Beside the fields of a `Record` a line has ``text`` and ``topic``; programs that know records only
pass over them. One text is read for each record: what that labeler found, or confirmed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

import msgspec
from msgspec.structs import replace

from tatian.errors import EmptyInput, InputError
from tatian.mentions.annotation import Confirmation, Detection, LinkedTerm
from tatian.mentions.data.jsonl import lines, reason
from tatian.mentions.data.labels import annotated, confirmation, detection, terms
from tatian.mentions.data.records import LinkedMention, LinkedText
from tatian.text.formats import Losses
from tatian.text.layers import Authorship
from tatian.text.records import Record

A = TypeVar("A")
_MADE = Authorship(by="tatian")


class _Line(Record[A], Generic[A], frozen=True, omit_defaults=True):
    text: str | None = None
    topic: str = ""


def read_detections(text: str, path: str | None = None) -> Iterator[LinkedText]:
    """What each labeler found."""
    return _read(text, path, _Line[Detection], lambda answer: answer.mentions)


def read_confirmations(text: str, path: str | None = None) -> Iterator[LinkedText]:
    """What each labeler confirmed."""
    return _read(text, path, _Line[Confirmation], lambda answer: sorted(answer.confirmed))


def _read(
    text: str, path: str | None, kind: type[_Line[A]], found: Callable[[A], Iterable[LinkedTerm]]
) -> Iterator[LinkedText]:
    decoder = msgspec.json.Decoder(kind)
    empty = True
    for number, line in lines(text):
        empty = False
        try:
            record = decoder.decode(line)
            if record.text is None:
                raise InputError('the record does not say the text it is about ("text")')
            about = LinkedText(record.item, record.text, record.topic)
            yield annotated(record, found(record.answer), {about.id: about})
        except (msgspec.DecodeError, UnicodeEncodeError, InputError, RecursionError) as error:
            raise InputError(reason(error), path=path, line=number) from error
    if empty:
        raise EmptyInput("no record in it", path=path)


def write_detections(texts: Iterable[LinkedText], losses: Losses) -> Iterator[str]:
    """Each text's mentions as one labeler's answer to the first round."""
    for text in texts:
        yield _written(detection(_allowed(text, losses), _MADE), text)


def write_confirmations(texts: Iterable[LinkedText], losses: Losses) -> Iterator[str]:
    """Each text's mentions as candidates that one labeler has confirmed."""
    for text in texts:
        allowed = _allowed(text, losses)
        yield _written(confirmation(allowed, terms(allowed), _MADE), text)


def _written(record: Record[A], text: LinkedText) -> str:
    topic = {"topic": text.topic} if text.topic else {}
    plain = {**msgspec.to_builtins(record), "text": text.text, **topic}
    return msgspec.json.encode(plain).decode() + "\n"


def _allowed(text: LinkedText, losses: Losses) -> LinkedText:
    """The text without pages that the guidelines rule out."""
    mentions: list[LinkedMention] = []
    for mention in text.mentions:
        titles = tuple(title for title in mention.titles if _is_allowed(mention, title))
        if len(titles) < len(mention.titles):
            missing = len(mention.titles) - len(titles)
            losses.add("pages that the guidelines rule out: left out", text.id, missing)
        mentions.append(replace(mention, titles=titles))
    return replace(text, mentions=tuple(mentions))


def _is_allowed(mention: LinkedMention, title: str) -> bool:
    try:
        LinkedTerm(mention.start, mention.end, mention.term, title)
    except ValueError:
        return False
    return True
