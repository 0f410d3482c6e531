"""Scores of candidates and phrases written freely: what the models do once they are trained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models import Ranking, candidates_of, ordered
from tatian.training.encoder_decoder.network import (
    LoadedRanker,
    classify,
    encode,
    phrase_ids,
    text_ids,
    written,
)

BEAMS = 10
LONGEST = 100
TOGETHER = 96
"""Candidates in one batch, of instances whose texts are encoded once each."""
Tensor = Any


def rank(loaded: LoadedRanker, instances: Sequence[Instance]) -> list[Ranking]:
    """All candidates of each instance, best first."""
    candidates = [candidates_of(one) for one in instances]
    scores = scored(loaded, instances, candidates)
    return [ordered(*pair) for pair in zip(candidates, scores, strict=True)]


def scored(
    loaded: LoadedRanker, instances: Sequence[Instance], phrases: Sequence[Sequence[str]]
) -> list[list[float]]:
    """From 0 to 1 for each phrase of each instance: its likelihood, or that of being right."""
    loaded.modules.eval()
    texts = [text_ids(loaded, one) for one in instances]
    rows = [[phrase_ids(loaded, phrase) for phrase in one] for one in phrases]
    found: list[list[float]] = [[] for _ in instances]
    order = sorted(range(len(instances)), key=lambda index: len(texts[index]))
    with torch.inference_mode(), _half(loaded):
        for group in _groups(order, rows):
            values = _values(loaded, [texts[i] for i in group], [rows[i] for i in group])
            for index in group:
                found[index] = [float(next(values)) for _ in rows[index]]
    return found


def _groups(order: Sequence[int], rows: Sequence[Sequence[object]]) -> list[list[int]]:
    """Instances that are computed together: as many as have `TOGETHER` candidates."""
    found: list[list[int]] = []
    held = 0
    for index in order:
        if not rows[index]:
            continue
        held += len(rows[index])
        if not found or held > TOGETHER:
            found.append([])
            held = len(rows[index])
        found[-1].append(index)
    return found


def _values(loaded: LoadedRanker, texts: list[list[int]], phrases: list[list[list[int]]]) -> Any:
    owners = [at for at, rows in enumerate(phrases) for _ in rows]
    flat = [row for rows in phrases for row in rows]
    if loaded.head is None:
        logits, labels = written(loaded, *_expanded(loaded, texts, owners), flat)
        return iter(likelihoods(loaded, logits, labels).tolist())
    if loaded.setup.whole:
        flat = [texts[owner] + row for owner, row in zip(owners, flat, strict=True)]
        logits = classify(loaded, *encode(loaded, flat), flat)
    else:
        logits = classify(loaded, *_expanded(loaded, texts, owners), flat)
    return iter(logits.float().softmax(-1)[:, 1].tolist())


def _expanded(
    loaded: LoadedRanker, texts: list[list[int]], owners: list[int]
) -> tuple[Tensor, Tensor]:
    """Each text encoded once and shared by its candidates."""
    states, mask = encode(loaded, texts)
    index = torch.tensor(owners, device=loaded.device)
    return states[index], mask[index]


def likelihoods(loaded: LoadedRanker, logits: Tensor, labels: Tensor) -> Tensor:
    """Exp of the mean log probability of a phrase's tokens and of its end, as the original code.

    The token with which every text of the tokenizer begins, if it has one, tells nothing and is
    left out.
    """
    counted = (labels != -100) & (labels != _begin(loaded))
    sure = logits.float().log_softmax(-1)
    each = sure.gather(-1, labels.clamp(min=0)[..., None])[..., 0] * counted
    return (each.sum(-1) / counted.sum(-1).clamp(min=1)).exp()


def _begin(loaded: LoadedRanker) -> int:
    begin = loaded.tokenizer.bos_token_id
    return -100 if begin is None else int(begin)


def generate(
    loaded: LoadedRanker, instance: Instance, limit: int = BEAMS
) -> list[tuple[str, float]]:
    """The phrases of a beam search with their likelihoods, best first (Appendix D.2).

    All hypotheses are kept, as the papers do, not only the best one.
    """
    loaded.modules.eval()
    beams = max(BEAMS, limit)
    ids = torch.tensor([text_ids(loaded, instance)], device=loaded.device)
    begins = loaded.model.generation_config.forced_bos_token_id is not None
    with torch.inference_mode(), _half(loaded):
        sequences = loaded.model.generate(
            input_ids=ids,
            attention_mask=torch.ones_like(ids),
            do_sample=False,
            num_beams=beams,
            num_return_sequences=beams,
            length_penalty=1.0,
            no_repeat_ngram_size=2,
            min_new_tokens=2 if begins else 1,
            max_new_tokens=min(LONGEST, _positions(loaded)),
            early_stopping=True,
        )
    texts = loaded.tokenizer.batch_decode(sequences, skip_special_tokens=True)
    phrases = list(dict.fromkeys(" ".join(text.split()) for text in texts if text.strip()))
    (values,) = scored(loaded, [instance], [phrases])
    return list(ordered(phrases, values)[:limit])


def _positions(loaded: LoadedRanker) -> int:
    found = getattr(loaded.model.config, "max_position_embeddings", None)
    return found - 1 if isinstance(found, int) else LONGEST


def _half(loaded: LoadedRanker) -> Any:
    """Half precision where the device is made for it."""
    device = loaded.device.partition(":")[0]
    return torch.autocast(device, torch.bfloat16, enabled=device == "cuda")
