"""Results of a comparison of a response with a key: mentions, matched pairs, errors."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from msgspec import Struct

from tatian.coreference.metrics.kinds import FormClassifier
from tatian.grouping import grouped
from tatian.text import SENTENCES, Chain, Document, Mention, Span, split
from tatian.views.wording import one_line, squeeze

if TYPE_CHECKING:
    from tatian.statistics import Table


# The errors of Kummerfeld & Klein 2013: each is one step that turns the response into the key.

Kind = Literal["span", "extra-entity", "extra-mention", "conflated-entity", "divided-entity",
               "missing-mention", "missing-entity"]  # fmt: skip
Form = Literal["name", "nominal", "pronoun"]
FORMS: tuple[Form, ...] = get_args(Form)
"""Forms of mentions by their heads, the most informative first."""


class ErrorKind(Struct, frozen=True):
    """Name, sign and explanation of an error."""

    name: str
    sign: str
    """Sign before the number of the chain, so that colour is never the only cue."""
    meaning: str


KINDS: dict[Kind, ErrorKind] = {
    "span": ErrorKind("span error", "~", "the right phrase with other boundaries"),
    "missing-mention": ErrorKind("missing mention", "−", "a phrase of a found chain not marked"),
    "extra-mention": ErrorKind("extra mention", "+", "a phrase marked that the key leaves alone"),
    "missing-entity": ErrorKind("missing entity", "⊖", "a whole chain of the key not marked"),
    "extra-entity": ErrorKind("extra entity", "⊕", "a whole chain that the key does not have"),
    "divided-entity": ErrorKind("divided entity", "÷", "a chain of the key cut in two"),
    "conflated-entity": ErrorKind("conflated entity", "×", "two chains of the key made one"),
}
"""Kinds of errors in the order in which they are shown."""

ORDER: tuple[Kind, ...] = get_args(Kind)
"""Kinds of errors in the order in which their steps are taken."""


class SideMention(Struct, frozen=True):
    """A mention of one side, with its chain and its form."""

    mention: Mention
    chain: int
    """Index among the side's chains."""
    form: Form

    @property
    def pieces(self) -> tuple[Span, ...]:
        """Spans that it covers: one, unless it is discontinuous."""
        return self.mention.parts or (Span(self.mention.start, self.mention.end),)

    def of(self, text: str) -> str:
        """Return its words on one line, with ``...`` between its pieces."""
        return " ... ".join(squeeze(piece.of(text)) for piece in self.pieces)


class Side(Struct, frozen=True):
    """Chains of a key or of a response."""

    chains: tuple[Chain, ...]
    """Chains in the order of their first mentions."""
    mentions: tuple[SideMention, ...]
    """Mentions in the order of the text, a longer one before those inside it."""
    members: tuple[tuple[int, ...], ...]
    """Mentions of each chain, by index."""
    labels: tuple[str, ...]
    """Label of each chain, such as ``3``; chains that agree have equal labels on both sides."""

    def label(self, mention: int) -> str:
        """Return the label of a mention's chain."""
        return self.labels[self.mentions[mention].chain]


class ChainError(Struct, frozen=True, omit_defaults=True):
    """One step from the response to the key; mentions are indices into the two sides."""

    kind: Kind
    form: Form
    """Most informative form of its mentions: name, else noun, else pronoun."""
    key: tuple[int, ...] = ()
    response: tuple[int, ...] = ()
    target: int | None = None
    """Mention of the response whose chain is the correct one; None for a new chain."""


class DocumentDiff(Struct, frozen=True):
    """One document of a comparison."""

    id: str
    text: str
    sentences: tuple[Span, ...]
    key: Side
    response: Side
    pairs: tuple[tuple[int, int], ...]
    """Key and response mentions that match."""
    shifted: tuple[tuple[int, int], ...]
    """Key and response mentions of one head with different boundaries."""
    errors: tuple[ChainError, ...]

    def to_json(self) -> dict[str, Any]:
        """Return plain data: every error with its places and words."""
        return {
            "id": self.id,
            "mentions": {
                "key": len(self.key.mentions),
                "response": len(self.response.mentions),
                "matched": len(self.pairs),
            },
            "counts": dict(counts([self])),
            "errors": [
                {
                    "kind": error.kind,
                    "form": error.form,
                    "key": [_place(self.key, index, self.text) for index in error.key],
                    "response": [
                        _place(self.response, index, self.text) for index in error.response
                    ],
                }
                for error in self.errors
            ],
        }


def counts(documents: Iterable[DocumentDiff]) -> Counter[Kind]:
    """Return the number of errors of each kind, in the order of `KINDS`."""
    by_kind = Counter(error.kind for document in documents for error in document.errors)
    return Counter({kind: by_kind[kind] for kind in KINDS})


def by_form(documents: Iterable[DocumentDiff]) -> dict[Kind, Counter[Form]]:
    """Return the number of errors of each kind by the form of the most informative mention."""
    by_kind: dict[Kind, Counter[Form]] = {kind: Counter() for kind in KINDS}
    for document in documents:
        for error in document.errors:
            by_kind[error.kind][error.form] += 1
    return by_kind


def error_table(documents: Sequence[DocumentDiff]) -> Table:
    """Return a table of errors of each kind by form, with their sum."""
    from tatian.statistics import Cell, Table

    by_kind = by_form(documents)
    rows: list[list[Cell]] = [
        [KINDS[kind].name, forms.total(), *(forms[form] for form in FORMS)]
        for kind, forms in by_kind.items()
    ]
    sums = sum(by_kind.values(), Counter())
    rows.append(["all", sums.total(), *(sums[form] for form in FORMS)])
    return Table.of(["error", "total", *FORMS], rows)


_MAX_QUOTED = 12
"""Maximum number of mentions of an error that a line quotes."""


def describe_errors(diff: DocumentDiff) -> Iterator[tuple[int, Kind, str]]:
    """Yield each error in the order of the text: number of its sentence, kind, wording."""
    starts = [sentence.start for sentence in diff.sentences]
    for error in sorted(diff.errors, key=lambda error: _start_of(diff, error)):
        place = bisect_right(starts, _start_of(diff, error))
        yield place, error.kind, _describe(diff, error)


def _start_of(diff: DocumentDiff, error: ChainError) -> int:
    side, (first, *_) = (diff.key, error.key) if error.key else (diff.response, error.response)
    return side.mentions[first].mention.start


def _describe(diff: DocumentDiff, error: ChainError) -> str:
    """Describe an error; ``1→2`` marks mentions of key chain 1 that the response has in chain 2."""
    sides = [
        (side.label(mentions[0]), _quote(side, mentions, diff.text))
        for side, mentions in ((diff.key, error.key), (diff.response, error.response))
        if mentions
    ]
    labels = "→".join(dict.fromkeys(label for label, _ in sides))
    words = ", marked as ".join(dict.fromkeys(words for _, words in sides))
    return f"{KINDS[error.kind].sign} {KINDS[error.kind].name} {labels}: {words}"


def _quote(side: Side, mentions: Sequence[int], text: str) -> str:
    quoted = "; ".join(one_line(side.mentions[index].of(text)) for index in mentions[:_MAX_QUOTED])
    more = len(mentions) - _MAX_QUOTED
    return f"{quoted} and {more} more" if more > 0 else quoted


def group_by_other_chain(
    members: Iterable[int], other: Side, partners: dict[int, int]
) -> list[tuple[int, ...]]:
    """Divide a chain's mentions by the other side's chains, the largest part first."""
    matched = (index for index in members if index in partners)
    parts = grouped((other.mentions[partners[index]].chain, index) for index in matched)
    return sorted(map(tuple, parts.values()), key=lambda part: (-len(part), part[0]))


def _place(side: Side, index: int, text: str) -> dict[str, Any]:
    side_mention = side.mentions[index]
    place: dict[str, Any] = {
        "start": side_mention.mention.start,
        "end": side_mention.mention.end,
        "text": side_mention.of(text),
        "chain": side.chains[side_mention.chain].id,
    }
    if parts := side_mention.mention.parts:
        place["parts"] = [{"start": part.start, "end": part.end} for part in parts]
    return place


SPURIOUS_PREFIX = "x"
METRICS = {"conll": "CoNLL", "muc": "MUC", "b3": "B³", "ceafe": "CEAF-e", "lea": "LEA",
           "mentions": "mentions"}  # fmt: skip


def response_labels(response: Side, key: Side, to_key: dict[int, int]) -> tuple[str, ...]:
    """Label each response chain with the number of the key chain that it shares most with.

    Of several such chains the largest is ``3``, the others are ``3b``, ``3c``. Chains without any
    mention of the key are ``x1``, ``x2``.
    """
    labels = [""] * len(response.chains)
    claims: dict[int, list[tuple[int, int]]] = {}
    spurious = 0
    for chain, members in enumerate(response.members):
        parts = group_by_other_chain(members, key, to_key)
        if parts:
            key_chain = key.mentions[to_key[parts[0][0]]].chain
            claims.setdefault(key_chain, []).append((-len(parts[0]), chain))
        else:
            spurious += 1
            labels[chain] = f"{SPURIOUS_PREFIX}{spurious}"
    for key_chain, claimed in claims.items():
        for rank, (_, chain) in enumerate(sorted(claimed)):
            labels[chain] = key.labels[key_chain] + (_to_letters(rank) if rank else "")
    return tuple(labels)


def _to_letters(rank: int) -> str:
    """Return ``b`` for 1, ``z`` for 25, ``aa`` for 26."""
    rounds, letter = divmod(rank, len(ascii_lowercase))
    return (_to_letters(rounds - 1) if rounds else "") + ascii_lowercase[letter]


def make_side(chains: Sequence[Chain], forms: FormClassifier, min_mentions: int = 1) -> Side:
    """Return chains of at least `min_mentions` mentions in the order of the text, numbered."""
    ordered = sorted(
        (chain for chain in chains if len(chain.mentions) >= min_mentions),
        key=lambda chain: min((mention.start, -mention.end) for mention in chain.mentions),
    )
    side_mentions = [
        SideMention(mention, index, cast(Form, forms.of(mention)))
        for index, chain in enumerate(ordered)
        for mention in chain.mentions
    ]
    side_mentions.sort(key=lambda item: (item.mention.start, -item.mention.end, item.chain))
    members: list[list[int]] = [[] for _ in ordered]
    for number, side_mention in enumerate(side_mentions):
        members[side_mention.chain].append(number)
    return Side(
        chains=tuple(ordered),
        mentions=tuple(side_mentions),
        members=tuple(map(tuple, members)),
        labels=tuple(map(str, range(1, len(ordered) + 1))),
    )


def sentences_of(document: Document) -> tuple[Span, ...]:
    """Return the document's sentences, split if it has none."""
    sentences = document.sentences if document.has(SENTENCES) else split(document.text)
    return tuple(Span(sentence.start, sentence.end) for sentence in sentences)
