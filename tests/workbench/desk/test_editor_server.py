"""The desk as a process with a language model as editor."""

from __future__ import annotations

from collections.abc import Callable

from ...chat.server import Script, says, sends, serve
from .test_server import Server, started, weaving

__all__ = ["started"]

FIRST = "The ferry Anna ran aground off Halverne on Monday with 80 people on board."
SECOND = "The ferry Anna, built in 1988, ran aground off Halverne on Monday in thick fog."
OTHERS = (
    "Mayor Ruth Hale visited passengers in Orme.",
    "Divers from Tolvik will inspect the hull on Thursday.",
    "Harbour master Ib Lund closed the channel for two days.",
)


def test_an_editor_chosen_in_the_browser_orders_the_text(
    started: Callable[..., Server],
) -> None:
    with serve(Script(says("1\n4 3 2"))) as script:
        script.models = sends({"data": [{"id": "small"}, {"id": "large"}]})
        server = started()
        project = weaving(server, " ".join((FIRST, *OTHERS)))
        before = server.woven(project)["woven"]
        assert (before["writing"], before["stale"], script.requests) == (None, "", [])

        server.ask("PUT", "", {"editor": f"{script.url}#large"}, at="desk/models")
        assert "not been asked yet" in server.ask("GET", f"/{project}")["woven"]["stale"]
        server.ask("POST", f"/{project}/weave", {})
        after = server.woven(project)["woven"]
    texts = [sentence["text"] for sentence in after["sentences"]]
    assert texts == [FIRST, *reversed(OTHERS)]
    assert (after["writing"]["model"], after["stale"]) == ("large", "")
    assert (after["writing"]["role"], after["writing"]["judge"]) == ("editor", "small")
    assert script.requests[-1]["model"] == "large"


def test_merges_are_marked_and_refused_ones_have_a_reason(
    started: Callable[..., Server],
) -> None:
    merged = (
        "The ferry Anna, built in 1988, ran aground off Halverne on Monday in thick fog with 80 "
        "people on board."
    )
    with serve(Script(says(merged))) as script:
        server = started("--editor", script.url)
        for answer, worded in ((merged, True), (merged.replace("80", "90"), False)):
            script.replies = [says(answer)]
            text = server.woven(weaving(server, FIRST, SECOND, *OTHERS))["woven"]
            marks = {one["text"]: one["model"] for one in text["sentences"]}
            refused = [one["text"] for one in text["writing"]["drafts"] if one["why"]]
            assert (marks.get(answer, False), answer in refused) == (worded, not worded)
