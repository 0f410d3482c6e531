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

TIMES = 4
"""Copies of a judged draft in an epoch: there are few drafts, and they are short."""
CORPUS = Path(__file__).resolve().parent.parent / "corpus"


def wrong_words(wrong: str, right: str) -> str:
    """Return the words of a wrong sentence that differ from its supported twin."""
    mine, other = wrong.split(), right.split()
    changed = []
    for tag, first, last, _, _ in SequenceMatcher(None, mine, other, autojunk=False).get_opcodes():
        if tag in ("replace", "delete"):
            changed.append(" ".join(mine[first:last]))
        elif tag == "insert":
            changed.append(" ".join(mine[max(0, first - 1) : first + 1]))
    return " ... ".join(word.strip(",.;:\"'") for word in changed if word)


def stories(path: Path) -> dict[str, list[dict[str, str]]]:
    """Return source documents by story: name, date and text."""
    if path.is_dir():
        lines = [json.loads(file.read_text("utf-8")) for file in sorted(path.glob("*.json"))]
    else:
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {
        record["id"]: [
            {
                "source": "" if path.is_dir() else account.get("name", account.get("source", "")),
                "date": account.get("date", ""),
                "text": account.get("text") or " ".join(account["sentences"]),
            }
            for account in record["accounts"]
        ]
        for record in lines
    }


def claims(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the sentences of a file; wrong ones with the wrong words, if a twin shows them."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    twins = {(x["bundle"], x["pair"]): x["text"] for x in lines if x.get("pair") and x["supported"]}
    for record in lines:
        twin = twins.get((record["bundle"], record.get("pair")), "")
        words = "" if record["supported"] or not twin else wrong_words(record["text"], twin)
        yield {**record, "words": words, "pair": record.get("pair") or 0}


def drafts(path: Path, times: int) -> Iterator[dict[str, Any]]:
    """Yield merged sentences that readers called true or false, each pair as a story of its own."""
    for record in map(json.loads, path.read_text("utf-8").splitlines()):
        true, false = (
            [draft["text"] for draft in record["drafts"] if draft["verdict"] == verdict]
            for verdict in ("true", "false")
        )
        if record.get("union") and record["union"] not in true:
            true.append(record["union"])
        twins = {0, len(true)} if true and false else set()
        texts = [(text, True) for text in true] + [(text, False) for text in false]
        listed = [
            {"text": text, "supported": right, "kind": "union", "words": "", "set": "drafts"}
            | {"pair": int(number in twins)}
            for number, (text, right) in enumerate(texts)
        ]
        sources = ["Account: " + sentence for sentence in record["sentences"]]
        for copy in range(times if listed else 0):
            yield {"id": f"{record['id']}-{copy}", "sources": sources, "claims": listed}


def prepare(data: Path, out: Path) -> None:
    """Write every story with its sentences as prompts."""
    from tatian.consolidation.verification.judges.prompts import (
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
    prepared: dict[str, Any] = {"train": {}, "eval": {}}
    rules = {"head": HEAD, "foot": FOOT, "turn": TURN, "answer": ANSWER}
    for name, (known_sources, path, use) in parts.items():
        if not path.exists():
            print(f"{path}: not there, left out", file=sys.stderr)
            continue
        shelf: dict[str, Any] = {}
        for record in claims(path):
            if use == "train" and record["bundle"] in judged:
                continue
            story = shelf.setdefault(record["bundle"], {"id": record["bundle"], "claims": []})
            kept = {k: record[k] for k in ("supported", "kind", "pair", "words")}
            story["claims"].append({"text": plain(record["text"]), "set": name} | kept)
        for story in shelf.values():
            story["sources"] = [describe_source(**source) for source in known_sources[story["id"]]]
        prepared[use][name] = list(shelf.values())
    unions = CORPUS / "unions"
    prepared["train"]["drafts"] = list(drafts(unions / "drafts-train.jsonl", TIMES))
    prepared["eval"]["drafts-test"] = list(drafts(unions / "drafts-test.jsonl", 1))
    cases = data / "cases/trace.jsonl"
    if cases.exists():
        lines = [json.loads(line) for line in cases.read_text("utf-8").splitlines()]
        prepared["eval"]["cases"] = [
            {
                "id": record["id"],
                "sources": [
                    describe_source(x["text"], x.get("source", ""), x.get("date", ""))
                    for x in record["accounts"]
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
                    for x in record["claims"]
                ],
            }
            for record in lines
        ]
    out.mkdir(parents=True, exist_ok=True)
    tasks = json.dumps({"rules": rules, **prepared}, ensure_ascii=False)
    (out / "tasks.json").write_text(tasks, encoding="utf-8")
    for use, sets in prepared.items():
        for name, group in sets.items():
            print(
                use, name, len(group), "stories", sum(len(x["claims"]) for x in group), "sentences"
            )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", type=Path, required=True)
    options = parser.parse_args(arguments)
    prepare(options.data, options.o)


if __name__ == "__main__":
    main()
