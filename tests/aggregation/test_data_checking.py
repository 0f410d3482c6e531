"""What an instance must be, and what is said of one that is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from msgspec.structs import replace

from tatian.aggregation.data import Instance
from tatian.aggregation.data.records import check, problems

from .data_samples import CITIES, instances


@given(instances())
def test_valid_instance_has_no_problems(instance: Instance) -> None:
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
def test_a_problem_names_its_field(change: dict[str, object], message: str) -> None:
    broken = replace(CITIES, **({"background": {}} | change))
    assert message in list(problems(broken))
    with pytest.raises(ValueError, match="^" + message.split(":", maxsplit=1)[0].split("[")[0]):
        check(broken)


def test_all_problems_are_reported_together() -> None:
    with pytest.raises(ValueError, match="entities: none; type: 'x' is none of"):
        check(Instance("i", (), "x"))


def test_more_than_six_entities_are_valid() -> None:
    assert check(Instance("i", tuple("abcdefgh"), "person"))


@pytest.mark.parametrize("part", ["aggregations", "candidates", "context"])
def test_optional_parts_are_required_only_on_request(part: str) -> None:
    bare = Instance("i", ("a", "b"), "person")
    assert list(problems(bare)) == []
    assert list(problems(bare, [part])) == [f"{part}: none"]


def test_missing_background_is_reported_for_each_entity() -> None:
    assert list(problems(CITIES, ["background"])) == ["background: nothing about 'Lisbon'"]


@pytest.mark.parametrize("date", ["2006", "2006-05", "2006-05-14", "2006-05-14T10:00:00"])
def test_a_date_may_be_a_year_a_month_a_day_or_a_moment(date: str) -> None:
    assert list(problems(Instance("i", ("Lyon", "Nice"), "location", date=date))) == []


@pytest.mark.parametrize("date", ["yesterday", "2006-13-01", "14/05/2006", "6"])
def test_another_date_is_refused(date: str) -> None:
    (found,) = problems(Instance("i", ("Lyon", "Nice"), "location", date=date))
    assert found == f"date: '{date}' is no ISO date, such as 2006-05-14"


@pytest.mark.parametrize("span", [(0, 9), (-1, 2), (3, 3)])
def test_a_mention_outside_the_context_is_refused(span: tuple[int, int]) -> None:
    one = Instance("i", ("Lyon", "Nice"), "location", context="Lyon.", mentions={"Lyon": (span,)})
    (found,) = problems(one)
    assert found.endswith("is not within the context's 5 characters")


def test_a_mention_of_another_entity_is_refused() -> None:
    one = Instance("i", ("Lyon", "Nice"), "location", context="Lyon.", mentions={"Rome": ()})
    assert list(problems(one)) == ["mentions: of 'Rome', which is not among the entities"]
