"""What the model learns from: sentences of a story against one or several others of it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.pieces import WordPieces
from tatian.analysis.telling import Encoded, encode
from tatian.children import spawning
from tatian.training.data import SentenceUnion, content_stems
from tatian.training.examples import Batch, pair_batch, stacked
from tatian.training.stories import AnnotatedStory, StorySentence, letters
from tatian.training.unions import without_span

NEAR = 10
"""The sentences that overlap most with one, from which most of its others are drawn."""
FAR = 3
SETS = 8
MOST = 4
"""Sentences of a set."""
UNKNOWN = -1.0
"""A target that nobody knows."""
_CONTENT = re.compile(r"\w{2,}|\d")


class Drawn(Struct, frozen=True):
    """A sentence and what it is held against."""

    sentence: StorySentence
    others: str
    told: frozenset[str] | None = None
    """The facts that the others tell, if that is known."""
    lost: frozenset[str] | None = None
    """The words that are told nowhere, where the others are a cut copy or a cut union."""


class TellingExample(Struct, frozen=True):
    """The arrays of one pair with their targets, log-odds heads each."""

    rows: npt.NDArray[np.int64]
    segments: npt.NDArray[np.int64]
    words: npt.NDArray[np.float32]
    """``[pieces, 2]``: told, carries."""
    whole: npt.NDArray[np.float32]
    """Share, everything, anything."""


def overlaps(story: AnnotatedStory) -> npt.NDArray[np.float64]:
    """How many words each sentence shares with each other one, rare words counting more."""
    bags = [set(_CONTENT.findall(one.text.lower())) for one in story.sentences]
    seen = Counter(word for bag in bags for word in bag)
    worth = {word: math.log(1 + len(bags) / count) for word, count in seen.items()}
    common = np.array([[sum(worth[w] for w in a & b) for b in bags] for a in bags])
    np.fill_diagonal(common, -1.0)
    return common


def draw(
    story: AnnotatedStory,
    generator: np.random.Generator,
    *,
    labelled: bool = True,
    near: int = NEAR,
    sets: int = SETS,
) -> Iterator[Drawn]:
    """Pairs and sets of one story: near ones, those that share facts, a few others."""
    sentences, common = story.sentences, overlaps(story)

    def held(sentence: StorySentence, places: Sequence[int]) -> Drawn:
        chosen = [sentences[i] for i in sorted(places)]
        known = frozenset[str]().union(*(one.facts for one in chosen)) if labelled else None
        return Drawn(sentence, " ".join(one.text for one in chosen), known)

    for place, sentence in enumerate(sentences):
        if labelled and not sentence.facts:
            continue
        order = np.argsort(-common[place], kind="stable")[: len(sentences) - 1].tolist()
        sharing = [i for i in order if labelled and sentences[i].facts & sentence.facts]
        close = list(dict.fromkeys([*sharing, *order[:near]]))
        far = [i for i in order if i not in close]
        generator.shuffle(far)
        yield from (held(sentence, [i]) for i in (*close, *far[:FAR]))
        for _ in range(sets if len(close) > 1 else 0):
            size = min(int(generator.integers(2, MOST + 1)), len(close))
            weights = 1.0 / (2 + np.arange(len(close)))
            chosen = generator.choice(close, size, replace=False, p=weights / weights.sum())
            yield held(sentence, chosen.tolist())


def cut_copies(
    story: AnnotatedStory, generator: np.random.Generator, copies: int = 2
) -> Iterator[Drawn]:
    """Sentences against themselves with some words missing, alone or before another sentence."""
    for sentence in story.sentences:
        for _ in range(copies):
            rest = without_span(sentence.text, sentence.text, generator)
            if not rest:
                continue
            near = story.sentences[int(generator.integers(len(story.sentences)))]
            if generator.random() < 0.5 and near is not sentence:
                rest = f"{rest} {near.text}"
            gone = content_stems(sentence.text) - content_stems(rest)
            yield Drawn(sentence, rest, lost=frozenset(gone))


def cut_unions(unions: Sequence[SentenceUnion], generator: np.random.Generator) -> Iterator[Drawn]:
    """Sentences against their union, whole and with a span cut out."""
    for union in unions:
        for source in union.sources:
            sentence = StorySentence(source, frozenset())
            yield Drawn(sentence, union.merged, lost=frozenset())
            for _ in range(2):
                if rest := without_span(union.merged, source, generator):
                    gone = content_stems(union.merged) - content_stems(rest)
                    yield Drawn(sentence, rest, lost=frozenset(gone & content_stems(source)))


def encode_drawn(one: Drawn, pieces: WordPieces) -> TellingExample:
    """The arrays of a pair; all targets are left open where nothing is known."""
    encoded = encode(pieces, one.sentence.text, one.others)
    example = blank(encoded)
    words, whole = example.words, example.whole
    said: dict[tuple[int, int], set[str]] = {}
    if one.told is not None:
        for start, end, first, last in encoded.words:
            carried = one.sentence.carried(start, end)
            words[first:last, 1] = bool(carried)
            if carried:
                words[first:last, 0] = len(carried & one.told) / len(carried)
        for fact, start, end in one.sentence.said:
            said.setdefault((start, end), set()).add(fact)
        other = content_stems(one.others) if said else set()
        for start, end, first, last in encoded.words:
            facts = said.get((start, end))
            if facts and facts <= one.told:
                words[first:last, 0] = 1
            elif facts and not facts & one.told:
                alike = content_stems(one.sentence.text[start:end]) & other
                words[first:last, 0] = UNKNOWN if alike else 0
        share = len(one.sentence.facts & one.told) / len(one.sentence.facts)
        whole[:] = share, share == 1, share > 0
    if one.lost is not None:
        for start, end, first, last in encoded.words:
            for word in content_stems(one.sentence.text[start:end]):
                words[first:last, 0] = word not in one.lost
        whole[1:] = not one.lost, True
    return example


def blank(encoded: Encoded) -> TellingExample:
    """A pair of which nothing is known."""
    words = np.full((len(encoded.rows), 2), UNKNOWN, dtype=np.float32)
    return TellingExample(
        encoded.rows, encoded.segments, words, np.full(3, UNKNOWN, dtype=np.float32)
    )


def encoded_known(
    stories: Sequence[AnnotatedStory],
    unions: Sequence[SentenceUnion],
    pieces: WordPieces,
    without: Collection[str] = (),
) -> list[TellingExample]:
    """What annotated stories, copies of their sentences, and unions say.

    Unions of a sentence whose letters are among those `without` are left out.
    """
    kept = [u for u in unions if not any(letters(s) in without for s in u.sources)]
    found = _spread(_of_known, stories, pieces)
    cut = cut_unions(kept, np.random.default_rng(0))
    return [*found, *(encode_drawn(one, pieces) for one in cut)]


def encoded_further(stories: Iterable[AnnotatedStory], pieces: WordPieces) -> list[TellingExample]:
    """Pairs of further stories, for a teacher to label, and cut copies of their sentences."""
    return _spread(_of_further, list(stories), pieces)


def _spread(
    drawn: Callable[[AnnotatedStory, np.random.Generator], Iterator[Drawn]],
    stories: Sequence[AnnotatedStory],
    pieces: WordPieces,
) -> list[TellingExample]:
    jobs = [(drawn, story, number) for number, story in enumerate(stories)]
    with spawning().Pool(None, _begin, (list(pieces.rows),)) as pool:
        found = pool.starmap(_encoded, jobs, chunksize=1)
    return [one for some in found for one in some]


_PIECES: list[WordPieces] = []
"""Those of a working process."""


def _begin(rows: Sequence[str]) -> None:
    _PIECES[:] = [WordPieces(rows)]


def _encoded(
    drawn: Callable[[AnnotatedStory, np.random.Generator], Iterator[Drawn]],
    story: AnnotatedStory,
    seed: int,
) -> list[TellingExample]:
    generator = np.random.default_rng(seed)
    return [encode_drawn(one, _PIECES[0]) for one in drawn(story, generator)]


def _of_known(story: AnnotatedStory, generator: np.random.Generator) -> Iterator[Drawn]:
    yield from draw(story, generator)
    yield from cut_copies(story, generator)


def _of_further(story: AnnotatedStory, generator: np.random.Generator) -> Iterator[Drawn]:
    yield from draw(story, generator, labelled=False, near=6, sets=5)
    yield from cut_copies(story, generator, 1)


def batch_of(examples: Sequence[TellingExample]) -> Batch:
    """Pairs with their targets, padded to the longest."""
    return {
        **pair_batch(examples),
        "words": stacked([e.words for e in examples], UNKNOWN, np.float32),
        "whole": np.stack([e.whole for e in examples]),
    }
