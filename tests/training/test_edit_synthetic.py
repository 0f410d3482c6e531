"""Pairs made from one sentence, and more unions made from one: nothing is lost on the way."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from tatian.training.edit.data import EditData, ParsedSentence, ParsedUnion, UnionWords
from tatian.training.edit.examples import EditExample
from tatian.training.edit.synthetic import (
    REMOVABLE_RELATIONS,
    make_pair,
    removable_parts,
    subtree_spans,
)
from tatian.training.edit.workshop import Workshop, variants

from .edit_world import DATA, DEAL, FERRY, NO_PIECES, flat, tree

TAGS = ("NOUN", "VERB", "ADJ", "ADV", "DET", "AUX", "PUNCT", "PROPN")
RELATIONS = (*sorted(REMOVABLE_RELATIONS), "nsubj", "ccomp", "case", "det", "punct", "mark", "obj")
NAMES = ("was", "said", "Smith", "not", "ferry", "fog", ",", "--", "the", "Paris", "old")
SEEDS = st.integers(0, 10_000)


@st.composite
def trees(draw: st.DrawFn) -> ParsedSentence:
    """Any tree: every word hangs on one before it, or on a later one that is the root's."""
    count = draw(st.integers(5, 24))
    root = draw(st.integers(0, count - 1))
    heads = [draw(st.integers(0, i - 1)) if i else root for i in range(count)]
    heads = [-1 if i == root else head if i > root else root for i, head in enumerate(heads)]
    words = [
        f"{draw(st.sampled_from(NAMES))}{i}"
        if draw(st.booleans())
        else draw(st.sampled_from(NAMES))
        for i in range(count - 1)
    ]
    return ParsedSentence(
        (*words, "."),
        tuple(draw(st.sampled_from(TAGS)) for _ in range(count)),
        tuple(heads),
        tuple(draw(st.sampled_from(RELATIONS)) for _ in range(count)),
    )


def spoken(words: tuple[str, ...]) -> set[str]:
    return {word.lower() for word in words if any(c.isalnum() for c in word)}


@given(trees(), SEEDS)
def test_every_word_of_a_made_union_comes_from_the_pair(one: ParsedSentence, seed: int) -> None:
    told = make_pair(one, {"ferry": ["ship"], "old": ["aged"]}, Random(seed))
    assume(told is not None)
    assert told is not None
    assert told.union == one.words
    assert spoken(told.union) <= spoken(told.first) | spoken(told.second)


@given(trees(), SEEDS)
def test_the_halves_of_a_made_pair_differ(one: ParsedSentence, seed: int) -> None:
    told = make_pair(one, {}, Random(seed))
    assume(told is not None)
    assert told is not None
    assert told.first != told.second


def test_synthetic_pairs_depend_only_on_the_seed() -> None:
    assert make_pair(DEAL, {}, Random(3)) == make_pair(DEAL, {}, Random(3))


def test_words_are_exchanged_only_where_the_other_half_has_them() -> None:
    synonyms = {word.lower(): ["other"] for word in DEAL.words}
    made = [make_pair(DEAL, synonyms, Random(seed)) for seed in range(200)]
    pairs = [told for told in made if told is not None]
    reworded = [told for told in pairs if "other" in spoken(told.first + told.second)]
    assert reworded
    for told in reworded:
        assert spoken(DEAL.words) <= spoken(told.first) | spoken(told.second)


def test_a_clause_with_a_subject_can_be_a_sentence() -> None:
    made = [make_pair(DEAL, {}, Random(seed)) for seed in range(300)]
    halves = {half for told in made if told for half in (told.first, told.second)}
    assert ("It", "sold", "its", "shares", "in", "Paris", ".") in halves


def test_a_sentence_without_loose_parts_makes_no_pair() -> None:
    assert make_pair(flat("Two sailors drowned in the harbour ."), {}, Random(0)) is None


def test_a_denial_is_never_cut() -> None:
    denied = tree(
        "Ships NOUN 3 nsubj",
        "never ADV 3 advmod",
        "sink VERB 0 root",
        "here ADV 3 advmod",
        "in ADP 6 case",
        "summer NOUN 3 obl",
        ". PUNCT 3 punct",
    )
    cut = {denied.words[place] for part in removable_parts(denied) for place in part.places}
    assert cut == {"here", "in", "summer"}


def test_a_part_takes_the_comma_with_it_that_only_it_needs() -> None:
    assert (8, 12) in {(part.start, part.end) for part in removable_parts(FERRY)}


def test_words_that_are_not_one_piece_have_no_span() -> None:
    crossing = ParsedSentence(("a", "b", "c", "d"), ("X",) * 4, (-1, 0, 0, 1), ("dep",) * 4)
    assert subtree_spans(crossing) == [(0, 4), None, (2, 3), (3, 4)]


@given(trees(), trees(), trees(), SEEDS)
def test_a_variant_neither_loses_nor_adds(
    first: ParsedSentence, second: ParsedSentence, union: ParsedSentence, seed: int
) -> None:
    """What the real union had of neither sentence, a variant may have; nothing else."""
    added = spoken(union.words) - spoken(first.words) - spoken(second.words)
    for told in variants(ParsedUnion(first, second, union), Random(seed)):
        assert spoken(told.union) - added <= spoken(told.first) | spoken(told.second)


FOG = tree(
    "The DET 2 det",
    "ferry NOUN 3 nsubj",
    "sank VERB 0 root",
    "in ADP 5 case",
    "darkness NOUN 3 obl",
    "off ADP 7 case",
    "Leith PROPN 3 obl",
    ". PUNCT 3 punct",
)
OLD = tree(
    "An DET 3 det",
    "old ADJ 3 amod",
    "ferry NOUN 4 nsubj",
    "sank VERB 0 root",
    "off ADP 6 case",
    "Leith PROPN 4 obl",
    ". PUNCT 4 punct",
)
BOTH = tree(
    "An DET 3 det",
    "old ADJ 3 amod",
    "ferry NOUN 4 nsubj",
    "sank VERB 0 root",
    "in ADP 6 case",
    "darkness NOUN 4 obl",
    "off ADP 8 case",
    "Leith PROPN 4 obl",
    ". PUNCT 4 punct",
)


def test_a_part_of_one_sentence_is_also_removed_from_the_union() -> None:
    made = list(variants(ParsedUnion(FOG, OLD, BOTH), Random(0)))
    less = tuple("The ferry sank off Leith .".split())
    rest = tuple("An old ferry sank off Leith .".split())
    assert any(
        {told.first, told.second} == {less, OLD.words} and told.union == rest for told in made
    )


def test_parts_of_both_sentences_are_not_removed() -> None:
    for told in variants(ParsedUnion(FOG, OLD, BOTH), Random(1)):
        assert "Leith" in told.union


def test_a_sentence_and_the_union_have_the_union_for_a_union() -> None:
    made = list(variants(ParsedUnion(FOG, OLD, BOTH), Random(0)))
    for source in (FOG, OLD):
        pair = Counter((source.words, BOTH.words))
        assert any(Counter((t.first, t.second)) == pair and t.union == BOTH.words for t in made)


def workshop(data: EditData = DATA, *, longest: int = 48, workers: int = 1) -> Workshop:
    return Workshop(data, NO_PIECES, ("",), longest=longest, workers=workers)


def steps(examples: list[EditExample]) -> list[list[int]]:
    return [example.steps.tolist() for example in examples]


def test_as_many_pairs_are_made_as_asked_for() -> None:
    assert len(workshop().cut_down(30, 1)) == 30


def test_several_processes_make_the_same_pairs_as_one() -> None:
    assert steps(workshop(workers=2).cut_down(9, 1)) == steps(workshop().cut_down(9, 1))


def test_sentences_with_nothing_to_cut_make_no_pairs() -> None:
    assert workshop(replace(DATA, trees=[flat("No way .")])).cut_down(5, 1) == []


def test_unions_come_in_both_orders_under_even_and_odd_numbers() -> None:
    examples = workshop().unions()
    assert [example.id for example in examples] == list(range(2 * len(DATA.unions)))


def test_walks_too_long_for_the_decoder_are_left_out() -> None:
    short = workshop(longest=7).unions()
    assert max(map(len, steps(short))) <= 7
    assert 0 < len(short) < len(workshop().unions())


def test_a_parsed_union_has_its_words() -> None:
    assert ParsedUnion(FOG, OLD, BOTH).words == UnionWords(FOG.words, OLD.words, BOTH.words)
