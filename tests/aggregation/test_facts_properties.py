"""What holds of every proposal, whatever the set: tried on the base that comes with the package."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models import Proposal
from tatian.aggregation.models.facts.generator import FactGenerator
from tatian.aggregation.models.facts.traits import Trait, TraitFrequencies
from tatian.errors import InputError
from tatian.knowledge import open_base
from tatian.knowledge.wording import without_qualifier

KINDS = {"person": "person", "location": "location", "organisation": "organization"}
BARE = {"people", "persons", "places", "locations", "organizations", "areas", "they"}


@cache
def generator() -> FactGenerator:
    return FactGenerator()


@cache
def titles() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {type: [] for type in KINDS.values()}
    for entity in generator().base:
        if entity.kind in KINDS:
            found[KINDS[entity.kind]].append(entity.title)
    return found


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    type = draw(st.sampled_from(sorted(KINDS.values())))
    names = st.lists(st.sampled_from(titles()[type]), min_size=2, max_size=6, unique=True)
    return Instance("i", tuple(draw(names)), type)


def proposals(instance: Instance) -> tuple[Proposal, ...]:
    try:
        return generator().generate(instance)
    except InputError:
        return ()


@settings(max_examples=settings.default.max_examples * 3 // 2, deadline=None)
@given(instances())
def test_every_line_of_support_is_a_fact_of_the_base(instance: Instance) -> None:
    pages = {sense.name: sense.title for sense in generator().senses(instance)}
    for proposal in proposals(instance):
        for line in proposal.support:
            name, _, said = line.partition(": ")
            facts = generator().base.facts(pages[name])
            told = tuple(f"{fact.relation} {without_qualifier(fact.value)}" for fact in facts)
            assert said.startswith((*told, "one of the ", "described as "))


@settings(max_examples=settings.default.max_examples * 3 // 2, deadline=None)
@given(instances())
def test_phrases_are_supported_by_two_thirds_of_the_members(instance: Instance) -> None:
    for proposal in proposals(instance):
        supporters = {line.partition(": ")[0] for line in proposal.support}
        assert len(supporters) * 3 >= len(instance.entities) * 2


@settings(max_examples=settings.default.max_examples * 3 // 2, deadline=None)
@given(instances())
def test_phrases_are_neither_bare_types_nor_repeated(instance: Instance) -> None:
    found = [one.phrase.lower() for one in proposals(instance)]
    assert not BARE & {*found}
    assert len({*found}) == len(found)


@settings(max_examples=settings.default.max_examples)
@given(
    st.lists(st.text(max_size=20), max_size=7),
    st.sampled_from(["person", "location", "organization", "city"]),
    st.text(max_size=60),
    st.sampled_from(["", "2006", "2006-05-01", "soon", "-44"]),
)
def test_any_input_gives_proposals_or_a_clear_error(
    names: list[str], type: str, context: str, date: str
) -> None:
    instance = Instance("i", tuple(names), type, context=context, date=date)
    message = "instance 'i': "
    scores = [0.5]
    try:
        scores = [one.score for one in generator().generate(instance)]
    except InputError as error:
        message = str(error)
    assert message.startswith("instance 'i': ")
    assert all(0 < score < 1 for score in scores)


def test_rarer_traits_have_more_information() -> None:
    with open_base("starter") as base:
        spread = TraitFrequencies(base.fact_counts())
    french = Trait("nation", "French", "", ("nationality", "France"))
    american = Trait("nation", "American", "", ("nationality", "United States"))
    assert spread.information(french) > spread.information(american) > 0


def test_a_base_counts_its_facts() -> None:
    with open_base("starter") as base:
        counts = base.fact_counts()
        assert counts["type", "country"] > 150
        assert base.fact_counts(most=0) == {}
