"""The local model merges sentences only if it does not decline and its judge is sure."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tatian.analysis.installed import unavailable
from tatian.chat import Answer, KeptAnswers, Request
from tatian.chat.local import adapter_path, weights
from tatian.consolidation import local_editor
from tatian.consolidation.editor import MergeLimits, TextEditor, open_editor
from tatian.consolidation.layout import lay_out
from tatian.consolidation.local_editor import DECLINED, LIMITS, SUPPORTED, LocalMerges
from tatian.consolidation.plan import Plan
from tatian.consolidation.report import build_result
from tatian.consolidation.result import Layout
from tatian.consolidation.weave import plan
from tatian.errors import AssetError
from tatian.pipeline import Pipeline
from tatian.text import Document
from tatian.union.models.local.drafts import DraftWriter

from .promises import tokens_are_where_they_say

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "-")

WIRE = "The ferry Anna ran aground off Halverne on Monday with 80 people on board."
ECHO = "The ferry Anna, built in 1988, ran aground off Halverne in thick fog."
UNION = (
    "The ferry Anna, built in 1988, ran aground off Halverne in thick fog on Monday with 80 people "
    "on board."
)


class Merger:
    """Local model with a fixed probability of a refusal and fixed drafts."""

    def __init__(self, *drafts: str, declines: float = 0.0) -> None:
        self.answers, self.declines = drafts, declines
        self.asked: list[Request] = []

    def chance(self, prompt: str, word: str) -> float:
        return self.declines

    def ask(self, request: Request) -> Answer:
        self.asked.append(request)
        return Answer(self.answers[request.seed or 0])


class PairJudge:
    """Judge with fixed log-odds by sentence, which keeps what it read."""

    def __init__(self, **odds: float) -> None:
        self.odds = odds
        self.read: list[tuple[Sequence[str], str]] = []

    def log_odds(self, sources: Sequence[str], sentence: str) -> float:
        self.read.append((sources, sentence))
        return next((odds for word, odds in self.odds.items() if word in sentence), 9.0)


@pytest.fixture(scope="module")
def pair() -> Plan:
    process = Pipeline().process
    return plan([process(Document(f"source{n}", text)) for n, text in enumerate((WIRE, ECHO))])


@pytest.fixture(scope="module")
def layout(pair: Plan) -> Layout:
    return lay_out(pair)


def edited(model: Merger, judge: PairJudge, pair: Plan, layout: Layout) -> Layout:
    writer = DraftWriter(model=model, transcript=KeptAnswers())  # type: ignore[arg-type]
    merges = LocalMerges(writer=writer, judge=judge)  # type: ignore[arg-type]
    editor = TextEditor(merges.client, limits=MergeLimits(per_words=10), merges=merges)
    return editor.word(pair, layout)


def test_a_sure_union_replaces_both_and_the_order_is_not_asked(pair: Plan, layout: Layout) -> None:
    model, judge = Merger(UNION, UNION), PairJudge()
    found = edited(model, judge, pair, layout)
    assert found.text == UNION
    assert found.writer is not None
    assert found.writer.role == "merger"
    tokens_are_where_they_say(build_result(pair, found))
    assert all("1. " in request.messages[1]["content"] for request in model.asked)


def test_the_judge_reads_only_the_replaced_sentences(pair: Plan, layout: Layout) -> None:
    judge = PairJudge()
    edited(Merger(UNION, UNION), judge, pair, layout)
    assert judge.read == [([WIRE, ECHO], UNION)]


def test_a_doubtful_draft_gives_way_to_the_next(pair: Plan, layout: Layout) -> None:
    doubtful = UNION.replace("Anna", "boat Anna")
    judge = PairJudge(boat=SUPPORTED - 0.1)
    assert edited(Merger(doubtful, UNION), judge, pair, layout).text == UNION


def test_a_doubtful_union_is_refused_with_the_reason(pair: Plan, layout: Layout) -> None:
    found = edited(Merger(UNION, UNION), PairJudge(Anna=SUPPORTED - 0.1), pair, layout)
    assert found.text == layout.text
    assert found.writer is not None
    (refused,) = found.writer.refused
    assert refused.why == "the local judge finds it doubtful"


def test_a_model_that_would_rather_decline_is_not_asked_to_merge(
    pair: Plan, layout: Layout
) -> None:
    model = Merger(UNION, UNION, declines=DECLINED)
    assert edited(model, PairJudge(), pair, layout).text == layout.text
    assert model.asked == []


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_editor.LocalMerger, "missing", staticmethod(lambda: "do this"))
    with pytest.raises(AssetError, match="the local editor is not installed: do this"):
        open_editor("local")


@pytest.mark.long(120)
def test_the_real_model_merges_or_leaves_the_text(pair: Plan, layout: Layout) -> None:
    pytest.importorskip("xllamacpp")
    if not weights().available() or adapter_path("union") is None:
        pytest.skip("the base model is not installed")
    merges = LocalMerges(transcript=KeptAnswers())
    limits = MergeLimits(sentences=LIMITS.sentences, per_words=10)
    found = TextEditor(merges.client, limits=limits, merges=merges).word(pair, layout)
    assert found.text in (layout.text, UNION) or found.text.count(".") == 1
    tokens_are_where_they_say(build_result(pair, found))
