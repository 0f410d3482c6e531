"""Work for a client that hangs up before it is done."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from tatian.corpora import isolation
from tatian.errors import InputError
from tatian.workbench.web.routing import Call, _attended


def request(*messages: dict[str, Any]) -> Request:
    """One whose body has been read; `messages` come after it."""
    waiting = list(messages)

    async def receive() -> dict[str, Any]:
        if waiting:
            return waiting.pop(0)
        await asyncio.sleep(60)
        raise AssertionError

    return Request({"type": "http", "method": "POST", "headers": [], "state": {}}, receive)


def attended(asked: Request, work: Callable[[], Response]) -> Response:
    """Have the work done in a loop of its own, on a thread that has none."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(_attended(asked, work))).result()


def test_the_work_sees_that_the_client_has_left() -> None:
    asked = request({"type": "http.disconnect"})
    call = Call(None, asked, None, {})  # type: ignore[arg-type]

    def work() -> Response:
        assert asked.state.left.wait(10)
        assert call.left()
        return Response()

    assert attended(asked, work).status_code == 200


def test_a_client_that_waits_has_not_left() -> None:
    asked = request()
    call = Call(None, asked, None, {})  # type: ignore[arg-type]

    def work() -> Response:
        assert not call.left()
        return Response()

    assert attended(asked, work).status_code == 200


def test_a_file_whose_sender_left_is_not_read_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    hang = (
        "import time; from tatian.corpora import isolation as i; i._done = lambda _: time.sleep(9)"
    )
    monkeypatch.setattr(isolation, "_COMMAND", f"{hang}; i.serve()")
    isolation._close_all()
    gone = threading.Event()
    threading.Timer(0.3, gone.set).start()
    with pytest.raises(InputError, match="whoever sent it has left"):
        isolation.read_isolated("page", b"<p>Fog.</p>", "a.html", print, lambda: not gone.is_set())
    assert isolation._idle == []
