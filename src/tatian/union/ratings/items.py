"""What judges are asked about: several systems' unions of the same sentences, and a reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.union.data import Instance


class ToJudge(Struct, frozen=True):
    """One item of a judging campaign, a line of JSONL."""

    id: str
    sentences: tuple[str, ...]
    reference: str
    systems: dict[str, str]
    """The union of each system, by its name; it may be empty, if the system gave none."""

    def __post_init__(self) -> None:
        if not any(sentence.strip() for sentence in self.sentences):
            raise ValueError("no source sentences")
        if not self.reference.strip():
            raise ValueError("the reference is empty: coverage is judged against it")
        if not self.systems:
            raise ValueError("no system's union to judge")
        if not all(name.strip() for name in self.systems):
            raise ValueError("a system without a name")

    def outputs(self) -> dict[str, list[str]]:
        """The systems of each different union; blanks do not make a difference."""
        found: dict[str, list[str]] = {}
        for name, text in self.systems.items():
            found.setdefault(" ".join(text.split()), []).append(name)
        return found


def side_by_side(
    gold: Sequence[Instance], systems: Mapping[str, Sequence[Instance]]
) -> Iterator[ToJudge]:
    """Items to judge out of gold unions and each system's unions of the same sentences."""
    from tatian.union.metrics.scoring import matched

    if not systems:
        raise InputError("no system's unions to judge")
    by_system = {name: matched(gold, given, name) for name, given in systems.items()}
    for index, instance in enumerate(gold):
        unions = {name: items[index].predicted for name, items in by_system.items()}
        yield ToJudge(instance.id, instance.sentences, instance.merged or "", unions)
