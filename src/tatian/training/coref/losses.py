"""Losses of the resolver: heads, antecedents and edges of mentions, and GAP."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import torch
from msgspec import Struct
from torch.nn import functional

from tatian.coreference.models.decisions import (
    LOWEST_LOG_ODDS,
    MAX_CANDIDATE_SHARE,
    MAX_CANDIDATES_OF_SHORT,
)
from tatian.coreference.models.network import span_input
from tatian.coreference.models.pairs import DISTANCES, SENTENCES_APART, pair_features
from tatian.coreference.words import SCHEMES
from tatian.training.coref.data import CorefExample, GoldHeads, annotated_words
from tatian.training.coref.model import EXCLUDED_SCORE, CandidatePairs, CorefModel, HeadSentences
from tatian.training.loop import to_device

Tensor = Any
PARTLY_ANNOTATED = ("ecb",)
"""Schemes of corpora with annotation of only some sentences."""
GAP_SCHEME = "ontonotes"
_EXCLUDED_LOG_ODDS = -99.0
_PENALTY_LIMIT = 0.999
"""Probability above which a wrong name is not penalised further."""


class LossWeights(Struct, frozen=True, forbid_unknown_fields=True):
    """Weights of the parts of the loss, and limits on the numbers of words."""

    mention: float = 4.0
    span: float = 0.5
    gap: float = 0.5
    positive: float = 2.0
    """Weight of a word that heads a mention, relative to one that does not."""
    negative: float = 0.5
    """Weight of a candidate that heads no mention, relative to one that does."""
    most: int = 500
    """Maximum number of candidates of a document, besides its gold heads."""
    most_gap: int = 120
    spans: int = 200
    """Maximum number of mentions of a document whose edges are trained."""


class DeviceModel:
    """A model with its embedding table on a device."""

    def __init__(self, model: CorefModel, table: Tensor, device: str) -> None:
        self.model = model.to(device)
        self.table = table.to(device)
        self.device = device

    def tensor(self, array: Any) -> Tensor:
        """Return an array as a tensor on the device."""
        return torch.from_numpy(np.asarray(array)).to(self.device)

    def states(self, example: CorefExample) -> Tensor:
        """Return the body's states of a document: ``[words, width]``."""
        windows = to_device(example.windows, self.device)
        embedded = self.table[windows["rows"]] * windows["mask"].unsqueeze(-1)
        states = self.model.states(embedded, windows["mask"], windows["shapes"], windows["words"])
        return states.flatten(0, 1)[windows["kept"]]

    def vectors(self, example: CorefExample) -> Tensor:
        """Return the input vectors of all heads."""
        return self.model.vectors(self.states(example), self.tensor(example.text.features))

    def pairs(self, example: CorefExample, places: Tensor) -> CandidatePairs:
        """Return the features of all pairs of some words, in the order of the text."""
        codes = self.tensor(example.codes)[places]
        features, between, kinds = pair_features(codes[:, None], codes[None], torch)
        count = len(places)
        order = torch.arange(count, device=self.device)
        distances = (order[:, None] - order[None]).clamp(min=1)
        return CandidatePairs(
            torch.stack([feature.expand(count, count).float() for feature in features], -1),
            torch.bucketize(distances, self.tensor(DISTANCES), right=True),
            torch.bucketize(between, self.tensor(SENTENCES_APART), right=True),
            kinds,
        )

    def antecedents(
        self, example: CorefExample, vectors: Tensor, odds: Tensor, places: Tensor, scheme: int
    ) -> Tensor:
        """Return log-probabilities ``[m, 1 + m]`` of no antecedent, then of each candidate."""
        pairs = self.pairs(example, places)
        scores, none = self.model.antecedents(
            vectors[places], odds[places, scheme].float(), pairs, scheme
        )
        earlier = torch.ones_like(scores, dtype=torch.bool).tril(-1)
        joined = torch.cat((none[:, None], scores.masked_fill(~earlier, EXCLUDED_SCORE)), 1)
        return functional.log_softmax(joined.float(), 1)

    def candidates(
        self,
        example: CorefExample,
        odds: Tensor,
        gold: Collection[int],
        most: int,
        labelled: Any = None,
    ) -> Tensor:
        """Return the likeliest heads of mentions and all gold heads, in the order of the text."""
        text = example.text
        allowed = text.can_head if labelled is None else text.can_head & labelled
        allowed_odds = odds.detach().float().masked_fill(~self.tensor(allowed), _EXCLUDED_LOG_ODDS)
        usual = max(MAX_CANDIDATES_OF_SHORT, int(MAX_CANDIDATE_SHARE * text.count))
        best = torch.topk(allowed_odds, min(most, usual, text.count)).indices
        best = best[allowed_odds[best] > LOWEST_LOG_ODDS]
        return torch.unique(torch.cat((best, self.tensor(np.array(sorted(gold), np.int64)))))

    def sentences_of(self, example: CorefExample, heads: Sequence[int]) -> HeadSentences:
        """Return the features of words in the sentences of some heads."""
        features = span_input(example.text, np.array(heads, np.int64))
        names = ("words", "real", "features", "via", "offsets", "tags")
        return HeadSentences(
            self.tensor(np.array(heads, np.int64)),
            *(self.tensor(getattr(features, name)) for name in names),
        )


class CorefLosses(Struct, frozen=True):
    """Losses of documents and of GAP's questions."""

    on_device: DeviceModel
    weights: LossWeights
    generator: np.random.Generator

    def document(self, example: CorefExample) -> Tensor:
        """Return the loss of all schemes of a document."""
        vectors = self.on_device.vectors(example)
        odds = self.on_device.model.mentions(vectors)
        total = torch.zeros((), device=self.on_device.device)
        for name, gold in example.gold.items():
            if not gold.chains:
                continue
            scheme = SCHEMES.index(name)
            is_partial = name in PARTLY_ANNOTATED
            labelled = annotated_words(example.text, gold.chains) if is_partial else None
            total = total + self.weights.mention * self._mentions(odds[:, scheme], gold, labelled)
            total = total + self._antecedents(example, vectors, odds, gold, scheme, labelled)
            if gold.spans:
                total = total + self.weights.span * self._spans(example, vectors, gold, scheme)
        return total

    def _mentions(self, odds: Tensor, gold: GoldHeads, labelled: Any) -> Tensor:
        targets = torch.zeros_like(odds, dtype=torch.float32)
        targets[self.on_device.tensor(list(gold.chains))] = 1.0
        weight = torch.tensor(self.weights.positive, device=self.on_device.device)
        loss = functional.binary_cross_entropy_with_logits(
            odds.float(), targets, reduction="none", pos_weight=weight
        )
        return loss.mean() if labelled is None else loss[self.on_device.tensor(labelled)].mean()

    def _antecedents(
        self,
        example: CorefExample,
        vectors: Tensor,
        odds: Tensor,
        gold: GoldHeads,
        scheme: int,
        labelled: Any,
    ) -> Tensor:
        """Return the loss of antecedents, where any earlier mention of the chain is correct."""
        on_device, most = self.on_device, self.weights.most
        places = on_device.candidates(example, odds[:, scheme], gold.chains, most, labelled)
        logp = on_device.antecedents(example, vectors, odds, places, scheme)
        chain = on_device.tensor(np.array([gold.chains.get(p, -1) for p in places.tolist()]))
        same = (chain[:, None] == chain[None]) & (chain >= 0)[:, None]
        same = same.tril(-1)
        allowed = torch.cat((~same.any(1, keepdim=True), same), 1)
        loss = -torch.logsumexp(logp.masked_fill(~allowed, EXCLUDED_SCORE), 1)
        weights = torch.where(chain >= 0, 1.0, self.weights.negative)
        return (loss * weights).sum() / weights.sum()

    def _spans(
        self, example: CorefExample, vectors: Tensor, gold: GoldHeads, scheme: int
    ) -> Tensor:
        heads = sorted(gold.spans)
        if len(heads) > self.weights.spans:
            drawn = self.generator.choice(len(heads), self.weights.spans, replace=False)
            heads = [heads[place] for place in sorted(drawn)]
        begin = example.text.begin[heads]
        edges = np.array([gold.spans[head] for head in heads])
        sentences = self.on_device.sentences_of(example, heads)
        first, last = self.on_device.model.spans(vectors, sentences, scheme)
        first_gold = self.on_device.tensor(edges[:, 0] - begin)
        last_gold = self.on_device.tensor(edges[:, 1] - 1 - begin)
        return functional.cross_entropy(first, first_gold) + functional.cross_entropy(
            last, last_gold
        )

    def questions(self, examples: Sequence[CorefExample]) -> Tensor:
        """Return the loss of GAP's questions: direct links of the pronoun with each name."""
        total = torch.zeros((), device=self.on_device.device)
        for example in examples:
            total = total + self._question(example)
        return self.weights.gap * total / max(1, len(examples))

    def _question(self, example: CorefExample) -> Tensor:
        question = example.document.question
        total = torch.zeros((), device=self.on_device.device)
        if question is None:
            return total
        on_device, scheme = self.on_device, SCHEMES.index(GAP_SCHEME)
        vectors = on_device.vectors(example)
        odds = on_device.model.mentions(vectors)
        names = [example.text.head_of(*name) for name in question.names]
        gold = {question.pronoun, *names}
        places = on_device.candidates(example, odds[:, scheme], gold, self.weights.most_gap)
        logp = on_device.antecedents(example, vectors, odds, places, scheme)
        numbers = {place: number for number, place in enumerate(places.tolist())}
        for name, answer in zip(names, question.answers, strict=True):
            if name == question.pronoun:
                continue
            earlier, later = sorted((numbers[name], numbers[question.pronoun]))
            linked = logp[later, 1 + earlier]
            penalty = -torch.log1p(-linked.exp().clamp(max=_PENALTY_LIMIT))
            total = total + (-linked if answer else penalty)
        return total
