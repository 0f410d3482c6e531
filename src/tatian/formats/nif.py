"""NIF 2.0 in Turtle, the format of GERBIL: contexts, and phrases in them with links.

Each ``nif:Context`` is a text, unless it only contains others (a document whose sentences are
contexts of their own). A mention's pages are its ``itsrdf:taIdentRef``: Wikipedia and DBpedia give
titles, anything else an id. VoxEL's classes of form and overlap become tags such as
``form:common``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from urllib.parse import quote, unquote

from msgspec.structs import replace

from tatian.errors import EmptyInput, InputError
from tatian.formats import Format
from tatian.formats.links import build_document, links_of, locate, part_of, title_of_text, topic_of
from tatian.formats.turtle import (
    RDF,
    XSD,
    BlankNode,
    Iri,
    Literal,
    Term,
    bracket_iri,
    quote_literal,
    statements,
)
from tatian.formats.wiki import title_of, wikidata_id, wikidata_uri, wikipedia_url
from tatian.text import Document, Link, Span

_TURTLE = re.compile(
    r"^\s*@?(?:prefix|base)\s+\S*\s*<|nif-core#|\bnif:(?:isString|Context)\b",
    re.MULTILINE | re.IGNORECASE,
)
NIF = "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#"
ITS = "http://www.w3.org/2005/11/its/rdf#"
BASE = "https://tatian.invalid/text/"
"""Base of the URIs of texts whose ids are not URIs."""
_FRAGMENT = re.compile(r"#(?:char=|offset_)?(\d+)[,_](\d+)")


class _Node:
    """All properties of one resource, each value with its line."""

    def __init__(self) -> None:
        self.values: dict[str, list[tuple[Term, int]]] = {}
        self.line = 0

    def add(self, predicate: str, value: Term, line: int) -> None:
        self.values.setdefault(predicate, []).append((value, line))
        self.line = self.line or line

    def all(self, predicate: str) -> list[Term]:
        return [value for value, _ in self.values.get(predicate, ())]

    def literal(self, predicate: str) -> str | None:
        values = (value.value for value in self.all(predicate) if isinstance(value, Literal))
        return next(values, None)

    def named(self, predicate: str) -> list[str]:
        return [value.value for value in self.all(predicate) if isinstance(value, Iri)]


_Graph = dict[Iri | BlankNode, _Node]


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """Read the texts of a NIF file, in the order of their contexts."""
    graph: _Graph = {}
    for statement in statements(text, path):
        node = graph.setdefault(statement.subject, _Node())
        node.add(statement.predicate, statement.object, statement.line)
    has_text = (key for key, node in graph.items() if node.literal(NIF + "isString") is not None)
    contexts = {key: graph[key] for key in has_text}
    if not contexts:
        message = "the file contains no text: a NIF file has contexts with nif:isString"
        raise EmptyInput(message, path=path)
    phrases: dict[Iri | BlankNode, list[tuple[Iri | BlankNode, _Node]]] = {}
    for key, node in graph.items():
        if _is_mention(node):
            context = node.all(NIF + "referenceContext")[0]
            if isinstance(context, Literal) or context not in contexts:
                problem = "a mention of a context (nif:referenceContext) that has no nif:isString"
                raise InputError(problem, path=path, line=node.line)
            phrases.setdefault(context, []).append((key, node))
    broader = {term for node in contexts.values() for term in node.all(NIF + "broaderContext")}
    for key, node in contexts.items():
        if key in phrases or key not in broader:
            yield _document(key, node, phrases.get(key, []), graph, path)


def _is_mention(node: _Node) -> bool:
    if not node.all(NIF + "referenceContext"):
        return False
    references = node.all(ITS + "taIdentRef") or node.all(ITS + "taClassRef")
    return bool(references) or NIF + "Phrase" in node.named(RDF + "type")


def _document(
    key: Iri | BlankNode,
    node: _Node,
    phrases: list[tuple[Iri | BlankNode, _Node]],
    graph: _Graph,
    path: str | None,
) -> Document:
    string = node.literal(NIF + "isString") or ""
    links_by_span: dict[tuple[int, int], Link] = {}
    for name, phrase in phrases:
        span = _span(name, phrase, string, path)
        mention = _mention(span, phrase, graph)
        previous = links_by_span.get((span.start, span.end))
        links_by_span[span.start, span.end] = _unite(previous, mention) if previous else mention
    return build_document(
        _id(key),
        string,
        links_by_span.values(),
        topic=node.literal(ITS + "domain") or "",
        title=node.literal("http://purl.org/dc/terms/title") or "",
        part_of=next((_id(Iri(uri)) for uri in node.named(NIF + "broaderContext")), ""),
    )


def _id(key: Iri | BlankNode) -> str:
    if not key.value.startswith(BASE):
        return key.value
    return unquote(_FRAGMENT.sub("", key.value.removeprefix(BASE)))


def _span(name: Iri | BlankNode, node: _Node, text: str, path: str | None) -> Span:
    begin, end = node.literal(NIF + "beginIndex"), node.literal(NIF + "endIndex")
    anchor = node.literal(NIF + "anchorOf")
    if begin is None or end is None:
        match = _FRAGMENT.search(name.value)
        begin, end = (match[1], match[2]) if match else (begin, end)
    try:
        start, stop = int(begin or ""), int(end or "")
    except ValueError as error:
        problem = f"'{name.value}' does not say where it is (nif:beginIndex, nif:endIndex)"
        raise InputError(problem, path=path, line=node.line) from error
    if anchor is not None and (located := locate(text, start, anchor)):
        return located
    if anchor is None and 0 <= start < stop <= len(text):
        return Span(start, stop)
    wanted = f"'{anchor}'" if anchor is not None else f"{start}..{stop}"
    raise InputError(f"{wanted} is not in its text", path=path, line=node.line)


def _mention(span: Span, node: _Node, graph: _Graph) -> Link:
    titles: list[str] = []
    ids: list[str] = []
    types: list[str] = []
    for reference in node.all(ITS + "taIdentRef"):
        if isinstance(reference, Iri):
            title = title_of(reference.value)
            if title and title not in titles:
                titles.append(title)
            if not title or "dbpedia.org" in reference.value:
                ids.append(wikidata_id(reference.value) or reference.value)
        if not isinstance(reference, Literal) and reference in graph:
            types += graph[reference].named("mnt:entityType")
    type, named, tags = describe_class([*node.named(ITS + "taClassRef"), *types])
    score = None
    with suppress(ValueError):
        score = float(node.literal(ITS + "taConfidence") or "")
    return Link(
        span.start,
        span.end,
        titles=tuple(titles),
        score=score,
        named=named,
        type=type,
        tags=tags,
        ids=tuple(dict.fromkeys(ids)),
    )


def _unite(first: Link, second: Link) -> Link:
    """Unite two mentions at the same place: both pages are right."""
    return replace(
        first,
        titles=tuple(dict.fromkeys((*first.titles, *second.titles))),
        tags=tuple(dict.fromkeys((*first.tags, *second.tags))),
        ids=tuple(dict.fromkeys((*first.ids, *second.ids))),
    )


_PREFIXES = (
    f"@prefix xsd: <{XSD}> .\n@prefix nif: <{NIF}> .\n@prefix itsrdf: <{ITS}> .\n"
    "@prefix dcterms: <http://purl.org/dc/terms/> .\n"
)
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")


def write(
    texts: Iterable[Document], address: Callable[[str], str] = wikipedia_url
) -> Iterator[str]:
    """Yield a context for each text, a phrase for each mention; `address` is the URI of a page."""
    taken: set[str] = set()
    for number, text in enumerate(texts):
        context = _free_uri(_context(text), taken)
        lines = [_PREFIXES] if not number else []
        lines.append(_format_resource(context, _context_facts(text)))
        for mention in links_of(text):
            place = f"#char={mention.start},{mention.end}"
            name = _free_uri(context.partition("#")[0] + place, taken)
            lines.append(_format_resource(name, _mention_facts(mention, context, address, text)))
        yield "\n".join(lines) + "\n"


def _context(text: Document) -> str:
    is_uri = _URI.fullmatch(text.id) is not None
    return text.id if is_uri else f"{_address(text.id)}#char=0,{len(text.text)}"


def _address(id: str) -> str:
    return id if _URI.fullmatch(id) else BASE + quote(id, safe="")


def _free_uri(uri: str, taken: set[str]) -> str:
    """Return the URI, or a similar one if it is taken."""
    free, number = uri, 1
    while free in taken:
        number += 1
        free = f"{uri}_{number}"
    taken.add(free)
    return free


def _format_resource(name: str, facts: Iterable[str]) -> str:
    return f"{bracket_iri(name)}\n    " + " ;\n    ".join(facts) + " .\n"


def _context_facts(text: Document) -> Iterator[str]:
    yield "a nif:Context , nif:String , nif:RFC5147String"
    yield f"nif:beginIndex {_index(0)}"
    yield f"nif:endIndex {_index(len(text.text))}"
    yield f"nif:isString {quote_literal(text.text)}"
    if parent := part_of(text):
        yield f"nif:broaderContext {bracket_iri(_address(parent))}"
    if topic := topic_of(text):
        yield f"itsrdf:domain {quote_literal(topic)}"
    if title := title_of_text(text):
        yield f"dcterms:title {quote_literal(title)}"


def _mention_facts(
    mention: Link, context: str, address: Callable[[str], str], text: Document
) -> Iterator[str]:
    yield "a nif:Phrase , nif:String , nif:RFC5147String"
    yield f"nif:referenceContext {bracket_iri(context)}"
    yield f"nif:anchorOf {quote_literal(mention.of(text.text))}"
    yield f"nif:beginIndex {_index(mention.start)}"
    yield f"nif:endIndex {_index(mention.end)}"
    if references := list(_references(mention, address)):
        yield f"itsrdf:taIdentRef {' , '.join(map(bracket_iri, references))}"
    if mention.score is not None:
        yield f'itsrdf:taConfidence "{mention.score!r}"^^xsd:double'
    if uris := class_uris(mention.type, mention.named, mention.tags):
        yield f"itsrdf:taClassRef {' , '.join(map(bracket_iri, uris))}"


def _references(mention: Link, address: Callable[[str], str]) -> Iterator[str]:
    """Yield a URI for each title, as in the corpus if possible, then those without title."""
    uris = [wikidata_uri(id) if wikidata_id(id) == id else id for id in mention.ids]
    by_title = {title: uri for uri in uris if (title := title_of(uri))}
    for title in mention.titles:
        yield by_title.get(title) or address(title)
    yield from (uri for uri in uris if _URI.fullmatch(uri) and title_of(uri) not in mention.titles)


def _index(number: int) -> str:
    return f'"{number}"^^xsd:nonNegativeInteger'


VOXEL = "el:"
"""VoxEL never declares this prefix; it is kept as it is."""
DBPEDIA = "http://dbpedia.org/ontology/"
_VOXEL_TYPES = "mnt:"
TYPES = {"Person": "PER", "Place": "LOC", "Location": "LOC", "Organisation": "ORG"}
TYPES |= {"Organization": "ORG", "Miscellany": "MISC"}
_TYPE_PLACES = (DBPEDIA, "http://schema.org/", "http://nerd.eurecom.fr/ontology#", _VOXEL_TYPES)
ONTOLOGY = {"PER": "Person", "LOC": "Place", "ORG": "Organisation"}
TAGS = {
    "Mnt-Full": "form:full",
    "Mnt-Short": "form:short",
    "Mnt-Alias": "form:alias",
    "Mnt-CommonForm": "form:common",
    "Mnt-ProForm": "form:pronoun",
    "Mnt-NumericTemporal": "form:numeric",
    "Olp-None": "overlap:none",
    "Olp-Minimal": "overlap:min",
    "Olp-Intermediate": "overlap:mid",
    "Olp-Maximal": "overlap:max",
}
CLASSES = {tag: VOXEL + name for name, tag in TAGS.items()}
_NAMES = {"form:full", "form:short", "form:alias"}
_KINDS = {"PoS-": "pos:", "Ref-": "ref:"}
_CLASS = "class:"
_ANSWERS = {"yes": True, "no": False, "unknown": None}
_OURS = "https://tatian.invalid/class/"
"""Base of classes that no ontology has."""


def describe_class(classes: Iterable[str]) -> tuple[str, bool | None, tuple[str, ...]]:
    """Return the type, whether it is a name (None if no class says so), and the tags."""
    type = named = ""
    tags: list[str] = []
    for uri in classes:
        is_ours = uri.startswith(_OURS)
        kind, _, value = unquote(uri.removeprefix(_OURS)).partition("/")
        class_type = value if is_ours and kind == "type" else _type(uri)
        if is_ours and kind == "named":
            named = value
        elif class_type:
            type = type or class_type
        else:
            tags.append(value if is_ours else _tag(uri))
    forms = {tag for tag in tags if tag in CLASSES and tag.startswith("form:")}
    is_name = bool(forms & _NAMES) if forms else None
    return type, _ANSWERS.get(named, is_name), tuple(dict.fromkeys(tags))


def _type(uri: str) -> str:
    for start in _TYPE_PLACES:
        if uri.startswith(start):
            return TYPES.get(uri.removeprefix(start), "")
    return ""


def _tag(uri: str) -> str:
    name = uri.rpartition("#")[2] if "#" in uri else uri.removeprefix(VOXEL)
    if name in TAGS:
        return TAGS[name]
    for start, kind in _KINDS.items():
        if name.startswith(start):
            return kind + name.removeprefix(start)
    return _CLASS + uri


def class_uris(type: str, named: bool | None, tags: Iterable[str]) -> list[str]:
    """Return the classes that `describe_class` reads as that type, name and tags."""
    uris = [_class_of(tag) for tag in tags]
    if type:
        uris.insert(0, DBPEDIA + ONTOLOGY[type] if type in ONTOLOGY else _ours("type", type))
    if named != describe_class(uris)[1]:
        answers = {is_named: answer for answer, is_named in _ANSWERS.items()}
        uris.append(_ours("named", answers[named]))
    return uris


def _class_of(tag: str) -> str:
    if tag in CLASSES:
        return CLASSES[tag]
    if tag.startswith(_CLASS) and _tag(tag.removeprefix(_CLASS)) == tag:
        return tag.removeprefix(_CLASS)
    for start, kind in _KINDS.items():
        rest = tag.removeprefix(kind)
        if tag.startswith(kind) and rest.isidentifier():
            return VOXEL + start + rest
    return _ours("tag", tag)


def _ours(kind: str, value: str) -> str:
    return f"{_OURS}{kind}/{quote(value, safe='')}"


FORMAT = Format(
    "nif",
    "NIF 2.0 in Turtle (GERBIL, VoxEL)",
    "mention",
    (".ttl", ".nif"),
    lambda head: bool(_TURTLE.search(head)),
    read,
    write,
)
