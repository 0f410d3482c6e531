"""Training of the local merger's adapter: two or three sentences in, one sentence out.

    python benchmarks/merger_train.py FOLDER --base GGUF --plan PLAN -o OUT     needs a GPU

FOLDER is the output of `merger_data.py`; only torch, transformers and gguf are needed. PLAN is a
JSON list of runs, each with a `name` and optional settings; a run with `mean` is the average of the
runs that it names. A run with `drafts` words every pair so many times more by sampling. With
`judge`, the path of the judge's adapter, each draft is judged: log-odds that the sentences support
it, and that it supports each sentence.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from judge_adapter import (
    MODULES,
    Log,
    Plan,
    adapt,
    batch_by_length,
    fit,
    put,
    read_adapter,
    restore,
)

SYSTEM = (
    "Merge the sentences into one sentence that says everything they say, once, in their words. "
    "If they contradict each other or have nothing in common, answer: no"
)
TOKENS = 12000
"""Number of tokens of a batch, including padding."""
LONGEST = 160
"""Most tokens of a draft."""


def prompt(sentences: Sequence[str], date: str = "") -> str:
    """Return the conversation up to the answer."""
    listed = "\n".join(f"{number}. {text}" for number, text in enumerate(sentences, 1))
    dated = f"Date: {date}\n" if date else ""
    return (
        f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\n{dated}{listed}<|im_end|>\n"
        "<|im_start|>assistant\n"
    )


class Run:
    """One base model with one adapter at a time."""

    def __init__(self, model: Any, tokenizer: Any, log: Log) -> None:
        self.model, self.tokenizer, self.log = model, tokenizer, log
        self.device = next(model.parameters()).device
        self.no = self.ids("no")[0]
        self.end = self.ids("<|im_end|>")[0]

    def ids(self, text: str) -> list[int]:
        """Return the tokens of a text."""
        ids: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

    def examples(self, rows: Sequence[dict[str, Any]], rng: random.Random) -> list[Any]:
        """Return prompts and answers as tokens, the sentences in random order."""
        pairs = []
        for row in rows:
            sentences = list(row["sentences"])
            rng.shuffle(sentences)
            date = row.get("date", "") if rng.random() < 0.7 else ""
            pairs.append((self.ids(prompt(sentences, date)), [*self.ids(row["answer"]), self.end]))
        return pairs

    def train(self, rows: Sequence[dict[str, Any]], settings: argparse.Namespace) -> dict[str, Any]:
        """Fit an adapter and return it."""

        def make_batches(rng: random.Random) -> list[Any]:
            return batch_by_length(self.examples(rows, rng), _length, settings.tokens, most=24)

        return fit(self.model, settings, make_batches, self.loss, self.log)

    def loss(self, batch: Sequence[tuple[list[int], list[int]]]) -> Any:
        """Return the loss of the answers' tokens."""
        import torch
        from torch.nn import functional

        longest = max(map(_length, batch))
        ids = torch.zeros((len(batch), longest), dtype=torch.long)
        labels = torch.full((len(batch), longest), -100)
        for place, (asked, answer) in enumerate(batch):
            ids[place, : len(asked) + len(answer)] = torch.tensor(asked + answer)
            labels[place, len(asked) : len(asked) + len(answer)] = torch.tensor(answer)
        hidden = self.model.model(input_ids=ids.to(self.device), use_cache=False).last_hidden_state
        labels = labels.to(self.device)
        learned = labels[:, 1:] != -100
        logits = self.model.lm_head(hidden[:, :-1][learned]).float()
        return functional.cross_entropy(logits, labels[:, 1:][learned])

    def write(
        self, rows: Sequence[dict[str, Any]], drafts: int, temperature: float, size: int
    ) -> list[dict[str, Any]]:
        """Return the greedy wording of each pair, sampled ones, and the log-odds of a refusal."""
        import torch

        results: list[dict[str, Any]] = [{} for _ in rows]
        asked = [self.ids(prompt(row["sentences"], row.get("date", ""))) for row in rows]
        order = sorted(range(len(rows)), key=lambda place: len(asked[place]))
        for first in range(0, len(order), size):
            places = order[first : first + size]
            longest = max(len(asked[place]) for place in places)
            ids = torch.full((len(places), longest), self.end)
            mask = torch.zeros((len(places), longest), dtype=torch.long)
            for line, place in enumerate(places):
                ids[line, longest - len(asked[place]) :] = torch.tensor(asked[place])
                mask[line, longest - len(asked[place]) :] = 1
            ids, mask = ids.to(self.device), mask.to(self.device)
            with torch.no_grad():
                positions = (mask.cumsum(1) - 1).clamp(min=0)
                hidden = self.model.model(
                    input_ids=ids, attention_mask=mask, position_ids=positions
                ).last_hidden_state
                logs = self.model.lm_head(hidden[:, -1]).float().log_softmax(-1)
                refusal = logs[:, self.no]
                odds = refusal - torch.log1p(-refusal.exp().clamp(max=1 - 1e-6))
                written = []
                for number in range(drafts + 1):
                    chosen = {"do_sample": True, "temperature": temperature, "top_p": 0.95}
                    out = self.model.generate(
                        input_ids=ids,
                        attention_mask=mask,
                        max_new_tokens=LONGEST,
                        eos_token_id=self.end,
                        pad_token_id=self.end,
                        begin_suppress_tokens=[self.no],
                        **(chosen if number else {"do_sample": False}),
                    )
                    written.append(
                        self.tokenizer.batch_decode(out[:, longest:], skip_special_tokens=True)
                    )
            for line, place in enumerate(places):
                results[place] = {
                    "drafts": [batch[line].strip() for batch in written],
                    "refusal": round(float(odds[line]), 3),
                }
        return results


def _length(example: tuple[list[int], list[int]]) -> int:
    return len(example[0]) + len(example[1])


class Judge:
    """The judge's shipped adapter on the same base."""

    def __init__(self, run: Run, path: Path, rules: dict[str, str]) -> None:
        self.run, self.rules = run, rules
        restore(run.model)
        matrices = read_adapter(path, run.device)
        rank = len(next(iter(matrices.values()))[0])
        put(adapt(run.model, rank, 2 * rank, MODULES), matrices)
        run.model.eval()
        self.yes, self.no = run.ids("yes")[0], run.ids("no")[0]

    def odds(self, asked: Sequence[tuple[Sequence[str], str]], size: int = 128) -> list[float]:
        """Return the log-odds that some texts support each sentence."""
        import torch

        rules, log_odds = self.rules, [0.0] * len(asked)
        ids = []
        for sources, sentence in asked:
            described = "\n\n".join(f"Account: {source}" for source in sources)
            ids.append(
                self.run.ids(
                    rules["head"]
                    + described
                    + rules["foot"]
                    + rules["turn"]
                    + "Sentence: "
                    + sentence
                    + rules["answer"]
                )
            )
        order = sorted(range(len(ids)), key=lambda place: len(ids[place]))
        for first in range(0, len(order), size):
            places = order[first : first + size]
            longest = max(len(ids[place]) for place in places)
            batch = torch.zeros((len(places), longest), dtype=torch.long)
            for line, place in enumerate(places):
                batch[line, : len(ids[place])] = torch.tensor(ids[place])
            with torch.no_grad():
                hidden = self.run.model.model(
                    input_ids=batch.to(self.run.device), use_cache=False
                ).last_hidden_state
                last = torch.tensor([len(ids[place]) - 1 for place in places])
                logits = self.run.model.lm_head(hidden[torch.arange(len(places)), last]).float()
            for line, place in enumerate(places):
                log_odds[place] = round(float(logits[line, self.yes] - logits[line, self.no]), 3)
        return log_odds


def train(plan: Plan) -> None:
    """Run the experiments of a plan in turn, and word the pairs of its sets by each."""
    tasks, log = plan.tasks, plan.log
    run = Run(plan.model, plan.tokenizer, log)
    log("loaded")

    def train_run(settings: argparse.Namespace) -> dict[str, Any]:
        rows = [
            row for name, times in settings.sets.items() for row in tasks["train"][name] * times
        ]
        log(len(rows), "examples")
        return run.train(rows, settings)

    defaults = {"bits": [4, 5], "tokens": TOKENS, "sets": dict.fromkeys(tasks["train"], 1)} | {
        "drafts": 0,
        "temperature": 0.7,
        "judge": "",
        "uses": ["tune"],
        "batch": 300,
    }
    for settings, adapters in plan.runs(defaults, train_run):
        if settings.keep:
            plan.quantise(adapters, settings.bits)
            plan.keep(adapters, settings)
        results = {}
        for use in settings.uses:
            for name, rows in tasks[use].items():
                results[name] = run.write(
                    rows, settings.drafts, settings.temperature, settings.batch
                )
        log("worded", sum(map(len, results.values())))
        if settings.judge:
            judge = Judge(run, Path(settings.judge), tasks["rules"])
            for use in settings.uses:
                for name, rows in tasks[use].items():
                    add_odds(judge, rows, results[name])
            log("judged")
        (plan.folder / f"{settings.name}.json").write_text(json.dumps(results), encoding="utf-8")


def add_odds(judge: Judge, rows: Sequence[dict[str, Any]], results: list[dict[str, Any]]) -> None:
    """Add to each draft the log-odds that it is supported, and that it supports each sentence."""
    asked: list[tuple[Sequence[str], str]] = []
    for row, result in zip(rows, results, strict=True):
        for draft in result["drafts"]:
            asked.append((row["sentences"], draft))
            asked.extend(([draft], sentence) for sentence in row["sentences"])
    odds = iter(judge.odds(asked))
    for row, result in zip(rows, results, strict=True):
        result["judged"] = [
            [next(odds) for _ in range(1 + len(row["sentences"]))] for _ in result["drafts"]
        ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    train(Plan(__doc__.splitlines()[0], arguments))


if __name__ == "__main__":
    main()
