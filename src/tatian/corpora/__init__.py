"""Readers of raw corpora and of users' files: directories, web pages, documents, mail, JSONL."""

from tatian.corpora.reading import iterate, read, read_bytes, read_sources

__all__ = ["iterate", "read", "read_bytes", "read_sources"]
