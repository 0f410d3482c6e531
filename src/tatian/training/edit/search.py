"""Beam search of the PyTorch model, many pairs at once, to measure it after training.

What users get is found by `tatian.union.models.edit.search`, one pair at a time.
"""

from __future__ import annotations

from typing import Any

import torch

from tatian.training.edit.model import BEGIN, EditModel, inputs_of, places_of, state_features
from tatian.union.models.edit.decoder import END, FIRST
from tatian.union.models.edit.search import BARRED, Walk
from tatian.union.models.edit.state import USED

Tensor = Any
ALPHA = 0.7
"""Length normalisation."""
ENDS = 3
"""Walks that may end at each step."""
_NEVER = -1e9


@torch.no_grad()
def beam_search(
    model: EditModel, memory: Tensor, batch: dict[str, Tensor], *, beams: int = 6
) -> list[list[tuple[float, Walk]]]:
    """The best walks of each pair with their scores, best first."""
    count, words = batch["sentence"].shape
    device = memory.device
    memory = memory.repeat_interleave(beams, 0)
    sentence, stems, content, present = (
        batch[name].repeat_interleave(beams, 0)
        for name in ("sentence", "stems", "content", "present")
    )
    walks = torch.zeros((count * beams, 0), dtype=torch.long, device=device)
    begin = torch.full((count * beams, 1), BEGIN, device=device)
    nowhere = torch.full((count * beams, 1), -1, device=device)
    scores = torch.full((count, beams), _NEVER, device=device)
    scores[:, 0] = 0.0
    first_rows = torch.arange(count, device=device)[:, None] * beams
    done: list[list[tuple[float, Walk]]] = [[] for _ in range(count)]
    for step in range(min(model.shape.longest - 1, words + 8)):
        places = torch.cat((places_of(walks), nowhere), 1)
        features = state_features(sentence, stems, content, places)
        given = torch.cat((begin, inputs_of(walks)), 1)
        logits = model.decode(memory, present, given, features)[:, -1].float()
        used = features[:, -1, :, USED] > 0
        logits[:, FIRST:] = logits[:, FIRST:].masked_fill(used, BARRED)
        total = torch.log_softmax(logits, -1).view(count, beams, -1) + scores.unsqueeze(-1)
        ended, which = total[:, :, END].topk(min(ENDS, beams), 1)
        for pair, (values, rows) in enumerate(zip(ended.tolist(), which.tolist(), strict=True)):
            for value, row in zip(values, rows, strict=True):
                if value > _NEVER / 2:
                    walk = tuple(walks[pair * beams + row].tolist())
                    done[pair].append((value / (step + 1) ** ALPHA, walk))
        total[:, :, END] = _NEVER
        scores, index = total.view(count, -1).topk(beams, 1)
        rows = (first_rows + index // total.shape[-1]).view(-1)
        items = (index % total.shape[-1]).view(-1, 1)
        walks = torch.cat((walks[rows], items), 1)
    return [sorted(found, key=lambda one: -one[0]) for found in done]
