"""Speed of the language model: side by side with llama.cpp, and what shared beginnings save.

    python benchmarks/language_model.py [--threads N]

Needs 'tatian models install'; llama.cpp is measured where xllamacpp is installed. All times are
processor time, taken in turns in one run; a ratio above 1 means that Tatian is faster.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import time
from collections.abc import Callable
from typing import Any

from tatian.union.models import lm
from tatian.union.models.lm.threads import one_thread
from tatian.union.models.lm.writing import Reading, Style, write

TEXTS = [
    "The ferry Anna ran aground in thick fog off Halverne on Monday with 80 passengers on board.",
    "Nobody was hurt when the ferry struck a rock, the harbour master said, but 12 cars were lost.",
    "The company that owns the ship has promised to repair it within three weeks at its own cost.",
    "Divers found a tear of four metres in the hull and a bent propeller shaft on Tuesday morning.",
]
INSERTED = "early slowly later again quietly also then there once nearly".split()
ROUNDS = 3


def near_copies() -> list[str]:
    """Candidates as a merger makes them: one sentence with a word more, in several places."""
    words = TEXTS[0].split()
    return [
        " ".join([*words[:place], word, *words[place:]])
        for place in (6, 9, 12)
        for word in INSERTED
    ]


def seconds(*tasks: Callable[[], Any]) -> list[float]:
    """The median processor time of each task; they take turns, so that all see the same machine."""
    taken: list[list[float]] = [[] for _ in tasks]
    for _ in range(ROUNDS):
        for task, times in zip(tasks, taken, strict=True):
            begun = time.process_time()
            task()
            times.append(time.process_time() - begun)
    return [statistics.median(times) for times in taken]


class LlamaCpp:
    """The same weights in llama.cpp."""

    def __init__(self, threads: int) -> None:
        xllamacpp = importlib.import_module("xllamacpp")
        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(lm.load().path)
        parameters.n_ctx, parameters.n_parallel, parameters.verbosity = 1024, 1, -1
        parameters.cpuparams.n_threads = threads
        parameters.cpuparams_batch.n_threads = threads
        self._server = xllamacpp.Server(parameters)

    def write(self, ids: list[int], tokens: int) -> Any:
        """Continue a prompt; reading alone is asking for one token."""
        asked = {"prompt": ids, "max_tokens": tokens, "temperature": 0.0, "cache_prompt": False}
        return self._server.handle_completions({**asked, "ignore_eos": True})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--threads", type=int, default=1)
    threads = parser.parse_args().threads
    begun = time.process_time()
    model = lm.load()
    print(f"load: {time.process_time() - begun:.1f} s")
    copies = near_copies()
    together, apart = seconds(
        lambda: model.likelihoods(copies, threads=threads),
        lambda: [model.likelihoods([text], threads=1) for text in copies],
    )
    tokens = sum(one.tokens for one in model.likelihoods(copies))
    print(f"score {len(copies)} near copies: {tokens / together:.0f} tokens/s; ", end="")
    print(f"{apart / together:.1f} times as fast together as one by one")

    prompt = model.pieces.encode(" ".join(TEXTS))
    style = Style(ends=frozenset(), longest=32)
    sources = [model.pieces.encode(f" {text}") for text in TEXTS]

    def read() -> Reading:
        with one_thread:
            return Reading(model.network, prompt)

    def write_one(samples: int = 1) -> None:
        with one_thread:
            write(reading, Style(ends=frozenset(), longest=32, samples=samples), sources=sources)

    reading = read()
    scored, reads, writes, eight = seconds(
        lambda: model.likelihoods(TEXTS, threads=threads), read, write_one, lambda: write_one(8)
    )
    count = sum(one.tokens for one in model.likelihoods(TEXTS))
    print(f"score {len(TEXTS)} different sentences: {count / scored:.0f} tokens/s")
    print(f"read a prompt: {len(prompt) / reads:.0f} tokens/s")
    print(f"write: {style.longest / writes:.0f} tokens/s, ", end="")
    print(f"8 samples at once: {8 * style.longest / eight:.0f} tokens/s")
    try:
        peer = LlamaCpp(threads)
    except ImportError:
        print("llama.cpp: not installed (pip install xllamacpp)")
        return
    ours, theirs, own_writing, their_writing = seconds(
        lambda: model.likelihoods(TEXTS, threads=threads),
        lambda: [peer.write(model.pieces.encode(text), 1) for text in TEXTS],
        write_one,
        lambda: peer.write(prompt, 32),
    )
    print(f"llama.cpp, {threads} threads: reads {count / theirs:.0f} tokens/s without giving the")
    print(f"  tokens' probabilities; ratio of scoring {theirs / ours:.1f}")
    print(f"  reads the prompt and writes in {their_writing:.2f} s; ratio of writing ", end="")
    print(f"{their_writing / (reads + own_writing):.1f}")


if __name__ == "__main__":
    main()
