"""Items from the bytes of files: columns renamed, mistakes located, archives refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import islice

import msgspec
from msgspec.structs import replace

from tatian import limits
from tatian.corpora.decoding import refuse_binary
from tatian.errors import EmptyInput, InputError
from tatian.views.wording import short
from tatian.workbench.storage import plain
from tatian.workbench.tasks import NewItem, Task
from tatian.workbench.tasks.items import Plain, each, header, item
from tatian.workbench.tasks.items import gold as gold_of

_CELL = 200
_CONTENT = "content"
"""The column of an item's whole content, as an export of items has it."""
_HEAD = 2**20
"""Bytes within which the header of a table ends."""
_LONGEST_NAME = 5
"""Words that the name of a column has at most."""
_ENDS = (".", "!", "?")
_NOTHING = "no items in it: a table needs a row for each below its header, JSONL a line for each"
_PACKED = re.compile(r"\.gz$", re.IGNORECASE)


def items(
    task: Task,
    name: str,
    data: bytes,
    mapping: Mapping[str, str] | None = None,
    *,
    stage: int | None = None,
    production: int | None = None,
    test: bool = False,
    gold: bool = True,
    prefix: str = "",
) -> list[NewItem]:
    """The items of a file that the task can read.

    `mapping` says what the file calls our columns: {ours: theirs}. `stage` and `test` put all of
    them into a stage or among the hidden tests; both need gold in the file, but for the stage that
    is `production`. Without `gold` the answers that a file has are left out. `prefix` goes before
    each key.
    """
    refuse_binary(data[:512], name)
    if not data.strip():
        raise EmptyInput("empty: there is nothing in it", path=name)
    most = limits.CAMPAIGN_FILE_ITEMS
    plain_name = _PACKED.sub("", name)
    read = task.read(plain_name, data, mapping or {})
    if not mapping and _CONTENT not in task.columns and has_column(name, data, _CONTENT):
        read = each(plain_name, data, {}, partial(_whole, task))
    try:
        found = list(islice(read, most + 1))
    except InputError as error:
        if not _is_prose(plain_name, data):
            raise
        raise InputError(_wanted(task), path=name) from error
    if not found:
        raise EmptyInput(_wanted(task) if _is_prose(plain_name, data) else _NOTHING, path=name)
    if len(found) > most:
        raise InputError(f"more than {most:,} items: divide the file", path=name)
    changed = [
        replace(
            one,
            key=prefix + one.key,
            stage=one.stage if stage is None else stage,
            test=one.test or test,
            gold=one.gold if gold else None,
        )
        for one in found
    ]
    _check_keys(changed, name)
    for one in changed:
        if one.gold is None and (stage not in (None, production) or one.test):
            what = "a hidden test" if one.test else "an item of a training stage"
            raise InputError(f"item '{one.key}' is {what} without a right answer", path=name)
    return changed


def _is_prose(name: str, data: bytes) -> bool:
    """Whether the first line is a sentence, where a table has the names of its columns."""
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if data.startswith((b"{", b"[")):
        return False
    names = header(data[:_HEAD].decode("utf-8", "replace"), name)
    return any(len(name.split()) > _LONGEST_NAME or name.endswith(_ENDS) for name in names)


def _wanted(task: Task) -> str:
    return (
        "plain text, no items: give JSONL, with a line such as "
        f'{{"{task.columns[0]}": "1", "{task.columns[1]}": ...}} for each item, or a table (CSV, '
        f"TSV) whose first line names its columns; this task reads {', '.join(task.columns)}"
    )


def has_column(name: str, data: bytes, column: str) -> bool:
    """Whether the header of a table, or the first line of JSONL, has a column of that name."""
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not data.startswith(b"{"):
        text = data[:_HEAD].decode("utf-8", "replace")
        return column in header(text, _PACKED.sub("", name))
    try:
        return column in msgspec.json.decode(data.partition(b"\n")[0], type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _whole(task: Task, row: Plain, number: int) -> NewItem:
    """An item as ``campaign export --to items`` writes it: with its whole content."""
    content = row[_CONTENT]
    if isinstance(content, str):
        try:
            content = msgspec.json.decode(content)
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
            raise InputError(f"'{_CONTENT}' is not JSON: {error}") from error
    checked, right = task.content(content), gold_of(row)
    return item(row, number, checked, None if right is None else task.gold(checked, right))


def mapped(pairs: Iterable[str]) -> dict[str, str]:
    """A mapping from several ``ours=theirs``."""
    found: dict[str, str] = {}
    for pair in pairs:
        ours, equals, theirs = (piece.strip() for piece in pair.partition("="))
        if not (ours and equals and theirs):
            raise InputError(f"'{pair}' maps nothing: write ours=theirs")
        if found.setdefault(ours, theirs) != theirs:
            raise InputError(f"'{ours}' is mapped twice")
    return found


def _check_keys(found: list[NewItem], name: str) -> None:
    seen: set[str] = set()
    most = limits.ITEM_KEY_CHARACTERS
    for one in found:
        if not one.key or len(one.key) > most or plain.UNPRINTABLE.search(one.key):
            raise InputError(
                f"'{short(one.key, _CELL)}' cannot name an item: give it an id of at most {most} "
                "characters, all printable",
                path=name,
            )
        if one.key in seen:
            raise InputError(f"two items are called '{short(one.key, _CELL)}'", path=name)
        seen.add(one.key)
