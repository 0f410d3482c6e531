"""From text to the data of the edit model: the shipped encoder parses, the table gives synonyms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from tatian.analysis.encoder import EncoderAnalyser
from tatian.analysis.installed import chosen_directory
from tatian.analysis.loading import Weights, load
from tatian.analysis.segments import token_ranges
from tatian.progress import Progress, silent
from tatian.text import WORDS, Document
from tatian.training.edit.corpora import Sources, Triple
from tatian.training.edit.data import EditData, Told, Tree, Union

LENGTHS = range(12, 56)
"""Words of a sentence that is worth cutting down."""
LENGTHS_IN_TEXT = range(12, 51)
NEAREST = 6
LEAST_COSINE = 0.38
_SHORTEST = 4
_EMPTY = Tree((), (), (), ())
_AT_ONCE = 2000


def make_data(
    sources: Sources,
    weights: Path | None = None,
    without: Iterable[Triple] = (),
    progress: Progress = silent,
) -> EditData:
    """Parse everything; sentences to cut down are taken once each.

    Those that `without` has, in whatever spelling, are not cut down: it is for evaluation.
    """
    barred = {_letters(text) for triple in without for text in triple}
    analyser = EncoderAnalyser(weights=str(weights) if weights else None)
    triples = [*sources.unions, *sources.joined]
    single = [*(one for triple in triples for one in triple), *sources.sentences]
    documents = analyser.analyze_all([[one] for one in single], progress=progress)
    trees = [next(iter(trees_of(document)), _EMPTY) for document in documents]
    unions = list(_in_threes(trees, sources.unions))
    joined = list(_in_threes(trees[3 * len(unions) :], sources.joined))
    pool = {tree.words: tree for tree in trees if len(tree.words) in LENGTHS}
    for document in analyser.analyze_all(iter(sources.texts), progress=progress):
        for tree in trees_of(document):
            if len(tree.words) in LENGTHS_IN_TEXT:
                pool.setdefault(tree.words, tree)
    loaded = load(weights or chosen_directory())
    return EditData(
        trees=[tree for tree in pool.values() if _letters("".join(tree.words)) not in barred],
        unions=unions,
        joined=[union.told for union in joined if _whole(union.told)],
        synonyms=synonyms(loaded),
        analyser=loaded.version("tokens"),
    )


def _in_threes(trees: Sequence[Tree], of: Sequence[Triple]) -> Iterator[Union]:
    for at in range(0, 3 * len(of), 3):
        yield Union(*trees[at : at + 3])


def _letters(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def _whole(told: Told) -> bool:
    return bool(told.first and told.second and told.union)


def trees_of(document: Document) -> Iterator[Tree]:
    """The parse of each sentence that has words."""
    tokens = document.tokens
    words = {word.token: word for word in document.get(WORDS)}
    for places in token_ranges(document):
        if places:
            chosen = [words[place] for place in places]
            yield Tree(
                tuple(tokens[place].text for place in places),
                tuple(word.tag for word in chosen),
                tuple(max(word.head - places.start, -1) for word in chosen),
                tuple(word.relation for word in chosen),
            )


def synonyms(weights: Weights) -> dict[str, tuple[str, ...]]:
    """Words that stand near each other in the embedding table: another way to say it, or nearly."""
    chosen = [
        (piece, row)
        for piece, row in weights.pieces.rows.items()
        if piece.isascii() and piece.isalpha() and len(piece) >= _SHORTEST
    ]
    if len(chosen) <= NEAREST:
        return {}
    vectors = weights.embeddings(np.array([row for _, row in chosen]))
    vectors = vectors - vectors.mean(0)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    found: dict[str, tuple[str, ...]] = {}
    for start in range(0, len(chosen), _AT_ONCE):
        cosines = vectors[start : start + _AT_ONCE] @ vectors.T
        for place, row in enumerate(cosines, start=start):
            row[place] = -1
            near = np.argpartition(-row, NEAREST)[:NEAREST]
            words = tuple(chosen[i][0] for i in near if row[i] > LEAST_COSINE)
            if words:
                found[chosen[place][0]] = words
    return found
