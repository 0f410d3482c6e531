"""Pairs of claims that train the model `same`: do two figures stand for the same thing?

The labelled pairs are those of `corpus/claims`: written ones (`train`, `dev`, `dev2`), those of
invented stories with numbered figures (`tagged`), and judged pairs of whole stories (`rivals`).
Weak pairs are equal figures of two sources, and different ones of one source. The set `stories-10`
is kept for tests.
"""

from __future__ import annotations

import json
import random
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from claims import read_rows
from judge_data import CORPUS
from tatian.analysis import analyze_all
from tatian.claims import PlacedClaim, compare_values, read_placed
from tatian.consolidation.rivals import COMPARED_KINDS, SIZE_KINDS, is_far_off
from tatian.corpora.bundles import read_bundles
from tatian.text import Document, Metadata

CLAIMS = CORPUS / "claims"
FOLDS = 4
CONTEXT_CHARACTERS = 200
"""Number of characters before a sentence that a pair keeps."""
WEAK_WEIGHT = 0.1
MAX_WEAK_EQUAL, MIN_WEAK_DIFFERENT = 40, 8
"""Equal pairs of one story that are used, and different ones beside half as many."""
SAME_SOURCE_SHARE, AGREEING_SHARE = 0.15, 0.4
"""Shares of unlabelled pairs that are kept: of one source, and of figures that may both be true."""
MAX_TAGGED, MAX_OTHER = 400, 130
"""Unlabelled pairs of a story with numbered figures, and of another story."""
UNSEEN = frozenset(("stories-10",))
"""Sets of days that are kept for tests."""
MIN_COUNT = 5
"""Smaller counts are often equal by chance."""
_TAG = re.compile(r"\{(\d+)\|([^{}]*)\}")
_PAIR = re.compile(r"(\d+)-(\d+) ([XCRD])")


class SourceClaim(NamedTuple):
    """A claim, the number of its source, and the text before its sentence."""

    source: int
    placed: PlacedClaim
    before: str


class MarkedPair(NamedTuple):
    """Two sentences with a mark, whether it stands for one thing if known, and the story's fold."""

    set: str
    first: str
    second: str
    same: bool | None
    fold: int
    weight: float = 1.0
    name: str = ""
    before: tuple[str, str] = ("", "")


class LabelledStory(NamedTuple):
    """The claims of a story and its labelled pairs."""

    set: str
    fold: int
    claims: list[SourceClaim]
    pairs: list[MarkedPair]


def written_pairs(limit: int | None = None) -> Iterator[MarkedPair]:
    """Yield the pairs of written sentences, or a limited number of each set."""
    for name in ("train", "dev", "dev2"):
        for number, row in enumerate(read_rows(CLAIMS / f"{name}.jsonl")[:limit]):
            if row.first and row.second:
                same = row.record["label"] != "unrelated"
                fold = number // 10 % FOLDS
                yield MarkedPair("written", row.first.marked, row.second.marked, same, fold)


def labelled_stories(data: Path, limit: int | None = None) -> Iterator[LabelledStory]:
    """Yield the stories with numbered figures, then the others, or a limited number of each set."""
    for line in _lines(CLAIMS / "tagged.jsonl", limit):
        yield _tagged_story(json.loads(line))
    rivals: dict[str, list[tuple[int, Any]]] = {}
    for number, line in enumerate(_lines(CLAIMS / "rivals.jsonl")):
        record = json.loads(line)
        rivals.setdefault(record["story"], []).append((number, record))
    for id, documents in stories(data, limit):
        claims = read_claims(documents)
        at = {(claim.source, claim.placed.claim.figure.start): claim for claim in reversed(claims)}
        fold, pairs = fold_of(id), []
        for number, record in rivals.get(id, ()):
            first, second = (at.get((n, start)) for n, start in (record["first"], record["second"]))
            if record["label"] != "?" and first and second:
                same = record["label"] != "D"
                pairs.append(_pair("rivals", first, second, same, fold, name=str(number)))
        yield LabelledStory("rivals", fold, claims, pairs)


def read_claims(documents: Sequence[Document]) -> list[SourceClaim]:
    """Return the claims of a story's sources."""
    return [
        SourceClaim(
            number, placed, document.text[max(0, placed.start - CONTEXT_CHARACTERS) : placed.start]
        )
        for number, document in enumerate(analyze_all(documents))
        for placed in read_placed(document)
    ]


def _pair(
    set: str, first: SourceClaim, second: SourceClaim, same: bool | None, fold: int, **more: Any
) -> MarkedPair:
    texts = first.placed.marked, second.placed.marked
    return MarkedPair(set, *texts, same, fold, before=(first.before, second.before), **more)


def _lines(path: Path, limit: int | None = None) -> list[str]:
    return path.read_text("utf-8").splitlines()[:limit]


def stories(data: Path, limit: int | None = None) -> Iterator[tuple[str, list[Document]]]:
    """Yield the training stories: bundles of ECB+ and of the corpus, and reports of days."""
    for name, path in (("ecb", data / "consolidation/train"), ("train", CORPUS / "train.jsonl")):
        for bundle in read_bundles(str(path))[:limit]:
            yield f"{name}/{bundle.id}", bundle.documents()
    for path in sorted((CORPUS / "days").glob("stories*.jsonl")):
        for line in () if path.stem in UNSEEN else _lines(path, limit):
            story = json.loads(line)
            yield (
                f"{path.stem}/{story['id']}",
                [
                    Document(source["id"], source["text"], metadata=date_metadata(source))
                    for source in story["sources"]
                ],
            )


def _tagged_story(story: Mapping[str, Any]) -> LabelledStory:
    tags: dict[int, tuple[int, int, int]] = {}
    documents = []
    for number, source in enumerate(story["sources"]):
        text, at = "", 0
        for tag in _TAG.finditer(source["text"]):
            text += source["text"][at : tag.start()]
            tags[int(tag[1])] = number, len(text), len(text) + len(tag[2])
            text, at = text + tag[2], tag.end()
        documents.append(
            Document(f"{number}", text + source["text"][at:], metadata=date_metadata(source))
        )
    claims, fold, pairs = read_claims(documents), fold_of(story["id"]), []
    for pair in story["pairs"]:
        parts = _PAIR.match(pair)
        assert parts
        first, second = (_at_tag(claims, tags[int(parts[n])]) for n in (1, 2))
        if first and second and first.placed.claim.kind == second.placed.claim.kind:
            pairs.append(_pair("tagged", first, second, parts[3] != "D", fold))
    return LabelledStory("tagged", fold, claims, pairs)


def _at_tag(claims: Sequence[SourceClaim], tag: tuple[int, int, int]) -> SourceClaim | None:
    """Return the claim whose figure fits a tag best."""
    number, start, end = tag

    def fit(claim: SourceClaim) -> float:
        figure = claim.placed.claim.figure
        shared = min(end, figure.end) - max(start, figure.start)
        return shared / (max(end, figure.end) - min(start, figure.start))

    return max((c for c in claims if c.source == number and fit(c) > 0), key=fit, default=None)


def weak_pairs(story: LabelledStory) -> Iterator[MarkedPair]:
    """Yield equal figures of two sources, and different figures of one source."""
    rng = random.Random(3)
    equal, different = [], []
    for left, right in combinations(story.claims, 2):
        first, second = left.placed, right.placed
        kind = first.claim.kind
        if kind != second.claim.kind or kind == "name" or first.sentence == second.sentence:
            continue
        value, _ = compare_values(first.claim, second.claim)
        is_other = left.source != right.source
        if is_other and value == "equal" and not _is_small(first) and kind != "date":
            equal.append((left, right))
        elif not is_other and value == "exclude":
            shared = _words(first) & _words(second)
            different.append((len(shared) + rng.random(), left, right))
    rng.shuffle(equal)
    different.sort(key=lambda found: -found[0])
    equal = equal[:MAX_WEAK_EQUAL]
    rivals = [(left, right) for _, left, right in different]
    for same, pairs in ((True, equal), (False, rivals[: len(equal) // 2 + MIN_WEAK_DIFFERENT])):
        for left, right in pairs:
            yield _pair("weak", left, right, same, story.fold, weight=WEAK_WEIGHT)


def unlabelled_pairs(story: LabelledStory) -> Iterator[MarkedPair]:
    """Yield figures of one kind: those of the most similar sentences, and as many by chance."""
    rng = random.Random(5)
    candidates = []
    for left, right in combinations(story.claims, 2):
        first, second = left.placed, right.placed
        kind = first.claim.kind
        if (
            kind != second.claim.kind
            or kind not in COMPARED_KINDS
            or first.sentence == second.sentence
        ):
            continue
        if kind in SIZE_KINDS and is_far_off(first.claim, second.claim):
            continue
        excludes = compare_values(first.claim, second.claim)[0] == "exclude"
        if left.source == right.source:
            is_kept = excludes and rng.random() < SAME_SOURCE_SHARE
        else:
            is_kept = excludes or rng.random() < AGREEING_SHARE
        if is_kept:
            words, others = _words(first), _words(second)
            likeness = len(words & others) / len(words | others) + 0.03 * rng.random()
            candidates.append((likeness, left, right))
    candidates.sort(key=lambda candidate: -candidate[0])
    half = (MAX_TAGGED if story.set == "tagged" else MAX_OTHER) // 2
    rest = candidates[half:]
    rng.shuffle(rest)
    for _, left, right in candidates[:half] + rest[:half]:
        yield _pair("unlabelled", left, right, None, story.fold)


def _words(placed: PlacedClaim) -> set[str]:
    return {*placed.sentence.lower().split()}


def _is_small(placed: PlacedClaim) -> bool:
    interval = placed.claim.interval
    return placed.claim.kind == "count" and (interval is None or interval.low < MIN_COUNT)


def fold_of(story: str) -> int:
    """Return the number of the quarter that a story belongs to."""
    return zlib.crc32(story.encode()) % FOLDS


def date_metadata(source: Mapping[str, str]) -> Metadata:
    """Return the metadata of a source with its date, if it has one."""
    return Metadata(date=source["date"]) if source.get("date") else Metadata()
