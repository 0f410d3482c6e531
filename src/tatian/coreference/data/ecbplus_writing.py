"""Documents as ECB+ XML: their own file with their present chains, or a new one.

In a file that was read, the tokens stay as they are; where chains have changed, the markables and
relations are listed anew, with the ids and descriptions they had.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct, field

from tatian.coreference.data.composing import (
    Placed,
    Places,
    columns,
    is_shared,
    local_label,
    note_spacing,
    with_tokens,
)
from tatian.coreference.data.ecbplus import NAME, UNTYPED, read, word_lines
from tatian.coreference.data.elements import Element, parse
from tatian.coreference.data.original import original
from tatian.text import CHAINS, Chain, Document, Mention
from tatian.text.formats import Losses

_SECTIONS = re.compile(r"<Markables\b.*</Relations\s*>", re.DOTALL)
_TAG = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_INTRA = re.compile(r"intra(\d+)")
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(documents: Iterable[Document], losses: Losses) -> Iterator[str]:
    """Each document as a file of its own."""
    for given in documents:
        yield _own(given, losses) or _fresh(with_tokens(given), losses)


class _Known(Struct):
    """Ids and descriptions that a file already has."""

    mentions: dict[tuple[str, tuple[str, ...]], list[str]] = field(default_factory=dict)
    """The ids of markables, by tag and tokens."""
    instances: dict[str, Element] = field(default_factory=dict)
    """The things that chains across documents stand for, by their ids."""
    relations: dict[str, str] = field(default_factory=dict)
    """The ids of relations, by the chain's id."""
    used: set[str] = field(default_factory=set)
    """All ids of markables and relations."""


def _own(document: Document, losses: Losses) -> str | None:
    """The file it was read from; None if there is none or its text is another."""
    source = original(document, NAME)
    if source is None:
        return None
    (before,) = read(source)
    if before.text != document.text:
        (headless,) = read(source, header=False)
        same = headless.text == document.text and _said(headless) == _said(document)
        return source if same else None
    if _said(before) == _said(document):
        return source
    if before.tokens != document.tokens:
        return None
    root = parse(source.removeprefix("\ufeff").encode(), None, encoding="utf-8")
    ids = [token_id for line in word_lines(root) for token_id in line]
    sections = _sections(document, ids, _known(root), losses)
    written, times = _SECTIONS.subn(lambda _: sections, source, count=1)
    return written if times else None


def _said(document: Document) -> list[tuple[str, tuple[Mention, ...]]]:
    chains = document.get(CHAINS) if document.has(CHAINS) else ()
    return sorted(((chain.id, chain.mentions) for chain in chains), key=lambda one: one[0])


def _known(root: Element) -> _Known:
    known = _Known()
    for markable in root.child("Markables"):
        anchors = tuple(anchor.get("t_id") for anchor in markable)
        known.used.add(markable.get("m_id"))
        if anchors:
            key = (markable.tag, anchors)
            known.mentions.setdefault(key, []).append(markable.get("m_id"))
        elif "instance_id" in markable.attributes:
            known.instances.setdefault(markable.get("instance_id"), markable)
    for relation in root.child("Relations"):
        known.used.add(relation.get("r_id"))
        if "note" in relation.attributes:
            known.relations.setdefault(relation.get("note"), relation.get("r_id"))
    return known


def _fresh(document: Document, losses: Losses) -> str:
    name = _attribute(f"{document.id}.xml")
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<Document doc_name={name} doc_id={_attribute(document.id)}>",
    ]
    number = 0
    for sentence, words in enumerate(columns(document)):
        for place, word in enumerate(words):
            number += 1
            attributes = f't_id="{number}" sentence="{sentence}" number="{place}"'
            content = escape(_NOT_XML.sub("\ufffd", word))
            lines.append(f"<token {attributes}>{content}</token>")
    ids = [str(one + 1) for one in range(number)]
    lines += [_sections(document, ids, _Known(), losses), "</Document>", ""]
    text = "\n".join(lines)
    (again,) = read(text)
    note_spacing(document, again.text.removesuffix("\n"), losses)
    return text


def _attribute(value: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", value))


def _sections(document: Document, ids: list[str], known: _Known, losses: Losses) -> str:
    """The markables and relations of a document whose tokens have these ids."""
    free = (str(number) for number in count(1) if str(number) not in known.used)
    markables: list[str] = []
    members: dict[str, list[tuple[Placed, str]]] = {}
    for placed in Places(document).mentions(losses):
        anchors = tuple(ids[place] for places in placed.ranges for place in places)
        tag = _tag(placed, document, losses)
        standing = known.mentions.get((tag, anchors))
        number = standing.pop(0) if standing else next(free)
        members.setdefault(placed.chain.id, []).append((placed, number))
        more = _attributes(placed.mention.attributes)
        markables.append(f'<{tag} m_id="{number}" {more} >')
        markables += [f'  <token_anchor t_id="{anchor}"/>' for anchor in anchors]
        markables.append(f"</{tag}>")
    instances, relations = [], []
    for chain in document.get(CHAINS) if document.has(CHAINS) else ():
        linked = members.get(chain.id, [])
        shared = is_shared(chain, document)
        if not linked or not (shared or len(linked) > 1):
            continue
        instance = known.instances.get(chain.id)
        target = instance.get("m_id") if instance else next(free)
        tag = _tag(linked[0][0], document, losses) if shared else UNTYPED
        instances.append(_instance(chain, instance, target, tag, shared))
        kind = "CROSS_DOC_COREF" if shared else "INTRA_DOC_COREF"
        r_id = known.relations.get(chain.id) or _number(chain, document) or next(free)
        note = f"note={_attribute(chain.id)} " if shared else ""
        relations.append(f'<{kind} r_id="{r_id}" {note}>')
        relations += [f'  <source m_id="{number}" />' for _, number in linked]
        relations += [f'  <target m_id="{target}" />', f"</{kind}>"]
    listed = [*markables, "", "", *instances] if instances else markables
    return "\n".join(
        ["<Markables>", *listed, "</Markables>", "", "<Relations>", *relations, "", "</Relations>"]
    )


def _instance(chain: Chain, instance: Element | None, target: str, tag: str, shared: bool) -> str:
    described = instance.attributes if instance else {}
    if instance:
        tag = instance.tag
    told = f"TAG_DESCRIPTOR={_attribute(described.get('TAG_DESCRIPTOR', ''))}"
    named = f"instance_id={_attribute(chain.id)}" if shared else ""
    related = _attribute(described.get("RELATED_TO", ""))
    return f'<{tag} m_id="{target}" RELATED_TO={related} {told} {named} />'


def _number(chain: Chain, document: Document) -> str | None:
    found = _INTRA.fullmatch(local_label(chain, document) or "")
    return found[1] if found else None


def _attributes(pairs: Iterable[tuple[str, str]]) -> str:
    """What ECB+ itself says of mentions."""
    return " ".join(f"{name}={_attribute(value)}" for name, value in pairs if name == "note")


def _tag(placed: Placed, document: Document, losses: Losses) -> str:
    type = placed.mention.type or placed.chain.type
    if not type:
        return UNTYPED
    if _TAG.fullmatch(type):
        return type
    losses.add("types that are no names of XML elements: changed", document.id)
    return re.sub(r"[^A-Za-z0-9_.-]", "_", f"_{type}")
