"""Speed and memory of spotting, beside common dictionary matchers.

First table: the same terms and texts through Tatian, spaCy's PhraseMatcher (blank English
tokenizer, attribute LOWER) and, where installed, an Aho-Corasick automaton in Rust. Second: 1, 2
and 5 million synthetic aliases around the same terms, each built and searched in a process of its
own. Times are processor times of one thread, the best of several rounds that alternate.

    python benchmarks/mentions_spotting.py            (needs: pip install spacy ahocorasick-rs)
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec

from data_folder import DATA
from tatian.knowledge.dictionary import Dictionary
from tatian.knowledge.dictionary_writer import write
from tatian.knowledge.entities import normal_form
from tatian.mentions.spots import spots, spots_in
from tatian.statistics import Cell, Column, Table

TEXTS = "coreference/gum-train.conllu.gz"
TITLES = "knowledge/vital-article-titles.txt.gz"
ENTITIES = "knowledge/entities.jsonl.gz"
MILLION = 1_000_000
Spans = set[tuple[int, int]]


def read_texts(path: Path) -> list[str]:
    """Return the documents of a CoNLL-U file, one sentence per line."""
    documents: list[list[str]] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# newdoc"):
                documents.append([])
            elif line.startswith("# text = "):
                documents[-1].append(line.removeprefix("# text = ").rstrip("\n"))
    return ["\n".join(sentences) for sentences in documents]


def read_terms(data: Path) -> list[str]:
    """Return titles of Wikipedia and labels of entities, in their normal form."""
    terms: set[str] = set()
    with gzip.open(data / TITLES, "rt", encoding="utf-8") as lines:
        for line in lines:
            title = line.strip().removeprefix("/wiki/").partition("_(")[0]
            terms.add(normal_form(title))
    with gzip.open(data / ENTITIES, "rb") as rows:
        for row in rows:
            entity = msgspec.json.decode(row)
            terms.update(map(normal_form, [entity["label"], *entity.get("alternatives", ())]))
    return sorted(terms - {""})


def aliases(texts: Sequence[str]) -> Iterator[str]:
    """Yield endless distinct terms: a few words of the texts, then a synthetic one."""
    words = list(dict.fromkeys(re.findall(r"[a-z]+", " ".join(texts).lower())))
    pairs = list(dict.fromkeys(re.findall(r"(?=\b([a-z]+ [a-z]+)\b)", " ".join(texts).lower())))
    for number in range(1 << 40):
        suffix = "q" + "".join(
            "bdfgklmnprstvz"[int(digit, 16) % 14] + digit for digit in f"{number:x}"
        )
        kind = number % 4
        if kind == 0:
            yield suffix
        elif kind == 3:
            yield f"{pairs[number % len(pairs)]} {suffix}"
        else:
            yield f"{words[number % len(words)]} {suffix}"


def seconds(runs: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the best CPU time of each, run in turns."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            started = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - started)
    return best


def beside_peers(texts: list[str], terms: list[str], rounds: int) -> tuple[Table, list[str]]:
    """Tabulate tokens per second of each matcher from plain text, and their agreement."""
    import spacy
    from spacy.matcher import PhraseMatcher

    dictionary = Dictionary.from_terms((term, number) for number, term in enumerate(terms))
    nlp = spacy.blank("en")
    matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
    matcher.add("terms", list(nlp.tokenizer.pipe(terms)))
    documents = [nlp.make_doc(text) for text in texts]
    tokens = sum(map(len, documents))
    runs: dict[str, Callable[[], object]] = {
        "spaCy: tokenize, PhraseMatcher": lambda: [matcher(nlp.make_doc(text)) for text in texts],
        "spaCy: PhraseMatcher on tokens": lambda: [matcher(document) for document in documents],
        "tatian: all matches, text by text": lambda: [dictionary.find(text) for text in texts],
        "tatian: all matches, texts together": lambda: list(dictionary.find_in(texts)),
        "tatian: spots, text by text": lambda: [spots(text, dictionary) for text in texts],
        "tatian: spots, texts together": lambda: list(spots_in(texts, dictionary)),
    }
    if automaton := rust(terms):
        runs["ahocorasick-rs: substrings"] = lambda: [automaton(text) for text in texts]
    times = seconds(runs, rounds)
    base = times["spaCy: tokenize, PhraseMatcher"]
    rows: list[Sequence[Cell]] = [
        (name, round(tokens / taken), taken / tokens * 1e9, base / taken)
        for name, taken in times.items()
    ]
    columns: list[Column | str] = [
        "matcher",
        "tokens/s",
        Column("ns/token", precision=0),
        Column("speed, spaCy = 1", precision=1),
    ]
    title = f"{len(terms):,} terms, {len(texts)} texts, {tokens:,} tokens"
    return Table.of(columns, rows, title), agreement(texts, terms, dictionary, matcher, documents)


def rust(terms: list[str]) -> Callable[[str], object] | None:
    """Return a search for all terms as substrings, whole words or not."""
    try:
        import ahocorasick_rs
    except ImportError:
        return None
    automaton = ahocorasick_rs.AhoCorasick(terms)
    return lambda text: automaton.find_matches_as_indexes(text.lower(), overlapping=True)


def agreement(
    texts: list[str], terms: list[str], dictionary: Dictionary, matcher: Any, documents: list[Any]
) -> list[str]:
    """Compare the matches that both define (plain words and single blanks)."""
    known_terms = set(terms)
    ours = theirs = both = 0
    examples: list[str] = []
    for text, document in zip(texts, documents, strict=True):
        matches = dictionary.find(text)
        compared = plain(
            text, zip(matches.start.tolist(), matches.end.tolist(), strict=True), known_terms
        )
        spans = (
            (document[a:b].start_char, document[a:b].end_char) for _, a, b in matcher(document)
        )
        other = plain(text, spans, known_terms)
        both += len(compared & other)
        ours += len(compared - other)
        theirs += len(other - compared)
        examples += [repr(text[max(0, a - 9) : b + 9]) for a, b in sorted(compared ^ other)]
    return [
        f"found by both {both:,}, by tatian alone {ours:,}, by spaCy alone {theirs:,}",
        f"such as {', '.join(examples[:: max(1, len(examples) // 12)][:12])}",
    ]


def plain(text: str, spans: Any, terms: set[str]) -> Spans:
    """Return spans that equal a term word by word."""
    return {(a, b) for a, b in spans if text[a:b].isascii() and text[a:b].lower() in terms}


def scaling(data: Path, sizes: list[int], rounds: int) -> Table:
    """Tabulate build time, size, memory and time per token as the number of aliases grows."""
    rows: list[Sequence[Cell]] = []
    least = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            path = Path(folder) / str(size)
            built = worker("build", data, path, size, rounds)
            used = worker("use", data, path, size, rounds)
            least = least or used["spots"]
            rows.append(
                (
                    f"{size:,}",
                    built["seconds"],
                    built["peak"],
                    path.stat().st_size / 2**20,
                    used["open"] * 1000,
                    used["memory"],
                    used["find"],
                    used["spots"],
                    used["spots"] / least,
                    round(used["matches"]),
                )
            )
            path.unlink()
    columns: list[Column | str] = [
        "aliases",
        Column("build s", precision=0),
        Column("build peak MB", precision=0),
        Column("file MB", precision=0),
        Column("open ms", precision=1),
        Column("memory MB", precision=0),
        Column("find ns/token", precision=0),
        Column("spots ns/token", precision=0),
        "spots, first = 1",
        "matches",
    ]
    return Table.of(columns, rows, "Synthetic aliases (memory: growth by opening and searching)")


def worker(task: str, data: Path, path: Path, size: int, rounds: int) -> dict[str, float]:
    """Run one task in a fresh process."""
    command = [sys.executable, __file__, "--data", data, "--task", task, path, size, rounds]
    done = subprocess.run([*map(str, command)], check=True, capture_output=True, text=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def build_task(data: Path, path: Path, size: int) -> dict[str, float]:
    """Write a dictionary of `size` aliases around the real terms."""
    terms = read_terms(data)
    words = aliases(read_texts(data / TEXTS))
    started = time.process_time()
    write(path, ((term, number) for number, term in enumerate(islice(chain(terms, words), size))))
    taken = time.process_time() - started
    return {"seconds": taken, "peak": memory("VmHWM")}


def use_task(data: Path, path: Path, rounds: int) -> dict[str, float]:
    """Open a dictionary and search the texts with it."""
    texts = read_texts(data / TEXTS)
    tokens = sum(len(re.findall(r"\w+|[^\w\s]", text)) for text in texts)
    small = Dictionary.from_terms([("warm", 1)])
    list(spots_in(texts, small))
    before = memory("VmRSS")
    started = time.perf_counter()
    dictionary = Dictionary.open(path)
    opened = time.perf_counter() - started
    times = seconds(
        {
            "find": lambda: list(dictionary.find_in(texts)),
            "spots": lambda: list(spots_in(texts, dictionary)),
        },
        rounds,
    )
    matches = sum(len(dictionary.find(text)) for text in texts)
    figures = {name: taken / tokens * 1e9 for name, taken in times.items()}
    return figures | {"open": opened, "memory": memory("VmRSS") - before, "matches": matches}


def memory(kind: str) -> float:
    """Return megabytes of this process: now (``VmRSS``, with mapped files) or peak (``VmHWM``)."""
    match = re.search(rf"{kind}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(match[1]) / 1024 if match else float("nan")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="*", default=[MILLION, 2 * MILLION, 5 * MILLION])
    parser.add_argument("--task", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    missing = [name for name in (TEXTS, TITLES, ENTITIES) if not (options.data / name).is_file()]
    if missing:
        sys.exit(f"not found: {', '.join(missing)}: give the data directory with --data")
    if options.task:
        task, path, size, rounds = options.task
        if task == "build":
            print(json.dumps(build_task(options.data, Path(path), int(size))))
        else:
            print(json.dumps(use_task(options.data, Path(path), int(rounds))))
        return
    texts, terms = read_texts(options.data / TEXTS), read_terms(options.data)
    peers, notes = beside_peers(texts, terms, options.rounds)
    if options.format != "json":
        print(peers.render(options.format))
        print("\n".join(notes), end="\n\n", flush=True)
    grown = scaling(options.data, options.sizes, options.rounds)
    if options.format == "json":
        print(json.dumps({"peers": peers.to_json(), "aliases": grown.to_json(), "notes": notes}))
    else:
        print(grown.render(options.format), end="")


if __name__ == "__main__":
    main()
