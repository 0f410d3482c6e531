"""What an instance must be, and what is said of one that is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from msgspec.structs import replace

from tatian.aggregation.data import Instance
from tatian.aggregation.data.checking import check, problems

from .data_samples import CITIES, instances


@given(instances())
def test_nothing_is_wrong_with_a_valid_instance(instance: Instance) -> None:
    assert list(problems(instance)) == []
    assert check(instance) is instance


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": " "}, "id: empty"),
        ({"entities": ()}, "entities: none"),
        ({"entities": ("Lisbon",)}, "entities: only 'Lisbon'; a set has at least 2"),
        ({"entities": ("Lisbon", "LISBON ")}, "entities[1]: 'LISBON ' a second time"),
        ({"entities": ("Lisbon", "")}, "entities[1]: empty"),
        ({"type": "city"}, "type: 'city' is none of person, location, organization"),
        ({"type": ""}, "type: '' is none of person, location, organization"),
        ({"aggregations": ("cities", "Cities")}, "aggregations[1]: 'Cities' a second time"),
        ({"aggregations": ("towns",)}, "aggregations: 'towns' is not among the candidates"),
        ({"candidates": ("cities", "portuguese cities", " ")}, "candidates[2]: empty"),
        (
            {"candidates": ("cities", "portuguese cities", "cities")},
            "candidates[2]: 'cities' a second time",
        ),
        (
            {"background": {"Faro": "A city."}},
            "background: of 'Faro', which is not among the entities",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_field(change: dict[str, object], message: str) -> None:
    broken = replace(CITIES, **({"background": {}} | change))
    assert message in list(problems(broken))
    with pytest.raises(ValueError, match="^" + message.split(":", maxsplit=1)[0].split("[")[0]):
        check(broken)


def test_everything_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(ValueError, match="entities: none; type: 'x' is none of"):
        check(Instance("i", (), "x"))


def test_more_than_six_entities_are_no_mistake() -> None:
    assert check(Instance("i", tuple("abcdefgh"), "person"))


@pytest.mark.parametrize("part", ["aggregations", "candidates", "context"])
def test_what_only_some_work_needs_is_wanted_when_asked_for(part: str) -> None:
    bare = Instance("i", ("a", "b"), "person")
    assert list(problems(bare)) == []
    assert list(problems(bare, [part])) == [f"{part}: none"]


def test_missing_background_is_said_entity_by_entity() -> None:
    assert list(problems(CITIES, ["background"])) == ["background: nothing about 'Lisbon'"]
