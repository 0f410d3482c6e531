"""Training of the aggregation ranker on freely licensed data.

The memory has the sets of `corpus/aggregation`: the written ones, and some drawn from each group.
Training uses the written sets, each without the fifth of the memory that contains it, and sets
mined from texts, which have a context.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from msgspec.structs import replace

from tatian.aggregation.data.jsonl import read
from tatian.aggregation.data.records import CANDIDATES, Instance
from tatian.aggregation.models.boosted import FEATURES, KnownEntities, rows, save
from tatian.aggregation.models.boosted.memory import Encode, Memory, stems
from tatian.analysis.meaning import vectors
from tatian.errors import InputError
from tatian.grouping import grouped
from tatian.knowledge.base import open_base
from tatian.text.lexicon import word_set
from tatian.training.forest import Boosting, join_forests, train_trees
from tatian.training.lists import LISTS
from tatian.trees import Trees

SEEDS = (1, 2, 3)
SETTINGS = Boosting(trees=400, leaves=3, rate=0.06, least=30, rows=0.6, columns=0.35, ridge=5.0)
MAX_GOLD = 3
"""Maximum number of gold phrases among a written set's candidates: the best ones."""
MEMORY_PARTS = 5
"""Number of parts of the memory. If only the set itself were left out, its gold phrases would be
recognisable as the only candidates that no other set has."""
_SET_SIZES = {2: 55, 3: 28, 4: 12, 5: 5}
"""Weights of the sizes of sets drawn from a group."""
_MAX_PHRASES = 8
_VAGUE = frozenset(stem for word in word_set(LISTS["vague"]) for stem in stems(word))
_SAME_HEAD = {
    stems(word)[-1]: stems(first)[-1]
    for first, *others in map(str.split, LISTS["same head"].splitlines())
    for word in others
}


def train_ranker(
    written: Sequence[Instance],
    drawn: Sequence[Instance],
    mined: Sequence[Instance],
    encode: Encode = vectors,
) -> tuple[Memory, Trees]:
    """Return the memory of the written and drawn sets, and the trees.

    Facts come from the starter base.
    """
    entities = KnownEntities(open_base("starter"))
    memory_sets = [*written, *drawn]
    memory = Memory.of(memory_sets, encode)
    parts = memory_parts(memory_sets)
    instances = [*with_candidates(written), *mined]
    ignored_sets = [*parts[: len(written)], *(frozenset[int]() for _ in mined)]
    tables = [
        rows(instance, instance.candidates, memory, encode, entities, ignored=ignored)
        for instance, ignored in zip(instances, ignored_sets, strict=True)
    ]
    gold = [c in instance.aggregations for instance in instances for c in instance.candidates]
    matrix, labels = np.concatenate(tables), np.array(gold, dtype=bool)
    forests = [train_trees(matrix, labels, settings=replace(SETTINGS, seed=seed)) for seed in SEEDS]
    return memory, join_forests([(trees, 1 / len(SEEDS)) for trees in forests], FEATURES)


def memory_parts(sets: Sequence[Instance]) -> list[frozenset[int]]:
    """Return for each set the numbers of the sets in its part of the memory."""
    part_of = [Random(f"{item.type} {item.entities}").randrange(MEMORY_PARTS) for item in sets]
    parts = grouped((part, index) for index, part in enumerate(part_of))
    return [frozenset(parts[part]) for part in part_of]


def read_sets(path: Path) -> Iterator[Instance]:
    """Yield the sets or groups of a file with lines of type, phrases and names."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        parts = line.split(" | ")
        if len(parts) != 3:
            raise InputError(f"{path}:{number}: {len(parts)} fields, not 3")
        kind, phrases, names = parts
        phrase_list = tuple(phrases.split("; "))
        yield Instance(
            f"{path.stem}-{number}", tuple(names.split("; ")), kind, aggregations=phrase_list
        )


def draw_sets(groups: Sequence[Instance], seed: int = 0) -> list[Instance]:
    """Draw as many sets from each group as it has members, with the phrases of all their groups."""
    random = Random(seed)
    sets: dict[tuple[str, ...], Instance] = {}
    for group in groups:
        same_type = [other for other in groups if other.type == group.type]
        for _ in group.entities:
            (size,) = random.choices(list(_SET_SIZES), list(_SET_SIZES.values()))
            members = random.sample(group.entities, min(size, len(group.entities)))
            names, id = tuple(sorted(members)), f"{group.id}-{len(sets)}"
            phrases = _phrases_of_groups(names, same_type)
            drawn = replace(group, id=id, entities=names, aggregations=phrases)
            sets.setdefault((group.type, *names), drawn)
    return list(sets.values())


def _phrases_of_groups(names: Sequence[str], groups: Sequence[Instance]) -> tuple[str, ...]:
    """Return the phrases of all groups with these names, ordered by rank."""
    matching = [group for group in groups if {*names} <= {*group.entities}]
    places: dict[str, float] = {}
    for group in sorted(matching, key=lambda group: len(group.entities)):
        for index, phrase in enumerate(group.aggregations):
            before = places.get(phrase)
            places[phrase] = index if before is None else min(before, index) - 0.5
    return tuple(sorted(places, key=lambda phrase: places[phrase])[:_MAX_PHRASES])


def with_candidates(sets: Sequence[Instance]) -> list[Instance]:
    """Return the sets with candidates; wrong ones are drawn from the phrases of other sets."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for instance in sets:
        counts[instance.type].update(instance.aggregations)
    completed = []
    for instance in sets:
        random = Random(instance.id)
        odds = {phrase: random.random() ** n**-0.5 for phrase, n in counts[instance.type].items()}
        drawn = sorted(odds, key=lambda phrase: -odds[phrase])
        gold = instance.aggregations[:MAX_GOLD]
        distractors = (
            phrase
            for phrase in drawn
            if phrase not in instance.aggregations and not is_implied(phrase, instance)
        )
        candidates = [*gold, *islice(distractors, CANDIDATES - len(gold))]
        random.shuffle(candidates)
        completed.append(replace(instance, aggregations=gold, candidates=tuple(candidates)))
    return completed


def is_implied(phrase: str, instance: Instance) -> bool:
    """Return whether a gold phrase implies a phrase."""
    words, head = _modifiers_and_head(phrase)
    return any(
        head == same and words - _VAGUE <= more
        for more, same in map(_modifiers_and_head, instance.aggregations)
    )


@cache
def _modifiers_and_head(phrase: str) -> tuple[frozenset[str], str]:
    *words, head = stems(phrase) or [""]
    return frozenset(words), _SAME_HEAD.get(head, head)


def run_ranker(options: Any) -> None:
    """Run the step ``ranker``."""
    written = list(read_sets(options.sets / "sets.txt"))
    drawn = draw_sets(list(read_sets(options.sets / "groups.txt")))
    mined = list(read(options.task))
    memory, trees = train_ranker(written, drawn, mined)
    save(options.out, memory, trees)
    print(f"{len(written)} written, {len(drawn)} drawn, {len(mined)} mined sets: {options.out}")
