"""Merge any number of sentences pairwise, and check the result against all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from datetime import timedelta
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tatian.errors import EmptyInput
from tatian.text import MENTIONS, NAMES, WORDS, Document, Mention, Metadata, SourcedToken, Span
from tatian.text.content import concept, concepts_of, is_content, is_exact
from tatian.text.datelines import publication_days
from tatian.text.documents import Claim, Passage, copy_tokens
from tatian.text.layers import glue, render
from tatian.text.lexicon import PREPOSITIONS, RELATIVE_DATES
from tatian.union.models import (
    Contradiction,
    Merged,
    OnConflict,
    UnionCandidate,
    cites,
    later_claims,
    refuse,
)
from tatian.union.models.conflicts import insert_conflict
from tatian.union.models.finishing import finish
from tatian.union.relations.contradictions import find_contradictions

MIN_COVERED_SHARE = 0.4
"""Minimum share of a sentence that a draft must cover for the two to be merged."""


class _Draft(Struct):
    """A sentence of the result under construction."""

    tokens: tuple[SourcedToken, ...]
    passages: list[Passage]
    concepts: frozenset[str | None]


class Multi:
    """Merges the two most similar sentences, then repeatedly the one most similar to the draft.

    Shared content is easiest to find while the draft is short and close to the sentences. A
    sentence that shares little comes last. Each round compares the pair merger's candidates with
    all sentences merged so far, so that no content of earlier ones is lost.
    """

    def __init__(
        self,
        propose: Callable[[Sequence[Passage]], Sequence[UnionCandidate]],
        on_conflict: OnConflict = "both",
    ) -> None:
        self.propose = propose
        self.on_conflict = on_conflict

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Merge any number of passages that report the same event."""
        if not passages:
            raise EmptyInput("no passages to merge")
        full = [passage for passage in passages if passage.text.strip()]
        if not full:
            return Merged((copy_tokens(passages[0]),))
        contradictions = find_contradictions(full)
        if contradictions and self.on_conflict == "refuse":
            return refuse(contradictions, "multi")
        if contradictions and self.on_conflict == "first":
            excluded = later_claims(contradictions)
            sentences = self._in_order(full, range(len(full)), excluded)
            shown = [finish(put_dates(s, full), full) for s in sentences]
        else:
            sentences = self._try_orders(full)
            shown = [self._finish(s, full, contradictions) for s in sentences]
        return Merged(tuple(shown), contradictions)

    def _try_orders(self, passages: Sequence[Passage]) -> list[tuple[SourcedToken, ...]]:
        """Merge in the most promising order; if words are lost or repeated, try other orders."""
        order = order_by_likeness(passages)
        sentences = self._in_order(passages, order)
        least = count_flaws(sentences, passages)
        for first in order[1:_MAX_ORDERS] if least and len(passages) > 2 else ():
            other = self._in_order(passages, [first, *(index for index in order if index != first)])
            if (count := count_flaws(other, passages)) < least:
                least, sentences = count, other
        return sentences

    def _in_order(
        self, passages: Sequence[Passage], order: Sequence[int], excluded: Set[Claim] = frozenset()
    ) -> list[tuple[SourcedToken, ...]]:
        """Merge every passage into the most similar draft, or make it a separate draft.

        A passage that cannot be worded without a claim in `excluded` is left out.
        """
        drafts: list[_Draft] = []
        for number in order:
            passage = passages[number]
            concepts = frozenset(concepts_of(passage.document, passage.span)) - {None}
            near = [len(concepts & draft.concepts) / max(1, len(concepts)) for draft in drafts]
            if not drafts or max(near) < MIN_COVERED_SHARE:
                if not cites(copy_tokens(passage), excluded):
                    drafts.append(_Draft(copy_tokens(passage), [passage], concepts))
                continue
            draft = drafts[near.index(max(near))]
            check = DraftCost(draft.tokens, passage, draft.passages)
            rounds = self._candidates(put_dates(draft.tokens, passages), passage, number)
            rounds = [tokens for tokens in rounds if not cites(tokens, excluded)]
            if not rounds:
                continue
            best = min(range(len(rounds)), key=lambda index: check.cost(rounds[index], index))
            draft.tokens, draft.concepts = rounds[best], draft.concepts | concepts
            draft.passages.append(passage)
        return [draft.tokens for draft in drafts]

    def _candidates(
        self, draft: tuple[SourcedToken, ...], passage: Passage, done: int
    ) -> list[tuple[SourcedToken, ...]]:
        """Return the pair merger's proposals for the draft and a passage, best first."""
        document = DraftDocument(draft, passage, done)
        unions = self.propose([document.passage, passage])
        return [document.restore_sources(union.tokens) for union in unions]

    def _finish(
        self,
        sentence: Sequence[SourcedToken],
        passages: Sequence[Passage],
        contradictions: Sequence[Contradiction],
    ) -> tuple[SourcedToken, ...]:
        for passage in passages:
            sentence = insert_conflict(sentence, passage, contradictions)
        return finish(put_dates(sentence, passages), passages)


def put_dates(
    tokens: Sequence[SourcedToken], passages: Sequence[Passage]
) -> tuple[SourcedToken, ...]:
    """Replace "yesterday" and the like by dates if the sources have different publication days.

    Quotations stay as they are.
    """
    documents = {passage.document.id: passage.document for passage in passages}
    days = dict(zip(documents, publication_days(documents.values()), strict=True))
    if len({day for day in days.values() if day is not None}) < 2:
        return tuple(tokens)
    result: list[SourcedToken] = []
    for index, token in enumerate(tokens):
        relative = RELATIVE_DATES.get(token.text.lower())
        source = token.sources[0] if token.sources else None
        day = days.get(source.document) if source else None
        following = tokens[index + 1].text.lower() if index + 1 < len(tokens) else ""
        if relative is None or relative.unit != "day" or day is None or token.quoted:
            result.append(token)
            continue
        if token.text.lower() == "tonight" or following in {"'s", "’s"}:
            result.append(token)
            continue
        meant_day = day + timedelta(days=relative.amount)
        sources = tuple(replace(source, kind="substituted") for source in token.sources)
        lead = [] if result and result[-1].text.lower() in PREPOSITIONS else [glue("on")]
        words = [*lead, SourcedToken(f"{meant_day:%B}", sources)]
        words.append(SourcedToken(str(meant_day.day), sources))
        result += [replace(words[0], space=token.space), *words[1:]]
    return tuple(result)


def order_by_likeness(passages: Sequence[Passage]) -> list[int]:
    """Order the passages: the most similar pair, then by similarity to the passages so far."""
    count = len(passages)
    if count < 2:
        return list(range(count))
    concepts = [frozenset(concepts_of(p.document, p.span)) - {None} for p in passages]
    pairs = [(first, second) for first in range(count) for second in range(first + 1, count)]
    first = max(pairs, key=lambda pair: (likeness(concepts[pair[0]], concepts[pair[1]]), -pair[0]))
    taken = sorted(first, key=lambda index: (-len(concepts[index]), index))
    while len(taken) < count:
        covered = frozenset().union(*(concepts[index] for index in taken))
        free = [index for index in range(count) if index not in taken]
        taken.append(max(free, key=lambda index: (likeness(concepts[index], covered), -index)))
    return taken


T = TypeVar("T")

_LOST_COST = 3.0
"""Cost of a word that the draft had."""
_EXACT_COST = 1.5
"""Cost of an omitted name or figure."""
_MISSING_COST = 0.6
"""Cost of any other omitted content word."""
_REPEATED_COST = 0.5
"""Cost of a word that occurs more often than in any source."""
_REPEATED_PAIR_COST = 1.5
"""Cost of a repeated pair of neighbouring words, such as "ran aground" twice."""
_MAX_ORDERS = 3
"""Maximum number of orders that are tried."""
_RANK_COST = 0.5
"""Cost per rank below the merger's best candidate."""


def likeness(first: Set[T], second: Set[T]) -> float:
    """Return the share of the smaller set that is in the other."""
    return len(first & second) / max(1, min(len(first), len(second)))


class DraftCost:
    """Compares the candidates of one round with every sentence merged so far."""

    def __init__(
        self, before: Sequence[SourcedToken], passage: Passage, earlier: Sequence[Passage]
    ) -> None:
        self.before = _count_concepts(before)
        self.wanted = {
            concept(token.text): _EXACT_COST if is_exact(token.text) else _MISSING_COST
            for token in passage.document.tokens_in(passage.span)
            if is_content(token.text)
        }
        self.most: Counter[str] = Counter()
        for source in (*earlier, passage):
            concepts = concepts_of(source.document, source.span)
            self.most |= Counter(name for name in concepts if name is not None)

    def cost(self, draft: Sequence[SourcedToken], rank: int) -> float:
        """Return the cost of lost, omitted and repeated words in a draft; lower is better."""
        counts = _count_concepts(draft)
        lost = sum(name not in counts for name in self.before)
        missing = sum(worth for name, worth in self.wanted.items() if name not in counts)
        repeated = sum(
            count - max(self.most[name], self.before[name])
            for name, count in counts.items()
            if count > max(self.most[name], self.before[name], 1)
        )
        twice = _REPEATED_COST * repeated + _REPEATED_PAIR_COST * _count_repeated_pairs(draft)
        return _LOST_COST * lost + missing + twice + _RANK_COST * rank


def _count_repeated_pairs(tokens: Sequence[SourcedToken]) -> int:
    """Count pairs of neighbouring content words that occur more than once."""
    pairs = Counter(pairwise(concept(token.text) for token in tokens if is_content(token.text)))
    return sum(count > 1 for count in pairs.values())


def count_flaws(drafts: Sequence[Sequence[SourcedToken]], passages: Sequence[Passage]) -> int:
    """Count the words that the drafts lost, and those that one of them repeats."""
    wanted: Counter[str | None] = Counter()
    for passage in passages:
        wanted |= Counter(concepts_of(passage.document, passage.span))
    counts = [_count_concepts(draft) for draft in drafts]
    lost = sum(name is not None and not any(name in draft for draft in counts) for name in wanted)
    twice = sum(count > max(wanted[name], 1) for draft in counts for name, count in draft.items())
    return lost + twice + sum(map(_count_repeated_pairs, drafts))


def _count_concepts(tokens: Sequence[SourcedToken]) -> Counter[str]:
    return Counter(concept(token.text) for token in tokens if is_content(token.text))


Analyse = Callable[[Document], Document]


class DraftDocument:
    """A draft as a document that the pair merger can read, with the sources of its words."""

    def __init__(self, draft: tuple[SourcedToken, ...], passage: Passage, number: int) -> None:
        self.id = f"draft {number} beside {passage.document.id}"
        text = render(draft)
        self._tokens_by_start: dict[int, SourcedToken] = {}
        position = 0
        for index, token in enumerate(draft):
            position += bool(index and token.space)
            self._tokens_by_start[position] = token
            position += len(token.text)
        date = passage.document.metadata.date
        document = Document(self.id, text, Metadata(date=date))
        filled = _choose_analyser(passage.document)(document)
        self.passage = Passage(_with_mentions(filled), Span(0, len(text)))

    def restore_sources(self, tokens: Iterable[SourcedToken]) -> tuple[SourcedToken, ...]:
        """Replace sources in the draft by the original sources."""
        result = []
        for token in tokens:
            in_draft = [source for source in token.sources if source.document == self.id]
            kept = [source for source in token.sources if source.document != self.id]
            quoted = token.quoted
            for source in in_draft:
                origin = self._origin(source.start)
                quoted = quoted or origin.quoted
                changed = [replace(s, kind=source.kind) for s in origin.sources]
                kept = [*(origin.sources if source.kind == "copied" else changed), *kept]
            result.append(replace(token, sources=tuple(dict.fromkeys(kept)), quoted=quoted))
        return tuple(result)

    def _origin(self, start: int) -> SourcedToken:
        """Return the word of the draft at an offset of its text."""
        place = start
        while place not in self._tokens_by_start:
            place -= 1
        return self._tokens_by_start[place]


def _with_mentions(document: Document) -> Document:
    if document.has(MENTIONS):
        return document
    names = document.get(NAMES) if document.has(NAMES) else ()
    mentions = [Mention(name.start, name.end, name.type) for name in names]
    return document.with_layer(MENTIONS, mentions, "names")


def _choose_analyser(document: Document) -> Analyse:
    """Return the analyser that made this document's layers: with a parse, or only by rules."""
    return _analyser("encoder" if document.has(WORDS) else "rules")


@lru_cache(maxsize=2)
def _analyser(name: str) -> Analyse:
    from tatian.analysis import analysers
    from tatian.analysis.installed import best_model

    return analysers.create(best_model() if name == "encoder" else name).analyze
