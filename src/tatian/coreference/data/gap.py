"""GAP (Webster et al. 2018): one ambiguous pronoun, two names, and which of them it stands for.

A line is a document with three mentions, whose attribute ``gap`` says which is the ``pronoun``,
``A`` and ``B``. The names that the line calls coreferential are in the pronoun's chain; all others
are chains of one. Where a line does not say (in test data), the name also has ``label`` ``?``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from tatian.coreference.data.composing import chains_of
from tatian.coreference.data.original import ORIGINAL, Original, original
from tatian.errors import EmptyInput, InputError
from tatian.text import CHAINS, Authorship, Chain, Document, Mention, Metadata
from tatian.text.formats import Losses

NAME = "gap"
COLUMNS = (
    "ID",
    "Text",
    "Pronoun",
    "Pronoun-offset",
    "A",
    "A-offset",
    "A-coref",
    "B",
    "B-offset",
    "B-coref",
    "URL",
)
PRONOUNS = frozenset("she her hers herself he him his himself".split())
"""The pronouns that GAP is about."""
_MADE = Authorship(by=NAME)
_ROLE = "gap"
_NAMES = ("A", "B")
_UNSURE = ("label", "?")
_TEARING = re.compile(r"[\t\r\n]")
_SAID = {"TRUE": True, "FALSE": False, "": None}


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """A document for each line below the header; errors name the line."""
    header, *lines = text.split("\n")
    names = [name.strip().lower() for name in header.removeprefix("\ufeff").split("\t")]
    missing = [name for name in COLUMNS[:-1] if name.lower() not in names]
    labels = {"a-coref", "b-coref"}
    if {name.lower() for name in missing} - labels:
        raise InputError(f"no column '{missing[0]}' in the header", path=path, line=1)
    found = False
    for number, line in enumerate(lines, start=2):
        if not line.strip():
            continue
        found = True
        values = line.rstrip("\r").split("\t")
        if len(values) != len(names):
            message = f"{len(values)} columns where the header has {len(names)}"
            raise InputError(message, path=path, line=number)
        source = f"{header}\n{line}" + ("\n" if number <= len(lines) else "")
        try:
            document = _document(dict(zip(names, values, strict=True)))
        except ValueError as error:
            raise InputError(str(error), path=path, line=number) from None
        yield document.with_layer(ORIGINAL, [Original(NAME, source)], _MADE)
    if not found:
        raise EmptyInput("no line below the header", path=path)


def _document(row: Mapping[str, str]) -> Document:
    text = row["text"]
    with_pronoun = [_mention(text, row, "Pronoun")]
    chains = []
    for name in _NAMES:
        said = row.get(f"{name.lower()}-coref", "").strip().upper()
        if said not in _SAID:
            raise ValueError(f"{name}-coref is '{said}': it must be TRUE, FALSE or empty")
        mention = _mention(text, row, name, sure=bool(said))
        if _SAID[said]:
            with_pronoun.append(mention)
        else:
            chains.append([mention])
    groups = [sorted(group, key=_place) for group in (with_pronoun, *chains)]
    ordered = sorted(groups, key=lambda group: _place(group[0]))
    url = row.get("url", "")
    document = Document(row["id"], text, Metadata(extra={"url": url} if url else {}))
    return document.with_layer(
        CHAINS,
        [Chain(f"{row['id']}#{number}", tuple(one)) for number, one in enumerate(ordered)],
        _MADE,
    )


def _place(mention: Mention) -> tuple[int, int]:
    return mention.start, mention.end


def _mention(text: str, row: Mapping[str, str], name: str, *, sure: bool = True) -> Mention:
    written, told = row[name.lower()], row[f"{name.lower()}-offset"].strip()
    if not (told.isascii() and told.isdecimal()):
        raise ValueError(f"{name}-offset is '{told}': it must be a number")
    start = int(told)
    if not written or text[start : start + len(written)] != written:
        there = text[start : start + len(written)]
        raise ValueError(f"{name} is '{written}', but the text has '{there}' at {start}")
    role = (_ROLE, name if name in _NAMES else name.lower())
    attributes = (role,) if sure else (role, _UNSURE)
    return Mention(start, start + len(written), attributes=attributes)


def write(documents: Iterable[Document], losses: Losses) -> Iterator[str]:
    """A line for each document that GAP can hold, below one header."""
    first = True
    for document in documents:
        source = original(document, NAME)
        written = (_own(document, source) if source else None) or _fresh(document, losses)
        if written is None:
            continue
        header, _, line = written.partition("\n")
        yield f"{header}\n{line}" if first else line
        first = False


def _own(document: Document, source: str) -> str | None:
    """The line it was read from, with the present answers; None if it no longer fits."""
    (before,) = read(source)
    roles = _roles(document)
    if before.text != document.text or roles is None:
        return None
    if _answers(document, roles) == _answers(before, _roles(before) or {}):
        return source
    header, _, line = source.partition("\n")
    names = [name.strip().lower() for name in header.removeprefix("\ufeff").split("\t")]
    content = line.rstrip("\r\n")
    values = content.split("\t")
    for name, answer in zip(_NAMES, _answers(document, roles), strict=True):
        column = f"{name.lower()}-coref"
        if column in names:
            values[names.index(column)] = answer
    return f"{header}\n" + "\t".join(values) + line[len(content) :]


def _roles(document: Document) -> dict[str, Mention] | None:
    """The three mentions by what GAP calls them; None where they are not these three."""
    mentions = [mention for chain in chains_of(document) for mention in chain.mentions]
    told = {dict(mention.attributes).get(_ROLE): mention for mention in mentions}
    if len(mentions) == 3 and told.keys() == {"pronoun", *_NAMES}:
        return {role: mention for role, mention in told.items() if role is not None}
    pronouns = [one for one in mentions if one.of(document.text).lower() in PRONOUNS]
    names = sorted((one for one in mentions if one not in pronouns), key=_place)
    if len(mentions) != 3 or len(pronouns) != 1:
        return None
    if not all(one.of(document.text)[:1].isupper() for one in names):
        return None
    return {"pronoun": pronouns[0], "A": names[0], "B": names[1]}


def _answers(document: Document, roles: Mapping[str, Mention]) -> list[str]:
    together = [
        set(chain.mentions) for chain in chains_of(document) if roles["pronoun"] in chain.mentions
    ]
    answers = []
    for name in _NAMES:
        linked = any(roles[name] in chain for chain in together)
        unsure = not linked and _UNSURE in roles[name].attributes
        answers.append("TRUE" if linked else "" if unsure else "FALSE")
    return answers


def _fresh(document: Document, losses: Losses) -> str | None:
    roles = _roles(document)
    if roles is None:
        what = "documents other than one pronoun (she, his, ...) and two names: left out"
        losses.add(what, document.id)
        return None
    if _TEARING.search(document.text):
        losses.add("tabs and line ends in the text: written as blanks", document.id)
    row = [document.id, document.text]
    answers = dict(zip(_NAMES, _answers(document, roles), strict=True))
    for role, mention in roles.items():
        row += [mention.of(document.text), str(mention.start)]
        row += [answers[role]] if role in answers else []
    row.append(document.metadata.extra.get("url", ""))
    line = "\t".join(_TEARING.sub(" ", value) for value in row)
    return "\t".join(COLUMNS) + f"\n{line}\n"
