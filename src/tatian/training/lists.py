"""Lists of words that training uses, by the sections of ``words.txt``."""

from __future__ import annotations

from pathlib import Path

from tatian.assets import sections

LISTS = sections(Path(__file__).with_name("words.txt"))
