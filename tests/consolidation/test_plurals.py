"""A list of names in one account and the plural that another has for it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tatian.consolidation.plurals import merge_together
from tatian.consolidation.together import Together

from tatian.analysis.installed import unavailable
from tatian.pipeline import Pipeline, link_chains
from tatian.text import Document, Span
from tatian.text.provenance import render
from tatian.union.models import Merged, Outcome, Passage
from tatian.union.models.copying import copy_tokens

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable())

PIPELINE = Pipeline()
CARS = "Ford, Toyota and Honda recalled 500,000 cars on Friday."
MAKERS = "The three automakers recalled 500,000 cars on Friday."
TREATY = "France and Germany signed a treaty in Berlin."


class Keeper:
    """A merger that keeps one passage, and remembers what it was given."""

    def __init__(self, kept: int = 0) -> None:
        self.kept = kept
        self.given: list[list[str]] = []

    def merge(self, passages: Sequence[Passage]) -> Merged:
        self.given.append([passage.text for passage in passages])
        outcomes = tuple(Outcome("kept", "", (0,)) for _ in passages)
        return Merged((copy_tokens(passages[self.kept]),), outcomes)


class Both(Keeper):
    """A merger that keeps all passages apart."""

    def merge(self, passages: Sequence[Passage]) -> Merged:
        self.given.append([passage.text for passage in passages])
        outcomes = tuple(Outcome("kept", "", (at,)) for at in range(len(passages)))
        return Merged(tuple(copy_tokens(one) for one in passages), outcomes)


def merged(*texts: str, merger: Keeper | None = None) -> Merged:
    """The last sentences of accounts, merged."""
    merger = merger or Keeper()
    documents = [PIPELINE.process(Document(f"d{at}", text)) for at, text in enumerate(texts)]
    chains = link_chains(documents)
    across = {(id, member.id): chain for chain in chains for id, member in chain.members}
    accounts = {one.id: Together(one, across, PIPELINE.base) for one in documents}
    last = [document.sentences[-1] for document in documents]
    passages = [
        Passage(document, Span(sentence.start, sentence.end))
        for document, sentence in zip(documents, last, strict=True)
    ]
    return merge_together(passages, accounts, merger.merge)


def given(*texts: str) -> str:
    """What the merger gets for the last of the accounts."""
    merger = Keeper()
    merged(*texts, merger=merger)
    return merger.given[0][-1]


def written(result: Merged) -> str:
    return " ".join(render(sentence) for sentence in result.sentences)


@pytest.mark.parametrize(
    ("listed", "plural", "spelled"),
    [
        (TREATY, "The two countries signed a treaty.", "France and Germany signed a treaty."),
        (
            "Police arrested Al Held, Ed Rowe and Jim Crane in Halverne.",
            "The three men were arrested at night.",
            "Al Held, Ed Rowe and Jim Crane were arrested at night.",
        ),
        (
            "Edda Marsh met Minister Paul Garrick and Minister Anna Rowe.",
            "Edda Marsh met two ministers in the capital.",
            "Edda Marsh met Minister Paul Garrick and Minister Anna Rowe in the capital.",
        ),
    ],
)
def test_the_merger_gets_the_list_for_the_plural(listed: str, plural: str, spelled: str) -> None:
    assert given(listed, plural) == spelled


@pytest.mark.parametrize(
    "plural",
    [
        "The three countries signed a treaty.",
        "The two companies signed a treaty.",
        "The two countries broke a treaty.",
        "A treaty bound the two countries.",
        "The two countries of the south signed a treaty.",
        "The two Asian countries signed a treaty.",
        "France and the two countries signed a treaty.",
    ],
)
def test_a_plural_of_other_number_kind_deed_part_or_fact_stays(plural: str) -> None:
    assert given(TREATY, plural) == plural


def test_what_its_own_account_names_before_decides() -> None:
    same = "France met Germany. The two countries agreed on a treaty."
    assert given(TREATY, same) == "France and Germany agreed on a treaty."
    other = "Italy met Spain. The two countries signed a treaty."
    assert given(TREATY, other) == "The two countries signed a treaty."


def test_a_sentence_that_has_list_and_plural_itself_is_left_alone() -> None:
    both = "France and Germany signed a treaty with two countries."
    assert given(both, "The two countries signed a treaty.") == "The two countries signed a treaty."


def test_a_plural_that_says_no_more_than_the_list_is_among_its_sources() -> None:
    result = merged(TREATY, "The two countries signed a treaty.")
    assert written(result) == TREATY
    france = result.sentences[0][0]
    assert [(one.document, one.kind) for one in france.sources] == [
        ("d0", "copied"),
        ("d1", "aggregated"),
    ]


@pytest.mark.parametrize("kept", [0, 1])
def test_one_that_says_more_stands_before_the_list(kept: int) -> None:
    result = merged(CARS, MAKERS, merger=Keeper(kept))
    assert (
        written(result)
        == "the three automakers, Ford, Toyota and Honda, recalled 500,000 cars on Friday."
    )
    sources = {
        token.text: {(one.document, one.kind) for one in token.sources}
        for token in result.sentences[0]
    }
    assert sources["automakers"] == {("d1", "copied")}
    assert sources["Toyota"] == {("d0", "copied")}


def test_at_the_end_of_a_sentence_no_comma_follows_the_list() -> None:
    result = merged("Police praised Ford and Honda.", "Police praised the two automakers.")
    assert written(result) == "Police praised the two automakers, Ford and Honda."


def test_every_source_lies_in_an_account() -> None:
    result = merged(CARS, MAKERS, merger=Keeper(1))
    assert {source.document for source in result.sources()} == {"d0", "d1"}


def test_what_is_meant_is_told() -> None:
    result = merged(CARS, MAKERS)
    assert result.outcomes[1].why == "by “The three automakers” it means Ford, Toyota and Honda"


def test_a_merger_that_keeps_both_apart_gets_the_plain_sentences() -> None:
    merger = Both()
    assert written(merged(CARS, MAKERS, merger=merger)) == f"{CARS} {MAKERS}"
    assert merger.given[-1] == [CARS, MAKERS]


def test_words_are_not_lost_for_the_sake_of_the_list() -> None:
    class Forgetful(Keeper):
        """Keeps the first passage of two that are alike, both of two that are not."""

        def merge(self, passages: Sequence[Passage]) -> Merged:
            alike = passages[0].text[:4] == passages[1].text[:4]
            return super().merge(passages) if alike else Both().merge(passages)

    late = "The three automakers recalled 500,000 cars late at night."
    assert written(merged(CARS, late, merger=Forgetful())) == f"{CARS} {late}"


def test_accounts_that_were_not_analysed_have_no_lists() -> None:
    document = Pipeline.fast().process(Document("a", CARS))
    assert Together(document, {}).lists == ()
    assert Together(document, {}).plurals == ()
