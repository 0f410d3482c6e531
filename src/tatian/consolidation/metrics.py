"""How good a consolidation is, without a person to read it.

Five questions, each answered by a plain function over a `Consolidation` and the accounts it was
made from:

- alignment: were sentences of different accounts brought together exactly when they report the
  same event?
- coverage: how much of what the accounts say does the text say?
- repetition: how much of the text says again what it has said before?
- glue: how many of its words are in no account?
- compression: how long is it, compared with the accounts?

None of them alone means much: concatenation has full coverage, an empty text repeats nothing.
Words are found in the plain text, by one rule for accounts and output, so that a figure does not
depend on who tokenized what.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise

from msgspec import Struct

from tatian.consolidation.result import Account, Consolidation
from tatian.coreference.data import event_chains
from tatian.text import MENTIONS, Document, Span
from tatian.text.content import is_content, stem

CLOSE = 0.5
"""How much of their events two sentences must share to report, on the whole, the same."""

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W_]+(?:['’][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)

Place = tuple[str, int]
"""A sentence of an account: document id and index."""
Pair = tuple[Place, Place]
"""Two sentences of different accounts, the smaller place first."""


class Alignment(Struct, frozen=True):
    """Pairs of sentences that were brought together, against those that should have been."""

    correct: int
    predicted: int
    gold: int

    @property
    def precision(self) -> float:
        """Share of the pairs brought together that report a common event."""
        return self.correct / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """Share of the pairs that report a common event that were brought together."""
        return self.correct / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        total = self.predicted + self.gold
        return 2 * self.correct / total if total else 0.0


class Measures(Struct, frozen=True):
    """Everything measured on one consolidation."""

    alignment: Alignment
    close_alignment: Alignment
    """The same, asking for sentences that have most of their events in common."""
    coverage: float
    weighted_coverage: float
    repetition: float
    glue: float
    compression: float
    source_words: int
    words: int


def measure(result: Consolidation, documents: Sequence[Document]) -> Measures:
    """All measures of the consolidation of `documents`, which carry gold chains."""
    texts = [document.text for document in documents]
    sentences = [result.text[sentence.start : sentence.end] for sentence in result.sentences]
    return Measures(
        alignment=alignment(result, documents),
        close_alignment=alignment(result, documents, common=CLOSE),
        coverage=coverage(result.text, texts),
        weighted_coverage=weighted_coverage(result.text, texts),
        repetition=repetition(sentences),
        glue=glue(result),
        compression=compression(result.text, texts),
        source_words=sum(len(words(text)) for text in texts),
        words=len(words(result.text)),
    )


def words(text: str) -> list[str]:
    """The words and numbers of a text, without punctuation and the possessive 's."""
    return [_POSSESSIVE.sub("", found.group()) for found in _WORD.finditer(text)]


def content_stems(text: str) -> list[str]:
    """The stems of the words that are not stop words, in order, repeats kept."""
    return [stem(word) for word in words(text) if is_content(word)]


def alignment(
    result: Consolidation, documents: Sequence[Document], *, common: float = 0.0
) -> Alignment:
    """Whether sentences were brought together as the gold event chains ask.

    Only annotated sentences (those with a gold mention) count on either side: of the others nobody
    knows what they report. For `common` see `gold_pairs`.
    """
    annotated = set(_annotated(documents))
    gold = gold_pairs(documents, common=common)
    predicted = {pair for pair in predicted_pairs(result, documents) if annotated.issuperset(pair)}
    return Alignment(len(predicted & gold), len(predicted), len(gold))


def everything_together(documents: Sequence[Document], *, common: float = 0.0) -> Alignment:
    """The alignment of putting all sentences into one group: what any other has to beat."""
    predicted = set(_across(set(_annotated(documents))))
    gold = gold_pairs(documents, common=common)
    return Alignment(len(predicted & gold), len(predicted), len(gold))


def gold_pairs(documents: Iterable[Document], *, common: float = 0.0) -> set[Pair]:
    """Pairs of sentences of different documents that share a cross-document chain of events.

    A sentence that only looks back on an event shares it too ("Before she died, ..."), so that
    nearly any two sentences about one story are a pair. With `common`, at least that share of the
    events of both sentences together must be in both.
    """
    events: dict[Place, set[str]] = {}
    for document in documents:
        for chain in event_chains(document):
            for mention in chain.mentions:
                for place in _places(document, mention):
                    events.setdefault(place, set()).add(chain.id)
    pairs = set()
    for first, second in _across(events):
        shared = len(events[first] & events[second])
        if shared and shared >= common * len(events[first] | events[second]):
            pairs.add((first, second))
    return pairs


def predicted_pairs(result: Consolidation, documents: Iterable[Document]) -> set[Pair]:
    """Pairs of sentences of different accounts that were found to report the same thing.

    That is, they are in one group or went into one output sentence. The sentences are those of
    `documents`; where the consolidation split an account otherwise, the halves of a sentence speak
    for the whole.
    """
    accounts = {account.id: account for account in result.documents}
    grouped = {
        (place.document, place.sentence): number
        for number, group in enumerate(result.groups)
        for place in group
    }
    together: dict[tuple[str, int], set[Place]] = {}
    for document in documents:
        account = accounts[document.id]
        for index, sentence in enumerate(document.sentences):
            for part in _parts(account, sentence):
                for output in account.sentences[part].into:
                    together.setdefault(("output", output), set()).add((document.id, index))
                group = grouped.get((document.id, part))
                if group is not None:
                    together.setdefault(("group", group), set()).add((document.id, index))
    return {pair for places in together.values() for pair in _across(places)}


def coverage(text: str, sources: Iterable[str]) -> float:
    """Share of the different content stems of the sources that occur in the text."""
    said = set(content_stems(text))
    wanted = {stemmed for source in sources for stemmed in content_stems(source)}
    return len(wanted & said) / len(wanted) if wanted else 1.0


def weighted_coverage(text: str, sources: Iterable[str]) -> float:
    """The same, each stem counting as often as there are sources that have it."""
    said = set(content_stems(text))
    wanted = Counter(stemmed for source in sources for stemmed in set(content_stems(source)))
    total = wanted.total()
    return sum(wanted[stemmed] for stemmed in wanted if stemmed in said) / total if total else 1.0


def repetition(sentences: Sequence[str]) -> float:
    """Share of the content words that stand in a pair that was said before.

    A pair is two content words with no other between them in a sentence ("police arrested" and
    "arrested by police" are the same one, by stems and without order). Two capitalised neighbours
    are taken for a name and do not count, for people must be named again. A pair was said before if
    it occurred earlier, in this sentence or another, without sharing a word with this occurrence.
    Any honest report repeats itself a little: the longest account alone shows how much.

    Five other definitions (wider windows, shared words of whole sentences) were tried on all of
    ECB+, on longest accounts and concatenations only; this one is not the one that tells these two
    apart best, but it also sees what is said twice inside one sentence.
    """
    said: set[frozenset[str]] = set()
    repeated = total = 0
    for sentence in sentences:
        content = [word for word in words(sentence) if is_content(word)]
        pairs = [_pair(left, right) for left, right in pairwise(content)]
        again: set[int] = set()
        for index, pair in enumerate(pairs):
            said.update(pairs[max(0, index - 2) : max(0, index - 1)])
            if len(pair) == 2 and pair in said:
                again.update((index, index + 1))
        said.update(pairs)
        repeated += len(again)
        total += len(content)
    return repeated / total if total else 0.0


def _pair(left: str, right: str) -> frozenset[str]:
    """The two stems without order; nothing if the two words look like a name."""
    if left[0].isupper() and right[0].isupper():
        return frozenset()
    return frozenset((stem(left), stem(right)))


def glue(result: Consolidation) -> float:
    """Share of the output's words that no account has."""
    written = [
        token
        for sentence in result.sentences
        for token in sentence.tokens
        if any(character.isalnum() for character in result.text[token.start : token.end])
    ]
    return sum(token.glue for token in written) / len(written) if written else 0.0


def compression(text: str, sources: Iterable[str]) -> float:
    """Words of the text for each word of the sources: 1 for concatenation."""
    given = sum(len(words(source)) for source in sources)
    return len(words(text)) / given if given else 1.0


def _annotated(documents: Iterable[Document]) -> Iterator[Place]:
    for document in documents:
        for mention in document.get(MENTIONS):
            yield from _places(document, mention)


def _places(document: Document, span: Span) -> Iterator[Place]:
    for index, sentence in enumerate(document.sentences):
        if sentence.contains(span):
            yield document.id, index


def _across(places: Iterable[Place]) -> Iterator[Pair]:
    for first, second in combinations(sorted(places), 2):
        if first[0] != second[0]:
            yield first, second


def _parts(account: Account, sentence: Span) -> Iterator[int]:
    """The account's own sentences that are at least half of `sentence`, or wholly within it."""
    for index, part in enumerate(account.sentences):
        shared = min(part.end, sentence.end) - max(part.start, sentence.start)
        if shared > 0 and 2 * shared >= min(part.end - part.start, len(sentence)):
            yield index
