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
import math
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from judge_adapter import MODULES, adapt, averaged, export, load_base, restore, rounded

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

    def __init__(self, model: Any, tokenizer: Any, log: Callable[..., None]) -> None:
        self.model, self.tokenizer, self.log = model, tokenizer, log
        self.device = next(model.parameters()).device
        self.no = self.ids("no")[0]
        self.end = self.ids("<|im_end|>")[0]

    def ids(self, text: str) -> list[int]:
        """Return the tokens of a text."""
        found: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return found

    def examples(self, rows: Sequence[dict[str, Any]], rng: random.Random) -> list[Any]:
        """Return prompts and answers as tokens, the sentences in random order."""
        found = []
        for row in rows:
            sentences = list(row["sentences"])
            rng.shuffle(sentences)
            date = row.get("date", "") if rng.random() < 0.7 else ""
            found.append((self.ids(prompt(sentences, date)), [*self.ids(row["answer"]), self.end]))
        return found

    def train(self, rows: Sequence[dict[str, Any]], settings: argparse.Namespace) -> dict[str, Any]:
        """Fit an adapter and return it."""
        import torch
        from torch.nn import functional

        restore(self.model)
        rng = random.Random(settings.seed)
        torch.manual_seed(0)  # all runs start from the same numbers, so that they can be averaged
        adapters = adapt(self.model, settings.rank, 2 * settings.rank, settings.modules)
        torch.manual_seed(settings.seed)
        parameters = [p for adapted in adapters.values() for p in (adapted.a, adapted.b)]
        optimizer = torch.optim.AdamW(parameters, lr=settings.lr, weight_decay=0.01)
        epochs = [
            batches(self.examples(rows, rng), settings.tokens, rng) for _ in range(settings.epochs)
        ]
        total, step = sum(map(len, epochs)), 0
        self.model.train()
        for number, epoch in enumerate(epochs):
            losses = []
            for batch in epoch:
                longest = max(len(asked) + len(answer) for asked, answer in batch)
                ids = torch.zeros((len(batch), longest), dtype=torch.long)
                labels = torch.full((len(batch), longest), -100)
                for place, (asked, answer) in enumerate(batch):
                    ids[place, : len(asked) + len(answer)] = torch.tensor(asked + answer)
                    labels[place, len(asked) : len(asked) + len(answer)] = torch.tensor(answer)
                hidden = self.model.model(
                    input_ids=ids.to(self.device), use_cache=False
                ).last_hidden_state
                labels = labels.to(self.device)
                learned = labels[:, 1:] != -100
                logits = self.model.lm_head(hidden[:, :-1][learned]).float()
                loss = functional.cross_entropy(logits, labels[:, 1:][learned])
                loss.backward()
                step += 1
                speed = min(1, step / max(1, 0.06 * total))
                speed *= max(0.02, 0.5 * (1 + math.cos(math.pi * min(1, step / total))))
                for group in optimizer.param_groups:
                    group["lr"] = settings.lr * speed
                norm = torch.nn.utils.clip_grad_norm_(parameters, 1.0)
                if not torch.isfinite(norm):
                    raise SystemExit(f"no finite gradient at step {step}")
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
                losses.append(float(loss))
            self.log("epoch", number + 1, "loss", round(sum(losses) / len(losses), 4), len(losses))
        self.model.eval()
        return adapters

    def write(
        self, rows: Sequence[dict[str, Any]], drafts: int, temperature: float, size: int = 300
    ) -> list[dict[str, Any]]:
        """Return the greedy wording of each pair, sampled ones, and the log-odds of a refusal."""
        import torch

        found: list[dict[str, Any]] = [{} for _ in rows]
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
                found[place] = {
                    "drafts": [one[line].strip() for one in written],
                    "refusal": round(float(odds[line]), 3),
                }
        return found


def batches(examples: list[Any], budget: int, rng: random.Random) -> list[list[Any]]:
    """Return batches of examples of similar length, in random order."""
    found: list[list[Any]] = []
    for example in sorted(examples, key=lambda pair: len(pair[0]) + len(pair[1])):
        length = len(example[0]) + len(example[1])
        if found and (len(found[-1]) + 1) * length <= budget and len(found[-1]) < 24:
            found[-1].append(example)
        else:
            found.append([example])
    rng.shuffle(found)
    return found


class Judge:
    """The judge's shipped adapter on the same base."""

    def __init__(self, run: Run, path: Path, rules: dict[str, str]) -> None:
        import gguf
        import torch

        self.run, self.rules = run, rules
        restore(run.model)
        reader = gguf.GGUFReader(path)
        found = {
            tensor.name: torch.tensor(gguf.quants.dequantize(tensor.data, tensor.tensor_type))
            for tensor in reader.tensors
        }
        rank = len(next(value for name, value in found.items() if name.endswith("lora_a")))
        for name, adapted in adapt(run.model, rank, 2 * rank, MODULES).items():
            adapted.a.data = found[f"{name}.lora_a"].float().to(run.device)
            adapted.b.data = found[f"{name}.lora_b"].float().to(run.device)
        run.model.eval()
        self.yes, self.no = run.ids("yes")[0], run.ids("no")[0]

    def odds(self, asked: Sequence[tuple[Sequence[str], str]], size: int = 128) -> list[float]:
        """Return the log-odds that some texts support each sentence."""
        import torch

        rules, found = self.rules, [0.0] * len(asked)
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
                found[place] = round(float(logits[line, self.yes] - logits[line, self.no]), 3)
        return found


def train(given: argparse.Namespace) -> None:
    """Run the experiments of a plan in turn, on one copy of the base."""
    begun = time.time()
    given.o.mkdir(parents=True, exist_ok=True)
    record = (given.o / "log").open("a", encoding="utf-8")

    def log(*what: Any) -> None:
        line = " ".join(map(str, (f"[{time.time() - begun:.0f}s]", *what)))
        print(line, flush=True)
        print(line, file=record, flush=True)

    tasks = json.loads((given.data / "tasks.json").read_text("utf-8"))
    model, tokenizer = load_base(given.base, log)
    run = Run(model, tokenizer, log)
    log("loaded")
    runs: dict[str, dict[str, tuple[Any, Any]]] = {}
    for entry in json.loads(given.plan.read_text("utf-8")):
        settings = argparse.Namespace(
            **{"rank": 32, "epochs": 3, "lr": 2e-4, "seed": 0, "bits": [4, 5], "tokens": TOKENS}
            | {"modules": MODULES, "sets": dict.fromkeys(tasks["train"], 1), "keep": False}
            | {"mean": [], "drafts": 0, "temperature": 0.7, "judge": "", "uses": ["tune"]}
            | entry
        )
        log(json.dumps(entry))
        if settings.mean:
            restore(model)
            adapters = adapt(model, settings.rank, 2 * settings.rank, settings.modules)
            put(adapters, averaged([runs[name] for name in settings.mean]))
            model.eval()
        else:
            rows = [
                row for name, times in settings.sets.items() for row in tasks["train"][name] * times
            ]
            log(len(rows), "examples")
            adapters = run.train(rows, settings)
        matrices = {name: (adapted.a.data, adapted.b.data) for name, adapted in adapters.items()}
        runs[settings.name] = matrices
        if settings.keep:
            first, second = settings.bits
            matrices = {
                name: (rounded(a, first), rounded(b, second)) for name, (a, b) in matrices.items()
            }
            put(adapters, matrices)
            path = given.o / f"{settings.name}.gguf"
            arrays = {
                name: (a.float().cpu().numpy(), b.float().cpu().numpy())
                for name, (a, b) in matrices.items()
            }
            export(arrays, 2.0 * settings.rank, tuple(settings.bits), path)
            log("wrote", path.name, path.stat().st_size)
        results = {}
        for use in settings.uses:
            for name, rows in tasks[use].items():
                results[name] = run.write(rows, settings.drafts, settings.temperature)
        log("worded", sum(map(len, results.values())))
        if settings.judge:
            judge = Judge(run, Path(settings.judge), tasks["rules"])
            for use in settings.uses:
                for name, rows in tasks[use].items():
                    judged(judge, rows, results[name])
            log("judged")
        (given.o / f"{settings.name}.json").write_text(json.dumps(results), encoding="utf-8")
    restore(model)


def judged(judge: Judge, rows: Sequence[dict[str, Any]], results: list[dict[str, Any]]) -> None:
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


def put(adapters: dict[str, Any], matrices: dict[str, tuple[Any, Any]]) -> None:
    """Replace the matrices of adapters."""
    for name, adapted in adapters.items():
        adapted.a.data, adapted.b.data = matrices[name]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True, help="the GGUF file of the base model")
    parser.add_argument("--plan", type=Path, required=True, help="a JSON list of runs with names")
    train(parser.parse_args(arguments))


if __name__ == "__main__":
    main()
