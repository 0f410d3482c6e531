"""The instances of an article, rule by rule."""

from __future__ import annotations

from pathlib import Path

from tatian.aggregation.data.records import Instance
from tatian.corpora.articles import Article
from tatian.knowledge import open_base
from tatian.pipeline.instances import Extractor, extract
from tatian.pipeline.instances.background import Background

from .samples import FixedPipeline, article

TWO = ("Keller, Marta", "Silva, Rui")


def instances(
    given: Article, pipeline: FixedPipeline | None = None, window: int | None = None
) -> list[Instance]:
    return list(Extractor(pipeline or FixedPipeline(), window=window).extract(given))


def test_an_instance_has_sorted_names_a_title_a_context_and_its_marks() -> None:
    (found,) = instances(article("Rui Silva met  Marta Keller. It rained. All left.", person=TWO))
    assert found == Instance(
        id="a-1",
        entities=("Marta Keller", "Rui Silva"),
        type="person",
        title="A Title",
        context="Rui Silva met Marta Keller. It rained.",
        date="2006-05-14",
        source="a",
        mentions={"Marta Keller": ((14, 26),), "Rui Silva": ((0, 9),)},
    )


def test_entities_of_different_types_make_no_set() -> None:
    given = article("Rui Silva left Lisbon.", person=["Silva, Rui"], location=["Lisbon"])
    assert instances(given) == []


def test_a_single_sentence_gains_the_sentence_before_it() -> None:
    (found,) = instances(article("It rained.", "Rui Silva met Marta Keller.", person=TWO))
    assert found.context == "It rained. Rui Silva met Marta Keller."


def test_entities_too_far_apart_make_no_set_unless_the_window_is_wider() -> None:
    given = article("Rui Silva ran. It rained. Marta Keller swam.", person=TWO)
    assert instances(given) == []
    (found,) = instances(given, window=3)
    assert found.context == "Rui Silva ran. It rained. Marta Keller swam."


def test_every_window_is_an_instance_but_the_same_sentences_only_once() -> None:
    both = "Rui Silva met Marta Keller."
    far = article(both, "It rained.", "All left.", both, person=TWO)
    assert [one.id for one in instances(far)] == ["a-1", "a-2"]
    extractor = Extractor(FixedPipeline())
    assert len(list(extractor.extract(article(both, both, person=TWO)))) == 1
    assert extractor.counts["repeated windows"] == 1


def test_all_subsets_of_three_are_sets() -> None:
    given = article("Rui Silva met Marta Keller and Ana Pires.", person=[*TWO, "Pires, Ana"])
    assert [one.entities for one in instances(given)] == [
        ("Ana Pires", "Marta Keller"),
        ("Ana Pires", "Rui Silva"),
        ("Marta Keller", "Rui Silva"),
        ("Ana Pires", "Marta Keller", "Rui Silva"),
    ]


def test_an_abstract_that_mentions_all_is_a_context() -> None:
    abstract = "Rui Silva runs. Rain falls. More rain falls. Marta Keller swims."
    (found,) = instances(article("Nothing.", abstract=abstract, person=TWO))
    assert found.context == abstract


def test_coreferent_mentions_bring_entities_together() -> None:
    text = "Rui Silva ran. It rained. It rained. The runner met Marta Keller."
    given = article(text, person=TWO)
    assert instances(given) == []
    (found,) = instances(given, FixedPipeline({"s": ["Rui Silva", "The runner"]}))
    assert found.context == "It rained. The runner met Marta Keller."
    assert found.mentions["Rui Silva"] == ((11, 21),)


def test_a_text_that_cannot_have_a_set_is_not_analysed() -> None:
    pipeline = FixedPipeline()
    assert instances(article("Rui Silva ran.", person=TWO), pipeline) == []
    assert pipeline.processed == []


def test_background_comes_from_the_knowledge_base() -> None:
    extractor = Extractor(FixedPipeline(), background=Background(open_base("starter")))
    given = article("From Oslo to Halverne.", location=["Oslo (Norway)", "Halverne"])
    (found,) = extractor.extract(given)
    assert list(found.background) == ["Oslo"]
    assert extractor.counts["background asked"] == 2
    assert extractor.counts["background found"] == 1


def test_every_rule_counts_what_it_leaves_out() -> None:
    extractor = Extractor(FixedPipeline())
    text = "Rui Silva met Marta Keller. It rained. It rained. Ana Pires ran."
    list(extractor.extract(article(text, person=[*TWO, "Pires, Ana", "Costa, Eva"])))
    list(extractor.extract(article("Rain.", id="b", person=TWO)))
    figures = {name: total for name, total, *_ in extractor.counts.rows()}
    assert figures == {
        "articles": 2,
        "articles without sets": 1,
        "entities": 6,
        "entities not mentioned": 3,
        "sets": 4,
        "sets not close": 3,
        "windows": 1,
        "instances": 1,
        "entities in instances": 2,
    }


def test_plain_texts_are_read_with_the_entities_that_the_pipeline_finds(tmp_path: Path) -> None:
    path = tmp_path / "news.jsonl"
    path.write_text('{"id": "n", "text": "Today Rui Silva met Marta Keller.", "title": "Met"}\n')
    pipeline = FixedPipeline({"1": ["Rui Silva"], "2": ["Marta Keller"]})
    (found,) = extract(path, Extractor(pipeline))
    assert found.entities == ("Marta Keller", "Rui Silva")
    assert (found.title, found.source) == ("Met", "n")
