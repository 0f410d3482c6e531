"""A dataset of aggregations: the instances that annotators named, with what they wrote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from tatian.aggregation.data.answers import Answered
from tatian.aggregation.data.cleanup import Clean
from tatian.aggregation.data.records import Instance
from tatian.errors import InputError


def dataset(clean: Clean, instances: Mapping[str, Instance]) -> list[Instance]:
    """The instances that are left after the clean-up, each with its phrases, in their order.

    InputError if an answer is about an instance that there is not.
    """
    phrases = clean.phrases
    for item in dict.fromkeys(one.item for one in clean.judged):
        if item not in instances:
            raise InputError(f"an answer is about '{item}', which no instance is called")
    return [
        replace(instance, aggregations=phrases[id], candidates=())
        for id, instance in instances.items()
        if id in phrases
    ]


def by_id(answers: Iterable[Answered], instances: Iterable[Instance] = ()) -> dict[str, Instance]:
    """The given instances and those that the answers have with them.

    InputError if there are two different ones of the same id.
    """
    found: dict[str, Instance] = {}
    enclosed = (answer.instance for answer in answers if answer.instance is not None)
    for instance in (*instances, *enclosed):
        if found.setdefault(instance.id, instance) != instance:
            raise InputError(f"two different instances are called '{instance.id}'")
    return found
