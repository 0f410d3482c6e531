"""Annotators confirm or reject what others linked: the second round of the mention benchmark.

Mass et al. 2018, §3 and §8.2. Each candidate, a place with a page, is judged on its own; what six
in ten confirm is the ground truth, and all else is rejected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from tatian import limits
from tatian.errors import InputError
from tatian.mentions.annotation import Confirmation, LinkedTerm, MentionVerdict, ground_truth
from tatian.text import Document
from tatian.workbench.settings import CampaignStage, RuleName
from tatian.workbench.tasks import Exported, NewItem, Plain, Records, Task
from tatian.workbench.tasks.agreement import (
    AnswerDispute,
    Answers,
    ByItem,
    Contents,
    Measure,
    Settled,
    VotingRule,
)
from tatian.workbench.tasks.detection import DetectionItem, pages, text_of
from tatian.workbench.tasks.detection.agreement import kappa, mentions, records, rounds, typed
from tatian.workbench.tasks.detection.pages import KnownPage
from tatian.workbench.tasks.detection.reading import linked, read
from tatian.workbench.tasks.detection.rules import detected
from tatian.workbench.tasks.items import converted, form, plain


class ConfirmationItem(DetectionItem, frozen=True, omit_defaults=True):
    """An item as it is stored: a text and what is linked in it."""

    candidates: Annotated[
        tuple[LinkedTerm, ...], Meta(min_length=1, max_length=limits.CONFIRMATION_LINKS)
    ] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(set(self.candidates)) != len(self.candidates):
            raise ValueError("the same candidate twice")
        for one in self.candidates:
            one.check(self.text)


class PageVerdicts(Struct, frozen=True):
    """What the page sends: yes or no to each candidate as it was shown."""

    verdicts: tuple[bool, ...]


class ReasonedVerdict(MentionVerdict, frozen=True, omit_defaults=True):
    """The right verdict, and why."""

    why: str = ""


class ConfirmationGold(Struct, frozen=True, omit_defaults=True):
    """The right verdicts on all candidates."""

    verdicts: tuple[ReasonedVerdict, ...]
    note: str = ""


_content = form(ConfirmationItem, "not links to confirm")


class ConfirmationTask(Task):
    """Confirmation of links."""

    name = "mentions.confirm"
    title = "Confirm links to Wikipedia pages"
    folder = Path(__file__).parent
    module = "confirmation.js"
    columns = ("id", "text", "topic", "mentions")
    holds = staticmethod(_content)
    usual_rule: RuleName = "six-of-ten"
    demo_stages = (
        CampaignStage("training", feedback=True),
        CampaignStage("harder cases", feedback=True, pass_mark=0.7),
        CampaignStage("confirming"),
    )

    def read(self, name: str, data: bytes, mapping: Mapping[str, str]) -> Iterable[NewItem]:
        """Texts with links: JSONL, a table, NIF, AIDA or another format of mentions.

        Each page of each mention is a candidate; so is what anybody linked, of labelers' records.
        Texts without any are passed over.
        """
        return read(name, data, mapping, self._made, needs=("text", "mentions"), answers=True)

    def gold(self, content: Plain, gold: Plain) -> Plain:
        """A verdict on each candidate, in their order."""
        candidates, given = _content(content).candidates, _gold(gold)
        judged = {one.mention: one for one in given.verdicts}
        strange, missing = judged.keys() - set(candidates), set(candidates) - judged.keys()
        for one in sorted(strange or missing):
            what = "is no candidate" if strange else "has no verdict"
            raise InputError(f"gold: '{one.term}' at {one.start}..{one.end} ({one.title}) {what}")
        return plain(ConfirmationGold(tuple(judged[one] for one in candidates), given.note))

    def check_options(self, options: Plain) -> None:
        """Refuse a knowledge base that cannot be opened."""
        pages.check(options)

    def shown(self, content: Plain, seed: int, options: Plain) -> Plain:
        """The text and the candidates, each with what its page is about."""
        item = _content(content)
        about = _described(item, options)
        return {
            "text": item.text,
            "topic": item.topic,
            "candidates": [
                {
                    "start": one.start,
                    "end": one.end,
                    "title": one.title,
                    "description": about[one.title].description,
                    "kind": about[one.title].kind,
                }
                for one in item.candidates
            ],
        }

    def received(self, content: Plain, seed: int, options: Plain, answer: Any) -> Plain:
        """A verdict on every candidate."""
        item = _content(content)
        given = converted(answer, PageVerdicts, "not an answer of this page").verdicts
        if len(given) != len(item.candidates):
            raise InputError(
                f"{len(given)} verdicts on {len(item.candidates)} candidates: judge each of them"
            )
        return plain(Confirmation(tuple(map(MentionVerdict, item.candidates, given))))

    def restored(self, content: Plain, seed: int, options: Plain, answer: Plain) -> Plain:
        """Yes or no to each candidate in their order."""
        confirmed = _confirmation(answer).confirmed
        return {"verdicts": [one in confirmed for one in _content(content).candidates]}

    def score(self, content: Plain, gold: Plain, answer: Plain) -> float:
        """The share of candidates that are judged rightly."""
        right = {one.mention: one.confirmed for one in _gold(gold).verdicts}
        given = _confirmation(answer).verdicts
        same = sum(right.get(one.mention) is one.confirmed for one in given)
        return same / max(1, len(right))

    def feedback(self, content: Plain, gold: Plain, answer: Plain) -> Plain:
        """The right verdicts, to lay beside one's own."""
        by_term = {one.mention: one for one in _gold(gold).verdicts}
        right = [
            {"confirmed": by_term[one].confirmed, "why": by_term[one].why}
            for one in _content(content).candidates
            if one in by_term
        ]
        return {**super().feedback(content, gold, answer), "gold": right}

    def suggest(self, content: Plain) -> Plain | None:
        """Yes to what our own linker links too; None where it links nothing."""
        item = _content(content)
        found = detected(item.text, item.topic)
        if not found:
            return None
        return {"verdicts": [one in found for one in item.candidates], "at": 0}

    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """Every labeler's verdicts, and the ground truth: what six in ten of them confirmed."""
        texts = {item.key: text_of(item) for item in items}
        found = typed(records, texts, Confirmation)
        yield Exported.lines("confirmations.jsonl", rounds(found, texts))
        yield Exported("mentions.jsonl", mentions(ground_truth(texts.values(), found)))

    def agreement(self, contents: Contents, answers: ByItem) -> Sequence[Measure]:
        """The benchmark's average pairwise kappa of the second round."""
        from tatian.mentions import annotation as ground_truth

        given = records(answers, Confirmation, self.name)
        found = ground_truth.agreement((), given).confirmation
        return [kappa(found, "yes or no to each candidate")]

    def settled(self, content: Plain, answers: Answers, rule: VotingRule) -> Settled:
        """Confirmed is what enough annotators confirm; all else is rejected, a tie, too (§3)."""
        item = _content(content)
        given = {person: _confirmation(answer).confirmed for person, answer in answers.items()}
        if not given:
            return Settled(None)
        counts = [sum(one in yes for yes in given.values()) for one in item.candidates]
        verdicts = tuple(
            MentionVerdict(one, rule.accepts(count, len(given)))
            for one, count in zip(item.candidates, counts, strict=True)
        )
        return Settled(plain(Confirmation(verdicts)), tuple(_disputes(verdicts, given)))

    def asked(self, text: Document, links: Sequence[LinkedTerm]) -> Plain:
        """The content of an item: a text, and what is linked in it."""
        topic = text.metadata.topic or ""
        candidates = msgspec.to_builtins(links)
        return self.content({"text": text.text, "topic": topic, "candidates": candidates})

    def _made(self, text: Document, gold: Plain | None) -> tuple[Plain, Plain | None] | None:
        links = linked(text)
        if not links:
            return None
        content = self.asked(text, links)
        return content, None if gold is None else self.gold(content, gold)


_confirmation = form(Confirmation, "not verdicts")
_gold = form(ConfirmationGold, "gold")


def _described(item: ConfirmationItem, options: Plain) -> dict[str, KnownPage]:
    titles = {one.title for one in item.candidates}
    try:
        base = pages.opened(options)
        return {title: pages.known(base, title) for title in titles}
    except InputError:  # without the base, titles still can be judged
        return {title: KnownPage(title) for title in titles}


def _disputes(
    verdicts: Iterable[MentionVerdict], given: Mapping[str, frozenset[LinkedTerm]]
) -> Iterator[AnswerDispute]:
    for verdict in verdicts:
        one = verdict.mention
        said = {person: _said(one in yes) for person, yes in given.items()}
        if len(set(said.values())) > 1:
            where = f"“{one.term}” ({one.start}–{one.end}): {one.title}"
            yield AnswerDispute(where, said, _said(verdict.confirmed))


def _said(confirmed: bool) -> str:
    return "yes" if confirmed else "no"
