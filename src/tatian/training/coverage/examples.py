"""Training examples of coverage: a sentence of a story against one or several others."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.coverage import Encoded, encode
from tatian.analysis.pieces import WordPieces
from tatian.children import spawning
from tatian.training.data import SentenceUnion, content_stems
from tatian.training.examples import Batch, pair_batch, stack
from tatian.training.stories import AnnotatedStory, StorySentence, letters
from tatian.training.unions import without_span

NEAR = 10
"""Number of sentences with the largest overlap, from which most others are drawn."""
FAR = 3
SETS = 8
MOST = 4
"""Most sentences of a set."""
UNKNOWN = -1.0
"""Target that is unknown."""
_CONTENT = re.compile(r"\w{2,}|\d")


class Drawn(Struct, frozen=True):
    """A sentence and the text it is compared with."""

    sentence: StorySentence
    others: str
    covered: frozenset[str] | None = None
    """Facts that the others state, if known."""
    lost: frozenset[str] | None = None
    """Words that occur nowhere, where the others are a cut copy or a cut union."""


class CoverageExample(Struct, frozen=True):
    """Arrays of one pair with their targets, for log-odds heads."""

    rows: npt.NDArray[np.int64]
    segments: npt.NDArray[np.int64]
    words: npt.NDArray[np.float32]
    """``[pieces, 2]``: covered, carries."""
    whole: npt.NDArray[np.float32]
    """Share, everything, anything."""


def overlaps(story: AnnotatedStory) -> npt.NDArray[np.float64]:
    """Return the number of words that sentences share, rare words counting more."""
    bags = [set(_CONTENT.findall(sentence.text.lower())) for sentence in story.sentences]
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
    """Yield pairs and sets of one story: near ones, those that share facts, a few others."""
    sentences, common = story.sentences, overlaps(story)

    def held(sentence: StorySentence, places: Sequence[int]) -> Drawn:
        chosen = [sentences[i] for i in sorted(places)]
        covered = frozenset[str]().union(*(other.facts for other in chosen)) if labelled else None
        return Drawn(sentence, " ".join(other.text for other in chosen), covered)

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
    """Yield sentences against cut copies of themselves, alone or before another sentence."""
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
    """Yield sentences against their union, whole and with a span cut out."""
    for union in unions:
        for source in union.sources:
            sentence = StorySentence(source, frozenset())
            yield Drawn(sentence, union.merged, lost=frozenset())
            for _ in range(2):
                if rest := without_span(union.merged, source, generator):
                    gone = content_stems(union.merged) - content_stems(rest)
                    yield Drawn(sentence, rest, lost=frozenset(gone & content_stems(source)))


def encode_drawn(drawn: Drawn, pieces: WordPieces) -> CoverageExample:
    """Return the arrays of a pair; all targets are left open where nothing is known."""
    encoded = encode(pieces, drawn.sentence.text, drawn.others)
    example = blank(encoded)
    words, whole = example.words, example.whole
    stated: dict[tuple[int, int], set[str]] = {}
    if drawn.covered is not None:
        for start, end, first, last in encoded.words:
            carried = drawn.sentence.carried(start, end)
            words[first:last, 1] = bool(carried)
            if carried:
                words[first:last, 0] = len(carried & drawn.covered) / len(carried)
        for fact, start, end in drawn.sentence.said:
            stated.setdefault((start, end), set()).add(fact)
        other = content_stems(drawn.others) if stated else set()
        for start, end, first, last in encoded.words:
            facts = stated.get((start, end))
            if facts and facts <= drawn.covered:
                words[first:last, 0] = 1
            elif facts and not facts & drawn.covered:
                alike = content_stems(drawn.sentence.text[start:end]) & other
                words[first:last, 0] = UNKNOWN if alike else 0
        share = len(drawn.sentence.facts & drawn.covered) / len(drawn.sentence.facts)
        whole[:] = share, share == 1, share > 0
    if drawn.lost is not None:
        for start, end, first, last in encoded.words:
            for word in content_stems(drawn.sentence.text[start:end]):
                words[first:last, 0] = word not in drawn.lost
        whole[1:] = not drawn.lost, True
    return example


def blank(encoded: Encoded) -> CoverageExample:
    """Return a pair with unknown targets."""
    words = np.full((len(encoded.rows), 2), UNKNOWN, dtype=np.float32)
    return CoverageExample(
        encoded.rows, encoded.segments, words, np.full(3, UNKNOWN, dtype=np.float32)
    )


def encoded_known(
    stories: Sequence[AnnotatedStory],
    unions: Sequence[SentenceUnion],
    pieces: WordPieces,
    without: Collection[str] = (),
) -> list[CoverageExample]:
    """Return examples of annotated stories, copies of their sentences, and unions.

    Unions of a sentence whose letters are in `without` are left out.
    """
    kept = [u for u in unions if not any(letters(s) in without for s in u.sources)]
    annotated = _spread(_of_known, stories, pieces)
    cut = cut_unions(kept, np.random.default_rng(0))
    return [*annotated, *(encode_drawn(drawn, pieces) for drawn in cut)]


def encoded_further(stories: Iterable[AnnotatedStory], pieces: WordPieces) -> list[CoverageExample]:
    """Return pairs of further stories, for a teacher to label, and cut copies of sentences."""
    return _spread(_of_further, list(stories), pieces)


def _spread(
    drawn: Callable[[AnnotatedStory, np.random.Generator], Iterator[Drawn]],
    stories: Sequence[AnnotatedStory],
    pieces: WordPieces,
) -> list[CoverageExample]:
    jobs = [(drawn, story, number) for number, story in enumerate(stories)]
    with spawning().Pool(None, _begin, (list(pieces.rows),)) as pool:
        groups = pool.starmap(_encoded, jobs, chunksize=1)
    return [example for group in groups for example in group]


_PIECES: list[WordPieces] = []
"""Word pieces of a worker process."""


def _begin(rows: Sequence[str]) -> None:
    _PIECES[:] = [WordPieces(rows)]


def _encoded(
    drawn: Callable[[AnnotatedStory, np.random.Generator], Iterator[Drawn]],
    story: AnnotatedStory,
    seed: int,
) -> list[CoverageExample]:
    generator = np.random.default_rng(seed)
    return [encode_drawn(item, _PIECES[0]) for item in drawn(story, generator)]


def _of_known(story: AnnotatedStory, generator: np.random.Generator) -> Iterator[Drawn]:
    yield from draw(story, generator)
    yield from cut_copies(story, generator)


def _of_further(story: AnnotatedStory, generator: np.random.Generator) -> Iterator[Drawn]:
    yield from draw(story, generator, labelled=False, near=6, sets=5)
    yield from cut_copies(story, generator, 1)


def batch_of(examples: Sequence[CoverageExample]) -> Batch:
    """Pairs with their targets, padded to the longest."""
    return {
        **pair_batch(examples),
        "words": stack([e.words for e in examples], UNKNOWN, np.float32),
        "whole": np.stack([e.whole for e in examples]),
    }
