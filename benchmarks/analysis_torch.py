"""Time of a tokens network of the same shape in PyTorch's eager mode, run by a Python that has it.

Reads {"labels": {...}, "lengths": [[pieces, words], ...], "threads": n, "batches": [1, 32],
"repeat": n} and answers with the seconds of each pass by batch size. Weights are random: they do
not change the time.
"""

from __future__ import annotations

import json
import sys
import time


def main() -> None:
    """Answer one request."""
    import torch

    from tatian.training.model import BodyShape, TokensModel
    from tatian.training.tokens import HeadSizes

    request = json.load(sys.stdin)
    torch.set_num_threads(request["threads"])
    labels = request["labels"]
    fields = ("upos", "xpos", "features", "scripts", "names", "relations", "shapes", "endings")
    sizes = HeadSizes(**{field: len(labels[field]) for field in fields})
    model = TokensModel(BodyShape(), sizes).eval()
    lengths = sorted(request["lengths"])
    answer = {"version": torch.__version__, "seconds": {}}
    for size in request["batches"]:
        batches = []
        for start in range(0, len(lengths), size):
            part = lengths[start : start + size]
            time_, words = max(p for p, _ in part), max(w for _, w in part)
            ones = torch.ones(len(part), time_, dtype=torch.int64)
            batches.append(
                (
                    torch.randn(len(part), time_, 384) * 0.05,
                    ones,
                    torch.zeros_like(ones),
                    torch.ones(len(part), words, 2, dtype=torch.int64),
                    torch.zeros(len(part), words, 2, dtype=torch.int64),
                )
            )
        seconds = []
        with torch.inference_mode():
            for inputs in batches[:3]:
                model(*inputs)
            for _ in range(request["repeat"]):
                begun = time.perf_counter()
                for inputs in batches:
                    model(*inputs)
                seconds.append(time.perf_counter() - begun)
        answer["seconds"][str(size)] = seconds
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
