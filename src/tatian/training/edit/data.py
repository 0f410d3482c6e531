"""Training data of the edit model in one file: parsed sentences, real unions, joined sentences.

The file is a gzipped MessagePack map with the fields of `EditData`. A tree has the arrays ``[words,
tags, heads, relations]``, with the position of each word's head, or -1 for the root. A union has
three trees: of the first sentence, the second and their union. The order of unions determines the
folds. A joined pair has three arrays of words in the same order. Synonyms are neighbours in the
embedding table. Equal input gives equal bytes.
"""

from __future__ import annotations

import bz2
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from tatian.analysis.encoder import EncoderAnalyser
from tatian.analysis.installed import weights_directory
from tatian.analysis.loading import Weights, load
from tatian.analysis.pieces import token_ranges
from tatian.corpora.bundles import read_bundles
from tatian.errors import InputError
from tatian.formats.ecbplus import read_ecbplus
from tatian.progress import Progress, silent
from tatian.text import WORDS, Document, tokenize
from tatian.training.data import lines_of, read_packed, show_every, write_packed
from tatian.training.stories import letters, space_sentences
from tatian.training.unions import project_unions
from tatian.union.data import read as read_unions

SCHEMA = 1


class ParsedSentence(Struct, frozen=True, array_like=True):
    """A parsed sentence."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    """-1 for the root."""
    relations: tuple[str, ...]


class UnionWords(Struct, frozen=True, array_like=True):
    """Two sentences and their union, as words."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    union: tuple[str, ...]


class ParsedUnion(Struct, frozen=True, array_like=True):
    """Two sentences and their union, as trees."""

    first: ParsedSentence
    second: ParsedSentence
    union: ParsedSentence

    @property
    def words(self) -> UnionWords:
        """The words without the trees."""
        return UnionWords(self.first.words, self.second.words, self.union.words)


class EditData(Struct, frozen=True):
    """Training data of the edit model, without that of the ranker."""

    trees: list[ParsedSentence]
    """Sentences for synthetic pairs."""
    unions: list[ParsedUnion]
    """Real unions."""
    joined: list[UnionWords]
    """Sentences that people have split in two, and unions of a larger model."""
    synonyms: dict[str, tuple[str, ...]]
    analyser: str = ""
    """Version of the encoder that parsed them."""
    schema: int = SCHEMA


def read_data(path: Path) -> EditData:
    """Read the file that the step ``edit-data`` wrote."""
    return read_packed(path, EditData, "data of the edit model", "edit-data", SCHEMA)


SEPARATOR = "<::::>"
REPORTED = range(8, 61)
"""Lengths of ECB+ sentences in tokens; shorter ones are headlines and datelines."""
PARAGRAPHS = 9000
"""Maximum number of paragraphs that are drawn."""
SEED = 1
"""Seed for the choice of paragraphs."""
_PARAGRAPH = re.compile(r"\n([A-Z'][^\n|{}<>=*#]{300,})")
_LINK = re.compile(r"\[\[([^\]]*)\]\]")
_MARKUP = re.compile(r"''+|&\w+;|\[[^\]]*\]")
_BRACKETS = re.compile(r"\([^)]*\)")

Triple = tuple[str, str, str]


class Sources(Struct, frozen=True):
    """Texts before parsing."""

    unions: list[Triple]
    """First sentence, second sentence, union."""
    joined: list[Triple]
    """Two sentences and the one that was split into them, or that a larger model made of them."""
    sentences: list[str]
    texts: list[str]
    """Texts of several sentences each."""


def read_sources(
    folder: Path,
    bundles: Sequence[Path] = (),
    limit: int | None = None,
    written: Sequence[Path] = (),
    taught: Sequence[Path] = (),
    *,
    trees: bool = True,
    without: Collection[str] = (),
) -> Sources:
    """Read all sentences in a folder of data sets, in further bundles and in files of unions.

    For a dry run, `limit` is the maximum number of each kind. Without `trees`, only what real
    unions and joined sentences need is read. No pair has a sentence with the letters of one in
    `without`.
    """
    every = bundles_of(folder, bundles)
    sentences: list[str] = []
    texts: list[str] = []
    if trees:
        sentences += reports(folder / "coreference" / "ecbplus-topics-1-35.tar.gz")
        sentences += accounts(every)
        texts = paragraphs(folder / "knowledge" / "schoolswiki-pages-articles.xml.bz2")
    joined = read_wikisplit(folder / "union" / "extra" / "wikisplit-tune.tsv")
    return Sources(
        real_unions(every, written, without)[:limit],
        [*joined[:limit], *leave_out(_read_triples(taught), without)[:limit]],
        sentences[:limit],
        texts[:limit],
    )


def bundles_of(folder: Path, further: Sequence[Path]) -> tuple[Path, ...]:
    """Return the folder of training bundles, and further ones."""
    own_folder = folder / "consolidation" / "train"
    if not own_folder.is_dir():
        raise InputError("no folder of bundles", path=str(own_folder))
    return (own_folder, *further)


def leave_out(triples: Iterable[Triple], without: Collection[str]) -> list[Triple]:
    """Return the pairs of which no sentence has the letters of one in `without`."""
    excluded = set(map(letters, without))
    return [triple for triple in triples if excluded.isdisjoint(map(letters, triple[:2]))]


def real_unions(
    bundles: Sequence[Path], written: Sequence[Path] = (), without: Collection[str] = ()
) -> list[Triple]:
    """Return the unions of the project's bundles and those in files, in order."""
    of_bundles = [
        (_line(union.sources[0]), _line(union.sources[1]), _line(union.merged))
        for union in project_unions(bundles)
    ]
    return leave_out([*of_bundles, *_read_triples(written)], without)


class _Written(Struct):
    sentences: tuple[str, ...]
    union: str = ""


def _read_triples(paths: Sequence[Path]) -> list[Triple]:
    """Read the unions of two sentences in JSONL files, without refusals."""
    triples = []
    for path in paths:
        for number, line in enumerate(_opened(path), start=1):
            try:
                record = msgspec.json.decode(line, type=_Written)
            except msgspec.DecodeError as error:
                raise InputError(str(error), path=str(path), line=number) from error
            if record.union and len(record.sentences) == 2:
                first, second = map(_line, record.sentences)
                triples.append((first, second, _line(record.union)))
    return triples


def accounts(bundles: Sequence[Path]) -> Iterator[str]:
    """Yield all sentences of the sources in bundles."""
    for path in bundles:
        for bundle in read_bundles(str(path)):
            yield from map(_line, bundle.sentences().values())


def read_wikisplit(path: Path) -> list[Triple]:
    """Read WikiSplit: a line has a sentence, a tab, and the two sentences it was split into."""
    triples = []
    for number, line in enumerate(_opened(path), start=1):
        whole, tab, parts = line.partition("\t")
        first, separator, second = parts.partition(SEPARATOR)
        if not tab or not separator:
            raise InputError(f"no tab or no {SEPARATOR}", path=str(path), line=number)
        triples.append((_line(first), _line(second), _line(whole)))
    return triples


def reports(path: Path) -> Iterator[str]:
    """Yield the sentences of ECB+, as tokens with spaces between."""
    for document in read_ecbplus(path):
        yield from space_sentences(document, REPORTED)


def paragraphs(path: Path) -> list[str]:
    """Draw paragraphs of running text from a MediaWiki export at random."""
    try:
        text = bz2.decompress(path.read_bytes()).decode("utf-8")
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", path=str(path)) from error
    drawn = list(_plain(_PARAGRAPH.findall(text)))
    Random(SEED).shuffle(drawn)
    return drawn[:PARAGRAPHS]


def _plain(paragraphs: Iterable[str]) -> Iterator[str]:
    """Yield paragraphs without links, emphasis and brackets; skip those with other markup."""
    for paragraph in paragraphs:
        bare = _MARKUP.sub("", _LINK.sub(r"\1", paragraph))
        bare = _BRACKETS.sub("", bare)
        if "[" not in bare and "&" not in bare:
            yield bare


def _opened(path: Path) -> Iterator[str]:
    try:
        yield from lines_of(path)
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from error


def _line(text: str) -> str:
    return " ".join(text.split())


LENGTHS = range(12, 56)
"""Lengths of sentences for synthetic pairs, in words."""
LENGTHS_IN_TEXT = range(12, 51)
"""Lengths of sentences of running text for synthetic pairs, in words."""
NEAREST = 6
"""Maximum number of synonyms of a word."""
MIN_PAIR_COSINE = 0.38
"""Minimum cosine of two synonyms, after the mean embedding is subtracted."""
_SHORTEST = 4
"""Minimum number of letters of words that have synonyms."""
_EMPTY = ParsedSentence((), (), (), ())
_ROWS_AT_ONCE = 2000
"""Number of words that are compared with all others in one matrix product."""


def make_data(
    sources: Sources,
    weights: Path | None = None,
    without: Iterable[str] = (),
    progress: Progress = silent,
    *,
    trees: bool = True,
) -> EditData:
    """Parse all texts; the sentences for synthetic pairs are distinct.

    Sentences in `without`, which are compared by their letters, are left out for evaluation.
    Without `trees`, unions have words only, and there are no sentences for synthetic pairs.
    """
    if not trees:
        return EditData(
            trees=[],
            unions=[ParsedUnion(*map(_words_only, triple)) for triple in sources.unions],
            joined=[UnionWords(*map(_words, triple)) for triple in sources.joined],
            synonyms={},
        )
    excluded = set(map(letters, without))
    analyser = EncoderAnalyser(weights=str(weights) if weights else None)
    triples = [*sources.unions, *sources.joined]
    single = [*(text for triple in triples for text in triple), *sources.sentences]
    documents = analyser.analyze_all([[text] for text in single], progress=progress)
    parsed = [next(iter(trees_of(document)), _EMPTY) for document in documents]
    unions = list(_group_triples(parsed, sources.unions))
    joined = list(_group_triples(parsed[3 * len(unions) :], sources.joined))
    pool = {tree.words: tree for tree in parsed if len(tree.words) in LENGTHS}
    for document in analyser.analyze_all(iter(sources.texts), progress=progress):
        for tree in trees_of(document):
            if len(tree.words) in LENGTHS_IN_TEXT:
                pool.setdefault(tree.words, tree)
    loaded = load(weights or weights_directory())
    return EditData(
        trees=[tree for tree in pool.values() if letters("".join(tree.words)) not in excluded],
        unions=unions,
        joined=[union.words for union in joined if _is_complete(union.words)],
        synonyms=synonyms(loaded),
        analyser=loaded.version("tokens"),
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(token.text for token in tokenize(text))


def _words_only(text: str) -> ParsedSentence:
    return ParsedSentence(_words(text), (), (), ())


def _group_triples(
    trees: Sequence[ParsedSentence], triples: Sequence[Triple]
) -> Iterator[ParsedUnion]:
    for first in range(0, 3 * len(triples), 3):
        yield ParsedUnion(*trees[first : first + 3])


def _is_complete(union: UnionWords) -> bool:
    return bool(union.first and union.second and union.union)


def trees_of(document: Document) -> Iterator[ParsedSentence]:
    """Yield the parse of each sentence that has words."""
    tokens = document.tokens
    words = {word.token: word for word in document.get(WORDS)}
    for places in token_ranges(document):
        if places:
            chosen = [words[place] for place in places]
            yield ParsedSentence(
                tuple(tokens[place].text for place in places),
                tuple(word.tag for word in chosen),
                tuple(max(word.head - places.start, -1) for word in chosen),
                tuple(word.relation for word in chosen),
            )


def synonyms(weights: Weights) -> dict[str, tuple[str, ...]]:
    """Return the near synonyms of each word: its nearest neighbours in the embedding table."""
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
    neighbours: dict[str, tuple[str, ...]] = {}
    for start in range(0, len(chosen), _ROWS_AT_ONCE):
        cosines = vectors[start : start + _ROWS_AT_ONCE] @ vectors.T
        for place, row in enumerate(cosines, start=start):
            row[place] = -1
            near = np.argpartition(-row, NEAREST)[:NEAREST]
            words = tuple(chosen[i][0] for i in near if row[i] > MIN_PAIR_COSINE)
            if words:
                neighbours[chosen[place][0]] = words
    return neighbours


def evaluation_sentences(path: Path | None) -> list[str]:
    """Return the sentences and unions of a file of evaluation pairs."""
    unions = read_unions(path) if path else ()
    return [text for union in unions for text in (*union.sentences, union.merged or "")]


def run_data(options: Any) -> None:
    """Run the step ``edit-data``."""
    files = options.bundles, options.limit, options.written, options.taught
    trees = options.trees != 0
    without = evaluation_sentences(options.without)
    sources = read_sources(options.data, *files, trees=trees, without=without)
    data = make_data(sources, options.weights, without, show_every, trees=trees)
    write_packed(data, options.out)
    counts = {name: len(getattr(data, name)) for name in ("trees", "unions", "joined", "synonyms")}
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
