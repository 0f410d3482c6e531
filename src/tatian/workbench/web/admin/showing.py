"""Answers as people read them: the words that a span marks, not only where they stand.

Sentences are counted from one, as on the annotators' pages, and what tells kinds of answers apart
in files (``"type": "written"``) is left out or said in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SPAN = {"start", "end", "sentence"}
"""What a span has, and nothing else; without `sentence` it is of the merged sentence."""


def readable(value: Any, content: Mapping[str, Any]) -> Any:
    """The same value with every span of the content's texts in words."""
    if isinstance(value, Mapping):
        words = _words(value, content)
        return words or {
            name: readable(inner, content) for name, inner in _told(value, content).items()
        }
    if isinstance(value, list | tuple):
        return [readable(inner, content) for inner in value]
    return value


def _told(value: Mapping[str, Any], content: Mapping[str, Any]) -> Mapping[str, Any]:
    """A union or the reason for none, in words; anything else as it is."""
    kind = value.get("type")
    if kind == "written":
        rest = {name: inner for name, inner in value.items() if name != "type"}
        base, texts = rest.get("base"), content.get("sentences")
        if isinstance(base, int) and isinstance(texts, list) and base < len(texts):
            rest["base"] = f"sentence {base + 1}"
        return rest
    if kind == "skipped":
        rest = {name: inner for name, inner in value.items() if name not in ("type", "reason")}
        return {"skipped": str(value.get("reason", "")).replace("-", " "), **rest}
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
