"""A campaign of a real task with answers, without a browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from tatian.workbench.campaigns import allocation, campaigns, items, people, submission
from tatian.workbench.campaigns.campaigns import Campaign
from tatian.workbench.settings import CampaignSettings
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import Json, NewItem, tasks

STORM = "A storm tore the roof off a school in Marlow on Tuesday night."
WINDS = "Strong winds ripped off the roof of Hillside School."
SHORT = "A storm tore the roof off Hillside School in Marlow."
LONG = "On Tuesday night a storm tore the roof off Hillside School in Marlow."
OTHER = "Winds ripped off a roof."


def written(merged: str, base: int = 0) -> Json:
    """A union without highlights."""
    return {"type": "written", "base": base, "merged": merged, "highlights": []}


def skipped(reason: str = "disagreement") -> Json:
    """A skip."""
    return {"type": "skipped", "reason": reason}


def rated(**systems: tuple[int, int, int, int]) -> Json:
    """Ratings of systems: coverage, faithfulness, redundancy, fluency."""
    names = ("coverage", "faithfulness", "redundancy", "fluency")
    return {
        "systems": {
            name: dict(zip(names, ratings, strict=True)) for name, ratings in systems.items()
        }
    }


UNIONS = [NewItem(f"pair-{number}", {"sentences": [STORM, WINDS]}) for number in range(3)]
JUDGED = [
    NewItem(
        "roof",
        {"sentences": [STORM, WINDS], "reference": LONG, "systems": {"one": SHORT, "two": OTHER}},
    )
]


class Crowd:
    """An open campaign with actions of its people."""

    def __init__(
        self, database: Database, task: str, new: Sequence[NewItem], id: str = "crowd", **more: Any
    ) -> None:
        self.database = database
        self.task = tasks.create(task)
        self._nonces = count()
        self._new = {one.key: one for one in new}
        settings = CampaignSettings(**{"annotators": 10, "shuffled": False, **more})
        with database.writing() as connection:
            campaigns.create(connection, id, task, "A crowd", settings, "Go.", "test")
            self.campaign: Campaign = campaigns.change(connection, id, "test", state="open")
            items.add(connection, self.campaign, new, "test")

    def person(self, answers: Mapping[str, Json]) -> str:
        """Let a new person give these answers by item; return their pseudonym."""
        with self.database.writing() as connection:
            who = people.enter(connection, self.campaign).id
            while (mine := allocation.assign_next(connection, self.campaign, who)[1]) is not None:
                if mine.key not in answers:
                    break
                self._submit(connection, who, mine, answers[mine.key])
        return who

    def correct(self, who: str, answer: Json) -> None:
        """Correct a person's last answer."""
        with self.database.writing() as connection:
            last = submission.list_own_items(connection, self.campaign, who)[0]
            mine = submission.get_own_answer(connection, self.campaign, who, last.assignment)
            sent = self._sent(mine.assignment, answer)
            submission.correct(
                connection, self.campaign, self.task, who, last.assignment,
                f"n{next(self._nonces)}", sent, 1.0, mine.id,
            )  # fmt: skip

    def exclude(self, who: str) -> None:
        """Exclude a person."""
        with self.database.writing() as connection:
            people.exclude(connection, self.campaign, who, "test", "unreliable")

    def readmit(self, who: str) -> None:
        """Readmit a person."""
        with self.database.writing() as connection:
            people.reinstate(connection, self.campaign, who, "test")

    def _submit(self, connection: Any, who: str, mine: Any, answer: Json) -> None:
        submission.submit(
            connection, self.campaign, self.task, who, mine.id,
            f"n{next(self._nonces)}", self._sent(mine, answer), 1.0,
        )  # fmt: skip

    def _sent(self, mine: Any, answer: Json) -> Json:
        options = self.campaign.settings.options
        return self.task.answer_to_page(mine.content, mine.seed, options, answer)
