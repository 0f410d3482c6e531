"""The coreference column of CoNLL-like files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.formats.brackets import BracketReader, read_brackets, read_header


def chains(*columns: str) -> dict[str, list[tuple[int, int]]]:
    """The chains of a document whose tokens have these columns."""
    brackets = BracketReader("a.conll")
    for number, column in enumerate(columns):
        brackets.add(number, column, number + 1)
    return brackets.finish()


def test_a_mention_lasts_from_its_bracket_to_its_bracket():
    assert chains("(0", "-", "0)", "-") == {"0": [(0, 3)]}


def test_single_token_mention_opens_and_closes():
    assert chains("-", "(7)") == {"7": [(1, 2)]}


@pytest.mark.parametrize("nothing", ["-", "_", "", "*"])
def test_a_column_without_brackets_has_no_mentions(nothing):
    assert chains(nothing) == {}


def test_a_column_holds_several_mentions():
    assert chains("(0|(1", "(2)|1)", "0)") == {"0": [(0, 3)], "1": [(0, 2)], "2": [(1, 2)]}


def test_separator_between_mentions_is_optional():
    assert chains("(1(1", "1)1)") == {"1": [(0, 2), (0, 2)]}


def test_mentions_of_one_chain_nest():
    assert chains("(1", "(1", "1)", "1)") == {"1": [(1, 3), (0, 4)]}


def test_a_row_opens_before_it_closes_as_in_the_reference_scorer():
    assert chains("(0", "0)|(0", "0)") == {"0": [(1, 2), (0, 3)]}


def test_chains_come_in_the_order_in_which_they_begin():
    assert list(chains("(b", "(a)", "b)")) == ["b", "a"]


def test_ids_need_not_be_numbers():
    assert chains("(ORG-3)") == {"ORG-3": [(0, 1)]}


def test_an_end_without_a_beginning_names_its_line():
    with pytest.raises(
        InputError, match=r"a\.conll:2: a mention of chain 4 ends here but never began"
    ):
        chains("-", "4)")


def test_a_beginning_without_an_end_names_its_line():
    with pytest.raises(InputError, match=r"a\.conll:2: a mention of chain 4 begins here and does"):
        chains("-", "(4", "(4", "4)")


@pytest.mark.parametrize("column", ["(", "()", "((0)", "(0)|1", "0|1)", "(0))"])
def test_invalid_column_is_reported_with_its_line(column):
    with pytest.raises(InputError, match=r"a\.conll:1: '.*' is not a coreference column"):
        chains(column)


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 12), st.integers(1, 5)), max_size=8, unique=True
    )
)
def test_nested_mentions_survive_writing_and_reading(marked):
    wanted: dict[str, set[tuple[int, int]]] = {}
    for label, start, length in marked:
        span = start, start + length
        spans = wanted.setdefault(str(label), set())
        if not any(crosses(span, other) for other in spans):
            spans.add(span)
    cells: list[list[str]] = [[] for _ in range(20)]
    for label, spans in wanted.items():
        for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            if end == start + 1:
                cells[start].append(f"({label})")
            else:
                cells[start].append(f"({label}")
                cells[end - 1].append(f"{label})")
    found = chains(*("|".join(cell) or "-" for cell in cells))
    assert {label: set(spans) for label, spans in found.items()} == wanted


def crosses(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether brackets of one chain could not tell the two apart: they share an end or cross."""
    (a, b), (c, d) = sorted((one, other))
    return a < c < b < d or b == c + 1


FILE = """#begin document (bc/cnn/0001); part 000
bc/cnn/0001 0 0 He (0)
bc/cnn/0001 0 1 smiled -

bc/cnn/0001 0 0 ( -
#end document
#begin document (bc/cnn/0001); part 001
bc/cnn/0001 1 0 They (0
bc/cnn/0001 1 1 all 0)
#end document
"""


def test_a_file_holds_documents_by_name_and_part():
    first, second = read_brackets(FILE)
    assert (first.id, first.tokens, first.chains) == ("bc/cnn/0001", 3, {"0": [(0, 1)]})
    assert (second.id, second.line, second.chains) == ("bc/cnn/0001 part 1", 7, {"0": [(0, 2)]})


def test_an_empty_last_column_has_no_mentions():
    text = "#begin document (a);\na\t0\t0\tHe\t_\t\na\t0\t1\tit\t_\t(0)\na\t0\t2\t(\t(V*)\t\n"
    (document,) = read_brackets(text)
    assert (document.tokens, document.chains) == (3, {"0": [(1, 2)]})


def test_a_tab_after_the_last_column_is_no_column():
    (document,) = read_brackets("#begin document (a);\na\t0\t0\tHe\t(0)\t\n#end document\n")
    assert document.chains == {"0": [(0, 1)]}


def test_carriage_returns_are_no_part_of_a_column():
    (document,) = read_brackets("#begin document (a);\r\nHe\t(0)\r\n\r\nit\t(0)\r\n")
    assert (document.tokens, document.chains) == (2, {"0": [(0, 1), (1, 2)]})


def test_documents_without_names_are_numbered():
    text = "# begin document \n0\tHe\t(1)\n# end document\n# begin document \n0\tHe\t_\n"
    assert [document.id for document in read_brackets(text)] == ["1", "2"]


def test_comments_are_no_tokens():
    (document,) = read_brackets("#begin document (a);\n# text = He (it)\nHe\t(0)\n#\t-\n")
    assert (document.tokens, document.chains) == (2, {"0": [(0, 1)]})


def test_a_mention_must_end_in_its_document():
    with pytest.raises(InputError, match=r"k\.conll:2: a mention of chain 3 begins here"):
        read_brackets(
            "#begin document (a);\nHe (3\n#end document\n#begin document (b);\n", "k.conll"
        )


@pytest.mark.parametrize(
    ("line", "id"),
    [
        ("#begin document (LuoTestCase); ", "LuoTestCase"),
        ("#begin document (a (b)); part 002", "a (b) part 2"),
        ("# begin document GUM_x", "GUM_x"),
    ],
)
def test_headers_are_read_in_all_their_forms(line, id):
    assert read_header(line).id == id


def test_a_byte_order_mark_is_no_part_of_the_first_line():
    (document,) = read_brackets("\ufeff#begin document (a);\nHe\t(0)\n")
    assert (document.id, document.tokens) == ("a", 1)


@pytest.mark.parametrize("row", ["a\t0", "a\t0\t2\tleft", "a 0 2 left"])
def test_a_row_that_ends_before_the_coreference_column_is_refused(row):
    with pytest.raises(InputError, match=r"k\.conll:3: '.*' is not a coreference column"):
        read_brackets(f"#begin document (a);\na 0 1 He (0)\n{row}\n", "k.conll")
