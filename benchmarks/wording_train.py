"""Training of the model that grades wordings of a union, `wording.diff.gz`.

    python benchmarks/wording_train.py candidates TASKS -o FOLDER     wordings of pairs
    python benchmarks/wording_train.py packets FOLDER -o SHEETS     sheets for judges
    python benchmarks/wording_train.py grades SHEETS --data DATA -o FOLDER     their answers
    python benchmarks/wording_train.py teach FOLDER --data DATA --model CHECKPOINT -o FOLDER
    python benchmarks/wording_train.py train FOLDER --data DATA -o OUT --device cuda
    python benchmarks/wording_train.py pack OUT/wording.onnx.gz -o WEIGHTS
    python benchmarks/wording_train.py evaluate GRADES [--data DATA] -o OUT

TASKS is the output of `merger_data.py collect`. `candidates` writes the edit model's wordings of
its pairs; `--editor` names a weights directory with an edit model that has not learned from them,
`--drafts` a file of drafts by `merger_train.py`. `packets` writes sheets for judges, who answer
with one line for each pair: {"id": 12, "a": [8, "r"], "b": [2, "g"]}. `grades` joins the files
`answers-*.jsonl` beside the sheets, without pairs that share a sentence with Sentence Union or with
a test set. It writes `grades.jsonl`, where sentences of others are only named.

`teach` trains a low-rank adapter on the judged wordings and grades the candidates by it. `train`
trains the small model on these and on the judged wordings; without the output of `teach`, on the
judged ones alone. `pack` writes it as differences from the judge, or
`proof.onnx.gz` of `claims_train.py` as differences from `pairs`. `teach` and `train` read
`corpus/unions/grades.jsonl`, or what `--grades` names. Without `--data`, pairs of ECB+ are left
out. `evaluate` prints the mean grade of the wordings that the
model prefers, for other weights by their directory in `TATIAN_WEIGHTS`.

The shipped model was trained with `--start` for both: the adapter of the local merger, and
the judge. To try a change without a GPU, use `--limit` and `--epochs 1`.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import exp
from pathlib import Path
from statistics import correlation, fmean
from typing import Any

from claims_teacher import Question, Teacher
from claims_train import (
    Inputs,
    check_device,
    check_folder,
    embedding_table,
    optimise,
    positive_number,
    run_job,
    start_model,
    write_body,
)
from judge_adapter import batch_by_length
from merger_data import lines
from tatian.analysis.coverage import encode_support, grade_wordings
from tatian.analysis.installed import CHECKSUMS
from tatian.analysis.loading import load
from tatian.errors import InputError
from wording_grades import GRADES, LETTERS, Contest, read_grades, write_grades, write_lines

CANDIDATES, TAUGHT, KEY = "candidates.jsonl", "taught.jsonl", "key.jsonl"
STEP = 4
"""Units of the judge's int8 weights to which differences from it are rounded."""
UNLABELLED = 420
"""Maximum number of pairs without a union whose wordings are used."""
ORIGINS = (("edit",), ("construction",), ("edit",), ("both sentences",), ("edit", "construction"))
"""Models whose best wordings a judge sees, besides the best of all."""
MIN_CHOICE, WORDINGS, PAIRS, WRITTEN = 3, 5, 46, 0.4
"""Minimum number of candidates of a judged pair, maximum number of its wordings on a sheet, number
of pairs of a sheet, and how often the written union is among the wordings."""
RULES = """Each item has two sentences, S1 and S2, of reports of one event, and wordings, each meant
to be one sentence that says everything they say, once. Judge each by itself, as a copy chief.
- Grade: 10 can be printed as it is; 8 slightly stiff, or a harmless repetition; 6 correct and
  complete but clumsy; 4 true, but a fact is lost; 2 garbled, or says what the sentences do not;
  0 nonsense or false.
- Flags, if any: g broken grammar, f false or not said, l loses a fact, r repeats, s stiff.
"""
SYSTEM = (
    "Does the wording say everything that both sentences say, once, truly, in a correct and fluent "
    "sentence? Answer yes or no."
)
TEACHER_EPOCHS, TEACHER_RATE, EPOCHS, RATE, TOKENS = 4, 2e-4, 5, 2e-4, 16384
SHARPNESS, TIMES = 6.0, 2
"""How strongly a better grade counts among the wordings of a pair; weight of the grades and number
of times that the judged wordings are seen in an epoch."""


# --- candidates and sheets -----------------------------------------------------------------------


def write_candidates(options: argparse.Namespace) -> None:
    """Write the wordings of the edit model for training pairs and for pairs without a union."""
    from rich.progress import track

    from tatian.pipeline import Pipeline
    from tatian.text.layers import render
    from tatian.union.data import UnionInstance
    from tatian.union.generate import passages
    from tatian.union.models.edit.editor import Editor
    from tatian.union.models.edit.merger import FALLBACK_SCORE, Edit

    tasks = json.loads((options.source / "tasks.json").read_text("utf-8"))
    sets = {name: rows[: options.limit] for name, rows in tasks["train"].items()}
    sets["teach"] = tasks["teach"]["pairs"][: options.limit or UNLABELLED]
    if options.drafts:
        drafted = zip(
            sets["teach"], json.loads(options.drafts.read_text("utf-8"))["pairs"], strict=False
        )
        sets["teach"] = [row | {"drafts": result["drafts"]} for row, result in drafted]
    edit = Edit(editor=Editor(str(options.editor) if options.editor else None))
    prepare = Pipeline.for_sentences().process
    pairs = [
        {"set": name, **row}
        for name, rows in sets.items()
        for row in rows
        if len(row["sentences"]) == 2 and not row.get("answer", "").startswith("no (")
    ]
    for number, row in enumerate(track(pairs, "wordings", transient=True)):
        instance = UnionInstance(str(number), tuple(row["sentences"]))
        origins: dict[str, str] = {}
        for candidate in edit.propose(passages(instance, prepare)):
            if candidate.score > FALLBACK_SCORE:
                origins.setdefault(render(candidate.tokens), candidate.origin)
        origins |= {text: "draft" for text in row.pop("drafts", ()) if text not in origins}
        row["wordings"] = list(origins.items())
    write_lines(options.o / CANDIDATES, pairs)


def read_candidates(folder: Path, limit: int | None) -> list[Contest]:
    """Return the pairs that have several wordings; a written union is one of them."""
    contests = []
    for row in lines(folder / CANDIDATES)[:limit]:
        texts = [text for text, _ in row["wordings"]]
        written = [text for text in (row.get("answer"),) if text and text not in texts]
        if len(texts) > 1:
            contests.append(Contest(tuple(row["sentences"]), (*texts, *written)))
    return contests


def write_packets(options: argparse.Namespace) -> None:
    """Write sheets of pairs with some of their wordings; no sentence occurs twice."""
    rng = random.Random(0)
    rows = list(enumerate(lines(options.source / CANDIDATES)))
    rng.shuffle(rows)
    used: set[str] = set()
    items = []
    for number, row in rows:
        if len(row["wordings"]) < MIN_CHOICE or not used.isdisjoint(row["sentences"]):
            continue
        used.update(row["sentences"])
        chosen = [row["wordings"][0][0]]
        if row.get("answer") and row["answer"] not in chosen and rng.random() < WRITTEN:
            chosen.append(row["answer"])
        for origins in ORIGINS:
            texts = (t for t, origin in row["wordings"] if origin in origins and t not in chosen)
            chosen += [text for text in (next(texts, None),) if text][: WORDINGS - len(chosen)]
        rng.shuffle(chosen)
        items.append({"id": number, "sentences": row["sentences"], "wordings": chosen})
    items = items[: options.limit]
    write_lines(options.o / KEY, items)
    for first in range(0, len(items), PAIRS):
        sheet = [RULES, *map(_sheet_item, items[first : first + PAIRS])]
        (options.o / f"sheet-{first // PAIRS}.md").write_text("\n".join(sheet), encoding="utf-8")


def _sheet_item(item: Mapping[str, Any]) -> str:
    sentences = [f"S{number}: {text}" for number, text in enumerate(item["sentences"], 1)]
    wordings = [f"{letter}) {t}" for letter, t in zip(LETTERS, item["wordings"], strict=False)]
    return "\n".join((f"## {item['id']}", *sentences, *wordings, ""))


# --- teacher and small model ---------------------------------------------------------------------


def prompts(sentences: Sequence[str], wording: str) -> tuple[str, str]:
    """Return the question about a wording, with the sentences in both orders."""
    first, second = (
        f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\n1. {former}\n2. {latter}\n"
        f"Wording: {wording}<|im_end|>\n<|im_start|>assistant\n"
        for former, latter in (sentences, sentences[::-1])
    )
    return first, second


def teach(options: argparse.Namespace) -> None:
    """Train the teacher on judged wordings, and write its grades of the candidates."""
    check_folder(options.source)
    check_device(options.device)
    if options.model is None:
        raise InputError("teach needs --model CHECKPOINT")
    questions = [
        Question(prompts(contest.sentences, wording), min(max(grade, 0.02), 0.98))
        for contest in read_grades(options.grades, options.data, options.limit)
        for wording, grade in zip(contest.wordings, contest.grades, strict=True)
    ]
    candidates = read_candidates(options.source, options.limit)
    teacher = Teacher(options)
    teacher.train(
        questions, options.epochs or TEACHER_EPOCHS, TEACHER_RATE, str(options.start or "")
    )
    asked = [prompts(c.sentences, wording)[0] for c in candidates for wording in c.wordings]
    odds = iter(teacher.score(asked))
    rows = [
        c._replace(grades=tuple(round(1 / (1 + exp(-next(odds))), 4) for _ in c.wordings))._asdict()
        for c in candidates
    ]
    write_lines(options.o / TAUGHT, rows)


def train(options: argparse.Namespace) -> None:
    """Train the small model on judged wordings and on those of the teacher, and write it."""
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits as losses

    from trace_passages import SHIPPED, shipped_state

    check_folder(options.source)
    check_device(options.device)
    rng = random.Random(0)
    path = options.source / TAUGHT
    taught = [Contest(**row) for row in lines(path)[: options.limit]] if path.exists() else []
    judged = read_grades(options.grades, options.data, options.limit)
    taught += [_turned(contest) for contest in taught if rng.random() < 0.5]
    judged += [_turned(contest) for contest in judged]
    pieces, table_of_pieces = load().pieces, embedding_table(options.device)
    contests = [*taught, *judged]
    encoded = [[encode_support(pieces, w, c.sentences) for w in c.wordings] for c in contests]
    inputs = Inputs([item for items in encoded for item in items], {}, options.device)
    ends = list(accumulate(map(len, encoded)))
    sizes = [len(items) * max(len(item["rows"]) for item in items) for items in encoded]
    torch.manual_seed(0)
    model = start_model(shipped_state(options.start or SHIPPED), options.device)

    def loss(_: bool, batch: Sequence[int]) -> Any:
        numbers = [range(ends[c] - len(encoded[c]), ends[c]) for c in batch]
        read = inputs.read(model, table_of_pieces, [n for group in numbers for n in group])
        total, place = torch.zeros((), device=options.device), 0
        for contest, group in zip(batch, numbers, strict=True):
            odds = read["support"][place : place + len(group)].float()
            place += len(group)
            grades = torch.tensor(contests[contest].grades, device=options.device)
            total = total + TIMES * losses(odds, grades.clamp(0.03, 0.97))
            wanted = torch.softmax(SHARPNESS * grades, 0)
            total = total - (wanted * torch.log_softmax(odds, 0)).sum()
        return total / len(batch)

    sets = (range(len(taught)), range(len(taught), len(contests)))
    groups = [batch_by_length(numbers, sizes.__getitem__, TOKENS) for numbers in sets]
    todo = [(False, batch) for batch in groups[0]] + [(True, b) for b in groups[1]] * TIMES
    optimise(model, todo, loss, options.epochs or EPOCHS, RATE, rng)
    write_body(model, ("support",), options.o / "wording.onnx")


def pack(options: argparse.Namespace) -> None:
    """Write a trained body as differences, as it ships: the judge or the grader, by its name."""
    from tatian.training.int8 import write_checksums, write_differences
    from trace_passages import rounded_to_shipped, shipped_model, shipped_state

    options.o.mkdir(parents=True, exist_ok=True)
    if options.source.name.startswith("proof"):
        base = load().model("pairs")
        assert isinstance(base, bytes)
        model = shipped_model(options.source)
        write_differences(model, base, "pairs", options.o / "proof.diff.gz")
    else:
        model = rounded_to_shipped(shipped_state(options.source), STEP)
        write_differences(model, shipped_model(), "proof", options.o / "wording.diff.gz")
    if (options.o / CHECKSUMS).exists():
        write_checksums(options.o)


def _turned(contest: Contest) -> Contest:
    return contest._replace(sentences=contest.sentences[::-1])


def evaluate(options: argparse.Namespace) -> None:
    """Print how readers graded the wordings that the model prefers, and write its log-odds."""
    rows, grades, centred = [], [], []
    for contest in read_grades(options.source, options.data, options.limit):
        odds = grade_wordings(contest.sentences, contest.wordings)
        chosen = contest.grades[max(range(len(odds)), key=odds.__getitem__)]
        grades.append((chosen, fmean(contest.grades), max(contest.grades)))
        means = fmean(odds), fmean(contest.grades)
        centred += [
            (value - means[0], grade - means[1])
            for value, grade in zip(odds, contest.grades, strict=True)
        ]
        rows.append(contest._asdict() | {"odds": [round(value, 3) for value in odds]})
    write_lines(options.o / "evaluated.jsonl", rows)
    for name, values in zip(("chosen", "mean", "best"), zip(*grades, strict=True), strict=True):
        print(f"{name}: {10 * fmean(values):.2f}")
    print(f"correlation within pairs: {correlation(*zip(*centred, strict=True)):.2f}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of the data of others")
    parser.add_argument("--grades", type=Path, default=GRADES, help="judged wordings")
    parser.add_argument("--editor", type=Path, help="weights directory of another edit model")
    parser.add_argument("--drafts", type=Path, help="drafts of the local merger")
    parser.add_argument("--model", type=Path, help="checkpoint of the larger model")
    parser.add_argument("--start", type=Path, help="adapter or weights to start from")
    parser.add_argument("--epochs", type=positive_number)
    jobs = {
        "candidates": write_candidates,
        "packets": write_packets,
        "grades": write_grades,
        "teach": teach,
        "train": train,
        "pack": pack,
        "evaluate": evaluate,
    }
    run_job(parser, jobs, arguments)


if __name__ == "__main__":
    main()
