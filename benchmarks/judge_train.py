"""Training of the local judge's adapter: does a sentence follow from several source documents?

    python benchmarks/judge_train.py FOLDER --base GGUF --plan PLAN -o OUT     needs a GPU

FOLDER is the output of `judge_data.py`; only torch, transformers and gguf are needed. The sentences
about one story are packed behind its source documents, which are read once: each sentence attends
to the documents and itself alone. An epoch then costs a tenth of one with a prompt per sentence.

PLAN is a JSON list of runs, each with a `name` and optional settings. A run with `mean` is not
trained: it is the average of the runs that `mean` names.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from judge_adapter import MODULES, adapt, averaged, export, load_base, restore, rounded

PER_SEQUENCE = 24
"""Number of sentences behind one copy of the documents."""
TOKENS = 9000
"""Number of tokens of a batch, including padding."""


class Tokens:
    """Encoder of prompts as token ids."""

    def __init__(self, tokenizer: Any, rules: dict[str, str]) -> None:
        self._tokenizer, self._rules = tokenizer, rules
        self.yes, self.no = self("yes")[0], self("no")[0]

    def __call__(self, text: str) -> list[int]:
        found: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return found

    def documents(self, sources: Sequence[str]) -> list[int]:
        """Return the tokens of the shared start."""
        return self(self._rules["head"] + "\n\n".join(sources) + self._rules["foot"])

    def claim(self, claim: dict[str, Any], before: str) -> tuple[list[int], list[int]]:
        """Return the tokens of a sentence's turn, and of the answer to learn."""
        context = f"Before it: {before}\n" if before else ""
        asked = self(
            self._rules["turn"] + context + "Sentence: " + claim["text"] + self._rules["answer"]
        )
        if claim["supported"]:
            return asked, self("yes<|im_end|>")
        words = f": {claim['words']}<|im_end|>" if claim["words"] else ""
        return asked, self(f"no ({claim['kind']}){words}")


def sequences(
    some: Sequence[dict[str, Any]], tokens: Tokens, rng: random.Random | None
) -> Iterator[dict[str, Any]]:
    """Yield stories in parts of a few sentences; in training, with shuffled order."""
    for story in some:
        listed = list(story["claims"])
        if rng:
            by_pair: dict[Any, list[dict[str, Any]]] = {}
            for place, one in enumerate(listed):
                by_pair.setdefault((one["set"], one["pair"] or -place - 1), []).append(one)
            groups = list(by_pair.values())
            rng.shuffle(groups)
            listed = [one for group in groups for one in group]
        for first in range(0, len(listed), PER_SEQUENCE):
            chunk = listed[first : first + PER_SEQUENCE]
            sources = list(story["sources"])
            if rng:
                rng.shuffle(sources)
                if rng.random() < 0.3:
                    sources = ["Account: " + one.split(": ", 1)[-1] for one in sources]
            turns = []
            for one in chunk:
                before = ""
                if rng and rng.random() < 0.2:
                    other = rng.choice(listed)
                    before = "" if other["pair"] == one["pair"] else other["text"]
                turns.append(tokens.claim(one, before))
            yield {"start": tokens.documents(sources), "turns": turns, "claims": chunk}


def collate(some: Sequence[dict[str, Any]], pad: int) -> dict[str, Any]:
    """Collate sequences to a batch: ids, positions, attention, and the starts of answers."""
    import torch

    longest = max(_length(one) for one in some)
    longest += -longest % 8
    ids = torch.full((len(some), longest), pad)
    part = torch.full((len(some), longest), -1)
    positions = torch.zeros((len(some), longest), dtype=torch.long)
    answers = torch.full((len(some), longest), -100)
    asked: list[tuple[int, int, dict[str, Any]]] = []
    for row, one in enumerate(some):
        at = len(one["start"])
        ids[row, :at] = torch.tensor(one["start"])
        part[row, :at] = 0
        positions[row, :at] = torch.arange(at)
        first = at
        for number, ((turn, answer), claim) in enumerate(
            zip(one["turns"], one["claims"], strict=True), 1
        ):
            end = at + len(turn) + len(answer)
            ids[row, at:end] = torch.tensor(turn + answer)
            part[row, at:end] = number
            positions[row, at:end] = torch.arange(first, first + end - at)
            asked.append((row, at + len(turn) - 1, claim))
            answers[row, at + len(turn) : end] = torch.tensor(answer)
            at = end
    order = torch.arange(longest)
    seen = (part[:, None, :] == 0) | (part[:, None, :] == part[:, :, None])
    seen &= order[None, None, :] <= order[None, :, None]
    seen |= torch.eye(longest, dtype=torch.bool)[None]
    return {
        "ids": ids,
        "positions": positions,
        "seen": seen[:, None],
        "answers": answers,
        "asked": asked,
    }


def _length(one: dict[str, Any]) -> int:
    return len(one["start"]) + sum(len(turn) + len(answer) for turn, answer in one["turns"])


def batched(
    listed: list[dict[str, Any]], budget: int, rng: random.Random | None
) -> list[list[dict[str, Any]]]:
    """Group sequences of similar length."""
    found: list[list[dict[str, Any]]] = []
    for one in sorted(listed, key=_length):
        if found and (len(found[-1]) + 1) * _length(one) <= budget:
            found[-1].append(one)
        else:
            found.append([one])
    if rng:
        rng.shuffle(found)
    return found


class Run:
    """A model with its tokenizer, for training and judging."""

    def __init__(self, model: Any, tokens: Tokens, log: Callable[..., None]) -> None:
        self.model, self.tokens, self.log = model, tokens, log
        self.device = next(model.parameters()).device

    def odds(self, batch: dict[str, Any]) -> tuple[Any, Any]:
        """Return the log-odds of each sentence of a batch, and the hidden states."""
        import torch

        rows = torch.tensor([row for row, _, _ in batch["asked"]], device=self.device)
        places = torch.tensor([place for _, place, _ in batch["asked"]], device=self.device)
        kind = next(self.model.parameters()).dtype
        mask = torch.zeros(batch["seen"].shape, dtype=kind, device=self.device)
        mask.masked_fill_(~batch["seen"].to(self.device), torch.finfo(kind).min)
        hidden = self.model.model(
            input_ids=batch["ids"].to(self.device),
            position_ids=batch["positions"].to(self.device),
            attention_mask=mask,
            use_cache=False,
        ).last_hidden_state
        logits = self.model.lm_head(hidden[rows, places]).float()
        return logits[:, self.tokens.yes] - logits[:, self.tokens.no], hidden

    def train(self, stories: list[dict[str, Any]], settings: argparse.Namespace) -> dict[str, Any]:
        """Fit an adapter and return its matrices."""
        import torch
        from torch.nn import functional

        restore(self.model)
        rng = random.Random(settings.seed)
        torch.manual_seed(0)  # all runs start from the same numbers, so that they can be averaged
        adapters = adapt(self.model, settings.rank, 2 * settings.rank, settings.modules)
        torch.manual_seed(settings.seed)
        parameters = [p for one in adapters.values() for p in (one.a, one.b)]
        optimizer = torch.optim.AdamW(
            parameters, lr=settings.lr, weight_decay=0.01, betas=(0.9, 0.98)
        )
        epochs = [
            batched(list(sequences(stories, self.tokens, rng)), TOKENS, rng)
            for _ in range(settings.epochs)
        ]
        total = sum(map(len, epochs))
        self.model.train()
        step = 0
        for number, epoch in enumerate(epochs):
            losses = []
            for some in epoch:
                batch = collate(some, 0)
                odds, hidden = self.odds(batch)
                claims = [claim for _, _, claim in batch["asked"]]
                labels = torch.tensor([float(one["supported"]) for one in claims]).to(odds)
                loss = functional.binary_cross_entropy_with_logits(odds, labels)
                answers = batch["answers"].to(self.device)
                learned = answers[:, 1:] != -100
                words = self.model.lm_head(hidden[:, :-1][learned]).float()
                loss = loss + 0.3 * functional.cross_entropy(words, answers[:, 1:][learned])
                twins = self._twins(batch["asked"])
                if twins:
                    first, second = map(list, zip(*twins, strict=True))
                    loss = loss + 0.5 * functional.softplus(odds[second] - odds[first]).mean()
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

    @staticmethod
    def _twins(asked: Sequence[tuple[int, int, dict[str, Any]]]) -> list[tuple[int, int]]:
        """Return the positions of supported sentences and their wrong twins."""
        pairs: dict[Any, dict[bool, int]] = {}
        for place, (row, _, claim) in enumerate(asked):
            if claim["pair"]:
                key = row, claim["set"], claim["pair"]
                pairs.setdefault(key, {})[claim["supported"]] = place
        return [(one[True], one[False]) for one in pairs.values() if len(one) == 2]

    def judge(self, stories: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any], float]]:
        """Return the log-odds of every sentence, with its story."""
        import torch

        for story in stories:
            for one in story["claims"]:
                one["story"] = story["id"]
        found = []
        with torch.no_grad():
            for some in batched(list(sequences(stories, self.tokens, None)), 4 * TOKENS, None):
                batch = collate(some, 0)
                for (_, _, claim), odds in zip(
                    batch["asked"], self.odds(batch)[0].tolist(), strict=True
                ):
                    found.append((claim["story"], claim, odds))
        return found


def report(judged: Iterable[tuple[str, dict[str, Any], float]]) -> dict[str, Any]:
    """Return balanced accuracy at even odds and at the best threshold, AUC, and shares by kind."""
    rows = [(odds, claim["supported"], claim["kind"]) for _, claim, odds in judged]
    right = [odds for odds, supported, _ in rows if supported]
    wrong = [odds for odds, supported, _ in rows if not supported]
    area = sum((a > b) + 0.5 * (a == b) for a in right for b in wrong) / (len(right) * len(wrong))

    def shares(least: float) -> tuple[float, float]:
        return sum(a >= least for a in right) / len(right), sum(b < least for b in wrong) / len(
            wrong
        )

    best = max((odds for odds, _, _ in rows), key=lambda one: sum(shares(one)))
    kinds: dict[str, list[bool]] = {}
    for odds, supported, kind in rows:
        kinds.setdefault(kind, []).append((odds >= 0) == supported)
    passed, found = shares(0.0)
    return {
        "n": len(rows),
        "auc": round(area, 3),
        "passed": round(passed, 3),
        "found": round(found, 3),
        "balanced": round((passed + found) / 2, 3),
        "best": [round(best, 2), round(sum(shares(best)) / 2, 3)],
        "kinds": {kind: round(sum(v) / len(v), 2) for kind, v in sorted(kinds.items())},
    }


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
    tokens = Tokens(tokenizer, tasks["rules"])
    run = Run(model, tokens, log)
    log("loaded", tokens.yes, tokens.no)
    runs: dict[str, dict[str, tuple[Any, Any]]] = {}
    for entry in json.loads(given.plan.read_text("utf-8")):
        settings = argparse.Namespace(
            **{"rank": 32, "epochs": 3, "lr": 2e-4, "seed": 0, "share": 1.0, "bits": [8, 8]}
            | {"modules": MODULES, "sets": list(tasks["train"]), "keep": False, "mean": []}
            | entry
        )
        log(json.dumps(entry))
        if settings.mean:
            restore(model)
            adapters = adapt(model, settings.rank, 2 * settings.rank, settings.modules)
            _put(adapters, averaged([runs[name] for name in settings.mean]))
            model.eval()
        else:
            some = _merged(tasks, settings)
            log(len(some), "stories", sum(len(x["claims"]) for x in some), "sentences")
            adapters = run.train(some, settings)
        matrices = {name: (one.a.data, one.b.data) for name, one in adapters.items()}
        runs[settings.name] = matrices
        for bits in (None, settings.bits):
            if bits:
                first, second = bits
                matrices = {
                    name: (rounded(a, first), rounded(b, second))
                    for name, (a, b) in matrices.items()
                }
                _put(adapters, matrices)
            scores = {name: report(run.judge(some)) for name, some in tasks["eval"].items()}
            log(settings.name, "as trained" if not bits else f"in {bits} bits")
            for name, score in scores.items():
                log("  ", name, json.dumps(score))
        if settings.keep:
            path = given.o / f"{settings.name}.gguf"
            arrays = {
                name: (a.float().cpu().numpy(), b.float().cpu().numpy())
                for name, (a, b) in matrices.items()
            }
            export(arrays, 2.0 * settings.rank, tuple(settings.bits), path)
            log("wrote", path.name, path.stat().st_size)
            for use in (use for use in ("train", "teach", "eval") if use in tasks):
                said = [
                    [name, story, claim["text"], claim["supported"], round(odds, 3)]
                    for name, some in tasks[use].items()
                    for story, claim, odds in run.judge(some)
                ]
                (given.o / f"{settings.name}-{use}.json").write_text(json.dumps(said))
    restore(model)


def _merged(tasks: dict[str, Any], settings: argparse.Namespace) -> list[dict[str, Any]]:
    """Return stories with their sentences of all training sets, or a share of them."""
    merged: dict[str, dict[str, Any]] = {}
    rng = random.Random(1)
    for name in settings.sets:
        for story in tasks["train"][name]:
            if rng.random() < settings.share:
                one = merged.setdefault(story["id"], {**story, "claims": []})
                one["claims"] = one["claims"] + story["claims"]
    return list(merged.values())


def _put(adapters: dict[str, Any], matrices: dict[str, tuple[Any, Any]]) -> None:
    """Replace the matrices of adapters."""
    for name, one in adapters.items():
        one.a.data, one.b.data = matrices[name]


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
