"""How a resolver's proposals become chains by the definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.coreference.definition import Outline, ProposedLink, apply, rulings
from tatian.errors import LayerMissing
from tatian.text import CHAINS, Chain, Document, Mention, Span

from .definition_samples import analysis

TEXT = (
    "Clara Dent, the mayor of Oslo, met Peter Holt and his wife. Holt may be the owner of a mill. "
    "Dent named Holt treasurer. The boys and girls enjoy their lunch."
)


def at(phrase: str, text: str = TEXT, after: int = 0) -> Span:
    """Where a phrase stands."""
    start = text.index(phrase, after)
    return Span(start, start + len(phrase))


def chains(document: Document) -> list[list[str]]:
    """The chains as strings, those that are optional with a question mark."""
    return [
        [one.of(document.text) + "?" * one.optional for one in chain.mentions]
        for chain in document.get(CHAINS)
    ]


def test_the_rules_link_without_any_proposal() -> None:
    text = "Clara Dent, the mayor of Oslo, sang."
    assert chains(apply(analysis(text), [])) == [
        ["Clara Dent, the mayor of Oslo,", "the mayor of Oslo,"]
    ]


def test_a_proposal_is_mapped_to_whole_phrases_by_its_head() -> None:
    text = "The old captain of the ferry sang. Later the captain slept."
    found = apply(analysis(text), [ProposedLink(at("captain", text, 35), at("captain", text))])
    assert chains(found) == [["The old captain of the ferry", "the captain"]]
    first = found.get(CHAINS)[0].mentions[0]
    assert first.head is not None
    assert first.head.of(text) == "captain"


def test_a_mention_counts_by_its_own_head() -> None:
    text = "The captain of the ferry sang. He slept."
    wide = Mention(0, len("The captain of the ferry"), head=at("captain", text))
    found = apply(analysis(text), [ProposedLink(at("He", text), wide)])
    assert chains(found) == [["The captain of the ferry", "He"]]


def test_phrases_that_are_not_markable_are_left_out() -> None:
    text = "Raising the rent is hard, and it annoys tenants."
    found = apply(analysis(text), [ProposedLink(at("it", text), at("Raising", text))])
    assert chains(found) == []


def test_a_forbidden_link_is_not_made_however_likely() -> None:
    found = apply(analysis(TEXT), [ProposedLink(at("the owner"), at("Holt may"), 0.99)])
    assert not any("the owner of a mill" in chain for chain in chains(found))


def test_a_forbidden_link_is_not_made_through_other_mentions() -> None:
    text = "Holt may be the owner of a mill. Later the owner left. Holt sang."
    proposals = [
        ProposedLink(at("the owner", text, 35), at("the owner", text), 0.9),
        ProposedLink(at("the owner", text, 35), at("Holt", text), 0.8),
    ]
    assert chains(apply(analysis(text), proposals)) == [["the owner of a mill", "the owner"]]


def test_the_likeliest_proposal_wins() -> None:
    text = "Holt may be the owner of a mill. Later the owner left. Holt sang."
    proposals = [
        ProposedLink(at("the owner", text, 35), at("the owner", text), 0.6),
        ProposedLink(at("the owner", text, 35), at("Holt", text), 0.8),
    ]
    assert chains(apply(analysis(text), proposals)) == [["Holt", "the owner"]]


def test_proposals_below_the_threshold_are_not_taken() -> None:
    proposal = ProposedLink(at("Dent named"), at("Clara Dent"), 0.4)
    assert not any("Dent" in chain for chain in chains(apply(analysis(TEXT), [proposal])))
    taken = apply(analysis(TEXT), [proposal], threshold=0.3)
    assert any("Dent" in chain for chain in chains(taken))


def test_people_of_different_full_names_stay_apart() -> None:
    found = apply(analysis(TEXT), [ProposedLink(at("Peter Holt"), at("Clara Dent"))])
    assert not any("Peter Holt" in chain for chain in chains(found))


def test_an_implied_copula_is_optional() -> None:
    assert ["Holt", "treasurer?"] in chains(apply(analysis(TEXT), []))


def test_single_mentions_are_left_out_unless_they_are_wanted() -> None:
    text = "Clara Dent sang."
    assert chains(apply(analysis(text), [])) == []
    assert chains(apply(analysis(text), [], singletons=True)) == [["Clara Dent"]]


def test_the_chains_of_the_document_are_the_default_proposals() -> None:
    text = "The captain sang. Later the captain slept."
    mentions = (Mention(0, 11), Mention(24, 35))
    given_chains = analysis(text).with_layer(CHAINS, [Chain("a", mentions)], "somebody")
    found = apply(given_chains)
    assert chains(found) == [["The captain", "the captain"]]
    assert found.layers[CHAINS.name].made.by == "somebody+definition"


def test_without_proposals_there_must_be_chains() -> None:
    with pytest.raises(LayerMissing):
        apply(analysis("Clara Dent sang."))


def test_applying_the_definition_twice_changes_nothing() -> None:
    once = apply(analysis(TEXT), [])
    assert apply(once).get(CHAINS) == once.get(CHAINS)


def _proposals() -> st.SearchStrategy[list[ProposedLink]]:
    spans = st.sampled_from([one.mention for one in Outline(analysis(TEXT)).markables])
    return st.lists(st.builds(ProposedLink, spans, spans, st.floats(0, 1)), max_size=12)


@given(st.data())
def test_chains_obey_the_rules_for_any_proposals(data: st.DataObject) -> None:
    found = apply(analysis(TEXT), data.draw(_proposals()))
    outline = Outline(analysis(TEXT))
    places = {(one.mention.start, one.mention.end) for one in outline.markables}
    chain_of = {
        (one.start, one.end): chain.id for chain in found.get(CHAINS) for one in chain.mentions
    }
    assert chain_of.keys() <= places
    assert all(len(chain.mentions) > 1 for chain in found.get(CHAINS))
    assert len(chain_of) == sum(len(chain.mentions) for chain in found.get(CHAINS))
    for ruling in rulings(outline):
        one, other = (
            chain_of.get((span.start, span.end)) for span in (ruling.anaphor, ruling.antecedent)
        )
        if ruling.verdict == "forbid" and one is not None:
            assert one != other


@pytest.mark.parametrize("text", ["", " \n\n ", "."])
def test_a_document_without_words_has_no_chains(text: str) -> None:
    assert chains(apply(analysis(text), [])) == []
