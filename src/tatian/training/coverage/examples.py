"""Training examples of coverage: a sentence of a story, compared with one or several others."""

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

NEAR_SENTENCES = 10
"""Number of most similar sentences, from which most comparisons are drawn."""
FAR_SENTENCES = 3
"""Number of other sentences that each sentence is compared with."""
SENTENCE_SETS = 8
"""Number of sets of sentences that each sentence is compared with."""
MAX_SENTENCES = 4
"""Maximum number of sentences of a set."""
UNKNOWN = -1.0
"""Value of an unknown target."""
_CONTENT_WORD = re.compile(r"\w{2,}|\d")


class DrawnPair(Struct, frozen=True):
    """A sentence and the text that it is compared with."""

    sentence: StorySentence
    others: str
    covered: frozenset[str] | None = None
    """Facts that the others state; None if unknown."""
    lost: frozenset[str] | None = None
    """Deleted words, if the others are a copy or a union without a span; else None."""


class CoverageExample(Struct, frozen=True):
    """Arrays of one pair with their targets, which are probabilities."""

    rows: npt.NDArray[np.int64]
    segments: npt.NDArray[np.int64]
    words: npt.NDArray[np.float32]
    """``[pieces, 2]``: covered, carries."""
    whole: npt.NDArray[np.float32]
    """Share, everything, anything."""


def word_overlaps(story: AnnotatedStory) -> npt.NDArray[np.float64]:
    """Return the overlap of each pair of sentences: shared words, weighted by rarity."""
    bags = [set(_CONTENT_WORD.findall(sentence.text.lower())) for sentence in story.sentences]
    seen = Counter(word for bag in bags for word in bag)
    weights = {word: math.log(1 + len(bags) / count) for word, count in seen.items()}
    overlap = np.array([[sum(weights[w] for w in a & b) for b in bags] for a in bags])
    np.fill_diagonal(overlap, -1.0)
    return overlap


def draw_pairs(
    story: AnnotatedStory,
    generator: np.random.Generator,
    *,
    labelled: bool = True,
    near: int = NEAR_SENTENCES,
    sets: int = SENTENCE_SETS,
) -> Iterator[DrawnPair]:
    """Yield comparisons of sentences in a story: similar ones, those with shared facts, others."""
    sentences, overlap = story.sentences, word_overlaps(story)

    def drawn_pair(sentence: StorySentence, places: Sequence[int]) -> DrawnPair:
        chosen = [sentences[i] for i in sorted(places)]
        covered = frozenset[str]().union(*(other.facts for other in chosen)) if labelled else None
        return DrawnPair(sentence, " ".join(other.text for other in chosen), covered)

    for place, sentence in enumerate(sentences):
        if labelled and not sentence.facts:
            continue
        order = np.argsort(-overlap[place], kind="stable")[: len(sentences) - 1].tolist()
        with_shared_facts = [i for i in order if labelled and sentences[i].facts & sentence.facts]
        nearest = list(dict.fromkeys([*with_shared_facts, *order[:near]]))
        far = [i for i in order if i not in nearest]
        generator.shuffle(far)
        yield from (drawn_pair(sentence, [i]) for i in (*nearest, *far[:FAR_SENTENCES]))
        for _ in range(sets if len(nearest) > 1 else 0):
            size = min(int(generator.integers(2, MAX_SENTENCES + 1)), len(nearest))
            weights = 1.0 / (2 + np.arange(len(nearest)))
            chosen = generator.choice(nearest, size, replace=False, p=weights / weights.sum())
            yield drawn_pair(sentence, chosen.tolist())


def cut_copies(
    story: AnnotatedStory, generator: np.random.Generator, copies: int = 2
) -> Iterator[DrawnPair]:
    """Yield sentences with copies that lack a span, alone or before another sentence."""
    for sentence in story.sentences:
        for _ in range(copies):
            remainder = without_span(sentence.text, sentence.text, generator)
            if not remainder:
                continue
            near = story.sentences[int(generator.integers(len(story.sentences)))]
            if generator.random() < 0.5 and near is not sentence:
                remainder = f"{remainder} {near.text}"
            removed = content_stems(sentence.text) - content_stems(remainder)
            yield DrawnPair(sentence, remainder, lost=frozenset(removed))


def cut_unions(
    unions: Sequence[SentenceUnion], generator: np.random.Generator
) -> Iterator[DrawnPair]:
    """Yield sentences with their union, whole and without a span."""
    for union in unions:
        for source in union.sources:
            sentence = StorySentence(source, frozenset())
            yield DrawnPair(sentence, union.merged, lost=frozenset())
            for _ in range(2):
                if remainder := without_span(union.merged, source, generator):
                    removed = content_stems(union.merged) - content_stems(remainder)
                    lost = frozenset(removed & content_stems(source))
                    yield DrawnPair(sentence, remainder, lost=lost)


def encode_drawn(drawn: DrawnPair, pieces: WordPieces) -> CoverageExample:
    """Return the arrays of a pair with all targets that are known."""
    encoded = encode(pieces, drawn.sentence.text, drawn.others)
    example = blank(encoded)
    words, whole = example.words, example.whole
    facts_by_place: dict[tuple[int, int], set[str]] = {}
    if drawn.covered is not None:
        for start, end, first, last in encoded.words:
            carried = drawn.sentence.carried(start, end)
            words[first:last, 1] = bool(carried)
            if carried:
                words[first:last, 0] = len(carried & drawn.covered) / len(carried)
        for fact, start, end in drawn.sentence.fact_words:
            facts_by_place.setdefault((start, end), set()).add(fact)
        other = content_stems(drawn.others) if facts_by_place else set()
        for start, end, first, last in encoded.words:
            facts = facts_by_place.get((start, end))
            if facts and facts <= drawn.covered:
                words[first:last, 0] = 1
            elif facts and not facts & drawn.covered:
                shared_stems = content_stems(drawn.sentence.text[start:end]) & other
                words[first:last, 0] = UNKNOWN if shared_stems else 0
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
    whole = np.full(3, UNKNOWN, dtype=np.float32)
    return CoverageExample(encoded.rows, encoded.segments, words, whole)


def encode_annotated(
    stories: Sequence[AnnotatedStory],
    unions: Sequence[SentenceUnion],
    pieces: WordPieces,
    without: Collection[str] = (),
) -> list[CoverageExample]:
    """Return examples from annotated stories, copies of their sentences, and unions.

    Unions of sentences in `without`, which are compared by their letters, are left out.
    """
    kept = [u for u in unions if not any(letters(s) in without for s in u.sources)]
    annotated = _encode_in_parallel(_annotated_pairs, stories, pieces)
    cut = cut_unions(kept, np.random.default_rng(0))
    return [*annotated, *(encode_drawn(drawn, pieces) for drawn in cut)]


def encode_unannotated(
    stories: Iterable[AnnotatedStory], pieces: WordPieces
) -> list[CoverageExample]:
    """Return examples from stories without facts, which a teacher labels, and from copies."""
    return _encode_in_parallel(_unannotated_pairs, list(stories), pieces)


def _encode_in_parallel(
    drawn: Callable[[AnnotatedStory, np.random.Generator], Iterator[DrawnPair]],
    stories: Sequence[AnnotatedStory],
    pieces: WordPieces,
) -> list[CoverageExample]:
    jobs = [(drawn, story, number) for number, story in enumerate(stories)]
    with spawning().Pool(None, _start_worker, (list(pieces.rows),)) as pool:
        groups = pool.starmap(_encode_story, jobs, chunksize=1)
    return [example for group in groups for example in group]


_PIECES: list[WordPieces] = []
"""Word pieces of a worker process."""


def _start_worker(rows: Sequence[str]) -> None:
    _PIECES[:] = [WordPieces(rows)]


def _encode_story(
    drawn: Callable[[AnnotatedStory, np.random.Generator], Iterator[DrawnPair]],
    story: AnnotatedStory,
    seed: int,
) -> list[CoverageExample]:
    generator = np.random.default_rng(seed)
    return [encode_drawn(item, _PIECES[0]) for item in drawn(story, generator)]


def _annotated_pairs(story: AnnotatedStory, generator: np.random.Generator) -> Iterator[DrawnPair]:
    yield from draw_pairs(story, generator)
    yield from cut_copies(story, generator)


def _unannotated_pairs(
    story: AnnotatedStory, generator: np.random.Generator
) -> Iterator[DrawnPair]:
    yield from draw_pairs(story, generator, labelled=False, near=6, sets=5)
    yield from cut_copies(story, generator, 1)


def batch_of(examples: Sequence[CoverageExample]) -> Batch:
    """Return pairs with their targets, padded to the longest."""
    return {
        **pair_batch(examples),
        "words": stack([e.words for e in examples], UNKNOWN, np.float32),
        "whole": np.stack([e.whole for e in examples]),
    }
