"""The formats of annotation tools: WebAnno TSV and UIMA XMI of INCEpTION, Label Studio's JSON."""

from __future__ import annotations

import re
from contextlib import nullcontext

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian import formats, limits
from tatian.errors import InputError
from tatian.formats import Format
from tatian.formats.label_studio import by_annotator, join_annotations
from tatian.formats.links import links_of
from tatian.formats.losses import find_losses
from tatian.formats.tokens import chains_of
from tatian.formats.uima import type_system
from tatian.text import CHAINS, LINKS, Authorship, Chain, Document, Link, Mention

MADE = Authorship(by="test")
TEXT = "Ines 😀 Tal [x]|y closed_the port. She kept it shut. It stayed."
TOOLS = ("webanno", "xmi", "label-studio")
TSV = """\
#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Mention|kind
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value
#T_RL=webanno.custom.Same|label|BT_webanno.custom.Mention


#Text=Ines Tal closed the port.
1-1\t0-4\tInes\tname[1]\thttps://en.wikipedia.org/wiki/Ines\\_Tal[2]\tPER[2]\t_\t_\t
1-2\t5-8\tTal\tname[1]\thttps://en.wikipedia.org/wiki/Ines\\_Tal[2]\tPER[2]\t_\t_\t
1-3\t9-15\tclosed\t_\t_\t_\t_\t_\t
1-4\t16-19\tthe\t_\t_\t_\t_\t_\t
1-5\t20-24\tport\t_\t_\t_\t_\t_\t
1-6\t24-25\t.\t_\t_\t_\t_\t_\t

#Text=She left.
2-1\t26-29\tShe\tpronoun\t_\t_\tsame\t1-1[1_0]\t
2-2\t30-34\tleft\t_\t_\t_\t_\t_\t
2-3\t34-35\t.\t_\t_\t_\t_\t_\t
"""
"""Layers of one's own, with a relation in place of a chain."""


def mention(text: str, part: str) -> Mention:
    start = text.index(part)
    return Mention(start, start + len(part))


def marked() -> Document:
    chains = [("Ines 😀 Tal", "She"), ("port", "it", "It")]
    port = mention(TEXT, "port")
    found = [
        Chain(f"doc#{number}", tuple(mention(TEXT, part) for part in parts))
        for number, parts in enumerate(chains)
    ]
    linked = Document("doc", TEXT).with_layer(CHAINS, found, MADE)
    return linked.with_layer(LINKS, [Link(port.start, port.end, ("Port (harbour)",))], MADE)


def phrases(document: Document) -> list[list[str]]:
    return [[one.of(document.text) for one in chain.mentions] for chain in chains_of(document)]


@pytest.fixture(params=TOOLS)
def tool(request: pytest.FixtureRequest) -> Format:
    return formats.find(request.param, "coreference")


def test_written_files_are_read_unchanged(tool: Format) -> None:
    written = "".join(tool.write([marked()]))
    (again,) = tool.read(written, "doc.tsv")
    assert (again.id, again.text) == ("doc", TEXT)
    assert phrases(again) == phrases(marked())
    assert [one.titles for one in links_of(again)] == [("Port (harbour)",)]
    assert find_losses([marked()], tool, written).messages() == []


def test_a_file_is_recognised_for_chains_and_for_links(tool: Format) -> None:
    written = "".join(tool.write([marked()]))
    assert formats.recognize(written, None, "coreference").name == tool.name
    assert formats.recognize(written, None, "mention").name == tool.name


@pytest.mark.parametrize("name", ["webanno", "xmi"])
def test_a_format_of_one_document_refuses_two(name: str) -> None:
    with pytest.raises(InputError, match="holds one document, not 2"):
        list(formats.find(name, "mention").write([marked(), marked()]))


@given(st.text(alphabet="ab|_[]\\;*->\t\n 😀é<&\"'", min_size=1).filter(str.strip))
def test_any_text_keeps_its_offsets(text: str) -> None:
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    one = Document("doc", text).with_layer(CHAINS, [Chain("doc#0", (Mention(start, end),))], MADE)
    for name in TOOLS:
        tool = formats.find(name, "coreference")
        (again,) = tool.read("".join(tool.write([one])), "doc.tsv")
        (chain,) = chains_of(again)
        (phrase,) = chain.mentions
        assert (phrase.start, phrase.end) == (start, end), name


def test_relations_between_custom_spans_are_chains() -> None:
    (found,) = formats.find("webanno", "coreference").read(TSV, "port.tsv")
    assert found.text == "Ines Tal closed the port. She left."
    assert phrases(found) == [["Ines Tal", "She"]]
    assert [(one.of(found.text), one.titles, one.type) for one in links_of(found)] == [
        ("Ines Tal", ("Ines Tal",), "PER")
    ]
    assert [len(found.tokens), len(found.sentences)] == [9, 2]


def test_a_line_that_is_no_token_is_named() -> None:
    with pytest.raises(InputError, match=r"port.tsv:8: neither a token nor a comment"):
        list(formats.find("webanno", "mention").read(TSV.replace("1-1\t", "one\t"), "port.tsv"))


def test_a_span_outside_the_text_is_named() -> None:
    xmi = "".join(formats.find("xmi", "mention").write([marked()]))
    broken = xmi.replace('begin="35"', 'begin="999"')
    with pytest.raises(InputError, match=r"<\w+:\w+> 999\.\.\d+ lies outside the text"):
        list(formats.find("xmi", "mention").read(broken, "doc.xmi"))


def test_gaps_between_sentences_are_limited() -> None:
    for gap, refused in ((limits.WEBANNO_GAP_CHARACTERS, False), (10_001, True)):

        def moved(found: re.Match[str], by: int = gap - 1) -> str:
            return f"{found[1]}{int(found[2]) + by}-{int(found[3]) + by}"

        far = re.sub(r"^(2-\d\t)(\d+)-(\d+)", moved, TSV, flags=re.MULTILINE)
        read = formats.find("webanno", "mention").read(far, "port.tsv")
        with pytest.raises(InputError, match="too far") if refused else nullcontext():
            assert len(next(read).text) == len("Ines Tal closed the port.She left.") + gap


def test_the_type_system_names_every_type_of_the_file() -> None:
    assert type_system().count("<typeDescription>") == 6


def label_studio(*results: object, **more: object) -> str:
    task = {"id": 7, "data": {"text": TEXT}, "annotations": [{"result": list(results)}], **more}
    return msgspec.json.encode([task]).decode()


def region(id: str, part: str, label: str = "phrase") -> dict[str, object]:
    units = len(TEXT[: TEXT.index(part)].encode("utf-16-le")) // 2
    size = len(part.encode("utf-16-le")) // 2
    value = {"start": units, "end": units + size, "text": part, "labels": [label]}
    return {"id": id, "type": "labels", "from_name": "l", "to_name": "text", "value": value}


def test_regions_counted_in_utf16_units_are_found_by_their_text() -> None:
    same = {"type": "relation", "from_id": "b", "to_id": "a", "direction": "right"}
    text = label_studio(region("a", "Ines 😀 Tal"), region("b", "She"), same)
    (found,) = formats.find("label-studio", "coreference").read(text, "ls.json")
    assert found.id == "7"
    assert phrases(found) == [["Ines 😀 Tal", "She"]]


def test_text_of_a_region_is_its_page() -> None:
    page = {"id": "a", "type": "textarea", "value": {"text": ["Port"]}}
    (found,) = formats.find("label-studio", "mention").read(
        label_studio(region("a", "port", "place"), page)
    )
    assert [(one.titles, one.type) for one in links_of(found)] == [(("Port",), "place")]


def test_annotations_of_different_people_are_kept_apart() -> None:
    bare = Document("doc", TEXT).with_layer(CHAINS, [], MADE)
    written = "".join(join_annotations([("ann", marked()), ("bo", bare)]))
    found = [(by, len(chains_of(one))) for by, one in by_annotator(written)]
    assert found == [("ann", 2), ("bo", 0)]


def test_cancelled_annotation_is_skipped() -> None:
    text = label_studio(
        annotations=[
            {"result": [region("a", "She")], "was_cancelled": True, "completed_by": 1},
            {"result": [region("b", "It")], "completed_by": {"email": "eve@example.org"}},
        ]
    )
    assert [(by, phrases(one)) for by, one in by_annotator(text)] == [("eve@example.org", [["It"]])]


def test_json_of_another_tool_is_refused() -> None:
    with pytest.raises(InputError, match="not Label Studio's JSON"):
        list(formats.find("label-studio", "mention").read('[{"data": 3}]', "ls.json"))
