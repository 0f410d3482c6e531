"""The trained resolver: reads a document with the encoder and links words to their antecedents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tatian.analysis.installed import chosen_directory, unavailable
from tatian.analysis.loading import Arrays, Weights, load, spread, thread_count
from tatian.analysis.pieces import PieceWindow, cut, shape
from tatian.coreference.analysis import analysed
from tatian.coreference.definition import LinkDecision, ProposedLink, RuledDocument, apply
from tatian.coreference.definition.apply import token_of
from tatian.coreference.models.decisions import DecodedDocument, decided, tried
from tatian.coreference.models.match import name_words, same_name
from tatian.coreference.models.network import network
from tatian.coreference.words import FEMALE, MALE, Text
from tatian.errors import AssetError, InputError
from tatian.text import CHAINS, NAMES, Authorship, Chain, Document, Mention
from tatian.text.lexicon import PRONOUNS

SINGLETONS = {"ontonotes": False, "gum": True, "litbank": True}
"""The trained schemes on offer, and whether they mark phrases that nothing is linked to."""
MUC = "muc"
PROPOSING = ("ontonotes", "gum")
"""The schemes whose links are proposed to the MUC-6 definition."""


class TrainedResolver:
    """Chains by a trained ranker of antecedents; "muc" also follows the rules of the definition."""

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

        With a `threshold`, every link of at least this probability is made; without, every link
        that is likelier than none at all. `weights` is a directory to use in place of the shipped
        one.
        """
        if scheme not in self.schemes:
            raise InputError(f"no scheme '{scheme}': choose from {', '.join(self.schemes)}")
        if threshold is not None and not 0 < threshold <= 1:
            raise InputError(f"a threshold of {threshold}: give a probability above 0, up to 1")
        self.scheme = scheme
        self.threshold = threshold
        self.threads = thread_count(threads)
        self._directory = Path(weights).resolve() if weights else chosen_directory()
        if problem := unavailable(self._directory):
            raise AssetError(problem)

    @classmethod
    def missing(cls) -> str:
        """What it lacks to run here."""
        return unavailable()

    @cached_property
    def _weights(self) -> Weights:
        return load(self._directory)

    @cached_property
    def _made(self) -> Authorship:
        return Authorship(by=f"tatian/{self.scheme}", version=self._weights.version("coref"))

    def resolve(self, document: Document) -> Document:
        """Add the `chains` layer, and what it builds on where the document is not yet analysed."""
        document = analysed(document)
        if self.scheme == MUC:
            return document.with_layer(CHAINS, self._by_definition(document), self._made)
        decoding = self._decoding(document)
        pairs = decoding.pairs(self.scheme, self.threshold)
        chains = decoding.chains(self.scheme, pairs, singletons=SINGLETONS[self.scheme])
        return document.with_layer(CHAINS, chains, self._made)

    def _by_definition(
        self, document: Document, log: list[LinkDecision] | None = None
    ) -> tuple[Chain, ...]:
        """Chains by the rules of MUC-6; what is proposed to them has passed the threshold.

        The search knows what the rules are certain of, so a link that they refuse gives way to the
        next one.
        """
        if not document.tokens:
            return ()
        decoding = self._decoding(document)
        ruled = RuledDocument(document, decoding.traits)
        links = self._proposed(decoding, ruled, log)
        proposals = [*_one_for_pronouns(links, document), *same_names(document)]
        found = apply(document, proposals, threshold=0, ruled=ruled, log=log)
        return found.get(CHAINS)

    def links(self, document: Document) -> list[ProposedLink]:
        """What goes back to what, in the order of the anaphors, with the probability of each link.

        Under the scheme "muc" these are the proposals that its rules are then applied to: there may
        be two for one anaphor.
        """
        document = analysed(document)
        decoding = self._decoding(document)
        ruled = RuledDocument(document, decoding.traits) if self.scheme == MUC else None
        return self._proposed(decoding, ruled)

    def explain(self, document: Document) -> list[LinkDecision]:
        """What decided each link and each refusal, in the order of the anaphors."""
        document = analysed(document)
        log: list[LinkDecision] = []
        if self.scheme == MUC:
            self._by_definition(document, log)
        else:
            self._proposed(self._decoding(document), None, log)
        return _distinct(log)

    def _proposed(
        self,
        decoding: DecodedDocument,
        ruled: RuledDocument | None,
        log: list[LinkDecision] | None = None,
    ) -> list[ProposedLink]:
        """The links of the scheme, or of those that are proposed to the definition."""
        found: list[ProposedLink] = []
        settled = {token_of(one) for one in ruled.settled()} if ruled else set()
        for scheme in PROPOSING if ruled else (self.scheme,):
            apart = decoding.text.apart
            clusters = ruled.word_clusters(apart) if ruled else decoding.clusters()
            options = decoding.options(scheme, self.threshold, strict=ruled is not None)
            trials = tried((one for one in options if one[0] not in settled), clusters)
            heads = {place for trial in trials for place in trial[:2]}
            mentions = decoding.mentions(scheme, heads)
            for anaphor, antecedent, probability, refusal in trials:
                pair = mentions[anaphor], mentions[antecedent]
                if refusal is None:
                    found.append(ProposedLink(*pair, probability))
                if log is not None and (refusal or not ruled):
                    log.append(decided(decoding, pair, probability, refusal))
        return sorted(found, key=lambda link: (link.anaphor, link.antecedent, -link.probability))

    def _decoding(self, document: Document) -> DecodedDocument:
        """The states of a long document are never held all at once."""
        text = Text.of(document)
        heads = network(self._weights.file("coref.npz"))
        vectors = heads.room(text.count)
        for begin, end, states in read_stretches(text.tokens, self._weights, self.threads):
            vectors[begin:end] = heads.vectors(states, text.features[begin:end])
        return DecodedDocument(document, text, vectors, heads, self.threads)


def _distinct(log: Iterable[LinkDecision]) -> list[LinkDecision]:
    """Decisions in the order of the anaphors; of two on one pair that of the higher score.

    A rule that links comes before scores.
    """
    best: dict[tuple[int, int, bool], LinkDecision] = {}
    for one in log:
        pair = (one.anaphor.start, one.antecedent.start, one.linked)
        known = best.get(pair)
        if known is None or (
            not known.linked and (one.probability or 0) > (known.probability or 0)
        ):
            best[pair] = one
    return sorted(best.values(), key=lambda one: (one.anaphor, not one.linked, one.antecedent))


def _one_for_pronouns(links: Iterable[ProposedLink], document: Document) -> Iterator[ProposedLink]:
    """Of two schemes' antecedents of a pronoun one, lest it make one thing of both.

    Who is known to be a woman comes before others as "she"; of equals the likelier is taken.
    """
    genders = zip(document.tokens, Text.of(document).gender.tolist(), strict=True)
    sexes = {token.start: gender for token, gender in genders if gender in (MALE, FEMALE)}

    def rank(link: ProposedLink) -> tuple[bool, float]:
        sex = sexes.get(link.anaphor.start)
        head = link.antecedent.head if isinstance(link.antecedent, Mention) else None
        alike = sex is not None and sexes.get((head or link.antecedent).start) == sex
        return alike, link.probability

    best: dict[int, ProposedLink] = {}
    for link in links:
        if link.anaphor.of(document.text).lower() not in PRONOUNS:
            yield link
            continue
        known = best.get(link.anaphor.start)
        if known is None or rank(link) > rank(known):
            best[link.anaphor.start] = link
    yield from best.values()


SUPPOSED = 0.7
"""The probability of such a link: what the model is surer of comes first."""
_LATEST = 8
"""Earlier names with a word in common that one is compared with."""


class _Called(NamedTuple):
    """A name, and its words without title and suffix."""

    mention: Mention
    words: Sequence[str]
    suffixed: bool
    """Whether it says what it is: "Corp.", "Jr."."""


def same_names(document: Document) -> Iterator[ProposedLink]:
    """ "Acme" goes with "Acme Corp.", "GM" with "General Motors", a surname with its person."""
    known: dict[str, list[_Called]] = {}
    for name in document.get(NAMES):
        mention = Mention(name.start, name.end, name.type)
        words = name_words(document, mention)
        one = _Called(mention, words, len(words) < len(document.tokens_in(mention)))
        keys = _keys(words)
        found = [other for key in keys for other in known.get(key, ())[-_LATEST:]]
        same = [other.mention for other in found if _are_one(one, other)]
        if same:
            yield ProposedLink(mention, max(same), SUPPOSED)
        for key in keys:
            known.setdefault(key, []).append(one)


def _are_one(one: _Called, other: _Called) -> bool:
    """By their words; a name of another type only where a suffix tells what both are."""
    if one.mention.type == other.mention.type:
        return same_name(one.words, other.words, one.mention.type)
    return one.words == other.words and one.suffixed != other.suffixed


def _keys(words: Sequence[str]) -> list[str]:
    """What names that can be one have in common: the first word, the last, the initials."""
    if not words:
        return []
    initials = "".join(word[0] for word in words) if len(words) > 1 else words[0]
    return sorted({words[0], words[-1], initials.replace(".", "")})


SPECIAL = 2
"""Pieces that begin and end a window."""


Stretch = tuple[int, int, npt.NDArray[np.float32]]
"""Words from one place up to another, and a state for each of them."""


def read_states(tokens: Sequence[str], weights: Weights, threads: int) -> npt.NDArray[np.float32]:
    """``[words, width]``: what the encoder says of each word where it stands."""
    found = np.empty((len(tokens), weights.labels.width), np.float32)
    for begin, end, states in read_stretches(tokens, weights, threads):
        found[begin:end] = states
    return found


def read_stretches(tokens: Sequence[str], weights: Weights, threads: int) -> Iterator[Stretch]:
    """What `read_states` gives, a window after the other, so that nobody need hold all of it.

    Each window is read on its own, so that the result depends on nothing but the document.
    """
    pieces = [weights.pieces.word(token) for token in tokens]
    numbers = {name: number for number, name in enumerate(weights.labels.shapes)}
    shapes = [numbers.get(shape(token), 0) for token in tokens]

    def read(window: PieceWindow) -> npt.NDArray[np.float32]:
        rows, shaped, places = [weights.pieces.start], [0], []
        for place in range(window.first, window.last):
            own = pieces[place]
            places.append((len(rows), len(rows) + len(own) - 1))
            rows += own
            shaped += [shapes[place]] * len(own)
        rows.append(weights.pieces.end)
        shaped.append(0)
        inputs: Arrays = {
            "embeddings": weights.embeddings(np.array([rows], np.int64)),
            "mask": np.ones((1, len(rows)), np.int64),
            "shapes": np.array([shaped], np.int64),
            "words": np.array([places], np.int64),
        }
        states = weights.run("coref", inputs, ("states",))["states"][0]
        kept: npt.NDArray[np.float32] = states[
            window.begin - window.first : window.end - window.first
        ]
        return kept

    windows = cut([len(own) for own in pieces], weights.labels.positions - SPECIAL)
    for window, states in zip(windows, spread(read, windows, threads), strict=True):
        yield window.begin, window.end, states
