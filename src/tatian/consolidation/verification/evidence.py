"""Evidence for a sentence: the nearest passages of the sources, and what models make of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from tatian.analysis.coverage import Coverage, read_coverage
from tatian.analysis.meaning import Entailment, entails_all
from tatian.claims import (
    ClaimReader,
    PlacedClaim,
    StatedClaim,
    agree,
    compare,
    compare_values,
    find_barrier,
    likenesses,
    place_claims,
)
from tatian.consolidation.sources import add_day
from tatian.consolidation.spans import read_spans
from tatian.consolidation.verification.grammar import Grammar, Item, is_time
from tatian.pipeline import CrossChain
from tatian.progress import Progress, silent
from tatian.text import Document, Sentence
from tatian.text.lexicon import PRONOUNS

Floats = npt.NDArray[np.float64]

SHORTLIST, MORE = 3, 4
"""Passages that a sentence is compared with one by one: the nearest, and those with what these
lack, one for each thing that it says."""
TOGETHER = 3
"""Passages that are read as one."""
_RENAMED = 0.9
"""Least coverage of a day that a passage names differently."""
_BESIDE, _NOWHERE = 0.6, 0.1
"""Coverage factor of a word that only a neighbour of a passage has, and of one that none has."""


class EvidenceSentence(Struct, frozen=True):
    """Sentence of the text or of a source."""

    document: int
    sentence: Sentence
    grammar: Grammar
    text: str
    """Its text, with a name for the first pronoun that stands for one."""
    source: str
    """Text of the whole document."""
    beside: frozenset[str] = frozenset()
    """Concepts of the sentences before and after it."""
    about: frozenset[str] = frozenset()
    """Chains that those sentences mention."""
    claims: tuple[PlacedClaim, ...] = ()
    """Its figures, times and names."""

    @property
    def plain(self) -> str:
        """Its text, unchanged but for white space."""
        return " ".join(self.sentence.of(self.source).split())


class Evidence(Struct, frozen=True):
    """Evidence for one sentence of a text."""

    grammar: Grammar
    numbers: tuple[int, ...]
    """Numbers of the nearest passages among all, best first."""
    passages: tuple[EvidenceSentence, ...]
    covered: Floats
    """Probability that a passage covers an item of the sentence, for each passage and item."""
    carries: Floats
    """Weight of each item."""
    shares: tuple[float, ...]
    """Share of the sentence that each passage covers."""
    chosen: tuple[int, ...]
    """Passages among them that cover most together."""
    joint: Floats
    """Probability that those few, read as one, cover each item."""
    whole: float
    """Share of the sentence that they cover."""
    entailment: Entailment
    """Entailment of the sentence by them."""
    support: float | None
    """Log-odds that all passages, read as one, support all of it; None if that was not asked."""
    conflicts: tuple[tuple[StatedClaim, int, StatedClaim], ...] = ()
    """Claims of the sentence that a passage, by its number here, excludes by one of its own."""
    claims: tuple[StatedClaim, ...] = ()
    """Figures, times and names of the sentence."""


def passages(
    documents: Sequence[Document], chains: Sequence[CrossChain], *, with_claims: bool = True
) -> tuple[list[list[EvidenceSentence]], list[dict[int, frozenset[str]]]]:
    """Return the sentences of each document, and the chains of which each word heads a mention.

    Claims are only needed where passages are read as one (see `gather`).
    """
    documents = [add_day(read_spans(n, document)).document for n, document in enumerate(documents)]
    heads: list[dict[int, set[str]]] = [{} for _ in documents]
    names: list[dict[int, str]] = [{} for _ in documents]
    number = {document.id: place for place, document in enumerate(documents)}
    for chain in chains:
        for document_id, mention in chain.mentions():
            place = number[document_id]
            start, text = (mention.head or mention).start, documents[place].text
            heads[place].setdefault(start, set()).add(chain.id)
            for token in documents[place].tokens_in(mention.head or mention):
                heads[place].setdefault(token.start, set()).add(chain.id)
            if chain.type == "PER" and mention.of(text).lower() in PRONOUNS:
                names[place][mention.start] = chain.name
    entities = [{at: frozenset(ids) for at, ids in by_place.items()} for by_place in heads]
    sentences = []
    for place, document in enumerate(documents):
        kept = [sentence for sentence in document.sentences if document.tokens_in(sentence)]
        read = [Grammar(document, sentence, entities[place]) for sentence in kept]
        claims: list[tuple[PlacedClaim, ...]] = [()] * len(kept)
        if with_claims:
            reader = ClaimReader(document)
            claims = [place_claims(reader, sentence) for sentence in kept]
        sentences.append(
            [
                EvidenceSentence(
                    place,
                    sentence,
                    read[number],
                    _with_names(document, sentence, names[place]),
                    document.text,
                    frozenset().union(*(near.said for near in _around(read, number))),
                    frozenset().union(*(near.entities for near in _around(read, number))),
                    claims[number],
                )
                for number, sentence in enumerate(kept)
            ]
        )
    return sentences, entities


def _around(read: Sequence[Grammar], number: int) -> list[Grammar]:
    return [*read[max(0, number - 1) : number], *read[number + 1 : number + 2]]


def _with_names(document: Document, sentence: Sentence, names: Mapping[int, str]) -> str:
    text = sentence.of(document.text)
    for token in document.tokens_in(sentence):
        name = names.get(token.start)
        pronoun = PRONOUNS.get(token.text.lower())
        if name is None or pronoun is None or pronoun.person != 3 or pronoun.reflexive:
            continue
        if name.split()[-1] not in text:
            at = token.start - sentence.start
            said = f"{name}'s" if pronoun.possessive and token.text.lower() != "her" else name
            text = text[:at] + said + text[at + len(token.text) :]
        break
    return " ".join(text.split())


def gather(
    sentences: Sequence[EvidenceSentence],
    known: Sequence[EvidenceSentence],
    near: Floats,
    progress: Progress = silent,
    *,
    as_one: bool = True,
) -> list[Evidence]:
    """Gather the evidence for each sentence of a text among the passages of the sources.

    `near` has the similarity in meaning of sentences (rows) and passages. With `as_one`, passages
    are also read as one, for sentences of any writer.
    """
    progress("verifying sentences", 0, 2)
    listed = _shortlists(sentences, known, near)
    pairs = [
        (sentence.plain, known[n].text)
        for sentence, some in zip(sentences, listed, strict=True)
        for n in some
    ]
    verdicts_of = dict(zip(pairs, read_coverage(pairs), strict=True))
    progress("verifying sentences", 1, 2)
    joined, drafts = [], []
    for sentence, some in zip(sentences, listed, strict=True):
        best = [known[n] for n in some]
        verdicts = [verdicts_of[sentence.plain, evidence.text] for evidence in best]
        read = [_items(sentence, verdict) for verdict in verdicts]
        rows = np.array(
            [
                _limit_exact(sentence.grammar, row, [passage])
                for (row, _), passage in zip(read, best, strict=True)
            ]
        )
        carries: Floats = np.mean([row for _, row in read], axis=0)
        chosen = _choose_passages(rows, carries)
        joined.append(" ".join(known[n].text for n in sorted(some[c] for c in chosen)))
        shares = tuple(verdict.share for verdict in verdicts)
        drafts.append((tuple(some), tuple(best), rows, carries, shares, tuple(chosen)))
    plain = [sentence.plain for sentence in sentences]
    wholes = list(zip(plain, joined, strict=True))
    unread = [pair for pair in wholes if pair not in verdicts_of]
    verdicts_of |= zip(unread, read_coverage(unread), strict=True)
    said = entails_all(zip(joined, plain, strict=True))
    backed: list[float | None] = [None] * len(plain)
    excluded: list[Conflicts] = [()] * len(plain)
    if as_one:
        excluded = _conflicts(sentences, [best for _, best, *_ in drafts])
        from tatian.analysis.coverage import support

        listings = ([known[n].text for n in sorted(some)] for some in listed)
        backed = list(support(zip(plain, listings, strict=True)))
    evidence = [
        Evidence(
            sentence.grammar,
            *rest,
            _limit_exact(
                sentence.grammar, _items(sentence, whole)[0], [rest[1][c] for c in rest[-1]]
            ),
            whole.share,
            entailment,
            odds,
        )
        for sentence, rest, whole, entailment, odds in zip(
            sentences, drafts, map(verdicts_of.__getitem__, wholes), said, backed, strict=True
        )
    ]
    progress("verifying sentences", 2, 2)
    return [
        replace(item, conflicts=conflicts, claims=tuple(placed.claim for placed in sentence.claims))
        for sentence, item, conflicts in zip(sentences, evidence, excluded, strict=True)
    ]


Conflicts = tuple[tuple[StatedClaim, int, StatedClaim], ...]


def _conflicts(
    sentences: Sequence[EvidenceSentence], nearest: Sequence[Sequence[EvidenceSentence]]
) -> list[Conflicts]:
    """Return for each sentence its claims that passages exclude and none of them gives."""
    rivals = [
        (place, number, claim, other)
        for place, (sentence, some) in enumerate(zip(sentences, nearest, strict=True))
        for claim in sentence.claims
        if claim.claim.kind not in ("name", "ordinal")
        and not any(agree(claim.claim, other.claim) for passage in some for other in passage.claims)
        for number, passage in enumerate(some)
        for other in passage.claims
        if claim.claim.concepts != other.claim.concepts
        and compare_values(claim.claim, other.claim)[0] == "exclude"
        and not find_barrier(claim.claim, other.claim, "exclude")
    ]
    odds = likenesses([(claim, other) for _, _, claim, other in rivals])
    excluded: list[list[tuple[StatedClaim, int, StatedClaim]]] = [[] for _ in sentences]
    for (place, number, claim, other), likeness in zip(rivals, odds, strict=True):
        if compare(claim.claim, other.claim, likeness).relation == "exclude":
            excluded[place].append((claim.claim, number, other.claim))
    return [tuple(conflicts) for conflicts in excluded]


def _shortlists(
    sentences: Sequence[EvidenceSentence], known: Sequence[EvidenceSentence], near: Floats
) -> list[list[int]]:
    """Return the nearest passages in words and meaning, and some with words that those lack."""
    counts = Counter(said for passage in known for said in passage.grammar.said)
    rare = {said: log(1 + len(known) / count) for said, count in counts.items()}
    shortlists = []
    for place, sentence in enumerate(sentences):
        said = sentence.grammar.said
        total = sum(rare.get(word, 3.0) for word in said) or 1.0
        score = [
            sum(rare[word] for word in said & passage.grammar.said) / total + max(0.0, cosine)
            for passage, cosine in zip(known, near[place].tolist(), strict=True)
        ]
        ranked = sorted(range(len(known)), key=lambda n: (-score[n], n))
        listed, rest = ranked[:SHORTLIST], ranked[SHORTLIST:]
        more = min(MORE, max(2, len(sentence.grammar.statements)))
        for _ in range(min(more, len(rest))):
            missing = said.difference(*(known[n].grammar.said for n in listed))
            gain = {n: sum(rare[word] for word in missing & known[n].grammar.said) for n in rest}
            best = max(rest, key=lambda n: (gain[n], score[n], -n))
            rest.remove(best)
            listed.append(best)
        shortlists.append(listed)
    return shortlists


def _limit_exact(grammar: Grammar, row: Floats, some: Sequence[EvidenceSentence]) -> Floats:
    """Limit the coverage of names and numbers to what some passages have.

    A day that they name differently, "yesterday" for "on Tuesday", is covered.
    """
    limited = row.copy()
    for place, item in enumerate(grammar.items):
        if grammar.is_exact(place):
            has = max(presence(item, passage) for passage in some)
            renamed = is_time(item) and not any(item.text in passage.text for passage in some)
            limited[place] = max(row[place], _RENAMED) if has == 1 and renamed else row[place] * has
    return limited


def presence(item: Item, passage: EvidenceSentence) -> float:
    """Return 1 where a passage mentions the same, less where only its neighbours do."""
    near = passage.grammar
    if item.concepts & near.said or item.entities & near.entities:
        return 1.0
    beside = item.concepts & passage.beside or item.entities & passage.about
    return _BESIDE if beside or (near.is_own and item.tag == "PROPN") else _NOWHERE


def _choose_passages(rows: Floats, carries: Floats) -> list[int]:
    """Choose greedily the few passages that cover most together."""
    chosen: list[int] = []
    reached = np.zeros(rows.shape[1])
    for _ in range(min(TOGETHER, len(rows))):
        gains = np.maximum(rows, reached) @ carries
        best = int(gains.argmax())
        if best in chosen or (chosen and gains[best] - reached @ carries < 0.15):
            break
        chosen.append(best)
        reached = np.maximum(reached, rows[best])
    return chosen


def _items(sentence: EvidenceSentence, judged: Coverage) -> tuple[Floats, Floats]:
    """Return the probabilities that each item is covered, and that it carries content."""
    items = sentence.grammar.items
    is_covered, carries = np.zeros(len(items)), np.zeros(len(items))
    plain = sentence.plain
    position = 0
    words = iter(judged.words)
    word = next(words, None)
    for place, item in enumerate(items):
        start = plain.find(item.text, position)
        if start < 0:
            continue
        position = start + len(item.text)
        while word is not None and word.end <= start:
            word = next(words, None)
        if word is not None and word.start < position:
            is_covered[place], carries[place] = word.covered, word.carries
    return is_covered, carries
