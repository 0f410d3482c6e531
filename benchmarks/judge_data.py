"""Training data of the local judge: every story as the judge's prompt.

python benchmarks/judge_data.py DATA -o FOLDER       writes FOLDER/tasks.json
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).resolve().parent.parent / "corpus"


def wrong_words(wrong: str, right: str) -> str:
    """Return the words of a wrong sentence that differ from its supported twin."""
    mine, other = wrong.split(), right.split()
    found = []
    for tag, first, last, _, _ in SequenceMatcher(None, mine, other, autojunk=False).get_opcodes():
        if tag in ("replace", "delete"):
            found.append(" ".join(mine[first:last]))
        elif tag == "insert":
            found.append(" ".join(mine[max(0, first - 1) : first + 1]))
    return " ... ".join(one.strip(",.;:\"'") for one in found if one)


def stories(path: Path) -> dict[str, list[dict[str, str]]]:
    """Return source documents by story: name, date and text."""
    if path.is_dir():
        lines = [json.loads(one.read_text("utf-8")) for one in sorted(path.glob("*.json"))]
    else:
        lines = [json.loads(one) for one in path.read_text("utf-8").splitlines()]
    return {
        one["id"]: [
            {
                "source": "" if path.is_dir() else account.get("name", account.get("source", "")),
                "date": account.get("date", ""),
                "text": account.get("text") or " ".join(account["sentences"]),
            }
            for account in one["accounts"]
        ]
        for one in lines
    }


def claims(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the sentences of a file; wrong ones with the wrong words, if a twin shows them."""
    lines = [json.loads(one) for one in path.read_text("utf-8").splitlines()]
    twins = {(x["bundle"], x["pair"]): x["text"] for x in lines if x.get("pair") and x["supported"]}
    for one in lines:
        twin = twins.get((one["bundle"], one.get("pair")), "")
        words = "" if one["supported"] or not twin else wrong_words(one["text"], twin)
        yield {**one, "words": words, "pair": one.get("pair") or 0}


def prepare(data: Path, out: Path) -> None:
    """Write every story with its sentences as prompts."""
    from tatian.consolidation.proof.judges.prompts import (
        ANSWER,
        FOOT,
        HEAD,
        TURN,
        describe_source,
        plain,
    )

    proof, shared = CORPUS / "proof", data / "proof"
    ours = stories(CORPUS / "train.jsonl") | stories(CORPUS / "dev.jsonl")
    ours |= stories(CORPUS / "test.jsonl")
    wire = stories(proof / "stories.jsonl")
    news = {part: stories(data / "consolidation" / part) for part in ("train", "dev")}
    parts = {
        "train": (ours, proof / "train.jsonl", "train"),
        "pairs-train": (ours, proof / "pairs-train.jsonl", "train"),
        "twins-train": (ours, proof / "twins-train.jsonl", "train"),
        "wire-train": (wire, proof / "wire-train.jsonl", "train"),
        "news-train": (news["train"], shared / "news-train.jsonl", "train"),
        "pairs-dev": (ours, proof / "pairs-dev.jsonl", "eval"),
        "dev": (ours, proof / "dev.jsonl", "eval"),
        "test": (ours, proof / "test.jsonl", "eval"),
        "news-dev": (news["dev"], shared / "news-dev.jsonl", "eval"),
        "wire-judge": (wire, proof / "wire-judge.jsonl", "eval"),
    }
    judged = {x["bundle"] for name in ("test", "dev") for x in claims(proof / f"{name}.jsonl")}
    found: dict[str, Any] = {"train": {}, "eval": {}}
    rules = {"head": HEAD, "foot": FOOT, "turn": TURN, "answer": ANSWER}
    for name, (known, path, use) in parts.items():
        if not path.exists():
            print(f"{path}: not there, left out", file=sys.stderr)
            continue
        shelf: dict[str, Any] = {}
        for one in claims(path):
            if use == "train" and one["bundle"] in judged:
                continue
            story = shelf.setdefault(one["bundle"], {"id": one["bundle"], "claims": []})
            kept = {k: one[k] for k in ("supported", "kind", "pair", "words")}
            story["claims"].append({"text": plain(one["text"]), "set": name} | kept)
        for story in shelf.values():
            story["sources"] = [describe_source(**one) for one in known[story["id"]]]
        found[use][name] = list(shelf.values())
    cases = data / "cases/trace.jsonl"
    if cases.exists():
        lines = [json.loads(one) for one in cases.read_text("utf-8").splitlines()]
        found["eval"]["cases"] = [
            {
                "id": one["id"],
                "sources": [
                    describe_source(x["text"], x.get("source", ""), x.get("date", ""))
                    for x in one["accounts"]
                ],
                "claims": [
                    {
                        "text": plain(x["text"]),
                        "supported": x["true"],
                        "kind": x["kind"],
                        "pair": 0,
                        "words": "",
                        "set": "cases",
                    }
                    for x in one["claims"]
                ],
            }
            for one in lines
        ]
    out.mkdir(parents=True, exist_ok=True)
    tasks = json.dumps({"rules": rules, **found}, ensure_ascii=False)
    (out / "tasks.json").write_text(tasks, encoding="utf-8")
    for use, sets in found.items():
        for name, some in sets.items():
            print(use, name, len(some), "stories", sum(len(x["claims"]) for x in some), "sentences")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", type=Path, required=True)
    given = parser.parse_args(arguments)
    prepare(given.data, given.o)


if __name__ == "__main__":
    main()
