"""Base class of the tasks in which people choose one of several words for each question.

The page, ``union.errors/choosing.js``, shows texts and, under them, groups of questions.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from tatian.errors import InputError
from tatian.workbench.tasks import Json, Task
from tatian.workbench.tasks.agreement import (
    AnswerDifference,
    Answers,
    AnswersByItem,
    Contents,
    Measure,
    Settled,
    VotingRule,
    accepted_label,
    alpha,
    convert_answers,
    find_difference,
    share_of_equal,
    shared_items,
)
from tatian.workbench.tasks.items import checked_note, converter, to_json


class ChosenAnswer(Struct, frozen=True, omit_defaults=True):
    """Choices of a person."""

    chosen: dict[str, str]
    """Choice for each question, by its key."""
    note: str = ""
    """Remark; in gold, the reason."""


convert_answer = converter(ChosenAnswer, "not choices")
_convert_page_answer = converter(ChosenAnswer, "not an answer of this page")


class ChoiceTask(Task):
    """A task whose answer is one of `choices` for each of an item's questions."""

    choices: ClassVar[Mapping[str, str]]
    """Possible choices, with their meanings."""

    @abstractmethod
    def questions(self, content: Json) -> Mapping[str, str]:
        """Return the questions of an item by key; the part of a key before a colon is its kind."""

    @abstractmethod
    def page(self, content: Json, seed: int) -> Json:
        """Return the data of the page: ``texts`` and ``groups`` of questions."""

    def keys(self, content: Json, seed: int) -> Mapping[str, str]:
        """Return the stored key of each question by its key on the page."""
        return {key: key for key in self.questions(content)}

    def to_page(self, content: Json, seed: int, options: Json) -> Json:
        """Return the texts, the questions and the possible choices."""
        choices = [{"name": name, "meaning": text} for name, text in self.choices.items()]
        return {**self.page(content, seed), "choices": choices}

    def gold(self, content: Json, gold: Any) -> Json:
        """Return the right choice for each question, checked."""
        return self._check(content, convert_answer(gold))

    def from_page(self, content: Json, seed: int, options: Json, answer: Any) -> Json:
        """Return the choices under their stored keys; all questions must be answered."""
        page_answer, keys = _convert_page_answer(answer), self.keys(content, seed)
        by_key = {keys.get(name, name): choice for name, choice in page_answer.chosen.items()}
        return self._check(content, ChosenAnswer(by_key, checked_note(page_answer.note)))

    def answer_to_page(self, content: Json, seed: int, options: Json, answer: Json) -> Json:
        """Return the choices under the keys of this person's page."""
        stored = convert_answer(answer)
        page_keys = self.keys(content, seed).items()
        on_page = {place: stored.chosen[key] for place, key in page_keys if key in stored.chosen}
        return {"chosen": on_page, "note": stored.note}

    def score(self, content: Json, gold: Json, answer: Json) -> float:
        """Return the share of questions that are answered as in gold."""
        right, answered = convert_answer(gold).chosen, convert_answer(answer).chosen
        return sum(answered.get(key) == choice for key, choice in right.items()) / len(right)

    def feedback(self, content: Json, gold: Json, answer: Json) -> Json:
        """Return each question with the person's choice and the right one, without the keys."""
        gold_answer, answered = convert_answer(gold), convert_answer(answer).chosen
        rows = [
            {"question": text, "own": answered.get(key, ""), "gold": gold_answer.chosen[key]}
            for key, text in self.questions(content).items()
        ]
        return {"rows": rows, "note": gold_answer.note, "score": self.score(content, gold, answer)}

    def agreement(self, contents: Contents, answers: AnswersByItem) -> Sequence[Measure]:
        """Return alpha for each kind of question, and how often choices are equal."""
        units: dict[str, list[dict[str, str]]] = {}
        for content, by_person in shared_items(contents, answers):
            typed = convert_answers(by_person, convert_answer)
            for key in self.questions(content):
                choices = {person: answer.chosen[key] for person, answer in typed.items()}
                units.setdefault(key.partition(":")[0], []).append(choices)
        alphas = [
            alpha(f"alpha of {kind}", [[*unit.values()] for unit in of_kind], "nominal, questions")
            for kind, of_kind in units.items()
        ]
        all_units = chain.from_iterable(units.values())
        return [*alphas, share_of_equal("equal choices", all_units, "pairs of choices")]

    def settle(self, content: Json, answers: Answers, rule: VotingRule) -> Settled:
        """Return for each question the choice of enough people, or else the most frequent."""
        by_person = convert_answers(answers, convert_answer)
        choices: dict[str, str] = {}
        differences: list[AnswerDifference] = []
        for key, text in self.questions(content).items():
            labels = {
                person: answer.chosen[key]
                for person, answer in by_person.items()
                if key in answer.chosen
            }
            if labels:
                accepted = accepted_label(labels.values(), rule)
                choices[key] = accepted or Counter(sorted(labels.values())).most_common(1)[0][0]
                differences += find_difference(text, labels)
        return Settled(to_json(ChosenAnswer(choices)) if choices else None, tuple(differences))

    def _check(self, content: Json, answer: ChosenAnswer) -> Json:
        """Return an answer that has a valid choice for every question, in their order."""
        questions = self.questions(content)
        for key in answer.chosen:
            if key not in questions:
                raise InputError(f"there is no question '{key}'")
        for key, text in questions.items():
            if key not in answer.chosen:
                raise InputError(f"no answer to: {text}")
            if answer.chosen[key] not in self.choices:
                allowed = ", ".join(self.choices)
                raise InputError(f"{text}: '{answer.chosen[key]}' is none of {allowed}")
        return to_json(replace(answer, chosen={key: answer.chosen[key] for key in questions}))
