"""Texts as NIF 2.0 in Turtle, as GERBIL wants it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import quote

from tatian.mentions.data.classes import classes
from tatian.mentions.data.ids import title_of, wikidata_id, wikidata_uri, wikipedia_url
from tatian.mentions.data.nif import BASE, ITS, NIF
from tatian.mentions.data.records import LinkedMention, LinkedText
from tatian.mentions.data.turtle import XSD, bracketed, quoted
from tatian.text.formats import Losses

_PREFIXES = (
    f"@prefix xsd: <{XSD}> .\n@prefix nif: <{NIF}> .\n@prefix itsrdf: <{ITS}> .\n"
    "@prefix dcterms: <http://purl.org/dc/terms/> .\n"
)
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")


def write(
    texts: Iterable[LinkedText], losses: Losses, address: Callable[[str], str] = wikipedia_url
) -> Iterator[str]:
    """A context for each text, a phrase for each mention; `address` is the URI of a page."""
    taken: set[str] = set()
    for number, text in enumerate(texts):
        context = _free(_context(text), taken)
        lines = [_PREFIXES] if not number else []
        lines.append(_described(context, _context_facts(text)))
        for mention in text.mentions:
            name = _free(f"{_stem(context)}#char={mention.start},{mention.end}", taken)
            facts = _mention_facts(mention, context, address, text.id, losses)
            lines.append(_described(name, facts))
        yield "\n".join(lines) + "\n"


def _context(text: LinkedText) -> str:
    own = _URI.fullmatch(text.id) is not None
    return text.id if own else f"{_address(text.id)}#char=0,{len(text.text)}"


def _address(id: str) -> str:
    return id if _URI.fullmatch(id) else BASE + quote(id, safe="")


def _stem(uri: str) -> str:
    return uri.partition("#")[0]


def _free(uri: str, taken: set[str]) -> str:
    """The URI, or one like it where another thing has it already."""
    free, number = uri, 1
    while free in taken:
        number += 1
        free = f"{uri}_{number}"
    taken.add(free)
    return free


def _described(name: str, facts: Iterable[str]) -> str:
    return f"{bracketed(name)}\n    " + " ;\n    ".join(facts) + " .\n"


def _context_facts(text: LinkedText) -> Iterator[str]:
    yield "a nif:Context , nif:String , nif:RFC5147String"
    yield f"nif:beginIndex {_index(0)}"
    yield f"nif:endIndex {_index(len(text.text))}"
    yield f"nif:isString {quoted(text.text)}"
    if text.part_of:
        yield f"nif:broaderContext {bracketed(_address(text.part_of))}"
    if text.topic:
        yield f"itsrdf:domain {quoted(text.topic)}"
    if text.title:
        yield f"dcterms:title {quoted(text.title)}"


def _mention_facts(
    mention: LinkedMention,
    context: str,
    address: Callable[[str], str],
    where: str,
    losses: Losses,
) -> Iterator[str]:
    yield "a nif:Phrase , nif:String , nif:RFC5147String"
    yield f"nif:referenceContext {bracketed(context)}"
    yield f"nif:anchorOf {quoted(mention.term)}"
    yield f"nif:beginIndex {_index(mention.start)}"
    yield f"nif:endIndex {_index(mention.end)}"
    if references := list(_references(mention, address, where, losses)):
        yield f"itsrdf:taIdentRef {' , '.join(map(bracketed, references))}"
    if mention.score is not None:
        yield f'itsrdf:taConfidence "{mention.score!r}"^^xsd:double'
    if described := classes(mention.type, mention.named, mention.tags):
        yield f"itsrdf:taClassRef {' , '.join(map(bracketed, described))}"


def _references(
    mention: LinkedMention, address: Callable[[str], str], where: str, losses: Losses
) -> Iterator[str]:
    """A URI for each title, as the corpus had it where it did, then those of no title."""
    uris = [wikidata_uri(one) if wikidata_id(one) == one else one for one in mention.ids]
    for uri in uris:
        if not _URI.fullmatch(uri):
            losses.add("ids that are no URIs", where)
    known = {title: uri for uri in uris if (title := title_of(uri))}
    for title in mention.titles:
        yield known.get(title) or address(title)
    yield from (uri for uri in uris if _URI.fullmatch(uri) and title_of(uri) not in mention.titles)


def _index(number: int) -> str:
    return f'"{number}"^^xsd:nonNegativeInteger'
