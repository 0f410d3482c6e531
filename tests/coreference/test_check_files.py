"""Whole files: form and content together, places in the file, formats other than MUC."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tatian.coreference.checks import RULES, check, check_content, find_rules
from tatian.errors import InputError
from tatian.formats import find
from tatian.text import CHAINS, Chain, Document, Mention

from ..formats.muc_samples import scraps

KEY = """<DOC>
<DOCNO> 1 </DOCNO>
<DD> <COREF ID="0">a day and a night</COREF> </DD>
<DD> 01/02/93 </DD>
<HL> Ferry company sold </HL>
<TXT>
<p>
<COREF ID="1" MIN="Ann Lee">Ann Lee, <COREF ID="2" REF="1" TYPE="IDENT" MIN="veteran">a veteran
of the trade</COREF>,</COREF> left.
She and <COREF ID="3" REF="9" TYPE="IDENT">the
boys and girls</COREF> agreed.
</p>
</TXT>
</DOC>
"""
COLUMNS = """#begin document (d); part 000
d\t0\t0\tAnn\tNNP\t*\t-\t-\t-\t-\t*\t(1
d\t0\t1\tLee\tNNP\t*\t-\t-\t-\t-\t*\t1)
d\t0\t2\tis\tVBZ\t*\t-\t-\t-\t-\t*\t-
d\t0\t3\ta\tDT\t*\t-\t-\t-\t-\t*\t(1
d\t0\t4\tlawyer\tNN\t*\t-\t-\t-\t-\t*\t1)
d\t0\t5\t.\t.\t*\t-\t-\t-\t-\t*\t-

d\t0\t0\tThe\tDT\t*\t-\t-\t-\t-\t*\t(2|(3
d\t0\t1\tboys\tNNS\t*\t-\t-\t-\t-\t*\t-
d\t0\t2\tand\tCC\t*\t-\t-\t-\t-\t*\t-
d\t0\t3\tgirls\tNNS\t*\t-\t-\t-\t-\t*\t2)|3)
d\t0\t4\tleft\tVBD\t*\t-\t-\t-\t-\t*\t-
d\t0\t5\t.\t.\t*\t-\t-\t-\t-\t*\t-

#end document
"""


def test_findings_of_form_and_content_come_in_the_order_of_lines() -> None:
    found = [(one.line, one.rule.name) for one in check(KEY, "key.sgm")]
    assert found == [
        (3, "excluded-part"),
        (8, "indefinite-appositive"),
        (10, "unknown-ref"),
        (10, "conjoined"),
    ]


def test_a_finding_says_where_and_what_to_do() -> None:
    (finding,) = check(KEY, "key.sgm", rules=["indefinite-appositive"])
    assert (finding.path, finding.line, finding.column) == ("key.sgm", 8, 38)
    assert (finding.document, finding.markable) == ("1", "2")
    assert "'a veteran of the trade'" in finding.message
    assert finding.advice.startswith("remove the link")


def test_without_content_only_form_is_checked() -> None:
    found = check(KEY, content=False)
    assert {one.rule.severity for one in found} == {"error"}


def test_broken_markup_still_gets_advice_on_what_can_be_read() -> None:
    broken = KEY.replace("</COREF> agreed", "</COREF> and <COREF ID='4'>more agreed")
    assert {"unclosed-tag", "conjoined"} <= {one.rule.name for one in check(broken)}


def test_parts_that_are_not_annotated_get_no_advice() -> None:
    assert [one.rule.name for one in check(KEY) if one.markable == "0"] == ["excluded-part"]


def test_line_ends_do_not_end_sentences() -> None:
    (finding,) = check(KEY, rules=["conjoined"])
    assert "'the boys and girls'" in finding.message


def test_a_document_in_memory_can_be_checked() -> None:
    document = Document("d", "Rain fell.\nThe boys and girls left.")
    document = document.with_layer(CHAINS, [Chain("c", (Mention(11, 29),))], "somebody")
    (finding,) = check_content(document)
    assert (finding.rule.name, finding.line, finding.column) == ("conjoined", 2, 1)


def test_an_unknown_rule_is_refused_with_a_hint() -> None:
    with pytest.raises(InputError, match=r"no rule called 'gerunds': did you mean 'gerund'\?"):
        find_rules(["gerunds"])


def test_rules_have_unique_names_sections_and_descriptions() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert all(rule.section[0].isdigit() and rule.description.endswith(".") for rule in RULES)


def test_every_rule_of_content_is_advice() -> None:
    names = {rule.name for rule in RULES if rule.section[0] in "345" and rule.severity == "error"}
    assert names == {"empty-markable"}


@pytest.mark.parametrize("name", ["ontogum-dev.conll.gz", "gum-dev.conllu.gz"])
def test_real_corpora_are_mostly_silent(data: Path, name: str) -> None:
    """Rules of content are rarely broken by careful annotators, whatever their guidelines."""
    text = gzip.decompress((data / "coreference" / name).read_bytes()).decode("utf-8")
    documents = find("corefud" if "conllu" in name else "ontogum").read(text)
    document = next(iter(documents))
    mentions = sum(len(chain.mentions) for chain in document.get(CHAINS))
    found = list(check_content(document))
    assert mentions > 0
    assert len(found) < 0.15 * mentions


@settings(max_examples=settings.default.max_examples * 2 // 5)
@given(scraps)
def test_any_markup_however_broken_can_be_checked(source: str) -> None:
    assert all(one.line >= 1 and one.column >= 1 for one in check(source, "any.sgm"))


WORDS = st.sampled_from(
    "the a Ann Lee Corp. of and , who is may be named as king 's $ 5 million May 1995 -- ( ) "
    "Newark six youngest running not \n".split(" ")
)


@settings(max_examples=settings.default.max_examples * 2 // 5)
@given(st.lists(WORDS, min_size=1, max_size=20), st.data())
def test_any_phrase_however_odd_can_be_judged(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    ends = st.lists(st.integers(0, len(text)), min_size=2, max_size=2, unique=True).map(sorted)
    spans = data.draw(st.lists(ends, max_size=6))
    mentions = tuple(Mention(*span) for span in spans)
    document = Document("d", text).with_layer(CHAINS, [Chain("c", mentions)], "somebody")
    for finding in check_content(document):
        assert finding.message
        assert finding.advice
