"""A coreference campaign from texts to scored gold."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .chain_steps import DONE, EXCLUDED, PEOPLE, SETTINGS, Act, Chain, submit, work
from .coref_steps import button, chains, mark, word

pytestmark = pytest.mark.long

LESSON = "Ines came, and she left."
HIDDEN = "Mara sang before she bowed."
TAL = "Tal sailed until he sank."
PORT = "When fog shut the port, ships avoided it, but it reopened."
SGML = "".join(
    f"<DOC>\n<DOCNO> {name} </DOCNO>\n<TXT>\n{text}\n</TXT>\n</DOC>\n"
    for name, text in (("wire-1", TAL), ("wire-2", PORT))
)
SHIPS = (("port", 0), ("it", 0), ("it", 1))


def gold(id: str, text: str, first: str) -> dict[str, Any]:
    """Return a text in which a name and "she" corefer."""
    places = [(text.index(form), text.index(form) + len(form)) for form in (first, "she")]
    name, pronoun = ({"start": start, "end": end} for start, end in places)
    marks = [{"id": "1", **name}, {"id": "2", **pronoun, "antecedent": "1"}]
    return {"id": id, "text": text, "gold": {"markables": marks}}


def link_words(*words: tuple[str, int]) -> Act:
    """Mark words and link each to the first."""

    def act(page: Page) -> None:
        (first, number), *others = words
        mark(page, first, number)
        for form, place in others:
            mark(page, form, place)
            button(page, "Link …").click()
            word(page, first, number).click()
        expect(chains(page)).to_contain_text(f"{first} × {len(words)}")
        submit(page)

    return act


RIGHT: dict[str, Act] = {
    LESSON: link_words(("Ines", 0), ("she", 0)),
    HIDDEN: link_words(("Mara", 0), ("she", 0)),
    TAL: link_words(("Tal", 0), ("he", 0)),
    PORT: link_words(*SHIPS),
}
CARELESS = {
    **RIGHT,
    HIDDEN: link_words(("sang", 0), ("bowed", 0)),
    TAL: link_words(("sailed", 0), ("sank", 0)),
}
HASTY = {**RIGHT, PORT: link_words(*SHIPS[:2])}


def annotated(page: Page, answers: dict[str, Act]) -> tuple[int, str]:
    return work(page, ".coref-text[role=listbox]", answers, "Agreement with ours: 100 of 100.")


def test_texts_become_scored_chains(chain: Any) -> None:
    (chain.folder / "news.sgm").write_text(SGML, "utf-8")
    options = {"checks": False, "phrases": False}
    (chain.folder / "settings.json").write_text(json.dumps({**SETTINGS, "options": options}))
    chain.tatian(
        "campaign", "create", "news", "news.sgm", "--task", "coreference",
        "--settings", "settings.json", "--open", "-q",
        "--stage", f"training={chain.write('training.jsonl', gold('lesson', LESSON, 'Ines'))}",
        "--tests", chain.write("tests.jsonl", gold("hidden", HIDDEN, "Mara")),
    )  # fmt: skip
    links = chain.links("news")
    for name, answers, end in zip(
        PEOPLE, (CARELESS, RIGHT, HASTY), ((3, EXCLUDED), (4, DONE), (4, DONE)), strict=True
    ):
        assert annotated(chain.enter(links[name], name), answers) == end

    agreement = chain.agreement("news")["CoNLL F1 of chains"]
    assert 0.7 < agreement < 1
    chain.decide("news", "the chain of “port”", 1)
    assert chain.exported("news") == {"wire-1": "rule", "wire-2": "person"}

    ids = chain.pseudonyms("news")
    assert not (chain.folder / f"news-answers/{ids['Cleo']}.sgm").exists()
    for ending in ("sgm", "conll", "jsonl"):
        right = f"news-gold/adjudicated.{ending}"
        anna, ben = (f"news-answers/{ids[name]}.{ending}" for name in ("Anna", "Ben"))
        assert f1(chain, right, right) == f1(chain, right, anna) == 100
        assert f1(chain, right, ben) == f1(chain, anna, ben) == round(100 * agreement, 6)
    assert chain.tatian("coref", "check", "news-gold/adjudicated.sgm", "--form-only", "-q") == ""


def f1(chain: Chain, key: str, response: str) -> float:
    """Return the CoNLL F1 of both documents, in percent."""
    scores = chain.tatian("coref", "score", key, response, "--format", "json", "-q")
    assert scores["documents"] == 2
    return round(100 * scores["conll"]["f1"], 6)
