"""Both rounds of the mention benchmark as the files that ``tatian mentions`` reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from tatian.formats import mentions_jsonl as jsonl
from tatian.formats.records import LinkedMention, LinkedText
from tatian.mentions import ground_truth
from tatian.mentions.annotation import Detection, LinkedTerm
from tatian.text.records import Record
from tatian.workbench.tasks import Plain
from tatian.workbench.tasks.reading import converted

A = TypeVar("A")


def typed(
    records: Iterable[Record[Plain]], texts: Mapping[str, LinkedText], answer: type[A]
) -> list[Record[A]]:
    """The records that are about these texts and not replaced, their answers as structs."""
    kept = list(records)
    replaced = {record.replaces for record in kept}
    return [
        Record(
            one.id, one.task, one.item, one.made,
            converted(one.answer, answer, f"record '{one.id}'"),
            preannotated=one.preannotated,
        )
        for one in kept
        if one.id not in replaced and one.item in texts
    ]  # fmt: skip


def rounds(records: Sequence[Record[Any]], texts: Mapping[str, LinkedText]) -> bytes:
    """A record a line, each with the text that it is about, in the order of the texts."""
    order = {key: place for place, key in enumerate(texts)}
    return b"".join(
        msgspec.json.encode(_with_text(record, texts[record.item])) + b"\n"
        for record in sorted(records, key=lambda one: order[one.item])
    )


def union(records: Sequence[Record[Detection]], texts: Mapping[str, LinkedText]) -> bytes:
    """What anybody linked in each text that somebody answered, as mentions JSONL."""
    found = ground_truth.union(records, texts)
    return mentions(
        replace(text, mentions=tuple(grouped(found[key])))
        for key, text in texts.items()
        if key in found
    )


def mentions(texts: Iterable[LinkedText]) -> bytes:
    """Texts as mentions JSONL."""
    return b"".join(jsonl.encode(text).encode() + b"\n" for text in texts)


def grouped(terms: Iterable[LinkedTerm]) -> Iterator[LinkedMention]:
    """Linked terms as mentions: one for each place, with all its pages."""
    pages: dict[tuple[int, int, str], list[str]] = {}
    for one in terms:
        pages.setdefault((one.start, one.end, one.term), []).append(one.title)
    for (start, end, term), titles in pages.items():
        yield LinkedMention(start, end, term=term, titles=tuple(titles))


def _with_text(record: Record[Any], text: LinkedText) -> Plain:
    topic = {"topic": text.topic} if text.topic else {}
    return {**msgspec.to_builtins(record), "text": text.text, **topic}
