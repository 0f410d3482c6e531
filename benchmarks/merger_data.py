"""Training and evaluation data for the adapter of the local merger.

    python benchmarks/merger_data.py --data DATA -o FOLDER

Training: the unions of `corpus/unions`, also those that mend drafts; those written for pairs of
real news sentences, and those of the project's own bundles; reference sentences with their two or
three source sentences.
Pairs whose sentences are in the Sentence Union evaluation data are left out. Sets for tuning: 80 of
the written news unions, by bundle, and 200 pairs of Sentence Union train, not learned from.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tatian.consolidation.verification.judges.prompts import ANSWER, FOOT, HEAD, TURN
from tatian.corpora.bundles import read_bundles
from tatian.training.data import content_stems
from tatian.training.unions import project_unions

ROOT = Path(__file__).parents[1]
TUNING_BUNDLES = 5
"""One bundle of so many goes to the tuning set, until it has enough pairs."""
TUNING = 80
KEPT = 0.7
"""Least share of each source's content words that a reference sentence keeps."""
COPIED = 0.85
"""Least share of a reference sentence's content words that its sources have."""


def lines(path: Path) -> list[dict[str, Any]]:
    """Return the records of a JSONL file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]


def table(path: Path) -> list[dict[str, Any]]:
    """Return the pairs of a Sentence Union CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            {
                "sentences": [row["sentence1Text"], row["sentence2Text"]],
                "answer": row["mergedText"],
            }
            for row in csv.DictReader(file)
        ]


def written(path: Path) -> list[dict[str, Any]]:
    """Return written unions, refusals as "no (REASON)"."""
    rows = []
    for row in lines(path):
        if not (row.get("refuse") or row.get("skip") or row.get("union")):
            continue
        reason = row.get("refuse") or row.get("skip")
        answer = f"no ({reason})" if reason else row["union"]
        record = {"sentences": row["sentences"], "answer": answer, "kind": row.get("kind", "news")}
        rows.append(record | {key: row[key] for key in ("date", "bundle") if row.get(key)})
    return rows


def references(paths: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """Yield reference sentences that say most of what two or three sentences say."""
    for path in paths:
        for bundle in read_bundles(str(path)):
            texts = bundle.sentences()
            for reference in bundle.reference:
                sources = [texts[place] for place in reference.sources if place in texts]
                if not 2 <= len(sources) <= 3:
                    continue
                stems = content_stems(reference.text)
                source_stems = [content_stems(source) for source in sources]
                least = min(len(theirs & stems) / max(1, len(theirs)) for theirs in source_stems)
                copied = len(stems & set().union(*source_stems)) / max(1, len(stems))
                if least >= KEPT and copied >= COPIED:
                    yield {"sentences": sources, "answer": reference.text, "kind": "reference"}


def collect(data: Path) -> dict[str, Any]:
    """Return the tasks: prompts' sentences and answers, for training and for measuring."""
    evaluation = table(data / "union" / "eval.csv")
    held = {sentence for row in evaluation for sentence in row["sentences"]}
    news = written(data / "union" / "news-unions.jsonl")
    bundles = sorted({row["bundle"] for row in news})[::TUNING_BUNDLES]
    tuning = [row for row in news if row["bundle"] in bundles][:TUNING]
    reserved = {tuple(row["sentences"]) for row in tuning}
    paths = [ROOT / "corpus" / "train.jsonl", data / "consolidation" / "train"]
    project = [
        {"sentences": list(union.sources), "answer": union.merged, "kind": "project"}
        for union in project_unions(paths)
    ]
    sets = {
        "corpus": written(ROOT / "corpus" / "unions" / "train.jsonl"),
        "news": [row for row in news if tuple(row["sentences"]) not in reserved],
        "drafts": written(ROOT / "corpus" / "unions" / "drafts-train.jsonl"),
        "project": project,
        "reference": list(references(paths)),
    }
    seen = held | {sentence for pair in reserved for sentence in pair}
    train = {
        name: [row for row in rows if not seen & set(row["sentences"])]
        for name, rows in sets.items()
    }
    cases = lines(data / "cases" / "union.jsonl")
    return {
        "rules": {"head": HEAD, "foot": FOOT, "turn": TURN, "answer": ANSWER},
        "train": train,
        "tune": {"news": tuning, "union-train": table(data / "union" / "train.csv")[::5][:200]},
        "eval": {
            "cases": [{"id": row["id"], "sentences": row["sentences"]} for row in cases],
            "union-eval": evaluation,
            "corpus-test": written(ROOT / "corpus" / "unions" / "test.jsonl"),
        },
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("-o", type=Path, required=True)
    options = parser.parse_args(arguments)
    tasks = collect(options.data)
    options.o.mkdir(parents=True, exist_ok=True)
    (options.o / "tasks.json").write_text(json.dumps(tasks), encoding="utf-8")
    for use in ("train", "tune", "eval"):
        for name, rows in tasks[use].items():
            print(use, name, len(rows))


if __name__ == "__main__":
    main()
