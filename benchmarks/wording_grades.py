"""Judged wordings of unions: `corpus/unions/grades.jsonl` and the answers it is made of.

A line has two sentences and some wordings of their union. Each wording has a grade from 0 to 10 and
flags: g broken grammar, f false, l loses a fact, r repeats, s stiff. Sentences of others' reports
are named by `bundle` and `places`, their wordings are `parts` as in `news-train.jsonl`. For reports
of ECB+ that are in no bundle, the bundle is their topic, such as `12ecb`, and a place is the
document and the number of the sentence.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from claims_train import check_folder
from merger_data import ROOT, ecb_sentences, letters_of, lines, of_bundles, stories, table
from tatian.corpora.bundles import read_bundles
from tatian.errors import InputError
from tatian.training.stories import letters
from tatian.training.unions import Part, join_parts

UNIONS = ROOT / "corpus" / "unions"
GRADES = UNIONS / "grades.jsonl"
TESTS = ("test.jsonl", "reports-test.jsonl", "drafts-test.jsonl")
ANY_LENGTH = range(1, 10_000)
LETTERS = "abcdef"
"""Names of the wordings of a pair on a sheet."""
MIN_PART = 4
"""Minimum number of characters of a part that names its place in a sentence."""


class Contest(NamedTuple):
    """Wordings of the union of two sentences, with grades from 0 to 1 if they are judged."""

    sentences: tuple[str, ...]
    wordings: tuple[str, ...]
    grades: tuple[float, ...] = ()


def shared_sentences(data: Path) -> dict[str, dict[str, str]]:
    """Return the sentences of others' reports by bundle, or ECB+ topic, and place."""
    by_bundle = {b.id: b.sentences() for b in read_bundles(str(data / "consolidation" / "train"))}
    for topic, id, sentences in ecb_sentences(data, ANY_LENGTH):
        name = id.rpartition("/")[2]
        numbered = {f"{name}.{number}": text for number, text in enumerate(sentences)}
        by_bundle[topic] = by_bundle.get(topic, {}) | numbered
    return by_bundle


def read_grades(path: Path, data: Path | None, limit: int | None = None) -> list[Contest]:
    """Return judged wordings; without the data, those of pairs that are in the file."""
    rows = [row for row in lines(path) if data or "sentences" in row][:limit]
    by_bundle = shared_sentences(data) if data else {}
    contests = []
    for row in rows:
        pair = row.get("sentences") or [by_bundle[row["bundle"]][p] for p in row["places"]]
        texts = (w.get("text") or join_parts(pair, w["parts"]) for w in row["wordings"])
        grades = (wording["grade"] / 10 for wording in row["wordings"])
        contests.append(Contest(tuple(pair), tuple(texts), tuple(grades)))
    return contests


def as_parts(wording: str, sentences: Sequence[str]) -> list[Part]:
    """Return a wording as ranges of its sentences and the words between them."""
    tokens = re.findall(r"\w+|\W", wording)
    sources = [re.findall(r"\w+|\W", sentence) for sentence in sentences]
    parts: list[Part] = []
    place = 0
    while place < len(tokens):
        length, number, first = max(
            (_common(tokens[place:], source[start:]), -number, -start)
            for number, source in enumerate(sources)
            for start in range(len(source))
        )
        text = "".join(tokens[place : place + length])
        if len(text) >= MIN_PART:
            begin = len("".join(sources[-number][:-first]))
            parts.append((-number, begin, begin + len(text)))
        else:
            text, length = tokens[place], 1
            last = parts.pop() if parts and isinstance(parts[-1], str) else ""
            parts.append(f"{last}{text}")
        place += length
    return parts


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    pairs = enumerate(zip(first, second, strict=False))
    return next((n for n, (token, other) in pairs if token != other), min(len(first), len(second)))


def reserved_letters(data: Path) -> set[str]:
    """Return the letters of all sentences of Sentence Union and of the test sets."""
    bundles = {b.id: b for b in read_bundles(str(data / "consolidation" / "train"))}
    rows = [row for name in ("eval", "train") for row in table(data / "union" / f"{name}.csv")]
    rows += of_bundles(UNIONS / "news-test.jsonl", bundles)
    return letters_of([*rows, *(row for name in TESTS for row in lines(UNIONS / name))])


def own_sentences() -> dict[str, str]:
    """Return the bundle or story of each sentence of the project's own."""
    bundle_of = {}
    for row in (row for path in sorted(UNIONS.glob("*train.jsonl")) for row in lines(path)):
        bundle_of.update(dict.fromkeys(row.get("sentences", ()), row.get("bundle", row["id"])))
    for bundle in read_bundles(str(ROOT / "corpus" / "train.jsonl")):
        bundle_of.update(dict.fromkeys(bundle.sentences().values(), bundle.id))
    return bundle_of


def write_grades(options: argparse.Namespace) -> None:
    """Join sheets and answers, and print how many pairs are left out."""
    check_folder(options.source)
    if options.data is None:
        raise InputError("grades needs --data DATA")
    reserved, story_of = reserved_letters(options.data), own_sentences()
    for (kind, story), sourced in stories(options.data).items():
        if kind == "own":
            story_of |= {t: story_of.get(t, story.partition(" ")[2]) for _, t in sourced}
    places: dict[str, list[tuple[str, str]]] = {}
    for bundle, texts in shared_sentences(options.data).items():
        for place, text in texts.items():
            places.setdefault(text, []).append((bundle, place))
    answers = [a for path in sorted(options.source.glob("answers-*.jsonl")) for a in lines(path)]
    key = {item["id"]: item for path in options.source.glob("key*.jsonl") for item in lines(path)}
    rows: list[dict[str, Any]] = []
    without_origin = left_out = 0
    for answer in answers:
        item = key[answer["id"]]
        pair = item["sentences"]
        record: dict[str, Any] = {"id": f"grade-{len(rows) + 1:03}"}
        homes = [dict(places.get(sentence, ())) for sentence in pair]
        common = next((bundle for bundle in homes[0] if bundle in homes[1]), None)
        if not reserved.isdisjoint(map(letters, pair)):
            left_out += 1
            continue
        if common:
            record |= {"bundle": common, "places": [home[common] for home in homes]}
        elif all(sentence in story_of for sentence in pair):
            record |= {"bundle": story_of[pair[0]], "sentences": pair}
        else:
            without_origin += 1
            continue
        record["wordings"] = [
            ({"parts": as_parts(text, pair)} if common else {"text": text})
            | dict(zip(("grade", "flags"), answer[letter], strict=True))
            for letter, text in zip(LETTERS, item["wordings"], strict=False)
        ]
        rows.append(record)
    write_lines(options.o / GRADES.name, rows)
    print(f"left out: {left_out} share a sentence with a test, {without_origin} of unknown origin")


def write_lines(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write records, one a line, and print how many there are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")
    print(f"{len(rows)} pairs in {path}")
