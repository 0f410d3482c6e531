"""Several accounts in, one text out: what `consolidate` promises, whatever it is given."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tatian.consolidation.result import Consolidation
from tatian.errors import EmptyInput, InputError, NotEnglish
from tatian.text import (
    Document,
)
from tatian.text.content import concepts

from .bundles import account, bundle, consolidate, fates, sentences
from .promises import every_sentence_has_its_fate, fresh, tokens_are_where_they_say

AGROUND = "The ferry ran aground off Halverne harbour on Tuesday."
IN_FOG = "The ferry ran aground off Halverne in thick fog."

EXCLAMATION = "Fog, again!"
VERRICK = "Verrick has worked on the Sennick route for nine years."
SECOND = "From a second account:"
POOL = [
    AGROUND,
    IN_FOG,
    "A passenger ferry carrying 212 people ran aground outside Halverne harbour.",
    "More than 200 people were on board when the Marla Grey hit a sandbank in dense fog.",
    "The Marla Grey, which was built in 1994, links Halverne with the island of Sennick.",
    "Lifeboats took everyone off the ship within two hours, the coast guard said.",
    "The collision injured 12 people.",
    "In all, 13 people were injured in the collision.",
    "The captain, Jonas Verrick, was questioned by investigators for three hours.",
    VERRICK,
    "He told them that the radar had failed.",
    '"I heard a long scrape and then we simply stopped," said Peter Aldous.',
    "“Nobody screamed.”",
    '"It was dark. We saw nothing. We left yesterday," said Hanna Brode.',
    "Divers found a four-metre tear in the hull yesterday.",
    "Sennick Line cancelled all sailings until Friday.",
    "The company did not say when the service would resume.",
    "Minister Held and Minister Rowe met today; the two ministers said nothing.",
    EXCLAMATION,
    "no one knows why it sank 🚢.",
]
STORY = [sentence for sentence in POOL if sentence != EXCLAMATION]
HEADLINES = ["Ferry runs aground off Halverne", "Union wants a new radar station", ""]
DAYS = [None, None, "2023-03-14", "2023-03-15", "2023-04-20"]


@st.composite
def accounts(draw: st.DrawFn, most: int = 4, days: Sequence[str | None] = DAYS) -> list[Document]:
    """A bundle of one to `most` short accounts of these days."""
    documents = []
    for number in range(draw(st.integers(1, most))):
        chosen = draw(st.lists(st.sampled_from(POOL), min_size=1, max_size=5, unique=True))
        text = draw(st.sampled_from([" ", "\n\n", "\r\n\r\n"])).join(chosen)
        headline = draw(st.sampled_from(HEADLINES))
        if headline:
            text = f"{headline}\n\n{text}"
        documents.append(account(chr(97 + number), text, draw(st.sampled_from(days))))
    return documents


def sound(result: Consolidation, given: Sequence[Document]) -> None:
    """What holds for any result: only what is no part of the story may stay unused."""
    tokens_are_where_they_say(result)
    every_sentence_has_its_fate(result, given)
    unused = {sentence for sentence, fate in fates(result).items() if fate == "unused"}
    assert unused <= {*HEADLINES, EXCLAMATION}
    chains = {chain.id for chain in result.chains}
    for mention in result.mentions:
        assert 0 <= mention.start < mention.end <= len(result.text)
        assert mention.chain in chains


def _covered(result: Consolidation) -> frozenset[str]:
    """What the words say that the text has from its accounts."""
    words = [
        result.text[token.start : token.end]
        for sentence in result.sentences
        for token in sentence.tokens
        if not token.glue
    ]
    return frozenset(concepts(words))


class TestWhateverIsGiven:
    @settings(max_examples=settings.default.max_examples * 2)
    @given(accounts())
    def test_words_have_sources_and_sentences_have_outcomes(self, given: list[Document]) -> None:
        sound(consolidate(given), given)

    @settings(max_examples=settings.default.max_examples * 2 // 3)
    @given(accounts())
    def test_consolidation_is_deterministic(self, given: list[Document]) -> None:
        assert consolidate(given) == consolidate(given, pipeline=fresh())

    @given(accounts())
    def test_groups_follow_from_the_outcomes(self, given: list[Document]) -> None:
        result = consolidate(given)
        by_id = {one.id: one for one in result.documents}
        for group in result.groups:
            told = [by_id[place.document].sentences[place.sentence] for place in group]
            assert len({place.document for place in group}) > 1
            (index,) = [index for one in told if one.fate == "kept" for index in one.into]
            assert all(index in one.into for one in told)
        grouped = {(place.document, place.sentence) for group in result.groups for place in group}
        for one in result.documents:
            for number, sentence in enumerate(one.sentences):
                if sentence.fate == "unused":
                    assert (one.id, number) not in grouped

    @given(accounts())
    def test_names_and_numbers_and_quotations_are_all_there(self, given: list[Document]) -> None:
        text = consolidate(given).text
        for document in given:
            for name in ("212", "1994", "Verrick", "Aldous", "Brode", "Sennick", "12", "13"):
                assert name not in document.text or name in text
            for quote in (
                "I heard a long scrape and then we simply stopped,",
                "“Nobody screamed.”",
            ):
                assert quote not in document.text or quote in text

    @given(accounts())
    def test_text_inside_quotation_marks_is_never_altered(self, given: list[Document]) -> None:
        quoted = '"It was dark. We saw nothing. We left yesterday," said Hanna Brode.'
        text = consolidate(given).text
        for sentence in ("It was dark.", "We saw nothing.", 'We left yesterday,"'):
            assert not any(quoted in one.text for one in given) or sentence in text

    @settings(max_examples=settings.default.max_examples * 2 // 3)
    @given(accounts(most=3, days=[None]))
    def test_the_order_of_the_accounts_changes_nothing_in_what_is_covered(
        self, given: list[Document]
    ) -> None:
        results = [consolidate(list(order)) for order in permutations(given)]
        assert len({_covered(result) for result in results}) == 1

    @settings(max_examples=settings.default.max_examples * 2 // 3)
    @given(st.lists(st.sampled_from(STORY), min_size=1, max_size=8, unique=True))
    @example([VERRICK, "The captain, Jonas Verrick, was questioned by investigators."])
    def test_single_source_keeps_its_words(self, chosen: list[str]) -> None:
        text = "\n\n".join(chosen)
        written = consolidate(bundle(text)).text.split()
        assert [word.casefold() for word in written] == text.casefold().split()

    @settings(max_examples=settings.default.max_examples * 2 // 3)
    @given(accounts(most=1), st.integers(1, 3))
    def test_identical_accounts_give_the_single_accounts_text(
        self, given: list[Document], times: int
    ) -> None:
        (one,) = given
        copies = [account(f"copy{n}", one.text, one.metadata.date) for n in range(times)]
        result = consolidate([one, *copies])
        assert result.text == consolidate([one]).text

    @given(st.lists(st.text(max_size=80), min_size=1, max_size=3))
    def test_any_text_at_all_gives_a_result_or_a_clear_refusal(self, texts: list[str]) -> None:
        given = bundle(*texts)
        try:
            result = consolidate(given)
        except NotEnglish:
            return
        tokens_are_where_they_say(result)
        every_sentence_has_its_fate(result, given)


class TestOneText:
    def test_shared_content_is_kept_once(self) -> None:
        result = consolidate(bundle(AGROUND, "The ferry ran aground off Halverne harbour."))
        assert result.text == AGROUND
        assert list(fates(result).values()) == ["kept", "redundant"]

    def test_additional_content_is_kept(self) -> None:
        result = consolidate(bundle(AGROUND, "It ran aground off Halverne harbour in thick fog."))
        assert "on Tuesday" in result.text
        assert "in thick fog" in result.text
        assert set(fates(result).values()) == {"kept"}

    def test_content_of_one_source_is_kept(self) -> None:
        other = "Divers found a tear in the hull."
        result = consolidate(bundle(AGROUND, other))
        assert sentences(result) == [AGROUND, f"{SECOND} {other}"]
        assert set(fates(result).values()) == {"kept"}

    def test_every_kept_sentence_is_in_the_text(self) -> None:
        result = consolidate(bundle(" ".join(POOL[:9]), " ".join(POOL[9:])))
        for one in result.documents:
            for sentence in one.sentences:
                if sentence.fate == "kept":
                    wording = one.text[sentence.start : sentence.end].split()
                    told = " ".join(sentences(result)[index] for index in sentence.into)
                    assert set(wording[1:-2]) <= set(told.split())

    def test_different_figures_are_both_given(self) -> None:
        result = consolidate(bundle("It injured 12 people in fog.", "It injured 13 people."))
        assert set(sentences(result)) == {
            "It injured 12 people in fog.",
            f"{SECOND} It injured 13 people.",
        }

    def test_every_account_keeps_its_order(self) -> None:
        first = account("a", f"{AGROUND} Tugs were called.\n\nFog hid the bank.", "2023-03-14")
        later = account("b", "Jonas Verrick resigned.\n\nDivers found a tear.", "2023-03-15")
        for one in consolidate([later, first]).documents:
            told = [index for sentence in one.sentences for index in sentence.into]
            assert told == sorted(told)

    def test_covered_headline_is_dropped(self) -> None:
        result = consolidate(bundle(f"Ferry runs aground off Halverne\n\n{AGROUND}"))
        assert result.text == AGROUND
        assert fates(result)["Ferry runs aground off Halverne"] == "unused"

    def test_dateline_is_dropped(self) -> None:
        assert consolidate(bundle(f"HALVERNE, March 14 - {AGROUND}")).text == AGROUND

    def test_a_reprint_adds_nothing_and_shifts_nothing(self) -> None:
        text = "The ferry ran aground in fog. In fog the old ferry ran aground off Halverne."
        assert consolidate(bundle(text, text)).text == consolidate(bundle(text)).text


class TestOddSources:
    def check(self, *texts: str) -> Consolidation:
        given = bundle(*texts)
        result = consolidate(given)
        tokens_are_where_they_say(result)
        every_sentence_has_its_fate(result, given)
        return result

    def test_an_account_of_only_a_headline_becomes_a_sentence(self) -> None:
        assert self.check("Ferry sinks off Halverne\n").text == "Ferry sinks off Halverne."
        assert self.check("Ferry sinks off Halverne").text == "Ferry sinks off Halverne."

    def test_accounts_without_words_lose_nothing(self) -> None:
        assert self.check("...", "???").text == f"...\n\n{SECOND} ???"
        assert self.check("🚢", "💥 🙏").text == f"🚢\n\n{SECOND} 💥 🙏"

    def test_empty_accounts_give_an_empty_text(self) -> None:
        assert self.check("", " \n").text == ""

    def test_windows_line_ends(self) -> None:
        result = self.check(f"Ferry sinks\r\n\r\n{AGROUND}\r\n", f"{IN_FOG}\r\n")
        assert "\r" not in result.text

    def test_text_from_right_to_left_keeps_its_letters(self) -> None:
        result = self.check(
            "The ferry sank off חיפה on Tuesday.", "The ferry sank off חיפה in fog."
        )
        assert "חיפה" in result.text

    def test_marks_that_combine_stay_with_their_letters(self) -> None:
        text = "Cafe\u0301 owners near Sennick saw A\u030angstro\u0308m’s ferry."
        assert self.check(text, "Fog came.").text.startswith(text)

    def test_capitals_that_grow_do_not_shift_what_follows(self) -> None:
        self.check("ßtrange ferries sank. İstanbul slept.", "ŉ ferries sank.")

    def test_quotations_never_closed(self) -> None:
        text = 'He said "we hit the bank. Tugs came.\n\nDivers found a tear.'
        result = self.check(text, "“Fog came. They left.", AGROUND)
        assert '"we hit the bank.' in result.text

    def test_a_word_that_looks_like_a_day_but_is_none(self) -> None:
        self.check("It sank on May ² off Halverne.", "It sank on May ③ off Halverne.")

    @pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31", "soon", ""])
    def test_dates_that_mean_nothing(self, day: str) -> None:
        given = [account("a", "It sank yesterday.", day), account("b", AGROUND, "2023-03-14")]
        assert "sank yesterday" in consolidate(given).text

    def test_a_dateline_cut_by_the_splitter(self) -> None:
        assert self.check(f"PORT LORN. HALVERNE - {AGROUND}").text == AGROUND

    def test_a_sentence_of_three_thousand_words(self) -> None:
        long = "The ferry sailed " + ", ".join(f"past buoy{n} in fog{n}" for n in range(750)) + "."
        assert len(long.split()) == 3003
        assert "buoy749" in self.check(long, AGROUND, IN_FOG).text

    def test_three_hundred_identical_sentences_from_as_many_accounts(self) -> None:
        result = consolidate([account(f"a{n}", AGROUND) for n in range(300)])
        assert result.text == AGROUND
        assert len(result.sentences[0].tokens[1].sources) == 300

    def test_even_more_of_them_than_are_compared(self) -> None:
        assert consolidate([account(f"a{n}", AGROUND) for n in range(500)]).text == AGROUND

    def test_repeated_sentences_of_a_source_are_kept_once(self) -> None:
        assert self.check(" ".join([AGROUND] * 300)).text == AGROUND


class TestInputs:
    def test_consolidating_no_sources_is_an_error(self) -> None:
        with pytest.raises(EmptyInput, match="no sources"):
            consolidate([])

    def test_files_are_read(self, tmp_path: Path) -> None:
        for name, text in (("one.txt", AGROUND), ("two.txt", IN_FOG)):
            (tmp_path / name).write_text(text)
        result = consolidate([tmp_path])
        assert [one.id for one in result.documents] == ["one", "two"]
        assert consolidate([tmp_path / "one.txt", account("b", IN_FOG)]).text == result.text

    def test_a_file_that_is_not_there_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="nowhere"):
            consolidate([tmp_path / "nowhere.txt"])

    def test_another_language_is_refused(self) -> None:
        text = (
            "Die Fähre ist am Dienstag vor dem Hafen auf eine Sandbank gelaufen und liegt noch. "
            * 3
        )
        with pytest.raises(NotEnglish):
            consolidate(bundle(AGROUND, text))

    def test_sources_with_one_name_are_distinguished(self) -> None:
        result = consolidate([account("a", AGROUND), account("a", IN_FOG), account("a-2", "Fog.")])
        assert [one.id for one in result.documents] == ["a", "a-2", "a-2-2"]

    def test_progress_is_reported_by_stage_and_never_decreases(self) -> None:
        seen: list[tuple[str, int, int]] = []
        consolidate(bundle(AGROUND, IN_FOG), progress=lambda *step: seen.append(step))
        stages = list(dict.fromkeys(stage for stage, _, _ in seen))
        assert stages == ["reading sources", "comparing sentences"]
        for stage in stages:
            done = [at for name, at, _ in seen if name == stage]
            assert done == sorted(done)
            assert done[-1] == next(total for name, _, total in seen if name == stage)

    @pytest.mark.long
    def test_another_process_gives_the_same_result(self) -> None:
        code = (
            "import sys, json; from tatian import consolidate, Document;"
            "print(json.dumps(consolidate([Document(str(n), t) for n, t in "
            "enumerate(json.loads(sys.argv[1]))]).to_json()))"
        )
        texts = json.dumps([" ".join(POOL[:9]), " ".join(POOL[5:])])
        outputs = {
            subprocess.run(
                [sys.executable, "-c", code, texts],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                check=True,
            ).stdout
            for seed in ("1", "2")
        }
        assert len(outputs) == 1


@pytest.mark.parametrize(
    "inserted",
    [
        " (LRN Quote-Analyst on LRN-Stock Picks)",
        " (NYSE: LRN)",
        " (LRN.N)",
        " (pictured left)",
        "[12]",
    ],
)
def test_insertions_of_a_page_are_dropped(inserted: str) -> None:
    text = "Lorn Lines{} sold the wreck on Monday. Divers had raised it."
    given = account("a", text.format(inserted))
    woven = consolidate([given])
    assert woven.text == text.format("")
    tokens_are_where_they_say(woven)
