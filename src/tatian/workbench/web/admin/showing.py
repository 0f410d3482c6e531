"""Answers as people read them: a span shows the words that it marks, not only where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SPAN = {"start", "end", "sentence"}
"""What a span has, and nothing else; without `sentence` it is of the merged sentence."""


def readable(value: Any, content: Mapping[str, Any]) -> Any:
    """The same value with every span of the content's texts in words."""
    if isinstance(value, Mapping):
        words = _words(value, content)
        return words or {name: readable(inner, content) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [readable(inner, content) for inner in value]
    return value


def _words(value: Mapping[str, Any], content: Mapping[str, Any]) -> str:
    """What a span marks; empty where it is none, or marks nothing of these texts."""
    start, end, sentence = (value.get(name) for name in ("start", "end", "sentence"))
    if set(value) - _SPAN or not isinstance(start, int) or not isinstance(end, int):
        return ""
    if sentence is None:
        text = content.get("merged")
        where = ""
    else:
        texts = content.get("sentences")
        known = isinstance(sentence, int) and isinstance(texts, list) and sentence < len(texts)
        text = texts[sentence] if known and texts else None
        where = f" (sentence {sentence + 1})" if known else ""
    if not isinstance(text, str) or not 0 <= start < end <= len(text):
        return ""
    return f"“{text[start:end]}”{where}"
