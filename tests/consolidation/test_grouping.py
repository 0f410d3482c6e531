"""Which sentences of different accounts report the same thing."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from tatian.consolidation.grouping import group, set_copies_apart

from tatian.consolidation.units import Unit, flatten
from tatian.text import Document

from .bundles import processed, units, weights

AGROUND = "The ferry ran aground off Halverne in fog."
AGAIN = "In thick fog the ferry ran aground."
TORN = "Divers found a tear in the hull."
SAILINGS = "Sennick Line cancelled all sailings until Friday."


def grouped(*texts: str, threshold: float = 0.15) -> list[list[str]]:
    documents = processed(*texts)
    found = group(units(documents), weights(documents), threshold=threshold)
    return as_text(found, documents)


def as_text(groups: Sequence[Sequence[Unit]], documents: Sequence[Document]) -> list[list[str]]:
    return [[unit.body.of(documents[unit.account].text) for unit in one] for one in groups]


def test_sentences_of_two_accounts_that_share_much_come_together() -> None:
    assert grouped(f"{AGROUND} {TORN}", f"{SAILINGS} {AGAIN}") == [
        [AGROUND, AGAIN],
        [TORN],
        [SAILINGS],
    ]


def test_sentences_of_one_account_stay_apart() -> None:
    assert grouped(f"{AGROUND} {AGAIN}") == [[AGROUND], [AGAIN]]


def test_they_come_together_through_what_another_account_says() -> None:
    assert grouped(f"{AGROUND} {AGAIN}", "The ferry ran aground in fog.") == [
        [AGROUND, AGAIN, "The ferry ran aground in fog."]
    ]


def test_a_higher_threshold_groups_less() -> None:
    assert grouped(AGROUND, AGAIN, threshold=0.99) == [[AGROUND], [AGAIN]]


def test_sentences_that_contradict_each_other_come_together_sooner() -> None:
    documents = processed("Of those aboard 12 people drowned.", "Officials count 13 people dead.")
    accounts = units(documents)
    pair = (accounts[0][0].key, accounts[1][0].key)
    told = weights(documents)
    apart = group(accounts, told)
    together = group(accounts, told, disputed=frozenset([pair]))
    assert (len(apart), len(together)) == (2, 1)


def test_progress_is_told_and_never_falls() -> None:
    seen: list[tuple[str, int, int]] = []
    documents = processed(AGROUND, AGAIN)
    group(units(documents), weights(documents), progress=lambda *step: seen.append(step))
    assert seen[0][1] == 0
    assert seen[-1][1] == seen[-1][2] == 2
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)


def test_nothing_makes_no_groups() -> None:
    assert grouped() == []


class TestCopies:
    def apart(self, *texts: str) -> tuple[list[list[str]], list[list[str]]]:
        documents = processed(*texts)
        originals, copies = set_copies_apart(units(documents), documents)
        return as_text(originals, documents), as_text(list(copies.values()), documents)

    def test_a_sentence_that_another_account_has_word_for_word_is_its_copy(self) -> None:
        assert self.apart(f"{AGROUND} {AGAIN} {TORN}", f"{SAILINGS} {TORN}") == (
            [[AGROUND, AGAIN, TORN], [SAILINGS]],
            [[TORN]],
        )

    def test_white_space_makes_no_difference(self) -> None:
        spaced = TORN.replace(" in ", " \t in ")
        assert self.apart(f"{TORN} {AGROUND}", spaced) == ([[TORN, AGROUND], []], [[spaced]])

    def test_what_an_account_repeats_itself_is_no_copy(self) -> None:
        assert self.apart(f"{TORN} {TORN}") == ([[TORN, TORN]], [])

    def test_a_repetition_is_the_copy_of_a_repetition(self) -> None:
        assert self.apart(f"{TORN} {TORN}", f"{TORN} {TORN}") == (
            [[TORN, TORN], []],
            [[TORN], [TORN]],
        )

    def test_the_longer_account_has_the_original(self) -> None:
        assert self.apart(TORN, f"{AGROUND} {TORN}")[0] == [[], [AGROUND, TORN]]

    def test_a_copy_goes_where_its_original_goes(self) -> None:
        documents = processed(AGROUND, AGAIN, AGROUND)
        originals, copies = set_copies_apart(units(documents), documents)
        groups = group(originals, weights(documents), copies=copies)
        assert [[unit.account for unit in one] for one in groups] == [[0, 1, 2]]

    def test_a_copy_does_not_bring_sentences_of_its_original_account_together(self) -> None:
        for texts in ((f"{AGROUND} {AGAIN}", AGAIN), (AGAIN, f"{AGROUND} {AGAIN}")):
            documents = processed(*texts)
            originals, copies = set_copies_apart(units(documents), documents)
            groups = as_text(group(originals, weights(documents), copies=copies), documents)
            assert sorted(groups) == [[AGAIN, AGAIN], [AGROUND]]


POOL = [AGROUND, AGAIN, TORN, SAILINGS, "It sank.", "Divers found the hull in fog."]
BUNDLES = st.lists(st.lists(st.sampled_from(POOL), max_size=4).map(" ".join), max_size=4)


@settings(max_examples=60)
@given(BUNDLES)
def test_every_sentence_is_in_exactly_one_group(texts: list[str]) -> None:
    documents = processed(*texts)
    accounts = units(documents)
    originals, copies = set_copies_apart(accounts, documents)
    found = group(originals, weights(documents), copies=copies)
    assert sorted(unit.key for one in found for unit in one) == [
        unit.key for unit in flatten(accounts)
    ]
    assert all(list(one) == sorted(one, key=lambda unit: unit.key) for one in found)
