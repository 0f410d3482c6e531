"""What the tests of asking a language model share."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, no address and no proxy from outside."""
    for name in ("OPENAI_API_KEY", "TATIAN_PROMPT_URL", "TATIAN_PROMPT_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
