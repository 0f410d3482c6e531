"""What the weave changes is written only if it is proved."""

from __future__ import annotations

import sys
from time import process_time
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

import tatian
from tatian.analysis.installed import unavailable
from tatian.analysis.pieces import segmented
from tatian.consolidation.layout import _dropped_words, find_unverified, lay_out
from tatian.consolidation.render import Edition
from tatian.consolidation.render.notes import parallels
from tatian.consolidation.spans import SourceSpan
from tatian.consolidation.weave import plan
from tatian.pipeline import Pipeline, link_chains
from tatian.text import Document, SourcedToken, Span
from tatian.text.content import concept
from tatian.text.documents import Passage, copy_tokens

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "-")

TEXT = "The ferry sank on Monday, but nobody was hurt. Captain Ann Dale was not questioned."


@pytest.fixture(scope="module")
def account() -> Document:
    return Pipeline(detector="names", aggregator="heads").process(Document("a", TEXT))


def draft(
    document: Document, index: int, *gone: str
) -> tuple[SourceSpan, tuple[SourcedToken, ...]]:
    """A sentence of the account without some words."""
    body = document.sentences[index]
    tokens = copy_tokens(Passage(document, body))
    span = SourceSpan(0, (index,), (body,), body.of(document.text))
    return span, tuple(token for token in tokens if token.text not in gone)


def judged(document: Document, index: int, *gone: str) -> dict[tuple[int, int], str]:
    span, tokens = draft(document, index, *gone)
    return find_unverified([span], {span.key: [tokens]}, [document], link_chains([document]))


def test_whole_sentence_is_not_verified(account: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tatian.consolidation.verification", None)
    assert judged(account, 0) == {}


def test_a_sentence_that_lost_only_a_joint_needs_none(
    account: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tatian.consolidation.verification", None)
    assert judged(account, 0, "but", ",") == {}


def test_covered_words_can_be_dropped(account: Document) -> None:
    assert judged(account, 0, "on", "Monday") == {}


def test_a_sentence_that_says_the_contrary_now_is_refused_with_the_reason(
    account: Document,
) -> None:
    span, tokens = draft(account, 1, "not", "Captain")
    found = find_unverified([span], {span.key: [tokens]}, [account], link_chains([account]))
    assert found[span.key]


def test_a_day_reckoned_from_the_accounts_own_needs_none(
    account: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tatian.consolidation.verification", None)
    span, tokens = draft(account, 0)
    said = tuple(
        replace(token, text="yesterday") if token.text == "Monday" else token for token in tokens
    )
    assert find_unverified([span], {span.key: [said]}, [account], ()) == {}


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("They were were freed by the the court.", "They were freed by the court."),
        (
            "It’ s the state’ s loss, and they can’ t tell.",
            "It’s the state’s loss, and they can’t tell.",
        ),
        ('She heard, "He has a gun, "and ran.', 'She heard, "He has a gun," and ran.'),
        (
            'Ann Dale said, "it sank, and "it" is the ferry.',
            'Ann Dale said, "it sank, and "it" is the ferry.',
        ),
        ("He knew that that was all they had had.", "He knew that that was all they had had."),
        (
            '"Did you see who fell on the deck? "Ann Dale asked. "Yes, I did," he said.',
            '"Did you see who fell on the deck?" Ann Dale asked. "Yes, I did," he said.',
        ),
        (
            '"It sank," he said. "It is old. "Tom Moss of the yard was there.',
            '"It sank," he said. "It is old. "Tom Moss of the yard was there.',
        ),
        ("They saved 'The Rock 'from harm.", "They saved 'The Rock' from harm."),
        ("He shouts 'Russians' or 'hackers' at us.", "He shouts 'Russians' or 'hackers' at us."),
        ("It was built in the '80s or '90s.", "It was built in the '80s or '90s."),
        ("The owners' ferry 'sank 'at noon.", "The owners' ferry 'sank' at noon."),
    ],
)
def test_slips_of_a_pages_making_are_mended(said: str, written: str) -> None:
    made = plan([Pipeline().process(Document("a", said))])
    assert lay_out(made).text == written


def test_a_word_that_is_repeated_without_end_is_laid_out_in_linear_time() -> None:
    document = segmented(Document("a", "ferry " * 40_000))
    body = Span(0, len(document.text))
    gone = SourceSpan(0, (0,), (body,), "", "", words=1)
    plan = SimpleNamespace(
        story=SimpleNamespace(sources=[SimpleNamespace(document=document, spans=[gone])]),
        selection=SimpleNamespace(dropped={gone.key: [(1, 0)]}),
    )
    began = process_time()
    found = _dropped_words(plan)  # type: ignore[arg-type]
    assert process_time() - began < 1.5
    assert len(found[(1, 0), concept("ferry")]) == 40_000


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("The pumps were old;\n\nthe hull was older.", "The pumps were old; the hull was older."),
        ("The pumps were old;", "The pumps were old."),
        ('"The pumps were old, the mayor said.', "The pumps were old, the mayor said."),
        ('"The pumps were old," the mayor said.', '"The pumps were old," the mayor said.'),
    ],
)
def test_divided_sentences_are_joined(given: str, written: str) -> None:
    made = plan([Pipeline(detector="names", aggregator="heads").process(Document("a", given))])
    assert lay_out(made).text == written


class TestSourcesOfFigures:
    """A word of a figure, time or name leads to accounts that give the same one."""

    @pytest.mark.parametrize(
        ("texts", "word", "accounts"),
        [
            (
                (
                    "A tank exploded at the Corvin works at 3:15 p.m. on Monday, killing two men.",
                    "A tank exploded at the Corvin works at 3:10 p.m. on Monday, killing two men.",
                ),
                "p.m.",
                1,
            ),
            (
                (
                    "The council of Orme voted 2,142 crowns for the bridge on Monday.",
                    "The council of Orme voted 2,142 crowns for the bridge.",
                ),
                "crowns",
                2,
            ),
            (
                (
                    "The watchman of the mill, Adam Firth, was found tied to a chair on Monday.",
                    "The watchman of the mill, Alan Firth, was found tied to a chair.",
                ),
                "Firth",
                1,
            ),
        ],
    )
    def test_only_where_they_agree(self, texts: tuple[str, ...], word: str, accounts: int) -> None:
        woven = tatian.consolidate([Document(str(n), text) for n, text in enumerate(texts)])
        first = next(
            token
            for sentence in woven.sentences
            for token in sentence.tokens
            if woven.text[token.start : token.end] == word
        )
        assert len({source.document for source in first.sources}) == accounts

    def test_sentence_with_another_figure_is_no_reading(self) -> None:
        texts = [
            f"A tank exploded at the Corvin works at {hour} p.m. on Monday, killing two men."
            for hour in ("3:15", "3:10")
        ]
        woven = tatian.consolidate([Document(str(n), text) for n, text in enumerate(texts)])
        (verse,) = parallels(Edition(woven))
        assert [one.relation for one in verse] in (["taken", "other"], ["other", "taken"])


class TestRedundantLeads:
    """A second lead speaks of those whom the text has told of already."""

    @pytest.mark.parametrize(
        ("first", "second", "written"),
        [
            (
                "Ada Birk, 61, was killed by a delivery van on the Port Lorn pier on Thursday,"
                " police said. Birk had sold rope to the boatmen of Port Lorn for thirty years."
                " The van's driver, Nils Sorley, was arrested at the ferry office.",
                "A shopkeeper carrying two crates of eels was killed by a van on the pier on"
                " Thursday. Her brother Olaf asked the council for a barrier.",
                "The shopkeeper carrying two crates of eels was killed",
            ),
            (
                "The old sawmill of Port Lorn burned down on Monday night, and three firemen were"
                " hurt. Sparks set the roof of a boat shed on fire. The sawmill had stood empty.",
                "A fire destroyed the Port Lorn sawmill on Monday night in spite of forty firemen"
                " and a north wind. Two engines came from Halverne.",
                "The fire destroyed the Port Lorn sawmill",
            ),
            (
                "Marcus Odell and Greta Sands were found guilty on Tuesday of robbing the Halverne"
                " savings bank of 90,000 crowns. The jury sat for six hours. Odell was a guard.",
                "Two robbers who carried a live goat named Pepper through the main door were found"
                " guilty on Tuesday of robbing the savings bank. The mayor praised the jury.",
                "The two robbers who carried a live goat",
            ),
            (
                "The ferry Marta ran aground on the Skerry bank on Sunday with 80 people aboard."
                " All of them were taken off by boats. The captain blamed the fog.",
                "A bakery in Port Lorn won first prize for its rye bread on Sunday. Its owner, Else"
                " Ravn, gave the money to the lifeboat.",
                "A bakery in Port Lorn won",
            ),
            (
                "The ferry Marta ran aground on the Skerry bank on Sunday with 80 people aboard."
                " A lifeboat from Halverne took all of the people off the ferry on Sunday.",
                "Fog lay on the Skerry bank for a third day. The company has two other ships.",
                "A lifeboat from Halverne took",
            ),
        ],
    )
    def test_the_article_says_so(self, first: str, second: str, written: str) -> None:
        pipeline = Pipeline()
        documents = [
            pipeline.process(Document(name, text))
            for name, text in zip("ab", (first, second), strict=True)
        ]
        assert written in lay_out(plan(documents, interleaved=True)).text

    def test_known_person_is_definite_in_a_later_source(self) -> None:
        first = (
            "Ada Birk, 61, was killed by a delivery van on the Port Lorn pier on Thursday, police"
            " said. Birk had sold rope to the boatmen of Port Lorn for thirty years. The van's"
            " driver, Nils Sorley, was arrested at the ferry office."
        )
        second = (
            "A shopkeeper carrying two crates of eels was killed by a van on the pier on Thursday."
            " Her brother Olaf asked the council for a barrier."
        )
        given = (("a", first), ("b", second))
        documents = [Pipeline().process(Document(*document)) for document in given]
        assert "From a second account: The shopkeeper" in lay_out(plan(documents)).text

    def test_known_person_is_definite_below_a_summary(self) -> None:
        page = (
            "Ada Birk, 61, was killed by a delivery van on the Port Lorn pier.\n\n"
            "Friday, March 7, 2014, 9:12 PM\n\n"
            "A woman walking home over the Port Lorn pier was killed by a delivery van.\n\n"
            "Birk had sold rope and paint to the boatmen of the harbour for thirty years."
        )
        documents = [Document("a", page), Document("b", "Fog lay on the pier of Port Lorn.")]
        text = lay_out(plan([Pipeline().process(one) for one in documents])).text
        assert "A woman" not in text


def test_line_without_full_stop_gets_one_before_a_quotation() -> None:
    told = (
        "The quake struck Velm on Monday. Officials said that they had sent tents to all of the "
        "families who had lost their homes in the village of Orme\n\n"
        '"We ran. I saw a man fall," one woman said.'
    )
    text = tatian.consolidate([Document("a", told)]).text
    assert 'village of Orme. "We ran. I saw a man fall," one woman said.' in text.replace(
        "\n\n", " "
    )
