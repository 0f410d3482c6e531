"""Evidence for a sentence: its nearest source passages, and how well each of them covers it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

import numpy as np
import numpy.typing as npt
from msgspec import Struct

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
"""Passages that a sentence is compared with one by one: the nearest, and at most so many more with
words that those lack, one for each statement."""
MAX_JOINT_PASSAGES = 3
"""Maximum number of passages that are read together as one text."""
_MIN_GAIN = 0.15
"""Minimum weight of words that a further one of them must add."""
_MIN_RENAMED_COVERAGE = 0.9
"""Minimum coverage, 0 to 1, of a day that a passage names differently."""
_NEIGHBOUR, _NOWHERE = 0.6, 0.1
"""Coverage factors of a word that only a passage's neighbour has, and of one that none has."""


class EvidenceSentence(Struct, frozen=True):
    """Sentence of the text or of a source."""

    document: int
    sentence: Sentence
    grammar: Grammar
    text: str
    """Its text, with a name for the first pronoun that stands for one."""
    document_text: str
    """Text of the whole document."""
    neighbour_concepts: frozenset[str] = frozenset()
    """Concepts of the sentences before and after it."""
    neighbour_entities: frozenset[str] = frozenset()
    """Chains that those sentences mention."""
    claims: tuple[PlacedClaim, ...] = ()
    """Its figures, times and names."""

    @property
    def original(self) -> str:
        """Its text, unchanged but for white space."""
        return " ".join(self.sentence.of(self.document_text).split())


class Evidence(Struct, frozen=True):
    """Evidence for one sentence of a text."""

    grammar: Grammar
    numbers: tuple[int, ...]
    """Numbers of the nearest passages among all, best first."""
    passages: tuple[EvidenceSentence, ...]
    covered: Floats
    """Probability that a passage covers an item of the sentence, for each passage and item."""
    weights: Floats
    """Weight of each item."""
    shares: tuple[float, ...]
    """Share of the sentence that each passage covers."""
    chosen: tuple[int, ...]
    """Passages among them that cover most together."""
    joint_coverage: Floats
    """Probability that those few, read as one, cover each item."""
    joint_share: float
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
    """Return the sentences of each document, and its mentions' chains by the start of their words.

    Claims are needed only if `gather` reads passages as one.
    """
    documents = [add_day(read_spans(n, document)).document for n, document in enumerate(documents)]
    chains_at: list[dict[int, set[str]]] = [{} for _ in documents]
    names_at: list[dict[int, str]] = [{} for _ in documents]
    number_of = {document.id: number for number, document in enumerate(documents)}
    for chain in chains:
        for document_id, mention in chain.mentions():
            number = number_of[document_id]
            head, text = mention.head or mention, documents[number].text
            chains_at[number].setdefault(head.start, set()).add(chain.id)
            for token in documents[number].tokens_in(head):
                chains_at[number].setdefault(token.start, set()).add(chain.id)
            if chain.type == "PER" and mention.of(text).lower() in PRONOUNS:
                names_at[number][mention.start] = chain.name
    entities = [{at: frozenset(ids) for at, ids in by_start.items()} for by_start in chains_at]
    passages: list[list[EvidenceSentence]] = []
    for number, document in enumerate(documents):
        sentences = [sentence for sentence in document.sentences if document.tokens_in(sentence)]
        grammars = [Grammar(document, sentence, entities[number]) for sentence in sentences]
        reader = ClaimReader(document) if with_claims else None
        passages.append([])
        for n, sentence in enumerate(sentences):
            neighbours = [*grammars[max(0, n - 1) : n], *grammars[n + 1 : n + 2]]
            passages[-1].append(
                EvidenceSentence(
                    number,
                    sentence,
                    grammars[n],
                    _with_names(document, sentence, names_at[number]),
                    document.text,
                    frozenset().union(*(neighbour.concepts for neighbour in neighbours)),
                    frozenset().union(*(neighbour.entities for neighbour in neighbours)),
                    place_claims(reader, sentence) if reader else (),
                )
            )
    return passages, entities


def _with_names(document: Document, sentence: Sentence, names: Mapping[int, str]) -> str:
    text = sentence.of(document.text)
    for token in document.tokens_in(sentence):
        name = names.get(token.start)
        pronoun = PRONOUNS.get(token.text.lower())
        if name is None or pronoun is None or pronoun.person != 3 or pronoun.reflexive:
            continue
        if name.split()[-1] not in text:
            start = token.start - sentence.start
            is_possessive = pronoun.possessive and token.text.lower() != "her"
            replacement = f"{name}'s" if is_possessive else name
            text = text[:start] + replacement + text[start + len(token.text) :]
        break
    return " ".join(text.split())


def gather(
    sentences: Sequence[EvidenceSentence],
    passages: Sequence[EvidenceSentence],
    similarities: Floats,
    progress: Progress = silent,
    *,
    as_one: bool = True,
) -> list[Evidence]:
    """Gather the evidence for each sentence of a text among the passages of the sources.

    `similarities` has a row for each sentence and a column for each passage. With `as_one`, all
    passages of a sentence are also read as one text, for sentences of any writer.
    """
    progress("verifying sentences", 0, 2)
    shortlists = _shortlists(sentences, passages, similarities)
    pairs = [
        (sentence.original, passages[n].text)
        for sentence, numbers in zip(sentences, shortlists, strict=True)
        for n in numbers
    ]
    verdicts_of = dict(zip(pairs, read_coverage(pairs), strict=True))
    progress("verifying sentences", 1, 2)
    joined, drafts = [], []
    for sentence, numbers in zip(sentences, shortlists, strict=True):
        nearest = tuple(passages[n] for n in numbers)
        verdicts = [verdicts_of[sentence.original, evidence.text] for evidence in nearest]
        readings = [_items(sentence, verdict) for verdict in verdicts]
        rows = np.array(
            [
                _limit_exact(sentence.grammar, row, [passage])
                for (row, _), passage in zip(readings, nearest, strict=True)
            ]
        )
        weights: Floats = np.mean([row for _, row in readings], axis=0)
        chosen = tuple(_choose_passages(rows, weights))
        joined.append(" ".join(passages[n].text for n in sorted(numbers[c] for c in chosen)))
        shares = tuple(verdict.share for verdict in verdicts)
        drafts.append((tuple(numbers), nearest, rows, weights, shares, chosen))
    texts = [sentence.original for sentence in sentences]
    joint_pairs = list(zip(texts, joined, strict=True))
    unread = [pair for pair in joint_pairs if pair not in verdicts_of]
    verdicts_of |= zip(unread, read_coverage(unread), strict=True)
    entailments = list(entails_all(zip(joined, texts, strict=True)))
    odds: list[float | None] = [None] * len(texts)
    conflicts: list[Conflicts] = [()] * len(texts)
    if as_one:
        conflicts = _conflicts(sentences, [nearest for _, nearest, *_ in drafts])
        from tatian.analysis.coverage import support

        listings = ([passages[n].text for n in sorted(numbers)] for numbers in shortlists)
        odds = list(support(zip(texts, listings, strict=True)))
    evidence = []
    for n, (sentence, draft, pair) in enumerate(zip(sentences, drafts, joint_pairs, strict=True)):
        nearest, chosen = draft[1], draft[-1]
        joint = verdicts_of[pair]
        covered, _ = _items(sentence, joint)
        covered = _limit_exact(sentence.grammar, covered, [nearest[c] for c in chosen])
        claims = tuple(placed.claim for placed in sentence.claims)
        judged = covered, joint.share, entailments[n], odds[n], conflicts[n], claims
        evidence.append(Evidence(sentence.grammar, *draft, *judged))
    progress("verifying sentences", 2, 2)
    return evidence


Conflicts = tuple[tuple[StatedClaim, int, StatedClaim], ...]


def _conflicts(
    sentences: Sequence[EvidenceSentence], nearest: Sequence[Sequence[EvidenceSentence]]
) -> list[Conflicts]:
    """Return each sentence's claims that a passage excludes and no passage agrees with."""
    rivals = [
        (place, number, claim, other)
        for place, (sentence, passages) in enumerate(zip(sentences, nearest, strict=True))
        for claim in sentence.claims
        if claim.claim.kind not in ("name", "ordinal")
        and not any(agree(claim.claim, other.claim) for p in passages for other in p.claims)
        for number, passage in enumerate(passages)
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
    sentences: Sequence[EvidenceSentence],
    passages: Sequence[EvidenceSentence],
    similarities: Floats,
) -> list[list[int]]:
    """Return the passages nearest in words and meaning, and some with words that those lack."""
    concepts_of = [passage.grammar.concepts for passage in passages]
    counts = Counter(word for words in concepts_of for word in words)
    rarity = {word: log(1 + len(passages) / count) for word, count in counts.items()}
    shortlists = []
    for place, sentence in enumerate(sentences):
        concepts = sentence.grammar.concepts
        total = sum(rarity.get(word, 3.0) for word in concepts) or 1.0
        score = [
            sum(rarity[word] for word in concepts & words) / total + max(0.0, cosine)
            for words, cosine in zip(concepts_of, similarities[place].tolist(), strict=True)
        ]
        ranked = sorted(range(len(passages)), key=lambda n: (-score[n], n))
        shortlist, remaining = ranked[:SHORTLIST], ranked[SHORTLIST:]
        more = min(MORE, max(2, len(sentence.grammar.statements)))
        for _ in range(min(more, len(remaining))):
            missing = concepts.difference(*(concepts_of[n] for n in shortlist))
            gain = {n: sum(rarity[word] for word in missing & concepts_of[n]) for n in remaining}
            best = max(remaining, key=lambda n: (gain[n], score[n], -n))
            remaining.remove(best)
            shortlist.append(best)
        shortlists.append(shortlist)
    return shortlists


def _limit_exact(grammar: Grammar, row: Floats, passages: Sequence[EvidenceSentence]) -> Floats:
    """Limit the coverage of names, numbers and days to those that the passages have.

    A day that they name differently is covered: "yesterday" for "on Tuesday".
    """
    limited = row.copy()
    for place, item in enumerate(grammar.items):
        if grammar.is_exact(place):
            factor = max(presence(item, passage) for passage in passages)
            limited[place] = row[place] * factor
            is_named = any(item.text in passage.text for passage in passages)
            if factor == 1 and is_time(item) and not is_named:
                limited[place] = max(row[place], _MIN_RENAMED_COVERAGE)
    return limited


def presence(item: Item, passage: EvidenceSentence) -> float:
    """Return 1 if a passage mentions an item, less if only its neighbours do."""
    grammar = passage.grammar
    if item.concepts & grammar.concepts or item.entities & grammar.entities:
        return 1.0
    if item.concepts & passage.neighbour_concepts or item.entities & passage.neighbour_entities:
        return _NEIGHBOUR
    return _NEIGHBOUR if grammar.is_first_person and item.tag == "PROPN" else _NOWHERE


def _choose_passages(rows: Floats, weights: Floats) -> list[int]:
    """Choose greedily the few passages that cover most together."""
    chosen: list[int] = []
    reached = np.zeros(rows.shape[1])
    for _ in range(min(MAX_JOINT_PASSAGES, len(rows))):
        gains = np.maximum(rows, reached) @ weights
        best = int(gains.argmax())
        if best in chosen or (chosen and gains[best] - reached @ weights < _MIN_GAIN):
            break
        chosen.append(best)
        reached = np.maximum(reached, rows[best])
    return chosen


def _items(sentence: EvidenceSentence, judged: Coverage) -> tuple[Floats, Floats]:
    """Return the probabilities that each item is covered, and that it carries content."""
    items = sentence.grammar.items
    covered, weights = np.zeros(len(items)), np.zeros(len(items))
    text = sentence.original
    position = 0
    words = iter(judged.words)
    word = next(words, None)
    for place, item in enumerate(items):
        start = text.find(item.text, position)
        if start < 0:
            continue
        position = start + len(item.text)
        while word is not None and word.end <= start:
            word = next(words, None)
        if word is not None and word.start < position:
            covered[place], weights[place] = word.covered, word.carries
    return covered, weights
