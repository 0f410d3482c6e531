"""What all of some sentences say, in the words of one of them: the intersection beside the union.

Hirsch et al. 2023, §2 and footnote 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import combinations
from math import log

from msgspec import Struct
from msgspec.structs import replace

from tatian.analysis.installed import unavailable
from tatian.errors import EmptyInput
from tatian.text import WovenToken
from tatian.text.content import concepts_of, is_telling
from tatian.text.layers import glue, render
from tatian.text.lexicon import PRONOUNS, indefinite_article
from tatian.union.metrics.nli import THRESHOLD, Judge, judge
from tatian.union.models import How, Merged, Passage, copy_tokens
from tatian.union.models.edit.writing import UnionInput, balanced, finished
from tatian.union.models.intersection.alignment import align_words, supported
from tatian.union.models.intersection.pruning import clauses, prune
from tatian.union.models.sentences import Parsed, parsed
from tatian.union.relations.alignment import Aligner
from tatian.union.relations.knowledge import Abbreviations
from tatian.union.relations.units import Chunked


def intersection_holds(
    intersection: str, sentences: Sequence[str], *, by: Judge | None = None
) -> tuple[float, ...]:
    """For each sentence, the probability that it entails `intersection`.

    `by` judges in the place of the shipped model: see ``tatian.union.metrics.judge``.
    """
    return probabilities([intersection], sentences, by or judge())[0]


def probabilities(
    wordings: Iterable[str], sentences: Sequence[str], by: Judge
) -> list[tuple[float, ...]]:
    """As `intersection_holds` for several wordings, none of which is judged twice."""
    asked = list(wordings)
    pairs = dict.fromkeys(
        (sentence, wording)
        for wording in asked
        for sentence in sentences
        if sentence != wording and wording
    )
    known = dict(zip(pairs, (found.entailment for found in by(pairs)), strict=True))
    return [
        tuple(known.get((sentence, wording), 1.0) for sentence in sentences) for wording in asked
    ]


STRICTNESS = (0.4, 1.0, 3.0)
"""What a word that not all sentences have may cost, against one that they have."""
JUDGED = 14
"""Wordings that the entailment model is asked about."""
ALONE = 0.75
"""What a word that is not shared costs a wording."""
TRUST = 2.0
"""What the chance that a sentence entails a wording counts, against shared words."""
LEAST = 0.1
"""The chance below which a sentence is taken not to entail a wording at all."""
SHARE = 0.4
"""Where entailment is doubtful, the share of its content words that the sentences must share."""
REFERRED = 0.6
"""How far a pronoun in the other sentence answers to a name."""
IN_FULL = 0.3
"""How far a shorter name in the other sentence answers to a word of the full one."""
SHORTEST = 2
"""Content words of a sentence."""


class SharedWording(Struct, frozen=True):
    """One way to say what the sentences share."""

    tokens: tuple[WovenToken, ...]
    base: int
    """The passage that it is cut from."""
    shared: float
    """Content words that the other sentences have; a word that only some have counts in part."""
    alone: float
    """Content words that they do not have."""
    strange: bool = False
    """Whether it tells an act that some other sentence does not tell."""
    chances: tuple[float, ...] = ()
    """For each passage, the probability that it entails the wording."""

    @property
    def text(self) -> str:
        """As it would be printed."""
        return render(self.tokens)


class Intersected(Struct, frozen=True):
    """The intersection of some passages and how it was found."""

    tokens: tuple[WovenToken, ...]
    """Empty where they have nothing in common."""
    chances: tuple[float, ...]
    """For each passage, the probability that it entails the intersection."""
    considered: int
    """How many wordings were weighed."""

    @property
    def text(self) -> str:
        """As it would be printed."""
        return render(self.tokens)


class Intersection:
    """Says what all of some sentences say, in the words of one of them."""

    def __init__(self, *, by: Judge | None = None, least: float = LEAST) -> None:
        self.by = by
        """Judges entailment; the shipped model where none is given."""
        self.least = least
        """How likely every sentence must entail what is said; the paper's threshold is 0.5."""

    def intersect(self, passages: Sequence[Passage]) -> Intersected:
        """The most that all passages entail, taken at once, so that no order decides."""
        if not passages:
            raise EmptyInput("no passages to intersect")
        if not all(passage.text.strip() for passage in passages):
            return Intersected((), tuple(0.0 for _ in passages), 0)
        if len({" ".join(passage.text.lower().split()) for passage in passages}) == 1:
            return Intersected(copy_tokens(passages[0]), tuple(1.0 for _ in passages), 1)
        found = wordings(passages)
        if not unavailable() or self.by is not None:
            asked = sorted(found, key=_promise, reverse=True)[:JUDGED]
            sentences = [passage.text for passage in passages]
            chances = probabilities([w.text for w in asked], sentences, self.by or judge())
            found = [replace(w, chances=c) for w, c in zip(asked, chances, strict=True)]
        fit = [wording for wording in found if _is_fit(wording, self.least)]
        if not fit:
            return Intersected((), tuple(0.0 for _ in passages), len(found))
        known = [wording for wording in fit if not wording.strange]
        best = max(known or fit, key=worth)
        return Intersected(best.tokens, best.chances, len(found))

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """The same in the form that mergers give, no sentence where nothing is shared."""
        found = self.intersect(passages)
        how = How("intersection", found.considered, (), found.chances)
        if not found.tokens:
            return Merged((), how=how)
        return Merged((found.tokens,), how=how)


def wordings(passages: Sequence[Passage]) -> list[SharedWording]:
    """Every sentence whole, and cut down in several ways; no wording twice."""
    sentences = [parsed(passage) for passage in passages]
    if any(sentence is None for sentence in sentences):
        return list(_whole(passages))
    trees = [sentence for sentence in sentences if sentence is not None]
    meant = same_meaning(passages)
    found: dict[str, SharedWording] = {}
    for base in range(len(trees)):
        for wording in _cut(base, trees, meant):
            found.setdefault(wording.text.lower(), wording)
    return list(found.values())


def _whole(passages: Sequence[Passage]) -> Iterator[SharedWording]:
    """Without trees: the sentences as they are."""
    said = [[c for c in concepts_of(p.document, p.span) if c is not None] for p in passages]
    for base, passage in enumerate(passages):
        others = [set(words) for index, words in enumerate(said) if index != base]
        shares = [sum(w in words for words in others) / len(others) for w in said[base]]
        shared = sum(shares)
        yield SharedWording(copy_tokens(passage), base, shared, len(shares) - shared)


Meant = dict[tuple[int, int], frozenset[int]]
"""For two passages by index, the places of the first's words whose meaning the second has."""


def same_meaning(passages: Sequence[Passage]) -> Meant:
    """Words of each passage that another entails in other words: "fired" for "dismissed"."""
    readings = [Chunked(passage) for passage in passages]
    found: Meant = {}
    for one, other in combinations(range(len(readings)), 2):
        matches = Aligner(readings[one], readings[other], Abbreviations()).align()
        told = [match for match in matches if match.evidence is not None]
        found[one, other] = frozenset(
            match.first.head for match in told if match.verdict.kind in ("equivalent", "entailed")
        )
        found[other, one] = frozenset(
            match.second.head for match in told if match.verdict.kind in ("equivalent", "entails")
        )
    return found


def _cut(base: int, sentences: Sequence[Parsed], meant: Meant) -> Iterator[SharedWording]:
    sentence = sentences[base]
    others = [other for index, other in enumerate(sentences) if index != base]
    shares = _shares(sentence, others, [meant[base, n] for n in range(len(sentences)) if n != base])
    backing = [align_words(other, sentence) for other in others]
    worths = [
        [share - strict * (1 - share) if share is not None else 0.0 for share in shares]
        for strict in STRICTNESS
    ]
    kept = {frozenset(range(len(sentence)))}
    for clause in clauses(sentence):
        kept |= {frozenset(prune(sentence, clause, worth)) for worth in worths}
    kept |= {short for places in kept if (short := _short_names(sentence, places, shares))}
    for places in sorted(kept, key=sorted):
        tokens = written(sentence, places)
        told = [share for place in places if (share := shares[place]) is not None]
        if tokens is None or len(told) < SHORTEST:
            continue
        for alignment in backing:
            tokens = supported(tokens, alignment)
        strange = any(
            (share := shares[place]) is not None and share < 1 and sentence.predicate(place)
            for place in places
        )
        yield SharedWording(tokens, base, sum(told), len(told) - sum(told), strange)


def _shares(
    sentence: Parsed, others: Sequence[Parsed], meant: Sequence[frozenset[int]]
) -> list[float | None]:
    """For each content word, how many of the others have it, as a fraction; None for the rest."""
    counts = [0.0] * len(sentence)
    for other, entailed in zip(others, meant, strict=True):
        alignment = align_words(sentence, other)
        spoken = {PRONOUNS[word].person for word in other.lower if word in PRONOUNS}
        for place in range(len(sentence)):
            if place in alignment.named and place not in alignment.to_base:
                counts[place] += IN_FULL
            elif not alignment.new(place) or place in entailed:
                counts[place] += 1
            elif 3 in spoken and _is_name(sentence, place):
                counts[place] += REFERRED
    return [
        count / len(others) if content else None
        for count, content in zip(counts, sentence.content, strict=True)
    ]


def _is_name(sentence: Parsed, place: int) -> bool:
    name = sentence.name_at(place)
    return name is not None and name[2] == "PER" and is_telling(sentence.tokens[place].text)


def _short_names(
    sentence: Parsed, places: frozenset[int], shares: Sequence[float | None]
) -> frozenset[int] | None:
    """People by the part of their names that all sentences use."""
    gone = {
        place
        for start, end, kind in sentence.names
        if kind == "PER" and any(shares[place] == 1.0 for place in range(start, end))
        for place in range(start, end)
        if place in places and (share := shares[place]) is not None and share < 1.0
    }
    return places - gone if gone else None


def _promise(wording: SharedWording) -> float:
    return wording.shared - ALONE * wording.alone


def worth(wording: SharedWording) -> float:
    """How much a wording keeps of what is shared, less what is not, and whether it follows."""
    doubts = [log(max(chance, 1e-4)) for chance in wording.chances]
    return _promise(wording) + TRUST * sum(doubts) / max(1, len(doubts))


def _is_fit(wording: SharedWording, least: float) -> bool:
    """Whether it may be said; where nobody judged it, only if every word is shared.

    Where the judge doubts, every act must be told by all, and enough of the words be shared.
    """
    if wording.shared <= 0:
        return False
    if not wording.chances:
        return wording.alone == 0
    chance = min(wording.chances)
    together = wording.shared >= SHARE * (wording.shared + wording.alone)
    doubtful = chance >= least and together and not wording.strange
    return chance >= max(least, THRESHOLD) or doubtful


_COMMA = ","
_SET_OFF = frozenset(("appos", "acl", "advcl", "parataxis"))
_BARE = frozenset((",", ";", ":", "-", "--", "–", "—"))


def written(sentence: Parsed, kept: Set[int]) -> tuple[WovenToken, ...] | None:
    """The words at these places as a sentence; None where a quotation or bracket would break."""
    if any(
        before.quoted and after.quoted and (place in kept) != (place + 1 in kept)
        for place, (before, after) in enumerate(
            zip(sentence.tokens, sentence.tokens[1:], strict=False)
        )
    ):
        return None
    words = {place for place in kept if sentence.lower[place] not in _BARE}
    told: list[WovenToken] = []
    last = -1
    for place in sorted(words | _marks(sentence, words)):
        token = _lowered(sentence, place) if told and place == 0 else sentence.tokens[place]
        if place != last + 1 and sentence.lower[place] not in _BARE | {".", ")", "'s", "’s"}:
            token = replace(token, space=True)
            if told and told[-1].text.lower() in {"a", "an"} and not told[-1].quoted:
                told[-1] = _article(told[-1], token.text)
        told.append(token)
        last = place
    told = _joined(sentence, told, words)
    if sentence.tokens[-1].quoted and told and not told[-1].quoted:
        told.append(glue(".", space=False))
    tokens = finished(told, [UnionInput(sentence.tokens)])
    return tokens if tokens and balanced(tokens) else None


def _marks(sentence: Parsed, kept: Set[int]) -> set[int]:
    """Pauses that are still needed."""
    marks = set()
    for place in range(len(sentence)):
        if sentence.lower[place] in _BARE:
            before = _neighbour(sentence, place, -1)
            after = _neighbour(sentence, place, 1)
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


def _neighbour(sentence: Parsed, place: int, step: int) -> int:
    """The next place on one side that is no mark; -1 where there is none."""
    place += step
    while 0 <= place < len(sentence):
        if sentence.lower[place] not in _BARE:
            return place
        place += step
    return -1


def _joined(sentence: Parsed, told: list[WovenToken], kept: Set[int]) -> list[WovenToken]:
    """ "A, B and C" without C needs its "and" again."""
    for head in sorted(kept):
        mates = sentence.under(head, "conj")
        stayed = [mate for mate in mates if mate in kept]
        if not stayed or len(stayed) == len(mates) or sentence.under(stayed[-1], "cc"):
            continue
        links = [c for mate in mates for c in sentence.under(mate, "cc")]
        start = sentence.extent(stayed[-1])[0]
        first = sentence.tokens[start]
        at = next((i for i, t in enumerate(told) if t.sources == first.sources), None)
        if at is None or not links:
            continue
        if at and told[at - 1].text == _COMMA:
            del told[at - 1]
            at -= 1
        told.insert(at, glue(sentence.lower[links[-1]]))
    return told


def _lowered(sentence: Parsed, place: int) -> WovenToken:
    """A word without the capital that it owes to standing first."""
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


def _article(token: WovenToken, following: str) -> WovenToken:
    """ "a" or "an", whichever the word after it wants."""
    wanted = indefinite_article(following)
    if wanted == token.text.lower():
        return token
    text = wanted.capitalize() if token.text[0].isupper() else wanted
    sources = tuple(replace(source, kind="inflected") for source in token.sources)
    return replace(token, text=text, sources=sources)
