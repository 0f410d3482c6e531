"""The walk that a reference union takes through its sentences, and its arrays."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tatian.analysis.pieces import WordPieces
from tatian.training.edit.data import UnionWords
from tatian.training.edit.examples import (
    GLUE_PLACE,
    EditExample,
    Path,
    collate,
    find_path,
    make_batches,
    make_example,
)
from tatian.union.models.edit.decoder import END, FIRST
from tatian.union.models.edit.words import GLUE, SourceWord, in_pieces, source_words, stems_of

PIECES = WordPieces(
    ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *"abcdefgh", *(f"##{c}" for c in "abcdefgh")]
)
SHAPES = {"": 0, "x": 1, "xx": 2}
WORDS = st.lists(st.sampled_from("ab cd ef gh abc , and which a".split()), min_size=1, max_size=8)


def walk(first: str, second: str, union: str) -> Path:
    return find_path(source_words(first.split(), second.split()), union.split())


def spell(words: list[SourceWord], path: Path) -> list[str]:
    return [words[step].text if step >= 0 else GLUE[-1 - step] for step in path.steps]


def test_a_union_that_is_one_of_the_sentences_walks_straight_through_it() -> None:
    assert walk("A ferry sank .", "It sank in fog .", "It sank in fog .").steps == (4, 5, 6, 7, 8)


def test_skipping_a_word_is_cheaper_than_changing_the_sentence() -> None:
    found = walk("the ferry sank", "the old ferry sank in fog", "the ferry sank in fog")
    assert found.steps == (3, 5, 6, 7, 8)


def test_going_back_is_the_dearest() -> None:
    found = walk("fog hid the ferry", "fog", "the ferry fog")
    assert found.steps == (2, 3, 4)


def test_a_word_in_neither_sentence_is_glue_if_it_may_be() -> None:
    found = walk("ferries sank", "crews drowned", "ferries sank and crews drowned")
    assert found.steps == (0, 1, -1 - GLUE_PLACE["and"], 2, 3)


def test_a_word_that_cannot_be_said_is_left_out() -> None:
    found = walk("ferries sank", "crews drowned", "ferries capsized")
    assert found == Path((0,), ("capsized",))


def test_another_form_of_a_word_will_do() -> None:
    assert walk("a ferry sinks", "it was old", "a ferry sinking").steps == (0, 1, 2)


def test_path_visits_no_word_twice() -> None:
    found = walk("big fire", "small smoke", "big big fire")
    assert found == Path((0, 1), ("big",))


@given(WORDS, WORDS, WORDS)
def test_a_walk_says_the_union_less_what_it_leaves_out(
    first: list[str], second: list[str], union: list[str]
) -> None:
    words = source_words(first, second)
    path = find_path(words, union)
    copied = [step for step in path.steps if step >= 0]
    assert len(set(copied)) == len(copied)
    kept = list(union)
    for word in path.left_out:
        kept.remove(word)
    assert sorted(stems_of(spell(words, path))) == sorted(stems_of(kept))


@given(WORDS, WORDS)
def test_either_sentence_is_said_word_for_word(first: list[str], second: list[str]) -> None:
    words = source_words(first, second)
    for sentence in (first, second):
        path = find_path(words, sentence)
        assert spell(words, path) == sentence
        assert not path.left_out


@given(WORDS, WORDS, WORDS)
def test_an_example_is_what_the_runtime_reads(
    first: list[str], second: list[str], union: list[str]
) -> None:
    example = make_example(UnionWords(tuple(first), tuple(second), tuple(union)), PIECES, SHAPES)
    pair = in_pieces(source_words(first, second), PIECES, SHAPES)
    assert example is not None
    assert pair is not None
    for name in pair.__struct_fields__:
        assert np.array_equal(getattr(example.pair, name), getattr(pair, name)), name


def test_steps_are_items_with_the_end_last() -> None:
    told = UnionWords(("ab", "cd"), ("ef",), ("ab", "and", "ef"))
    example = make_example(told, PIECES, SHAPES)
    assert example is not None
    assert example.steps.tolist() == [FIRST, GLUE_PLACE["and"], FIRST + 2, END]


def test_a_pair_too_long_for_the_encoder_is_no_example() -> None:
    assert make_example(UnionWords(("ab",) * 300, ("cd",), ("ab",)), PIECES, SHAPES) is None


def example_of(count: int, id: int) -> EditExample:
    words = ("ab",) * count
    example = make_example(UnionWords(words, ("cd",), words), PIECES, SHAPES, id)
    assert example is not None
    return example


def test_a_batch_marks_its_padding() -> None:
    batch = collate([example_of(1, 0), example_of(3, 1)])
    assert batch["present"].tolist() == [[True, True, False, False], [True] * 4]
    assert batch["mask"].sum(1).tolist() == [3 + 2 * 2, 3 + 4 * 2]
    assert batch["steps"].tolist()[0] == [FIRST, END, -1, -1]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=12), st.integers(1, 5), st.booleans())
def test_batches_hold_every_example_once(lengths: list[int], size: int, random: bool) -> None:
    examples = [example_of(length, id) for id, length in enumerate(lengths)]
    generator = np.random.default_rng(0) if random else None
    groups = list(make_batches(examples, size, generator))
    assert sorted(one.id for group in groups for one in group) == list(range(len(lengths)))
    assert max(map(len, groups)) <= size
