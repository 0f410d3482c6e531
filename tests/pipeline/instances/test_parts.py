"""Excerpts, samples and figures: the small parts of the extraction."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.aggregation.data.records import Instance
from tatian.pipeline.instances.extraction import ExtractionCounts, excerpt
from tatian.pipeline.instances.running import Sample
from tatian.text import Span


def test_an_excerpt_is_on_one_line_and_keeps_its_marks() -> None:
    text = "Rain.\n\nMarta  Keller met\nRui."
    written, marks = excerpt(text, Span(0, len(text)), [Span(7, 20), Span(25, 28)])
    assert written == "Rain. Marta Keller met Rui."
    assert [mark.of(written) for mark in marks] == ["Marta Keller", "Rui"]


def test_marks_outside_an_excerpt_are_left_out() -> None:
    assert excerpt("one two three", Span(4, 7), [Span(0, 3), Span(4, 7), Span(4, 13)]) == (
        "two",
        [Span(0, 3)],
    )


@given(st.text("ab \n\t", max_size=40), st.data())
def test_marks_cover_the_same_words_on_one_line(text: str, data: st.DataObject) -> None:
    words = [at for at, letter in enumerate(text) if not letter.isspace()]
    if not words:
        return
    start = data.draw(st.sampled_from(words))
    end = data.draw(st.sampled_from([at for at in words if at >= start])) + 1
    written, (mark,) = excerpt(text, Span(0, len(text)), [Span(start, end)])
    assert written == " ".join(text.split())
    assert mark.of(written) == " ".join(text[start:end].split())


def instances(count: int) -> list[Instance]:
    return [Instance(str(number), ("A", "B"), "person") for number in range(count)]


def test_a_sample_has_its_size_and_the_order_of_the_corpus() -> None:
    sample = Sample(10, seed=3)
    for instance in instances(100):
        sample.add(instance)
    drawn = [int(instance.id) for instance in sample]
    assert len(drawn) == 10
    assert drawn == sorted(drawn)


def test_a_sample_larger_than_the_corpus_is_the_corpus() -> None:
    assert list(Sample(10, kept=instances(4))) == instances(4)


def test_the_seed_decides_the_sample() -> None:
    one, same, other = (list(Sample(5, seed, instances(50))) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_a_resumed_sample_is_the_same() -> None:
    whole = instances(60)
    taken_up = Sample(7, 1, Sample(7, 1, whole[:30]))
    for instance in whole[30:]:
        taken_up.add(instance)
    assert list(taken_up) == list(Sample(7, 1, whole))


def test_every_instance_is_as_likely_as_any_other() -> None:
    drawn = Counter(one.id for seed in range(400) for one in Sample(5, seed, instances(20)))
    assert len(drawn) == 20
    assert all(60 <= count <= 145 for count in drawn.values())


def test_a_sample_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Sample(0)


def test_figures_are_kept_by_type_and_size_and_add_up() -> None:
    counts = ExtractionCounts()
    counts.add("instances", type="person", size=2)
    counts.add("entities in instances", 2, type="person")
    again = ExtractionCounts(counts.values())
    again.add("instances", type="location", size=3)
    again.add("entities in instances", 3, type="location")
    assert again["instances"] == 2
    assert again.sizes() == {2: 1, 3: 1}
    assert again.mean_size == 2.5
    assert next(again.rows())[:3] == ("instances", 2, (1, 1, None))


def test_undescribed_figure_cannot_be_counted() -> None:
    with pytest.raises(KeyError):
        ExtractionCounts().add("oddities")
