"""Bytes from wherever the user keeps them, under the name that readers of corpora know."""

from tatian.text.opening import LIMIT, STDIN, Stream, open_stream, printable, unreadable

__all__ = ["LIMIT", "STDIN", "Stream", "open_stream", "printable", "unreadable"]
