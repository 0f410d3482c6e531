"""Where a text speaks of an entity: by the names of an index, and by coreference."""

from __future__ import annotations

from tatian.pipeline.instances.entities import (
    NamedEntity,
    from_chains,
    index_entities,
    likely_entities,
    locate_entities,
)
from tatian.text import LINKS, Document, Link

from .samples import FixedPipeline


def mentions(
    text: str, *entities: NamedEntity, pipeline: FixedPipeline | None = None
) -> dict[str, list[str]]:
    """What the text has of each entity."""
    document = (pipeline or FixedPipeline()).process(Document("a", text))
    return {
        one.name: [mention.of(text) for mention in one.mentions]
        for one in locate_entities(entities, document)
    }


KELLER = NamedEntity("Marta Keller", "person")
LISBON = NamedEntity("Lisbon", "location")


def test_an_index_gives_each_entity_once_by_its_normal_name() -> None:
    assert index_entities({"person": ["Keller, Marta", "Keller, Marta (Mayor)", "(?)"]}) == [KELLER]


def test_a_name_a_shorter_form_and_a_last_name_are_mentions() -> None:
    text = "Marta Keller spoke. Mrs. Keller left. Marta Kellermann stayed."
    assert mentions(text, KELLER) == {"Marta Keller": ["Marta Keller", "Keller"]}


def test_accents_need_not_agree() -> None:
    assert mentions("Márta Keller spoke.", KELLER) == {"Marta Keller": ["Márta Keller"]}


def test_a_last_name_that_two_people_share_is_no_mention_of_either() -> None:
    brother = NamedEntity("Jon Keller", "person")
    found = mentions("Marta Keller met Jon Keller. Mr. Keller left.", KELLER, brother)
    assert found == {"Marta Keller": ["Marta Keller"], "Jon Keller": ["Jon Keller"]}


def test_a_name_within_a_longer_name_is_no_mention() -> None:
    pipeline = FixedPipeline(names=["Lisbon Ferry Company", "Lisbon"])
    text = "The Lisbon Ferry Company left Lisbon."
    assert mentions(text, LISBON, pipeline=pipeline) == {"Lisbon": ["Lisbon"]}
    assert text.rindex("Lisbon") > 20


def test_a_title_does_not_make_a_name_another_one() -> None:
    pipeline = FixedPipeline(names=["Mrs. Keller"])
    assert mentions("Mrs. Keller left.", KELLER, pipeline=pipeline) == {"Marta Keller": ["Keller"]}


def test_coreference_adds_noun_phrases_but_no_pronouns() -> None:
    pipeline = FixedPipeline({"k": ["Marta Keller", "The mayor", "She"]})
    found = mentions("Marta Keller spoke. The mayor left. She ran.", KELLER, pipeline=pipeline)
    assert found == {"Marta Keller": ["Marta Keller", "The mayor"]}


def test_a_cheap_look_finds_any_form_of_a_name() -> None:
    nations = NamedEntity("United Nations", "organization")
    assert likely_entities([KELLER, nations], "When Keller spoke") == [KELLER]
    assert likely_entities([KELLER, nations], "the U.N. said") == [nations]
    assert likely_entities([KELLER, nations], "Nobody spoke") == []


def test_without_an_index_entities_are_the_named_chains() -> None:
    text = "Today Marta Keller spoke. The mayor met Rui Silva. Keller left with the crowd."
    pipeline = FixedPipeline(
        {
            "1": ["Marta Keller", "The mayor", "Keller left"[:6]],
            "2": ["Rui Silva"],
            "3": ["the crowd"],
        }
    )
    found = from_chains(pipeline.process(Document("a", text)))
    assert [(one.name, one.type) for one in found] == [
        ("Marta Keller", "person"),
        ("Rui Silva", "person"),
    ]


def test_a_shorter_name_is_counted_to_the_one_it_is_short_for() -> None:
    text = "Today Marta Keller spoke. Later Mrs. Keller left."
    document = FixedPipeline({"1": ["Marta Keller"], "2": ["Keller left"[:6]]}).process(
        Document("a", text)
    )
    (entity,) = from_chains(document)
    assert entity.name == "Marta Keller"
    assert [mention.of(text) for mention in entity.mentions] == ["Marta Keller", "Keller", "Keller"]


def test_a_shorter_name_of_two_people_stays_by_itself() -> None:
    text = "Today Marta Keller met Jon Keller. Later a certain Keller left."
    document = FixedPipeline(
        {"1": ["Marta Keller"], "2": ["Jon Keller"], "3": ["Keller left"[:6]]}
    ).process(Document("a", text))
    assert {one.name for one in from_chains(document)} == {"Marta Keller", "Jon Keller", "Keller"}


def test_chains_of_one_name_are_one_entity() -> None:
    text = "In May Oslo won. In June Oslo lost."
    document = FixedPipeline({"1": ["Oslo"], "2": ["Oslo"]}, type="LOC").process(
        Document("a", text)
    )
    assert [len(one.mentions) for one in from_chains(document)] == [2]


def test_chains_linked_to_one_page_are_one_entity_that_knows_it() -> None:
    text = "In May Holland won. In June the Dutch lost to Netherlands."
    document = FixedPipeline({"1": ["Holland"], "2": ["Netherlands"]}, type="LOC").process(
        Document("a", text)
    )
    links = [
        Link(text.index(word), text.index(word) + len(word), ("Netherlands",))
        for word in ("Holland", "Netherlands")
    ]
    (entity,) = from_chains(document.with_layer(LINKS, links, "test"))
    assert (entity.name, entity.page, len(entity.mentions)) == ("Netherlands", "Netherlands", 2)
