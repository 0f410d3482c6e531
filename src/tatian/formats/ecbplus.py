"""ECB+ (Cybulska and Vossen 2014): several reports of one event, with chains across documents.

Every topic holds two subtopics, two different events of the same kind: the files ``*_Necb.xml``
(from the older EventCorefBank, tokens as in the Penn Treebank) and ``*_Necbplus.xml`` (articles
from the web, tokens cut at every punctuation mark). A file is read as follows.

- Text: the sentences, detokenized, joined by a blank. A sentence without a final mark, such as a
  headline, is a line of its own. Two backticks and two apostrophes become ``"``; empty tokens are
  left out.
- Layers: gold tokens and sentences; `mentions`, typed by ECB+'s own tag (``HUMAN_PART_PER``);
  `chains`, typed by class (`ENTITY_TYPES`, `EVENT_TYPES`).
- Chain ids: the instance id if a chain runs across documents; ``DOCUMENT#intraN`` if it was marked
  inside one document only; ``DOCUMENT#mN`` for a mention without links.
- A mention in pieces ("checked [herself] into", 3 in 1,000) is the span from its first to its last
  word, and `parts` holds the pieces.
- Other properties of a mention (``note="byCROMER"``) are among its attributes.
- A mention in two chains (there is one) stays in the one of its own class.
- Header: web articles begin with their address and often a date line, neither of them a sentence.
  Both go to the metadata; `header=False` takes them out of the text as well.

Only some sentences of each article were annotated: one without mentions says nothing about its
events.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from xml.parsers import expat

from msgspec import Struct, field

from tatian.errors import InputError
from tatian.formats import ORIGINAL, Format, Original
from tatian.formats.ecbplus_text import (
    HEADER_LINES,
    find_date,
    is_address,
    is_date_line,
    spaces_after,
)
from tatian.formats.files import open_files
from tatian.grouping import grouped
from tatian.text import (
    CHAINS,
    MENTIONS,
    SENTENCES,
    TOKENS,
    Authorship,
    Chain,
    Document,
    Mention,
    Metadata,
    Sentence,
    Span,
    Token,
)
from tatian.text.tokenizer import detokenize

_HAS_DOCUMENT_NAME = re.compile(r"<Document\b[^>]*\bdoc_name=", re.IGNORECASE)


class XmlElement(Struct):
    """One XML element: tag, attributes, line, text and children."""

    tag: str
    attributes: dict[str, str]
    path: str | None
    line: int
    text: str = ""
    children: list[XmlElement] = field(default_factory=list)

    def get(self, attribute: str) -> str:
        """Return the attribute's value; raise an `InputError` if there is no such attribute."""
        value = self.attributes.get(attribute)
        if value is None:
            raise self.error(f"<{self.tag}> has no attribute '{attribute}'")
        return value

    def child(self, tag: str) -> XmlElement:
        """Return the first child with that tag; raise an `InputError` if there is none."""
        for element in self.children:
            if element.tag == tag:
                return element
        raise self.error(f"<{self.tag}> has no <{tag}>")

    def error(self, message: str) -> InputError:
        """Return an error at the element."""
        return InputError(message, path=self.path, line=self.line)

    def __iter__(self) -> Iterator[XmlElement]:
        return iter(self.children)


def parse(text: str, path: str | None) -> XmlElement:
    """Return the root element of an XML file; malformed XML is an `InputError` with its line."""
    parser = expat.ParserCreate("utf-8")
    top = XmlElement("", {}, path, 0)
    stack = [top]

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = XmlElement(tag, attributes, path, parser.CurrentLineNumber)
        stack[-1].children.append(element)
        stack.append(element)

    def end(tag: str) -> None:
        stack.pop()

    def characters(text: str) -> None:
        stack[-1].text += text

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    try:
        parser.Parse(text.removeprefix("\ufeff").encode(), True)
    except expat.ExpatError as error:
        message = f"malformed XML: {expat.ErrorString(error.code)}"
        raise InputError(message, path=path, line=error.lineno) from error
    return top.children[0]


ENTITY_TYPES = frozenset({"HUM", "NON_HUM", "LOC", "TIM"})
"""Classes of chains of things: people and groups, objects, places, times."""
EVENT_TYPES = frozenset({"ACT", "NEG"})
"""Classes of chains of events: actions and negated actions."""

NAME = "ecbplus"
UNTYPED = "UNKNOWN_INSTANCE_TAG"
"""Tag of mentions without a type."""

_CLASSES = {"HUM": "HUM", "NON": "NON_HUM", "LOC": "LOC", "TIM": "TIM", "ACT": "ACT", "NEG": "NEG"}
_ANNOTATORS = Authorship(by="ECB+", kind="person")
_CORPUS_NAME = re.compile(r"(\d+)_\d+ecb(?:plus)?(?:\.xml)?$")
_ENDS_SENTENCE = re.compile(r"""[.?!…:]["'”’)\]]*$""")


def read_ecbplus(
    path: str | Path, *, topics: Collection[str] | None = None, header: bool = True
) -> Iterator[Document]:
    """Yield the documents of an ECB+ archive, directory or single file, by topic and number.

    `topics` limits them to some topics ("1" to "45"); the subtopic is in ``metadata.extra``.
    """

    def is_xml(name: str) -> bool:
        return name.endswith(".xml")

    def natural_order(name: str) -> list[tuple[int, str]]:
        return [(int(digits or 0), text) for text, digits in re.findall(r"(\D*)(\d*)", name)]

    source = open_files(str(path), is_xml, "ECB+ files (such as 1_1ecb.xml)")
    if not source.several and not is_xml(str(path)):
        raise InputError("neither a directory, an .xml file nor a tar archive", path=str(path))
    for name in sorted(source.files, key=natural_order):
        topic = Path(name).name.partition("_")[0]
        if topics is None or topic in topics:
            shown = f"{source.name}/{name}" if source.several else source.name
            yield _read(source.files[name], shown, topic, header)


def read(text: str, path: str | None = None, *, header: bool = True) -> Iterator[Document]:
    """Yield the document of one file's whole text; its name begins with the topic."""
    yield _read(text, path, None, header)


def _read(text: str, path: str | None, topic: str | None, header: bool) -> Document:
    root = parse(text, path)
    corpus = _CORPUS_NAME.match(root.get("doc_name"))
    document = _document(root, path, topic or (corpus[1] if corpus else None), header)
    return document.with_layer(ORIGINAL, [Original(NAME, text)], _ANNOTATORS)


def by_subtopic(documents: Iterable[Document]) -> dict[tuple[str, str], list[Document]]:
    """Group the documents of one event under their topic and subtopic."""
    return grouped(
        ((document.metadata.topic or "", document.metadata.extra.get("subtopic", "")), document)
        for document in documents
    )


def _document(root: XmlElement, path: str | None, topic: str | None, header: bool) -> Document:
    name = root.get("doc_name").removesuffix(".xml")
    is_web = name.endswith("ecbplus")
    lines = word_lines(root)
    top = _header(lines) if is_web else []
    if not header:
        lines = [line for line in lines if line not in top]
    text, sentences, tokens = _text(lines, is_web)
    document = Document(name, text, _metadata(top, path, topic, is_web))
    document = document.with_layer(TOKENS, tokens.values(), _ANNOTATORS)
    document = document.with_layer(SENTENCES, sentences, _ANNOTATORS)
    mentions = dict(_mentions(root, tokens))
    document = document.with_layer(MENTIONS, sorted(mentions.values(), key=_place), _ANNOTATORS)
    return document.with_layer(CHAINS, _chains(root, mentions, name), _ANNOTATORS)


def _header(lines: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the first lines that are a date or an address, in this order."""
    words = [(line, list(line.values())) for line in lines[:HEADER_LINES]]
    dates = [line for line, words in words if is_date_line(words)]
    return [*dates, *(line for line, words in words if is_address(words))]


def _metadata(
    top: list[dict[str, str]], path: str | None, topic: str | None, is_web: bool
) -> Metadata:
    lines = [list(line.values()) for line in top]
    date = next(filter(None, map(find_date, lines)), None)
    extra = {"subtopic": "ecbplus" if is_web else "ecb"} if topic else {}
    for words in filter(is_address, lines):
        extra["url"] = "".join(words)
    return Metadata(date=date, topic=topic, path=path, extra=extra)


def word_lines(root: XmlElement) -> list[dict[str, str]]:
    """Return the sentences, each as the words by token id."""
    lines: dict[str, dict[str, str]] = {}
    for token in root.children:
        if token.tag == "token" and (word := token.text.strip()):
            lines.setdefault(token.get("sentence"), {})[token.get("t_id")] = word
    return list(lines.values())


def _text(
    lines: list[dict[str, str]], is_web: bool
) -> tuple[str, list[Sentence], dict[str, Token]]:
    text = ""
    sentences = []
    tokens = {}
    for line in lines:
        words = list(line.values())
        spaces = None
        if is_web:
            spaces = [False] * len(words) if is_address(words) else spaces_after(words)
        written, spans = detokenize(words, spaces)
        start = len(text)
        for token_id, span in zip(line, spans, strict=True):
            tokens[token_id] = Token(start + span.start, start + span.end, span.of(written))
        sentences.append(Sentence(start, start + len(written)))
        text += written + (" " if _ENDS_SENTENCE.search(written) else "\n")
    return text.rstrip(" "), sentences, tokens


def _mentions(root: XmlElement, tokens: dict[str, Token]) -> Iterator[tuple[str, Mention]]:
    ids = {token.get("t_id") for token in root.children if token.tag == "token"}
    order = {token_id: place for place, token_id in enumerate(tokens)}
    words = list(tokens.values())
    for markable in root.child("Markables").children:
        id = markable.get("m_id")
        anchors = [anchor.get("t_id") for anchor in markable.children]
        for anchor in anchors:
            if anchor not in ids:
                message = f"mention {id} is anchored to token {anchor}"
                raise markable.error(f"{message}, which the file does not have")
        places = sorted({order[anchor] for anchor in anchors if anchor in order})
        if places:
            parts = _pieces(places, words)
            mention = Mention(
                parts[0].start,
                parts[-1].end,
                type="" if markable.tag == UNTYPED else markable.tag,
                parts=parts if len(parts) > 1 else (),
                attributes=tuple(pair for pair in markable.attributes.items() if pair[0] != "m_id"),
            )
            yield id, mention


def _pieces(places: list[int], tokens: list[Token]) -> tuple[Span, ...]:
    """Return the contiguous spans of the words in `places`."""
    pieces: list[Span] = []
    for index, place in enumerate(places):
        is_start = not index or places[index - 1] != place - 1
        start = tokens[place].start if is_start else pieces.pop().start
        pieces.append(Span(start, tokens[place].end))
    return tuple(pieces)


def _chains(root: XmlElement, mentions: dict[str, Mention], document: str) -> list[Chain]:
    marked = {markable.get("m_id") for markable in root.child("Markables").children}
    chain_of: dict[str, str] = {}
    for relation in root.child("Relations").children:
        is_cross = relation.tag == "CROSS_DOC_COREF"
        chain = relation.get("note") if is_cross else f"{document}#intra{relation.get('r_id')}"
        for source in relation.children:
            id = source.get("m_id")
            if id not in marked:
                message = f"relation {relation.get('r_id')} links mention {id}"
                raise source.error(f"{message}, which the file does not have")
            if source.tag == "source" and id in mentions:
                has_same_class = is_cross and _class(chain) == _class(mentions[id].type)
                if has_same_class or id not in chain_of:
                    chain_of[id] = chain
    groups = grouped(
        (chain_of.get(id, f"{document}#m{id}"), mention) for id, mention in mentions.items()
    )
    chains = (
        Chain(name, tuple(sorted(group, key=_place)), _class(group[0].type))
        for name, group in groups.items()
    )
    return sorted(chains, key=lambda chain: _place(chain.mentions[0]))


def _class(label: str) -> str:
    return _CLASSES.get(label[:3], "")


def _place(mention: Mention) -> tuple[int, int, str]:
    return mention.start, mention.end, mention.type


FORMAT = Format(
    NAME,
    "ECB+ XML, one document a file",
    "coreference",
    (".xml",),
    lambda head: bool(_HAS_DOCUMENT_NAME.search(head)),
    read,
)
