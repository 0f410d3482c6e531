"""``tatian coref expand``: whole phrases from heads, in any format."""

from __future__ import annotations

from .harness import Command

HEADS = (
    "They praised the coreference <COREF ID='1'>task</COREF>, and "
    '<COREF ID="2" REF="1" TYPE="IDENT">it</COREF> is hard.\n'
)


def _write(tatian: Command, text: str = HEADS) -> None:
    (tatian.directory / "heads.sgm").write_text(text, "utf-8")


def test_heads_are_expanded_and_the_rest_is_kept(tatian: Command) -> None:
    _write(tatian)
    result = tatian("coref", "expand", "heads.sgm")
    assert result.status == 0
    assert result.out == (
        'They praised <COREF ID="1" MIN="task">the coreference task</COREF>, and '
        '<COREF ID="2" REF="1" TYPE="IDENT">it</COREF> is hard.\n'
    )
    assert "2 mentions: 1 grown to the maximal phrase" in result.err


def test_another_format_can_be_written(tatian: Command) -> None:
    _write(tatian)
    result = tatian("coref", "expand", "heads.sgm", "--to", "conll")
    assert result.status == 0
    assert result.out.startswith("#begin document")


def test_ambiguous_prepositional_phrase_belongs_to_the_noun(tatian: Command) -> None:
    _write(tatian, "He paid <COREF ID='1'>$1.2 million</COREF> in crisp bills.\n")
    widest = tatian("coref", "expand", "heads.sgm").out
    assert ">$1.2 million in crisp bills</COREF>" in widest


def test_invalid_input_fails_with_one_line(tatian: Command) -> None:
    _write(tatian, '<COREF ID="1" REF="3">it</COREF>\n')
    assert "tatian coref check" in tatian("coref", "expand", "heads.sgm").error
    assert "'sgml' is not one of" in tatian("coref", "expand", "heads.sgm", "--to", "sgml").error
    assert "is one of the inputs" in tatian("coref", "expand", "heads.sgm", "-o", "heads.sgm").error
