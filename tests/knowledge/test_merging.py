"""Where redirects lead."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tatian.knowledge.building.staging import Groups, resolve

TITLES = st.sampled_from("abcdef")
REDIRECTS = st.dictionaries(TITLES, TITLES)
PAGES = st.dictionaries(TITLES, st.integers(1, 9)).filter(
    lambda pages: len(set(pages.values())) == len(pages)
)


def test_a_chain_is_followed_to_its_end() -> None:
    assert resolve("a", {"a": "b", "b": "c"}.get, {"c": 1}.get) == 1


def test_a_page_on_the_way_counts_only_if_no_later_one_does() -> None:
    redirects = {"a": "b", "b": "c"}
    assert resolve("a", redirects.get, {"b": 1, "c": 2}.get) == 2
    assert resolve("a", redirects.get, {"b": 1}.get) == 1


def test_redirect_cycle_resolves_to_its_first_page() -> None:
    redirects = {"a": "b", "b": "c", "c": "b"}
    assert resolve("a", redirects.get, {"b": 4, "c": 3, "a": 1}.get) == 3


def test_redirect_cycle_without_a_page_resolves_to_nothing() -> None:
    assert resolve("a", {"a": "b", "b": "a"}.get, {}.get) is None


@given(REDIRECTS, PAGES, TITLES)
def test_resolved_titles_resolve_to_themselves(
    redirects: dict[str, str], pages: dict[str, int], title: str
) -> None:
    titles = {number: name for name, number in pages.items()}
    found = resolve(title, redirects.get, pages.get)
    if found is not None:
        assert resolve(titles[found], redirects.get, pages.get) == found
    else:
        assert title not in pages


@given(st.lists(st.tuples(st.integers(1, 20), st.integers(1, 20))))
def test_groups_are_connected_components(joins: list[tuple[int, int]]) -> None:
    groups = Groups(20)
    sets = {number: {number} for number in range(1, 21)}
    for one, other in joins:
        groups.join_by_age(one, other)
        both = sets[one] | sets[other]
        sets |= dict.fromkeys(both, both)
    ids = groups.numbers()
    for number, members in sets.items():
        assert groups.head(number) == min(members)
        assert {other for other in range(1, 21) if ids[other] == ids[number]} == members
    assert sorted(set(ids[1:])) == list(range(1, len(set(ids[1:])) + 1))


def test_the_target_of_a_redirect_gives_the_title() -> None:
    groups = Groups(3)
    groups.join(1, 2)
    groups.join_by_age(2, 3)
    assert [groups.head(page) for page in (1, 2, 3)] == [2, 2, 2]
