"""Prompt of the local judge: source documents first, then one sentence a turn."""

from __future__ import annotations

from collections.abc import Sequence

RULES = (
    "You check sentences against several accounts of one event. Answer yes if the accounts support "
    "every part of the sentence, exactly as it is put; else answer no."
)
HEAD = f"<|im_start|>system\n{RULES}<|im_end|>\n<|im_start|>user\n"
FOOT = "<|im_end|>\n"
TURN, ANSWER = "<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n"
YES, NO = "yes", "no"


def describe_source(text: str, source: str = "", date: str = "") -> str:
    """Describe a source document, with its name and date in front where they are known."""
    known = ", ".join(filter(None, (source, date)))
    return plain(f"Account ({known}): {text}" if known else f"Account: {text}")


def sources_prompt(sources: Sequence[str]) -> str:
    """Return the start that all sentences share, so that the model reads it once."""
    return HEAD + "\n\n".join(sources) + FOOT


def sentence_prompt(sentence: str, before: str = "") -> str:
    """Return the turn of one sentence; `before` is the sentence in front of it in its text."""
    context = f"Before it: {plain(before)}\n" if before else ""
    return f"{TURN}{context}Sentence: {plain(sentence)}{ANSWER}"


def plain(text: str) -> str:
    """Return the text on one line, without anything that could end its turn."""
    return " ".join(text.replace("<|", "< |").split())
