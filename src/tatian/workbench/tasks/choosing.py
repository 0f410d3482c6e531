"""What tasks share in which people choose one of several words for each of some questions.

An answer is `ChosenAnswer`: a choice by question. The page, ``union.errors/choosing.js``, shows
texts and under them groups of questions.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from tatian import limits
from tatian.errors import InputError
from tatian.workbench.tasks import Plain, Task
from tatian.workbench.tasks.agreement import (
    AnswerDispute,
    Answers,
    ByItem,
    Contents,
    Measure,
    Settled,
    VotingRule,
    accepted,
    alpha,
    share_of_equal,
    shared,
)
from tatian.workbench.tasks.items import form, plain


class ChosenAnswer(Struct, frozen=True, omit_defaults=True):
    """A choice for each question; as gold, the note says why."""

    chosen: dict[str, str]
    note: str = ""


chosen = form(ChosenAnswer, "not choices")
_received = form(ChosenAnswer, "not an answer of this page")


class ChoosingTask(Task):
    """A task whose answer is one of `choices` for each of an item's questions."""

    choices: ClassVar[Mapping[str, str]]
    """What can be chosen, each with its meaning."""

    @abstractmethod
    def questions(self, content: Plain) -> Mapping[str, str]:
        """The questions of an item by their keys; before a colon stands what kind one is."""

    @abstractmethod
    def page(self, content: Plain, seed: int) -> Plain:
        """What the page shows: ``texts``, ``groups`` of questions."""

    def keys(self, content: Plain, seed: int) -> Mapping[str, str]:
        """The stored key of each question by the key that the page knows it by."""
        return {key: key for key in self.questions(content)}

    def shown(self, content: Plain, seed: int, options: Plain) -> Plain:
        """The texts, the questions, and what can be chosen."""
        choices = [{"name": name, "meaning": text} for name, text in self.choices.items()]
        return {**self.page(content, seed), "choices": choices}

    def gold(self, content: Plain, gold: Any) -> Plain:
        """The right choice for each question."""
        return plain(self._checked(content, chosen(gold)))

    def received(self, content: Plain, seed: int, options: Plain, answer: Any) -> Plain:
        """Choices under their stored keys; all questions are answered."""
        given, keys = _received(answer), self.keys(content, seed)
        if len(given.note) > limits.NOTE_CHARACTERS:
            raise InputError(f"the note is longer than {limits.NOTE_CHARACTERS} characters")
        named = {keys.get(name, name): choice for name, choice in given.chosen.items()}
        return plain(self._checked(content, ChosenAnswer(named, given.note.strip())))

    def restored(self, content: Plain, seed: int, options: Plain, answer: Plain) -> Plain:
        """Choices under the keys that this person's page has."""
        given = chosen(answer)
        places = self.keys(content, seed).items()
        known = {place: given.chosen[key] for place, key in places if key in given.chosen}
        return {"chosen": known, "note": given.note}

    def score(self, content: Plain, gold: Plain, answer: Plain) -> float:
        """The share of questions that are answered as in gold."""
        right, given = chosen(gold).chosen, chosen(answer).chosen
        return sum(given.get(key) == choice for key, choice in right.items()) / len(right)

    def feedback(self, content: Plain, gold: Plain, answer: Plain) -> Plain:
        """Each question with one's own choice and the right one; no key is among it."""
        right, given = chosen(gold), chosen(answer).chosen
        rows = [
            {"question": text, "own": given.get(key, ""), "gold": right.chosen[key]}
            for key, text in self.questions(content).items()
        ]
        return {"rows": rows, "note": right.note, "score": self.score(content, gold, answer)}

    def agreement(self, contents: Contents, answers: ByItem) -> Sequence[Measure]:
        """Alpha of each kind of question, and how often choices are equal."""
        units = [
            (key.partition(":")[0], {who: one.chosen[key] for who, one in given.items()})
            for content, given in self._shared(contents, answers)
            for key in self.questions(content)
        ]
        kinds = dict.fromkeys(kind for kind, _ in units)
        alphas = [
            alpha(
                f"alpha of {kind}",
                ([*unit.values()] for of, unit in units if of == kind),
                "nominal, questions",
            )
            for kind in kinds
        ]
        equal = share_of_equal("equal choices", (unit for _, unit in units), "pairs of choices")
        return [*alphas, equal]

    def settled(self, content: Plain, answers: Answers, rule: VotingRule) -> Settled:
        """The choice that enough people made, or else the most frequent, of each question."""
        given = {who: chosen(answer).chosen for who, answer in answers.items()}
        if not given:
            return Settled(None)
        answer: dict[str, str] = {}
        disputes: list[AnswerDispute] = []
        for key, text in self.questions(content).items():
            said = {who: one[key] for who, one in given.items() if key in one}
            if not said:
                continue
            agreed = accepted(said.values(), rule)
            answer[key] = agreed or Counter(sorted(said.values())).most_common(1)[0][0]
            if len(set(said.values())) > 1:
                disputes.append(AnswerDispute(text, dict(said)))
        return Settled(plain(ChosenAnswer(answer)) if answer else None, tuple(disputes))

    def _shared(
        self, contents: Contents, answers: ByItem
    ) -> list[tuple[Plain, dict[str, ChosenAnswer]]]:
        return [
            (content, {who: chosen(answer) for who, answer in given.items()})
            for content, given in shared(contents, answers)
        ]

    def _checked(self, content: Plain, given: ChosenAnswer) -> ChosenAnswer:
        questions = self.questions(content)
        for key in given.chosen:
            if key not in questions:
                raise InputError(f"there is no question '{key}'")
        for key, text in questions.items():
            if key not in given.chosen:
                raise InputError(f"no answer to: {text}")
            if given.chosen[key] not in self.choices:
                known = ", ".join(self.choices)
                raise InputError(f"{text}: '{given.chosen[key]}' is none of {known}")
        return replace(given, chosen={key: given.chosen[key] for key in questions})
