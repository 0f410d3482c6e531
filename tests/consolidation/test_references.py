"""Who "he" is, when sentences stand in new company."""

from __future__ import annotations

from tatian.consolidation.draft import Draft
from tatian.consolidation.references import name_strangers

from tatian.pipeline import link_chains
from tatian.text import CHAINS, Chain, Mention
from tatian.text.provenance import render

from .bundles import copied, processed


def retold(order: str, *texts: str) -> list[str]:
    """The sentences, told in the order of these digits, once pronouns have been named."""
    draft = copied(processed(*texts))
    return _retold(draft, order)


def _retold(draft: Draft, order: str) -> list[str]:
    draft.told = [draft.told[int(digit)] for digit in order]
    name_strangers(draft, link_chains(draft.documents))
    return [render(told.tokens) for told in draft.told]


VERRICK = "They asked Jonas Verrick. He said nothing."


def test_a_pronoun_stays_after_the_sentence_it_followed() -> None:
    assert retold("01", VERRICK) == ["They asked Jonas Verrick.", "He said nothing."]


def test_a_name_is_put_for_a_pronoun_in_new_company() -> None:
    assert retold("021", VERRICK, "Tugs came.") == [
        "They asked Jonas Verrick.",
        "Tugs came.",
        "Jonas Verrick said nothing.",
    ]


def test_so_it_is_at_the_start_of_the_text() -> None:
    assert retold("10", VERRICK)[0] == "Jonas Verrick said nothing."


def test_a_pronoun_stays_where_the_sentence_before_speaks_of_the_same_person() -> None:
    assert retold("021", VERRICK, "Then Jonas Verrick left.") == [
        "They asked Jonas Verrick.",
        "Then Jonas Verrick left.",
        "He said nothing.",
    ]


def test_the_nearest_way_the_account_puts_it_is_used() -> None:
    text = "They asked Jonas Verrick. They saw Captain Verrick. He said nothing."
    assert retold("032", text, "Tugs came.")[2] == "Captain Verrick said nothing."


def test_a_role_begins_with_a_capital_like_any_sentence() -> None:
    text = "They saw the captain, Jonas Verrick. Now the captain left. He ran."
    assert retold("032", text, "Tugs came.")[2] == "The captain ran."


def test_a_pronoun_nobody_knows_stays() -> None:
    assert retold("10", "He said nothing.", "Tugs came.") == ["Tugs came.", "He said nothing."]


def test_words_inside_quotation_marks_are_never_touched() -> None:
    text = 'They asked Jonas Verrick. "It was foggy. He knew," said Tolle.'
    documents = processed(text, "Tugs came.")
    start = text.index("He")
    chain = Chain("c", (Mention(11, 24, "PER"), Mention(start, start + 2, "PER")), "PER")
    documents[0] = documents[0].with_layer(CHAINS, [chain], "somebody")
    assert 'He knew," said Tolle.' in _retold(copied(documents), "032")


def test_the_name_knows_its_own_place_and_that_of_the_pronoun() -> None:
    draft = copied(processed(VERRICK))
    draft.told = draft.told[1:]
    name_strangers(draft, link_chains(draft.documents))
    jonas = draft.told[0].tokens[0]
    assert [VERRICK[s.start : s.end] for s in jonas.sources] == ["Jonas", "He"]
    assert {source.kind for source in jonas.sources} == {"substituted"}


def test_a_mention_on_no_word_is_not_used() -> None:
    documents = processed("Fog came. He left.")
    chain = Chain("c", (Mention(1, 2, "PER"), Mention(10, 12, "PER")), "PER")
    documents[0] = documents[0].with_layer(CHAINS, [chain], "somebody")
    assert _retold(copied(documents), "1") == ["He left."]
