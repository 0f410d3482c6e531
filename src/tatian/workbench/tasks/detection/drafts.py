"""Our own linker's work as a draft of the detection page, and its opinion on candidates."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

from tatian.errors import TatianError
from tatian.formats.records import LinkedText
from tatian.mentions.annotation import Detection, LinkedTerm
from tatian.workbench.tasks import Plain
from tatian.workbench.tasks.detection.rules import check, is_pronoun, nested

if TYPE_CHECKING:
    from tatian.mentions.models import Detector

_turn = threading.Lock()


def draft(text: str, topic: str) -> Plain | None:
    """Links as the page keeps them; None where no model helps."""
    found = detected(text, topic)
    if not found:
        return None
    links = [{"start": one.start, "end": one.end, "title": one.title} for one in found]
    return {"mentions": links, "typed": "", "none": False}


def detected(text: str, topic: str) -> tuple[LinkedTerm, ...]:
    """What the default linker finds, as far as it keeps to the rules; nothing where it fails."""
    from tatian.mentions.detecting import detect_all

    try:
        with _turn:
            (found,) = detect_all([LinkedText("item", text, topic)], _linker())
        return _allowed(found)
    except TatianError:
        return ()


@cache
def _linker() -> Detector:
    from tatian.mentions.models import detectors

    return detectors.create()


def _allowed(found: LinkedText) -> tuple[LinkedTerm, ...]:
    links = [link for one in found.mentions if (link := _link(one.term, one.start, one.titles))]
    kept = sorted({link for link in links if not is_pronoun(link.term)})
    inner = {shorter for shorter, _ in nested(kept)}
    chosen = Detection(tuple(link for link in kept if link not in inner))
    check(found.text, chosen)
    return chosen.mentions


def _link(term: str, start: int, titles: tuple[str, ...]) -> LinkedTerm | None:
    try:
        return LinkedTerm(start, start + len(term), term, titles[0]) if titles else None
    except ValueError:  # a page that the guidelines rule out
        return None
