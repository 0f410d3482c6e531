"""Adjudication: queue, rules, decisions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import select

from tatian.errors import InputError
from tatian.workbench.campaigns import audit
from tatian.workbench.errors import BadRequest, Conflict, NotFound
from tatian.workbench.quality import gold
from tatian.workbench.quality import queue as queues
from tatian.workbench.quality.cases import (
    RULE_NAMES,
    Case,
    ItemDecision,
    RuleName,
    current_decisions,
    get_case,
)
from tatian.workbench.quality.gold import RuleApplication
from tatian.workbench.quality.queue import QueuedCase
from tatian.workbench.storage.database import Database
from tatian.workbench.storage.tables import adjudications
from tatian.workbench.tasks import NewItem

from ..crowd import JUDGED, LONG, OTHER, SHORT, UNIONS, Crowd, rated, skipped, written

ADA = "user:ada"


class Board:
    """Actions of adjudicators, each in a transaction."""

    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd

    def queue(self, rule: RuleName = "majority") -> list[QueuedCase]:
        return queues.read_queue(self.crowd.database, self.crowd.campaign, self.crowd.task, rule)

    def case(self, key: str, rule: RuleName = "majority") -> Case:
        with self.crowd.database.reading() as connection:
            return get_case(connection, self.crowd.campaign, self.crowd.task, key, rule)

    def decide(self, key: str, answer: Any, **more: Any) -> ItemDecision:
        with self.crowd.database.writing() as connection:
            crowd = self.crowd
            return gold.decide(connection, crowd.campaign, crowd.task, key, answer, ADA, **more)

    def apply(self, rule: RuleName = "majority") -> RuleApplication:
        with self.crowd.database.writing() as connection:
            crowd = self.crowd
            return gold.apply_rule(connection, crowd.campaign, crowd.task, rule, "test")

    def decided(self) -> dict[str, ItemDecision]:
        with self.crowd.database.reading() as connection:
            return current_decisions(connection, self.crowd.campaign)


@pytest.fixture
def board(database: Database) -> Board:
    """Three people and three items: agreed, two to one, and all different."""
    crowd = Crowd(database, "union", UNIONS)
    crowd.person({"pair-0": written(SHORT), "pair-1": written(SHORT), "pair-2": written(SHORT)})
    crowd.person({"pair-0": written(SHORT), "pair-1": written(SHORT), "pair-2": written(LONG)})
    crowd.person({"pair-0": written(SHORT), "pair-1": skipped(), "pair-2": written(OTHER)})
    return Board(crowd)


def states(board: Board, rule: RuleName = "majority") -> dict[str, str]:
    return {one.key: one.state for one in board.queue(rule)}


def test_the_most_disputed_item_comes_first(board: Board) -> None:
    first, *rest = board.queue()
    assert (first.key, first.state, first.open, first.where) == (
        "pair-2", "disputed", 1, "Merged sentence",
    )  # fmt: skip
    assert [(one.key, one.state, one.differences) for one in rest] == [
        ("pair-1", "settled", 1),
        ("pair-0", "settled", 0),
    ]


def test_items_with_one_answer_are_not_queued(database: Database) -> None:
    crowd = Crowd(database, "union", UNIONS)
    crowd.person({"pair-0": written(SHORT)})
    assert Board(crowd).queue() == []


def test_training_items_and_hidden_tests_are_neither_queued_nor_decided(
    database: Database,
) -> None:
    test = NewItem("t", UNIONS[0].content, written(SHORT), test=True)
    crowd = Crowd(database, "union", [*UNIONS[:1], test])
    with pytest.raises(BadRequest, match="right answers already"):
        Board(crowd).decide("t", skipped())


def test_answers_of_excluded_people_do_not_count(board: Board) -> None:
    odd = board.case("pair-1").answers[2].annotator
    board.crowd.exclude(odd)
    assert states(board) == {"pair-2": "disputed", "pair-1": "settled", "pair-0": "settled"}
    assert [len(board.case(key).answers) for key in ("pair-0", "pair-1", "pair-2")] == [2, 2, 2]
    assert board.case("pair-1").verdict.differences == ()


def test_answers_of_people_who_did_too_few_do_not_count(database: Database) -> None:
    crowd = Crowd(database, "union", UNIONS[:2], least=2)
    for text in (SHORT, SHORT, LONG):
        crowd.person({"pair-0": written(SHORT), "pair-1": written(text)})
    crowd.person({"pair-0": skipped()})
    assert len(Board(crowd).case("pair-0").answers) == 3
    assert Board(crowd).case("pair-0").verdict.differences == ()


def test_only_the_last_of_corrected_answers_counts(board: Board) -> None:
    third = board.case("pair-2").answers[2].annotator
    board.crowd.correct(third, written(LONG))
    assert board.case("pair-2").verdict.answer == written(LONG)
    assert states(board)["pair-2"] == "settled"


def test_a_decision_is_stored_with_name_and_note(board: Board) -> None:
    decision = board.decide("pair-2", written(LONG), note=" It has the day. ")
    assert board.decided() == {"pair-2": decision}
    assert (decision.answer, decision.by, decision.note, decision.rule) == (
        written(LONG), ADA, "It has the day.", "",
    )  # fmt: skip
    assert states(board)["pair-2"] == "decided"
    with board.crowd.database.reading() as connection:
        entry = audit.list_entries(connection, board.crowd.campaign.id, limit=1)[0]
    assert (entry.actor, entry.action, entry.subject) == (ADA, "adjudication.decide", "pair-2")


def test_a_later_decision_replaces_an_earlier_one_which_stays(board: Board) -> None:
    first = board.decide("pair-2", written(LONG))
    second = board.decide("pair-2", skipped(), replaces=first.id)
    assert board.decided()["pair-2"] == second
    with board.crowd.database.reading() as connection:
        rows = connection.execute(select(adjudications.c.id, adjudications.c.replaces)).all()
    assert [tuple(row) for row in rows] == [(first.id, None), (second.id, first.id)]


def test_an_unseen_decision_cannot_be_replaced(board: Board) -> None:
    first = board.decide("pair-2", written(LONG))
    for seen in (None, first.id + 1):
        with pytest.raises(Conflict, match="somebody else"):
            board.decide("pair-2", skipped(), replaces=seen)
    assert board.decided()["pair-2"] == first


def test_of_two_simultaneous_decisions_one_is_refused(board: Board) -> None:
    def decide(answer: Any) -> str:
        try:
            board.decide("pair-2", answer)
        except Conflict:
            return "told"
        return "kept"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(decide, [skipped(), written(LONG)])) == ["kept", "told"]


def test_an_answer_that_the_task_refuses_is_not_stored(board: Board) -> None:
    with pytest.raises(InputError, match="not a union"):
        board.decide("pair-2", {"type": "nonsense"})
    with pytest.raises(NotFound):
        board.decide("pair-9", skipped())
    assert board.decided() == {}


def test_a_rule_decides_only_what_it_settles(board: Board) -> None:
    assert board.apply() == RuleApplication("majority", 2, 1)
    assert {key: one.rule for key, one in board.decided().items()} == {
        "pair-0": "majority",
        "pair-1": "majority",
    }
    assert board.decided()["pair-1"].answer == written(SHORT)
    assert board.apply() == RuleApplication("majority", 0, 1)


def test_a_rule_never_changes_what_a_person_decided(board: Board) -> None:
    mine = board.decide("pair-0", skipped())
    board.apply()
    assert board.decided()["pair-0"] == mine


@pytest.mark.parametrize("rule", RULE_NAMES)
def test_two_of_three_people_are_enough_for_every_rule(board: Board, rule: RuleName) -> None:
    assert states(board, rule)["pair-1"] == "settled"


def test_half_of_the_people_are_not_enough_for_any_rule(database: Database) -> None:
    crowd = Crowd(database, "union", UNIONS[:1])
    crowd.person({"pair-0": written(SHORT)})
    crowd.person({"pair-0": written(OTHER)})
    for rule in RULE_NAMES:
        assert states(Board(crowd), rule) == {"pair-0": "disputed"}


def test_an_answer_after_a_decision_reopens_the_case(board: Board) -> None:
    board.apply()
    board.decide("pair-2", written(LONG))
    board.crowd.person({"pair-0": written(SHORT), "pair-1": skipped(), "pair-2": written(LONG)})
    assert states(board) == {"pair-1": "overtaken", "pair-2": "overtaken", "pair-0": "decided"}


def looked_at(board: Board, key: str) -> tuple[str, bool]:
    """Return the item's state in the queue and on its page."""
    return states(board)[key], board.case(key).overtaken


def test_an_exclusion_reopens_the_case_and_a_readmission_closes_it(board: Board) -> None:
    board.decide("pair-2", written(LONG))
    third = board.case("pair-2").answers[2].annotator
    board.crowd.exclude(third)
    assert looked_at(board, "pair-2") == ("overtaken", True)
    board.crowd.readmit(third)
    assert looked_at(board, "pair-2") == ("decided", False)


def test_a_readmission_after_a_decision_reopens_the_case(board: Board) -> None:
    third = board.case("pair-2").answers[2].annotator
    board.crowd.exclude(third)
    board.decide("pair-2", written(LONG))
    assert looked_at(board, "pair-2") == ("decided", False)
    board.crowd.readmit(third)
    assert looked_at(board, "pair-2") == ("overtaken", True)


def test_a_correction_after_a_decision_reopens_the_case(board: Board) -> None:
    third = board.case("pair-2").answers[2].annotator
    board.decide("pair-2", written(LONG))
    board.crowd.correct(third, written(LONG))
    assert looked_at(board, "pair-2") == ("overtaken", True)


def test_an_answer_during_a_decision_reopens_the_case(
    board: Board,
) -> None:
    seen = [one.id for one in board.case("pair-2").answers]
    board.crowd.person({"pair-0": written(SHORT), "pair-1": skipped(), "pair-2": written(LONG)})
    first = board.decide("pair-2", written(LONG), answers=seen)
    assert looked_at(board, "pair-2") == ("overtaken", True)
    seen = [one.id for one in board.case("pair-2").answers]
    board.decide("pair-2", written(LONG), answers=seen, replaces=first.id)
    assert looked_at(board, "pair-2") == ("decided", False)


def test_a_decision_without_answers_holds_until_the_first_answer(database: Database) -> None:
    crowd = Crowd(database, "union", UNIONS[:1])
    board = Board(crowd)
    board.decide("pair-0", written(LONG))
    assert not board.case("pair-0").overtaken
    crowd.person({"pair-0": written(SHORT)})
    assert board.case("pair-0").overtaken


def test_a_rule_replaces_its_own_decision_once_people_settle_otherwise(board: Board) -> None:
    board.apply()
    first = board.decided()["pair-1"]
    for _ in range(3):
        board.crowd.person({"pair-0": written(SHORT), "pair-1": skipped()})
    board.apply()
    second = board.decided()["pair-1"]
    assert (second.answer, second.replaces) == (skipped(), first.id)


def test_ratings_are_decided_as_the_page_sends_them(database: Database) -> None:
    crowd = Crowd(database, "union.judge", JUDGED)
    for last in (5, 3, 1):
        crowd.person({"roof": rated(one=(4, 4, 4, last), two=(1, 2, 4, 4))})
    board = Board(crowd)
    (queued,) = board.queue()
    assert (queued.state, queued.differences, queued.open) == ("disputed", 1, 1)
    found = board.case("roof")
    assert found.verdict.answer == rated(one=(4, 4, 4, 3), two=(1, 2, 4, 4))
    lot = gold.page_seed(found.item)
    sent = crowd.task.answer_to_page(
        found.content, lot, {}, rated(one=(4, 4, 4, 2), two=(1, 2, 4, 4))
    )
    decision = board.decide("roof", sent)
    assert decision.answer == rated(one=(4, 4, 4, 2), two=(1, 2, 4, 4))
