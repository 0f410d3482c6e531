"""The text of a mail: its own text without quotations and signature, or what it forwards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import errors as mail_errors
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parseaddr

from msgspec.structs import replace

from tatian import limits
from tatian.corpora.decoding import Warn
from tatian.corpora.properties import build_document, plain
from tatian.corpora.web import WebPage, iso_date
from tatian.errors import EmptyInput, InputError, NotText
from tatian.text import Document

_ENVELOPE = re.compile(rb"^From \S.*\d{4}[ \t\r]*$\n?", re.MULTILINE)
_UNREADABLE = (
    mail_errors.MessageError,
    AttributeError,
    IndexError,
    KeyError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""Exceptions of the standard library's parser for broken headers and encodings."""


def read_eml(data: bytes, name: str, warn: Warn) -> list[Document]:
    """Read one mail as one source."""
    return [_account(data, name, warn)]


def read_mbox(data: bytes, name: str, warn: Warn) -> list[Document]:
    """Read every message of a mailbox that has a text, as a source each."""
    places = [*_ENVELOPE.finditer(data)]
    if len(places) > limits.MAIL_MESSAGES:
        raise InputError(f"more than {limits.MAIL_MESSAGES} messages in it: divide it", path=name)
    ends = [place.start() for place in places[1:]] + [len(data)]
    documents: list[Document] = []
    for number, (place, end) in enumerate(zip(places, ends, strict=False), start=1):
        message = re.sub(rb"(?m)^>(>*From )", rb"\1", data[place.end() : end])
        try:
            documents.append(_account(message, f"{name}: message {number}", warn))
        except (EmptyInput, NotText) as error:
            warn(f"skipped: {error}")
    if not documents:
        raise EmptyInput("a mailbox without text", path=name)
    return documents


def _account(data: bytes, name: str, warn: Warn) -> Document:
    try:
        message = BytesParser(policy=policy.default).parsebytes(data)
        if not message.keys():
            raise NotText("not a mail: it has no headers", path=name)
        text = _text(message)
        about = {key: _header(message, key) for key in ("subject", "from", "date")}
        beside = [part.get_filename() or "" for part in _leaves(message) if part.is_attachment()]
    except _UNREADABLE as error:
        raise NotText("a damaged mail", path=name) from error
    if text is None:
        raise NotText("an encrypted mail: save it decrypted first", path=name)
    if named := ", ".join(filter(None, map(plain, beside))):
        warn(f"{name}: its attachments are not read: {named[:200]}")
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    passed_on = _FORWARDS.match(about["subject"]) is not None
    below = _FORWARDED.search(text) or (_REPLIED.search(text) if passed_on else None)
    if below and len(_own(text[: below.start()])) < _NOTE_LENGTH:
        inside = text[below.end() :].lstrip("\n")
        inside = _QUOTE.sub("", inside) if inside.startswith(">") else inside
        head, _, text = inside.partition("\n\n")
        fields = {key.lower(): value.strip() for key, value in _FIELD.findall(head)}
        about = {key: fields.get(key) or about[key] for key in about}
        about["date"] = fields.get("date") or fields.get("sent") or ""
    own_text = _own(text)
    paragraphs = re.split(r"\n[ \t]*\n", own_text)
    document = build_document(
        paragraphs,
        titles=(_ANSWER.sub("", about["subject"]),),
        source=_sender(about["from"]),
    )
    if not document.text:
        raise EmptyInput("a mail without text of its own", path=name)
    date = (iso_date(about["date"]) or "")[:10] or None
    return replace(document, metadata=replace(document.metadata, date=date))


def _header(message: EmailMessage, key: str) -> str:
    try:
        return str(message.get(key, "")).strip()
    except _UNREADABLE:
        return ""


def _sender(written: str) -> str | None:
    shown, address = parseaddr(written)
    return shown or address or None


def _leaves(message: EmailMessage) -> Iterator[EmailMessage]:
    for number, part in enumerate(message.walk()):
        if number >= limits.MAIL_PARTS:
            return
        if isinstance(part, EmailMessage) and not part.is_multipart():
            yield part


def _text(message: EmailMessage) -> str | None:
    """Return the text part, or the page if that has more; None if all is encrypted."""
    if message.get_content_type() in ("multipart/encrypted", "application/pkcs7-mime"):
        return None
    forwarded = next(
        (
            part_of_mail
            for part_of_mail in message.walk()
            if part_of_mail.get_content_type() == _WHOLE
        ),
        None,
    )
    texts = {"text/plain": "", "text/html": ""}
    for part in _leaves(message):
        kind = part.get_content_type()
        if kind in texts and not part.is_attachment():
            content = str(part.get_content())
            if kind == "text/html":
                content = "\n\n".join(_page_blocks(content, _header(message, "subject")))
            elif part.get_param("format") == "flowed":
                content = _FLOWED.sub(" ", content)
            texts[kind] += f"\n\n{content}" if texts[kind] else content
    written, page_text = texts.values()
    if forwarded is not None and len(written) + len(page_text) < _NOTE_LENGTH:
        inner = forwarded.get_payload()
        if isinstance(inner, list) and inner and isinstance(inner[0], EmailMessage):
            return _text(inner[0])
    return page_text if len(written) < len(page_text) / _STUB else written


def _page_blocks(markup: str, subject: str) -> list[str]:
    """Return the paragraphs of a page, without its signature or the reply below."""
    whole = [block.text for block in WebPage(markup, by_name=False).blocks]
    below = _PAGE_BELOW.search(markup)
    if below is None or _FORWARDS.match(subject) or "Forwarded message" in markup:
        return whole
    own_blocks = [block.text for block in WebPage(markup[: below.start()], by_name=False).blocks]
    return own_blocks or whole


_PAGE_BELOW = re.compile(
    r"<(div|blockquote)\b[^<>]{0,200}"
    r"(gmail_quote|gmail_signature|moz-signature|divRplyFwdMsg|appendonsend|type=\"?cite)"
)
_WHOLE = "message/rfc822"
_ANSWER = re.compile(r"((re|fwd?|aw|wg|tr|sv)(\[\d+\])?:\s*)+", re.IGNORECASE)
_STUB = 5
"""Ratio of lengths above which the page is read instead of the text part."""
_NOTE_LENGTH = 400
"""Characters that people write above a forwarded text."""
_FLOWED = re.compile(r"(?<=\S) \r?\n(?![>\s])(?=\S)")
_FORWARDS = re.compile(r"\s*(fwd?|wg|tr):", re.IGNORECASE)
_FORWARDED = re.compile(
    r"^[ \t]*(-{3,} ?Forwarded message ?-{3,}|Begin forwarded message:)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_FIELD = re.compile(r"^[> \t*]*([\w-]+):[* \t]+(.*)$", re.MULTILINE)
_QUOTE = re.compile(r"^> ?", re.MULTILINE)
_QUOTED = re.compile(r"^>.*(\r?\n|\Z)", re.MULTILINE)
_INTRODUCED = re.compile(
    r"^[ \t]*On\b[^\n]{4,200}(\n[^\n]{0,120})?\bwrote:\s*+\Z",
    re.MULTILINE,
)
_SIGNATURE = re.compile(r"^-- ?\r?\n", re.MULTILINE)
_SIGNATURE_LINES = 12
_SENT_FROM = re.compile(r"Sent from my [\w ]{2,30}\.?")
_REPLIED = re.compile(
    r"^[ \t]*((-{3,} ?Original Message ?-{3,}|_{20,})\s*+(?=\*?From:)|"
    r"(?=\*?From:[^\n]{3,200}\n\*?(Sent|Date):))",
    re.MULTILINE | re.IGNORECASE,
)
"""Start of the quoted part in Outlook."""


def _own(text: str) -> str:
    """Return the sender's own text: no quoted lines, no reply below, no signature."""
    kept = _QUOTED.sub("", text)
    if kept.strip():
        first = _QUOTED.search(text)
        if first:
            before = _INTRODUCED.sub("", text[: first.start()])
            kept = before + _QUOTED.sub("", text[first.start() :])
        text = kept
    signature = next(reversed([*_SIGNATURE.finditer(text)]), None)
    if signature and text.count("\n", signature.end()) <= _SIGNATURE_LINES:
        text = text[: signature.start()]
    below = _REPLIED.search(text)
    if below and text[: below.start()].strip():
        text = text[: below.start()]
    body, _, last = text.rstrip().rpartition("\n")
    return body.rstrip() if _SENT_FROM.fullmatch(last.strip()) else text.rstrip()
