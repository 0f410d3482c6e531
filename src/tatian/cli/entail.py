"""``tatian entail``: does one text follow from another?"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import click
import msgspec

from tatian.cli.common import keep_inputs, progress_bar, writer
from tatian.cli.options import any_path, examples, output_option, quiet_option
from tatian.errors import EmptyInput, InputError

_FIELDS = ("premise", "hypothesis")


@click.command(
    epilog=examples(
        "tatian entail pairs.jsonl > judged.jsonl",
        "tatian entail pairs.jsonl.gz -o judged.jsonl",
    )
)
@click.argument("pairs", type=any_path)
@output_option
@quiet_option
def entail(pairs: str, output: str, quiet: bool) -> None:
    """Say whether each hypothesis follows from its premise.

    PAIRS is JSONL with "premise" and "hypothesis". Each record comes back with "label"
    (entailment, neutral or contradiction) and "probabilities" added, and all its other fields; a
    label that it had before is kept as "gold".
    """
    from tatian.analysis.meaning import entails_all
    from tatian.corpora.decoding import refuse_binary
    from tatian.text.streams import open_stream

    keep_inputs(output, (pairs,))
    with (
        open_stream(pairs) as stream,
        progress_bar(quiet=quiet) as progress,
        writer(output) as put,
    ):
        refuse_binary(stream.head(), stream.name)
        waiting: deque[dict[str, Any]] = deque()
        read = _pairs(stream.lines(), stream.name, waiting)
        for number, found in enumerate(entails_all(read), start=1):
            progress("judging pairs", number, number + len(waiting))
            record = waiting.popleft()
            if "label" in record:
                record.setdefault("gold", record["label"])
            record["label"] = found.label
            record["probabilities"] = found
            put(msgspec.json.encode(record).decode() + "\n")


def _pairs(
    lines: Iterable[tuple[int, bytes]], path: str, waiting: deque[dict[str, Any]]
) -> Iterator[tuple[str, str]]:
    """The texts of each record, which is put aside in `waiting`."""
    found = False
    for number, line in lines:
        content = line.removeprefix(b"\xef\xbb\xbf").strip()
        if not content:
            continue
        found = True
        record = _record(content, path, number)
        waiting.append(record)
        premise, hypothesis = (_text(record, field, path, number) for field in _FIELDS)
        yield premise, hypothesis
    if not found:
        raise EmptyInput("empty: there are no pairs in it", path=path)


def _record(content: bytes, path: str, number: int) -> dict[str, Any]:
    """The fields of one line, not decoded, so that they come back as they were."""
    from tatian.corpora.decoding import decode_utf8

    try:
        text = decode_utf8(content, path, number)
        return dict(msgspec.json.decode(text, type=dict[str, msgspec.Raw]))
    except (msgspec.DecodeError, RecursionError) as error:
        message = f"not a JSON object on one line: {error}".replace("`", "'")
        raise InputError(message, path=path, line=number) from error


def _text(record: dict[str, Any], field: str, path: str, number: int) -> str:
    try:
        return msgspec.json.decode(record[field], type=str)
    except (KeyError, msgspec.DecodeError) as error:
        message = f"the record needs '{field}', a text"
        raise InputError(message, path=path, line=number) from error
