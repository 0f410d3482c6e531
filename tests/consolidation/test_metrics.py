"""What is told, told again, in which order: each measure on texts where one can count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.consolidation.metrics import (
    CORE,
    compare,
    difference_table,
    faults,
    find_coverage,
    measure,
    score,
    score_table,
    sentences,
)
from tatian.corpora.bundles import read_bundles
from tatian.errors import InputError

from .facts import bundle, mill

EXAMPLES = Path(__file__).parents[2] / "examples"


def told(text: str) -> set[str]:
    """The ids of the facts that a text tells."""
    return {one.fact.id for one in find_coverage(bundle(), text) if one.places}


def test_fact_is_stated_if_every_group_has_a_key_in_the_text() -> None:
    assert told("A fire in a mill.") == set()
    assert told("A fire in the mill at Dunby.") == {"f1"}


def test_any_alternative_of_a_group_counts() -> None:
    assert told("No one was hurt.") == told("Nobody was hurt.") == {"f3"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("FIRE IN THE MILL AT DUNBY", True),
        ("Fires at Dunby's mills", True),
        ("A campfire near Dunby mill", False),
        ("A fire in Dunby's windmill", False),
    ],
)
def test_a_key_begins_a_word_whatever_its_case(text: str, found: bool) -> None:
    assert (told(text) == {"f1"}) is found


def test_the_kind_of_quotation_marks_does_not_matter() -> None:
    assert told('"We came too late."') == told("“We came too late.”") == {"f4"}


def test_neighbouring_sentences_can_state_a_fact_together() -> None:
    (first, *_) = find_coverage(bundle(), "Dunby is upset. The mill is gone. It was a fire.")
    assert not first.places
    (first, *_) = find_coverage(bundle(), "So it is. The mill of Dunby is gone. It was a fire.")
    assert (first.places, first.joined) == ((1,), True)


def test_neighbours_do_not_count_if_one_sentence_states_it() -> None:
    text = "A fire took the mill of Dunby. The mill of Dunby was old. That fire!"
    assert find_coverage(bundle(), text)[0].places == (0,)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("One. Two! Three?", 3),
        ('"One." Two', 2),
        ("One; two", 2),
        ("Mr. Pell and J. Orr of the U.S. Army came.", 1),
        ("It cost 3.5 crowns, e.g. on Monday.", 1),
        ("One\n\ntwo\n \nthree", 3),
        ("hard\nwrapped", 1),
        ("", 0),
    ],
)
def test_a_sentence_ends_at_a_stop_a_semicolon_or_a_blank_line(text: str, count: int) -> None:
    assert len(sentences(text)) == count


def test_told_and_main_are_shares() -> None:
    measured = measure(bundle(), "A fire destroyed the mill of Dunby.")
    assert measured.told == 1 / 5
    assert measured.main == 1 / 2


def test_redundancy_counts_further_sentences_of_each_fact() -> None:
    once = "Nobody was hurt. A fire took the mill of Dunby."
    assert measure(bundle(), once).again == 0
    assert measure(bundle(), f"{once} Nobody, no one was hurt. None hurt? Nobody hurt.").again == 1


def test_order_compares_first_mentions_without_ties() -> None:
    fire, hurt, late = "Fire at Dunby mill", "nobody was hurt", "“We came too late”"
    assert measure(bundle(), f"{fire}.\n\n{hurt}.\n\n{late}.").order == 1
    assert measure(bundle(), f"{late}.\n\n{hurt}.\n\n{fire}.").order == -1
    assert measure(bundle(), f"{fire} and {hurt}.\n\n{late}.").order == pytest.approx(2 / 3)
    assert measure(bundle(), f"{fire}.\n\n{late}.\n\n{hurt}. {fire}.").order == pytest.approx(1 / 3)
    assert measure(bundle(), fire).order == 0


def test_noise_is_found_by_its_words_and_short_lines_are_left_alone() -> None:
    assert measure(bundle(), "Posted: at noon, today!").noise == 1
    assert measure(bundle(), "Posted at noon, yesterday").noise == 0
    accounts = mill()["accounts"]
    accounts[0]["sentences"][0] = "Posted"
    assert measure(bundle(accounts=accounts), "Posted").noise == 0


def test_length_is_that_of_the_reference() -> None:
    one = bundle()
    assert measure(one, one.reference_text()).length == 1
    assert measure(one, f"{one.reference_text()} {one.reference_text()}").length == 2


def test_torn_paragraphs_have_a_mark_without_its_partner() -> None:
    assert measure(bundle(), 'He said "no."\n\n“Why?”').torn == 0
    assert measure(bundle(), 'He said, "no.\n\n"Why?" and “so on.').torn == 2


def test_words_of_sentences_and_paragraphs() -> None:
    measured = measure(bundle(), "One two three. Four; five\n\nSix.")
    assert measured.sentence_words == 2
    assert measured.paragraph_words == 3


def test_a_text_of_nothing_can_be_measured() -> None:
    assert {name: getattr(measure(bundle(), ""), name) for name in CORE} == dict.fromkeys(CORE, 0)


def test_scores_keep_the_value_of_each_bundle() -> None:
    two = [bundle(), bundle(id="other")]
    scores = score(two, {"mill": two[0].stacked(), "other": ""})
    assert scores["told"].values == (1, 0)
    assert scores["told"].value == 0.5
    assert scores["told"].ids == ("mill", "other")
    assert scores["told"].interval is not None


def test_a_bundle_without_a_text_is_named() -> None:
    with pytest.raises(InputError, match="no text for the bundle 'mill'"):
        score([bundle()], {})


def test_systems_are_compared_measure_by_measure() -> None:
    bundles = [bundle(), bundle(id="other")]
    stacked = score(bundles, {one.id: one.stacked() for one in bundles})
    longest = score(bundles, {one.id: one.longest() for one in bundles})
    compared = compare(stacked, longest)
    assert [one.metric for one in compared] == list(CORE)
    assert compared[0].difference == pytest.approx(stacked["told"].value - longest["told"].value)
    table = difference_table("stacked", stacked, "longest", longest)
    assert [row[0] for row in table.rows] == list(CORE)
    assert [row[0] for row in score_table({"a": stacked, "b": longest}).rows] == ["a", "b"]


@given(st.lists(st.sampled_from([*bundle().sentences().values(), "Unheard of;", '"'])))
def test_longer_text_never_states_fewer_facts(said: list[str]) -> None:
    more = measure(bundle(), "\n\n".join([*said, *bundle().sentences().values()]))
    less = measure(bundle(), "\n\n".join(said))
    assert less.told <= more.told == 1
    assert less.noise <= more.noise
    assert less.torn <= more.torn
    assert -1 <= less.order <= 1


@given(st.text())
def test_any_text_can_be_measured(text: str) -> None:
    measured = measure(bundle(), text)
    assert 0 <= measured.told <= 1
    reference = len(bundle().reference_text().split())
    assert measured.length == pytest.approx(len(text.split()) / reference)
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


def test_a_sound_bundle_has_no_faults() -> None:
    assert list(faults(bundle())) == []


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.name)
def test_the_example_is_sound_and_holds_the_accounts_beside_it(path: Path) -> None:
    (one,) = read_bundles(str(path))
    assert list(faults(one)) == []
    for account in one.accounts:
        beside = (path.with_suffix("") / f"{account.name}.txt").read_text("utf-8")
        assert account.text.split() == beside.split()


def changed(at: int, **changes: Any) -> dict[str, Any]:
    """The facts of the bundle, one of them otherwise."""
    facts = mill()["facts"]
    facts[at] |= changes
    return {"facts": facts}


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        (
            changed(2, sources=["A.2", "A.3"]),
            "bundle mill, fact f3, sentence A.3: no key of every group occurs in it",
        ),
        (
            changed(0, sources=["A.1"]),
            "bundle mill, fact f1, sentence B.0: has its keys, but is none of its sources",
        ),
        (
            changed(2, keys=[["fire chief"]]),
            "bundle mill, fact f3, reference: does not state it, though it is no detail",
        ),
        (
            {"facts": [*mill()["facts"][2:], *mill()["facts"][:2]]},
            "bundle mill, fact f1, reference sentence 0: states it before facts that precede it",
        ),
        ({"noise": ["Z.1"]}, "bundle mill, noise: there is no sentence 'Z.1'"),
    ],
)
def test_a_fault_names_bundle_fact_and_sentence(changes: dict[str, Any], fault: str) -> None:
    assert fault in list(faults(bundle(**changes)))


def test_keys_in_noise_are_no_fault() -> None:
    accounts = mill()["accounts"]
    accounts[0]["sentences"][0] = "Fire in Dunby: mill gone"
    assert list(faults(bundle(accounts=accounts))) == []
