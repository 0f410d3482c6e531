"""The written sets of `corpus/aggregation` as a ranking task to train on.

Wrong candidates are right phrases of other sets of the same type, common ones more often, as in
news. None of them may be right by meaning, as far as a program can tell.

    python scripts/written_sets.py written.jsonl
"""

from __future__ import annotations

import argparse
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

from msgspec.structs import replace

from tatian.aggregation.data import Instance, jsonl
from tatian.aggregation.data.records import CANDIDATES
from tatian.aggregation.models.boosted.memory import stems
from tatian.errors import InputError

SETS = Path(__file__).parents[1] / "corpus" / "aggregation"
MOST = 3
"""Right phrases among the candidates: those that a newspaper would say first."""
PARTS = 5
"""Into which the sets are dealt; training forgets the part that a set is in."""
VAGUE = frozenset(
    stem
    for word in "big large major key leading top important prominent other foreign several certain "
    "particular different powerful notable famous well-known influential american u.s. us".split()
    for stem in stems(word)
)
SAME_HEAD = {
    stems(word)[-1]: stems(words.split()[0])[-1]
    for words in (
        "countries nations",
        "companies firms corporations businesses giants",
        "groups organizations",
        "outlets organizations publications",
        "stars celebrities",
        "politicians lawmakers",
        "candidates contenders hopefuls",
        "places locations areas",
        "writers authors",
        "players athletes",
        "programs entitlements benefits",
        "battlegrounds battleground",
        "universities schools colleges institutions",
        "agencies departments",
        "leaders figures",
        "officials aides advisers",
        "allies partners",
        "adversaries foes enemies rivals",
    )
    for word in words.split()[1:]
}


def read(folder: Path = SETS) -> list[Instance]:
    """The sets in the order of the files; an id is the file's name and the line."""
    found = []
    for path in sorted(folder.glob("*.txt")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            parts = line.split(" | ")
            if len(parts) != 5:
                raise InputError(f"{path.name}:{number}: {len(parts)} fields, not 5")
            kind, entities, phrases, title, context = parts
            found.append(
                Instance(
                    f"{path.stem}-{number}",
                    tuple(entities.split("; ")),
                    kind,
                    title=title,
                    context=context,
                    aggregations=tuple(phrases.split("; ")),
                )
            )
    return found


def says_no_more(phrase: str, one: Instance) -> bool:
    """Whether a phrase is right because a right one says the same or more."""
    words, head = _parts(phrase)
    return any(
        head == same and words - VAGUE <= more for more, same in map(_parts, one.aggregations)
    )


@cache
def _parts(phrase: str) -> tuple[frozenset[str], str]:
    *words, head = stems(phrase)
    return frozenset(words), SAME_HEAD.get(head, head)


def task(sets: Sequence[Instance], seed: int = 0) -> list[Instance]:
    """The sets with their candidates."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in sets:
        counts[one.type].update(one.aggregations)
    made = []
    for one in sets:
        random = Random(f"{seed}\n{one.id}")
        drawn = sorted(
            counts[one.type].items(),
            key=lambda pair: -(random.random() ** (1 / math.sqrt(pair[1]))),
        )
        right = one.aggregations[:MOST]
        wrong = (
            phrase
            for phrase, _ in drawn
            if phrase not in one.aggregations and not says_no_more(phrase, one)
        )
        candidates = [*right, *islice(wrong, CANDIDATES - len(right))]
        random.shuffle(candidates)
        part = f"part-{Random(one.id).randrange(PARTS)}"
        made.append(replace(one, aggregations=right, candidates=tuple(candidates), source=part))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    made = task(read(), chosen.seed)
    chosen.out.write_text("".join(jsonl.write(made)), "utf-8")
    print(f"{len(made)} sets in {chosen.out}")


if __name__ == "__main__":
    main()
