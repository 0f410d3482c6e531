"""CoNLL-U with Wikipedia links among the fields of ``Entity=``, as GUM has them.

``# global.Entity`` names the fields; the one called ``identity`` is the page. Only mentions with a
page are read, for only they are links; pronouns that stand for a linked thing are among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from tatian.errors import InputError
from tatian.formats.conllu import FRAMES, parse, value
from tatian.formats.corefud import WORD_ROW
from tatian.formats.format import Format, file_name
from tatian.formats.mentions_jsonl import place
from tatian.formats.records import LinkedMention, LinkedText
from tatian.knowledge.forms import page_title
from tatian.text import TOKENS, WORDS, Document, Token, Word

ENTITY = "Entity="
GLOBAL = "global.Entity"
IDENTITY = "identity"
TYPE = "etype"
LINK = "link"
FORM = "form"
"""Not GUM's: what we write where a text says it and has no tree that would."""
_BRACKET = re.compile(r"\((?P<open>[^()\s]+)(?P<single>\))?|(?P<close>[^()\s]+)\)")
_FORMS = {"PROPN": "name", "PRON": "pronoun", "DET": "pronoun", "NUM": "numeric"}


def read(text: str, path: str | None = None) -> Iterator[LinkedText]:
    """The documents of a CoNLL-U file, each a text with its links."""
    fields: list[str] | None = None
    for document in parse(text, file_name(path), path):
        frames = document.get(FRAMES)
        said = next((one for one in (frame.comment(GLOBAL) for frame in frames) if one), None)
        fields = said.split("-") if said else fields
        yield LinkedText(
            document.id,
            document.text,
            mentions=tuple(sorted(_mentions(document, fields or [], path), key=place)),
            title=next(
                (one for one in (frame.comment("meta::title") for frame in frames) if one), ""
            ),
        )


def _mentions(document: Document, fields: list[str], path: str | None) -> Iterator[LinkedMention]:
    tokens, words = document.get(TOKENS), document.get(WORDS) if document.has(WORDS) else ()
    cells = [value(misc, ENTITY) for frame in document.get(FRAMES) for misc in frame.misc]
    if any(cells) and IDENTITY not in fields:
        return
    opened: dict[str, list[tuple[int, list[str]]]] = {}
    for at, cell in enumerate(cells):
        for bracket in _BRACKET.finditer(cell):
            key, *rest = (bracket["open"] or bracket["close"]).split("-")
            if bracket["open"]:
                opened.setdefault(key, []).append((at, rest))
            if bracket["single"] or bracket["close"]:
                if not opened.get(key):
                    where = f"document '{document.id}', word '{tokens[at].text}'"
                    raise InputError(f"'{key})' closes nothing ({where})", path=path)
                first, values = opened[key].pop()
                named = dict(zip(fields[1:], values, strict=False))
                if named.get(IDENTITY):
                    yield _mention(document, tokens, words, (first, at), named)


def _mention(
    document: Document,
    tokens: tuple[Token, ...],
    words: tuple[Word, ...],
    places: tuple[int, int],
    fields: dict[str, str],
) -> LinkedMention:
    first, last = places
    start, end = tokens[first].start, tokens[last].end
    form = unquote(fields.get(FORM, "")) or _form(words, first, last)
    link = unquote(fields.get(LINK, ""))
    return LinkedMention(
        start,
        end,
        term=document.text[start:end],
        titles=(page_title(unquote(fields[IDENTITY])),),
        named=form == "name" if form else None,
        type=unquote(fields.get(TYPE, "")),
        tags=tuple(f"{kind}:{said}" for kind, said in ((FORM, form), (LINK, link)) if said),
    )


def _form(words: tuple[Word, ...], first: int, last: int) -> str:
    """What the head of a mention is: a name, a pronoun, a number or a common noun."""
    for word in words[first : last + 1]:
        if not first <= word.head <= last:
            return _FORMS.get(word.tag, "common")
    return ""


FORMAT = Format(
    "gum",
    "CoNLL-U with pages in Entity= (GUM)",
    "mention",
    (".conllu",),
    lambda head: bool(WORD_ROW.search(head)),
    read,
)
