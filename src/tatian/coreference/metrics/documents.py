"""Scoring whole documents: mentions matched, optional ones settled."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from tatian.coreference.metrics.alignment import (
    Offset,
    after_article,
    shared_offsets,
)
from tatian.coreference.metrics.chains import ChainPair, ChainScores, joined, score_pairs
from tatian.coreference.metrics.matching import Match, MentionPlace, match
from tatian.errors import InputError
from tatian.formats import ORIGINAL
from tatian.formats.brackets import Bracketed, read_brackets
from tatian.scoring.scores import pair_up, partners
from tatian.text import CHAINS, Document, Mention


def score(
    key: Iterable[Document],
    response: Iterable[Document],
    *,
    metrics: Iterable[str] | None = None,
    match: Match | None = None,
    singletons: bool = True,
    cross_document: bool = False,
) -> ChainScores:
    """Score the chains of `response` against those of `key`, documents paired by id.

    One document and one other belong together whatever their ids.
    Mentions match exactly, or by their minimal strings if the key was read from MUC SGML, unless
    `match` says otherwise. `cross_document` joins chains that have one id in several documents.
    """
    documents = pair_up(list(key), list(response))
    mode = match or usual_match(one for one, _ in documents)
    pairs = (pair(one, other, mode) for one, other in documents)
    return _scored(pairs, mode, metrics, singletons, cross_document)


def _scored(
    pairs: Iterable[ChainPair],
    mode: Match,
    metrics: Iterable[str] | None,
    singletons: bool,
    cross_document: bool,
) -> ChainScores:
    if cross_document:
        pairs = [joined(pairs)]
    options = {"match": mode, **({"documents": "joined"} if cross_document else {})}
    return score_pairs(pairs, metrics=metrics, singletons=singletons, options=options)


def usual_match(key: Iterable[Document]) -> Match:
    """By minimal strings where the format of the key has them for that purpose."""
    return (
        "min"
        if any(
            original.format == "muc"
            for document in key
            if document.has(ORIGINAL)
            for original in document.get(ORIGINAL)
        )
        else "exact"
    )


def pair(key: Document, response: Document, mode: Match) -> ChainPair:
    """One document's chains, in which matching mentions have become equal."""
    ours, theirs = shared_offsets(key, response)
    wanted, given = _Side(key, ours), _Side(response, theirs)
    found = match(list(wanted.places.values()), list(given.places.values()), mode)
    standing = set(found.values())
    chains = list(_without_unmarked(wanted, standing))
    answers = [
        (label, [found.get(mention, ("response", mention)) for mention in mentions])
        for label, mentions in given.chains
    ]
    source = repr((key.id, [(one.id, one.mentions) for one in key.get(CHAINS)]))
    return ChainPair(key.id, chains, answers, source, response.id)


def _without_unmarked(side: _Side, standing: set[Hashable]) -> Iterator[tuple[str, list[Hashable]]]:
    """MUC-6 §1.5: an optional mention that the response does not mark is not scored.

    Its chain was made with it and stays one chain without it. What is left of a chain when one
    mention remains, which the response does not mark either, corefers with nothing any more.
    """
    for label, mentions in side.chains:
        kept = [one for one in mentions if one in standing or not side.places[one].optional]
        if len(kept) == len(mentions) or len(kept) > 1 or any(one in standing for one in kept):
            yield label, kept


class _Side:
    """The mentions of one document by what identifies them in shared offsets."""

    def __init__(self, document: Document, offset: Offset) -> None:
        self.places: dict[Hashable, MentionPlace] = {}
        self.chains: list[tuple[str, list[Hashable]]] = []
        for chain in document.get(CHAINS):
            identities = []
            for mention in sorted(chain.mentions, key=lambda one: (one.start, one.end)):
                place = place_of(mention, document.text, offset)
                self.places.setdefault(place.identity, place)
                identities.append(place.identity)
            self.chains.append((chain.id, identities))


def place_of(mention: Mention, text: str, offset: Offset = int) -> MentionPlace:
    """A mention as matching knows it."""
    start, end = offset(mention.start), offset(mention.end)
    bare = offset(after_article(text, mention.start, mention.end))
    parts = mention.parts or (mention,)
    head = mention.head
    return MentionPlace(
        start,
        end,
        bare,
        (offset(after_article(text, head.start, head.end)), offset(head.end)) if head else None,
        tuple((offset(part.start), offset(part.end)) for part in parts),
        mention.optional,
    )


# The short way from two CoNLL files to their chains, without building documents.


def score_columns(
    key: str,
    response: str,
    *,
    metrics: Iterable[str] | None = None,
    singletons: bool = True,
    cross_document: bool = False,
    key_path: str | None = None,
    response_path: str | None = None,
) -> ChainScores:
    """As `score`, exact matching only, from the texts of two CoNLL files."""
    pairs = pairs_of_columns(key, response, key_path=key_path, response_path=response_path)
    return _scored(pairs, "exact", metrics, singletons, cross_document)


def pairs_of_columns(
    key: str, response: str, *, key_path: str | None = None, response_path: str | None = None
) -> list[ChainPair]:
    """The chains of two files' texts, as token numbers, documents paired as in `score`.

    Rows are counted, words are not compared, as in the reference scorer.
    """
    wanted, given = read_brackets(key, key_path), read_brackets(response, response_path)
    places = partners([one.id for one in wanted], [one.id for one in given])
    pairs = []
    for one, place in zip(wanted, places, strict=True):
        other = given[place]
        if one.tokens != other.tokens:
            raise InputError(_difference(one, other, key, response), path=response_path)
        chains, answers = list(one.chains.items()), list(other.chains.items())
        pairs.append(ChainPair(one.id, chains, answers, partner=other.id))
    return pairs


def _difference(key: Bracketed, response: Bracketed, ours: str, theirs: str) -> str:
    rows = zip(_rows(ours, key.line), _rows(theirs, response.line), strict=False)
    place = next(
        (
            f"the first row that differs is that of token {number}, line {response.line + offset}"
            for number, ((_, one), (offset, other)) in enumerate(rows)
            if one != other
        ),
        "the rows they share do not differ",
    )
    return f"document '{key.id}' has {response.tokens} tokens and {key.tokens} in the key: {place}"


def _rows(text: str, line: int) -> list[tuple[int, list[str]]]:
    """The rows of a document that begins at `line`, without their last columns."""
    rows = []
    for offset, row in enumerate(text.split("\n")[line:], 1):
        if row.startswith("#"):
            break
        if row.strip():
            rows.append((offset, row.split()[:-1]))
    return rows
