"""Documents as CoNLL-U that is valid by the rules of form of Universal Dependencies."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

import msgspec

from tatian.analysis.conllu.frames import FRAMES, NAME, NONE, UNSPACED, Frame, items, joined
from tatian.analysis.segments import token_ranges
from tatian.analysis.words import features_text
from tatian.errors import InputError
from tatian.text import NAMES, WORDS, Document, Name, Word
from tatian.text.tokenizer import BLANK_LINE

_BLANK = re.compile(r"\s+")
_NOT_IN_ID = re.compile(r"[\s/]+")
_KEY = re.compile(r"#\s*(sent_id|text)\s*=")


def to_conllu(document: Document) -> str:
    """The sentences of a document with tokens, and whatever the analysis says of their words.

    Names are in MISC (``NER=B-PER``). Comments and multiword tokens that the document was read with
    stand as they were; missing ``sent_id`` and ``text`` comments are added. Without an analysis the
    columns are empty.
    """
    ranges = list(token_ranges(document))
    frames = _frames(document, ranges)
    words = {word.token: word for word in document.get(WORDS)} if document.has(WORDS) else {}
    labels = _name_labels(document)
    lines: list[str] = []
    for number, (places, frame) in enumerate(zip(ranges, frames, strict=True), start=1):
        if not len(places):
            continue
        sentence = _Sentence(document, places, frame)
        lines += sentence.comments(number)
        lines += sentence.rows(words, labels)
        lines.append("")
    return "".join(f"{line}\n" for line in lines)


def _frames(document: Document, ranges: Sequence[range]) -> list[Frame | None]:
    """The frames the document was read with, as long as they still fit its sentences."""
    if document.has(FRAMES):
        frames = msgspec.convert(
            msgspec.to_builtins(document.get(FRAMES)), tuple[Frame, ...], strict=False
        )
        if [len(frame.misc) for frame in frames] == [len(places) for places in ranges]:
            return list(frames)
    return [None] * len(ranges)


def _name_labels(document: Document) -> dict[int, str]:
    """The BIO label of each token in a name; of names that overlap, the longest counts."""
    names: Sequence[Name] = document.get(NAMES) if document.has(NAMES) else ()
    starts = {token.start: index for index, token in enumerate(document.tokens)}
    labels: dict[int, str] = {}
    for name in sorted(names, key=lambda name: (-len(name), name.start)):
        index = starts.get(name.start)
        inside = document.tokens_in(name)
        if index is None or any(place in labels for place in range(index, index + len(inside))):
            continue
        for offset in range(len(inside)):
            labels[index + offset] = f"{'I' if offset else 'B'}-{name.type}"
    return labels


class _Sentence:
    """One sentence on its way out."""

    def __init__(self, document: Document, places: range, frame: Frame | None) -> None:
        self.document = document
        self.places = places
        self.frame = frame
        self.forms = [self._form(document.tokens[place].text) for place in places]
        self.misc = list(frame.misc) if frame else [self._spacing(place) for place in places]

    def _form(self, text: str) -> str:
        """As it was read, or else normalised (NFC) and without blanks."""
        if self.frame:
            return text
        return _BLANK.sub(NONE, unicodedata.normalize("NFC", text)) or NONE

    def _spacing(self, place: int) -> str:
        tokens = self.document.tokens
        touches = place + 1 < len(tokens) and tokens[place].end == tokens[place + 1].start
        return UNSPACED if touches else NONE

    def comments(self, number: int) -> Iterator[str]:
        """What stands above the words."""
        given = self.frame.comments if self.frame else tuple(self._opening(number))
        yield from given
        keys = {match[1] for comment in given if (match := _KEY.match(comment))}
        if "sent_id" not in keys:
            yield f"# sent_id = {_NOT_IN_ID.sub('_', self.document.id) or 'text'}-{number}"
        if "text" not in keys:
            yield f"# text = {self.text()}"

    def _opening(self, number: int) -> Iterator[str]:
        tokens, first = self.document.tokens, self.places.start
        if number == 1:
            yield f"# newdoc id = {_BLANK.sub(' ', self.document.id).strip() or 'text'}"
        elif BLANK_LINE.search(self.document.text, tokens[first - 1].end, tokens[first].start):
            yield "# newpar"

    def text(self) -> str:
        """The sentence as its forms and their spacing spell it."""
        ranges = {one.first: one for one in self.frame.ranges} if self.frame else {}
        written: list[str] = []
        place = 0
        while place < len(self.forms):
            one = ranges.get(place + 1)
            form, misc = (one.form, one.misc) if one else (self.forms[place], self.misc[place])
            written += [form, "" if UNSPACED in items(misc) else " "]
            place = one.last if one else place + 1
        return "".join(written).strip()

    def rows(self, words: dict[int, Word], labels: dict[int, str]) -> Iterator[str]:
        """The table."""
        ranges = {one.first: one for one in self.frame.ranges} if self.frame else {}
        for number, place in enumerate(self.places, start=1):
            if one := ranges.get(number):
                empty = "\t".join([NONE] * 7)
                yield f"{one.first}-{one.last}\t{one.form}\t{empty}\t{one.misc}"
            listed = [item for item in items(self.misc[number - 1]) if not item.startswith(NAME)]
            if place in labels:
                listed.append(NAME + labels[place])
            columns = self._columns(words.get(place), self.forms[number - 1])
            yield "\t".join((str(number), self.forms[number - 1], *columns, NONE, joined(listed)))

    def _columns(self, word: Word | None, form: str) -> tuple[str, ...]:
        """From the lemma to the relation."""
        if word is None:
            return (NONE,) * 6
        if word.head >= 0 and word.head not in self.places:
            raise InputError(
                f"document '{self.document.id}': the head of '{form}' (token {word.token}) is in "
                "another sentence"
            )
        return (
            _BLANK.sub(" ", unicodedata.normalize("NFC", word.lemma)) or NONE,
            word.tag or NONE,
            word.fine or NONE,
            features_text(word.features),
            str(word.head - self.places.start + 1) if word.head >= 0 else "0",
            word.relation or NONE,
        )
