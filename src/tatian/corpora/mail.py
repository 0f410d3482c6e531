"""The text of a mail, without quoted mails and signature; or the text that it forwards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import policy
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parseaddr

from msgspec.structs import replace

from tatian import limits
from tatian.corpora.decoding import Warn
from tatian.corpora.properties import build_document, clean_text
from tatian.corpora.web import WebPage, iso_date
from tatian.errors import EmptyInput, InputError, NotText
from tatian.text import Document

_ENVELOPE = re.compile(rb"^From \S.*\d{4}[ \t\r]*$\n?", re.MULTILINE)
_PARSER_ERRORS = (MessageError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Exceptions of the standard library's parser for broken headers and encodings."""


def read_eml(data: bytes, name: str, warn: Warn) -> list[Document]:
    """Read one mail as one source."""
    return [_read_message(data, name, warn)]


def read_mbox(data: bytes, name: str, warn: Warn) -> list[Document]:
    """Read a mailbox; each message that has a text is a source."""
    envelopes = [*_ENVELOPE.finditer(data)]
    if len(envelopes) > limits.MAIL_MESSAGES:
        raise InputError(f"has more than {limits.MAIL_MESSAGES} messages: divide it", path=name)
    ends = [envelope.start() for envelope in envelopes[1:]] + [len(data)]
    documents: list[Document] = []
    for number, (envelope, end) in enumerate(zip(envelopes, ends, strict=False), start=1):
        message = re.sub(rb"(?m)^>(>*From )", rb"\1", data[envelope.end() : end])
        try:
            documents.append(_read_message(message, f"{name}: message {number}", warn))
        except (EmptyInput, NotText) as error:
            warn(f"skipped: {error}")
    if not documents:
        raise EmptyInput("a mailbox without text", path=name)
    return documents


def _read_message(data: bytes, name: str, warn: Warn) -> Document:
    try:
        message = BytesParser(policy=policy.default).parsebytes(data)
        if not message.keys():
            raise NotText("not a mail: it has no headers", path=name)
        text = _text(message)
        headers = {key: _header(message, key) for key in ("subject", "from", "date")}
        names = [part.get_filename() or "" for part in _parts(message) if part.is_attachment()]
    except _PARSER_ERRORS as error:
        raise NotText("a damaged mail", path=name) from error
    if text is None:
        raise NotText("an encrypted mail: save it decrypted first", path=name)
    if listed := ", ".join(filter(None, map(clean_text, names))):
        warn(f"{name}: attachments are not read: {listed[:200]}")
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    is_forward = _FORWARD_PREFIX.match(headers["subject"]) is not None
    quoted_mail = _FORWARDED.search(text) or (_QUOTED_MAIL.search(text) if is_forward else None)
    if quoted_mail and len(_own_text(text[: quoted_mail.start()])) < _MAX_NOTE_CHARACTERS:
        inside = text[quoted_mail.end() :].lstrip("\n")
        inside = _QUOTE.sub("", inside) if inside.startswith(">") else inside
        head, _, text = inside.partition("\n\n")
        fields = {key.lower(): value.strip() for key, value in _FIELD.findall(head)}
        headers = {key: fields.get(key) or headers[key] for key in headers}
        headers["date"] = fields.get("date") or fields.get("sent") or ""
    sender, address = parseaddr(headers["from"])
    document = build_document(
        re.split(r"\n[ \t]*\n", _own_text(text)),
        titles=(_SUBJECT_PREFIX.sub("", headers["subject"]),),
        source=sender or address or None,
    )
    if not document.text:
        raise EmptyInput("a mail without text of its own", path=name)
    date = (iso_date(headers["date"]) or "")[:10] or None
    return replace(document, metadata=replace(document.metadata, date=date))


def _header(message: EmailMessage, key: str) -> str:
    try:
        return str(message.get(key, "")).strip()
    except _PARSER_ERRORS:
        return ""


def _parts(message: EmailMessage) -> Iterator[EmailMessage]:
    for number, part in enumerate(message.walk()):
        if number >= limits.MAIL_PARTS:
            return
        if isinstance(part, EmailMessage) and not part.is_multipart():
            yield part


def _text(message: EmailMessage) -> str | None:
    """Return the text part, or the HTML part if that is longer; None if encrypted."""
    if message.get_content_type() in ("multipart/encrypted", "application/pkcs7-mime"):
        return None
    forwarded = next(
        (part for part in message.walk() if part.get_content_type() == _MESSAGE_TYPE), None
    )
    texts = {"text/plain": "", "text/html": ""}
    for part in _parts(message):
        kind = part.get_content_type()
        if kind in texts and not part.is_attachment():
            content = str(part.get_content())
            if kind == "text/html":
                content = "\n\n".join(_page_blocks(content, _header(message, "subject")))
            elif part.get_param("format") == "flowed":
                content = _FLOWED.sub(" ", content)
            texts[kind] += f"\n\n{content}" if texts[kind] else content
    written, page_text = texts.values()
    if forwarded is not None and len(written) + len(page_text) < _MAX_NOTE_CHARACTERS:
        inner = forwarded.get_payload()
        if isinstance(inner, list) and inner and isinstance(inner[0], EmailMessage):
            return _text(inner[0])
    return page_text if len(written) < len(page_text) / _MIN_RATIO else written


def _page_blocks(markup: str, subject: str) -> list[str]:
    """Return the paragraphs of an HTML part, without signature and quoted mail."""
    parts = [markup]
    is_forward = _FORWARD_PREFIX.match(subject) or "Forwarded message" in markup
    if not is_forward and (quoted_mail := _PAGE_QUOTE.search(markup)):
        parts.insert(0, markup[: quoted_mail.start()])
    blocks = ([block.text for block in WebPage(part, by_name=False).blocks] for part in parts)
    return next(filter(None, blocks), [])


_PAGE_QUOTE = re.compile(
    r"<(div|blockquote)\b[^<>]{0,200}"
    r"(gmail_quote|gmail_signature|moz-signature|divRplyFwdMsg|appendonsend|type=\"?cite)"
)
_MESSAGE_TYPE = "message/rfc822"
_SUBJECT_PREFIX = re.compile(r"((re|fwd?|aw|wg|tr|sv)(\[\d+\])?:\s*)+", re.IGNORECASE)
_MIN_RATIO = 5
"""Ratio of lengths above which the HTML part is read instead of the text part."""
_MAX_NOTE_CHARACTERS = 400
"""Maximum number of characters of a note above a forwarded text."""
_FLOWED = re.compile(r"(?<=\S) \r?\n(?![>\s])(?=\S)")
_FORWARD_PREFIX = re.compile(r"\s*(fwd?|wg|tr):", re.IGNORECASE)
_FORWARDED = re.compile(
    r"^[ \t]*(-{3,} ?Forwarded message ?-{3,}|Begin forwarded message:)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_FIELD = re.compile(r"^[> \t*]*([\w-]+):[* \t]+(.*)$", re.MULTILINE)
_QUOTE = re.compile(r"^> ?", re.MULTILINE)
_QUOTED = re.compile(r"^>.*(\r?\n|\Z)", re.MULTILINE)
_QUOTE_INTRODUCTION = re.compile(
    r"^[ \t]*On\b[^\n]{4,200}(\n[^\n]{0,120})?\bwrote:\s*+\Z", re.MULTILINE
)
_SIGNATURE = re.compile(r"^-- ?\r?\n", re.MULTILINE)
_SIGNATURE_LINES = 12
_SENT_FROM = re.compile(r"Sent from my [\w ]{2,30}\.?")
_QUOTED_MAIL = re.compile(
    r"^[ \t]*((-{3,} ?Original Message ?-{3,}|_{20,})\s*+(?=\*?From:)|"
    r"(?=\*?From:[^\n]{3,200}\n\*?(Sent|Date):))",
    re.MULTILINE | re.IGNORECASE,
)
"""Start of the quoted part in Outlook."""


def _own_text(text: str) -> str:
    """Return the sender's own text, without quoted lines, quoted mail and signature."""
    unquoted = _QUOTED.sub("", text)
    if unquoted.strip():
        first = _QUOTED.search(text)
        if first:
            before = _QUOTE_INTRODUCTION.sub("", text[: first.start()])
            unquoted = before + _QUOTED.sub("", text[first.start() :])
        text = unquoted
    signature = next(reversed([*_SIGNATURE.finditer(text)]), None)
    if signature and text.count("\n", signature.end()) <= _SIGNATURE_LINES:
        text = text[: signature.start()]
    quoted_mail = _QUOTED_MAIL.search(text)
    if quoted_mail and text[: quoted_mail.start()].strip():
        text = text[: quoted_mail.start()]
    before, _, last = text.rstrip().rpartition("\n")
    return before.rstrip() if _SENT_FROM.fullmatch(last.strip()) else text.rstrip()
