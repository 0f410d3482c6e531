"""The TEI edition is valid by the schema of TEI P5, and says what the consolidation says."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from tatian.consolidation.result import Consolidation

from .editions import marked, reported, untold
from .samples import chorus, crowd, ferry, hostile, lone, nothing

NAMES = {"t": "http://www.tei-c.org/ns/1.0"}
ID = "{http://www.w3.org/XML/1998/namespace}id"
WRITTEN = frozenset(
    """TEI app appInfo application back bibl body date div editorialDecl encodingDesc fileDesc head
    idno item label langUsage language lem list listApp listWit name note p profileDesc
    publicationStmt publisher quote rdg resp respStmt seg sourceDesc teiHeader text title titleStmt
    variantEncoding witness""".split()
)
SAMPLES = (ferry, hostile, lone, nothing, chorus, marked, reported, untold)


def source() -> etree._ElementTree:
    """TEI's own schema, all modules, which scripts/test fetches."""
    path = Path(sys.prefix) / "share" / "tei" / "schemas" / "tei_all.rng"
    if not path.exists():
        pytest.skip("the schema of TEI is not installed: see scripts/test")
    return etree.parse(path)


@cache
def schema() -> etree.RelaxNG:
    """The schema without the elements that we never write: the whole takes 15 seconds to load."""
    grammar = source()
    for define in grammar.iterfind(".//{*}define"):
        element = define.find("{*}element")
        if element is not None and element.get("name") not in WRITTEN:
            define[:] = [etree.Element("{http://relaxng.org/ns/structure/1.0}notAllowed")]
    return etree.RelaxNG(grammar)


def read(woven: Consolidation) -> etree._Element:
    return etree.fromstring(woven.to_tei().encode())


def texts(root: etree._Element, path: str) -> list[str]:
    return [" ".join("".join(one.itertext()).split()) for one in root.iterfind(path, NAMES)]


def valid(root: etree._Element) -> bool:
    if schema().validate(root):
        return True
    raise AssertionError(schema().error_log)


def plain(root: etree._Element) -> str:
    """The text alone: lemmas without readings, notes and headings."""
    for path in (".//t:rdg", ".//t:note", ".//t:head"):
        for one in root.findall(path, NAMES):
            after = one.tail
            if (before := one.getprevious()) is not None:
                before.tail = (before.tail or "") + (after or "")
            one.getparent().remove(one)
    return " ".join(texts(root, ".//t:body//t:p"))


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_edition_is_valid(sample: Callable[[], Consolidation]) -> None:
    assert valid(read(sample()))


def test_the_edition_of_many_accounts_is_valid() -> None:
    assert valid(read(crowd(accounts=40, sentences=60)))


@pytest.mark.long
def test_the_edition_is_valid_by_the_whole_schema() -> None:
    whole = etree.RelaxNG(source())
    for sample in SAMPLES:
        assert whole.validate(read(sample())), whole.error_log


@pytest.mark.parametrize(
    ("path", "change"),
    [
        (".//{*}titleStmt", lambda one: one.getparent().remove(one)),
        (".//{*}lem", lambda one: one.getparent().append(one)),
        (".//{*}rdg", lambda one: one.set("witness", "#A")),
        (".//{*}date", lambda one: one.set("when", "Tuesday")),
        (".//{*}witness", lambda one: one.set(ID, "1 A")),
    ],
)
def test_the_schema_refuses_what_is_no_tei(
    path: str, change: Callable[[etree._Element], None]
) -> None:
    root = read(ferry())
    change(root.find(path))
    assert not schema().validate(root)


@pytest.mark.parametrize("sample", [ferry, lone, chorus, marked])
def test_the_lemmas_are_the_text(sample: Callable[[], Consolidation]) -> None:
    assert plain(read(sample())).split() == sample().text.split()


def test_every_pointer_leads_to_something() -> None:
    for sample in SAMPLES:
        root = read(sample())
        named = [one.get(ID) for one in root.iter() if one.get(ID)]
        assert len(named) == len(set(named))
        for name in ("wit", "resp", "source"):
            for value in root.xpath(f"//@{name}"):
                assert {each.removeprefix("#") for each in value.split()} <= set(named)


def test_every_account_is_a_witness_with_title_date_and_source() -> None:
    post, radio, mail = read(ferry()).iterfind(".//t:witness", NAMES)
    assert [one.get(ID) for one in (post, radio, mail)] == ["A", "B", "C"]
    assert texts(post, "t:bibl/*") == [
        "Ferry strikes pier; 17 hurt",
        "The Harbour Post",
        "2024-03-12",
        "post",
        "accounts/post.txt",
    ]
    assert [one.get("when") for one in radio.iter("{*}date")] == ["2024-03-11"]
    assert not [*mail.iter("{*}date")]


def test_invalid_date_is_kept_as_text() -> None:
    (date,) = read(hostile()).iter("{*}date")
    assert (date.text, date.get("when")) == ('"date"', None)


def test_a_sentence_as_its_account_has_it_needs_no_apparatus() -> None:
    (sentence,) = read(ferry()).xpath("//*[@xml:id='s3']")
    assert sentence.get("source") == "#A"
    assert (sentence.text, len(sentence)) == ("“I had no power at all,” she said.", 0)


def test_redundant_sentences_are_readings() -> None:
    (sentence,) = read(ferry()).xpath("//*[@xml:id='s1']")
    readings = sentence.findall("t:app/t:rdg", NAMES)
    assert [(one.get("wit"), one.get("n"), one.get("type")) for one in readings] == [
        ("#A", "1", "source"),
        ("#B", "1", "source"),
        ("#B", "2", "source"),
        ("#C", "1", "same"),
    ]
    assert readings[3].text == "Monday’s crash of the Aurora left 17 people injured."


def test_a_lemma_has_the_accounts_that_word_it_so_or_else_who_changed_it() -> None:
    (changed,) = read(ferry()).xpath("//*[@xml:id='s1']/*/*[local-name()='lem']")
    assert (changed.get("wit"), changed.get("resp")) == (None, "#tatian")
    (kept,) = read(untold()).xpath("//*[@xml:id='s1']/*/*[local-name()='lem']")
    assert (kept.get("wit"), kept.get("resp")) == ("#A", None)


def test_conflicting_words_are_a_separate_apparatus() -> None:
    (entry,) = read(ferry()).xpath("//*[@xml:id='d1-s1']")
    assert [(one.tag.split("}")[1], one.get("wit"), one.text) for one in entry] == [
        ("lem", "#A #C", "17"),
        ("rdg", "#B", "Nineteen"),
        ("note", None, "the accounts give different numbers of people hurt"),
    ]


def test_disagreements_that_the_text_does_not_have_stand_behind_it() -> None:
    assert texts(read(untold()), ".//t:back//t:listApp/t:app/t:rdg") == ["rained", "poured"]


def test_omissions_follow_the_text_with_their_reason() -> None:
    back = ".//t:back/t:div[@type='omissions']//t:item"
    assert texts(read(ferry()), f"{back}/t:quote")[1] == (
        "Listen to our traffic report every morning at seven."
    )
    assert texts(read(ferry()), f"{back}/t:note")[1] == "not part of the story"
    assert not texts(read(lone()), ".//t:back")


def test_words_of_no_account_say_who_is_responsible_for_them() -> None:
    root = read(marked())
    found = root.xpath("//*[@type='own' or @type='glue']")
    assert [(one.get("resp"), one.text) for one in found] == [
        ("#editor", "Nobody was hurt"),
        ("#tatian", "."),
    ]
    assert texts(root, ".//t:respStmt/t:name") == ["Tatian", "the editor"]


def test_reports_of_another_day_are_a_division() -> None:
    assert texts(read(reported()), ".//t:body/t:div/t:head") == ["Reported on March 18, 2024"]
    assert texts(read(reported()), ".//t:body/t:div/t:p") == ["It rained.", "It snowed."]


@given(st.text(min_size=1, max_size=30))
@settings(max_examples=settings.default.max_examples // 2)
def test_any_words_give_a_valid_edition(words: str) -> None:
    data = lone().to_json()
    account = data["documents"][0]
    data["text"] = account["text"] = words
    account |= {"id": words, "title": words, "date": words, "source": words, "path": words}
    account["sentences"] = [{**account["sentences"][0], "end": len(words), "why": words}]
    token = {"start": 0, "end": len(words), "sources": []}
    data["sentences"] = [{"start": 0, "end": len(words), "tokens": [token]}]
    data["title"] = words
    assert valid(read(Consolidation.from_json(data)))
