"""The errors of one document: the steps that turn its response into its key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tatian.coreference.comparing.kinds import FORMS, ORDER, Form
from tatian.coreference.comparing.matching import Pairs
from tatian.coreference.comparing.result import Error, Side, parts_of


def find_errors(key: Side, response: Side, pairs: Pairs, shifted: Pairs) -> tuple[Error, ...]:
    """Every step, in the order in which they are taken."""
    to_response = dict((*pairs, *shifted))
    to_key = {mine: theirs for theirs, mine in to_response.items()}
    found = [
        *_span_errors(key, shifted),
        *_errors_of_response(key, response, to_key),
        *_errors_of_key(key, response, to_response),
    ]
    return tuple(sorted(found, key=lambda error: ORDER.index(error.kind)))


def _span_errors(key: Side, shifted: Pairs) -> Iterator[Error]:
    for theirs, mine in shifted:
        yield Error("span", key.mentions[theirs].form, (theirs,), (mine,))


def _errors_of_response(key: Side, response: Side, to_key: dict[int, int]) -> Iterator[Error]:
    """What to remove and what to split off: the largest part of a chain stays."""
    for members in response.members:
        parts = parts_of(members, key, to_key)
        extra = [index for index in members if index not in to_key]
        if not parts:
            yield Error("extra-entity", _form(response, extra), response=tuple(extra))
            continue
        for index in extra:
            yield Error("extra-mention", response.mentions[index].form, response=(index,))
        for part in parts[1:]:
            theirs = tuple(to_key[index] for index in part.mentions)
            form = _form(response, part.mentions)
            yield Error("conflated-entity", form, theirs, part.mentions)


def _errors_of_key(key: Side, response: Side, to_response: dict[int, int]) -> Iterator[Error]:
    """What to merge into the largest part of a chain, and what to introduce."""
    for members in key.members:
        parts = parts_of(members, response, to_response)
        absent = [index for index in members if index not in to_response]
        missing = [index for index in absent if not key.mentions[index].mention.optional]
        if not parts:
            if missing and not _stands_alone_by_option(members, missing):
                yield Error("missing-entity", _form(key, missing), tuple(missing))
            continue
        target = to_response[parts[0].mentions[0]]
        for part in parts[1:]:
            mine = tuple(to_response[index] for index in part.mentions)
            form = _form(key, part.mentions)
            yield Error("divided-entity", form, part.mentions, mine, target)
        for index in missing:
            form = key.mentions[index].form
            yield Error("missing-mention", form, (index,), target=target)


def _stands_alone_by_option(members: tuple[int, ...], missing: list[int]) -> bool:
    """MUC-6 §1.5: a mention linked only to optional ones need not be found when they are not."""
    return len(members) > 1 == len(missing)


def _form(side: Side, mentions: Iterable[int]) -> Form:
    return min((side.mentions[index].form for index in mentions), key=FORMS.index)
