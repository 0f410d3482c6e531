"""``tatian aggregate generate``: phrases for sets of entities, each with what supports it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from tatian.cli.aggregate.reading import (
    checkpoint_option,
    iterate_located,
    lenient_option,
    whole_writer,
)
from tatian.cli.common import (
    any_path,
    examples,
    kb_option,
    keep_inputs,
    number_option,
    output_option,
    quiet_option,
    say,
)
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.aggregation.data import Instance
    from tatian.aggregation.models import Generator, Proposal


REFUSED = "instances without phrases because of errors"
UNNAMED = "sets that nothing can be said of"


@click.command(
    epilog=examples(
        "tatian aggregate generate instances.jsonl",
        "tatian aggregate generate instances.jsonl --kb wiki.kb --number --limit 3",
        "tatian aggregate sets report.txt | tatian aggregate generate -",
    )
)
@click.argument("instances", nargs=-1, required=True, type=any_path, metavar="INSTANCES...")
@click.option("--model", metavar="NAME", help="A generator by its name, or package.module:Class.")
@checkpoint_option
@kb_option
@click.option("--number", is_flag=True, help='With determiner and number: "the three ...".')
@number_option("--limit", help="The most phrases for an instance.", default=10)
@lenient_option
@output_option
@quiet_option
def generate(
    instances: tuple[str, ...],
    model: str | None,
    checkpoint: str | None,
    kb: str | None,
    number: bool,
    limit: int,
    lenient: bool,
    output: str,
    quiet: bool,
) -> None:
    """Propose phrases that name the entities of each of INSTANCES together.

    Prints one line of JSON for each: its id, the phrases with scores from 0 to 1, best first, and
    for each phrase the facts of the entities that support it. An instance of which nothing can be
    said has no phrases. Facts come from the base that comes with the package unless --kb names
    another; if an instance has a date, what held then is preferred.
    """
    from tatian.text.formats import Losses

    keep_inputs(output, instances)
    generator = _generator(model, kb, checkpoint)
    without = Losses()
    with whole_writer(output) as put:
        for place, instance in iterate_located(instances, lenient=lenient, quiet=quiet):
            found: tuple[Proposal, ...] = ()
            try:
                found = generator.generate(instance, limit)
            except InputError as error:
                if not lenient:
                    raise InputError(str(error), path=place.path, line=place.line) from error
                without.add(REFUSED, f"{place}: {error}")
            else:
                if not found:
                    without.add(UNNAMED, f"{place}: {', '.join(instance.entities)}")
            put(_line(instance, found, number) + "\n")
    for what, count in without.counts.items() if not quiet else ():
        message = f"{what}: {count}; first: {without.first[what]}"
        say("warning" if what == REFUSED else "note", message)


def _generator(model: str | None, kb: str | None, checkpoint: str | None) -> Generator:
    from tatian.aggregation.models import generators

    name = model or generators.default
    options = {} if checkpoint is None else {"checkpoint": checkpoint}
    if kb is None:
        return generators.create(name, **options)
    if not generators.accepts(name, "kb"):
        raise InputError(f"generator '{name}' uses no knowledge base: leave out --kb")
    return generators.create(name, kb=kb, **options)


def _line(instance: Instance, found: tuple[Proposal, ...], number: bool) -> str:
    from tatian.aggregation.models.generating.wording import numbered

    count = len(instance.entities)
    phrases = [numbered(one.phrase, count) if number else one.phrase for one in found]
    line = {
        "id": instance.id,
        "aggregations": [[phrase, one.score] for phrase, one in zip(phrases, found, strict=True)],
        "support": [list(one.support) for one in found],
    }
    return json.dumps(line, ensure_ascii=False)
