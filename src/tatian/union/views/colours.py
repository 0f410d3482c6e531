"""Which words of a union come from which sentence, and which words of the sentences went into it.

The colours of Hirsch et al. 2023, Figure 1: what only one sentence says has that sentence's colour,
what they all say has a colour of its own, and what the union leaves out because another sentence
says it more exactly has none. A model that keeps provenance says so itself; from text alone, words
are found by what they stand for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from tatian.text import WovenToken, tokenize
from tatian.text.content import is_telling, stem
from tatian.text.spans import Span
from tatian.union.metrics.estimates import FoundWord, estimate
from tatian.union.metrics.wording import ContentWord, Wording, derived, wording
from tatian.union.models import Merged, Passage

Sources = tuple[int, ...]
Place = tuple[int, int]
"""A sentence, by its index, and where in it a word begins."""
Equivalents = Mapping[Place, frozenset[Place]]
"""For words of one sentence, the words of others that say the same: "fired", "dismissed"."""
_APART = frozenset(";:()[]\"“”``''—–")
_LONGEST_GAP = 3
"""Small words in a row that may join two stretches of one colour."""
_SYNONYMS = 0.6
"""The likeness from which two different words say the same, neither more exactly."""


class ColouredPiece(Struct, frozen=True, omit_defaults=True):
    """A stretch of text of one colour."""

    text: str
    sources: Sources = ()
    """Indices of the sentences that say it; empty where it has no colour."""
    amiss: str = ""
    """``missing``, ``unfaithful`` or ``repeated`` where a word seems to be that."""


class Coloured(Struct, frozen=True):
    """Sentences and their union, in colours."""

    sentences: tuple[tuple[ColouredPiece, ...], ...]
    union: tuple[ColouredPiece, ...]


class _Word(Struct):
    """A token on its way to a colour."""

    start: int
    end: int
    text: str
    sources: Sources | None = None
    """None: to be coloured like its neighbours, if at all."""
    amiss: str = ""


def colour(
    sentences: Sequence[str],
    union: str,
    woven: Sequence[Sources] = (),
    same: Equivalents | None = None,
) -> Coloured:
    """The colours of a pair or group and its union.

    `woven` says for each token of the union (as `tokenize` cuts it) which sentences it came from,
    where that is known; see `provenance`. `same` says which words of the sentences are
    equivalent; see ``tatian.union.relations.equivalents``.
    """
    given = [wording(sentence) for sentence in sentences]
    said = wording(union)
    found = estimate(sentences, union)
    same = _told_once(same or {}, given, said)
    known = {
        word.start: _spread(_having(word, said, given), word, given, same) for word in said.words
    }
    written = _words(union, known, found.unfaithful, "unfaithful")
    for one in found.repeated:
        _mark(written, one, "repeated")
    if len(woven) == len(written):
        for word, origin in zip(written, woven, strict=True):
            if not word.text[0].isalnum():
                continue
            word.sources = tuple(sorted({*(word.sources or ()), *origin})) or word.sources
    texts = [_words(sentence, {}, (), "") for sentence in sentences]
    coloured = []
    for index, sentence in enumerate(sentences):
        kept = _kept(index, given, said, same)
        mine = [
            one
            for one in found.missing
            if one.sentence == index and not (kept.get(one.start) and same.get((index, one.start)))
        ]
        words = _words(sentence, kept, mine, "missing")
        coloured.append(_pieces(sentence, words, [written]))
    return Coloured(tuple(coloured), _pieces(union, written, texts))


def provenance(merged: Merged, passages: Sequence[Passage], union: str) -> list[Sources]:
    """For each token of the union, the passages it came from, as the model that wrote it says."""
    places = {passage.document.id: index for index, passage in enumerate(passages)}
    origin: list[tuple[Span, Sources]] = []
    position = 0
    for written in (token for sentence in merged.sentences for token in sentence):
        start = union.find(written.text, position)
        if start >= 0:
            position = start + len(written.text)
            origin.append((Span(start, position), _places(written, places)))
    found = []
    for token in tokenize(union):
        met = [sources for span, sources in origin if span.overlaps(token)]
        found.append(tuple(sorted({one for sources in met for one in sources})))
    return found


def _places(token: WovenToken, places: dict[str, int]) -> Sources:
    return tuple({places[one.document] for one in token.sources if one.document in places})


def _having(word: ContentWord, own: Wording, given: Sequence[Wording]) -> Sources:
    """The sentences that say what a word says, neither more nor less exactly."""
    return tuple(index for index, other in enumerate(given) if _says(word, own, other))


def _told_once(same: Equivalents, given: Sequence[Wording], said: Wording) -> Equivalents:
    """Without words that the union has both of: its writer took them for different things."""
    words = {(index, one.start): one for index, own in enumerate(given) for one in own.words}
    told = {
        place
        for place, word in words.items()
        if any(_same(word, stem(word.text), one) for one in said.words)
    }

    def differ(one: Place, other: Place) -> bool:
        known = one in words and other in words
        return known and not _same(words[one], stem(words[one].text), words[other])

    return {
        place: frozenset(
            twin for twin in twins if not ({place, twin} <= told and differ(place, twin))
        )
        for place, twins in same.items()
    }


def _spread(
    sources: Sources, word: ContentWord, given: Sequence[Wording], same: Equivalents
) -> Sources:
    """With the sentences that say a word of the union in equivalent words."""
    stemmed = stem(word.text)
    found = set(sources)
    for index, other in enumerate(given):
        for one in other.words:
            if _same(word, stemmed, one):
                found |= {sentence for sentence, _ in same.get((index, one.start), ())}
    return tuple(sorted(found))


def _kept(
    index: int, given: Sequence[Wording], said: Wording, same: Equivalents
) -> dict[int, Sources]:
    """For each content word of a sentence that the union keeps, the sentences that say it."""
    mine = given[index]
    found: dict[int, Sources] = {}
    for word in mine.words:
        others = same.get((index, word.start), frozenset())
        told = [
            (one, given[sentence])
            for sentence, start in others
            for one in given[sentence].words
            if one.start == start
        ]
        kept = _says(word, mine, said) or any(_says(one, other, said) for one, other in told)
        having = {*_having(word, mine, given), *(sentence for sentence, _ in others)}
        found[word.start] = tuple(sorted(having)) if kept else ()
    return found


def _says(word: ContentWord, own: Wording, other: Wording) -> bool:
    stemmed = stem(word.text)
    candidates = [one for one in other.words if _same(word, stemmed, one)]
    if candidates or is_telling(word.text) or own.vectors is None or other.vectors is None:
        return bool(candidates)
    near = other.vectors @ own.vectors[own.words.index(word)]
    return any(
        value >= _SYNONYMS and not is_telling(one.text)
        for one, value in zip(other.words, near.tolist(), strict=True)
    )


def _same(word: ContentWord, stemmed: str, other: ContentWord) -> bool:
    if word.is_number or other.is_number:
        return word.concept == other.concept
    return stemmed == stem(other.text) or derived(stemmed, stem(other.text))


def _words(
    text: str, known: dict[int, Sources], amiss: Iterable[FoundWord], kind: str
) -> list[_Word]:
    words = [_Word(token.start, token.end, token.text) for token in tokenize(text)]
    for word in words:
        met = [sources for start, sources in known.items() if word.start <= start < word.end]
        if met:
            word.sources = tuple(sorted({one for sources in met for one in sources}))
    for one in amiss:
        _mark(words, one, kind)
    return words


def _mark(words: Sequence[_Word], found: FoundWord, kind: str) -> None:
    for word in words:
        if word.start <= found.start < word.end:
            word.amiss = kind


def _pieces(
    text: str, words: Sequence[_Word], others: Sequence[Sequence[_Word]]
) -> tuple[ColouredPiece, ...]:
    """Words of one colour joined, with the small words between them."""
    _join(words)
    _lead(words, others)
    pieces: list[ColouredPiece] = []
    position = 0
    for index, word in enumerate(words):
        gap = text[position : word.start]
        position = word.end
        colour = word.sources or ()
        before = pieces[-1] if pieces else None
        if before and (before.sources, before.amiss) == (colour, word.amiss):
            pieces[-1] = ColouredPiece(before.text + gap + word.text, colour, word.amiss)
            continue
        if gap and index:
            pieces.append(ColouredPiece(gap))
        pieces.append(ColouredPiece(word.text, colour, word.amiss))
    return _compact(pieces)


def _join(words: Sequence[_Word]) -> None:
    """Colour small words that stand between words of one colour."""
    coloured = [index for index, word in enumerate(words) if word.sources is not None]
    for first, second in pairwise(coloured):
        between = words[first + 1 : second]
        same = words[first].sources == words[second].sources and words[first].sources
        if same and len(between) <= _LONGEST_GAP and _APART.isdisjoint(w.text for w in between):
            for word in between:
                word.sources = words[first].sources


def _lead(words: Sequence[_Word], others: Sequence[Sequence[_Word]]) -> None:
    """Colour small words before a word of one sentence that lead to it in the other text too."""
    known = {pair for other in others for pair in pairwise(word.text.lower() for word in other)}
    for before, word in reversed(list(pairwise(words))):
        small = before.sources is None and before.text[0].isalnum()
        leads = (before.text.lower(), word.text.lower()) in known
        if small and leads and word.sources and len(word.sources) == 1:
            before.sources = word.sources


def _compact(pieces: Sequence[ColouredPiece]) -> tuple[ColouredPiece, ...]:
    """Neighbours without colour as one."""
    found: list[ColouredPiece] = []
    for piece in pieces:
        if found and not (piece.sources or piece.amiss or found[-1].sources or found[-1].amiss):
            found[-1] = ColouredPiece(found[-1].text + piece.text)
        else:
            found.append(piece)
    return tuple(found)


# What the colours of a union mean, in words: each sentence has one, what several say has another.
#
# A colour never stands alone: underlines on pages, brackets in plain text say the same.

TINTS = 4
"""Sentences with a colour of their own; further ones take turns."""
AMISS = {
    "missing": "seems to be missing from the union",
    "unfaithful": "seems to be in no sentence",
    "repeated": "seems to be said before",
}


def kind(sources: Sources) -> str:
    """The name of a colour: ``s0`` and so on for one sentence, ``all`` for several."""
    if not sources:
        return ""
    return "all" if len(sources) > 1 else f"s{sources[0] % TINTS}"


def meaning(sources: Sources, sentences: int) -> str:
    """What a colour says."""
    if not sources:
        return ""
    if len(sources) == 1:
        return f"only sentence {sources[0] + 1}"
    if len(sources) == sentences:
        return "both sentences" if sentences == 2 else "all sentences"
    return f"sentences {' and '.join(str(index + 1) for index in sources)}"


def bracketed(pieces: Sequence[ColouredPiece]) -> str:
    """Colours as brackets, for plain text: ``[2: Waitrose supermarket]``, ``[1+2: fire]``."""
    written = ""
    for piece in pieces:
        sign = "+".join(str(index + 1) for index in piece.sources)
        if piece.amiss:
            sign += f"{', ' if sign else ''}{piece.amiss}"
        written += f"[{sign}: {piece.text}]" if sign else piece.text
    return written
