"""Names as label sequences: a loss that allows for labels nobody has decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from tatian.training.examples import NOTHING, Batch

Tensor = Any
_IMPOSSIBLE = -1e4


def name_loss(scores: Tensor, transitions: Tensor, batch: Batch, labels: Sequence[str]) -> Tensor:
    """Minus the log chance of all label sequences that agree with the annotation, per word.

    Any label agrees with a word that has none; where a source does not mark MISC, its ``O``
    agrees with O and MISC.
    """
    scores, transitions = scores.float(), transitions.float()
    targets = batch["names"]
    present = batch["words"][:, :, 0] > 0
    agreeing = allowed_labels(targets, batch["all_kinds"], labels)
    kept = scores.masked_fill(~agreeing, _IMPOSSIBLE)
    both = torch.cat((kept, scores)), torch.cat((present, present))
    agreed, everything = log_partition(*both, transitions).chunk(2)
    known = (targets != NOTHING).any(1)
    words = (present & known[:, None]).sum().clamp(min=1)
    return ((everything - agreed) * known).sum() / words


def allowed_labels(targets: Tensor, all_kinds: Tensor, labels: Sequence[str]) -> Tensor:
    """Which labels agree with each word's annotation."""
    count = len(labels)
    agreeing = torch.nn.functional.one_hot(targets.clamp(min=0), count).bool()
    open_labels = torch.tensor(
        [label == "O" or label.endswith("MISC") for label in labels], device=targets.device
    )
    loose = (targets == labels.index("O")) & ~all_kinds[:, None]
    agreeing = agreeing | (loose.unsqueeze(-1) & open_labels)
    return agreeing | (targets == NOTHING).unsqueeze(-1)


def log_partition(scores: Tensor, present: Tensor, transitions: Tensor) -> Tensor:
    """The log sum over all label sequences, by halving the sentence until one step is left."""
    count = scores.shape[-1]
    steps = transitions + scores[:, 1:, None, :]
    nothing = torch.full_like(transitions, _IMPOSSIBLE)
    nothing.fill_diagonal_(0.0)
    steps = torch.where(present[:, 1:, None, None], steps, nothing)
    while steps.shape[1] > 1:
        if steps.shape[1] % 2:
            steps = torch.cat((steps, nothing.expand(len(steps), 1, count, count)), 1)
        left, right = steps[:, ::2], steps[:, 1::2]
        steps = torch.logsumexp(left.unsqueeze(-1) + right.unsqueeze(-3), dim=-2)
    first = scores[:, 0]
    if steps.shape[1]:
        first = torch.logsumexp(first.unsqueeze(-1) + steps[:, 0], dim=1)
    return torch.logsumexp(first, dim=-1)
