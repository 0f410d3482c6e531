"""CoNLL-2012 and OntoGUM: rows of words with brackets in the last column."""

from __future__ import annotations

import pytest

from tatian.errors import EmptyInput, InputError
from tatian.formats import ORIGINAL, find
from tatian.formats.losses import find_losses
from tatian.text import CHAINS, Chain, Document, Mention

from .chain_samples import CONLL, LITBANK, ONTOGUM


def read(text: str, name: str = "conll") -> list[Document]:
    return list(find(name).read(text, "key.conll"))


def write(documents: list[Document], name: str = "conll") -> str:
    return "".join(find(name).write(documents))


def spoken(document: Document) -> dict[str, list[str]]:
    """The mentions of each chain as strings."""
    return {
        chain.id: [mention.of(document.text) for mention in chain.mentions]
        for chain in document.get(CHAINS)
    }


def test_words_become_text_with_a_sentence_a_line() -> None:
    first, second = read(CONLL)
    assert first.text == "Vera cannot see her ferry.\nIt sank."
    assert [one.of(first.text) for one in first.sentences] == first.text.split("\n")
    assert second.text == "Rain fell"


def test_chains_are_called_by_document_and_number() -> None:
    first, _ = read(CONLL)
    assert spoken(first) == {"nw/elm/0001#0": ["Vera", "her"], "nw/elm/0001#1": ["her ferry", "It"]}


def test_parts_are_documents_of_their_own() -> None:
    assert [document.id for document in read(CONLL)] == ["nw/elm/0001", "nw/elm/0001 part 1"]


def test_an_empty_last_column_is_no_mention() -> None:
    (document,) = read(LITBANK)
    assert spoken(document) == {"12_elm_brat#2": ["The ferry"]}


def test_columns_may_be_aligned_by_blanks() -> None:
    text = "#begin document (a); part 000\na   0  0   Vera   NNP   (3)\n#end document\n"
    (document,) = read(text)
    assert spoken(document) == {"a#3": ["Vera"]}
    assert write([document]) == text


def test_a_tab_after_the_last_column_does_not_hide_it() -> None:
    (document,) = read("#begin document (a);\na\t0\t0\tVera\t(3)\t\n#end document\n")
    assert spoken(document) == {"a#3": ["Vera"]}


def test_files_without_words_get_placeholder_words() -> None:
    (document,) = read("#begin document (a); part 000\na (1\na 1)\na -\n#end document\n")
    assert document.text == "_ _ _"
    assert spoken(document) == {"a#1": ["_ _"]}


def test_treebank_escapes_are_decoded_but_kept_in_the_file() -> None:
    text = "#begin document (a); part 000\na\t0\t0\t-LRB-\t(1)\n#end document\n"
    (document,) = read(text)
    assert document.text == "("
    assert write([document]) == text


def test_a_mention_marked_twice_stays_marked_twice() -> None:
    text = "#begin document (a); part 000\na\t0\t0\tVera\t(1)|(1)\n#end document\n"
    (document,) = read(text)
    assert spoken(document) == {"a#1": ["Vera", "Vera"]}
    assert write([document]) == text


def test_only_the_rows_of_changed_chains_change() -> None:
    first, second = read(CONLL)
    vera, ferry = first.get(CHAINS)
    without = Chain(ferry.id, ferry.mentions[:1])
    changed = first.with_layer(CHAINS, [vera, without], "test")
    assert write([changed, second]) == CONLL.replace("*\t(1)\n", "*\t-\n")


def test_new_chains_get_numbers_that_are_free() -> None:
    (document,) = read(LITBANK)
    sank = Mention(10, 14)
    changed = document.with_layer(CHAINS, [*document.get(CHAINS), Chain("x", (sank,))], "test")
    assert write([changed]) == LITBANK.replace(
        "sank" + "\t_" * 8 + "\t", "sank" + "\t_" * 8 + "\t(0)"
    )


def test_removed_mention_leaves_the_empty_value_of_the_file() -> None:
    (document,) = read(LITBANK)
    written = write([document.with_layer(CHAINS, [], "test")])
    assert written == LITBANK.replace("(2", "").replace("2)", "")


def test_line_ends_of_windows_are_kept() -> None:
    text = CONLL.replace("\n", "\r\n")
    documents = read(text)
    assert write(documents) == text
    changed = documents[0].with_layer(CHAINS, documents[0].get(CHAINS)[1:], "test")
    assert write([changed]).count("\r\n") == write([changed]).count("\n")


def test_document_from_another_format_gets_twelve_columns() -> None:
    document = Document("a b part 2", "Vera saw her. It sank.")
    chains = [Chain("x", (Mention(0, 4), Mention(9, 12))), Chain("y", (Mention(0, 12),))]
    rows = write([document.with_layer(CHAINS, chains, "test")]).split("\n")
    assert rows[0] == "#begin document (a b); part 002"
    assert rows[1] == "a_b\t2\t0\tVera" + "\t-" * 7 + "\t(1|(0)"
    assert rows[3] == "a_b\t2\t2\ther" + "\t-" * 7 + "\t(0)|1)"
    assert rows[4:6] == ["a_b\t2\t3\t." + "\t-" * 8, ""]


def test_crossing_mentions_of_different_chains_survive() -> None:
    document = Document("a", "one two three")
    chains = [Chain("a#x", (Mention(0, 7),)), Chain("a#y", (Mention(4, 13),))]
    (text,) = find("conll").write([document.with_layer(CHAINS, chains, "test")])
    (again,) = read(text)
    assert spoken(again) == {"a#0": ["one two"], "a#1": ["two three"]}


def test_crossing_mentions_of_one_chain_are_reported() -> None:
    chains = [Chain("a#x", (Mention(0, 7), Mention(4, 13)))]
    document = Document("a", "one two three").with_layer(CHAINS, chains, "test")
    (text,) = find("conll").write([document])
    assert find_losses([document], find("conll"), text).counts == {
        "mentions, left out or changed": 2
    }


def test_rows_of_another_document_are_not_used() -> None:
    (document,) = read(LITBANK)
    other = Document("other", "Rain fell").with_layer(ORIGINAL, document.get(ORIGINAL), "test")
    assert "ferry" not in write([other])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "#begin document (a);\na\t0\t0\tx\t(1\n#end document\n",
            r"key\.conll:2: a mention of chain 1 ",
        ),
        ("#begin document (a);\na\t0\t0\tx\t1)\n", r"key\.conll:2: a mention of chain 1 ends"),
        ("#begin document (a);\na\t0\t0\tx\t(1))\n", r"key\.conll:2: '\(1\)\)' is not"),
        ("#begin document (a);\n\nword\n", r"key\.conll:3: 1 column where CoNLL has"),
    ],
)
def test_errors_name_the_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(text)


def test_a_file_of_comments_is_empty() -> None:
    with pytest.raises(EmptyInput, match="contains no document"):
        read("# nothing\n\n")


def test_ontogum_documents_without_a_name_are_numbered() -> None:
    first, second = read(ONTOGUM, "ontogum")
    assert (first.id, second.id) == ("1", "named")
    assert first.text == "Vera and her ferry."
    assert spoken(first) == {"1#1": ["Vera", "her"], "1#4": ["her ferry"]}


def test_ontogum_rows_have_three_columns() -> None:
    with pytest.raises(InputError, match=r"key\.conll:2: 2 columns where OntoGUM has"):
        read("# begin document a\n0\tVera\n", "ontogum")


def test_a_row_that_ends_before_the_coreference_column_is_refused() -> None:
    text = "#begin document (a);\na\t0\t0\tHe\t(0)\na\t0\t1\tleft\n"
    with pytest.raises(InputError, match=r"key\.conll:3: 'left' is not a coreference column"):
        read(text)
