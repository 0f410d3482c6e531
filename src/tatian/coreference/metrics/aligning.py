"""Key and response documents brought together: the same documents, texts, and offsets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from tatian.coreference.data.formats import ORIGINAL
from tatian.errors import InputError
from tatian.text import TOKENS, Document

Offset = Callable[[int], int]
"""From an offset into a document's own text to one that both sides share."""

_TABLES = {"conll", "ontogum"}
_NAMED = 5


def pair_up(
    key: Sequence[Document], response: Sequence[Document]
) -> list[tuple[Document, Document]]:
    """The documents of both, by id and in the order of the key; refuses any without a partner."""
    check_ids([one.id for one in key], [one.id for one in response])
    answers = {one.id: one for one in response}
    return [(one, answers[one.id]) for one in key]


def check_ids(key: Sequence[str], response: Sequence[str]) -> None:
    """Refuse two files that do not hold the same documents, each once."""
    for name, ids in (("key", key), ("response", response)):
        twice = [id for id in dict.fromkeys(ids) if ids.count(id) > 1] if _repeats(ids) else []
        if twice:
            raise InputError(f"the {name} has two documents called '{twice[0]}'")
    for name, missing in (
        ("response", [id for id in key if id not in set(response)]),
        ("key", [id for id in response if id not in set(key)]),
    ):
        if missing:
            raise InputError(
                f"the {name} lacks {_listed(missing)}: documents are paired by their ids"
            )


def _repeats(ids: Sequence[str]) -> bool:
    return len(set(ids)) < len(ids)


def _listed(ids: Sequence[str]) -> str:
    shown = ", ".join(f"'{id}'" for id in ids[:_NAMED])
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return f"document{'s' if len(ids) > 1 else ''} {shown}{more}"


def shared_offsets(key: Document, response: Document) -> tuple[Offset, Offset]:
    """How to place both documents' mentions in one set of offsets.

    The texts may differ in white space. Two tables of words are compared row by row, whatever
    their words, as the reference scorer does.
    """
    if key.text == response.text:
        return int, int
    if _is_table(key) and _is_table(response) and len(key.tokens) == len(response.tokens):
        return _by_token(key), _by_token(response)
    if _solid(key.text) != _solid(response.text):
        raise InputError(_difference(key, response))
    return _by_solid(key.text), _by_solid(response.text)


def _is_table(document: Document) -> bool:
    return (
        document.has(ORIGINAL)
        and document.has(TOKENS)
        and all(original.format in _TABLES for original in document.get(ORIGINAL))
    )


def _by_token(document: Document) -> Offset:
    """The number of tokens that begin before an offset."""
    starts = {token.start for token in document.tokens}
    numbers = list(
        accumulate((offset in starts for offset in range(len(document.text))), initial=0)
    )
    return numbers.__getitem__


def _by_solid(text: str) -> Offset:
    """The number of characters before an offset that are not white space."""
    numbers = list(accumulate((not character.isspace() for character in text), initial=0))
    return numbers.__getitem__


def _solid(text: str) -> str:
    return "".join(text.split())


def _difference(key: Document, response: Document) -> str:
    ours, theirs = key.text.split(), response.text.split()
    place = _first_difference(ours, theirs)
    if place == len(ours) or place == len(theirs):
        longer, words = ("key", ours) if len(ours) > len(theirs) else ("response", theirs)
        what = f"the {longer} goes on with '{words[place]}' where the other ends"
    else:
        what = f"'{ours[place]}' in the key is '{theirs[place]}' in the response"
    return (
        f"document '{key.id}': the texts differ at word {place + 1}: {what}; "
        "score a response to the same text"
    )


def _first_difference(ours: Iterable[str], theirs: Iterable[str]) -> int:
    place = 0
    for place, (one, other) in enumerate(zip(ours, theirs, strict=False), 1):
        if one != other:
            return place - 1
    return place


ARTICLE = re.compile(r"\s*(?:(?:the|an|a)\s+)?", re.IGNORECASE)


def after_article(text: str, start: int, end: int) -> int:
    """Where the string starts without white space and a leading article (MUC-6 §4.3)."""
    found = ARTICLE.match(text, start, end)
    after = found.end() if found else start
    return after if after < end else start
