"""Readers of raw corpora and of users' files: directories, web pages, documents, mail, JSONL."""

from tatian.corpora.reading import gathered, iterate, read, read_bytes

__all__ = ["gathered", "iterate", "read", "read_bytes"]
