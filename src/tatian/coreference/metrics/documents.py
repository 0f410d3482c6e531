"""Scores of whole documents, with mentions matched and optional ones resolved."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from tatian.coreference.metrics.alignment import Offset, after_article, shared_offsets
from tatian.coreference.metrics.chains import ChainPair, ChainScores, join_documents, score_pairs
from tatian.errors import InputError
from tatian.formats import ORIGINAL
from tatian.formats.brackets import ColumnDocument, read_brackets
from tatian.scoring.assignment import assign
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

    A single document on each side is paired with any ids. Mentions match exactly, or by their
    minimal strings if the key was read from MUC SGML, unless `match` says otherwise.
    `cross_document` joins chains that have one id in several documents.
    """
    documents = pair_up(list(key), list(response))
    mode = match or default_match(key_document for key_document, _ in documents)
    pairs = (pair(*sides, mode) for sides in documents)
    return _score_documents(pairs, mode, metrics, singletons, cross_document)


def _score_documents(
    pairs: Iterable[ChainPair],
    mode: Match,
    metrics: Iterable[str] | None,
    singletons: bool,
    cross_document: bool,
) -> ChainScores:
    if cross_document:
        pairs = [join_documents(pairs)]
    options = {"match": mode, **({"documents": "joined"} if cross_document else {})}
    return score_pairs(pairs, metrics=metrics, singletons=singletons, options=options)


def default_match(key: Iterable[Document]) -> Match:
    """Return "min" if the format of the key has minimal strings for matching, else "exact"."""
    tagged = (document for document in key if document.has(ORIGINAL))
    formats = {original.format for document in tagged for original in document.get(ORIGINAL)}
    return "min" if "muc" in formats else "exact"


def pair(key: Document, response: Document, mode: Match) -> ChainPair:
    """Return one document's chains, with matching mentions made equal."""
    key_offset, response_offset = shared_offsets(key, response)
    key_side, response_side = _Side(key, key_offset), _Side(response, response_offset)
    partner_of = match(list(key_side.places.values()), list(response_side.places.values()), mode)
    matched = set(partner_of.values())
    chains = list(_drop_unmatched_optional(key_side, matched))
    answers = [
        (label, [partner_of.get(mention, ("response", mention)) for mention in mentions])
        for label, mentions in response_side.chains
    ]
    source = repr((key.id, [(chain.id, chain.mentions) for chain in key.get(CHAINS)]))
    return ChainPair(key.id, chains, answers, source, response.id)


def _drop_unmatched_optional(
    side: _Side, matched: set[Hashable]
) -> Iterator[tuple[str, list[Hashable]]]:
    """Drop optional mentions that the response lacks, and chains that they reduce (MUC-6 §1.5)."""
    for label, mentions in side.chains:
        kept = [m for m in mentions if m in matched or not side.places[m].optional]
        is_matched = any(mention in matched for mention in kept)
        if len(kept) == len(mentions) or len(kept) > 1 or is_matched:
            yield label, kept


class _Side:
    """Mentions and chains of one document, in shared offsets."""

    def __init__(self, document: Document, offset: Offset) -> None:
        self.places: dict[Hashable, MentionPlace] = {}
        self.chains: list[tuple[str, list[Hashable]]] = []
        for chain in document.get(CHAINS):
            identities = []
            for mention in sorted(chain.mentions, key=lambda mention: (mention.start, mention.end)):
                place = place_of(mention, document.text, offset)
                self.places.setdefault(place.identity, place)
                identities.append(place.identity)
            self.chains.append((chain.id, identities))


def place_of(mention: Mention, text: str, offset: Offset = int) -> MentionPlace:
    """Return the place of a mention in shared offsets."""
    start, end = offset(mention.start), offset(mention.end)
    after_article_start = offset(after_article(text, mention.start, mention.end))
    parts = mention.parts or (mention,)
    head = mention.head
    return MentionPlace(
        start,
        end,
        after_article_start,
        (offset(after_article(text, head.start, head.end)), offset(head.end)) if head else None,
        tuple((offset(part.start), offset(part.end)) for part in parts),
        mention.optional,
    )


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
    """Score the texts of two CoNLL files without building documents; mentions match exactly."""
    pairs = pairs_of_columns(key, response, key_path=key_path, response_path=response_path)
    return _score_documents(pairs, "exact", metrics, singletons, cross_document)


def pairs_of_columns(
    key: str, response: str, *, key_path: str | None = None, response_path: str | None = None
) -> list[ChainPair]:
    """Return the chains of two files' texts, as token numbers, documents paired as in `score`.

    Rows are counted, words are not compared, as in the reference scorer.
    """
    key_documents = read_brackets(key, key_path)
    response_documents = read_brackets(response, response_path)
    places = partners([text.id for text in key_documents], [text.id for text in response_documents])
    pairs = []
    for key_document, place in zip(key_documents, places, strict=True):
        response_document = response_documents[place]
        if key_document.tokens != response_document.tokens:
            difference = _difference(key_document, response_document, key, response)
            raise InputError(difference, path=response_path)
        chains, answers = list(key_document.chains.items()), list(response_document.chains.items())
        pairs.append(ChainPair(key_document.id, chains, answers, partner=response_document.id))
    return pairs


def _difference(
    key: ColumnDocument, response: ColumnDocument, key_text: str, response_text: str
) -> str:
    rows = zip(_rows(key_text, key.line), _rows(response_text, response.line), strict=False)
    place = next(
        (
            f"the first row that differs is that of token {number}, line {response.line + offset}"
            for number, ((_, key_row), (offset, response_row)) in enumerate(rows)
            if key_row != response_row
        ),
        "the rows they share do not differ",
    )
    return f"document '{key.id}' has {response.tokens} tokens and {key.tokens} in the key: {place}"


def _rows(text: str, line: int) -> list[tuple[int, list[str]]]:
    """Return the rows of a document that begins at `line`, without their last columns."""
    rows = []
    for offset, row in enumerate(text.split("\n")[line:], 1):
        if row.startswith("#"):
            break
        if row.strip():
            rows.append((offset, row.split()[:-1]))
    return rows


Match = Literal["exact", "min", "head", "partial"]
MATCHES: tuple[Match, ...] = get_args(Match)


class MentionPlace(NamedTuple):
    """Place of a mention, in offsets that the key and the response share."""

    start: int
    end: int
    after_article_start: int
    """Start without the leading article."""
    head: tuple[int, int] | None
    """Minimal string or head without a leading article; None if unknown."""
    identity: Hashable
    """Value that is equal for an exact match: the boundaries of all its parts."""
    optional: bool = False

    @property
    def core(self) -> tuple[int, int]:
        """Part that a response must include: the minimal string, or else the whole."""
        return self.head or (self.after_article_start, self.end)


def match(
    key: Sequence[MentionPlace], response: Sequence[MentionPlace], mode: Match
) -> dict[Hashable, Hashable]:
    """Map mentions of the response, by identity, to the identity of their key mention.

    Mentions with equal extents are matched first, then as many of the others as possible, with the
    largest overlap. Each side has each identity once.
    """
    identities = {place.identity for place in key}
    partners: dict[Hashable, Hashable] = {
        place.identity: place.identity for place in response if place.identity in identities
    }
    if mode == "exact":
        return partners
    key_places = sorted((place for place in key if place.identity not in partners), key=_sort_key)
    response_places = sorted(
        (place for place in response if place.identity not in partners), key=_sort_key
    )
    fits = _FITS[mode]
    longest = max((place.end - place.start for place in response_places), default=0)
    starts = [place.start for place in response_places]
    cells = []
    for row, place in enumerate(key_places):
        first = bisect_left(starts, place.start - longest)
        for column in range(first, bisect_left(starts, place.end)):
            if fits(place, response_places[column]):
                share = _overlap_share(place, response_places[column])
                cells.append((row, column, 1 + share / (len(key_places) + 1)))
    for row, column in assign(cells):
        partners[response_places[column].identity] = key_places[row].identity
    return partners


def _sort_key(place: MentionPlace) -> tuple[int, int, str]:
    return place.start, place.end, repr(place.identity)


def _overlap_share(first: MentionPlace, second: MentionPlace) -> float:
    """Return the overlap of two mentions as a share of their union, by outer boundaries."""
    shared = min(first.end, second.end) - max(first.start, second.start)
    return max(0, shared) / (max(first.end, second.end) - min(first.start, second.start))


def _fits_min(key: MentionPlace, response: MentionPlace) -> bool:
    """Return whether a response contains MIN and lies in the key's extent (MUC-6 §1.4, §4.3)."""
    start, end = key.core
    begins_inside = key.after_article_start <= response.after_article_start <= start
    return begins_inside and end <= response.end <= key.end


def _fits_head(key: MentionPlace, response: MentionPlace) -> bool:
    """Return whether the heads are equal; a response without a head must include the key's."""
    if response.head is not None:
        return response.head == key.core
    start, end = key.core
    return response.start <= start and end <= response.end


_FITS: dict[Match, Callable[[MentionPlace, MentionPlace], bool]] = {
    "min": _fits_min,
    "head": _fits_head,
    "partial": lambda key, response: key.start < response.end and response.start < key.end,
}
