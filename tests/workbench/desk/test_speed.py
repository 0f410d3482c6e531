"""Ten accounts of 1,500 words: every action is answered within a tenth of a second."""

from __future__ import annotations

import gc
import json
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tatian.consolidation.result import (
    SCHEMA,
    Account,
    Consolidation,
    Disagreement,
    Reference,
    SourceSentence,
    WovenChain,
    WrittenSentence,
    WrittenToken,
)
from tatian.text import Source
from tatian.text.documents import Claim
from tatian.text.tokenizer import tokenize
from tatian.workbench.desk import projects, results
from tatian.workbench.desk.results import StoredConsolidation
from tatian.workbench.storage.database import Database
from tatian.workbench.web.routing import PREFIX

from ..web.world import World

CORPUS = Path(__file__).parents[3] / "corpus" / "train.jsonl"
ACCOUNTS, WORDS = 10, 1500
LIMIT = 0.1
"""Seconds of processor time, which other work on the machine does not change."""


def texts() -> list[str]:
    """Accounts of that length, put together from the bundles of the corpus."""
    found = [""] * ACCOUNTS
    for line in CORPUS.read_text("utf-8").splitlines():
        for account in json.loads(line)["accounts"]:
            short = min(range(ACCOUNTS), key=lambda n: len(found[n].split()))
            if len(found[short].split()) >= WORDS:
                return found
            found[short] += " ".join(account["sentences"]) + "\n\n"
    raise AssertionError("the corpus is too short")


def large(accounts: list[str]) -> Consolidation:
    """A text of six in ten of their sentences, a third of its words with two sources."""
    lot = random.Random(1)
    text, sentences, documents, chains = "", [], [], {}
    claims = []
    for index, account in enumerate(accounts):
        id, held = f"a{index + 1}", []
        for span in re.finditer(r"\S[^.\n]*[.\n]?", account):
            if lot.random() > 0.6 or not sentences:
                into, fate = (
                    ((lot.randrange(len(sentences)),), "redundant") if sentences else ((), "unused")
                )
                held.append(SourceSentence(*span.span(), fate, into, "others tell it"))  # type: ignore[arg-type]
                if sentences:
                    continue
            text += ("\n\n" if len(sentences) % 5 == 0 else " ") if text else ""
            start, words, end = len(text), [], -1
            for token in tokenize(account, *span.span()):
                text += " " if words and token.start != end else ""
                sources = [Source(id, token.start, token.end)]
                if lot.random() < 0.3:
                    sources.append(Source(f"a{lot.randint(1, ACCOUNTS)}", 9, 12, "inflected"))
                words.append(WrittenToken(len(text), len(text) + len(token.text), tuple(sources)))
                text, end = text + token.text, token.end
            if len(held) and held[-1].start == span.start():
                held.pop()
            held.append(SourceSentence(*span.span(), "kept", (len(sentences),), "only here"))
            sentences.append(WrittenSentence(start, len(text), tuple(words)))
        for name in re.finditer(r"\b[A-Z][a-z]+(?: [A-Z][a-z]+)*", account):
            chains.setdefault(name[0], []).append(Reference(id, *name.span()))
        years = list(re.finditer(r"\b\d+\b", account))[:4]
        claims += [Claim(id, *year.span(), year[0]) for year in years]
        documents.append(Account(id, None, None, None, None, account, tuple(held)))
    return Consolidation(
        schema=SCHEMA,
        text=text,
        sentences=tuple(sentences),
        documents=tuple(documents),
        contradictions=tuple(
            Disagreement("number", pair, "they differ", ())
            for pair in zip(claims[::2], claims[1::2], strict=True)
        ),
        chains=tuple(
            WovenChain(f"e{n}", name, "PER", tuple(some))
            for n, (name, some) in enumerate(chains.items())
        ),
    )


@pytest.mark.long
def test_nineteen_in_twenty_actions_take_less_than_a_tenth_of_a_second(
    new_database: Callable[[str], Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(new_database("sqlite"), desk=True)
    monkeypatch.setattr(world.site.desk.models, "put", lambda *given, **more: None)
    browser = world.signed_in(world.user())
    url = f"{PREFIX}/desk/projects"
    project = browser.post(url, json={}).json()["id"]
    url = f"{url}/{project}"
    accounts = texts()
    for text in accounts:
        browser.post(f"{url}/accounts/paste", json={"text": text})
    with world.database.writing() as connection:
        stamp = results.compute_stamp(projects.list_sources(connection, project), None)
        made = msgspec.json.encode(large(accounts)).decode()
        results.store_consolidation(connection, project, StoredConsolidation(stamp, None, made))
    before = browser.get(f"{url}/woven").json()
    ids = [one["id"] for one in before["sentences"]]
    assert len(ids) > 200
    untold = [
        f["id"] for fates in before["fates"].values() for f in fates if f["fate"] == "redundant"
    ]
    bodies: list[dict[str, Any]] = []
    for n in range(12):
        bodies += [
            {"kind": "drop", "sentence": ids[n * 9]},
            {"kind": "move", "sentence": ids[n * 9 + 1], "after": ids[n * 9 + 5]},
            {"kind": "edit", "sentence": ids[n * 9 + 2], "text": "Some other words."},
            {"kind": "tell", "source": untold[n]},
            {"kind": "split", "sentence": ids[n * 9 + 3], "at": 9},
        ]
    gc.freeze()  # As the server does.
    taken = []
    for body in bodies:
        begun = time.process_time()
        answer = browser.post(f"{url}/decisions", json=body)
        taken.append(time.process_time() - begun)
        assert answer.status_code in (200, 422)
    for _ in range(20):
        begun = time.process_time()
        assert browser.post(f"{url}/undo", json={}).status_code == 200
        taken.append(time.process_time() - begun)
    gc.unfreeze()
    assert sorted(taken)[len(taken) * 95 // 100] < LIMIT, sorted(taken)[-5:]
