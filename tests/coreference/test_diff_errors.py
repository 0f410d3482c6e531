"""Errors of a response, after Kummerfeld & Klein 2013: which they are, and that mending ends at
the key."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.coreference.diff import KINDS, compare, compare_document
from tatian.coreference.diff.result import DocumentDiff
from tatian.coreference.metrics import score
from tatian.errors import InputError
from tatian.text import CHAINS, Chain, Document, Mention, Span

from .diff_samples import TEXT, Places, annotated, document, mention
from .mended import mended

KEY = (
    ("The ferry Aurora", "The ship", "it"),
    ("Jonas Verrick", "her captain", "he had#1"),
)

Parts = Counter[tuple[tuple[int, int, tuple[Span, ...]], ...]]


def compared(key: Places, response: Places) -> DocumentDiff:
    return compare_document(document(key), document(response))


def partners(one: DocumentDiff) -> dict[int, int]:
    """The response mention of each key mention that has one."""
    return dict((*one.pairs, *one.shifted))


def find_errors(key: Places, response: Places) -> list[tuple[str, list[str], list[str]]]:
    """Each error with the words of the key and of the response that it is about."""
    one = compared(key, response)
    return [
        (
            error.kind,
            [one.key.mentions[index].of(TEXT) for index in error.key],
            [one.response.mentions[index].of(TEXT) for index in error.response],
        )
        for error in one.errors
    ]


def parts(chains: tuple[Chain, ...]) -> Parts:
    """Chains as sets of places, however they are ordered and called."""
    return Counter(
        tuple(sorted((one.start, one.end, one.parts) for one in chain.mentions)) for chain in chains
    )


def test_a_response_like_its_key_has_no_errors() -> None:
    one = compared(KEY, KEY)
    assert one.errors == ()
    assert len(one.pairs) == 6


def test_a_mention_not_marked_is_missing() -> None:
    response = (KEY[0][:2], KEY[1])
    assert find_errors(KEY, response) == [("missing-mention", ["it"], [])]


def test_a_chain_not_marked_at_all_is_one_missing_entity() -> None:
    assert find_errors(KEY, KEY[:1]) == [
        ("missing-entity", ["Jonas Verrick", "her captain", "he had"], [])
    ]


def test_a_mention_too_many_is_extra() -> None:
    response = (KEY[0], (*KEY[1], "the buoy"))
    assert find_errors(KEY, response) == [("extra-mention", [], ["the buoy"])]


def test_a_chain_too_many_is_one_extra_entity() -> None:
    response = (*KEY, ("the buoy", "Sennick"))
    assert find_errors(KEY, response) == [("extra-entity", [], ["the buoy", "Sennick"])]


def test_different_boundaries_around_a_head_are_a_span_error() -> None:
    response = (("ferry Aurora", "The ship", "it"), KEY[1])
    assert find_errors(KEY, response) == [("span", ["The ferry Aurora"], ["ferry Aurora"])]


def test_an_overlapping_phrase_of_another_head_is_no_span_error() -> None:
    response = (("The ferry", "The ship", "it"), KEY[1])
    assert [kind for kind, *_ in find_errors(KEY, response)] == ["extra-mention", "missing-mention"]


def test_a_minimal_string_decides_what_the_head_is() -> None:
    whole = mention("Jonas Verrick, her captain,")
    min_ = mention("Jonas Verrick")
    marked = Mention(whole.start, whole.end, head=Span(min_.start, min_.end))
    chain = Chain("c", (marked, mention("he had")))
    key = Document("doc", TEXT).with_layer(CHAINS, [chain], "test")
    errors = compare_document(key, document([("Jonas Verrick", "he had")])).errors
    assert [error.kind for error in errors] == ["span"]


def test_a_chain_in_two_is_divided_at_the_smaller_part() -> None:
    response = (KEY[0][:2], ("it", "there"), KEY[1])
    assert find_errors(KEY, response) == [
        ("extra-mention", [], ["there"]),
        ("divided-entity", ["it"], ["it"]),
    ]


def test_merged_chains_are_conflated() -> None:
    response = ((*KEY[0], *KEY[1][:2]), KEY[1][2:])
    assert find_errors(KEY, response) == [
        ("conflated-entity", ["Jonas Verrick", "her captain"], ["Jonas Verrick", "her captain"]),
        ("divided-entity", ["he had"], ["he had"]),
    ]


def test_a_chain_is_labelled_with_the_key_chain_that_it_shares_most_with() -> None:
    one = compared(KEY, (KEY[0][:2], ("it", "there"), KEY[1], ("the buoy",)))
    assert one.key.labels == ("1", "2")
    assert one.response.labels == ("1", "2", "x1", "1b")


def test_an_optional_mention_that_is_not_found_is_no_error() -> None:
    first, second = mention("Jonas Verrick"), mention("her captain")
    free = Mention(second.start, second.end, optional=True)
    chain = Chain("c", (first, free, mention("he had")))
    key = Document("doc", TEXT).with_layer(CHAINS, [chain], "test")
    assert compare_document(key, document([("Jonas Verrick", "he had")])).errors == ()
    wrong = compare_document(key, document([("Jonas Verrick", "he had"), ("her captain", "it")]))
    assert {error.kind for error in wrong.errors} == {"extra-mention", "divided-entity"}


def test_a_mention_linked_only_to_an_optional_one_need_not_be_found() -> None:
    first, second = mention("Jonas Verrick"), mention("her captain")
    free = Mention(second.start, second.end, optional=True)
    key = Document("doc", TEXT).with_layer(CHAINS, [Chain("c", (first, free))], "test")
    assert compare_document(key, document([])).errors == ()


def test_an_error_has_the_form_of_its_most_informative_mention() -> None:
    response = (KEY[0], ("the buoy", "there"))
    forms = {error.kind: error.form for error in compared(KEY, response).errors}
    assert forms == {"extra-entity": "nominal", "missing-entity": "name"}


def test_counts_by_kind_and_form_add_up() -> None:
    key = [document(KEY, id="one"), document(KEY, id="two")]
    response = [document(KEY[:1], id="two"), document((KEY[0][:2], KEY[1]), id="one")]
    comparison = compare(key, response)
    assert comparison.counts == Counter({"missing-mention": 1, "missing-entity": 1})
    rows = {row[0]: row[1:] for row in comparison.table().rows}
    assert rows["missing mention"] == (1, 0, 0, 1)
    assert rows["missing entity"] == (1, 1, 0, 0)
    assert rows["all"] == (2, 1, 0, 1)


@given(annotated(optional=True), annotated())
def test_all_steps_together_turn_the_response_into_the_key(key: Document, mine: Document) -> None:
    one = compare_document(key, mine)
    optional = {i for i, m in enumerate(one.key.mentions) if m.mention.optional}
    left_out = optional - set(partners(one))
    wanted = []
    for number, chain in enumerate(one.key.chains):
        kept = [i for i in one.key.members[number] if i not in left_out]
        unfound = not set(kept) & set(partners(one))
        if kept and not (unfound and len(kept) == 1 < len(chain.mentions)):
            wanted.append(Chain("", tuple(one.key.mentions[i].mention for i in kept)))
    assert parts(mended(one)) == parts(tuple(wanted))


@given(annotated(), annotated(), st.sets(st.sampled_from(list(KINDS))))
def test_correcting_some_kinds_never_adds_errors_of_mentions(
    key: Document, mine: Document, kinds: set[str]
) -> None:
    before = compare_document(key, mine)
    chains = mended(before, [kind for kind in KINDS if kind in kinds])
    after = compare_document(key, key.with_layer(CHAINS, chains, "mended"))
    for side in ("key", "response"):
        alone = [len(getattr(one, side).mentions) - len(partners(one)) for one in (before, after)]
        assert alone[1] <= alone[0]


@given(annotated(), st.randoms(use_true_random=False))
def test_the_order_of_chains_does_not_matter(key: Document, random: object) -> None:
    chains = list(key.get(CHAINS))
    random.shuffle(chains)  # type: ignore[attr-defined]
    again = key.with_layer(CHAINS, chains, "test")
    assert compare_document(key, again).errors == ()


def test_repeated_mentions_match_those_of_the_most_similar_chain() -> None:
    twice = (("it", "he had"), ("it", "he had", "it"))
    assert find_errors(twice, twice[::-1]) == []


@given(annotated(), annotated())
def test_every_mention_has_one_partner_or_none(key: Document, mine: Document) -> None:
    one = compare_document(key, mine)
    paired = len(one.pairs) + len(one.shifted)
    assert len(partners(one)) == len(set(partners(one).values())) == paired


@given(annotated(), annotated())
def test_missing_and_extra_are_each_others_mirror(key: Document, mine: Document) -> None:
    there, back = compare_document(key, mine), compare_document(mine, key)
    mirror = {"missing": "extra", "divided": "conflated", "span": "span"}
    for one, other in mirror.items():
        ours = Counter(e.kind.removeprefix(one) for e in there.errors if e.kind.startswith(one))
        theirs = Counter(
            e.kind.removeprefix(other) for e in back.errors if e.kind.startswith(other)
        )
        assert ours == theirs


def test_white_space_may_differ() -> None:
    squeezed = " ".join(TEXT.split()).replace(". ", ".\n\n").replace(", ", " , ")
    wide = document([("Jonas Verrick", "he had")], squeezed)
    assert compare_document(document(KEY[1:]), wide).errors[0].kind == "missing-mention"
    assert len(compare_document(document(KEY[1:]), wide).pairs) == 2


def test_different_texts_are_refused_with_the_first_difference() -> None:
    with pytest.raises(InputError, match=r"document 'doc': .*'Aurora' in the key is 'Boreas'"):
        compare(document(KEY), document([("it",)], TEXT.replace("Aurora", "Boreas")))


@pytest.mark.parametrize("ids", [("two",), ("one", "two", "three")])
def test_a_document_that_one_side_lacks_is_refused(ids: tuple[str, ...]) -> None:
    key = [document(KEY, id="one"), document(KEY, id="two")]
    with pytest.raises(InputError, match=r"lacks document '(one|three)'"):
        compare(key, [document(KEY, id=id) for id in ids])


def test_a_single_document_is_compared_whatever_its_id() -> None:
    assert compare(document(KEY, id="key"), document(KEY, id="mine")).counts.total() == 0


def test_a_minimal_string_matches_where_the_definition_says_so() -> None:
    whole, min_ = mention("Jonas Verrick, her captain,"), mention("Jonas Verrick")
    marked = Mention(whole.start, whole.end, head=Span(min_.start, min_.end))
    key = Document("doc", TEXT).with_layer(CHAINS, [Chain("c", (marked,))], "test")
    response = document([("Jonas Verrick",)])
    assert compare(key, response, "min").counts.total() == 0
    assert compare(key, response, "exact").counts["span"] == 1


def test_without_singletons_chains_of_one_mention_do_not_exist() -> None:
    key, response = document([*KEY, ("the buoy",)]), document([*KEY, ("Sennick",)])
    assert compare(key, response).counts.total() == 2
    assert compare(key, response, singletons=False).counts.total() == 0


def test_scores_are_those_of_the_scorer() -> None:
    key, response = document(KEY), document((KEY[0][:2], KEY[1]))
    wanted = score([key], [response]).rates("conll").f1
    assert compare(key, response).scores["conll"] == wanted
    assert 0.8 < wanted < 1


def test_a_response_that_cannot_be_scored_can_still_be_compared() -> None:
    repeated = document([*KEY, *(("it",) for _ in range(12))])
    comparison = compare(document(KEY), repeated)
    assert comparison.scores == {}
    assert comparison.counts["extra-entity"] == 12


def test_empty_documents_can_be_compared() -> None:
    empty = Document("none", "").with_layer(CHAINS, [], "test")
    assert compare(empty, empty).documents[0].errors == ()
