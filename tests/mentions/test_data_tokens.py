"""Formats of tokens: AIDA-CoNLL, and CoNLL-U with GUM's links."""

from __future__ import annotations

import pytest
from hypothesis import given

from tatian.errors import EmptyInput, InputError
from tatian.mentions.data.cutting import apart
from tatian.mentions.data.formats import find
from tatian.mentions.data.records import LinkedText
from tatian.text.formats import Losses

from .data_samples import CUSTOMS, linked_texts

AIDA, GUM = find("aida"), find("gum")
AIDA_FILE = (
    "-DOCSTART- (1 EU)\n"
    "EU\tB\tEU\t--NME--\n"
    "envoy\n"
    "Nikolaus\tB\tNikolaus van der Pas\tNikolaus_van_der_Pas\t"
    "http://en.wikipedia.org/wiki/Nikolaus_van_der_Pas\t123\t/m/0abc\n"
    "van\tI\tNikolaus van der Pas\tNikolaus_van_der_Pas\n"
    "spoke\n.\n\n"
    "Georgia\tB\tGeorgia\tGeorgia_\\u0028country\\u0029\n"
    "agreed\n.\n"
    "-DOCSTART- (2 Rare)\nRare\n"
)
GUM_FILE = (
    "# newdoc id = d1\n"
    "# global.Entity = GRP-etype-infstat-link-identity\n"
    "# text = The mayor of Washington sings\n"
    "1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\tEntity=(1-person-new-coref\n"
    "2\tmayor\tmayor\tNOUN\t_\t_\t5\tnsubj\t_\t_\n"
    "3\tof\tof\tADP\t_\t_\t4\tcase\t_\t_\n"
    "4\tWashington\tWashington\tPROPN\t_\t_\t2\tnmod\t_\tEntity=(2-place-new-coref-Washington%2C_D.C.)1)\n"
    "5\tsings\tsing\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    "1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\tEntity=(2-place-giv:act-ana-Washington%2C_D.C.)\n"
    "2\tlistens\tlisten\tVERB\t_\t_\t0\troot\t_\t_\n\n"
)


def unspaced(text: LinkedText) -> list[tuple[str, tuple[str, ...]]]:
    """The terms without blanks, and their pages."""
    return [("".join(one.term.split()), one.titles) for one in text.mentions]


def test_aida_has_documents_mentions_and_pages() -> None:
    first, second = AIDA.read(AIDA_FILE)
    assert (first.id, second.id) == ("1 EU", "2 Rare")
    assert first.text == "EU envoy Nikolaus van spoke.\nGeorgia agreed."
    assert [(one.term, one.titles) for one in first.mentions] == [
        ("EU", ()),
        ("Nikolaus van", ("Nikolaus van der Pas",)),
        ("Georgia", ("Georgia (country)",)),
    ]
    assert first.mentions[1].ids == ("123", "/m/0abc")


def test_aida_is_written_as_it_was_read() -> None:
    texts = list(AIDA.read(AIDA_FILE))
    assert list(AIDA.read("".join(AIDA.write(texts)))) == texts


@given(linked_texts())
def test_aida_keeps_terms_and_first_pages_of_outer_mentions(text: LinkedText) -> None:
    (again,) = AIDA.read("".join(AIDA.write([text])))
    kept = [one for one in apart(text.mentions) if one.term == one.term.strip()]
    wanted = {("".join(one.term.split()), one.titles[:1]) for one in kept}
    assert {one for one in wanted if one[0].isalnum()} <= set(unspaced(again))
    assert {titles for _, titles in wanted} <= {titles for _, titles in unspaced(again)}


def test_aida_reports_what_it_cannot_hold() -> None:
    losses = Losses()
    list(AIDA.write([CUSTOMS], losses))
    assert losses.counts["further pages of a mention"] == 1
    assert losses.counts["mentions inside or across others: left out"] == 1


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("EU\n", 1, "must begin with -DOCSTART-"),
        ("-DOCSTART- (1)\nEU\tX\tEU\t--NME--\n", 2, "'X' where B or I"),
        ("-DOCSTART- (1)\nEU\tB\n", 2, "without its name and page"),
        ("-DOCSTART- (1)\nEU\tI\tEU\t--NME--\n", 2, "never began"),
        ("-DOCSTART- (1)\n\tB\tEU\t--NME--\n", 2, "without a token"),
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
    assert [(one.term, one.titles, one.type) for one in text.mentions] == [
        ("Washington", ("Washington, D.C.",), "place"),
        ("It", ("Washington, D.C.",), "place"),
    ]
    assert [one.named for one in text.mentions] == [True, False]
    assert text.mentions[1].tags == ("form:pronoun", "link:ana")


def test_gum_comes_back_with_forms_and_links() -> None:
    (text,) = GUM.read(GUM_FILE)
    losses = Losses()
    assert list(GUM.read("".join(GUM.write([text], losses)))) == [text]
    assert losses.messages() == []


@given(linked_texts())
def test_gum_keeps_terms_and_first_pages(text: LinkedText) -> None:
    written = "".join(GUM.write([text]))
    kept = {
        ("".join(one.term.split()), one.titles[:1])
        for one in text.mentions
        if one.term == one.term.strip() and one.term.isascii()
    }
    if written:
        (again,) = GUM.read(written)
        assert kept <= set(unspaced(again))


def test_a_bracket_that_closes_nothing_is_named() -> None:
    with pytest.raises(InputError, match=r"'9\)' closes nothing .*'mayor'"):
        list(
            GUM.read(
                GUM_FILE.replace("2\tnsubj\t_\t_", "").replace(
                    "nsubj\t_\t_", "nsubj\t_\tEntity=9)", 1
                )
            )
        )


def test_conllu_without_links_has_no_mentions() -> None:
    (text,) = GUM.read(GUM_FILE.replace("-identity", ""))
    assert text.mentions == ()
