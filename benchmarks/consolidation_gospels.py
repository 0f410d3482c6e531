"""Precision of sentence groups on four long sources of one story, by episode.

    python benchmarks/consolidation_gospels.py --data DIR

DIR has `verses.json` (gospel -> verse -> text) and `pericopes.json` (the verses of each episode).
Precision: of all pairs of sentences of different gospels in one group, both in a listed episode,
the share in the same episode. Recall: of all pairs of gospels that an episode has, the share with
at least one pair found. The baseline is the nearest sentence by word overlap alone.

A list made by a program may have passages that run on to the end of a gospel ("20:24-28" read as
20:24 to 28:20). Sentences there of an unlisted episode then count as wrong. So all figures are
repeated without passages of more than a hundred verses.
"""

from __future__ import annotations

import argparse
import json
import resource
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import tatian
from tatian.text import Document
from tatian.text.content import concepts

_MAX_PASSAGE_VERSES = 100
Place = tuple[str, int]
"""A gospel and the start of a sentence in it."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data/gospels"))
    parser.add_argument("--fast", action="store_true", help="without the encoder")
    chosen = parser.parse_args()
    gospels = json.loads((chosen.data / "verses.json").read_text(encoding="utf-8"))
    documents, verses = [], {}
    for name, texts in gospels.items():
        starts, text = [], ""
        for number, verse in texts.items():
            starts.append((len(text), number))
            text += f"{verse} "
        documents.append(Document(name, text))
        verses[name] = starts
    listed = [
        episode["verses"]
        for episode in json.loads((chosen.data / "pericopes.json").read_text("utf-8"))
    ]
    sound = [
        {name: part for name, part in parts.items() if len(part) <= _MAX_PASSAGE_VERSES}
        for parts in listed
    ]
    woven = tatian.consolidate(documents, fast=chosen.fast)
    used = resource.getrusage(resource.RUSAGE_SELF)
    starts_of = {account.id: [s.start for s in account.sentences] for account in woven.documents}
    pairs = [
        ((first.document, starts_of[first.document][first.sentence]),
         (second.document, starts_of[second.document][second.sentence]))
        for group in woven.groups
        for first, second in combinations(group, 2)
    ]  # fmt: skip
    print(f"{'':16}{'pairs':>7} {'in one episode':>15} {'found':>7}")
    nearest = list(_nearest(woven))
    for about, passages in (
        ("as listed", listed),
        (f"no passage over {_MAX_PASSAGE_VERSES} verses", sound),
    ):
        print(about)
        episodes = _Episodes(passages, verses)
        for name, linked in (("tatian", pairs), ("nearest by words", nearest)):
            count, inside, share = episodes.judged(linked)
            print(f"{name:16}{count:7} {inside:15.1%} {share:7.1%}")
    cpu = used.ru_utime + used.ru_stime
    print(f"{cpu:.0f} s of processor time, {used.ru_maxrss / 1e6:.2f} GB")


class _Episodes:
    """Episodes of each verse."""

    def __init__(
        self, listed: list[dict[str, list[str]]], verses: dict[str, list[tuple[int, str]]]
    ) -> None:
        self._verses = verses
        self._of: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
        self._pairs = set()
        for number, episode in enumerate(listed):
            for gospel, numbers in episode.items():
                for verse in numbers:
                    self._of[gospel, verse].add(number)
            for pair in combinations(episode, 2):
                self._pairs.add((number, frozenset(pair)))

    def at(self, place: Place) -> set[int]:
        starts = self._verses[place[0]]
        _, verse = starts[bisect_right(starts, place[1], key=lambda interval: interval[0]) - 1]
        return self._of.get((place[0], verse), set())

    def judged(self, pairs: Iterable[tuple[Place, Place]]) -> tuple[int, float, float]:
        count = inside = 0
        joined = set()
        for ours, theirs in pairs:
            first, second = self.at(ours), self.at(theirs)
            if ours[0] != theirs[0] and first and second:
                count += 1
                inside += bool(first & second)
                joined |= {(number, frozenset((ours[0], theirs[0]))) for number in first & second}
        return count, inside / max(1, count), len(joined & self._pairs) / len(self._pairs)


def _nearest(woven: tatian.Consolidation) -> Iterable[tuple[Place, Place]]:
    """Yield each sentence with the one of another gospel that shares most words with it."""
    concepts_of = {
        (account.id, sentence.start): set(
            concepts(account.text[sentence.start : sentence.end].split())
        )
        for account in woven.documents
        for sentence in account.sentences
    }
    holders: defaultdict[str, list[Place]] = defaultdict(list)
    for place, words in concepts_of.items():
        for word in words:
            holders[word].append(place)
    for place, words in concepts_of.items():
        shared: defaultdict[Place, float] = defaultdict(float)
        for word in words:
            for other in holders[word] if len(holders[word]) < 200 else ():
                if other[0] != place[0]:
                    shared[other] += 1 / len(holders[word])
        if shared:
            yield place, max(shared, key=lambda other: (shared[other], other))


if __name__ == "__main__":
    main()
