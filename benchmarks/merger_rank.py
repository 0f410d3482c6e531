"""Unions of the local merger from drafts that were written elsewhere, such as on a GPU.

    python benchmarks/merger_rank.py TASKS DRAFTS SET -o FILE [--drafts N] [--limit N]

TASKS is the tasks.json of `merger_data.py`, DRAFTS a file that `merger_train.py` wrote, SET a name
in both. The drafts are weighed with the wordings of the edit model as `tatian union generate
--model local` does, without loading the language model. FILE gets the unions as JSONL; with gold
unions in TASKS, the scores of four ways are printed: the edit model, the likeliest draft as it is,
both together, and both with all drafts. Pairs that should be refused are left out of the scores.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from math import exp
from pathlib import Path
from typing import Any

from rich.progress import track

from tatian.chat import Answer, KeptAnswers, Request
from tatian.pipeline import Pipeline
from tatian.union.data import UnionInstance, format_lines
from tatian.union.generate import generate_reported, passages
from tatian.union.metrics import QUICK, compare
from tatian.union.models.local.merger import NO, LocalMerger, union_messages


class RecordedModel:
    """Stands in for the language model: answers with the drafts of a file."""

    def __init__(self, recorded: dict[str, dict[str, Any]]) -> None:
        self._recorded = recorded

    def chance(self, prompt: str, word: str) -> float:
        """The probability of a refusal."""
        question = prompt.rpartition("<|im_start|>user\n")[2].partition("<|im_end|>")[0]
        return 1 / (1 + exp(-self._recorded[question]["refusal"]))

    def ask(self, request: Request) -> Answer:
        """The draft whose number is the seed, or a refusal where it is allowed."""
        drafts = self._recorded[request.messages[1]["content"]]["drafts"]
        return Answer(drafts[request.seed % len(drafts)] if NO in request.without else NO)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", type=Path)
    parser.add_argument("drafts", type=Path)
    parser.add_argument("set")
    parser.add_argument("-o", type=Path, required=True)
    parser.add_argument("--drafts", dest="count", type=int, default=2)
    parser.add_argument("--limit", type=int)
    options = parser.parse_args(arguments)
    tasks = json.loads(options.tasks.read_text("utf-8"))
    rows = (tasks["eval"] | tasks["tune"])[options.set][: options.limit]
    results = json.loads(options.drafts.read_text("utf-8"))[options.set]
    prepare = Pipeline.for_sentences().process
    gold = [
        UnionInstance(
            str(row.get("id", number)),
            tuple(row["sentences"]),
            row.get("answer"),
            date=row.get("date"),
        )
        for number, row in enumerate(rows, 1)
    ]
    recorded = {
        union_messages(passages(instance, prepare))[1]["content"]: result
        for instance, result in zip(gold, results, strict=False)
    }
    systems: dict[str, list[UnionInstance]] = {
        "draft": [
            UnionInstance(instance.id, instance.sentences, result["drafts"][0], date=instance.date)
            for instance, result in zip(gold, results, strict=False)
        ]
    }
    for name, count in (("edit", 0), ("local 1", 1), (f"local {options.count}", options.count)):
        model: Any = RecordedModel(recorded)
        merger = LocalMerger(drafts=count or 1, model=model, transcript=KeptAnswers())
        reports = generate_reported(gold, merger if count else "edit", prepare=prepare)
        reported = [
            (instance, report().origin)
            for instance, report in track(list(reports), name, transient=True)
        ]
        systems[name] = [instance for instance, _ in reported]
        print(name, dict(Counter(origin for _, origin in reported).most_common()))
    options.o.write_text("".join(format_lines(systems[f"local {options.count}"], "jsonl")), "utf-8")
    scored = [
        n
        for n, instance in enumerate(gold)
        if instance.merged and not instance.merged.startswith("no (")
    ]
    if scored:
        scored_systems = {name: [unions[n] for n in scored] for name, unions in systems.items()}
        print(compare([gold[n] for n in scored], scored_systems, QUICK).table("").render("text"))


if __name__ == "__main__":
    main()
