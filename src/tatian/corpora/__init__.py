"""Readers of raw corpora: files, directories, web pages, JSONL."""
