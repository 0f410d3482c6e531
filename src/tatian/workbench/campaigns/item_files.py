"""Read the items of a campaign from files: rename columns, locate mistakes, refuse archives."""

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
from tatian.workbench.storage import codec
from tatian.workbench.tasks import NewItem, Task
from tatian.workbench.tasks.items import Json, make_item, read_header, read_rows
from tatian.workbench.tasks.items import item_gold as gold_of

_QUOTED_CHARACTERS = 200
"""Maximum number of characters of a key that an error quotes."""
_CONTENT = "content"
"""Column with an item's content as JSON, as in an export of items."""
_HEAD = 2**20
"""Number of bytes within which the header of a table must end."""
_MAX_NAME_WORDS = 5
"""Maximum number of words of a column's name."""
_SENTENCE_ENDS = (".", "!", "?")
_NO_ITEMS = (
    "the file contains no items: a table needs one row per item below its header, "
    "JSONL one line per item"
)
_PACKED = re.compile(r"\.gz$", re.IGNORECASE)


def read_items(
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
    """Read the items of a file.

    `mapping` maps our names of columns to those of the file. `stage` and `test` put all items into
    a stage or among the hidden tests; both need gold in the file, except the stage `production`.
    Without `gold`, answers in the file are left out. `prefix` goes before each key.
    """
    refuse_binary(data[:512], name)
    if not data.strip():
        raise EmptyInput("empty: there is nothing in it", path=name)
    limit = limits.CAMPAIGN_FILE_ITEMS
    plain_name = _PACKED.sub("", name)
    items = task.read(plain_name, data, mapping or {})
    if not mapping and _CONTENT not in task.columns and has_column(name, data, _CONTENT):
        items = read_rows(plain_name, data, {}, partial(_item_from_content, task))
    try:
        new_items = list(islice(items, limit + 1))
    except InputError as error:
        if not _is_prose(plain_name, data):
            raise
        raise InputError(_expected_format(task), path=name) from error
    if not new_items:
        message = _expected_format(task) if _is_prose(plain_name, data) else _NO_ITEMS
        raise EmptyInput(message, path=name)
    if len(new_items) > limit:
        raise InputError(f"more than {limit:,} items: divide the file", path=name)
    changed = [
        replace(
            new_item,
            key=prefix + new_item.key,
            stage=new_item.stage if stage is None else stage,
            test=new_item.test or test,
            gold=new_item.gold if gold else None,
        )
        for new_item in new_items
    ]
    _check_keys(changed, name)
    for new_item in changed:
        if new_item.gold is None and (stage not in (None, production) or new_item.test):
            what = "a hidden test" if new_item.test else "an item of a training stage"
            raise InputError(f"item '{new_item.key}' is {what} without a right answer", path=name)
    return changed


def _is_prose(name: str, data: bytes) -> bool:
    """Return True if the first line is a sentence, not the names of columns."""
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if data.startswith((b"{", b"[")):
        return False
    names = read_header(data[:_HEAD].decode("utf-8", "replace"), name)
    return any(
        len(name.split()) > _MAX_NAME_WORDS or name.endswith(_SENTENCE_ENDS) for name in names
    )


def _expected_format(task: Task) -> str:
    return (
        "plain text, no items: give JSONL, with a line such as "
        f'{{"{task.columns[0]}": "1", "{task.columns[1]}": ...}} for each item, or a table (CSV, '
        f"TSV) whose first line names its columns; this task reads {', '.join(task.columns)}"
    )


def has_column(name: str, data: bytes, column: str) -> bool:
    """Return True if the header of a table, or the first line of JSONL, has that column."""
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not data.startswith(b"{"):
        text = data[:_HEAD].decode("utf-8", "replace")
        return column in read_header(text, _PACKED.sub("", name))
    try:
        return column in msgspec.json.decode(data.partition(b"\n")[0], type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _item_from_content(task: Task, row: Json, number: int) -> NewItem:
    """Return an item from a row with its content, as ``campaign export --to items`` writes it."""
    content = row[_CONTENT]
    if isinstance(content, str):
        try:
            content = msgspec.json.decode(content)
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
            raise InputError(f"'{_CONTENT}' is not JSON: {error}") from error
    checked, gold = task.content(content), gold_of(row)
    return make_item(row, number, checked, None if gold is None else task.gold(checked, gold))


def parse_mapping(pairs: Iterable[str]) -> dict[str, str]:
    """Return a mapping from several ``ours=theirs``."""
    mapping: dict[str, str] = {}
    for pair in pairs:
        our_name, equals, file_name = (piece.strip() for piece in pair.partition("="))
        if not (our_name and equals and file_name):
            raise InputError(f"'{pair}' maps nothing: write ours=theirs")
        if mapping.setdefault(our_name, file_name) != file_name:
            raise InputError(f"'{our_name}' is mapped twice")
    return mapping


def _check_keys(new: list[NewItem], name: str) -> None:
    seen: set[str] = set()
    limit = limits.ITEM_KEY_CHARACTERS
    for key in (new_item.key for new_item in new):
        quoted = f"'{short(key, _QUOTED_CHARACTERS)}'"
        if not key or len(key) > limit or codec.UNPRINTABLE.search(key):
            advice = f"give it an id of at most {limit} characters, all printable"
            raise InputError(f"{quoted} cannot name an item: {advice}", path=name)
        if key in seen:
            raise InputError(f"two items are called {quoted}", path=name)
        seen.add(key)
