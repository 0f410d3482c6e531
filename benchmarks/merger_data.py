"""Training and evaluation data for the adapter of the local merger.

    python benchmarks/merger_data.py collect --data DATA -o FOLDER
    python benchmarks/merger_data.py taught FOLDER DRAFTS -o FILE

Training: the unions of `corpus/unions`, also those that mend drafts; those written for pairs of
real news sentences, and those of the project's own bundles; reference sentences with their two or
three source sentences.

Pairs whose sentences are in the Sentence Union evaluation data are left out. Sets for tuning: 80 of
the written news unions, by bundle, and 200 pairs of Sentence Union train, not learned from. The set
for teaching has pairs of sentences on one event without a union, which the trained adapter words
for the small edit model. `taught` writes those of its drafts (a file of `merger_train.py`) that are
fit to learn from, as JSONL.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from tatian.consolidation.verification.judges.prompts import ANSWER, FOOT, HEAD, TURN
from tatian.corpora.bundles import Bundle, read_bundles
from tatian.formats.ecbplus import read_ecbplus
from tatian.text import detokenize, split
from tatian.training.data import content_stems
from tatian.training.stories import letters, space_sentences
from tatian.training.unions import project_unions, written_unions

ROOT = Path(__file__).parents[1]
TUNING_BUNDLES = 5
"""One bundle of so many goes to the tuning set, until it has enough pairs."""
TUNING = 80
KEPT = 0.7
"""Least share of each source's content words that a reference sentence keeps."""
COPIED = 0.85
"""Least share of a reference sentence's content words that its sources have."""
LENGTHS = range(8, 47)
"""Lengths of sentences that are paired without a union, in words."""
MIN_COMMON, MIN_OVERLAP, MAX_OVERLAP = 2, 0.28, 0.75
"""Least number of content words of both sentences; least share of the shorter one's content words
in the other; largest share of all content words in both."""
MAX_USES = 6
"""Maximum number of pairs of one sentence."""
MAX_PAIRS = {"ecb": 400, "own": 80}
"""Maximum number of pairs of a story: an ECB+ topic's half, or one of the project's own."""
WRITTEN_SETS = ("corpus", "reports", "news-reports", "news", "drafts")
"""Sets whose unions were written for their pairs."""
MAX_REFUSAL = 0.0
"""Largest log-odds of a refusal of a pair whose draft is learned from."""
MIN_TAUGHT_COPIED, MIN_TAUGHT_KEPT = 0.96, 0.65
"""Least share of such a draft's content words that the sentences have; least share of each
sentence's content words that it keeps."""
STORY_FILES = ("train.jsonl", "days/*.jsonl", "proof/stories.jsonl")


def lines(path: Path) -> list[dict[str, Any]]:
    """Return the records of a JSONL file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]


def table(path: Path) -> list[dict[str, Any]]:
    """Return the pairs of a Sentence Union CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            {"sentences": [row["sentence1Text"], row["sentence2Text"]], "answer": row["mergedText"]}
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


def of_bundles(path: Path, bundles: dict[str, Bundle]) -> list[dict[str, Any]]:
    """Return unions of sentences of bundles, stored as ranges of them and words between."""
    rows = []
    for row in lines(path):
        bundle = bundles[row["bundle"]]
        first, second = row["places"]
        record = {"kind": "news", "bundle": bundle.id}
        if "refuse" in row:
            texts = bundle.sentences()
            rows.append({"sentences": [texts[first], texts[second]], **record})
            rows[-1]["answer"] = f"no ({row['refuse']})"
            continue
        parts = [part if isinstance(part, str) else tuple(part) for part in row["parts"]]
        (union,) = written_unions(bundle, [(first, second, parts)])
        rows.append({"sentences": list(union.sources), "answer": union.merged, **record})
    return rows


def ecb_sentences(data: Path, lengths: range) -> Iterator[tuple[str, str, list[str]]]:
    """Yield topic, id and sentences of each ECB+ document; a sentence has so many words."""
    for document in read_ecbplus(data / "coreference" / "ecbplus-topics-1-35.tar.gz"):
        topic, _, number = document.id.rpartition("/")[2].partition("_")
        sentences = [detokenize(s.split())[0] for s in space_sentences(document, lengths)]
        yield topic + number.lstrip("0123456789"), document.id, sentences


def stories(data: Path) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Return the sentences of stories, each with its source, by kind and name of the story."""
    by_story: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for topic, id, sentences in ecb_sentences(data, LENGTHS):
        by_story["ecb", topic] += [(id, sentence) for sentence in sentences]
    for pattern in STORY_FILES:
        for path in sorted((ROOT / "corpus").glob(pattern)):
            for row in lines(path):
                for source in row.get("accounts") or row["sources"]:
                    texts = source.get("sentences")
                    if texts is None:
                        text = " ".join(source["text"].split())
                        texts = [span.of(text) for span in split(text)]
                    story_key = "own", f"{path.stem} {row['id']}"
                    by_story[story_key] += [(source["id"], text) for text in texts]
    return by_story


def unlabelled(data: Path, reserved: Collection[str], seed: int = 3) -> list[dict[str, Any]]:
    """Return pairs of sentences of different sources that have words in common.

    No sentence has reserved letters.
    """
    rng = random.Random(seed)
    pairs = []
    for (kind, _), sourced in stories(data).items():
        known = set(reserved)
        sentences = []
        for source, text in sourced:
            if len(text.split()) in LENGTHS and letters(text) not in known and text[-1] in '.!?"”':
                known.add(letters(text))
                sentences.append((source, text, content_stems(text)))
        candidates = []
        for (source, text, stems), (other_source, other, others) in combinations(sentences, 2):
            common = len(stems & others)
            if source == other_source or common < MIN_COMMON:
                continue
            overlap = common / min(len(stems), len(others))
            if overlap >= MIN_OVERLAP and common <= MAX_OVERLAP * len(stems | others):
                candidates.append((overlap + 0.3 * rng.random(), text, other))
        uses: Counter[str] = Counter()
        chosen = 0
        for _, text, other in sorted(candidates, reverse=True):
            if max(uses[text], uses[other]) < MAX_USES and chosen < MAX_PAIRS[kind]:
                uses.update((text, other))
                chosen += 1
                pairs.append({"sentences": [text, other]})
    rng.shuffle(pairs)
    return pairs


def letters_of(rows: Sequence[dict[str, Any]]) -> set[str]:
    """Return the letters of all sentences, by which copies are recognised."""
    return {letters(sentence) for row in rows for sentence in row["sentences"]}


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
    news = written(data / "union" / "news-unions.jsonl")
    bundles = sorted({row["bundle"] for row in news})[::TUNING_BUNDLES]
    tuning = [row for row in news if row["bundle"] in bundles][:TUNING]
    paths = [ROOT / "corpus" / "train.jsonl", data / "consolidation" / "train"]
    project = [
        {"sentences": list(union.sources), "answer": union.merged, "kind": "project"}
        for union in project_unions(paths)
    ]
    unions = ROOT / "corpus" / "unions"
    by_id = {b.id: b for b in read_bundles(str(data / "consolidation" / "train"))}
    test = [*written(unions / "reports-test.jsonl"), *of_bundles(unions / "news-test.jsonl", by_id)]
    sets = {
        "corpus": written(unions / "train.jsonl"),
        "reports": written(unions / "reports-train.jsonl"),
        "news-reports": of_bundles(unions / "news-train.jsonl", by_id),
        "news": news,
        "drafts": written(unions / "drafts-train.jsonl"),
        "project": project,
        "reference": list(references(paths)),
    }
    corpus_test = written(unions / "test.jsonl")
    drafts_test = lines(unions / "drafts-test.jsonl")
    seen = letters_of([*evaluation, *tuning, *test, *corpus_test, *drafts_test])
    dev = read_bundles(str(data / "consolidation" / "dev"))
    unread = seen.union(*(map(letters, bundle.sentences().values()) for bundle in dev))
    train = {
        name: [row for row in rows if seen.isdisjoint(map(letters, row["sentences"]))]
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
            "corpus-test": corpus_test,
            "reports-test": test,
        },
        "teach": {"pairs": unlabelled(data, unread)},
    }


def fit_to_learn(tasks: dict[str, Any], drafts: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the likeliest drafts that keep most words of both sentences and add nearly none."""
    for row, result in zip(tasks["teach"]["pairs"], drafts["pairs"], strict=True):
        union = result["drafts"][0]
        if result["refusal"] > MAX_REFUSAL or union[-1:] not in '.!?"”':
            continue
        stems = content_stems(union)
        sources = [content_stems(sentence) for sentence in row["sentences"]]
        copied = len(stems & set().union(*sources)) / max(1, len(stems))
        kept = min(len(stems & source) / max(1, len(source)) for source in sources)
        if copied >= MIN_TAUGHT_COPIED and kept >= MIN_TAUGHT_KEPT:
            yield {"sentences": row["sentences"], "union": union}


def write_tasks(options: argparse.Namespace) -> None:
    """Write the tasks and print how many there are."""
    tasks = collect(options.data)
    options.o.mkdir(parents=True, exist_ok=True)
    (options.o / "tasks.json").write_text(json.dumps(tasks), encoding="utf-8")
    pairs = [row for name in WRITTEN_SETS for row in tasks["train"][name]]
    unions = [
        {"sentences": row["sentences"], "union": row["answer"]}
        for row in pairs
        if len(row["sentences"]) == 2 and not row["answer"].startswith("no (")
    ]
    _write_lines(unions, options.o / "written.jsonl")
    for use in ("train", "tune", "eval", "teach"):
        for name, rows in tasks[use].items():
            print(use, name, len(rows))


def write_taught(options: argparse.Namespace) -> None:
    """Write the drafts that are fit to learn from, and print how many there are."""
    tasks = json.loads((options.folder / "tasks.json").read_text("utf-8"))
    rows = list(fit_to_learn(tasks, json.loads(options.drafts.read_text("utf-8"))))
    _write_lines(rows, options.o)
    print(len(rows), "of", len(tasks["teach"]["pairs"]))


def _write_lines(rows: Sequence[dict[str, Any]], path: Path) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    steps = parser.add_subparsers(required=True, metavar="STEP")
    collecting = steps.add_parser("collect", help="write the data of training")
    collecting.add_argument("--data", type=Path, required=True)
    collecting.set_defaults(run=write_tasks)
    teaching = steps.add_parser("taught", help="write the drafts that are fit to learn from")
    teaching.add_argument("folder", type=Path)
    teaching.add_argument("drafts", type=Path)
    teaching.set_defaults(run=write_taught)
    for step in (collecting, teaching):
        step.add_argument("-o", type=Path, required=True)
    options = parser.parse_args(arguments)
    options.run(options)


if __name__ == "__main__":
    main()
