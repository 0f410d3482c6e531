"""Scores of a resolver in training on held-out documents."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.analysis.pieces import as_document
from tatian.coreference.metrics.documents import score
from tatian.coreference.models.decisions import DecodedDocument
from tatian.coreference.models.network import Network
from tatian.coreference.models.resolver import SINGLETONS
from tatian.coreference.words import Text
from tatian.scoring.gap import GapScores, make_example
from tatian.text import CHAINS, Authorship, Chain, Document, Mention, Span
from tatian.training.coref.data import CorefData, CorefDocument, Question, WordRange
from tatian.training.coref.losses import GAP_SCHEME
from tatian.training.coref.model import CorefModel, head_arrays

States = Callable[[CorefDocument], npt.NDArray[np.float32]]
"""Returns the encoder's states of a document's words."""
SCORED_CORPORA = (("gum", "ontonotes"), ("gum", "gum"), ("litbank", "litbank"))
"""Corpus and scheme of the scores, beside GAP."""
_AUTHOR = Authorship(by="training")


def network_of(model: CorefModel) -> Network:
    """Return the heads of a model as the run-time network."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "coref.npz")
        np.savez(path, **head_arrays(model))
        return Network(path)


class ResolverJudge(Struct, frozen=True):
    """Scorer of a resolver on the held-out documents."""

    states: States
    network: Network

    def scores(self, data: CorefData) -> dict[str, float]:
        """Return F1 by corpus, scheme and metric."""
        f1_scores: dict[str, float] = {}
        for corpus, scheme in SCORED_CORPORA:
            documents = [doc for doc in data.part(corpus, "dev") if scheme in doc.chains]
            if documents:
                key = [with_chains(document, document.chains[scheme]) for document in documents]
                response = [self.resolved(document, scheme) for document in documents]
                scores = score(key, response, match="exact", singletons=SINGLETONS[scheme])
                for metric in ("muc", "b3", "ceafe", "conll"):
                    f1_scores[f"{corpus}/{scheme}/{metric}"] = scores.rates(metric).f1
        questions = data.part("gap", "dev")
        if questions:
            f1_scores["gap/f1"] = self.gap(questions).rates().f1
        return f1_scores

    def resolved(self, sample: CorefDocument, scheme: str) -> Document:
        """Return a document with the chains that are found as at run time."""
        text, document = Text(sample.analysis), with_chains(sample, ())
        vectors = self.network.vectors(self.states(sample), text.features)
        decoded = DecodedDocument(document, text, vectors, self.network, threads=1)
        pairs = decoded.pairs(scheme, None)
        chains = decoded.chains(scheme, pairs, singletons=SINGLETONS[scheme])
        return document.with_layer(CHAINS, chains, _AUTHOR)

    def gap(self, questions: Sequence[CorefDocument]) -> GapScores:
        """Return the scores of the GAP task."""
        return GapScores(
            tuple(
                make_example(
                    document.id,
                    document.analysis.tokens[question.pronoun],
                    question.answers,
                    self.answers(document, question),
                )
                for document in questions
                if (question := document.question) is not None
            )
        )

    def answers(self, sample: CorefDocument, question: Question) -> list[bool]:
        """Return for each name whether it contains the head of a mention of the pronoun's chain."""
        document = self.resolved(sample, GAP_SCHEME)
        tokens = document.tokens
        pronoun = tokens[question.pronoun]
        linked = [
            mention.head or mention
            for chain in document.get(CHAINS)
            if any(
                (mention.start, mention.end) == (pronoun.start, pronoun.end)
                for mention in chain.mentions
            )
            for mention in chain.mentions
        ]
        names = [Span(tokens[first].start, tokens[end - 1].end) for first, end in question.names]
        return [any(name.contains(mention) for mention in linked) for name in names]


def with_chains(sample: CorefDocument, chains: Sequence[Sequence[WordRange]]) -> Document:
    """Return a document with the words and chains only."""
    document = as_document([sample.analysis.tokens], sample.id)
    tokens = document.tokens
    layer = [
        Chain(
            f"{sample.id}#{number}",
            tuple(Mention(tokens[first].start, tokens[end - 1].end) for first, end in mentions),
        )
        for number, mentions in enumerate(chains)
    ]
    return document.with_layer(CHAINS, layer, _AUTHOR)
