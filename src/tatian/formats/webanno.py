"""WebAnno TSV 3, as INCEpTION and WebAnno exchange it: one token per line, one document per file.

Tokens, sentences, coreference chains, and named entities with the page in ``identifier`` are read,
as are relations between spans of custom layers, which make chains where there is no layer of
chains. Version 3.3 is written. Offsets count UTF-16 units, as in Java.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from tatian import limits
from tatian.errors import EmptyInput, InputError
from tatian.formats import Format, file_name
from tatian.formats.annotated import ToolSpan, Utf16, make_document, only_document, pages_of
from tatian.formats.links import links_of
from tatian.formats.tokens import Places, chains_of, sentence_ranges, with_tokens
from tatian.grouping import grouped
from tatian.text import SENTENCES, TOKENS, Authorship, Document, Sentence, Token
from tatian.text.spans import Span

NAME = "webanno"
_FORMAT = "#FORMAT=WebAnno TSV 3"
_ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
_CHAIN = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink"
_HEADER = f"""\
{_FORMAT}.3
#T_SP={_ENTITY}|identifier|value
#T_CH={_CHAIN}|referenceType|referenceRelation

"""
_KINDS = {"#T_SP=": "span", "#T_CH=": "chain", "#T_RL=": "relation"}
_RESERVED = re.compile(r"([\\\[\]|_;\t\n\r*]|->)")
_ESCAPED = re.compile(r"\\(->|[trn]|.)", re.DOTALL)
_LETTERS = {"t": "\t", "n": "\n", "r": "\r"}
_NUMBERED = re.compile(r"(.*?)(?<!\\)\[(\d+)\]", re.DOTALL)
_LINKED = re.compile(r"(.*)->(\d+)-(\d+)", re.DOTALL)
_ATTACHED = re.compile(r"(\d+-\d+(?:\.\d+)?)(?:\[(\d+)_(\d+)\])?")
_LINE = re.compile(r"(\d+-\d+(?:\.\d+)?)\t(\d+)-(\d+)\t")
_STACK = re.compile(r"(?<!\\)\|")
_EMPTY = ("_", "*")
Key = tuple[str, str]
"""A layer, and the key of an annotation in it."""


class TsvLayer(Struct, frozen=True):
    """The columns of one layer."""

    kind: str
    name: str
    first: int
    features: tuple[str, ...]
    base: str = ""
    """The layer whose spans a relation connects."""


class TsvLine(Struct, frozen=True):
    """A token, or a part of one, with the cells beside it."""

    unit: str
    begin: int
    end: int
    cells: list[str]
    number: int


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """Yield the document of a file."""
    layers, sentences, lines = _parsed(text, path)
    words = _text(sentences, lines, path)
    units = Utf16(words)
    spans: dict[Key, list[TsvLine]] = {}
    labels: dict[Key, dict[str, str]] = {}
    pairs: list[tuple[Key, Key]] = []
    at_unit: dict[tuple[str, str, str], Key] = {}
    for line in lines:
        for layer in layers:
            if layer.kind != "relation":
                for key, fields in _annotations(layer, line):
                    spans.setdefault(key, []).append(line)
                    labels.setdefault(key, {}).update(fields)
                    at_unit[layer.name, line.unit, key[1] if key[1].isdecimal() else "0"] = key
    for line in lines:
        for layer in layers:
            if layer.kind == "relation":
                pairs += _relations(layer, line, at_unit)
    placed = {key: _placed(units, group, path) for key, group in spans.items()}
    chained = [key for key in placed if "-" in key[1] and key[0] == _CHAIN]
    if any(layer.kind == "chain" for layer in layers):
        by_chain = grouped((key[1].partition("-")[0], key) for key in chained)
        pairs = [(link, group[0]) for group in by_chain.values() for link in group[1:]]
        phrases = chained
    else:
        phrases = list({end: None for pair in pairs for end in pair}) or [
            key for key in placed if "identifier" not in labels[key]
        ]
    chosen = {key: ToolSpan(placed[key], labels[key].get("referenceType", "")) for key in phrases}
    linked = [
        ToolSpan(placed[key], fields.get("value", ""), fields["identifier"])
        for key, fields in labels.items()
        if fields.get("identifier")
    ]
    document = make_document(file_name(path), words, chosen, pairs, linked, NAME)
    author = Authorship(by=NAME)
    token_spans = [_placed(units, [line], path) for line in lines if "." not in line.unit]
    tokens = [Token(span.start, span.end, span.of(words)) for span in token_spans]
    document = document.with_layer(TOKENS, tokens, author)
    yield document.with_layer(SENTENCES, _sentences(lines, units, path), author)


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Yield the one document as WebAnno TSV 3.3."""
    source = with_tokens(only_document(documents, "WebAnno TSV"))
    units, places = Utf16(source.text), Places(source)
    cells: list[list[list[str]]] = [[[], [], [], []] for _ in source.tokens]
    numbered = 0
    for link in links_of(source):
        for page in pages_of(link):
            numbered += 1
            for place in places.tokens(link):
                cells[place][0].append(f"{_escaped(page)}[{numbered}]")
                cells[place][1].append(f"{_escaped(link.type) or '*'}[{numbered}]")
    for chain_number, chain in enumerate(chains_of(source), 1):
        for number, mention in enumerate(chain.mentions, 1):
            kind = _escaped(mention.type or chain.type) or "*"
            for place in places.tokens(mention):
                cells[place][2].append(f"{kind}[{chain_number}]")
                cells[place][3].append(f"*->{chain_number}-{number}")
    text = _HEADER
    for sentence, tokens in enumerate(sentence_ranges(source), 1):
        start, end = source.tokens[tokens[0]].start, source.tokens[tokens[-1]].end
        text += f"\n#Text={_shown(source.text[start:end])}\n"
        for number, place in enumerate(tokens, 1):
            token = source.tokens[place]
            where = f"{units.units(token.start)}-{units.units(token.end)}"
            columns = "\t".join("|".join(column) or "_" for column in cells[place])
            text += f"{sentence}-{number}\t{where}\t{_shown(token.text)}\t{columns}\t\n"
    yield text


def _parsed(
    text: str, path: str | None
) -> tuple[list[TsvLayer], list[tuple[int, str]], list[TsvLine]]:
    """Return the layers, each sentence's text with its first line, and the lines."""
    layers: list[TsvLayer] = []
    sentences: list[tuple[int, str]] = []
    lines: list[TsvLine] = []
    column = 0
    for number, row in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        row = row.rstrip("\r")
        kind = next((kind for kind in _KINDS if row.startswith(kind)), None)
        if kind:
            name, *features = row.removeprefix(kind).split("|")
            base = next((feature[3:] for feature in features if feature.startswith("BT_")), "")
            layers.append(TsvLayer(_KINDS[kind], name, column, tuple(features), base))
            column += max(1, len(features))
        elif row.startswith("#Text="):
            sentence = row.removeprefix("#Text=")
            if sentences and sentences[-1][0] == len(lines):
                # A sentence of several lines repeats the sign.
                sentence = f"{sentences.pop()[1]}\n{sentence}"
            sentences.append((len(lines), sentence))
        elif token := _LINE.match(row):
            cells = row[token.end() :].split("\t")[1:]
            lines.append(TsvLine(token[1], int(token[2]), int(token[3]), cells, number))
        elif row.strip() and not row.startswith("#"):
            raise InputError("neither a token nor a comment", path=path, line=number)
    if not lines:
        raise EmptyInput("the file contains no tokens", path=path)
    return layers, sentences, lines


def _text(sentences: Sequence[tuple[int, str]], lines: Sequence[TsvLine], path: str | None) -> str:
    """Return the text, joined from the sentences, with blanks between them."""
    text, units = "", 0
    for first, shown in sentences:
        if first >= len(lines):
            continue
        begin = lines[first].begin
        if begin - units > limits.WEBANNO_GAP_CHARACTERS:
            message = "too far from the sentence before"
            raise InputError(message, path=path, line=lines[first].number)
        text += " " * (begin - units)
        sentence = _plain(shown)
        text += sentence
        units = begin + len(sentence.encode("utf-16-le")) // 2
    return text


def _annotations(layer: TsvLayer, line: TsvLine) -> Iterator[tuple[Key, dict[str, str]]]:
    """Yield the annotations of a layer at a line: their keys and their features."""
    wide = max(1, len(layer.features))
    cells = line.cells[layer.first : layer.first + wide]
    if all(cell in ("_", "") for cell in cells):
        return
    stacks = [_STACK.split(cell) for cell in cells]
    for place in range(max(map(len, stacks))):
        fields: dict[str, str] = {}
        id = ""
        for name, stack in zip(layer.features or ("",), stacks, strict=False):
            value = stack[place] if place < len(stack) else "*"
            if layer.kind == "chain" and (link := _LINKED.fullmatch(value)):
                id = f"{link[2]}-{link[3]}"
                continue
            if numbered := _NUMBERED.fullmatch(value):
                value = numbered[1]
                id = id if layer.kind == "chain" else numbered[2]
            if value not in _EMPTY and name:
                fields[name] = _plain(value)
        yield (layer.name, id or f"at {line.unit} {place}"), fields


def _relations(
    layer: TsvLayer, line: TsvLine, at_unit: dict[tuple[str, str, str], Key]
) -> Iterator[tuple[Key, Key]]:
    place = layer.first + max(0, len(layer.features) - 1)
    cell = line.cells[place] if place < len(line.cells) else "_"
    for item in _STACK.split(cell):
        if attached := _ATTACHED.fullmatch(item):
            source = at_unit.get((layer.base, attached[1], attached[2] or "0"))
            target = at_unit.get((layer.base, line.unit, attached[3] or "0"))
            if source and target:
                yield source, target


def _placed(units: Utf16, lines: Sequence[TsvLine], path: str | None) -> Span:
    span = units.span(lines[0].begin, lines[-1].end)
    if span is None:
        where = f"{lines[0].begin}-{lines[-1].end}"
        raise InputError(f"{where} lies outside the text", path=path, line=lines[0].number)
    return span


def _sentences(lines: Sequence[TsvLine], units: Utf16, path: str | None) -> list[Sentence]:
    by_number = grouped((line.unit.partition("-")[0], line) for line in lines)
    spans = [_placed(units, group, path) for group in by_number.values()]
    return [Sentence(span.start, span.end) for span in spans]


def _escaped(value: str) -> str:
    return _RESERVED.sub(lambda reserved: "\\" + _shown(reserved[0]).removeprefix("\\"), value)


def _shown(text: str) -> str:
    """Return the text on one line."""
    signs = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
    return "".join(signs.get(character, character) for character in text)


def _plain(value: str) -> str:
    return _ESCAPED.sub(lambda escaped: _LETTERS.get(escaped[1], escaped[1]), value)


CHAINS = Format(
    NAME, "WebAnno TSV 3 (INCEpTION): chains", "coreference", (),
    lambda head: head.startswith(_FORMAT), read, write,
)  # fmt: skip
LINKS = Format(
    NAME, "WebAnno TSV 3 (INCEpTION): entities with pages", "mention", (),
    lambda head: head.startswith(_FORMAT), read, write,
)  # fmt: skip
