"""Search for items of a campaign, and their answers in words, for the pages of managers."""

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
from tatian.workbench.storage import codec
from tatian.workbench.storage.database import count_rows
from tatian.workbench.storage.tables import annotators, answers, assignments, items
from tatian.workbench.storage.tables import answered as joined
from tatian.workbench.web.presentation import iterate_texts

ItemState = Literal["waiting", "begun", "done", "retired", "test", "training"]
STATES: tuple[ItemState, ...] = get_args(ItemState)
PER_PAGE = 50
"""Number of items on a page."""
_GIST_CHARACTERS = 160
"""Maximum length of the beginning of an item in the list."""


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
    state: ItemState
    """State of progress."""
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
    """True if its author was excluded."""


def find_items(
    connection: Connection, campaign: Campaign, words: str, state: str, page: int
) -> tuple[list[FoundItem], int]:
    """Return one page of the matching items, and the number of all matching items."""
    open_by_item = progress.open_assignments(campaign)
    answers = items.c.taken - func.coalesce(open_by_item.c.open, 0)
    has_no_limit = items.c.wanted.is_(None)
    item_state = case(
        (items.c.retired, "retired"),
        (has_no_limit & items.c.test, "test"),
        (has_no_limit, "training"),
        (answers >= items.c.wanted, "done"),
        (answers > 0, "begun"),
        else_="waiting",
    )
    conditions: list[ColumnElement[bool]] = [items.c.campaign == campaign.id]
    if state in STATES:
        conditions.append(item_state == state)
    if words:
        by_key = items.c.key.icontains(words, autoescape=True)
        escaped_words = msgspec.json.encode(words).decode()[1:-1]
        conditions.append(by_key | items.c.content.icontains(escaped_words, autoescape=True))
    joined = items.outerjoin(open_by_item, open_by_item.c.item == items.c.id)
    total = count_rows(connection, joined, *conditions)
    columns = (items, answers.label("answers"), item_state.label("state"))
    query = select(*columns).select_from(joined).where(*conditions).order_by(items.c.id)
    rows = connection.execute(query.limit(PER_PAGE).offset((page - 1) * PER_PAGE))
    matches = [
        codec.to_struct(FoundItem, row, gist=gist_of(codec.decode(row.content))) for row in rows
    ]
    return matches, total


def key_of(connection: Connection, campaign: Campaign, id: int) -> str:
    """Return the key of the item with a number."""
    query = select(items.c.key).where(items.c.id == id, items.c.campaign == campaign.id)
    key = connection.execute(query).scalar()
    if key is None:
        raise NotFound(f"campaign '{campaign.id}' has no such item")
    return str(key)


def list_answers(connection: Connection, campaign: Campaign, id: int) -> list[ItemAnswer]:
    """Return all answers to an item, the oldest first."""
    query = (
        select(answers, annotators.c.name, assignments.c.state)
        .select_from(joined.join(annotators, answers.c.annotator == annotators.c.id))
        .where(answers.c.campaign == campaign.id, answers.c.item == id)
        .order_by(answers.c.submitted, answers.c.id)
    )
    rows = connection.execute(query).all()
    replaced = {row.replaces for row in rows}
    return [
        codec.to_struct(
            ItemAnswer, row, "answer", replaced=row.id in replaced, void=row.state == "void"
        )
        for row in rows
    ]


def gist_of(content: Any) -> str:
    """Return the beginning of a content's texts."""
    first_texts = islice(filter(None, iterate_texts(content)), _GIST_CHARACTERS)
    return short(" / ".join(first_texts), _GIST_CHARACTERS)


# Answers as people read them: with the words of a span instead of its offsets. Sentences are
# counted from 1, as on the annotators' pages. The kind of an answer (``"type": "written"``) is left
# out or put into words.

_SPAN = {"start", "end", "sentence"}
"""Keys of a span; one without `sentence` is in the merged sentence."""


def spans_to_words(value: Any, content: Mapping[str, Any]) -> Any:
    """Return a value with every span of the content's texts in words."""
    if isinstance(value, Mapping):
        fields = _kind_to_words(value, content).items()
        words = _span_words(value, content)
        return words or {name: spans_to_words(item, content) for name, item in fields}
    if isinstance(value, list | tuple):
        return [spans_to_words(item, content) for item in value]
    return value


def _kind_to_words(value: Mapping[str, Any], content: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a union, or the reason for none, in words; other values unchanged."""
    fields = dict(value)
    if value.get("type") == "written":
        del fields["type"]
        base, texts = value.get("base"), content.get("sentences")
        if isinstance(base, int) and isinstance(texts, list) and base < len(texts):
            fields["base"] = f"sentence {base + 1}"
    elif value.get("type") == "skipped":
        del fields["type"]
        reason = str(fields.pop("reason", "")).replace("-", " ")
        return {"skipped": reason, **fields}
    return fields


def _span_words(value: Mapping[str, Any], content: Mapping[str, Any]) -> str:
    """Return the words of a span; empty if it is none, or lies outside the texts."""
    start, end, sentence = (value.get(name) for name in ("start", "end", "sentence"))
    if set(value) - _SPAN or not isinstance(start, int) or not isinstance(end, int):
        return ""
    text, place = content.get("merged"), ""
    if sentence is not None:
        texts = content.get("sentences")
        if not isinstance(sentence, int) or not isinstance(texts, list) or sentence >= len(texts):
            return ""
        text, place = texts[sentence], f" (sentence {sentence + 1})"
    if not isinstance(text, str) or not 0 <= start < end <= len(text):
        return ""
    return f"“{text[start:end]}”{place}"
