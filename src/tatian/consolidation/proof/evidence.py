"""What the accounts have for a sentence: the nearest passages, and what models make of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.entailment import Entailment, entails_all
from tatian.analysis.telling import Told, told
from tatian.consolidation.proof.grammar import Grammar, Item
from tatian.pipeline import CrossChain
from tatian.progress import Progress, silent
from tatian.text import Document, Sentence
from tatian.text.lexicon import PRONOUNS

Floats = npt.NDArray[np.float64]

SHORTLIST = 5
"""Passages that a sentence is held against one by one."""
TOGETHER = 3
"""Passages that are read as one."""
_BESIDE, _NOWHERE = 0.6, 0.1
"""How far a word counts as told that only a neighbour of a passage has, or none."""
_ASKED = 3
"""Passages that are asked whether they entail the sentence."""
_SMALL = 3
"""Words that tell something from which on a clause is proved on its own."""


class Passage(Struct, frozen=True):
    """A sentence of an account."""

    document: int
    sentence: Sentence
    grammar: Grammar
    text: str
    """As it stands, but with a name for the first pronoun that stands for one."""
    source: str = ""
    """The whole document's text."""
    beside: frozenset[str] = frozenset()
    """What the sentences before and after it speak of."""
    about: frozenset[str] = frozenset()
    """Whom they mention."""


class Clause(Struct, frozen=True):
    """One of several things that a sentence tells."""

    head: int
    text: str
    entailed: float
    """How likely the best passage says it."""
    denied: float
    """How likely the passage nearest to it says otherwise."""


class Evidence(Struct, frozen=True):
    """All that was found for one sentence of a text."""

    grammar: Grammar
    passages: tuple[Passage, ...]
    """The nearest ones, best first."""
    likeness: tuple[float, ...]
    told: Floats
    """For each passage and item of the sentence, how likely the passage tells it."""
    joint: Floats
    """The same for the few that together tell most."""
    carries: Floats
    """For each item how much it carries."""
    whole: Told
    """What those few tell of the sentence."""
    shares: tuple[float, ...]
    """How much of the sentence each passage tells."""
    single: tuple[Entailment, ...]
    """Of those that tell most, the best first."""
    together: Entailment
    chosen: tuple[int, ...]
    """Which passages those few are."""
    clauses: tuple[Clause, ...]


def passages(
    documents: Sequence[Document], chains: Sequence[CrossChain]
) -> tuple[list[list[Passage]], list[dict[int, frozenset[str]]]]:
    """The sentences of each document, and which chains a word is the head of a mention of."""
    heads: list[dict[int, set[str]]] = [{} for _ in documents]
    names: list[dict[int, str]] = [{} for _ in documents]
    number = {document.id: place for place, document in enumerate(documents)}
    for chain in chains:
        for document, mention in chain.mentions():
            place = number[document]
            start, text = (mention.head or mention).start, documents[place].text
            heads[place].setdefault(start, set()).add(chain.id)
            for token in documents[place].tokens_in(mention.head or mention):
                heads[place].setdefault(token.start, set()).add(chain.id)
            if chain.type == "PER" and mention.of(text).lower() in PRONOUNS:
                names[place][mention.start] = chain.name
    entities = [{at: frozenset(ids) for at, ids in one.items()} for one in heads]
    found = []
    for place, one in enumerate(documents):
        kept = [sentence for sentence in one.sentences if one.tokens_in(sentence)]
        read = [Grammar(one, sentence, entities[place]) for sentence in kept]
        found.append(
            [
                Passage(
                    place,
                    sentence,
                    read[number],
                    _plain(one, sentence, names[place]),
                    one.text,
                    frozenset().union(*(near.said for near in _around(read, number))),
                    frozenset().union(*(near.entities for near in _around(read, number))),
                )
                for number, sentence in enumerate(kept)
            ]
        )
    return found, entities


def _around(read: Sequence[Grammar], number: int) -> list[Grammar]:
    return [*read[max(0, number - 1) : number], *read[number + 1 : number + 2]]


def _plain(document: Document, sentence: Sentence, names: Mapping[int, str]) -> str:
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
    sentences: Sequence[Passage],
    known: Sequence[Passage],
    near: Floats,
    progress: Progress = silent,
) -> list[Evidence]:
    """The evidence for each sentence of a text among the passages of the accounts.

    `near` says how alike in meaning sentences (rows) and passages are.
    """
    progress("proving sentences", 0, 3)
    listed = _shortlists(sentences, known, near)
    pairs = [
        (one.text, known[n].text) for one, some in zip(sentences, listed, strict=True) for n in some
    ]
    judged = iter(told(pairs))
    drafts = []
    for one, some in zip(sentences, listed, strict=True):
        drafts.append(_Draft(one, [known[n] for n in some], [next(judged) for _ in some]))
    progress("proving sentences", 1, 3)
    wholes = told([(draft.sentence.text, draft.joined) for draft in drafts])
    progress("proving sentences", 2, 3)
    found = iter(list(entails_all(pair for draft in drafts for pair in draft.pairs())))
    evidence = [
        draft.evidence(whole, near[place][listed[place]].tolist(), found)
        for place, (draft, whole) in enumerate(zip(drafts, wholes, strict=True))
    ]
    progress("proving sentences", 3, 3)
    return evidence


def _shortlists(
    sentences: Sequence[Passage], known: Sequence[Passage], near: Floats
) -> list[list[int]]:
    """The nearest passages in words and meaning, and two that have words which those lack."""
    counts = Counter(said for one in known for said in one.grammar.said)
    rare = {said: log(1 + len(known) / count) for said, count in counts.items()}
    found = []
    for place, sentence in enumerate(sentences):
        said = sentence.grammar.said
        total = sum(rare.get(one, 3.0) for one in said) or 1.0
        score = [
            sum(rare[one] for one in said & passage.grammar.said) / total + max(0.0, cosine)
            for passage, cosine in zip(known, near[place].tolist(), strict=True)
        ]
        ranked = sorted(range(len(known)), key=lambda n: (-score[n], n))
        listed, rest = ranked[: SHORTLIST - 2], ranked[SHORTLIST - 2 :]
        for _ in range(min(2, len(rest))):
            missing = said.difference(*(known[n].grammar.said for n in listed))
            gain = {n: sum(rare[one] for one in missing & known[n].grammar.said) for n in rest}
            best = max(rest, key=lambda n: (gain[n], score[n], -n))
            rest.remove(best)
            listed.append(best)
        found.append(listed)
    return found


class _Draft:
    """What is known of a sentence before entailment is asked for."""

    def __init__(self, sentence: Passage, best: list[Passage], judged: list[Told]) -> None:
        self.sentence, self.best, self.judged = sentence, best, judged
        read = [_items(sentence, one) for one in judged]
        held = np.array([_held(sentence.grammar, one) for one in best])
        self.rows = np.array([row for row, _ in read]) * held
        self.held = held
        self.carries: Floats = np.mean([row for _, row in read], axis=0)
        self.chosen = _chosen(self.rows, self.carries)
        inorder = sorted(self.chosen, key=lambda n: (best[n].document, best[n].sentence.start))
        self.joined = " ".join(best[n].text for n in inorder)
        ranked = sorted(range(len(best)), key=lambda n: -judged[n].share)
        self.asked = ranked[:_ASKED]
        self.clauses = _clause_texts(sentence)
        self.closest = {
            head: int((self.rows[:, places] @ self.carries[places]).argmax())
            for head, (_, places) in self.clauses.items()
        }

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Premises and hypotheses, in the order in which `evidence` takes the answers."""
        for n in self.asked:
            yield self.best[n].text, self.sentence.text
        yield self.joined, self.sentence.text
        for head, (text, _) in self.clauses.items():
            yield self.best[self.closest[head]].text, text
            yield self.joined, text

    def evidence(
        self, whole: Told, likeness: Sequence[float], found: Iterator[Entailment]
    ) -> Evidence:
        """All of it."""
        single = tuple(next(found) for _ in self.asked)
        together = next(found)
        clauses = []
        for head, (text, _) in self.clauses.items():
            alone, joint = next(found), next(found)
            entailed = max(alone.entailment, joint.entailment)
            clauses.append(Clause(head, text, entailed, alone.contradiction))
        return Evidence(
            self.sentence.grammar,
            tuple(self.best),
            tuple(likeness),
            self.rows,
            _items(self.sentence, whole)[0] * self.held[self.chosen].max(0),
            self.carries,
            whole,
            tuple(one.share for one in self.judged),
            single,
            together,
            tuple(self.chosen),
            tuple(clauses),
        )


def _held(grammar: Grammar, passage: Passage) -> Floats:
    """For each word 1, but little for a name or number that a passage does not have."""
    row = np.ones(len(grammar.items))
    for place, item in enumerate(grammar.items):
        if grammar.is_exact(place):
            row[place] = presence(item, passage)
    return row


def presence(item: Item, passage: Passage) -> float:
    """1 where a passage speaks of the same, less where only those beside it do."""
    near = passage.grammar
    if item.concepts & near.said or item.entities & near.entities:
        return 1.0
    beside = item.concepts & passage.beside or item.entities & passage.about
    return _BESIDE if beside or (near.is_own and item.tag == "PROPN") else _NOWHERE


def _chosen(rows: Floats, carries: Floats) -> list[int]:
    """The few passages that together tell most, one after the other."""
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


def _items(sentence: Passage, judged: Told) -> tuple[Floats, Floats]:
    """Of each item of a sentence, how likely it is told, and how likely it carries anything."""
    items = sentence.grammar.items
    is_told, carries = np.zeros(len(items)), np.zeros(len(items))
    plain = sentence.text
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
            is_told[place], carries[place] = word.told, word.carries
    return is_told, carries


def _clause_texts(sentence: Passage) -> dict[int, tuple[str, list[int]]]:
    """The clauses of a sentence that tell something on their own, each with its subject."""
    grammar = sentence.grammar
    large = {
        head: places
        for head, places in grammar.clauses.items()
        if sum(bool(grammar.items[place].concepts) for place in places) >= _SMALL
    }
    if len(large) < 2:
        return {}
    found = {}
    for head, places in large.items():
        words = [grammar.items[place].text for place in places]
        subject = grammar.subject(head)
        if subject is not None and subject[0] not in places:
            words = [grammar.items[place].text for place in grammar.phrase(subject[0])] + words
        found[head] = (" ".join(words), places)
    return found
