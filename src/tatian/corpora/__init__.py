"""Readers of raw corpora: files, directories, web pages, JSONL."""

from tatian.corpora.reading import iterate, read

__all__ = ["iterate", "read"]
