"""How well a resolver in training does on documents kept out, resolved as the runtime would."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tatian.analysis.pieces import as_document
from tatian.coreference.metrics.documents import score
from tatian.coreference.models.decisions import DecodedDocument
from tatian.coreference.models.network import Network
from tatian.coreference.models.resolver import SINGLETONS
from tatian.coreference.words import Text
from tatian.scoring.gap import GapScores, decided
from tatian.text import CHAINS, Authorship, Chain, Document, Mention, Span
from tatian.training.coref.data import CorefData, CorefDocument, Places, Question
from tatian.training.coref.losses import GAP_SCHEME
from tatian.training.coref.model import CorefModel, head_arrays

States = Callable[[CorefDocument], npt.NDArray[np.float32]]
"""The encoder's states of a document's words."""
JUDGED = (("gum", "ontonotes"), ("gum", "gum"), ("litbank", "litbank"))
"""Corpus and scheme of what is measured, beside GAP."""
_MADE = Authorship(by="training")


def network_of(model: CorefModel) -> Network:
    """The heads of a model as the runtime reads them."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "coref.npz")
        np.savez(path, **head_arrays(model))
        return Network(path)


class ResolverJudge:
    """Resolves the documents that were kept out, and scores them."""

    def __init__(self, states: States, network: Network) -> None:
        self.states = states
        self.network = network

    def scores(self, data: CorefData) -> dict[str, float]:
        """F1 by corpus, scheme and metric; what there are no documents for is left out."""
        found: dict[str, float] = {}
        for corpus, scheme in JUDGED:
            told = [one for one in data.part(corpus, "dev") if scheme in one.chains]
            if told:
                key = [spelled(one, one.chains[scheme]) for one in told]
                given = [self.resolved(one, scheme) for one in told]
                marked = score(key, given, match="exact", singletons=SINGLETONS[scheme])
                for metric in ("muc", "b3", "ceafe", "conll"):
                    found[f"{corpus}/{scheme}/{metric}"] = marked.rates(metric).f1
        asked = data.part("gap", "dev")
        if asked:
            found["gap/f1"] = self.gap(asked).rates().f1
        return found

    def resolved(self, told: CorefDocument, scheme: str) -> Document:
        """A document with the chains that the runtime finds."""
        text = Text(told.analysis)
        vectors = self.network.vectors(self.states(told), text.features)
        decoding = DecodedDocument(spelled(told, ()), text, vectors, self.network, threads=1)
        pairs = decoding.pairs(scheme, None)
        chains = decoding.chains(scheme, pairs, singletons=SINGLETONS[scheme])
        return decoding.document.with_layer(CHAINS, chains, _MADE)

    def gap(self, asked: Sequence[CorefDocument]) -> GapScores:
        """The task's own figures."""
        return GapScores(
            tuple(
                decided(
                    told.id,
                    told.analysis.tokens[question.pronoun],
                    question.answers,
                    self.answers(told, question),
                )
                for told in asked
                if (question := told.question) is not None
            )
        )

    def answers(self, told: CorefDocument, asked: Question) -> list[bool]:
        """Whether the pronoun's chain has a mention whose head is in each name, where it stands."""
        document = self.resolved(told, GAP_SCHEME)
        tokens = document.tokens
        pronoun = tokens[asked.pronoun]
        linked = [
            one.head or one
            for chain in document.get(CHAINS)
            if any((one.start, one.end) == (pronoun.start, pronoun.end) for one in chain.mentions)
            for one in chain.mentions
        ]
        names = [Span(tokens[first].start, tokens[end - 1].end) for first, end in asked.names]
        return [any(name.contains(one) for one in linked) for name in names]


def spelled(told: CorefDocument, chains: Sequence[Sequence[Places]]) -> Document:
    """A document of the words alone, with chains on them."""
    document = as_document([told.analysis.tokens], told.id)
    tokens = document.tokens
    made = [
        Chain(
            f"{told.id}#{number}",
            tuple(Mention(tokens[first].start, tokens[end - 1].end) for first, end in mentions),
        )
        for number, mentions in enumerate(chains)
    ]
    return document.with_layer(CHAINS, made, _MADE)
