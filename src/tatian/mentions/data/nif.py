"""NIF 2.0 in Turtle, the format of GERBIL: contexts, and phrases that stand for something in them.

Each ``nif:Context`` is a text, unless it only holds others (a document whose sentences are contexts
of their own). A mention's pages are its ``itsrdf:taIdentRef``: Wikipedia and DBpedia give titles,
anything else an id. VoxEL's classes of form and overlap become tags such as ``form:common``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from msgspec.structs import replace

from tatian.errors import EmptyInput, InputError
from tatian.mentions.data.classes import described
from tatian.mentions.data.ids import title_of, wikidata_id
from tatian.mentions.data.jsonl import place
from tatian.mentions.data.places import locate
from tatian.mentions.data.records import LinkedMention, LinkedText
from tatian.mentions.data.turtle import RDF, Blank, Iri, Literal, Term, statements
from tatian.text import Span

NIF = "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#"
ITS = "http://www.w3.org/2005/11/its/rdf#"
BASE = "https://tatian.invalid/text/"
"""Where texts live whose ids are not URIs."""
_FRAGMENT = re.compile(r"#(?:char=|offset_)?(\d+)[,_](\d+)")


class _Node:
    """All that a file says of one thing, each value with its line."""

    def __init__(self) -> None:
        self.values: dict[str, list[tuple[Term, int]]] = {}
        self.line = 0

    def add(self, predicate: str, value: Term, line: int) -> None:
        self.values.setdefault(predicate, []).append((value, line))
        self.line = self.line or line

    def all(self, predicate: str) -> list[Term]:
        return [value for value, _ in self.values.get(predicate, ())]

    def literal(self, predicate: str) -> str | None:
        found = (value.value for value in self.all(predicate) if isinstance(value, Literal))
        return next(found, None)

    def named(self, predicate: str) -> list[str]:
        return [value.value for value in self.all(predicate) if isinstance(value, Iri)]


_Graph = dict[Iri | Blank, _Node]


def read(text: str, path: str | None = None) -> Iterator[LinkedText]:
    """The texts of a NIF file, in the order of their contexts."""
    graph: _Graph = {}
    for one in statements(text, path):
        graph.setdefault(one.subject, _Node()).add(one.predicate, one.object, one.line)
    contexts = {
        key: node for key, node in graph.items() if node.literal(NIF + "isString") is not None
    }
    if not contexts:
        raise EmptyInput("no text in it: a NIF file has contexts with nif:isString", path=path)
    phrases: dict[Iri | Blank, list[tuple[Iri | Blank, _Node]]] = {}
    for key, node in graph.items():
        if _is_mention(node):
            owner = next((one for one in node.all(NIF + "referenceContext")), None)
            if not isinstance(owner, Iri | Blank) or owner not in contexts:
                problem = "a mention of a context (nif:referenceContext) that has no nif:isString"
                raise InputError(problem, path=path, line=node.line)
            phrases.setdefault(owner, []).append((key, node))
    holders = {one for node in contexts.values() for one in node.all(NIF + "broaderContext")}
    for key, node in contexts.items():
        if key in phrases or key not in holders:
            yield _text(key, node, phrases.get(key, []), graph, path)


def _is_mention(node: _Node) -> bool:
    if not node.all(NIF + "referenceContext"):
        return False
    linked = node.all(ITS + "taIdentRef") or node.all(ITS + "taClassRef")
    return bool(linked) or NIF + "Phrase" in node.named(RDF + "type")


def _text(
    key: Iri | Blank,
    node: _Node,
    phrases: list[tuple[Iri | Blank, _Node]],
    graph: _Graph,
    path: str | None,
) -> LinkedText:
    string = node.literal(NIF + "isString") or ""
    found: dict[tuple[int, int], LinkedMention] = {}
    for name, phrase in phrases:
        span = _span(name, phrase, string, path)
        mention = _mention(span, phrase, string, graph)
        before = found.get((span.start, span.end))
        found[span.start, span.end] = _united(before, mention) if before else mention
    return LinkedText(
        id=_id(key),
        text=string,
        topic=node.literal(ITS + "domain") or "",
        mentions=tuple(sorted(found.values(), key=place)),
        title=node.literal("http://purl.org/dc/terms/title") or "",
        part_of=next((_id(Iri(one)) for one in node.named(NIF + "broaderContext")), ""),
    )


def _id(key: Iri | Blank) -> str:
    if not key.value.startswith(BASE):
        return key.value
    return unquote(_FRAGMENT.sub("", key.value.removeprefix(BASE)))


def _span(name: Iri | Blank, node: _Node, text: str, path: str | None) -> Span:
    begin, end = node.literal(NIF + "beginIndex"), node.literal(NIF + "endIndex")
    anchor = node.literal(NIF + "anchorOf")
    if begin is None or end is None:
        match = _FRAGMENT.search(name.value)
        begin, end = (match[1], match[2]) if match else (begin, end)
    try:
        start, stop = int(begin or ""), int(end or "")
    except ValueError as error:
        problem = f"'{name.value}' does not say where it stands (nif:beginIndex, nif:endIndex)"
        raise InputError(problem, path=path, line=node.line) from error
    if anchor is not None and (found := locate(text, start, anchor)):
        return found
    if anchor is None and 0 <= start < stop <= len(text):
        return Span(start, stop)
    wanted = f"'{anchor}'" if anchor is not None else f"{start}..{stop}"
    raise InputError(f"{wanted} does not stand in its text", path=path, line=node.line)


def _mention(span: Span, node: _Node, text: str, graph: _Graph) -> LinkedMention:
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
    type, named, tags = described([*node.named(ITS + "taClassRef"), *types])
    return LinkedMention(
        span.start,
        span.end,
        term=span.of(text),
        titles=tuple(titles),
        score=_score(node.literal(ITS + "taConfidence")),
        named=named,
        type=type,
        tags=tags,
        ids=tuple(dict.fromkeys(ids)),
    )


def _score(value: str | None) -> float | None:
    try:
        return float(value) if value is not None else None
    except ValueError:
        return None


def _united(first: LinkedMention, second: LinkedMention) -> LinkedMention:
    """One mention of two that stand at the same place: both pages are right."""
    return replace(
        first,
        titles=tuple(dict.fromkeys((*first.titles, *second.titles))),
        tags=tuple(dict.fromkeys((*first.tags, *second.tags))),
        ids=tuple(dict.fromkeys((*first.ids, *second.ids))),
    )
