"""Label Studio's JSON: a list of tasks, each a text with annotators' regions and relations.

A region is a phrase; relations make chains of phrases. A text entered for a region (a ``textarea``
or a ``taxonomy`` of the same id) is its page. Where a task has several annotations, `read` returns
the first that was not cancelled; `by_annotator` returns all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import Struct, field

from tatian.errors import EmptyInput, InputError
from tatian.formats import Format, file_name
from tatian.formats.annotated import ToolSpan, Utf16, make_document, pages_of
from tatian.formats.links import links_of, locate
from tatian.formats.tokens import chains_of
from tatian.grouping import grouped
from tatian.text import Document
from tatian.text.spans import Span

NAME = "label-studio"
PHRASES, PAGES, TEXT = "label", "page", "text"
"""Names of the controls for phrases and pages in our files, and of the text."""
CONFIG = f"""\
<View>
  <Labels name="{PHRASES}" toName="{TEXT}"><Label value="phrase"/></Labels>
  <Text name="{TEXT}" value="${TEXT}"/>
  <TextArea name="{PAGES}" toName="{TEXT}" perRegion="true"/>
  <Relations><Relation value="same"/></Relations>
</View>
"""
"""Labelling interface that a project needs for our files."""
_LABELS = ("labels", "hypertextlabels", "choices", "taxonomy")


class LabelValue(Struct, frozen=True, omit_defaults=True):
    """Place of a region, and its labels."""

    start: int | str | None = None
    end: int | str | None = None
    text: Any = None
    labels: list[str] = []
    hypertextlabels: list[str] = []
    globalOffsets: dict[str, int] = {}  # noqa: N815 - their name


class LabelResult(Struct, frozen=True, omit_defaults=True):
    """A region, a value for a region, or a relation between two."""

    type: str
    id: str = ""
    from_name: str = ""
    to_name: str = ""
    value: LabelValue = field(default_factory=LabelValue)
    from_id: str = ""
    to_id: str = ""
    direction: str = ""
    labels: list[str] = []


class LabelAnnotation(Struct, frozen=True, omit_defaults=True):
    """Result of one annotator for one task."""

    result: list[LabelResult] = []
    completed_by: Any = None
    was_cancelled: bool = False

    @property
    def by(self) -> str:
        """The annotator: an address or a number."""
        who = self.completed_by
        if isinstance(who, dict):
            who = who.get("email") or who.get("username") or who.get("id")
        return "" if who is None else str(who)


class LabelTask(Struct, frozen=True, omit_defaults=True):
    """A text, and everybody's annotations of it."""

    data: dict[str, Any]
    id: int | str | None = None
    annotations: list[LabelAnnotation] = []
    completions: list[LabelAnnotation] = []
    """Name of `annotations` before version 1."""

    def completed(self) -> Iterator[LabelAnnotation]:
        """Yield the annotations that were not cancelled."""
        annotations = self.annotations or self.completions
        return (annotation for annotation in annotations if not annotation.was_cancelled)


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """Yield a document for each task, with its first annotation."""
    for number, task in _tasks(text, path):
        annotation = next(task.completed(), LabelAnnotation())
        yield _document(task, number, annotation, path)


def by_annotator(text: str, path: str | None = None) -> Iterator[tuple[str, Document]]:
    """Yield every annotation that was not cancelled: its author, and the document with it."""
    for number, task in _tasks(text, path):
        for annotation in task.completed():
            yield annotation.by, _document(task, number, annotation, path)


def write(documents: Iterable[Document]) -> Iterator[str]:
    """Yield a list of tasks with one annotation each, without an author."""
    return join_annotations(("", document) for document in documents)


def join_annotations(annotated: Iterable[tuple[str, Document]]) -> Iterator[str]:
    """Yield a list of tasks, with the annotations of everybody who annotated a text."""
    texts = grouped((version.id, (by, version)) for by, version in annotated)
    before = "[\n"
    for id, versions in texts.items():
        task = LabelTask(
            {TEXT: versions[0][1].text, "id": id},
            annotations=[
                LabelAnnotation(list(_results(version)), by or None) for by, version in versions
            ],
        )
        yield before + msgspec.json.encode(task).decode()
        before = ",\n"
    yield "\n]\n" if texts else "[]\n"


def _tasks(text: str, path: str | None) -> Iterator[tuple[int, LabelTask]]:
    try:
        tasks = msgspec.json.decode(text.removeprefix("\ufeff"), type=list[LabelTask])
    except (msgspec.DecodeError, RecursionError) as error:
        message = str(error).replace("`", "'")
        raise InputError(f"not Label Studio's JSON: {message}", path=path) from error
    if not tasks:
        raise EmptyInput("the file contains no tasks", path=path)
    yield from enumerate(tasks, 1)


def _document(
    task: LabelTask, number: int, annotation: LabelAnnotation, path: str | None
) -> Document:
    id = str(task.data.get("id") or task.id or f"{file_name(path)}-{number}")
    text = _text(task, annotation, id, path)
    pages: dict[str, list[str]] = {}
    regions: dict[str, ToolSpan] = {}
    for result in annotation.result:
        if result.type == "textarea" and result.id:
            texts = result.value.text
            entered = [texts] if isinstance(texts, str) else texts or []
            pages.setdefault(result.id, []).extend(entered)
        elif result.type in _LABELS and result.value.start is not None:
            labels = result.value.labels or result.value.hypertextlabels
            span = _placed(text, result.value)
            if span is None:
                where = f"{result.value.start} to {result.value.end}"
                raise InputError(f"task '{id}': the text has no characters {where}", path=path)
            regions[result.id] = ToolSpan(span, labels[0] if labels else "")
    relations = (result for result in annotation.result if result.type == "relation")
    pairs = [(relation.from_id, relation.to_id) for relation in relations]
    related = {end for pair in pairs for end in pair}
    in_chains = [key for key in regions if key in related or key not in pages]
    phrases = {key: ToolSpan(regions[key].span) for key in in_chains}
    linked = [
        ToolSpan(region.span, "" if region.label == "phrase" else region.label, page)
        for key, region in regions.items()
        for page in pages.get(key, ())
    ]
    title = task.data.get("title")
    title = title if isinstance(title, str) else ""
    return make_document(id, text, phrases, pairs, linked, NAME, title=title)


def _text(task: LabelTask, annotation: LabelAnnotation, id: str, path: str | None) -> str:
    """Return the text: the field "text", else the field that regions refer to, else the longest."""
    region_fields = [result.to_name for result in annotation.result if result.to_name]
    for name in (TEXT, *region_fields):
        if isinstance(task.data.get(name), str):
            return str(task.data[name])
    texts = [value for name, value in task.data.items() if isinstance(value, str) and name != "id"]
    if not texts:
        raise InputError(f"task '{id}' has no text in its data", path=path)
    return max(texts, key=len)


def _placed(text: str, value: LabelValue) -> Span | None:
    """Return the place of a region, in characters or UTF-16 units, whichever fits its text."""
    start = value.globalOffsets.get("start", value.start)
    end = value.globalOffsets.get("end", value.end)
    if not (isinstance(start, int) and isinstance(end, int)):
        return None
    quoted = value.text if isinstance(value.text, str) else None
    plain = Span(start, end) if 0 <= start < end <= len(text) else None
    units = Utf16(text).span(start, end)
    for span in (plain, units):
        if span is not None and (quoted is None or span.of(text) == quoted):
            return span
    return locate(text, start, quoted) if quoted else plain


def _results(document: Document) -> Iterator[LabelResult]:
    text = document.text
    numbers: dict[tuple[int, int], str] = {}

    def region(span: Span, label: str) -> Iterator[LabelResult]:
        key = (span.start, span.end)
        if key not in numbers:
            numbers[key] = f"r{len(numbers) + 1}"
            value = LabelValue(span.start, span.end, span.of(text), [label or "phrase"])
            yield LabelResult("labels", numbers[key], PHRASES, TEXT, value)

    for chain in chains_of(document):
        for mention in chain.mentions:
            yield from region(mention, mention.type or chain.type)
    for link in links_of(document):
        yield from region(link, link.type)
        value = LabelValue(link.start, link.end, pages_of(link))
        yield LabelResult("textarea", numbers[link.start, link.end], PAGES, TEXT, value)
    for chain in chains_of(document):
        ids = [numbers[mention.start, mention.end] for mention in chain.mentions]
        for before, id in pairwise(ids):
            yield LabelResult(
                "relation", from_id=id, to_id=before, direction="right", labels=["same"]
            )


def _recognizes(head: str) -> bool:
    start = head.lstrip()
    keys = ('"annotations"', '"completions"', '"predictions"')
    return start.startswith("[") and '"data"' in start and any(key in start for key in keys)


CHAINS = Format(
    NAME, "Label Studio's JSON: regions and relations", "coreference", (), _recognizes, read, write
)
LINKS = Format(
    NAME, "Label Studio's JSON: regions with pages", "mention", (), _recognizes, read, write
)
