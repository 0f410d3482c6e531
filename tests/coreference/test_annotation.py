"""The answers of coreference annotators."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.formats.muc.markables import Markable, Markup
from tatian.text import Authorship, Span
from tatian.text.layers import Record

BOARD = Markable(0, 22, "102", head=Span(4, 22))
STREET = Markable(40, 57, "103", antecedent="102", optional=True)


def places(chain):
    return [(one.start, one.end) for one in chain.mentions]


def test_markup_survives_json():
    answer = Markup((BOARD, STREET))
    record = Record("r1", "coreference", "doc", Authorship("ann", kind="person"), answer)
    assert msgspec.json.decode(msgspec.json.encode(record), type=Record[Markup]) == record


def test_links_make_chains_with_heads_and_doubts():
    (chain,) = Markup((BOARD, STREET)).chains()
    assert chain.id == "102"
    assert [one.head for one in chain.mentions] == [Span(4, 22), None]
    assert [one.optional for one in chain.mentions] == [False, True]


def test_links_are_symmetric_and_transitive():
    marked = (
        Markable(0, 1, "a"),
        Markable(2, 3, "b", antecedent="a"),
        Markable(4, 5, "c", antecedent="b"),
        Markable(6, 7, "d", antecedent="a"),
    )
    (chain,) = Markup(marked).chains()
    assert places(chain) == [(0, 1), (2, 3), (4, 5), (6, 7)]


def test_phrases_without_a_link_are_in_no_chain():
    assert Markup((BOARD, Markable(30, 33, "x"))).chains() == ()


@given(st.lists(st.integers(0, 30), max_size=30))
def test_chains_hold_each_linked_phrase_once(antecedents):
    marked = [Markable(0, 1, "0")]
    for number, chosen in enumerate(antecedents, 1):
        link = str(chosen % number) if chosen else None
        marked.append(Markable(number * 2, number * 2 + 1, str(number), antecedent=link))
    chains = Markup(tuple(marked)).chains()
    found = [place for chain in chains for place in places(chain)]
    assert len(found) == len(set(found))
    linked = {one.id for one in marked if one.antecedent} | {one.antecedent for one in marked}
    assert len(found) == len(linked - {None})


def test_a_min_outside_its_phrase_is_refused():
    with pytest.raises(ValueError, match="MIN of markable '1' does not lie inside it"):
        Markable(5, 9, "1", head=Span(4, 6))


def test_only_an_anaphor_can_be_optional():
    with pytest.raises(ValueError, match="OPT without REF"):
        Markable(5, 9, "1", optional=True)


def test_an_empty_phrase_is_refused():
    with pytest.raises(ValueError, match="'1' is empty"):
        Markable(5, 5, "1")


def test_a_phrase_cannot_refer_to_itself():
    with pytest.raises(ValueError, match="refers to itself"):
        Markable(5, 9, "1", antecedent="1")


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ((Markable(0, 1, "a"), Markable(2, 3, "a")), "two markables of one id"),
        ((Markable(0, 1, "a"), Markable(0, 1, "b")), "two markables on one string"),
        ((Markable(0, 1, "a", antecedent="z"),), "'a' refers to 'z', which is not marked"),
    ],
)
def test_inconsistent_markup_is_refused(marked, message):
    with pytest.raises(ValueError, match=message):
        Markup(marked)


def test_markup_outside_the_text_is_refused():
    with pytest.raises(InputError, match=r"'103' lies outside the text \(50\)"):
        Markup((BOARD, STREET)).check("x" * 50)
