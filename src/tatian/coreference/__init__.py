"""Coreference resolution by the MUC-6 definition."""

from __future__ import annotations

from pathlib import Path

from tatian.assets import sections

_SECTIONS = sections(Path(__file__).with_name("words.txt"))
LISTS = {name: frozenset(text.split()) for name, text in _SECTIONS.items()}
"""Classes of words that the rules use, by name."""
LINES = {name: [line.split() for line in text.splitlines()] for name, text in _SECTIONS.items()}
"""Words of each line of a class."""
