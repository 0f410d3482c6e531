"""Sentence intersection: what all of some sentences say, in the words of one of them.

Hirsch et al. 2023, §2 and footnote 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import combinations, islice
from math import log

from msgspec import Struct
from msgspec.structs import replace

from tatian.analysis.installed import unavailable
from tatian.errors import EmptyInput
from tatian.text import SourcedToken
from tatian.text.content import concepts_of, is_exact
from tatian.text.documents import Passage, copy_tokens
from tatian.text.layers import glue, render
from tatian.text.lexicon import PRONOUNS, indefinite_article
from tatian.union.metrics.nli import MIN_ENTAILMENT, Judge, entailment_chances, load_judge
from tatian.union.models import Merged, MergeRecord
from tatian.union.models.edit.writing import UnionInput, finish_words, is_balanced
from tatian.union.models.intersection.alignment import add_aligned_sources, align_words
from tatian.union.models.intersection.pruning import clauses, prune
from tatian.union.models.sentences import Parsed, parsed
from tatian.union.relations.alignment import Aligner
from tatian.union.relations.knowledge import Abbreviations
from tatian.union.relations.units import ParsedPassage


def intersection_holds(
    intersection: str, sentences: Sequence[str], *, judge: Judge | None = None
) -> tuple[float, ...]:
    """Return the probability that each sentence entails `intersection`.

    `judge` replaces the shipped model: see ``tatian.union.metrics.nli.load_judge``.
    """
    pairs = [(sentence, intersection) for sentence in sentences]
    return tuple(entailment_chances(pairs, judge or load_judge()))


STRICTNESS = (0.4, 1.0, 3.0)
"""Penalties for an unshared word, relative to the gain of a shared one; one cut for each."""
JUDGED = 14
"""Number of wordings that the entailment model judges."""
UNSHARED_COST = 0.75
"""Penalty of a wording for each unshared word."""
ENTAILMENT_WEIGHT = 2.0
"""Weight of the mean log-probability of entailment, against shared words."""
MIN_CHANCE = 0.1
"""Probability of entailment below which a wording is rejected."""
MIN_SHARED = 0.4
"""Minimum share of shared content words if entailment is doubtful."""
PRONOUN_CREDIT = 0.6
"""Credit of a person's name if the other sentence has a third-person pronoun."""
FULL_NAME_CREDIT = 0.3
"""Credit of a word of a full name if the other sentence has a shorter form."""
MIN_WORDS = 2
"""Minimum number of content words of a sentence."""


class SharedWording(Struct, frozen=True):
    """Candidate wording of what the sentences share."""

    tokens: tuple[SourcedToken, ...]
    base: int
    """Index of the passage that it is cut from."""
    shared: float
    """Number of shared content words; a word that only some sentences have counts in part."""
    unshared: float
    """Number of unshared content words."""
    adds_act: bool = False
    """True if it states an act that some other sentence lacks."""
    chances: tuple[float, ...] = ()
    """Probability that each passage entails the wording."""

    @property
    def text(self) -> str:
        """The wording, as printed."""
        return render(self.tokens)


class Intersected(Struct, frozen=True):
    """The intersection of some passages, with its probabilities."""

    tokens: tuple[SourcedToken, ...]
    """Words of the intersection; empty if the passages share nothing."""
    chances: tuple[float, ...]
    """Probability that each passage entails the intersection."""
    considered: int
    """Number of candidate wordings."""

    @property
    def text(self) -> str:
        """The intersection, as printed."""
        return render(self.tokens)


class Intersection:
    """Model of the intersection, in the words of one of the sentences."""

    def __init__(self, *, judge: Judge | None = None, least: float = MIN_CHANCE) -> None:
        self.judge = judge
        """Judge of entailment; None for the shipped model."""
        self.least = least
        """Minimum probability that every sentence entails the result; 0.5 in the paper."""

    def intersect(self, passages: Sequence[Passage]) -> Intersected:
        """Return the most that all passages entail, whatever their order."""
        if not passages:
            raise EmptyInput("no passages to intersect")
        if not all(passage.text.strip() for passage in passages):
            return Intersected((), tuple(0.0 for _ in passages), 0)
        if len({" ".join(passage.text.lower().split()) for passage in passages}) == 1:
            return Intersected(copy_tokens(passages[0]), tuple(1.0 for _ in passages), 1)
        candidates = find_wordings(passages)
        if not unavailable() or self.judge is not None:
            asked = sorted(candidates, key=_score_words, reverse=True)[:JUDGED]
            pairs = [(passage.text, wording.text) for wording in asked for passage in passages]
            chances = iter(entailment_chances(pairs, self.judge or load_judge()))
            candidates = [replace(w, chances=tuple(islice(chances, len(passages)))) for w in asked]
        fit = [wording for wording in candidates if _is_fit(wording, self.least)]
        if not fit:
            return Intersected((), tuple(0.0 for _ in passages), len(candidates))
        familiar = [wording for wording in fit if not wording.adds_act]
        best = max(familiar or fit, key=score_wording)
        return Intersected(best.tokens, best.chances, len(candidates))

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Return the intersection as a merger's result, without sentences if nothing is shared."""
        shared = self.intersect(passages)
        outcome = MergeRecord("intersection", shared.considered, (), shared.chances)
        if not shared.tokens:
            return Merged((), record=outcome)
        return Merged((shared.tokens,), record=outcome)


def find_wordings(passages: Sequence[Passage]) -> list[SharedWording]:
    """Return every sentence whole and cut down in several ways, without duplicates."""
    sentences = [parsed(passage) for passage in passages]
    if any(sentence is None for sentence in sentences):
        return list(_copy_sentences(passages))
    trees = [sentence for sentence in sentences if sentence is not None]
    same = find_same(passages)
    by_text: dict[str, SharedWording] = {}
    for base in range(len(trees)):
        for wording in _cut_sentence(base, trees, same):
            by_text.setdefault(wording.text.lower(), wording)
    return list(by_text.values())


def _copy_sentences(passages: Sequence[Passage]) -> Iterator[SharedWording]:
    """Yield the sentences unchanged, for lack of parses."""
    concepts = [[c for c in concepts_of(p.document, p.span) if c is not None] for p in passages]
    for base, passage in enumerate(passages):
        others = [set(words) for index, words in enumerate(concepts) if index != base]
        shares = [sum(w in words for words in others) / len(others) for w in concepts[base]]
        shared = sum(shares)
        yield SharedWording(copy_tokens(passage), base, shared, len(shares) - shared)


Paraphrases = dict[tuple[int, int], frozenset[int]]
"""For two passages by index, the words of the first whose meaning the second has."""


def find_same(passages: Sequence[Passage]) -> Paraphrases:
    """Find words of each passage that another entails in other words: "fired" for "dismissed"."""
    readings = [ParsedPassage(passage) for passage in passages]
    paraphrases: Paraphrases = {}
    for first, other in combinations(range(len(readings)), 2):
        matches = Aligner(readings[first], readings[other], Abbreviations()).align()
        judged = [match for match in matches if match.evidence is not None]
        paraphrases[first, other] = frozenset(
            match.first.head for match in judged if match.verdict.kind in ("equivalent", "entailed")
        )
        paraphrases[other, first] = frozenset(
            match.second.head for match in judged if match.verdict.kind in ("equivalent", "entails")
        )
    return paraphrases


def _cut_sentence(
    base: int, sentences: Sequence[Parsed], same: Paraphrases
) -> Iterator[SharedWording]:
    sentence = sentences[base]
    others = [other for index, other in enumerate(sentences) if index != base]
    shares = _shared_credit(
        sentence, others, [same[base, n] for n in range(len(sentences)) if n != base]
    )
    backing = [align_words(other, sentence) for other in others]
    worths = [
        [share - strict * (1 - share) if share is not None else 0.0 for share in shares]
        for strict in STRICTNESS
    ]
    kept = {frozenset(range(len(sentence)))}
    for clause in clauses(sentence):
        kept |= {frozenset(prune(sentence, clause, score_wording)) for score_wording in worths}
    kept |= {short for places in kept if (short := _shorten_names(sentence, places, shares))}
    for places in sorted(kept, key=sorted):
        tokens = write_words(sentence, places)
        values = [share for place in places if (share := shares[place]) is not None]
        if tokens is None or len(values) < MIN_WORDS:
            continue
        for alignment in backing:
            tokens = add_aligned_sources(tokens, alignment)
        adds_act = any(
            (share := shares[place]) is not None and share < 1 and sentence.predicate(place)
            for place in places
        )
        yield SharedWording(tokens, base, sum(values), len(values) - sum(values), adds_act)


def _shared_credit(
    sentence: Parsed, others: Sequence[Parsed], paraphrases: Sequence[frozenset[int]]
) -> list[float | None]:
    """Return the share of the others that have each content word; None for other words."""
    counts = [0.0] * len(sentence)
    for other, entailed in zip(others, paraphrases, strict=True):
        alignment = align_words(sentence, other)
        spoken = {PRONOUNS[word].person for word in other.lower if word in PRONOUNS}
        for place in range(len(sentence)):
            if place in alignment.named and place not in alignment.to_base:
                counts[place] += FULL_NAME_CREDIT
            elif not alignment.is_new(place) or place in entailed:
                counts[place] += 1
            elif 3 in spoken and _is_name(sentence, place):
                counts[place] += PRONOUN_CREDIT
    return [
        count / len(others) if content else None
        for count, content in zip(counts, sentence.content, strict=True)
    ]


def _is_name(sentence: Parsed, place: int) -> bool:
    name = sentence.name_at(place)
    return name is not None and name[2] == "PER" and is_exact(sentence.tokens[place].text)


def _shorten_names(
    sentence: Parsed, places: frozenset[int], shares: Sequence[float | None]
) -> frozenset[int] | None:
    """Shorten people's names to the part that all sentences use; None if nothing changes."""
    omitted = {
        place
        for start, end, kind in sentence.names
        if kind == "PER" and any(shares[place] == 1.0 for place in range(start, end))
        for place in range(start, end)
        if place in places and (share := shares[place]) is not None and share < 1.0
    }
    return places - omitted if omitted else None


def _score_words(wording: SharedWording) -> float:
    return wording.shared - UNSHARED_COST * wording.unshared


def score_wording(wording: SharedWording) -> float:
    """Score a wording: shared words, minus unshared ones, plus the evidence of entailment."""
    doubts = [log(max(chance, 1e-4)) for chance in wording.chances]
    return _score_words(wording) + ENTAILMENT_WEIGHT * sum(doubts) / max(1, len(doubts))


def _is_fit(wording: SharedWording, least: float) -> bool:
    """Return True if a wording may be used; without a judge, only if all its words are shared.

    If entailment is doubtful, all sentences must state every act and share enough words.
    """
    if wording.shared <= 0:
        return False
    if not wording.chances:
        return wording.unshared == 0
    chance = min(wording.chances)
    together = wording.shared >= MIN_SHARED * (wording.shared + wording.unshared)
    doubtful = chance >= least and together and not wording.adds_act
    return chance >= max(least, MIN_ENTAILMENT) or doubtful


_COMMA = ","
_SET_OFF = frozenset(("appos", "acl", "advcl", "parataxis"))
_PAUSES = frozenset((",", ";", ":", "-", "--", "–", "—"))


def write_words(sentence: Parsed, kept: Set[int]) -> tuple[SourcedToken, ...] | None:
    """Write the kept words as a sentence; None if that breaks a quotation or bracket."""
    if any(
        before.quoted and after.quoted and (place in kept) != (place + 1 in kept)
        for place, (before, after) in enumerate(
            zip(sentence.tokens, sentence.tokens[1:], strict=False)
        )
    ):
        return None
    words = {place for place in kept if sentence.lower[place] not in _PAUSES}
    copied: list[SourcedToken] = []
    last = -1
    for place in sorted(words | _find_pauses(sentence, words)):
        token = _lower_opening(sentence, place) if copied and place == 0 else sentence.tokens[place]
        if place != last + 1 and sentence.lower[place] not in _PAUSES | {".", ")", "'s", "’s"}:
            token = replace(token, space=True)
            if copied and copied[-1].text.lower() in {"a", "an"} and not copied[-1].quoted:
                copied[-1] = _fit_article(copied[-1], token.text)
        copied.append(token)
        last = place
    copied = _restore_and(sentence, copied, words)
    if sentence.tokens[-1].quoted and copied and not copied[-1].quoted:
        copied.append(glue(".", space=False))
    tokens = finish_words(copied, [UnionInput(sentence.tokens)])
    return tokens if tokens and is_balanced(tokens) else None


def _find_pauses(sentence: Parsed, kept: Set[int]) -> set[int]:
    """Return the pauses that are still needed."""
    marks = set()
    for place in range(len(sentence)):
        if sentence.lower[place] in _PAUSES:
            before = _find_neighbour(sentence, place, -1)
            after = _find_neighbour(sentence, place, 1)
            if (before in kept and after in kept) or sentence.lower[place] == ";":
                marks.add(place)
    for node in kept:
        start, end = sentence.extent(node)
        relation = sentence.relations[node]
        comma = start > 0 and sentence.lower[start - 1] == _COMMA
        if comma and relation == "conj" and not sentence.under(node, "cc"):
            marks.add(start - 1)
        closed = end < sentence.end and sentence.lower[end] == _COMMA
        if comma and closed and relation in _SET_OFF and start - 1 in marks:
            marks.add(end)
    return marks


def _find_neighbour(sentence: Parsed, place: int, step: int) -> int:
    """Return the nearest place on one side that is no pause mark, or -1."""
    place += step
    while 0 <= place < len(sentence):
        if sentence.lower[place] not in _PAUSES:
            return place
        place += step
    return -1


def _restore_and(
    sentence: Parsed, tokens: list[SourcedToken], kept: Set[int]
) -> list[SourcedToken]:
    """Restore the "and" of "A, B and C" if C is dropped."""
    for head in sorted(kept):
        mates = sentence.under(head, "conj")
        stayed = [mate for mate in mates if mate in kept]
        if not stayed or len(stayed) == len(mates) or sentence.under(stayed[-1], "cc"):
            continue
        links = [c for mate in mates for c in sentence.under(mate, "cc")]
        start = sentence.extent(stayed[-1])[0]
        first = sentence.tokens[start]
        at = next((i for i, t in enumerate(tokens) if t.sources == first.sources), None)
        if at is None or not links:
            continue
        if at and tokens[at - 1].text == _COMMA:
            del tokens[at - 1]
            at -= 1
        tokens.insert(at, glue(sentence.lower[links[-1]]))
    return tokens


def _lower_opening(sentence: Parsed, place: int) -> SourcedToken:
    """Return a word without the capital of a sentence start."""
    token = sentence.tokens[place]
    text = token.text
    if token.quoted or not text[:1].isupper() or text[1:] != text[1:].lower() or text == "I":
        return token
    word = sentence.words[place]
    if word.tag == "PROPN" or word.fine in {"NNP", "NNPS"} or sentence.name_at(place):
        return token
    if word.tag == "ADJ" and word.lemma[:1].isupper():
        return token
    return replace(token, text=text[0].lower() + text[1:])


def _fit_article(token: SourcedToken, following: str) -> SourcedToken:
    """Return "a" or "an", as the following word requires."""
    wanted = indefinite_article(following)
    if wanted == token.text.lower():
        return token
    text = wanted.capitalize() if token.text[0].isupper() else wanted
    sources = tuple(replace(source, kind="inflected") for source in token.sources)
    return replace(token, text=text, sources=sources)
