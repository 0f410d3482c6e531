"""Reading the instances that the union commands work on."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from tatian.cli.common import say

if TYPE_CHECKING:
    from tatian.union.data import Format, Instance


def read_instances(path: str, quiet: bool) -> tuple[list[Instance], Format]:
    """Instances from a file or standard input, plain or gzipped, CSV or JSONL."""
    from tatian.corpora.decoding import decode
    from tatian.corpora.opening import open_stream
    from tatian.union import data

    def warn(message: str) -> None:
        if not quiet:
            say("warning", message)

    with open_stream(path) as stream:
        text = decode(stream.read(), stream.name, warn)
    form: Format = "jsonl" if text.lstrip("\ufeff \t\r\n").startswith("{") else "csv"
    lines = io.StringIO(text, newline="")
    return list(data.parse(lines, form, path=stream.name)), form
