"""Scores of whole documents, with mentions matched and optional ones resolved."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from tatian.coreference.metrics.alignment import Offset, after_article, shared_offsets
from tatian.coreference.metrics.chains import ChainPair, ChainScores, join_documents, score_pairs
from tatian.errors import InputError
from tatian.formats import ORIGINAL
from tatian.formats.brackets import Bracketed, read_brackets
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
    mode = match or usual_match(wanted for wanted, _ in documents)
    pairs = (pair(wanted, answer, mode) for wanted, answer in documents)
    return _scored(pairs, mode, metrics, singletons, cross_document)


def _scored(
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


def usual_match(key: Iterable[Document]) -> Match:
    """Return "min" if the format of the key has minimal strings for matching, else "exact"."""
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
    """Return one document's chains, with matching mentions made equal."""
    ours, theirs = shared_offsets(key, response)
    wanted, answered = _Side(key, ours), _Side(response, theirs)
    partners = match(list(wanted.places.values()), list(answered.places.values()), mode)
    standing = set(partners.values())
    chains = list(_without_unmarked(wanted, standing))
    answers = [
        (label, [partners.get(mention, ("response", mention)) for mention in mentions])
        for label, mentions in answered.chains
    ]
    source = repr((key.id, [(chain.id, chain.mentions) for chain in key.get(CHAINS)]))
    return ChainPair(key.id, chains, answers, source, response.id)


def _without_unmarked(side: _Side, standing: set[Hashable]) -> Iterator[tuple[str, list[Hashable]]]:
    """Drop optional mentions that the response does not mark (MUC-6 §1.5).

    Their chain stays one chain without them. If one mention remains that the response does not mark
    either, it is dropped too.
    """
    for label, mentions in side.chains:
        kept = [
            mention
            for mention in mentions
            if mention in standing or not side.places[mention].optional
        ]
        if (
            len(kept) == len(mentions)
            or len(kept) > 1
            or any(mention in standing for mention in kept)
        ):
            yield label, kept


class _Side:
    """The mentions of one document by their identity in shared offsets."""

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
    """Return a mention as matching knows it."""
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
    """Score the texts of two CoNLL files, with exact matching only."""
    pairs = pairs_of_columns(key, response, key_path=key_path, response_path=response_path)
    return _scored(pairs, "exact", metrics, singletons, cross_document)


def pairs_of_columns(
    key: str, response: str, *, key_path: str | None = None, response_path: str | None = None
) -> list[ChainPair]:
    """Return the chains of two files' texts, as token numbers, documents paired as in `score`.

    Rows are counted, words are not compared, as in the reference scorer.
    """
    wanted, answered = read_brackets(key, key_path), read_brackets(response, response_path)
    places = partners([document.id for document in wanted], [document.id for document in answered])
    pairs = []
    for document, place in zip(wanted, places, strict=True):
        answer = answered[place]
        if document.tokens != answer.tokens:
            raise InputError(_difference(document, answer, key, response), path=response_path)
        chains, answers = list(document.chains.items()), list(answer.chains.items())
        pairs.append(ChainPair(document.id, chains, answers, partner=answer.id))
    return pairs


def _difference(key: Bracketed, response: Bracketed, ours: str, theirs: str) -> str:
    rows = zip(_rows(ours, key.line), _rows(theirs, response.line), strict=False)
    place = next(
        (
            f"the first row that differs is that of token {number}, line {response.line + offset}"
            for number, ((_, wanted), (offset, answer)) in enumerate(rows)
            if wanted != answer
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


# Matching of mentions of the response with mentions of the key, one to one.
# Exact matching needs none of this. The other modes tolerate boundaries. Mentions that are exactly
# alike are matched first, then as many of the others as possible, with the largest overlap.


Match = Literal["exact", "min", "head", "partial"]
MATCHES: tuple[Match, ...] = get_args(Match)


class MentionPlace(NamedTuple):
    """Place of a mention, in offsets that the key and the response share."""

    start: int
    end: int
    bare: int
    """Start without the leading article."""
    head: tuple[int, int] | None
    """Minimal string or head without a leading article; None if unknown."""
    identity: Hashable
    """Value that is equal for an exact match: the boundaries of all its parts."""
    optional: bool = False

    @property
    def core(self) -> tuple[int, int]:
        """Part that a response must include: the minimal string, or else the whole."""
        return self.head or (self.bare, self.end)


def match(
    key: Sequence[MentionPlace], response: Sequence[MentionPlace], mode: Match
) -> dict[Hashable, Hashable]:
    """Map mentions of the response, by identity, to the identity of their key mention.

    Each side has each identity once.
    """
    identities = {place.identity for place in key}
    partners: dict[Hashable, Hashable] = {
        place.identity: place.identity for place in response if place.identity in identities
    }
    if mode == "exact":
        return partners
    wanted = sorted((place for place in key if place.identity not in partners), key=_order)
    answers = sorted((place for place in response if place.identity not in partners), key=_order)
    fits = _FITS[mode]
    longest = max((place.end - place.start for place in answers), default=0)
    starts = [place.start for place in answers]
    cells = [
        (row, column, 1 + _likeness(wanted_place, answers[column]) / (len(wanted) + 1))
        for row, wanted_place in enumerate(wanted)
        for column in range(
            bisect_left(starts, wanted_place.start - longest), bisect_left(starts, wanted_place.end)
        )
        if fits(wanted_place, answers[column])
    ]
    for row, column in assign(cells):
        partners[answers[column].identity] = wanted[row].identity
    return partners


def _order(place: MentionPlace) -> tuple[int, int, str]:
    return place.start, place.end, repr(place.identity)


def _likeness(first: MentionPlace, second: MentionPlace) -> float:
    """Return the share of their union that they have in common, by their outer boundaries."""
    shared = min(first.end, second.end) - max(first.start, second.start)
    return max(0, shared) / (max(first.end, second.end) - min(first.start, second.start))


def _fits_min(key: MentionPlace, response: MentionPlace) -> bool:
    """Return whether it has MIN and nothing beyond the tag, except articles (MUC-6 §1.4, §4.3)."""
    start, end = key.core
    return key.bare <= response.bare <= start and end <= response.end <= key.end


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
