"""A campaign with answers of set durations, for tests of monitoring."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tatian.workbench.campaigns import allocation, campaigns, items, people, submission
from tatian.workbench.campaigns.allocation import Assignment
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import NewItem, Task

RIGHT = {"word": "right"}
WRONG = {"word": "wrong"}


class Echo:
    """A task with words as answers and no comparison of its own."""

    agreement, settle = Task.agreement, Task.settle

    def from_page(self, content: Any, seed: int, options: Any, answer: Any) -> Any:
        return answer

    def score(self, content: Any, gold: Any, answer: Any) -> float:
        return float(gold == answer)

    def feedback(self, content: Any, gold: Any, answer: Any) -> Any:
        return {"gold": gold}


class Workshop:
    """An open campaign with people who answer."""

    def __init__(self, database: Database, number: int = 4, **settings: Any) -> None:
        self.database = database
        self.task: Any = Echo()
        self._nonce = 0
        chosen = CampaignSettings(**{"shuffled": False, "annotators": 3, **settings})
        with database.writing() as connection:
            campaigns.create(connection, "shop", "union", "Shop", chosen, "# Read", "test")
            self.campaign: Campaign = campaigns.change(connection, "shop", "test", state="open")
        self.add(number)

    def add(self, number: int, prefix: str = "item", **options: Any) -> None:
        new = [NewItem(f"{prefix}-{one}", {"text": "x"}, **options) for one in range(number)]
        with self.database.writing() as connection:
            items.add(connection, self.campaign, new, "test")

    def person(self, name: str = "", external: str | None = None) -> str:
        with self.database.writing() as connection:
            return people.enter(connection, self.campaign, name=name, external=external).id

    def next(self, annotator: str) -> Assignment | None:
        with self.database.writing() as connection:
            return allocation.assign_next(connection, self.campaign, annotator)[1]

    def answer(self, mine: Assignment, answer: Any = RIGHT, seconds: float = 10.0) -> str:
        self._nonce += 1
        with self.database.writing() as connection:
            return submission.submit(
                connection,
                self.campaign,
                self.task,
                mine.annotator,
                mine.id,
                str(self._nonce),
                answer,
                seconds,
            ).id

    def correct(self, mine: Assignment, replaces: str, answer: Any, seconds: float) -> None:
        self._nonce += 1
        with self.database.writing() as connection:
            submission.correct(
                connection,
                self.campaign,
                self.task,
                mine.annotator,
                mine.id,
                str(self._nonce),
                answer,
                seconds,
                replaces,
            )

    def work(
        self,
        annotator: str,
        answers: Mapping[str, Any] | None = None,
        *,
        seconds: float = 10.0,
        most: int = 1000,
        otherwise: Any = RIGHT,
    ) -> list[Assignment]:
        """Answer items by key."""
        done: list[Assignment] = []
        while len(done) < most and (mine := self.next(annotator)) is not None:
            self.answer(mine, (answers or {}).get(mine.key, otherwise), seconds)
            done.append(mine)
        return done
