"""Annotation task: confirm or reject links of others (second round of the mention benchmark).

Mass et al. 2018, §3 and §8.2. Each candidate, a phrase with a page, is judged on its own. The
candidates that six in ten confirm are the ground truth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from tatian import limits
from tatian.errors import InputError
from tatian.formats.labels import Confirmation, LinkedTerm, MentionVerdict
from tatian.mentions.annotation import ground_truth
from tatian.text import Document
from tatian.workbench.settings import CampaignStage, RuleName
from tatian.workbench.tasks import Exported, Json, NewItem, Records, Task
from tatian.workbench.tasks.agreement import (
    AnswerDifference,
    Answers,
    AnswersByItem,
    Contents,
    Measure,
    Settled,
    VotingRule,
    find_difference,
)
from tatian.workbench.tasks.detection import (
    DetectionItem,
    encode_mentions,
    kappa_measure,
    pages,
    text_of,
    to_records,
    typed_records,
    with_texts,
)
from tatian.workbench.tasks.detection.files import linked_terms, read
from tatian.workbench.tasks.detection.pages import KnownPage
from tatian.workbench.tasks.detection.rules import detect_links
from tatian.workbench.tasks.items import convert, converter, to_json


class ConfirmationItem(DetectionItem, frozen=True, omit_defaults=True):
    """An item as it is stored: a text with its links."""

    candidates: Annotated[
        tuple[LinkedTerm, ...], Meta(min_length=1, max_length=limits.CONFIRMATION_LINKS)
    ] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(set(self.candidates)) != len(self.candidates):
            raise ValueError("the same candidate twice")
        for candidate in self.candidates:
            candidate.check(self.text)


class PageVerdicts(Struct, frozen=True):
    """Answer from the page: yes or no to each candidate, in the order shown."""

    verdicts: tuple[bool, ...]


class ReasonedVerdict(MentionVerdict, frozen=True, omit_defaults=True):
    """The right verdict on a candidate."""

    why: str = ""
    """Reason."""


class ConfirmationGold(Struct, frozen=True, omit_defaults=True):
    """The right verdicts on all candidates."""

    verdicts: tuple[ReasonedVerdict, ...]
    note: str = ""
    """Reason, for all of them."""


_NO_OR_YES = ("no", "yes")
_content = converter(ConfirmationItem, "not links to confirm")


class ConfirmationTask(Task):
    """Task of confirming links."""

    name = "mentions.confirm"
    title = "Confirm links to Wikipedia pages"
    folder = Path(__file__).parent
    module = "confirmation.js"
    columns = ("id", "text", "topic", "mentions")
    convert_item = staticmethod(_content)
    usual_rule: RuleName = "six-of-ten"
    demo_stages = (
        CampaignStage("training", feedback=True),
        CampaignStage("harder cases", feedback=True, pass_mark=0.7),
        CampaignStage("confirming"),
    )

    def read(self, name: str, data: bytes, mapping: Mapping[str, str]) -> Iterable[NewItem]:
        """Read texts with links: JSONL, a table, NIF, AIDA or another format of mentions.

        Each page of each mention is a candidate; of a file of answers, every link of anyone. Texts
        without candidates are skipped.
        """
        return read(
            name, data, mapping, self._content_and_gold, needs=("text", "mentions"), answers=True
        )

    def gold(self, content: Json, gold: Json) -> Json:
        """Return a verdict on each candidate, in order."""
        candidates, right = _content(content).candidates, _gold(gold)
        judged = {verdict.mention: verdict for verdict in right.verdicts}
        strange, missing = judged.keys() - set(candidates), set(candidates) - judged.keys()
        for link in sorted(strange or missing):
            what = "is no candidate" if strange else "has no verdict"
            where = f"at {link.start}..{link.end} ({link.title})"
            raise InputError(f"gold: '{link.term}' {where} {what}")
        return to_json(ConfirmationGold(tuple(judged[link] for link in candidates), right.note))

    def check_options(self, options: Json) -> None:
        """Refuse a knowledge base that cannot be opened."""
        pages.check(options)

    def to_page(self, content: Json, seed: int, options: Json) -> Json:
        """Return the text and the candidates with the descriptions of their pages."""
        item = _content(content)
        about = _describe(item, options)
        return {
            "text": item.text,
            "topic": item.topic,
            "candidates": [
                {
                    "start": candidate.start,
                    "end": candidate.end,
                    "title": candidate.title,
                    "description": about[candidate.title].description,
                    "kind": about[candidate.title].kind,
                }
                for candidate in item.candidates
            ],
        }

    def from_page(self, content: Json, seed: int, options: Json, answer: Any) -> Json:
        """Return a verdict on every candidate."""
        item = _content(content)
        verdicts = convert(answer, PageVerdicts, "not an answer of this page").verdicts
        if len(verdicts) != len(item.candidates):
            raise InputError(
                f"{len(verdicts)} verdicts on {len(item.candidates)} candidates: judge each of them"
            )
        return to_json(Confirmation(tuple(map(MentionVerdict, item.candidates, verdicts))))

    def answer_to_page(self, content: Json, seed: int, options: Json, answer: Json) -> Json:
        """Return yes or no for each candidate, in order."""
        confirmed = _confirmation(answer).confirmed
        return {"verdicts": [candidate in confirmed for candidate in _content(content).candidates]}

    def score(self, content: Json, gold: Json, answer: Json) -> float:
        """Return the share of candidates with the right verdict."""
        right = {verdict.mention: verdict.confirmed for verdict in _gold(gold).verdicts}
        verdicts = _confirmation(answer).verdicts
        same = sum(right.get(verdict.mention) is verdict.confirmed for verdict in verdicts)
        return same / max(1, len(right))

    def feedback(self, content: Json, gold: Json, answer: Json) -> Json:
        """Return the right verdicts, to compare with the person's own."""
        by_term = {verdict.mention: verdict for verdict in _gold(gold).verdicts}
        right = [
            {"confirmed": by_term[candidate].confirmed, "why": by_term[candidate].why}
            for candidate in _content(content).candidates
            if candidate in by_term
        ]
        return {**super().feedback(content, gold, answer), "gold": right}

    def suggest(self, content: Json) -> Json | None:
        """Return yes for each candidate that Tatian's linker links too; None without any link."""
        item = _content(content)
        links = detect_links(item.text, item.topic)
        if not links:
            return None
        return {"verdicts": [candidate in links for candidate in item.candidates], "at": 0}

    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """Yield every annotator's verdicts, and the ground truth that six in ten confirmed."""
        texts = {item.key: text_of(item) for item in items}
        answers = typed_records(records, texts, Confirmation)
        yield Exported.lines("confirmations.jsonl", with_texts(answers, texts))
        yield Exported("mentions.jsonl", encode_mentions(ground_truth(texts.values(), answers)))

    def agreement(self, contents: Contents, answers: AnswersByItem) -> Sequence[Measure]:
        """Return the benchmark's average pairwise kappa of the second round."""
        from tatian.mentions import annotation as ground_truth

        confirmations = to_records(answers, Confirmation, self.name)
        pairwise = ground_truth.agreement((), confirmations).confirmation
        return [kappa_measure(pairwise, "yes or no to each candidate")]

    def settle(self, content: Json, answers: Answers, rule: VotingRule) -> Settled:
        """Return the candidates that enough annotators confirm; ties are rejected too (§3)."""
        item = _content(content)
        by_person = {person: _confirmation(answer).confirmed for person, answer in answers.items()}
        if not by_person:
            return Settled(None)
        verdicts = []
        differences: list[AnswerDifference] = []
        for candidate in item.candidates:
            labels = {person: _NO_OR_YES[candidate in yes] for person, yes in by_person.items()}
            is_confirmed = rule.accepts(Counter(labels.values())["yes"], len(labels))
            verdicts.append(MentionVerdict(candidate, is_confirmed))
            where = f"“{candidate.term}” ({candidate.start}–{candidate.end}): {candidate.title}"
            differences += find_difference(where, labels, _NO_OR_YES[is_confirmed])
        return Settled(to_json(Confirmation(tuple(verdicts))), tuple(differences))

    def item_content(self, text: Document, links: Sequence[LinkedTerm]) -> Json:
        """Return the content of an item: a text with its links."""
        topic = text.metadata.topic or ""
        candidates = msgspec.to_builtins(links)
        return self.content({"text": text.text, "topic": topic, "candidates": candidates})

    def _content_and_gold(
        self, text: Document, gold: Json | None
    ) -> tuple[Json, Json | None] | None:
        links = linked_terms(text)
        if not links:
            return None
        content = self.item_content(text, links)
        return content, None if gold is None else self.gold(content, gold)


_confirmation = converter(Confirmation, "not verdicts")
_gold = converter(ConfirmationGold, "gold")


def _describe(item: ConfirmationItem, options: Json) -> dict[str, KnownPage]:
    """Return the descriptions of the candidates' pages, by title."""
    titles = {candidate.title for candidate in item.candidates}
    try:
        base = pages.campaign_base(options)
        return {title: pages.find_page(base, title) for title in titles}
    except InputError:  # Titles can be judged without the base.
        return {title: KnownPage(title) for title in titles}
