"""Readers of raw corpora: files, directories, web pages, JSONL."""

from tatian.corpora.reading import gathered, iterate, read

__all__ = ["gathered", "iterate", "read"]
