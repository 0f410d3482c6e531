"""Seeded halves, and seeded sentences from articles on given topics."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.formats.links import build_document, links_of, part_of, topic_of
from tatian.mentions.data import SourceArticle, discusses, sample, split_in_halves
from tatian.text import Link

VIDEO = SourceArticle(
    "Video game",
    "A video game is played on a screen. Many people play such games at home every day. Short one.",
    (Link(2, 12, ("Video game",)),),
)
CHEESE = SourceArticle("Cheese", "Cheese is made from milk in many countries of the world.")


@given(st.lists(st.text(max_size=3), max_size=30), st.integers())
def test_halves_contain_every_text_once_and_in_order(ids: list[str], seed: int) -> None:
    texts = [build_document(f"{id}{number}", str(number)) for number, id in enumerate(ids)]
    dev, test = split_in_halves(texts, seed)
    assert sorted((*dev, *test), key=lambda one: int(one.text)) == texts
    assert 0 <= len(test) - len(dev) <= 1
    assert [int(one.text) for one in dev] == sorted(int(one.text) for one in dev)


def test_halves_depend_on_the_seed_alone() -> None:
    texts = [build_document(str(number), "") for number in range(40)]
    assert split_in_halves(texts, 1) == split_in_halves(texts, 1)
    assert split_in_halves(texts, 1) != split_in_halves(texts, 2)
    shuffled = split_in_halves(texts[::-1], 1)[0]
    assert {one.id for one in shuffled} == {one.id for one in split_in_halves(texts, 1)[0]}


def test_an_article_is_on_a_topic_that_has_its_words() -> None:
    assert discusses(VIDEO, "We should ban violent video games")
    assert not discusses(CHEESE, "We should ban violent video games")
    assert not discusses(SourceArticle("We", ""), "We should ban it")
    assert discusses(SourceArticle("A ferry runs aground", ""), "ferries")
    assert not discusses(SourceArticle("Midnight in Paris", ""), "The Paris agreement")


def test_sentences_come_from_articles_on_the_topics_and_have_their_topic() -> None:
    chosen = sample([VIDEO, CHEESE], 10, topics=["We should ban video games"])
    assert {one.id.partition("/")[0] for one in chosen} == {"Video game"}
    assert {topic_of(one) for one in chosen} == {"We should ban video games"}


def test_sentences_that_are_too_short_or_there_twice_are_left_out() -> None:
    chosen = sample([VIDEO, VIDEO], 10)
    assert sorted(len(one.text.split()) for one in chosen) == [8, 9]


def test_mentions_have_their_new_offsets() -> None:
    moved = SourceArticle("Milk", f"Here is a first sentence. {VIDEO.text}", (Link(28, 38),))
    (text,) = (one for one in sample([moved], 10) if links_of(one))
    assert links_of(text)[0].of(text.text) == "video game"


def test_sample_does_not_depend_on_the_order_of_articles() -> None:
    assert sample([VIDEO, CHEESE], 2, seed=5) == sample([CHEESE, VIDEO], 2, seed=5)
    assert {tuple(one.id for one in sample([VIDEO, CHEESE], 2, seed=at)) for at in range(9)} != {
        tuple(one.id for one in sample([VIDEO, CHEESE], 2, seed=5))
    }


def test_sampling_without_articles_on_the_topic_is_an_error() -> None:
    with pytest.raises(InputError, match="no article is on one of the topics"):
        sample([CHEESE], 3, topics=["We should ban video games"])


def test_parts_of_one_text_stay_together() -> None:
    texts = [
        build_document(str(number), "", part_of=f"whole {number // 5}") for number in range(40)
    ]
    dev, test = split_in_halves(texts, 3)
    assert len(dev) == len(test) == 20
    assert not {part_of(one) for one in dev} & {part_of(one) for one in test}
