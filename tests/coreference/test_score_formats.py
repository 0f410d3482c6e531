"""Key and response in different formats: whose text is compared with whose."""

from __future__ import annotations

import pytest

from tatian.coreference.diff import compare
from tatian.coreference.metrics import score
from tatian.errors import InputError
from tatian.formats import find
from tatian.text import Document

from ..formats.chain_samples import CONLL, GUM, ONTOGUM

MUC = """<DOC>
<DOCNO> {name} </DOCNO>
<AUTHOR> {author} </AUTHOR>
<TXT>
<COREF ID="1" MIN="Verrick">Captain Verrick</COREF> left. <COREF ID="2" REF="1" TYPE="IDENT">He</COREF> slept.
@ {table}
</TXT>
</DOC>
"""  # noqa: E501


def muc(name: str = "a", author: str = "Ann", table: str = "1 2") -> list[Document]:
    return list(find("muc").read(MUC.format(name=name, author=author, table=table)))


@pytest.mark.parametrize(
    ("name", "text"),
    [("conll", CONLL), ("ontogum", ONTOGUM), ("corefud", GUM)],
)
def test_a_document_converted_to_muc_scores_fully_against_its_original(
    name: str, text: str
) -> None:
    documents = list(find(name).read(text, "a.xml"))
    again = list(find("muc").read("".join(find("muc").write(documents))))
    for key, response in ((documents, again), (again, documents)):
        assert score(key, response, match="exact").rates("mentions").f1 == 1
        assert compare(key, response, "exact").counts.total() == 0


def test_parts_that_are_not_annotated_may_differ() -> None:
    other = muc("b", "Eve", "3 4 5")
    assert score(muc(), other).rates("muc") == (1, 1, 1)
    assert compare(muc(), other).counts.total() == 0


def test_unannotated_parts_with_mentions_may_not_differ() -> None:
    marked = muc("b", '<COREF ID="7">Eve</COREF>')
    with pytest.raises(InputError, match="the texts differ at word 1: 'a' in the key is 'b'"):
        score(muc(), marked)


def test_the_annotated_text_must_be_the_same() -> None:
    other = list(
        find("muc").read(MUC.replace("slept", "woke").format(name="b", author="", table=""))
    )
    with pytest.raises(InputError, match="key and response must have the same text"):
        score(muc(), other)
