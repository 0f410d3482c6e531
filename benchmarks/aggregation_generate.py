"""Quality of generated phrases: against phrases from news, and on sets drawn from a knowledge base.

The first table has matches with the gold of instances mined from news, support and variety, for
each base. The second, with --sets, has one hundred sets drawn from the starter base by seed, each
with the first proposal and a reader's judgement. It is written as a page of the documentation.

    python benchmarks/aggregation_generate.py [--data DATA] [--kb FILE]...
    python benchmarks/aggregation_generate.py --sets sets.md
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from aggregation_sets import DrawnSet, draw_sets
from data_folder import DATA
from tatian.aggregation.data.jsonl import read
from tatian.aggregation.data.records import Instance
from tatian.aggregation.metrics.answers import GenerationLine, score_generated
from tatian.aggregation.models import Generator, Proposal, generators
from tatian.errors import InputError
from tatian.knowledge import open_base
from tatian.statistics import Column, Table

TASK = "aggregation/news-val.jsonl"
SEED = 1729
JUDGED = Path(__file__).with_name("aggregation_sets_judged.tsv")
"""A reader's judgements: the set, the phrase, and ``good`` or what is wrong with it."""
GOOD = "good"
MEASURES = (
    "match@1",
    "match@10",
    "mrr",
    "supported@1",
    "supported",
    "distinct",
    "words",
    "answered",
)


def generate_all(generator: Generator, instances: list[Instance]) -> dict[str, GenerationLine]:
    """Return the proposals for each instance; none for those that the generator refuses."""
    answers = {}
    for instance in instances:
        proposals = proposals_for(generator, instance)
        answers[instance.id] = GenerationLine(
            id=instance.id,
            aggregations=tuple((proposal.phrase, proposal.score) for proposal in proposals),
            support=tuple(proposal.support for proposal in proposals),
        )
    return answers


def proposals_for(generator: Generator, instance: Instance) -> tuple[Proposal, ...]:
    """Return the generator's proposals for an instance without its answers."""
    bare = Instance(
        id=instance.id,
        entities=instance.entities,
        type=instance.type,
        title=instance.title,
        context=instance.context,
        date=instance.date,
    )
    try:
        return generator.generate(bare)
    except InputError:
        return ()


def news_table(bases: list[str], data: Path) -> Table:
    """Build the first table."""
    instances = list(read(str(data / TASK)))
    columns: list[Column | str] = ["base", *(Column(name, precision=3) for name in MEASURES)]
    columns.append(Column("instances/s", precision=0))
    rows = []
    for name in bases:
        generator = generators.create(kb=name)
        proposals_for(generator, instances[0])
        begun = time.process_time()
        answers = generate_all(generator, instances)
        speed = len(instances) / (time.process_time() - begun)
        figures = score_generated(instances, answers)
        values = [figures.score(measure).value for measure in MEASURES]
        rows.append([Path(name).name, *values, speed])
    return Table.of(columns, rows)


def read_judgements() -> dict[tuple[str, str], str]:
    """Return the reader's judgement of each set and phrase."""
    if not JUDGED.exists():
        return {}
    rows = (line.split("\t") for line in JUDGED.read_text("utf-8").splitlines())
    return {(entities, phrase): verdict for entities, phrase, verdict in rows}


def judge_sets(
    drawn: list[DrawnSet], generator: Generator
) -> Iterator[tuple[DrawnSet, str, float, str]]:
    """Yield each set with its first proposal, its score, and the reader's judgement."""
    verdicts = read_judgements()
    for item in drawn:
        first = next(iter(proposals_for(generator, item.instance)), None)
        phrase, score = (first.phrase, first.score) if first else ("", 0.0)
        verdict = verdicts.get(("|".join(item.instance.entities), phrase), "not judged")
        yield item, phrase, score, verdict


def format_page(rows: list[tuple[DrawnSet, str, float, str]]) -> str:
    """Format the sets as a page of the documentation."""
    good = sum(verdict == GOOD for *_, verdict in rows)
    lines = [
        "# One hundred sets and their names",
        "",
        f"Drawn from the starter base with seed {SEED} by `benchmarks/aggregation_generate.py "
        "--sets`: of three sets one shares",
        "an occupation, type or industry, one something else (a nationality, a place, a team), one "
        "both. The generator",
        "sees the names and the type only. A reader called the first proposal good if it is true "
        "of every member,",
        "correctly plural and what a newspaper could print; anything else is said. ",
        f"**{good} of {len(rows)} are good.**",
        "",
        "By score: "
        + "; ".join(
            f"{low:.1f} to {high:.1f}: {ok} of {count}" for low, high, ok, count in _bands(rows)
        )
        + ".",
        "",
        "| set | first proposal | score | judged |",
        "|---|---|---|---|",
    ]
    for item, phrase, score, verdict in rows:
        names = "; ".join(item.instance.entities)
        lines.append(f"| {names} | {phrase or '(none)'} | {score:.2f} | {verdict} |")
    return "\n".join(lines) + "\n"


def _bands(
    rows: list[tuple[DrawnSet, str, float, str]],
) -> Iterator[tuple[float, float, int, int]]:
    for low, high in ((0.0, 0.5), (0.5, 0.7), (0.7, 1.0)):
        within = [verdict for _, _, score, verdict in rows if low <= score < high]
        yield low, high, sum(verdict == GOOD for verdict in within), len(within)


def main() -> None:
    """Print the first table, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, default=DATA, help="where the data sets are")
    parser.add_argument("--kb", action="append", default=[], help="a base; may be repeated")
    parser.add_argument("--sets", type=Path, metavar="PAGE", help="write the judged sets instead")
    arguments = parser.parse_args()
    if arguments.sets:
        base = open_base("starter")
        rows = list(judge_sets(draw_sets(base, SEED), generators.create(kb=base)))
        arguments.sets.write_text(format_page(rows), "utf-8")
        good = sum(verdict == GOOD for *_, verdict in rows)
        print(f"{good} good of {len(rows)}; to judge: {sum(r[3] == 'not judged' for r in rows)}")
        return
    print(news_table(["starter", *arguments.kb], arguments.data).render("text"))


if __name__ == "__main__":
    main()
