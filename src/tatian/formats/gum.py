"""Links to Wikipedia in CoNLL-U with ``Entity=``, as in GUM.

The field ``identity`` of ``Entity=`` is the page. Only mentions with a page are read, because only
these are links; pronouns that refer to a linked entity are among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import unquote

from tatian.formats import Format
from tatian.formats.corefud import WORD_ROW, read_annotations
from tatian.formats.links import build_document
from tatian.formats.tokens import Places
from tatian.knowledge.entities import page_title
from tatian.text import WORDS, Document, Link, Mention, Word

_LINK = "link"
_FORM = "form"
"""Not GUM's: a field for the form of a mention in a text without trees."""
_FORMS = {"PROPN": "name", "PRON": "pronoun", "DET": "pronoun", "NUM": "numeric"}


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """Yield the documents of a CoNLL-U file, each a text with its links."""
    for document, annotation, _ in read_annotations(text, path):
        places = Places(document)
        words = document.get(WORDS, ())
        links = []
        for _, mention, marked in annotation.mentions:
            values = marked[0].opening.fields
            fields = dict(zip(annotation.fields.names, values, strict=False))
            if mention is not None and fields.get("identity"):
                form = unquote(fields.get(_FORM, "")) or _form(words, places.tokens(mention))
                links.append(_link(mention, fields, form))
        yield build_document(document.id, document.text, links, title=document.metadata.title or "")


def _link(mention: Mention, fields: Mapping[str, str], form: str) -> Link:
    tags = ((_FORM, form), (_LINK, unquote(fields.get(_LINK, ""))))
    return Link(
        mention.start,
        mention.end,
        (page_title(unquote(fields["identity"])),),
        named=form == "name" if form else None,
        type=mention.type,
        tags=tuple(f"{kind}:{value}" for kind, value in tags if value),
    )


def _form(words: Sequence[Word], places: range) -> str:
    """Return the form of a mention's head: a name, a pronoun, a number or a common noun."""
    for word in words[places.start : places.stop]:
        if word.head not in places:
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
