"""Texts as CoNLL-U with a page among the fields of each mention's ``Entity=``, as GUM has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tatian.analysis.conllu import FRAMES, Frame, to_conllu
from tatian.mentions.data.cutting import covered, cut
from tatian.mentions.data.gum import ENTITY, FORM, GLOBAL, IDENTITY, LINK, TYPE, read
from tatian.mentions.data.records import LinkedMention, LinkedText
from tatian.text import SENTENCES, TOKENS, Authorship, Document, Sentence, Token
from tatian.text.formats import Losses

_FIELDS = ("GRP", TYPE, LINK, FORM, IDENTITY)
_RESERVED = re.compile(r"[-()|=%,\"\[\]:\s]")
_MADE = Authorship(by="gum")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


def write(texts: Iterable[LinkedText], losses: Losses) -> Iterator[str]:
    """Each text as a document; a page is a thing, and its mentions have one number."""
    for text in texts:
        sentences = cut(text)
        if not sentences:
            losses.add("texts without a word: left out", text.id)
            continue
        written = to_conllu(_document(text, sentences), apart=True)
        (again,) = read(written)
        if again.text != text.text:
            losses.add("white space as it was", text.id)
        _compare(text, again, losses)
        yield written


def _compare(text: LinkedText, again: LinkedText, losses: Losses) -> None:
    """Note what was said of mentions and cannot be read again."""
    before = [one for one in text.mentions if one.titles]
    if lost := len(before) - len(again.mentions):
        losses.add("mentions of nothing but blanks: left out", text.id, lost)
        return
    for one, other in zip(before, again.mentions, strict=True):
        if tags := set(one.tags) - set(other.tags):
            losses.add("tags of mentions", text.id, len(tags))
        if one.named != other.named:
            losses.add("whether mentions are names", text.id)


def _document(text: LinkedText, sentences: list[list[Token]]) -> Document:
    tokens = [token for sentence in sentences for token in sentence]
    cells = _cells([one for one in text.mentions if one.titles], tokens)
    frames: list[Frame] = []
    at = 0
    for sentence in sentences:
        misc = []
        for token in sentence:
            touches = at + 1 < len(tokens) and tokens[at + 1].start == token.end
            items = (
                f"{ENTITY}{cells[at]}" if cells[at] else "",
                "SpaceAfter=No" if touches else "",
            )
            misc.append("|".join(filter(None, items)) or "_")
            at += 1
        frames.append(Frame(tuple(_comments(text, sentence, first=not frames)), misc=tuple(misc)))
    spans = [Sentence(sentence[0].start, sentence[-1].end) for sentence in sentences]
    document = Document(text.id, text.text).with_layer(TOKENS, tokens, _MADE)
    return document.with_layer(SENTENCES, spans, _MADE).with_layer(FRAMES, frames, _MADE)


def _comments(text: LinkedText, sentence: list[Token], *, first: bool) -> Iterator[str]:
    if first:
        yield f"# newdoc id = {' '.join(text.id.split()) or 'text'}"
        yield f"# {GLOBAL} = {'-'.join(_FIELDS)}"
        if text.title:
            yield f"# meta::title = {' '.join(text.title.split())}"
        return
    start = sentence[0].start
    before = len(text.text[:start].rstrip())
    if _BLANK_LINE.search(text.text, before, start):
        yield "# newpar"


def _cells(mentions: list[LinkedMention], tokens: list[Token]) -> list[str]:
    """The brackets at each token: closing ones first, outer mentions open first."""
    numbers: dict[str, int] = {}
    opening: list[list[str]] = [[] for _ in tokens]
    closing: list[list[str]] = [[] for _ in tokens]
    for mention, places in covered(mentions, tokens):
        assert isinstance(mention, LinkedMention)
        number = str(numbers.setdefault(mention.titles[0], len(numbers) + 1))
        page = _escaped(mention.titles[0].replace(" ", "_"))
        said = dict(tag.split(":", 1) for tag in mention.tags if ":" in tag)
        values = (mention.type, said.get(LINK, ""), said.get(FORM, ""))
        bracket = "-".join((f"({number}", *map(_escaped, values), page))
        if len(places) == 1:
            opening[places.start].append(f"{bracket})")
        else:
            opening[places.start].append(bracket)
            closing[places.stop - 1].insert(0, f"{number})")
    return ["".join((*ends, *starts)) for ends, starts in zip(closing, opening, strict=True)]


def _escaped(value: str) -> str:
    return _RESERVED.sub(lambda one: "".join(f"%{byte:02X}" for byte in one[0].encode()), value)
