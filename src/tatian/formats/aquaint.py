"""AQUAINT and benchmarks in the same layout (MSNBC, ACE): a text and an annotation file each.

A directory or archive has the text of a document as ``RawTexts/NAME``. ``Problems/NAME`` is XML
with the terms, their offsets and the page chosen for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import PurePosixPath

from tatian.errors import EmptyInput, InputError
from tatian.formats import Files, Format
from tatian.formats.links import build_document, locate
from tatian.formats.wiki import title_of
from tatian.text import Document, Link

TEXTS = "RawTexts"
PROBLEMS = "Problems"
_SUFFIX = ".htm"
_INSTANCE = re.compile(r"<ReferenceInstance>(.*?)</ReferenceInstance>", re.DOTALL)
_FIELD = re.compile(r"<(SurfaceForm|Offset|ChosenAnnotation)>\s*(.*?)\s*</\1>", re.DOTALL)
_NO_PAGE = ("", "none", "*null*", "null")
_ADVICE = f"give the directory or archive that holds {TEXTS} and {PROBLEMS}"


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """Raise an error: a single file lacks either the text or the annotations."""
    message = "only the text or the annotations of an AQUAINT document"
    raise InputError(f"{message}: {_ADVICE}", path=path)


def read_files(files: Mapping[str, str], path: str | None = None) -> Iterator[Document]:
    """Yield the documents of a directory or archive, sorted by file name."""
    texts = {name: text for name, text in files.items() if _folder(name) == TEXTS}
    if not texts:
        raise EmptyInput(f"the input contains no text: {_ADVICE}", path=path)
    problems = {PurePosixPath(name).name: name for name in files if _folder(name) == PROBLEMS}
    for name in sorted(texts):
        problem = problems.get(PurePosixPath(name).name)
        if problem is None:
            raise InputError(f"{PROBLEMS} has no file for this text", path=_within(path, name))
        mentions = _mentions(files[problem], texts[name], _within(path, problem))
        id = PurePosixPath(name).name.removesuffix(_SUFFIX)
        yield build_document(id, texts[name], mentions)


def _folder(name: str) -> str:
    """Return the kind of a file's folder, if it has one. MSNBC and ACE add to these names."""
    folder = PurePosixPath(name).parent.name
    return next((kind for kind in (TEXTS, PROBLEMS) if folder.startswith(kind)), "")


def _within(path: str | None, name: str) -> str:
    return f"{path}/{name}" if path else name


def _mentions(problem: str, text: str, path: str) -> Iterator[Link]:
    if "<ReferenceProblem>" not in problem:
        message = "not an AQUAINT problem file: it has no <ReferenceProblem>"
        raise InputError(message, path=path, line=1)
    for instance in _INSTANCE.finditer(problem):
        line = problem.count("\n", 0, instance.start()) + 1
        fields = {name: unescape(value) for name, value in _FIELD.findall(instance[1])}
        term, offset = fields.get("SurfaceForm", ""), fields.get("Offset", "")
        if not offset.isdecimal():
            raise InputError(f"'{term}' has no <Offset>", path=path, line=line)
        span = locate(text, int(offset), term)
        if span is None:
            raise InputError(f"'{term}' is not in the text", path=path, line=line)
        page = fields.get("ChosenAnnotation", "")
        if page.lower() in _NO_PAGE:
            yield Link(span.start, span.end)
        elif title := title_of(page):
            yield Link(span.start, span.end, (title,))
        else:
            yield Link(span.start, span.end, ids=(page,))


FORMAT = Format(
    "aquaint",
    "AQUAINT: a directory or archive of texts and annotations",
    "mention",
    (".htm",),
    lambda head: head.lstrip().startswith("<ReferenceProblem>"),
    read,
    files=Files(
        lambda name: bool(_folder(name)),
        lambda names: {_folder(name) for name in names} >= {TEXTS, PROBLEMS},
        read_files,
    ),
)
