"""Readers of the training data, and what is derived from them before any model is involved."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from tatian.analysis.pieces import lemma_of
from tatian.errors import InputError
from tatian.training.data import (
    IGNORED,
    LabelledSentence,
    read_names,
    read_pairs,
    read_treebank,
    with_names,
)
from tatian.training.examples import derive_script, make_inventory

TREE = """\
# sent_id = s1
1-2\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
1\tca\tcan\tAUX\tMD\tVerbForm=Fin\t0\troot\t_\tSpaceAfter=No
2\tn't\tnot\tPART\tRB\tPolarity=Neg\t1\tadvmod\t_\tEntity=(1-person)

"""


def test_a_treebank_yields_syntactic_words_only(tmp_path: Path) -> None:
    path = tmp_path / "tree.conllu.gz"
    path.write_bytes(gzip.compress(TREE.encode()))
    (sentence,) = read_treebank(path)
    assert sentence.id == "s1"
    assert sentence.forms == ("ca", "n't")
    assert sentence.words[1].entity == "(1-person)"


def test_a_line_without_ten_columns_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.conllu"
    path.write_text("1\tword\n")
    with pytest.raises(InputError, match=r"bad\.conllu:1: 2 columns"):
        read_treebank(path)


def test_a_word_without_a_head_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bare.conllu"
    path.write_text(TREE.replace("\t1\tadvmod", "\t_\t_"))
    with pytest.raises(InputError, match=r"bare\.conllu: sentence 's1': 'n't' has no head"):
        read_treebank(path)


def test_names_in_iob1_become_bio(tmp_path: Path) -> None:
    path = tmp_path / "names.conll"
    path.write_text("New I-LOC\nYork I-LOC\nsaid O\nAnna I-PER\n")
    (sentence,) = read_names(path)
    assert sentence.names == ("B-LOC", "I-LOC", "O", "B-PER")


def test_finer_kinds_are_mapped_and_broken_labels_teach_nothing(tmp_path: Path) -> None:
    path = tmp_path / "names.conll"
    path.write_text("Acme\tB-corporation\nAlbum\tB-creative-work\nStar\tB-O\n")
    (sentence,) = read_names(path)
    assert sentence.names == ("B-ORG", "B-MISC", IGNORED)


def test_names_join_the_tree_of_the_same_sentence_only(sentences: list[LabelledSentence]) -> None:
    tree = structs.replace(sentences[0], names=())
    same = structs.replace(sentences[0], words=())
    other = LabelledSentence("one", ("Other", "words"), (), ("O", "O"))
    assert with_names([tree], [same])[0].names == sentences[0].names
    assert with_names([tree], [other]) == [tree, other]


def test_an_unknown_entailment_label_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"premise":"a","hypothesis":"b","label":"maybe","source":"x"}\n')
    with pytest.raises(InputError, match="maybe"):
        read_pairs(path)


@given(st.text(min_size=1, max_size=12), st.text(min_size=1, max_size=12))
def test_a_script_makes_the_lemma_it_was_derived_from(form: str, lemma: str) -> None:
    assert lemma_of(form, derive_script(form, lemma)) == lemma


def test_regular_inflection_shares_one_script() -> None:
    assert derive_script("dogs", "dog") == derive_script("Cats", "cat") == "l|1|"
    assert derive_script("LONDON", "London") == "f|0|"


def test_an_inventory_starts_with_the_unlisted() -> None:
    from collections import Counter

    counts = Counter({"a": 3, "b": 5, "c": 1})
    assert make_inventory(counts, least=2, most=9) == ("", "b", "a")
