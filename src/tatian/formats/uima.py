"""UIMA CAS as XMI with DKPro's types, as INCEpTION and WebAnno exchange it: one document per file.

Tokens, sentences, coreference chains, and named entities with the page in ``identifier`` are read
and written. Offsets count UTF-16 units, as in Java.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from xml.sax.saxutils import quoteattr

from tatian.errors import InputError
from tatian.formats import Format, file_name
from tatian.formats.annotated import ToolSpan, Utf16, make_document, only_document, pages_of
from tatian.formats.ecbplus import XmlElement, parse
from tatian.formats.links import links_of
from tatian.formats.tokens import chains_of, with_tokens
from tatian.grouping import grouped
from tatian.text import SENTENCES, TOKENS, Authorship, Document, Sentence, Token
from tatian.text.spans import Span

NAME = "xmi"
_DKPRO = "de.tudarmstadt.ukp.dkpro.core.api"
_ESCAPED_SPACES = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
"""Line ends and tabs of the text, which XML would read as blanks."""
_NAMESPACES = {
    "cas": "uima/cas",
    "tcas": "uima/tcas",
    "seg": f"{_DKPRO.replace('.', '/')}/segmentation/type",
    "ner": f"{_DKPRO.replace('.', '/')}/ner/type",
    "coref": f"{_DKPRO.replace('.', '/')}/coref/type",
    "meta": f"{_DKPRO.replace('.', '/')}/metadata/type",
}


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """Yield the document of a file."""
    root = parse(text, path)
    by_tag = grouped((element.tag.rpartition(":")[2], element) for element in root)
    sofas = [sofa for sofa in by_tag.get("Sofa", ()) if sofa.attributes.get("sofaString")]
    if not sofas:
        raise InputError("a CAS without a text", path=path, line=root.line)
    words = sofas[0].get("sofaString")
    units = Utf16(words)
    by_id = {link.attributes.get("xmi:id", ""): link for link in by_tag.get("CoreferenceLink", ())}
    phrases = {
        id: ToolSpan(_span(link, units), _value(link, "referenceType"))
        for id, link in by_id.items()
    }
    following = ((id, link.attributes.get("next", "")) for id, link in by_id.items())
    pairs = [pair for pair in following if pair[1] in by_id]
    linked = [
        ToolSpan(_span(entity, units), _value(entity, "value"), page)
        for entity in by_tag.get("NamedEntity", ())
        if (page := entity.attributes.get("identifier", ""))
    ]
    metadata = next((element.attributes for element in by_tag.get("DocumentMetaData", ())), {})
    id, title = metadata.get("documentId") or file_name(path), metadata.get("documentTitle", "")
    document = make_document(id, words, phrases, pairs, linked, NAME, title=title)
    author = Authorship(by=NAME)
    if spans := sorted(_span(token, units) for token in by_tag.get("Token", ())):
        tokens = [Token(span.start, span.end, span.of(words)) for span in spans]
        document = document.with_layer(TOKENS, tokens, author)
    if spans := sorted(_span(sentence, units) for sentence in by_tag.get("Sentence", ())):
        sentences = [Sentence(span.start, span.end) for span in spans]
        document = document.with_layer(SENTENCES, sentences, author)
    yield document


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Yield the only document as XMI; `type_system` describes its types."""
    source = with_tokens(only_document(documents, "UIMA CAS XMI"))
    units, ids = Utf16(source.text), count(2)
    lines: list[str] = []
    members: list[int] = []

    def element(tag: str, id: int, **attributes: str | int) -> None:
        shown = "".join(f" {name}={quoteattr(str(value))}" for name, value in attributes.items())
        lines.append(f'  <{tag} xmi:id="{id}" sofa="1"{shown}/>')
        members.append(id)

    def at(span: Span) -> dict[str, int]:
        return {"begin": units.units(span.start), "end": units.units(span.end)}

    title = {"documentTitle": source.metadata.title} if source.metadata.title else {}
    text_span = Span(0, len(source.text))
    element("meta:DocumentMetaData", next(ids), **at(text_span), documentId=source.id, **title)
    for sentence in source.sentences:
        element("seg:Sentence", next(ids), **at(sentence))
    for token in source.tokens:
        element("seg:Token", next(ids), **at(token))
    for link in links_of(source):
        for page in pages_of(link):
            value = {"value": link.type} if link.type else {}
            element("ner:NamedEntity", next(ids), **at(link), **value, identifier=page)
    for chain in chains_of(source):
        link_ids = [next(ids) for _ in chain.mentions]
        element("coref:CoreferenceChain", next(ids), first=link_ids[0])
        for place, mention in enumerate(chain.mentions):
            following = {"next": link_ids[place + 1]} if place + 1 < len(link_ids) else {}
            kind = mention.type or chain.type
            typed = {"referenceType": kind} if kind else {}
            element("coref:CoreferenceLink", link_ids[place], **at(mention), **following, **typed)
    spaces = "".join(f' xmlns:{name}="http:///{uri}.ecore"' for name, uri in _NAMESPACES.items())
    yield (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<xmi:XMI xmlns:xmi="http://www.omg.org/XMI"{spaces} xmi:version="2.0">\n'
        '  <cas:NULL xmi:id="0"/>\n'
        + "\n".join(lines)
        + '\n  <cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" '
        f"sofaString={quoteattr(source.text, _ESCAPED_SPACES)}/>\n"
        f'  <cas:View sofa="1" members="{" ".join(map(str, members))}"/>\n'
        "</xmi:XMI>\n"
    )


def type_system() -> str:
    """Return the description of our files' types, for readers that want one beside the XMI."""
    return Path(__file__).with_name("uima-types.xml").read_text("utf-8")


def _span(element: XmlElement, units: Utf16) -> Span:
    places = [element.get("begin"), element.get("end")]
    if all(place.isascii() and place.isdecimal() and len(place) < 16 for place in places):
        span = units.span(int(places[0]), int(places[1]))
        if span is not None:
            return span
    raise element.error(f"<{element.tag}> {'..'.join(places)} lies outside the text")


def _value(element: XmlElement, attribute: str) -> str:
    value = element.attributes.get(attribute, "")
    return "" if value == "*" else value


def _recognizes(head: str) -> bool:
    return "<xmi:XMI" in head and "http:///uima/cas.ecore" in head


CHAINS = Format(
    NAME, "UIMA CAS XMI (INCEpTION): chains", "coreference", (".xmi",), _recognizes, read, write
)
LINKS = Format(
    NAME, "UIMA CAS XMI (INCEpTION): entities with pages", "mention", (".xmi",), _recognizes, read,
    write,
)  # fmt: skip
