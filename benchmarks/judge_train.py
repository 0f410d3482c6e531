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
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from judge_adapter import Log, Plan, batch_by_length, fit

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
        ids: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

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
    stories: Sequence[dict[str, Any]], tokens: Tokens, rng: random.Random | None
) -> Iterator[dict[str, Any]]:
    """Yield stories in parts of a few sentences; in training, with shuffled order."""
    for story in stories:
        listed = list(story["claims"])
        if rng:
            by_pair: dict[Any, list[dict[str, Any]]] = {}
            for place, claim in enumerate(listed):
                by_pair.setdefault((claim["set"], claim["pair"] or -place - 1), []).append(claim)
            groups = list(by_pair.values())
            rng.shuffle(groups)
            listed = [claim for group in groups for claim in group]
        for first in range(0, len(listed), PER_SEQUENCE):
            chunk = listed[first : first + PER_SEQUENCE]
            sources = list(story["sources"])
            if rng:
                rng.shuffle(sources)
                if rng.random() < 0.3:
                    sources = ["Account: " + source.split(": ", 1)[-1] for source in sources]
            turns = []
            for claim in chunk:
                before = ""
                if rng and rng.random() < 0.2:
                    other = rng.choice(listed)
                    before = "" if other["pair"] == claim["pair"] else other["text"]
                turns.append(tokens.claim(claim, before))
            yield {"start": tokens.documents(sources), "turns": turns, "claims": chunk}


def collate(parts: Sequence[dict[str, Any]], pad: int) -> dict[str, Any]:
    """Collate sequences to a batch: ids, positions, attention, and the starts of answers."""
    import torch

    longest = max(_length(part_length) for part_length in parts)
    longest += -longest % 8
    ids = torch.full((len(parts), longest), pad)
    part = torch.full((len(parts), longest), -1)
    positions = torch.zeros((len(parts), longest), dtype=torch.long)
    answers = torch.full((len(parts), longest), -100)
    asked: list[tuple[int, int, dict[str, Any]]] = []
    for row, sequence in enumerate(parts):
        at = len(sequence["start"])
        ids[row, :at] = torch.tensor(sequence["start"])
        part[row, :at] = 0
        positions[row, :at] = torch.arange(at)
        first = at
        for number, ((turn, answer), claim) in enumerate(
            zip(sequence["turns"], sequence["claims"], strict=True), 1
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


def _length(sequence: dict[str, Any]) -> int:
    return len(sequence["start"]) + sum(
        len(turn) + len(answer) for turn, answer in sequence["turns"]
    )


class Run:
    """A model with its tokenizer, for training and judging."""

    def __init__(self, model: Any, tokens: Tokens, log: Log) -> None:
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
        """Fit an adapter and return it."""

        def make_batches(rng: random.Random) -> list[Any]:
            return batch_by_length(list(sequences(stories, self.tokens, rng)), _length, TOKENS)

        return fit(self.model, settings, make_batches, self.loss, self.log, betas=(0.9, 0.98))

    def loss(self, parts: Sequence[dict[str, Any]]) -> Any:
        """Return the loss of verdicts, of the words after them, and of the order of twins."""
        import torch
        from torch.nn import functional

        batch = collate(parts, 0)
        odds, hidden = self.odds(batch)
        labels = torch.tensor([float(claim["supported"]) for _, _, claim in batch["asked"]])
        loss = functional.binary_cross_entropy_with_logits(odds, labels.to(odds))
        answers = batch["answers"].to(self.device)
        learned = answers[:, 1:] != -100
        words = self.model.lm_head(hidden[:, :-1][learned]).float()
        loss = loss + 0.3 * functional.cross_entropy(words, answers[:, 1:][learned])
        if twins := self._twins(batch["asked"]):
            first, second = map(list, zip(*twins, strict=True))
            loss = loss + 0.5 * functional.softplus(odds[second] - odds[first]).mean()
        return loss

    @staticmethod
    def _twins(asked: Sequence[tuple[int, int, dict[str, Any]]]) -> list[tuple[int, int]]:
        """Return the positions of supported sentences and their wrong twins."""
        pairs: dict[Any, dict[bool, int]] = {}
        for place, (row, _, claim) in enumerate(asked):
            if claim["pair"]:
                key = row, claim["set"], claim["pair"]
                pairs.setdefault(key, {})[claim["supported"]] = place
        return [(twins[True], twins[False]) for twins in pairs.values() if len(twins) == 2]

    def judge(self, stories: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any], float]]:
        """Return the log-odds of every sentence, with its story."""
        import torch

        for story in stories:
            for claim in story["claims"]:
                claim["story"] = story["id"]
        judged = []
        with torch.no_grad():
            parts = list(sequences(stories, self.tokens, None))
            for group in batch_by_length(parts, _length, 4 * TOKENS):
                batch = collate(group, 0)
                for (_, _, claim), odds in zip(
                    batch["asked"], self.odds(batch)[0].tolist(), strict=True
                ):
                    judged.append((claim["story"], claim, odds))
        return judged


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

    best = max((odds for odds, _, _ in rows), key=lambda least: sum(shares(least)))
    kinds: dict[str, list[bool]] = {}
    for odds, supported, kind in rows:
        kinds.setdefault(kind, []).append((odds >= 0) == supported)
    passed, noticed = shares(0.0)
    return {
        "n": len(rows),
        "auc": round(area, 3),
        "passed": round(passed, 3),
        "found": round(noticed, 3),
        "balanced": round((passed + noticed) / 2, 3),
        "best": [round(best, 2), round(sum(shares(best)) / 2, 3)],
        "kinds": {kind: round(sum(v) / len(v), 2) for kind, v in sorted(kinds.items())},
    }


def train(plan: Plan) -> None:
    """Run the experiments of a plan in turn, and judge the evaluation sets by each."""
    tasks, log = plan.tasks, plan.log
    run = Run(plan.model, Tokens(plan.tokenizer, tasks["rules"]), log)
    log("loaded", run.tokens.yes, run.tokens.no)

    def train_run(settings: argparse.Namespace) -> dict[str, Any]:
        stories = _merged(tasks, settings)
        log(len(stories), "stories", sum(len(x["claims"]) for x in stories), "sentences")
        return run.train(stories, settings)

    defaults = {"share": 1.0, "bits": [8, 8], "sets": list(tasks["train"])}
    for settings, adapters in plan.runs(defaults, train_run):
        for bits in (None, settings.bits):
            if bits:
                plan.quantise(adapters, bits)
            scores = {name: report(run.judge(group)) for name, group in tasks["eval"].items()}
            log(settings.name, "as trained" if not bits else f"in {bits} bits")
            for name, score in scores.items():
                log("  ", name, json.dumps(score))
        if settings.keep:
            plan.keep(adapters, settings)
            for use in (use for use in ("train", "teach", "eval") if use in tasks):
                verdicts = [
                    [name, story, claim["text"], claim["supported"], round(odds, 3)]
                    for name, group in tasks[use].items()
                    for story, claim, odds in run.judge(group)
                ]
                (plan.folder / f"{settings.name}-{use}.json").write_text(json.dumps(verdicts))


def _merged(tasks: dict[str, Any], settings: argparse.Namespace) -> list[dict[str, Any]]:
    """Return stories with their sentences of all training sets, or a share of them."""
    merged: dict[str, dict[str, Any]] = {}
    rng = random.Random(1)
    for name in settings.sets:
        for story in tasks["train"][name]:
            if rng.random() < settings.share:
                kept = merged.setdefault(story["id"], {**story, "claims": []})
                kept["claims"] = kept["claims"] + story["claims"]
    return list(merged.values())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    train(Plan(__doc__.splitlines()[0], arguments))


if __name__ == "__main__":
    main()
