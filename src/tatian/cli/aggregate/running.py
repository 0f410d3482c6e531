"""Running the systems of ``tatian aggregate table``: files, models by name, folders of models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tatian.aggregation.metrics.inputs import INPUTS, Inputs
from tatian.cli.aggregate.systems import is_file
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.aggregation.data import Instance
    from tatian.aggregation.metrics import Scores
    from tatian.aggregation.metrics.reading import Scored
    from tatian.progress import Progress

_BEST = "best"
"""The folder in which a training leaves its model."""


class Ranks:
    """Scores of systems on one task, whether they are files or must be run first."""

    def __init__(
        self,
        instances: list[Instance],
        training: list[Instance],
        kb: str | None,
        progress: Progress,
    ) -> None:
        self._instances = instances
        self._shown = _filled(instances, kb)
        self._training = _filled(training, kb)
        self._progress = progress
        self._untrained: dict[str, None] = {}

    @property
    def untrained(self) -> str:
        """The models that were offered training instances and do not take any."""
        return ", ".join(self._untrained)

    def score(self, name: str, system: str, inputs: Inputs) -> Scores:
        """A file's figures, or those of a model that sees the chosen inputs only."""
        from tatian.aggregation.metrics import score as measure
        from tatian.aggregation.metrics.reading import read_rankings

        if Path(system).is_dir():
            ranked = self._run(_trained(system, inputs), name, inputs)
        elif is_file(system):
            ranked = read_rankings(system)
        else:
            ranked = self._run(self._ranker(system, inputs), system, inputs)
        try:
            return measure(self._instances, ranked)
        except InputError as error:
            raise InputError(str(error), path=name) from error

    def _run(self, ranker: Any, name: str, inputs: Inputs) -> dict[str, Scored]:
        """Its rankings; what is right is kept from it."""
        from msgspec.structs import replace

        from tatian.aggregation.metrics.inputs import only

        ranked = {}
        stage = name if inputs == "all" else f"{name}, {inputs}"
        for done, instance in enumerate(self._shown, start=1):
            ranked[instance.id] = ranker.rank(replace(only(instance, inputs), aggregations=()))
            self._progress(stage, done, len(self._shown))
        return ranked

    def _ranker(self, model: str, inputs: Inputs) -> Any:
        from tatian.aggregation.metrics.inputs import only
        from tatian.aggregation.models import rankers

        if not self._training:
            return rankers.create(model)
        if not rankers.accepts(model, "training"):
            self._untrained[model] = None
            return rankers.create(model)
        return rankers.create(model, training=[only(one, inputs) for one in self._training])


def _filled(instances: list[Instance], kb: str | None) -> list[Instance]:
    """With what a base says of entities without background."""
    if kb is None or not instances:
        return instances
    from tatian.aggregation.background import Backgrounds
    from tatian.knowledge import open_base

    backgrounds = Backgrounds(open_base(kb))
    return [backgrounds.fill(instance) for instance in instances]


def inputs_of(system: str) -> tuple[Inputs, ...]:
    """What a system can be tried with by itself; nothing if its name says what it was given."""
    if Path(system).is_dir():
        return tuple(one for one in INPUTS if (Path(system) / one / _BEST).is_dir())
    return () if is_file(system) else INPUTS


def _trained(folder: str, inputs: Inputs) -> Any:
    """The model in a folder: of several, the one that was trained with this input."""
    from tatian.aggregation.models import rankers
    from tatian.aggregation.models.encoder_decoder import task_of

    root = Path(folder)
    for place in (root / inputs / _BEST, root / _BEST, root):
        if task := task_of(place):
            return rankers.create(task, checkpoint=str(place))
    raise InputError(
        "no model here for this table: make one with 'tatian train aggregation'", path=folder
    )
