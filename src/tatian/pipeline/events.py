"""Events across documents: which words of several accounts tell of one happening."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log

from msgspec import Struct
from msgspec.structs import replace

from tatian.pipeline.chains import CrossChain
from tatian.pipeline.likeness import cosine
from tatian.pipeline.linkage import candidates, clusters
from tatian.pipeline.profiles import content, sentence_of
from tatian.text import WORDS, Chain, Document, Mention, Span, Word
from tatian.text.content import concept, is_content, saying, stem
from tatian.text.lexicon import word_set

EVENT = "EVENT"
LEAST = 0.5
"""Log-odds from which events are put together; chosen on topics 26 to 30 of ECB+."""
WEIGHTS = {
    "arguments: one has none": -0.42,
    "arguments: others": -0.86,
    "arguments: shared": -0.39,
    "bias": 1.17,
    "company": 1.55,
    "light verb": -1.27,
    "often": -0.18,
    "one denied": -1.98,
    "paraphrase": 0.46,
    "saying": -2.21,
    "verb and noun": -0.42,
}
"""Log-odds by feature, fitted to topics 1 to 30 of ECB+ by ``benchmarks/coref_linking.py``."""

_LIGHT = word_set("be have do make take get go come give put")
_DENIALS = word_set("not n't never no")
_ABOVE = word_set("xcomp conj advcl")
"""Relations by which a verb shares the subject of the one above it."""
_OF_NOUN = word_set("acl acl:relcl")
_NOUNS = word_set("NOUN PROPN")
_NO_ARGUMENTS = word_set("det case mark punct aux aux:pass cop cc expl discourse")


class Event(Struct, frozen=True):
    """One word that tells of something happening, and what it says takes part."""

    document: str
    mention: Mention
    lemma: str
    word: str
    """As it stands in the text: a lemma of an unusual form may be wrong."""
    verb: bool
    arguments: frozenset[str]
    company: frozenset[str]
    """What its sentence speaks of beside it."""
    denied: bool
    often: int = 1
    """How often its document speaks of such an event."""

    @property
    def concept(self) -> str:
        """What kind of event it is; words that reports use for one another are one."""
        return concept(self.lemma)

    @property
    def stems(self) -> frozenset[str]:
        """Of the word and its lemma."""
        return frozenset((stem(self.lemma), stem(self.word)))

    def keys(self) -> list[str]:
        """What two events must share, one of these, to be compared."""
        return sorted(self.stems | {self.concept, concept(self.word)})


def link_events(
    documents: Sequence[Document],
    *,
    given: Mapping[str, Sequence[Mention]] | None = None,
    lone: bool = False,
) -> tuple[CrossChain, ...]:
    """Group the words of analysed documents that tell of one event, in order of appearance.

    Events are verbs, and nouns of the same stem as a verb in any of the documents; or the `given`
    mentions by the id of their document. An event told of once is left out unless `lone` asks for
    it.
    """
    known = find_events(documents, given)
    pairs = candidates([event.keys() for event in known])
    odds = {pair: log_odds(known[pair[0]], known[pair[1]]) for pair in pairs}
    groups = [[known[n] for n in group] for group in clusters(len(known), odds, LEAST)]
    kept = [group for group in groups if lone or len(group) > 1]
    return tuple(_joined(group, number) for number, group in enumerate(kept, 1))


def find_events(
    documents: Sequence[Document], given: Mapping[str, Sequence[Mention]] | None = None
) -> list[Event]:
    """The events of analysed documents, or what their trees say of the `given` mentions."""
    trees = {document.id: _Tree(document) for document in documents}
    verbs = {stem(lemma) for tree in trees.values() for lemma in tree.verbs()}
    known: list[Event] = []
    for id, tree in trees.items():
        mentions = tree.events(verbs) if given is None else given.get(id, ())
        found = [tree.event(mention) for mention in mentions]
        counts = Counter(event.concept for event in found)
        known += [replace(event, often=counts[event.concept]) for event in found]
    return known


def log_odds(one: Event, other: Event) -> float:
    """Above 0 where two words are likelier to tell of one event than of two."""
    return sum(WEIGHTS[name] * value for name, value in features(one, other).items())


def features(one: Event, other: Event) -> dict[str, float]:
    """What speaks for and against a pair; which of the two comes first makes no difference."""
    both = bool(one.arguments and other.arguments)
    return {
        "bias": 1.0,
        "paraphrase": one.stems.isdisjoint(other.stems),
        "verb and noun": one.verb != other.verb,
        "saying": one.concept in saying(),
        "light verb": one.lemma in _LIGHT or other.lemma in _LIGHT,
        "arguments: shared": cosine(one.arguments, other.arguments),
        "arguments: others": both and one.arguments.isdisjoint(other.arguments),
        "arguments: one has none": bool(one.arguments) != bool(other.arguments),
        "company": cosine(one.company, other.company),
        "one denied": one.denied != other.denied,
        "often": log(one.often + other.often),
    }


class _Tree:
    """The words of a document with what hangs on each."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._place = {token.start: place for place, token in enumerate(document.tokens)}
        self._words = {word.token: word for word in document.get(WORDS)}
        self._below: dict[int, list[Word]] = {}
        for word in self._words.values():
            self._below.setdefault(word.head, []).append(word)

    def verbs(self) -> Iterator[str]:
        """Lemmas of verbs that say something."""
        for word in self._words.values():
            if word.tag == "VERB" and word.lemma.lower() not in _LIGHT:
                yield word.lemma.lower()

    def events(self, verbs: set[str]) -> Iterator[Mention]:
        """Verbs, and nouns of one stem with any of `verbs`."""
        for place, token in enumerate(self._document.tokens):
            word = self._words.get(place)
            if word is None or not is_content(token.text):
                continue
            if word.tag == "VERB" or (word.tag == "NOUN" and stem(word.lemma) in verbs):
                yield Mention(token.start, token.end, EVENT)

    def event(self, mention: Mention) -> Event:
        """What the tree says of an event."""
        document = self._document
        word = self._head(mention)
        lemma = (word.lemma if word else mention.of(document.text)).lower()
        own = {concept(lemma)}
        sentence = sentence_of(document, mention)
        below = self._below.get(word.token, []) if word else []
        return Event(
            document=document.id,
            mention=mention,
            lemma=lemma,
            word=self._text(word) if word else lemma,
            verb=word is not None and word.tag not in _NOUNS,
            arguments=frozenset(self._arguments(word)) - own if word else frozenset(),
            company=frozenset(content(document, sentence) - own),
            denied=any(self._text(one) in _DENIALS for one in below),
        )

    def _head(self, span: Span) -> Word | None:
        """The word of a mention that hangs on none inside."""
        tokens = self._document.tokens_in(span)
        places = [self._place[token.start] for token in tokens]
        words = [self._words[place] for place in places if place in self._words]
        tops = [word for word in words if word.head not in places and word.tag != "PUNCT"]
        return next(iter(tops or words), None)

    def _arguments(self, word: Word) -> Iterator[str]:
        """What takes part: below the word, with its names; what it describes; a shared subject."""
        for one in self._below.get(word.token, ()):
            if one.relation not in _NO_ARGUMENTS and is_content(self._text(one)):
                yield concept(one.lemma)
                for inner in self._below.get(one.token, ()):
                    if inner.relation in ("flat", "compound", "nmod"):
                        yield concept(inner.lemma)
        above = self._words.get(word.head)
        if above is None:
            return
        if word.relation in _OF_NOUN:
            yield concept(above.lemma)
        elif word.relation in _ABOVE:
            for one in self._below.get(above.token, ()):
                if one.relation.startswith("nsubj") and is_content(self._text(one)):
                    yield concept(one.lemma)

    def _text(self, word: Word) -> str:
        return self._document.tokens[word.token].text.lower()


def _joined(group: Sequence[Event], number: int) -> CrossChain:
    lemmas = Counter(event.lemma for event in group)
    return CrossChain(
        id=f"v{number}",
        name=min(lemmas, key=lambda lemma: (-lemmas[lemma], lemma)),
        type=EVENT,
        members=tuple(
            (document, Chain(f"{document}#v{number}", tuple(sorted(set(mentions))), EVENT))
            for document, mentions in _by_document(group).items()
        ),
    )


def _by_document(group: Sequence[Event]) -> dict[str, list[Mention]]:
    found: dict[str, list[Mention]] = {}
    for event in group:
        found.setdefault(event.document, []).append(event.mention)
    return found
