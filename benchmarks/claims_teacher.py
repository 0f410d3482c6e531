"""Training of a larger model for claims, which teaches the small judge's head `same`.

    python benchmarks/claims_teacher.py prepare DATA -o FOLDER     reads the corpus
    python benchmarks/claims_teacher.py teach FOLDER --model CHECKPOINT -o OUT --device cuda

`prepare` writes `labelled.jsonl` and `unlabelled.jsonl`: pairs of sentences with a mark, each with
the text before it. `teach` trains a low-rank adapter on the labelled pairs without fold 3, and
prints the area under the ROC curve on that fold by set. Then it writes the log-odds of unlabelled
pairs of the other folds: `taught.jsonl` is for `claims_train.py prepare --taught`.

CHECKPOINT is a folder or a GGUF file that transformers can load (GGUF needs gguf). Version 5 of the
small judge was taught by Qwen2.5-Coder-1.5B-Instruct. To try a change without a GPU, use `--limit`.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from claims_pairs import MarkedPair, labelled_stories, unlabelled_pairs, written_pairs
from claims_train import check_device, check_folder, label_target, positive_number, run_job
from judge_adapter import MODULES, batch_by_length, fit
from tatian.analysis.coverage import MARK
from tatian.errors import InputError

HELD_OUT = 3
"""Fold that the adapter does not see."""
RANK, EPOCHS, LEARNING_RATE, BATCH_TOKENS = 32, 2, 1e-4, 4000
SCORED_TOKENS = 80000
"""Number of tokens of a batch that is only read."""
MAX_TAUGHT_PAIRS = 30000
"""Number of unlabelled pairs whose log-odds are written."""
CONTEXT_CHARACTERS = 160
"""Maximum number of characters of the text before a sentence."""
LABELLED, UNLABELLED = "labelled.jsonl", "unlabelled.jsonl"


def prepare(options: argparse.Namespace) -> None:
    """Write the labelled and the unlabelled pairs."""
    check_folder(options.source)
    labelled = [*written_pairs(options.limit)]
    unlabelled: list[MarkedPair] = []
    for story in labelled_stories(options.source, options.limit):
        labelled += story.pairs
        unlabelled += unlabelled_pairs(story)
    options.o.mkdir(parents=True, exist_ok=True)
    for name, pairs in ((LABELLED, labelled), (UNLABELLED, unlabelled)):
        _write(options.o / name, (pair._asdict() for pair in pairs))
        print(f"{len(pairs)} pairs in {options.o / name}")


def _write(path: Path, records: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)


def _read(path: Path) -> list[MarkedPair]:
    return [MarkedPair(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]


class Question(NamedTuple):
    """A prompt in both directions, and the probability of a yes that is learned."""

    prompts: tuple[str, str]
    target: float


class Example(NamedTuple):
    """A prompt's tokens, the number of its pair, and the target."""

    ids: list[int]
    number: int
    target: float


class Teacher:
    """A language model that answers yes or no."""

    def __init__(self, options: argparse.Namespace) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        path = options.model
        if not (path.is_file() or (path / "config.json").is_file()):
            raise InputError("no checkpoint that transformers can load", path=str(path))
        folder = str(path.parent if path.is_file() else path)
        source = {"gguf_file": path.name} if path.is_file() else {}
        self._model = AutoModelForCausalLM.from_pretrained(
            folder, dtype=torch.bfloat16, local_files_only=True, **source
        ).to(options.device)
        self._tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, **source)
        self._device = options.device
        self._yes, self._no = (
            self._tokenizer(word, add_special_tokens=False)["input_ids"][0]
            for word in ("yes", "no")
        )
        if self._yes == self._no:
            raise InputError("its tokenizer begins yes and no alike", path=str(path))

    def _example(self, prompt: str, number: int = 0, target: float = 0.0) -> Example:
        return Example(self._tokenizer(prompt)["input_ids"], number, target)

    def _odds(self, batch: Sequence[Example]) -> Any:
        """Return the log-odds of a yes to each prompt."""
        import torch

        longest = max(len(example.ids) for example in batch)
        padded = [example.ids + [0] * (longest - len(example.ids)) for example in batch]
        ids = torch.tensor(padded, device=self._device)
        last = torch.tensor([len(example.ids) - 1 for example in batch], device=self._device)
        # No mask: the padding comes last, where no earlier token looks.
        states = self._model.model(input_ids=ids, use_cache=False).last_hidden_state
        values = self._model.lm_head(states[torch.arange(len(batch)), last]).float()
        return values[:, self._yes] - values[:, self._no]

    def train(
        self,
        questions: Sequence[Question],
        epochs: int,
        rate: float = LEARNING_RATE,
        start: str = "",
    ) -> None:
        """Train an adapter on questions, each in a random direction; `start` is its file if any."""
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits

        def make_batches(rng: random.Random) -> list[list[Example]]:
            examples = [
                self._example(question.prompts[rng.random() < 0.5], target=question.target)
                for question in questions
            ]
            return batch_by_length(examples, _length, BATCH_TOKENS)

        def loss_of(batch: list[Example]) -> Any:
            targets = torch.tensor([example.target for example in batch], device=self._device)
            return binary_cross_entropy_with_logits(self._odds(batch), targets)

        settings = argparse.Namespace(
            rank=RANK, epochs=epochs, lr=rate, seed=0, start=start, modules=MODULES
        )
        fit(self._model, settings, make_batches, loss_of, print, betas=(0.9, 0.98), dropout=0.0)

    def score(self, prompts: Sequence[str]) -> list[float]:
        """Return the log-odds of a yes to each prompt."""
        import torch

        examples = [self._example(prompt, number) for number, prompt in enumerate(prompts)]
        odds = [0.0] * len(prompts)
        with torch.inference_mode():
            for batch in batch_by_length(examples, _length, SCORED_TOKENS):
                for example, value in zip(batch, self._odds(batch).tolist(), strict=True):
                    odds[example.number] = value
        return odds


def prompt(pair: MarkedPair, swap: bool) -> str:
    """Return the question about a pair, in one of its two directions."""
    texts = [
        _tail(before) + text.replace(MARK, "[?]")
        for before, text in zip(pair.before, (pair.first, pair.second), strict=True)
    ]
    first, second = reversed(texts) if swap else texts
    return (
        "<|im_start|>user\nTwo reports of the same story. In each, one figure, time or name is "
        f"replaced by [?].\n\nA: {first}\n\nB: {second}\n\nDo both [?] stand for the same thing "
        "(the same quantity, moment or person)?<|im_end|>\n<|im_start|>assistant\n"
    )


def _tail(before: str) -> str:
    """Return the last words of the text before a sentence."""
    words = " ".join(before.split())[-CONTEXT_CHARACTERS:]
    return f"… {words.partition(' ')[2]} " if words else ""


def _length(example: Example) -> int:
    return len(example.ids)


def teach(options: argparse.Namespace) -> None:
    """Train the adapter, print its areas, and write the log-odds of unlabelled pairs."""
    from tatian.training.evaluation import area_under_curve

    check_folder(options.source)
    check_device(options.device)
    if options.model is None:
        raise InputError("teach needs --model CHECKPOINT")
    labelled, unlabelled = (_read(options.source / name) for name in (LABELLED, UNLABELLED))
    teacher = Teacher(options)
    learned = [pair for pair in labelled if pair.fold != HELD_OUT][: options.limit]
    questions = [
        Question((prompt(p, swap=False), prompt(p, swap=True)), label_target(p)) for p in learned
    ]
    teacher.train(questions, options.epochs)
    for name in sorted({pair.set for pair in labelled}):
        held = [p for p in labelled if p.fold == HELD_OUT and p.set == name][: options.limit]
        odds = teacher.score([prompt(pair, swap=False) for pair in held])
        scored = [(value, bool(pair.same)) for value, pair in zip(odds, held, strict=True)]
        print(f"{name}: area {area_under_curve(scored) if held else 0.5:.4f}, {len(held)} pairs")
    chosen = [pair for pair in unlabelled if pair.fold != HELD_OUT]
    random.Random(0).shuffle(chosen)
    chosen = chosen[: options.limit or MAX_TAUGHT_PAIRS]
    taught_odds = teacher.score([prompt(pair, swap=False) for pair in chosen])
    options.o.mkdir(parents=True, exist_ok=True)
    records = (
        {"first": p.first, "second": p.second, "fold": p.fold, "odds": round(value, 2)}
        for p, value in zip(chosen, taught_odds, strict=True)
    )
    _write(options.o / "taught.jsonl", records)
    print(f"{len(chosen)} pairs in {options.o / 'taught.jsonl'}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, help="checkpoint of the larger model")
    parser.add_argument("--epochs", type=positive_number, default=EPOCHS)
    run_job(parser, {"prepare": prepare, "teach": teach}, arguments)


if __name__ == "__main__":
    main()
