"""The trained resolver, which encodes a document and links words to their antecedents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tatian.analysis.installed import unavailable, weights_directory
from tatian.analysis.loading import Arrays, Weights, in_threads, load, thread_count
from tatian.analysis.pieces import PieceWindow, cut_windows, word_rows
from tatian.coreference.analysis import analyse
from tatian.coreference.definition import LinkDecision, ProposedLink, RuledDocument, apply
from tatian.coreference.definition.apply import token_of
from tatian.coreference.models.decisions import DecodedDocument, to_decision, try_antecedents
from tatian.coreference.models.match import name_words, same_name
from tatian.coreference.models.network import network
from tatian.coreference.words import FEMALE, MALE, Text
from tatian.errors import AssetError, InputError
from tatian.text import CHAINS, NAMES, Authorship, Chain, Document, Mention
from tatian.text.datelines import publication_day
from tatian.text.dates import named_days
from tatian.text.lexicon import PRONOUNS

SINGLETONS = {"ontonotes": False, "gum": True, "litbank": True}
"""Trained schemes, and whether they mark singletons."""
MUC = "muc"
PROPOSING = ("ontonotes", "gum")
"""Schemes whose predicted links are candidates for the MUC-6 rules."""


class TrainedResolver:
    """Resolver with a trained ranker of antecedents; "muc" adds the rules of the definition."""

    schemes = (MUC, *SINGLETONS)
    licence = "any use: see LICENSE.md of the weights"

    def __init__(
        self,
        *,
        scheme: str = MUC,
        threshold: float | None = None,
        threads: int | None = None,
        weights: str | None = None,
    ) -> None:
        """Check that the encoder can run; the weights are read when first needed.

        A link is made if its probability is at least `threshold`; with None, if it beats the option
        of no link. `weights` is a directory that replaces the shipped one.
        """
        if scheme not in self.schemes:
            raise InputError(f"no scheme '{scheme}': choose from {', '.join(self.schemes)}")
        if threshold is not None and not 0 < threshold <= 1:
            raise InputError(f"invalid threshold {threshold}: must be above 0 and at most 1")
        self.scheme = scheme
        self.threshold = threshold
        self.threads = thread_count(threads)
        self._directory = Path(weights).resolve() if weights else weights_directory()
        if problem := unavailable(self._directory):
            raise AssetError(problem)

    @classmethod
    def missing(cls) -> str:
        """Return what is missing to run here."""
        return unavailable()

    @cached_property
    def _weights(self) -> Weights:
        return load(self._directory)

    @cached_property
    def _authorship(self) -> Authorship:
        return Authorship(by=f"tatian/{self.scheme}", version=self._weights.version("coref"))

    def resolve(self, document: Document) -> Document:
        """Add the `chains` layer, and layers that it needs if they are missing."""
        document = analyse(document)
        if self.scheme == MUC:
            return document.with_layer(CHAINS, self._by_definition(document), self._authorship)
        decoding = self._decode(document)
        pairs = decoding.pairs(self.scheme, self.threshold)
        chains = decoding.chains(self.scheme, pairs, singletons=SINGLETONS[self.scheme])
        return document.with_layer(CHAINS, chains, self._authorship)

    def _by_definition(
        self, document: Document, log: list[LinkDecision] | None = None
    ) -> tuple[Chain, ...]:
        """Return chains by the rules of MUC-6, from the links that the model proposes."""
        if not document.tokens:
            return ()
        decoding = self._decode(document)
        ruled = RuledDocument(document, decoding.traits)
        links = self._propose(decoding, ruled, log)
        proposals = [*_limit_pronouns(links, document), *link_names(document), *link_days(document)]
        resolved = apply(document, proposals, threshold=0, ruled=ruled, log=log)
        return resolved.get(CHAINS)

    def links(self, document: Document) -> list[ProposedLink]:
        """Return the links with their probabilities, in the order of the anaphors.

        With the scheme "muc", these are the proposals for its rules: an anaphor may have two.
        """
        document = analyse(document)
        decoding = self._decode(document)
        ruled = RuledDocument(document, decoding.traits) if self.scheme == MUC else None
        return self._propose(decoding, ruled)

    def explain(self, document: Document) -> list[LinkDecision]:
        """Return all links and refused links with reasons, in the order of the anaphors."""
        document = analyse(document)
        log: list[LinkDecision] = []
        if self.scheme == MUC:
            self._by_definition(document, log)
        else:
            self._propose(self._decode(document), None, log)
        return _drop_repeats(log)

    def _propose(
        self,
        decoding: DecodedDocument,
        ruled: RuledDocument | None,
        log: list[LinkDecision] | None = None,
    ) -> list[ProposedLink]:
        """Return the links of the scheme; with `ruled`, those of all schemes in `PROPOSING`."""
        links: list[ProposedLink] = []
        certain = ruled.grammatical_pronouns() if ruled else ()
        settled = {token_of(markable) for markable in certain}
        for scheme in PROPOSING if ruled else (self.scheme,):
            exclusions = decoding.text.exclusions
            clusters = ruled.word_clusters(exclusions) if ruled else decoding.clusters()
            options = decoding.options(scheme, self.threshold, strict=ruled is not None)
            unsettled = (option for option in options if option[0] not in settled)
            attempts = try_antecedents(unsettled, clusters)
            heads = {place for attempt in attempts for place in attempt[:2]}
            mentions = decoding.mentions(scheme, heads)
            for anaphor, antecedent, probability, refusal in attempts:
                pair = mentions[anaphor], mentions[antecedent]
                if refusal is None:
                    links.append(ProposedLink(*pair, probability))
                if log is not None and (refusal or not ruled):
                    log.append(to_decision(decoding, pair, probability, refusal))
        return sorted(links, key=lambda link: (link.anaphor, link.antecedent, -link.probability))

    def _decode(self, document: Document) -> DecodedDocument:
        """Encode a document window by window, to save memory."""
        text = Text.of(document)
        heads = network(self._weights.file("coref.npz"))
        vectors = heads.empty_vectors(text.count)
        for begin, end, states in read_windows(text.tokens, self._weights, self.threads):
            vectors[begin:end] = heads.vectors(states, text.features[begin:end])
        return DecodedDocument(document, text, vectors, heads, self.threads)


def _drop_repeats(log: Iterable[LinkDecision]) -> list[LinkDecision]:
    """Return decisions by anaphor; of a pair, the first link and the most probable refusal."""
    best: dict[tuple[int, int, bool], LinkDecision] = {}
    for decision in log:
        pair = (decision.anaphor.start, decision.antecedent.start, decision.linked)
        earlier = best.get(pair)
        is_likelier = earlier and (decision.probability or 0) > (earlier.probability or 0)
        if earlier is None or (not earlier.linked and is_likelier):
            best[pair] = decision
    return sorted(best.values(), key=lambda link: (link.anaphor, not link.linked, link.antecedent))


def _limit_pronouns(links: Iterable[ProposedLink], document: Document) -> Iterator[ProposedLink]:
    """Keep one link for each pronoun: by gender of the antecedent, then by probability."""
    words = zip(document.tokens, Text.of(document).gender.tolist(), strict=True)
    genders = {token.start: gender for token, gender in words if gender in (MALE, FEMALE)}

    def rank(link: ProposedLink) -> tuple[bool, float]:
        gender = genders.get(link.anaphor.start)
        head = link.antecedent.head if isinstance(link.antecedent, Mention) else None
        agrees = gender is not None and genders.get((head or link.antecedent).start) == gender
        return agrees, link.probability

    best: dict[int, ProposedLink] = {}
    for link in links:
        if link.anaphor.of(document.text).lower() not in PRONOUNS:
            yield link
            continue
        earlier = best.get(link.anaphor.start)
        if earlier is None or rank(link) > rank(earlier):
            best[link.anaphor.start] = link
    yield from best.values()


MATCH_PROBABILITY = 0.7
"""Fixed probability of name and date matches; links with a higher one are applied first."""
_MAX_COMPARED = 8
"""Maximum number of earlier names with a given key that a name is compared with."""


class _NameWords(NamedTuple):
    """A name, and its words without suffixes and punctuation."""

    mention: Mention
    words: Sequence[str]
    shortened: bool
    """True if the name has a suffix or punctuation that `words` lacks: "Corp.", "Jr."."""


def link_names(document: Document) -> Iterator[ProposedLink]:
    """Link "Acme" with "Acme Corp.", "GM" with "General Motors", a surname with its person."""
    by_key: dict[str, list[_NameWords]] = {}
    for span in document.get(NAMES):
        mention = Mention(span.start, span.end, span.type)
        words = name_words(document, mention)
        name = _NameWords(mention, words, len(words) < len(document.tokens_in(mention)))
        keys = _keys(words)
        candidates = [earlier for key in keys for earlier in by_key.get(key, ())[-_MAX_COMPARED:]]
        matching = [earlier.mention for earlier in candidates if _match(name, earlier)]
        if matching:
            yield ProposedLink(mention, max(matching), MATCH_PROBABILITY)
        for key in keys:
            by_key.setdefault(key, []).append(name)


def link_days(document: Document) -> Iterator[ProposedLink]:
    """Link phrases for the same day, by the document's date: "Thursday", "March 1" (MUC-6 §3)."""
    published_on = publication_day(document)
    latest: dict[date, Mention] = {}
    for sentence in document.sentences if published_on else ():
        tokens = document.tokens_in(sentence)
        days = sorted(named_days(tokens, published_on).items())
        while days:
            first, day = days.pop(0)
            last = first
            while days and days[0][1] == day:  # "Thursday, March 1" is one phrase.
                if any(token.text != "," for token in tokens[last + 1 : days[0][0]]):
                    break
                last = days.pop(0)[0]
            mention = Mention(tokens[first].start, tokens[last].end, "DATE")
            if day in latest:
                yield ProposedLink(mention, latest[day], MATCH_PROBABILITY)
            latest[day] = mention


def _match(first: _NameWords, second: _NameWords) -> bool:
    """Return whether names match; those of two types only if exactly one has a suffix."""
    if first.mention.type == second.mention.type:
        return same_name(first.words, second.words, first.mention.type)
    return first.words == second.words and first.shortened != second.shortened


def _keys(words: Sequence[str]) -> list[str]:
    """Return keys that matching names share: the first word, the last, the initials."""
    if not words:
        return []
    initials = "".join(word[0] for word in words) if len(words) > 1 else words[0]
    return sorted({words[0], words[-1], initials.replace(".", "")})


SPECIAL_PIECES = 2
"""Number of special pieces that begin and end a window."""


EncodedWords = tuple[int, int, npt.NDArray[np.float32]]
"""Start and end of a range of words, and the encoder's state of each."""


def read_states(tokens: Sequence[str], weights: Weights, threads: int) -> npt.NDArray[np.float32]:
    """Return the encoder's state of each word in its context: ``[words, width]``."""
    result = np.empty((len(tokens), weights.labels.width), np.float32)
    for begin, end, states in read_windows(tokens, weights, threads):
        result[begin:end] = states
    return result


def read_windows(tokens: Sequence[str], weights: Weights, threads: int) -> Iterator[EncodedWords]:
    """Yield the result of `read_states` window by window, to save memory.

    Each window is encoded alone, so that the result depends on nothing but the document.
    """
    numbers = {name: number for number, name in enumerate(weights.labels.shapes)}

    def read(window: PieceWindow) -> npt.NDArray[np.float32]:
        cut_words = word_rows(weights.pieces, tokens[window.first : window.last], numbers)
        inputs: Arrays = {
            "embeddings": weights.embeddings(np.array([cut_words.rows], np.int64)),
            "mask": np.ones((1, len(cut_words.rows)), np.int64),
            "shapes": np.array([cut_words.shapes], np.int64),
            "words": np.array([cut_words.places], np.int64),
        }
        states: npt.NDArray[np.float32] = weights.run("coref", inputs, ("states",))["states"][0]
        return states[window.begin - window.first : window.end - window.first]

    lengths = [len(weights.pieces.word(token)) for token in tokens]
    windows = cut_windows(lengths, weights.labels.positions - SPECIAL_PIECES)
    for window, states in zip(windows, in_threads(read, windows, threads), strict=True):
        yield window.begin, window.end, states
