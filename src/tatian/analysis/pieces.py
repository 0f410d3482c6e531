"""BERT's uncased word pieces in plain Python, so that the encoder needs no tokenizer package.

Text is cleaned: control characters and accents are removed, ideographs are separated, letters are
lower-cased. It is split at blanks and around punctuation, and each part is divided greedily into
the longest pieces of the vocabulary. Special tokens are not recognised in text: "[SEP]" is three
parts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from tatian.assets import sections
from tatian.errors import InputError
from tatian.text import SENTENCES, TOKENS, Authorship, Document, tokenize
from tatian.text.splitter import split_tokens
from tatian.text.tokenizer import compose

SHAPE_LENGTH = 6
"""Maximum number of characters of a shape."""
ENDING_LENGTHS = (2, 3)
"""Lengths of the endings of a word that are features, in characters."""

_VERBS = sections(Path(__file__).with_name("verbs.txt"))["verbs"]
_PASTS = {past: verb for verb, *pasts in map(str.split, _VERBS.splitlines()) for past in pasts}
_PAST_OF = {verb: past for past, verb in reversed(_PASTS.items())}
"""Irregular verbs, each with the first of its past forms."""
_UNCHANGED = frozenset(
    "bet burst cast cost cut hit hurt let put quit rid set shed shut split spread thrust".split()
)
_VOWELS = "aeiou"
_VERB_PREFIX = re.compile(r"(?:over|under|with|out|re|un|mis|fore|for|be|up)(?=...)")

_LONG_RUN = re.compile(r"(.)\1{2,}", re.DOTALL)


def shape(word: str) -> str:
    """Return the word's pattern of cases, digits and signs; ``McDonald`` is ``XxXxx``."""
    return _LONG_RUN.sub(r"\1\1", "".join(map(_shape_of, word)))[:SHAPE_LENGTH]


def _shape_of(character: str) -> str:
    if character.isupper() or character.istitle():
        return "X"
    if character.isalpha():
        return "x"
    if character.isdecimal():
        return "d"
    return character


def endings(word: str) -> tuple[str, str]:
    """Return the lower-cased word's last two and last three characters."""
    lowered = word.lower()
    short, long = ENDING_LENGTHS
    return lowered[-short:], lowered[-long:]


def past_form(verb: str) -> str:
    """Return the simple past of a verb given by its lemma: "cut", "struck", "robbed", "carried"."""
    lowered = verb.lower()
    if lowered in _UNCHANGED:
        return lowered
    if lowered in _PAST_OF:
        return _PAST_OF[lowered]
    if lowered.endswith("e"):
        return lowered + "d"
    if lowered.endswith("y") and lowered[-2:-1] not in _VOWELS:
        return lowered[:-1] + "ied"
    one_syllable = len(re.findall(f"[{_VOWELS}]+", lowered)) == 1
    doubled = re.search(f"[^{_VOWELS}][{_VOWELS}][^{_VOWELS}wxy]$", lowered)
    if one_syllable and (doubled or re.fullmatch(f"[{_VOWELS}][^{_VOWELS}wxy]", lowered)):
        return lowered + lowered[-1] + "ed"
    return lowered + "ed"


def verb_of(form: str, fine: str) -> str | None:
    """Return the verb of an irregular past form: "withdraw" for "withdrew"."""
    if fine not in ("VBD", "VBN"):
        return None
    lowered = form.lower()
    prefix = _VERB_PREFIX.match(lowered)
    start = prefix.end() if prefix and lowered not in _PASTS else 0
    verb = _PASTS.get(lowered[start:])
    return verb and lowered[:start] + verb


def lemma_of(form: str, script: str) -> str:
    """Return the lemma that `script` (``case|drop|append``) makes of `form`; never empty.

    The form as it is (``k``), lower-cased (``l``) or capitalised (``f``), less `drop` characters at
    the end, then `append`. A script that drops more than there is leaves the form in its case.
    """
    case, drop, append = script.split("|", 2)
    cased = in_case(form, case)
    kept = len(cased) - int(drop)
    return (cased[:kept] + append if kept >= 0 else cased) or form


def in_case(form: str, case: str) -> str:
    """Return the form as it is (``k``), lower-cased (``l``), or capitalised (``f``)."""
    if case == "l":
        return form.lower()
    if case == "f":
        return form[:1].upper() + form[1:].lower()
    return form


@lru_cache(1 << 12)
def features_of(text: str) -> dict[str, str]:
    """Parse morphological features of CoNLL-U; equal texts give the same dictionary."""
    if text in ("", "_"):
        return {}
    return dict(item.partition("=")[::2] for item in text.split("|"))


def features_text(features: dict[str, str]) -> str:
    """Write features as CoNLL-U does: sorted by name, ``_`` for none."""
    ordered = sorted(features.items(), key=lambda item: item[0].lower())
    return "|".join(f"{name}={value}" if value else name for name, value in ordered) or "_"


TextInput = Document | str | Sequence[str] | Sequence[Sequence[str]]
"""A document, its text, or its sentences, each as text or as words."""

_RULES = Authorship(by="rules")
_GIVEN = Authorship(by="given")


def as_document(text: TextInput, name: str = "text") -> Document:
    """Return a document for a text or for sentences; a document is returned unchanged."""
    if isinstance(text, Document):
        return text
    if isinstance(text, str):
        return Document(name, text)
    for words in text:
        if not isinstance(words, str) and not all(words):
            raise InputError(f"word {list(words).index('') + 1} of the sentence {words} is empty")
    composed, tokens, sentences = compose(text)
    document = Document(name, composed)
    return document.with_layer(TOKENS, tokens, _GIVEN).with_layer(SENTENCES, sentences, _GIVEN)


def segmented(document: Document) -> Document:
    """Add tokens and sentences by rules, unless the document has them."""
    if not document.has(TOKENS):
        if document.has(SENTENCES):
            by_sentence = (tokenize(document.text, s.start, s.end) for s in document.sentences)
            tokens = list(chain.from_iterable(by_sentence))
        else:
            tokens = tokenize(document.text)
        document = document.with_layer(TOKENS, tokens, _RULES)
    if not document.has(SENTENCES):
        sentences = split_tokens(document.text, document.tokens)
        document = document.with_layer(SENTENCES, sentences, _RULES)
    return document


def token_ranges(document: Document) -> Iterator[range]:
    """Yield the indices of each sentence's tokens; a token belongs to at most one sentence."""
    tokens = document.tokens
    index = 0
    for sentence in document.sentences:
        while index < len(tokens) and tokens[index].start < sentence.start:
            index += 1
        begin = index
        while index < len(tokens) and tokens[index].end <= sentence.end:
            index += 1
        yield range(begin, index)


class RuleAnalyser:
    """Tokens and sentences by rules alone: fast, needs no weights, adds no tags."""

    def analyze(self, document: Document) -> Document:
        """Add `tokens` and `sentences`, unless they are there already."""
        return segmented(document)


UNKNOWN, START, END, PAD = "[UNK]", "[CLS]", "[SEP]", "[PAD]"
MAX_PART_CHARACTERS = 100
"""Maximum number of characters of a part; longer ones are unknown."""
CACHED_WORDS = 1 << 16
"""Number of words that each cache holds."""
MAX_CACHED_CHARACTERS = 64
"""Maximum number of characters of a cached word; longer ones are rare."""

_IDEOGRAPHS = (
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002b73f"
    "\U0002b740-\U0002b81f\U0002b820-\U0002ceaf\U0002f800-\U0002fa1f"
)
_DROPPED = frozenset(("Cc", "Cf", "Co", "Cs"))
_IDEOGRAPH = re.compile(f"([{_IDEOGRAPHS}])")

Rows = tuple[int, ...]


class WordPieces:
    """Divides words and texts into pieces, given as rows of the embedding table."""

    def __init__(self, pieces: Sequence[str], word_pieces: int = 16) -> None:
        self.rows = {piece: row for row, piece in enumerate(pieces)}
        self.start, self.end, self.unknown = (self.rows[p] for p in (START, END, UNKNOWN))
        self.word_pieces = word_pieces
        self._cache: Callable[[str], Rows] = lru_cache(CACHED_WORDS)(self._cut)

    def word(self, word: str) -> Rows:
        """Return the rows of one word, at least one; of too many, the first ones and the last."""
        rows = self._run(word)
        if len(rows) > self.word_pieces:
            return (*rows[: self.word_pieces - 1], rows[-1])
        return rows or (self.unknown,)

    def text(self, text: str, most: int | None = None) -> list[int]:
        """Return the first `most` rows of running text, without specials."""
        rows: list[int] = []
        for run in text.split(" "):
            rows.extend(self._run(run))
            if most is not None and len(rows) >= most:
                return rows[:most]
        return rows

    def _run(self, run: str) -> Rows:
        return self._cache(run) if len(run) <= MAX_CACHED_CHARACTERS else self._cut(run)

    def _cut(self, run: str) -> Rows:
        return tuple(row for part in parts(run) for row in self._pieces(part))

    def _pieces(self, part: str) -> list[int]:
        """Match the longest piece from the left repeatedly; unknown if there is none."""
        if (row_of_part := self.rows.get(part)) is not None:
            return [row_of_part]
        if len(part) > MAX_PART_CHARACTERS:
            return [self.unknown]
        rows: list[int] = []
        start = 0
        while start < len(part):
            prefix = "##" if start else ""
            for end in range(len(part), start, -1):
                row = self.rows.get(prefix + part[start:end])
                if row is not None:
                    rows.append(row)
                    start = end
                    break
            else:
                return [self.unknown]
        return rows


def parts(text: str) -> list[str]:
    """Split text at blanks, with each punctuation mark a part of its own, and normalise it."""
    if text.isascii() and text.isalnum():
        return [text.lower()]
    cleaned = _IDEOGRAPH.sub(r" \1 ", "".join(filter(_is_kept, text)))
    decomposed = unicodedata.normalize("NFD", cleaned)
    without_accents = (c for c in decomposed if unicodedata.category(c) != "Mn")
    # Character by character: "Σ" at the end of a word must not become "ς".
    lowered = "".join(c.lower() for c in without_accents)
    return "".join(f" {c} " if _is_punctuation(c) else c for c in lowered).split()


def _is_kept(character: str) -> bool:
    if character in "\t\n\r":
        return True
    return character != "\ufffd" and unicodedata.category(character) not in _DROPPED


def _is_punctuation(character: str) -> bool:
    if character < "\x80":
        return character.isprintable() and not character.isalnum() and character != " "
    return unicodedata.category(character).startswith("P")


class PieceRows(NamedTuple):
    """Pieces of some words between the special pieces: rows of the embedding table."""

    rows: list[int]
    shapes: list[int]
    """Shape of each piece's word; 0 for special pieces."""
    places: list[tuple[int, int]]
    """First and last piece of each word."""


def word_rows(pieces: WordPieces, words: Sequence[str], shapes: Mapping[str, int]) -> PieceRows:
    """Return the pieces of words as input of an encoder; unknown shapes are 0."""
    rows, numbers = [pieces.start], [0]
    places: list[tuple[int, int]] = []
    for word in words:
        cut_word = pieces.word(word)
        places.append((len(rows), len(rows) + len(cut_word) - 1))
        rows += cut_word
        numbers += [shapes.get(shape(word), 0)] * len(cut_word)
    return PieceRows([*rows, pieces.end], [*numbers, 0], places)


class PieceWindow(NamedTuple):
    """A window: words `first` to `last` are read, and of these `begin` to `end` are kept.

    The others are context and are kept in another window. Ends are exclusive.
    """

    first: int
    last: int
    begin: int
    end: int


def cut_windows(lengths: Sequence[int], room: int) -> list[PieceWindow]:
    """Cut words into windows of at most `room` pieces that keep each word once.

    `lengths` has the pieces of each word. Half of a window is kept, and a quarter on each side is
    context; all but the first have a word of context on the left. A word must fit into a quarter.
    """
    count = len(lengths)
    if not count:
        return []
    if sum(lengths) <= room:
        return [PieceWindow(0, count, 0, count)]
    windows: list[PieceWindow] = []
    begin = 0
    while begin < count:
        end = max(begin + 1, _reach(lengths, begin, 1, room // 2))
        first = min(_reach(lengths, begin - 1, -1, room // 4) + 1, max(0, begin - 1))
        last = _reach(lengths, end, 1, room // 4)
        windows.append(PieceWindow(first, last, begin, end))
        begin = end
    return windows


def _reach(lengths: Sequence[int], place: int, step: int, room: int) -> int:
    """Return the first position from `place` on whose word no longer fits."""
    while 0 <= place < len(lengths) and lengths[place] <= room:
        room -= lengths[place]
        place += step
    return place
