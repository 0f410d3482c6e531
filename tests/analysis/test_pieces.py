"""Word pieces: BERT's rules, checked against the `tokenizers` package."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.analysis.loading import load
from tatian.analysis.pieces import WordPieces, parts

SMALL = WordPieces(
    ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "runn", "##ing", "a", "##b", "."],
    word_pieces=3,
)
TRICKY = [
    "",
    " ",
    "McDonald's U.S. didn't (1,234.56) well-known",
    "na\u00efve caf\u00e9 e\u0301 \u0301 \u1f80",
    "\u0391\u03a3 \u039f\u0394\u039f\u03a3 \u0130stanbul I\u0307 \u0131 Stra\u00dfe \ufb01ne",
    "\u6771\u4eac\u306f\u65e5\u672c \ud55c\uad6d\uc5b4 \u0939\u093f\u0928\u094d\u0926\u0940",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 ok \U0001f600!",
    "a\x00b\x07c\u200bd\u00ade\ufffdf\x1cg\x0bh\x85i",
    "tab\tline\nreturn\r\nnbsp\u00a0em\u2003ideographic\u3000par\u2029end",
    "x" * 100 + " " + "y" * 101,
    "[SEP] [CLS] [MASK] ##ing",
    "\u201cquoted\u201d \u2014 \u2026 \u00bfqu\u00e9? $5 \u20ac5 a=b `c` ~d^e",
]


def pieces_of(wordpieces: WordPieces, rows: list[int] | tuple[int, ...]) -> list[str]:
    names = list(wordpieces.rows)
    return [names[row] for row in rows]


def test_the_longest_piece_is_taken_first() -> None:
    assert pieces_of(SMALL, SMALL.text("unaffable running")) == [
        "un", "##aff", "##able", "runn", "##ing",
    ]  # fmt: skip


def test_a_part_that_no_pieces_spell_is_unknown_as_a_whole() -> None:
    assert pieces_of(SMALL, SMALL.text("runned a")) == ["[UNK]", "a"]


def test_case_and_accents_are_dropped_and_punctuation_stands_apart() -> None:
    assert parts("C\u00d4T\u00c9-d'Azur.") == ["cote", "-", "d", "'", "azur", "."]


def test_control_characters_vanish_and_ideographs_stand_apart() -> None:
    assert parts("a\x00b\u200bc \u6771\u4eac") == ["abc", "\u6771", "\u4eac"]


def test_a_word_without_any_piece_is_one_unknown() -> None:
    assert pieces_of(SMALL, SMALL.word("\u200b")) == ["[UNK]"]
    assert pieces_of(SMALL, SMALL.word("")) == ["[UNK]"]


def test_of_a_word_with_too_many_pieces_the_first_and_the_last_are_kept() -> None:
    assert pieces_of(SMALL, SMALL.word("abbbb.")) == ["a", "##b", "."]


def test_text_can_be_cut_to_so_many_pieces() -> None:
    assert pieces_of(SMALL, SMALL.text("a a running a", 4)) == ["a", "a", "runn", "##ing"]
    assert SMALL.text("running", 1) == SMALL.text("running")[:1]


def test_special_tokens_are_never_found_in_text() -> None:
    assert "[SEP]" not in pieces_of(SMALL, SMALL.text("[SEP]"))


@given(st.text())
def test_every_word_has_pieces_and_none_too_many(word: str) -> None:
    assert 1 <= len(SMALL.word(word)) <= 3


@pytest.fixture(scope="module")
def both(weights: None) -> tuple[WordPieces, object]:
    """Our pieces, and the package's with the same vocabulary."""
    tokenizers = pytest.importorskip("tokenizers")
    ours = load().pieces
    theirs = tokenizers.Tokenizer(tokenizers.models.WordPiece(ours.rows, unk_token="[UNK]"))
    theirs.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    return ours, theirs


@pytest.mark.parametrize("text", TRICKY)
def test_tricky_texts_are_cut_as_the_tokenizers_package_cuts_them(
    text: str, both: tuple[WordPieces, object]
) -> None:
    ours, theirs = both
    assert ours.text(text) == theirs.encode(text).ids  # type: ignore[attr-defined]


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cn", "Cs"), max_codepoint=0x2FFF)))
def test_any_text_is_cut_as_the_tokenizers_package_cuts_it(
    both: tuple[WordPieces, object], text: str
) -> None:
    known = "".join(c for c in text if not is_new(c))
    ours, theirs = both
    assert ours.text(known) == theirs.encode(known).ids  # type: ignore[attr-defined]


def is_new(character: str) -> bool:
    """Whether Unicode has the character since after the tables of the package were made."""
    name = unicodedata.ucd_3_2_0.name(character, "")
    return not name and unicodedata.category(character) in (
        "Mn",
        "Mc",
        "Cf",
        "Po",
        "Ps",
        "Pe",
        "Pd",
    )
