"""CoNLL-U sentence by sentence: what is read, and what is refused with its line."""

from __future__ import annotations

import io

import pytest

from tatian.errors import InputError
from tatian.formats.conllu import ConlluRow, ConlluSentence, Frame, MultiwordToken, blocks, value

SAMPLE = """\
# newdoc id = story
# sent_id = s1
1\tAnn\tAnn\tPROPN\tNNP\tNumber=Sing\t4\tnsubj\t_\tNER=B-PER|Gloss=a=b
2-3\tdidn't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdid\tdo\tAUX\tVBD\tTense=Past\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tgo\tgo\tVERB\tVB\tVerbForm=Inf\t0\troot\t_\t_

# newpar
1\tWhy\t_\t_\t_\t_\t_\t_\t_\t_
"""


def read(text: str) -> list[ConlluSentence]:
    return list(blocks(text, "a.conllu"))


def test_rows_are_words_as_the_file_has_them() -> None:
    first, second = read(SAMPLE)
    assert [row.form for row in first.rows] == ["Ann", "did", "n't", "go"]
    assert first.rows[1] == ConlluRow("did", "do", "AUX", "VBD", "Tense=Past", 4, "aux", "_")
    assert second.rows == (ConlluRow("Why", "_", "_", "_", "_", None, "_", "_"),)


def test_remaining_columns_and_lines_are_in_the_frame() -> None:
    first, second = read(SAMPLE)
    assert first.frame.ranges == (MultiwordToken(2, 3, "didn't"),)
    assert first.frame.misc[0] == "NER=B-PER|Gloss=a=b"
    assert second.frame == Frame(comments=("# newpar",), misc=("_",))


def test_comments_are_found_by_their_key() -> None:
    first, second = (block.frame for block in read(SAMPLE))
    assert (first.comment("sent_id"), first.comment("newdoc id")) == ("s1", "story")
    assert (second.comment("newpar"), second.comment("sent_id")) == ("", None)
    assert (first.opens("newdoc"), first.opens("newpar")) == (True, False)
    assert (second.opens("newdoc"), second.opens("newpar")) == (False, True)


def test_values_in_misc_are_found_by_their_start() -> None:
    misc = read(SAMPLE)[0].frame.misc[0]
    assert (value(misc, "Gloss="), value(misc, "Entity=")) == ("a=b", "")


@pytest.mark.parametrize(
    "given",
    [
        SAMPLE,
        SAMPLE.split("\n"),
        io.StringIO(SAMPLE),
        "\ufeff" + SAMPLE.replace("\n", "\r\n"),
        SAMPLE.replace("\n\n", "\n \n\n"),
    ],
    ids=["text", "lines", "file", "Windows", "blank lines"],
)
def test_text_lines_and_file_are_read_alike(given: str) -> None:
    assert list(blocks(given)) == read(SAMPLE)


def test_blanks_around_columns_and_empty_columns_mean_nothing() -> None:
    assert read(SAMPLE.replace("\tdo\t", "\t do \t").replace("\t_\n", "\t\n")) == read(SAMPLE)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\tNER=B-PER|Gloss=a=b", "", "3: 9 columns where CoNLL-U has 10"),
        ("2\tdid\tdo", "did do", "5: 8 columns where CoNLL-U has 10"),
        ("4\tgo", "7\tgo", "7: the word is numbered 7, not 4"),
        ("2-3\tdidn", "3-4\tdidn", "4: the range 3-4 is out of place"),
        ("2-3\tdidn", "2-9\tdidn", "4: the range 2-9 goes beyond the sentence"),
        ("2-3\tdidn", "2.1\tdidn", "4: the empty node 2.1 is out of place"),
        ("Sing\t4", "Sing\tx", "3: the head is 'x': it must be the number of a word"),
        ("Sing\t4", "Sing\t44", "3: the head of 'Ann' is 44, beyond the sentence"),
        ("1\tAnn", "1\t", "3: the word has no form"),
        ("1\tAnn", "1\t ", "3: the word has no form"),
        ("3\tn't", "# note\n3\tn't", "6: a comment inside a sentence"),
        ("Ann\tAnn", "A\rn\tAnn", "3: a carriage return inside the line"),
    ],
)
def test_a_broken_line_is_named(old: str, new: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        read(SAMPLE.replace(old, new, 1))
    assert str(raised.value).startswith(f"a.conllu:{message}")


def test_blocks_are_read_lazily() -> None:
    lines = iter(SAMPLE.splitlines())
    next(blocks(lines))
    assert next(lines) == "# newpar"
