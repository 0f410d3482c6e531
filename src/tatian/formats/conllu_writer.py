"""Writer of CoNLL-U that is valid by Universal Dependencies' rules of form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

import msgspec

from tatian.analysis.pieces import features_text, token_ranges
from tatian.errors import InputError
from tatian.formats.conllu import AUTHOR, FRAMES, NAME, NONE, UNSPACED, Frame, items
from tatian.text import NAMES, WORDS, Document, Word
from tatian.text.tokenizer import BLANK_LINE

_BLANK = re.compile(r"\s+")
_NOT_IN_ID = re.compile(r"[\s/]+")
_SEPARATORS = re.compile(r"[\t\n\r]+")
"""Characters that would end a column or a line."""


def to_conllu(document: Document, *, apart: bool = False) -> str:
    """Return the sentences of a document with tokens, and the analysis of their words.

    Names are in MISC (``NER=B-PER``). Comments and multiword tokens of the source stay as they
    were. Missing ``sent_id`` and ``text`` comments are added, and with `apart` a missing
    ``newdoc``, to separate the document from the one before it. Empty nodes and enhanced
    dependencies stay as long as their trees do. Without an analysis the columns are empty.
    """
    ranges = list(token_ranges(document))
    frames = _frames(document, ranges)
    words = {word.token: word for word in document.get(WORDS, ())}
    labels = _name_labels(document)
    lines: list[str] = []
    for number, (places, frame) in enumerate(zip(ranges, frames, strict=True), start=1):
        if not len(places):
            continue
        sentence = _Sentence(document, places, frame)
        lines += sentence.comments(number, opens=not lines and (apart or not sentence.read))
        lines += sentence.rows(words, labels)
        lines.append("")
    return "".join(f"{line}\n" for line in lines)


def _frames(document: Document, ranges: Sequence[range]) -> list[Frame | None]:
    """Return the frames of the source, as long as they still fit its sentences."""
    if document.has(FRAMES):
        plain = msgspec.to_builtins(document.get(FRAMES))
        frames = msgspec.convert(plain, tuple[Frame, ...], strict=False)
        if len(frames) == len(ranges) and all(
            len(frame.misc) == len(places) and len(frame.enhanced) in (0, len(places))
            for frame, places in zip(frames, ranges, strict=True)
        ):
            if document.has(WORDS) and document.layers[WORDS.name].made != AUTHOR:
                # An analysis has replaced the trees of the source.
                return [msgspec.structs.replace(frame, enhanced=(), empty=()) for frame in frames]
            return list(frames)
    return [None] * len(ranges)


def _name_labels(document: Document) -> dict[int, str]:
    """Return the BIO label of each token in a name; of overlapping names, the longest counts."""
    starts = {token.start: index for index, token in enumerate(document.tokens)}
    labels: dict[int, str] = {}
    for name in sorted(document.get(NAMES, ()), key=lambda name: (-len(name), name.start)):
        index = starts.get(name.start)
        inside = document.tokens_in(name)
        if index is None or any(place in labels for place in range(index, index + len(inside))):
            continue
        for offset in range(len(inside)):
            labels[index + offset] = f"{'I' if offset else 'B'}-{name.type}"
    return labels


def _spacing(document: Document, place: int) -> str:
    tokens = document.tokens
    touches = place + 1 < len(tokens) and tokens[place].end == tokens[place + 1].start
    return UNSPACED if touches else NONE


class _Sentence:
    """A sentence to be written."""

    def __init__(self, document: Document, places: range, frame: Frame | None) -> None:
        self.document = document
        self.places = places
        self.frame = frame or Frame(misc=tuple(_spacing(document, place) for place in places))
        self.read = frame is not None
        self.ranges = {multiword.first: multiword for multiword in self.frame.ranges}
        self.forms = [self._column(document.tokens[place].text) for place in places]

    def _column(self, text: str) -> str:
        """Return a column as it was read, or else normalised (NFC) and without blanks."""
        if self.read:
            return _SEPARATORS.sub(NONE, text) or NONE
        return _BLANK.sub(NONE, unicodedata.normalize("NFC", text)) or NONE

    def comments(self, number: int, *, opens: bool) -> Iterator[str]:
        """Yield the comments above the words."""
        name = self.document.id
        if opens and not self.frame.opens("newdoc"):
            yield f"# newdoc id = {_BLANK.sub(' ', name).strip() or 'text'}"
        elif not self.read and self._after_blank_line():
            yield "# newpar"
        yield from self.frame.comments
        if self.frame.comment("sent_id") is None:
            yield f"# sent_id = {_NOT_IN_ID.sub('_', name) or 'text'}-{number}"
        if self.frame.comment("text") is None:
            yield f"# text = {self.text()}"

    def _after_blank_line(self) -> bool:
        tokens, first = self.document.tokens, self.places.start
        before = tokens[first - 1].end if first else 0
        return BLANK_LINE.search(self.document.text, before, tokens[first].start) is not None

    def text(self) -> str:
        """Return the sentence as its forms and their spacing spell it."""
        pieces: list[str] = []
        place = 0
        while place < len(self.forms):
            form, misc, end = self.forms[place], self.frame.misc[place], place + 1
            if multiword := self.ranges.get(place + 1):
                form, misc, end = multiword.form, multiword.misc, multiword.last
            pieces += [form, "" if UNSPACED in items(misc) else " "]
            place = end
        return "".join(pieces).strip()

    def rows(self, words: dict[int, Word], labels: dict[int, str]) -> Iterator[str]:
        """Yield the rows of the table."""
        yield from self._empty_after(0)
        for number, (place, form) in enumerate(zip(self.places, self.forms, strict=True), start=1):
            if multiword := self.ranges.get(number):
                span, empty = f"{multiword.first}-{multiword.last}", [NONE] * 3
                columns = (span, multiword.form, *empty, multiword.features, *empty, multiword.misc)
                yield "\t".join(columns)
            enhanced = self.frame.enhanced[number - 1] if self.frame.enhanced else NONE
            misc = self._misc(self.frame.misc[number - 1], labels.get(place))
            analysis = self._columns(words.get(place), form)
            yield "\t".join((str(number), form, *analysis, enhanced, misc))
            yield from self._empty_after(number)

    def _empty_after(self, number: int) -> Iterator[str]:
        """Return the empty nodes between a word and the next."""
        return (line for line in self.frame.empty if line.startswith(f"{number}."))

    def _misc(self, misc: str, label: str | None) -> str:
        listed = [item for item in items(misc) if not item.startswith(NAME)]
        return "|".join([*listed, NAME + label] if label else listed) or NONE

    def _columns(self, word: Word | None, form: str) -> tuple[str, ...]:
        """Return the columns from the lemma to the relation."""
        if word is None:
            return (NONE,) * 6
        if word.head >= 0 and word.head not in self.places:
            problem = f"the head of '{form}' (token {word.token}) is in another sentence"
            raise InputError(f"document '{self.document.id}': {problem}")
        return (
            self._column(word.lemma),
            word.tag or NONE,
            word.fine or NONE,
            features_text(word.features),
            self._head(word),
            word.relation or NONE,
        )

    def _head(self, word: Word) -> str:
        """Return the head counted from 1; a word without relation has none."""
        if word.head >= 0:
            return str(word.head - self.places.start + 1)
        return "0" if word.relation else NONE
