"""Colours of the words of a union and its sentences, by origin.

The colours of Hirsch et al. 2023, Figure 1: content of only one sentence has that sentence's
colour, shared content has a colour of its own. Content that the union drops for a more exact
wording has none. Models that keep provenance give the origins; for plain text, words are matched by
their concepts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from tatian.text import SourcedToken, tokenize
from tatian.text.content import is_exact, stem
from tatian.text.documents import Passage
from tatian.text.spans import Span
from tatian.union.metrics.estimates import FoundWord, estimate
from tatian.union.metrics.wording import ContentWord, Wording, share_origin, wording
from tatian.union.models import Merged

Sources = tuple[int, ...]
Place = tuple[int, int]
"""Index of a sentence, and the start offset of a word in it."""
Equivalents = Mapping[Place, frozenset[Place]]
"""For words of one sentence, the words of others with the same meaning: "fired", "dismissed"."""
_SEPARATORS = frozenset(";:()[]\"“”``''—–")
_MAX_GAP_WORDS = 3
"""Maximum number of function words in a row that may join two pieces of one colour."""
_MIN_SYNONYM_SIMILARITY = 0.6
"""Minimum similarity of two different words that count as equally specific synonyms."""


class ColouredPiece(Struct, frozen=True, omit_defaults=True):
    """Piece of text in one colour."""

    text: str
    sources: Sources = ()
    """Indices of the sentences that say it; empty without a colour."""
    amiss: str = ""
    """Suspected fault: ``missing``, ``unfaithful`` or ``repeated``; empty if none."""


class Coloured(Struct, frozen=True):
    """Sentences and their union, in colours."""

    sentences: tuple[tuple[ColouredPiece, ...], ...]
    union: tuple[ColouredPiece, ...]


class _Word(Struct):
    """A token before it has a colour."""

    start: int
    end: int
    text: str
    sources: Sources | None = None
    """Sentences that say it; None to take the colour of its neighbours, if any."""
    amiss: str = ""


def colour(
    sentences: Sequence[str],
    union: str,
    origins: Sequence[Sources] = (),
    same: Equivalents | None = None,
) -> Coloured:
    """Colour some sentences and their union.

    `origins` gives the sources of each token of the union (by `tokenize`), if known; see
    `find_origins`. `same` gives equivalent words of the sentences; see
    ``tatian.union.relations.equivalents``.
    """
    sources = [wording(sentence) for sentence in sentences]
    union_wording = wording(union)
    estimated = estimate(sentences, union)
    same = _drop_distinct(same or {}, sources, union_wording)
    sources_by_word = {
        word.start: _add_equivalents(
            _find_sources(word, union_wording, sources), word, sources, same
        )
        for word in union_wording.words
    }
    union_words = _split_words(union, sources_by_word, estimated.unfaithful, "unfaithful")
    for repeated in estimated.repeated:
        _mark_fault(union_words, repeated, "repeated")
    if len(origins) == len(union_words):
        for word, origin in zip(union_words, origins, strict=True):
            if not word.text[0].isalnum():
                continue
            word.sources = tuple(sorted({*(word.sources or ()), *origin})) or word.sources
    texts = [_split_words(sentence, {}, (), "") for sentence in sentences]
    coloured = []
    for index, sentence in enumerate(sentences):
        kept = _find_kept_words(index, sources, union_wording, same)
        missing = [
            word
            for word in estimated.missing
            if word.sentence == index
            and not (kept.get(word.start) and same.get((index, word.start)))
        ]
        words = _split_words(sentence, kept, missing, "missing")
        coloured.append(_join_pieces(sentence, words, [union_words]))
    return Coloured(tuple(coloured), _join_pieces(union, union_words, texts))


def find_origins(merged: Merged, passages: Sequence[Passage], union: str) -> list[Sources]:
    """Return the passages of each token of the union, as recorded by the model that wrote it."""
    indices = {passage.document.id: index for index, passage in enumerate(passages)}
    spans: list[tuple[Span, Sources]] = []
    position = 0
    for source_token in (token for sentence in merged.sentences for token in sentence):
        start = union.find(source_token.text, position)
        if start >= 0:
            position = start + len(source_token.text)
            spans.append((Span(start, position), _source_indices(source_token, indices)))
    tokens_sources = []
    for token in tokenize(union):
        touching = [sources for span, sources in spans if span.overlaps(token)]
        tokens_sources.append(tuple(sorted({index for sources in touching for index in sources})))
    return tokens_sources


def _source_indices(token: SourcedToken, places: dict[str, int]) -> Sources:
    return tuple({places[source.document] for source in token.sources if source.document in places})


def _find_sources(word: ContentWord, home: Wording, wordings: Sequence[Wording]) -> Sources:
    """Return the sentences that have the word's meaning, neither more nor less exactly."""
    return tuple(index for index, other in enumerate(wordings) if _has_meaning(word, home, other))


def _drop_distinct(same: Equivalents, wordings: Sequence[Wording], union: Wording) -> Equivalents:
    """Drop equivalents that the union has both of, because its writer distinguished them."""
    words = {
        (index, word.start): word for index, text in enumerate(wordings) for word in text.words
    }
    in_union = {
        place
        for place, word in words.items()
        if any(_is_same_word(word, union_word) for union_word in union.words)
    }

    def differ(first: Place, other: Place) -> bool:
        both_known = first in words and other in words
        return both_known and not _is_same_word(words[first], words[other])

    return {
        place: frozenset(
            twin for twin in twins if not ({place, twin} <= in_union and differ(place, twin))
        )
        for place, twins in same.items()
    }


def _add_equivalents(
    sources: Sources, word: ContentWord, wordings: Sequence[Wording], same: Equivalents
) -> Sources:
    """Add the sentences that have an equivalent of a word of the union."""
    spread = set(sources)
    for index, other in enumerate(wordings):
        for candidate in other.words:
            if _is_same_word(word, candidate):
                spread |= {sentence for sentence, _ in same.get((index, candidate.start), ())}
    return tuple(sorted(spread))


def _find_kept_words(
    index: int, wordings: Sequence[Wording], union: Wording, same: Equivalents
) -> dict[int, Sources]:
    """Map each content word of a sentence to the sentences that say it; empty if dropped."""
    home = wordings[index]
    kept_sources: dict[int, Sources] = {}
    for word in home.words:
        equivalents = same.get((index, word.start), frozenset())
        is_kept = _has_meaning(word, home, union) or any(
            candidate.start == start and _has_meaning(candidate, wordings[sentence], union)
            for sentence, start in equivalents
            for candidate in wordings[sentence].words
        )
        sources = {*_find_sources(word, home, wordings), *(sentence for sentence, _ in equivalents)}
        kept_sources[word.start] = tuple(sorted(sources)) if is_kept else ()
    return kept_sources


def _has_meaning(word: ContentWord, home: Wording, other: Wording) -> bool:
    candidates = [match for match in other.words if _is_same_word(word, match)]
    if candidates or is_exact(word.text) or home.vectors is None or other.vectors is None:
        return bool(candidates)
    near = other.vectors @ home.vectors[home.words.index(word)]
    return any(
        value >= _MIN_SYNONYM_SIMILARITY and not is_exact(match.text)
        for match, value in zip(other.words, near.tolist(), strict=True)
    )


def _is_same_word(word: ContentWord, other: ContentWord) -> bool:
    if word.is_number or other.is_number:
        return word.concept == other.concept
    first, second = stem(word.text), stem(other.text)
    return first == second or share_origin(first, second)


def _split_words(
    text: str, sources_at: dict[int, Sources], amiss: Iterable[FoundWord], fault: str
) -> list[_Word]:
    words = [_Word(token.start, token.end, token.text) for token in tokenize(text)]
    for word in words:
        met = [sources for start, sources in sources_at.items() if word.start <= start < word.end]
        if met:
            word.sources = tuple(sorted({index for sources in met for index in sources}))
    for marked in amiss:
        _mark_fault(words, marked, fault)
    return words


def _mark_fault(words: Sequence[_Word], marked: FoundWord, fault: str) -> None:
    for word in words:
        if word.start <= marked.start < word.end:
            word.amiss = fault


def _join_pieces(
    text: str, words: Sequence[_Word], others: Sequence[Sequence[_Word]]
) -> tuple[ColouredPiece, ...]:
    """Join words of one colour, with the function words between them."""
    _fill_gaps(words)
    _colour_leading_words(words, others)
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
    return _join_colourless(pieces)


def _fill_gaps(words: Sequence[_Word]) -> None:
    """Colour function words between words of one colour."""
    coloured = [index for index, word in enumerate(words) if word.sources is not None]
    for first, second in pairwise(coloured):
        between = words[first + 1 : second]
        same_colour = words[first].sources == words[second].sources and words[first].sources
        if (
            same_colour
            and len(between) <= _MAX_GAP_WORDS
            and _SEPARATORS.isdisjoint(w.text for w in between)
        ):
            for word in between:
                word.sources = words[first].sources


def _colour_leading_words(words: Sequence[_Word], others: Sequence[Sequence[_Word]]) -> None:
    """Colour a function word like the word after it, if that word has a single source.

    The two must also stand together in another text.
    """
    pairs = {pair for other in others for pair in pairwise(word.text.lower() for word in other)}
    for before, word in reversed(list(pairwise(words))):
        small = before.sources is None and before.text[0].isalnum()
        leads = (before.text.lower(), word.text.lower()) in pairs
        if small and leads and word.sources and len(word.sources) == 1:
            before.sources = word.sources


def _join_colourless(pieces: Sequence[ColouredPiece]) -> tuple[ColouredPiece, ...]:
    """Join neighbouring pieces without colour."""
    joined: list[ColouredPiece] = []
    for piece in pieces:
        if joined and not (piece.sources or piece.amiss or joined[-1].sources or joined[-1].amiss):
            joined[-1] = ColouredPiece(joined[-1].text + piece.text)
        else:
            joined.append(piece)
    return tuple(joined)


# Meanings of the colours in words: one for each sentence, another for shared content. Colour is
# never the only sign: pages also have underlines, and plain text has brackets.

TINTS = 4
"""Number of sentences with a colour of their own; further ones reuse the colours."""
AMISS = {
    "missing": "seems to be missing from the union",
    "unfaithful": "seems to be in no sentence",
    "repeated": "seems to be said before",
}


def kind(sources: Sources) -> str:
    """Return the name of a colour: ``s0`` and so on for one sentence, ``all`` for several."""
    if not sources:
        return ""
    return "all" if len(sources) > 1 else f"s{sources[0] % TINTS}"


def describe(sources: Sources, sentences: int) -> str:
    """Return the meaning of a colour in words."""
    if not sources:
        return ""
    if len(sources) == 1:
        return f"only sentence {sources[0] + 1}"
    if len(sources) == sentences:
        return "both sentences" if sentences == 2 else "all sentences"
    return f"sentences {' and '.join(str(index + 1) for index in sources)}"


def to_brackets(pieces: Sequence[ColouredPiece]) -> str:
    """Return colours as brackets in plain text: ``[2: Waitrose supermarket]``, ``[1+2: fire]``."""
    bracketed = ""
    for piece in pieces:
        sign = "+".join(str(index + 1) for index in piece.sources)
        if piece.amiss:
            sign += f"{', ' if sign else ''}{piece.amiss}"
        bracketed += f"[{sign}: {piece.text}]" if sign else piece.text
    return bracketed
