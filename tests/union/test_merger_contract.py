"""A merger is whatever has `merge`; other methods that it happens to have are never called."""

from __future__ import annotations

from tatian.pipeline import Pipeline
from tatian.union.data import UnionInstance
from tatian.union.generate import generate_reported
from tatian.union.models.whole import Concatenation


class Unrelated(Concatenation):
    """Somebody's merger, with methods that mean something else."""

    def propose(self, text: str) -> str:
        raise AssertionError("called")

    explain = propose


SENTENCES = ("The ferry Anna ran aground in fog.", "The ferry Anna ran aground on Monday.")


def test_a_union_comes_from_merge_alone() -> None:
    prepare = Pipeline.for_sentences().process
    ((found, account),) = generate_reported(
        [UnionInstance("1", SENTENCES)], Unrelated(), prepare=prepare
    )
    assert (
        found.merged == "The ferry Anna ran aground in fog; the ferry Anna ran aground on Monday."
    )
    assert account().origin == "unrelated"
