"""Formats of tokens: AIDA-CoNLL, and CoNLL-U with GUM's links."""

from __future__ import annotations

import pytest

from tatian.errors import EmptyInput, InputError
from tatian.formats import find
from tatian.formats.links import links_of

from .link_samples import AIDA_FILE, GUM_FILE

AIDA, GUM = find("aida"), find("gum")


def test_aida_has_documents_mentions_and_pages() -> None:
    first, second = AIDA.read(AIDA_FILE)
    assert (first.id, second.id) == ("1 EU", "2 Rare")
    assert first.text == "EU envoy Nikolaus van spoke.\nGeorgia agreed."
    assert [(one.of(first.text), one.titles) for one in links_of(first)] == [
        ("EU", ()),
        ("Nikolaus van", ("Nikolaus van der Pas",)),
        ("Georgia", ("Georgia (country)",)),
    ]
    assert links_of(first)[1].ids == ("123", "/m/0abc")


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("EU\n", 1, "must begin with -DOCSTART-"),
        ("-DOCSTART- (1)\nEU\tX\tEU\t--NME--\n", 2, "'X': expected B or I"),
        ("-DOCSTART- (1)\nEU\tB\n", 2, "has no name or page"),
        ("-DOCSTART- (1)\nEU\tI\tEU\t--NME--\n", 2, "without a preceding B tag"),
        ("-DOCSTART- (1)\n\tB\tEU\t--NME--\n", 2, "has no token"),
    ],
)
def test_a_broken_line_of_aida_is_named(text: str, line: int, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as failure:
        list(AIDA.read(text, "aida.tsv"))
    assert (failure.value.path, failure.value.line) == ("aida.tsv", line)


def test_an_empty_file_of_aida_is_named() -> None:
    with pytest.raises(EmptyInput):
        list(AIDA.read("\n"))


def test_gum_has_a_mention_for_every_link() -> None:
    (text,) = GUM.read(GUM_FILE)
    assert [(one.of(text.text), one.titles, one.type) for one in links_of(text)] == [
        ("Washington", ("Washington, D.C.",), "place"),
        ("It", ("Washington, D.C.",), "place"),
    ]
    assert [one.named for one in links_of(text)] == [True, False]
    assert links_of(text)[1].tags == ("form:pronoun", "link:ana")


def test_unmatched_closing_bracket_is_an_error() -> None:
    with pytest.raises(InputError, match="5: mention '9' is closed, but was not opened"):
        list(
            GUM.read(
                GUM_FILE.replace("2\tnsubj\t_\t_", "").replace(
                    "nsubj\t_\t_", "nsubj\t_\tEntity=9)", 1
                )
            )
        )


def test_conllu_without_links_has_no_mentions() -> None:
    (text,) = GUM.read(GUM_FILE.replace("-identity", ""))
    assert links_of(text) == ()
