"""``tatian aggregate table`` and ``show``: systems side by side, as in the paper's tables."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tatian.aggregation.data import Instance
from tatian.aggregation.data.records import Part
from tatian.aggregation.metrics import RankingScores, score
from tatian.aggregation.metrics import ablation as tables
from tatian.aggregation.metrics.ablation import INPUTS, LOSSES, NOTE, Inputs, only
from tatian.aggregation.metrics.answers import Answers, ScoredPhrases, read_rankings
from tatian.aggregation.models import rankers
from tatian.aggregation.models.encoder_decoder import setup_of
from tatian.aggregation.views import to_text
from tatian.cli import options
from tatian.cli.aggregate.reading import (
    backgrounds_from,
    is_file,
    paths_of,
    read_instances,
    read_systems,
)
from tatian.cli.files import choose_format, keep_inputs, select, split_name
from tatian.cli.options import STREAM, command
from tatian.cli.output import print_table, progress_bar, say, wants_colour, write
from tatian.errors import InputError
from tatian.progress import Progress, track
from tatian.views.wording import format_count

if TYPE_CHECKING:
    from tatian.statistics import Table


@command()
def table(
    task: str = options.path(),
    systems: tuple[str, ...] = options.argument(
        "[NAME[@INPUT]=]SYSTEM...", nargs=-1, required=True
    ),
    ablation: bool = options.flag("Show what each system loses when it sees less of an instance."),
    train: str | None = options.file("Training instances, for models that need them."),
    valid: str | None = options.file(
        "Validation instances, for models that choose their best epoch by them."
    ),
    kb: str | None = options.kb,
    form: Any = options.output_format(*options.TABLE_FORMATS),
    output: str = options.output,
) -> None:
    """Put SYSTEMS into a table: rankings of TASK, models by name, or folders of trained ones.

    Each system has a row with MAP, R@10 and MRR, as in TESA's Tables 4 and 14. --ablation gives its
    Table 5: the loss of MAP without background ("context, entities"), without context ("info.,
    entities"), and with names alone ("entities"). Models that take --train are trained anew on each
    input; a folder of 'tatian train aggregation --ablations' has a model for each. Rankings by
    others are given as NAME@context=FILE, NAME@background=FILE and NAME@entities=FILE. With --kb,
    models see the base's descriptions of entities without background.
    """
    keep_inputs(output, (task, *paths_of(systems)))
    form = choose_format(form, output, options.TABLE_FORMATS)
    needs: tuple[Part, ...] = ("aggregations", "candidates")
    instances = read_instances([task], needs)
    if valid and not train:
        raise InputError("--valid is for models that are trained: give --train as well")
    training, validation = (
        read_instances([path], needs) if path else [] for path in (train, valid)
    )
    with progress_bar() as progress:
        scorer = TaskScorer(instances, training, kb, progress, validation)
        scored = _score_systems(scorer, systems, ablation)
    if scorer.untrained:
        say("note", f"models that do not take --train: {scorer.untrained}")
    if ablation:
        shown = tables.ablations(scored)
    else:
        shown = tables.results({name: by_input["all"] for name, by_input in scored.items()})
    _write(shown, ablation, form, output)


ScoresByInput = dict[str, dict[Inputs, "RankingScores"]]


def _score_systems(scorer: TaskScorer, systems: Iterable[str], ablation: bool) -> ScoresByInput:
    scored: ScoresByInput = {}
    for argument in systems:
        label, system = split_name(argument)
        name, inputs = _inputs(label)
        if inputs != "all" and not ablation:
            raise InputError(f"'{label}': @INPUT is for --ablation only")
        of_model = inputs_of(system)
        if inputs != "all" and of_model:
            raise InputError(
                f"'{label}': --ablation chooses a model's input itself: leave out @INPUT"
            )
        for model_inputs in of_model if ablation and of_model else (inputs,):
            if model_inputs in scored.setdefault(name, {}):
                raise InputError(f"two systems are called '{label}': name one with NAME=SYSTEM")
            scored[name][model_inputs] = scorer.score(name, system, model_inputs)
    return scored


def _inputs(name: str) -> tuple[str, Inputs]:
    """Split ``NAME@entities`` into a system's name and its input."""
    system_name, at, input_name = name.rpartition("@")
    if not at:
        return name, "all"
    for inputs in INPUTS:
        if input_name == inputs:
            return system_name, inputs
    raise InputError(f"'{name}': no input '{input_name}': there are {', '.join(INPUTS)}")


def _write(table: Table, ablation: bool, form: Any, output: str) -> None:
    from tatian.statistics import Marked

    marked = any(isinstance(cell, Marked) for row in table.rows for cell in row)
    note = LOSSES if ablation else NOTE if marked else ""
    print_table(table, form, output)
    if note and form in ("text", "markdown", "latex"):
        say("note", note)


_BEST = "best"
"""Subfolder of a training's best model."""


class TaskScorer:
    """Scores systems on one task, from files of rankings or by running models."""

    def __init__(
        self,
        instances: list[Instance],
        training: list[Instance],
        kb: str | None,
        progress: Progress,
        validation: Sequence[Instance] = (),
    ) -> None:
        self._instances = instances
        backgrounds = backgrounds_from(kb)
        self._shown, self._training, self._validation = (
            list(part) if backgrounds is None else list(map(backgrounds.fill, part))
            for part in (instances, training, validation)
        )
        self._progress = progress
        self._untrained: dict[str, None] = {}

    @property
    def untrained(self) -> str:
        """Models that did not take the training instances."""
        return ", ".join(self._untrained)

    def score(self, name: str, system: str, inputs: Inputs) -> RankingScores:
        """Return the scores of a file, or of a model that sees only the chosen inputs."""
        if Path(system).is_dir():
            ranked = self._run(_load_trained(system, inputs), name, inputs)
        elif is_file(system):
            ranked = read_rankings(system)
        else:
            ranked = self._run(self._ranker(system, inputs), system, inputs)
        try:
            return score(self._instances, ranked)
        except InputError as error:
            raise InputError(str(error), path=name) from error

    def _run(self, ranker: Any, name: str, inputs: Inputs) -> dict[str, ScoredPhrases]:
        """Return the ranker's rankings; the gold is hidden from it."""
        ranked = {}
        stage = name if inputs == "all" else f"{name}, {inputs}"
        for instance in track(self._shown, stage, self._progress):
            ranked[instance.id] = ranker.rank(replace(only(instance, inputs), aggregations=()))
        return ranked

    def _ranker(self, model: str, inputs: Inputs) -> Any:
        if not self._training:
            return rankers.create(model)
        if not rankers.accepts(model, "training"):
            self._untrained[model] = None
            return rankers.create(model)
        data = {"training": [only(instance, inputs) for instance in self._training]}
        if self._validation and rankers.accepts(model, "validation"):
            data["validation"] = [only(instance, inputs) for instance in self._validation]
        return rankers.create(model, **data)


def inputs_of(system: str) -> tuple[Inputs, ...]:
    """Return the inputs that a model can be run on; none for a file of rankings."""
    if Path(system).is_dir():
        return tuple(inputs for inputs in INPUTS if (Path(system) / inputs / _BEST).is_dir())
    return () if is_file(system) else INPUTS


def _load_trained(folder: str, inputs: Inputs) -> Any:
    """Return the model in a folder; of several, the one trained on this input."""
    root = Path(folder)
    for place in (root / inputs / _BEST, root / _BEST, root):
        if setup := setup_of(place):
            return rankers.create(setup.task, checkpoint=str(place))
    raise InputError(
        "no model in this folder: make one with 'tatian train aggregation'", path=folder
    )


@command()
def show(
    task: str = options.path(),
    answers: tuple[str, ...] = options.argument("[[NAME=]ANSWERS...]", nargs=-1),
    chosen: tuple[str, ...] = options.several("Show this instance.", "--item", metavar="ID"),
    worst: int | None = options.number(
        "Show the N instances with the lowest average precision of the first system."
    ),
    limit: int = options.number(
        "Without --item or --worst, show the first N instances.", default=10
    ),
    first: int = options.number(
        "Number of candidates of a ranking to show beside the gold ones.", default=6
    ),
    output: str = options.output,
) -> None:
    """Show instances of TASK, and ANSWERS side by side: output of 'aggregate rank' or 'generate'.

    For a ranking, the first candidates are shown and all gold below them; for generated phrases,
    the ten best. Gold is bold, or has a star if there is no bold. These are TESA's Tables 6, 7 and
    10 to 13. Without ANSWERS, the instances are shown as in Tables 8 and 9: title, context,
    background and candidates.
    """
    if chosen and worst:
        raise InputError("--item and --worst exclude each other: give one of them")
    if worst and not answers:
        raise InputError("--worst needs the rankings of a system: name a file")
    keep_inputs(output, (task, *paths_of(answers)))
    systems = read_systems(answers)
    instances = read_instances([task])
    selected = _chosen(instances, systems, chosen, worst, limit, task)
    bold = output == STREAM and wants_colour(sys.stdout)
    write(to_text(selected, systems, first=first, bold=bold), output)
    if not (chosen or worst) and len(instances) > len(selected):
        of = format_count(len(instances), "instance")
        say("note", f"the first {len(selected)} of {of}: --limit shows more")


def _chosen(
    instances: list[Instance],
    systems: dict[str, Answers],
    chosen: tuple[str, ...],
    worst: int | None,
    limit: int,
    path: str,
) -> list[Instance]:
    if worst is not None:
        chosen = _worst(instances, systems, worst)
    by_id = {instance.id: instance for instance in instances}
    return select(by_id, chosen, "instance", path) if chosen else instances[:limit]


def _worst(instances: list[Instance], systems: dict[str, Answers], count: int) -> tuple[str, ...]:
    name, answers = next(iter(systems.items()))
    if answers.kind != "ranking":
        raise InputError("--worst needs rankings, but the first system has generated phrases")
    try:
        scores = score(instances, answers.rankings)
    except InputError as error:
        raise InputError(str(error), path=name) from error
    return scores.worst(count)
