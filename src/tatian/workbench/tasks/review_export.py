"""What a campaign of reviews has made of its texts: files for readers and for tables.

Where several people reviewed a text, a sentence's fate is what more than half of them say; one on
which they do not agree stays in the text as it was, marked ``[not settled]``.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from tatian.consolidation.annotation import REASONS, VERDICTS, Reason, SentenceReview, Verdict
from tatian.consolidation.render.markdown import escape
from tatian.workbench.tasks import Exported
from tatian.workbench.tasks.comparing import Rule
from tatian.workbench.tasks.review_agreement import Reviews, decided
from tatian.workbench.tasks.review_content import Content

NOT_SETTLED = "[not settled]"
_MAJORITY = Rule()
_OPENING = re.compile(r"^(\d*)([-+#.)])")
"""What would make a list or a heading of a paragraph."""


class GivenVerdict(Struct, frozen=True, omit_defaults=True):
    """A line of ``verdicts.jsonl``: what one reviewer says of one sentence."""

    item: str
    sentence: int
    by: str
    verdict: Verdict
    proposal: str
    sources: tuple[str, ...]
    """The source sentences it was made of."""
    text: str = ""
    reason: Reason | None = None
    note: str = ""


class CalledBack(Struct, frozen=True):
    """A line of ``missing.jsonl``: a source sentence that should be in the text."""

    item: str
    by: str
    document: str
    sentence: int
    text: str
    fate: str
    why: str


def exported(contents: Mapping[str, Content], given: Mapping[str, Reviews]) -> Iterator[Exported]:
    """All files."""
    fates = {
        key: decided(content, given[key], _MAJORITY)[0]
        for key, content in contents.items()
        if given.get(key)
    }
    texts = {key: _paragraphs(contents[key], found) for key, found in fates.items()}
    yield Exported("reviewed.md", _markdown(texts).encode())
    yield Exported("reviewed.txt", _plain(texts).encode())
    yield Exported("verdicts.jsonl", _lines(_verdicts(contents, given)))
    yield Exported("missing.jsonl", _lines(_missing(contents, given)))
    yield Exported("summary.csv", _summary(given))


def _paragraphs(content: Content, fates: Sequence[SentenceReview | None]) -> list[list[str]]:
    """The sentences that stay, by paragraph."""
    paragraphs: list[list[str]] = []
    for sentence, fate in zip(content.sentences, fates, strict=True):
        if sentence.opens or not paragraphs:
            paragraphs.append([])
        kept = f"{sentence.text} {NOT_SETTLED}" if fate is None else fate.result(sentence.text)
        if kept is not None:
            paragraphs[-1].append(kept)
    return [paragraph for paragraph in paragraphs if paragraph]


def _markdown(texts: Mapping[str, Sequence[Sequence[str]]]) -> str:
    blocks = []
    for key, paragraphs in texts.items():
        blocks.append(f"## {escape(key)}")
        blocks += [_OPENING.sub(r"\1\\\2", escape(" ".join(paragraph))) for paragraph in paragraphs]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _plain(texts: Mapping[str, Sequence[Sequence[str]]]) -> str:
    blocks = [" ".join(paragraph) for text in texts.values() for paragraph in text]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _verdicts(
    contents: Mapping[str, Content], given: Mapping[str, Reviews]
) -> Iterator[GivenVerdict]:
    for key, content in contents.items():
        for person, review in given.get(key, {}).items():
            for index, (proposal, one) in enumerate(
                zip(content.proposals, review.sentences, strict=True)
            ):
                sources = tuple(parent.text for parent in content.parents(index))
                yield GivenVerdict(
                    key, index, person, one.verdict, proposal, sources, one.text, one.reason,
                    one.note,
                )  # fmt: skip


def _missing(contents: Mapping[str, Content], given: Mapping[str, Reviews]) -> Iterator[CalledBack]:
    for key, content in contents.items():
        places = content.places
        for person, review in given.get(key, {}).items():
            for place in review.missing:
                source = places[place]
                yield CalledBack(
                    key, person, place.document, place.sentence, source.text, source.fate,
                    source.why,
                )  # fmt: skip


def _summary(given: Mapping[str, Reviews]) -> bytes:
    """Verdicts and reasons by reviewer and of all together: how many, and which share."""
    verdicts: dict[str, list[SentenceReview]] = {"all": []}
    for reviews in given.values():
        for person, review in reviews.items():
            verdicts["all"] += review.sentences
            verdicts.setdefault(f"by {person}", []).extend(review.sentences)
    stream = io.StringIO(newline="")
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow(["reviewers", "verdict", "reason", "sentences", "share"])
    for whose, judged in verdicts.items():
        counts = Counter(one.verdict for one in judged)
        reasons = Counter(one.reason for one in judged)
        for verdict in VERDICTS:
            rows.writerow([whose, verdict, "", counts[verdict], _share(counts[verdict], judged)])
        for reason in REASONS:
            count = reasons[reason]
            rows.writerow([whose, "reject", reason, count, _share(count, judged)])
    return stream.getvalue().encode()


def _share(count: int, judged: Sequence[SentenceReview]) -> str:
    return f"{count / len(judged):.4f}" if judged else ""


def _lines(records: Iterator[Struct]) -> bytes:
    return b"".join(msgspec.json.encode(record) + b"\n" for record in records)
