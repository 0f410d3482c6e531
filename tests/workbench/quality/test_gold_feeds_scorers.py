"""Exported gold as input of the scoring commands."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tatian.cli import main
from tatian.workbench.quality import gold
from tatian.workbench.storage.database import Database
from tatian.workbench.tasks import Json, NewItem, tasks

from ..crowd import JUDGED, LONG, OTHER, SHORT, UNIONS, Crowd, rated, skipped, written


class CampaignRunner:
    """Campaigns whose exports are scored by commands."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def tatian(self, *arguments: str) -> Any:
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout) if "json" in arguments else result.stdout

    def score(self, *arguments: str) -> Any:
        return self.tatian("union", *arguments, "--format", "json", "-q")

    def campaign_with_answers(
        self, task: str, new: list[NewItem], *people: dict[str, Json]
    ) -> Crowd:
        """Create a campaign with answers."""
        crowd = Crowd(self.database, task, new)
        for answers in people:
            crowd.person(answers)
        return crowd

    def decide(self, crowd: Crowd, key: str, answer: Json) -> None:
        """Decide an item as its page does."""
        with self.database.writing() as connection:
            gold.decide(connection, crowd.campaign, crowd.task, key, answer, "user:ada")

    def export(self) -> dict[str, str]:
        """Export gold and answers; return how each item was decided."""
        self.tatian("campaign", "adjudicate", "crowd", "--to", "task", "-o", "gold/")
        self.tatian("campaign", "export", "crowd", "--to", "task", "-o", "answers/")
        lines = Path("gold/provenance.jsonl").read_text("utf-8").splitlines()
        return {one["item"]: one["how"] for one in map(json.loads, lines)}


@pytest.fixture
def runner(
    new_database: Callable[[str], Database], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> CampaignRunner:
    database = new_database("sqlite")
    monkeypatch.setenv("TATIAN_DATABASE", database.url)
    monkeypatch.chdir(tmp_path)
    return CampaignRunner(database)


def example(task: str, key: str) -> tuple[NewItem, Json]:
    """Return a demo item as a new item without gold, and its gold."""
    (found,) = (one for one in tasks.create(task).demo() if one.key == key)
    right = {name: value for name, value in (found.gold or {}).items() if name != "note"}
    return NewItem(key, found.content), right


def test_unions_settled_by_rule_or_by_a_person_are_scored(runner: CampaignRunner) -> None:
    crowd = runner.campaign_with_answers(
        "union",
        UNIONS,
        {"pair-0": written(SHORT), "pair-1": written(SHORT), "pair-2": written(SHORT)},
        {"pair-0": written(SHORT), "pair-1": skipped(), "pair-2": written(LONG)},
        {"pair-0": written(SHORT), "pair-1": skipped(), "pair-2": written(OTHER)},
    )
    runner.decide(crowd, "pair-2", written(LONG))
    assert runner.export() == {"pair-0": "rule", "pair-1": "rule", "pair-2": "person"}
    for name in ("unions.csv", "unions.jsonl"):
        own = runner.score("score", f"gold/{name}", f"gold/{name}", "--no-nli")
        assert own["rouge1"] == own["rougeL"] == 1
        others = runner.score("score", f"gold/{name}", f"answers/{name}", "--no-nli")
        assert 0.7 < others["rouge1"] < 1
    assert Path("gold/skipped.jsonl").read_text("utf-8").count("pair-1") == 1


def test_ratings_settled_by_rule_or_by_a_person_are_summarised(runner: CampaignRunner) -> None:
    crowd = runner.campaign_with_answers(
        "union.judge",
        [*JUDGED, NewItem("again", JUDGED[0].content)],
        *(
            {
                "roof": rated(one=(4, 4, 4, roof_fluency), two=(1, 2, 4, 4)),
                "again": rated(one=(4, 4, 4, again_fluency), two=(1, 2, 4, 4)),
            }
            for again_fluency, roof_fluency in enumerate((5, 5, 1), 1)
        ),
    )
    sent = crowd.task.answer_to_page(
        JUDGED[0].content, _seed(crowd, "again"), {}, rated(one=(4, 4, 4, 2), two=(1, 2, 4, 4))
    )
    runner.decide(crowd, "again", sent)
    assert runner.export() == {"roof": "rule", "again": "person"}
    for name in ("ratings.csv", "ratings.jsonl"):
        systems = runner.score("ratings", f"gold/{name}")["systems"]
        assert _means(systems["one"]).items() >= {"coverage": 4, "fluency": 3.5}.items()
        assert _means(systems["two"]).items() >= {"coverage": 1, "fluency": 4}.items()


def test_marks_that_were_settled_are_summarised(runner: CampaignRunner) -> None:
    names, missing = example("union.mark", "training-1")
    children, both = example("union.mark", "training-2")
    runner.campaign_with_answers(
        "union.mark",
        [names, children],
        {"training-1": missing, "training-2": both},
        {"training-1": missing, "training-2": both},
        {"training-1": {}, "training-2": both},
    )
    assert runner.export() == {"training-1": "rule", "training-2": "rule"}
    found = runner.score("marks", "gold=gold/marks.jsonl", "answers=answers/marks.jsonl")
    assert found["gold"]["unions"] == 2
    assert found["gold"]["issues"] == {
        "missing": 2, "unfaithful": 1, "redundant": 0, "unfluent": 0,
    }  # fmt: skip
    scores = {name: one["value"] for name, one in found["gold"]["scores"].items()}
    assert 0 < scores["coverage"] < scores["redundancy"] == 1
    assert scores["coverage"] < found["answers"]["scores"]["coverage"]["value"]


def _means(system: Json) -> dict[str, float]:
    return {name: score["value"] for name, score in system["scores"].items()}


def _seed(crowd: Crowd, key: str) -> int:
    """Return the seed of an adjudicator's page."""
    from tatian.workbench.quality.cases import item_of, page_seed

    with crowd.database.reading() as connection:
        return page_seed(item_of(connection, crowd.campaign, key).id)
