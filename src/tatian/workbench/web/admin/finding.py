"""Search for items by words or state, page by page, with their progress."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, case, func, select

from tatian.views.wording import short
from tatian.workbench.campaigns import progress
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.errors import NotFound
from tatian.workbench.storage import plain
from tatian.workbench.storage.tables import annotators, answers, assignments, items
from tatian.workbench.storage.tables import answered as joined
from tatian.workbench.web.presentation import texts

State = Literal["waiting", "begun", "done", "retired", "test", "training"]
STATES: tuple[State, ...] = get_args(State)
PER_PAGE = 50
_GIST = 160


class FoundItem(Struct, frozen=True):
    """An item in the list."""

    id: int
    key: str
    stage: int
    test: bool
    wanted: int | None
    retired: bool
    answers: int
    """Answers of people who were not excluded."""
    state: State
    """Progress, in one word."""
    gist: str


class ItemAnswer(Struct, frozen=True):
    """An answer to an item, as a manager sees it."""

    id: str
    annotator: str
    name: str
    submitted: int
    seconds: float
    guideline: int
    preannotated: bool
    score: float | None
    answer: Any
    replaced: bool
    """True if its author corrected it."""
    void: bool
    """True if its author was excluded, so that others were asked."""


def find_items(
    connection: Connection, campaign: Campaign, words: str, state: str, page: int
) -> tuple[list[FoundItem], int]:
    """Return one page of the matching items, in order, and the total."""
    under_way = progress.open_assignments(campaign)
    answers = items.c.taken - func.coalesce(under_way.c.open, 0)
    unlimited = items.c.wanted.is_(None)
    item_state = case(
        (items.c.retired, "retired"),
        (unlimited & items.c.test, "test"),
        (unlimited, "training"),
        (answers >= items.c.wanted, "done"),
        (answers > 0, "begun"),
        else_="waiting",
    )
    fits: list[ColumnElement[bool]] = [items.c.campaign == campaign.id]
    if state in STATES:
        fits.append(item_state == state)
    if words:
        by_key = items.c.key.icontains(words, autoescape=True)
        written = msgspec.json.encode(words).decode()[1:-1]
        fits.append(by_key | items.c.content.icontains(written, autoescape=True))
    joined = items.outerjoin(under_way, under_way.c.item == items.c.id)
    total = connection.execute(select(func.count()).select_from(joined).where(*fits)).scalar_one()
    columns = (items, answers.label("answers"), item_state.label("state"))
    chosen = select(*columns).select_from(joined).where(*fits).order_by(items.c.id)
    rows = connection.execute(chosen.limit(PER_PAGE).offset((page - 1) * PER_PAGE))
    return [
        plain.struct(FoundItem, row, gist=gist(plain.decode(row.content))) for row in rows
    ], total


def key_of(connection: Connection, campaign: Campaign, id: int) -> str:
    """Return the key of the item with this number; NotFound if it is of another campaign."""
    chosen = select(items.c.key).where(items.c.id == id, items.c.campaign == campaign.id)
    key = connection.execute(chosen).scalar()
    if key is None:
        raise NotFound(f"campaign '{campaign.id}' has no such item")
    return str(key)


def list_answers(connection: Connection, campaign: Campaign, id: int) -> list[ItemAnswer]:
    """Return every answer to an item, the first one first."""
    chosen = (
        select(answers, annotators.c.name, assignments.c.state)
        .select_from(joined.join(annotators, answers.c.annotator == annotators.c.id))
        .where(answers.c.campaign == campaign.id, answers.c.item == id)
        .order_by(answers.c.submitted, answers.c.id)
    )
    rows = connection.execute(chosen).all()
    replaced = {row.replaces for row in rows}
    return [
        plain.struct(
            ItemAnswer, row, "answer", replaced=row.id in replaced, void=row.state == "void"
        )
        for row in rows
    ]


def gist(content: Any) -> str:
    """Return the beginning of a content's texts."""
    return short(" / ".join(islice(filter(None, texts(content)), _GIST)), _GIST)


# Answers as people read them: with the words of a span, not only its offsets. Sentences are counted
# from one, as on the annotators' pages. The tag of an answer's kind in files (``"type":
# "written"``) is left out or put into words.

_SPAN = {"start", "end", "sentence"}
"""Keys of a span; without `sentence` it is of the merged sentence."""


def spans_to_words(value: Any, content: Mapping[str, Any]) -> Any:
    """Return a value with every span of the content's texts in words."""
    if isinstance(value, Mapping):
        words = _words(value, content)
        return words or {
            name: spans_to_words(inner, content)
            for name, inner in _in_words(value, content).items()
        }
    if isinstance(value, list | tuple):
        return [spans_to_words(inner, content) for inner in value]
    return value


def _in_words(value: Mapping[str, Any], content: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a union, or the reason for none, in words; other values unchanged."""
    kind = value.get("type")
    if kind == "written":
        rest = {name: inner for name, inner in value.items() if name != "type"}
        base, texts = rest.get("base"), content.get("sentences")
        if isinstance(base, int) and isinstance(texts, list) and base < len(texts):
            rest["base"] = f"sentence {base + 1}"
        return rest
    if kind == "skipped":
        rest = {name: inner for name, inner in value.items() if name not in ("type", "reason")}
        return {"skipped": str(value.get("reason", "")).replace("-", " "), **rest}
    return value


def _words(value: Mapping[str, Any], content: Mapping[str, Any]) -> str:
    """Return the words of a span; empty if it is none, or lies outside the texts."""
    start, end, sentence = (value.get(name) for name in ("start", "end", "sentence"))
    if set(value) - _SPAN or not isinstance(start, int) or not isinstance(end, int):
        return ""
    if sentence is None:
        text = content.get("merged")
        where = ""
    else:
        texts = content.get("sentences")
        inside = isinstance(sentence, int) and isinstance(texts, list) and sentence < len(texts)
        text = texts[sentence] if inside and texts else None
        where = f" (sentence {sentence + 1})" if inside else ""
    if not isinstance(text, str) or not 0 <= start < end <= len(text):
        return ""
    return f"“{text[start:end]}”{where}"
