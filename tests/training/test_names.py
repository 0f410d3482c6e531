"""Names from typed phrases, names exchanged, and unions with a span cut out."""

from __future__ import annotations

import numpy as np
from msgspec import structs

from tatian.training.data import LabelledSentence, SentenceUnion, TreebankWord, content_stems
from tatian.training.names import with_entity_names, with_other_names
from tatian.training.unions import deletion_test, without_span


def word(form: str, upos: str, head: int, entity: str = "") -> TreebankWord:
    return TreebankWord(form, form, upos, "X", "_", head, "dep", entity)


def names_of(*words: TreebankWord) -> tuple[str, ...]:
    forms = tuple(w.form for w in words)
    return with_entity_names(LabelledSentence("s", forms, words)).names


def test_only_the_proper_nouns_of_a_typed_phrase_are_a_name() -> None:
    phrase = (
        word("the", "DET", 2, "(1-place-new-a-b-c-coref"),
        word("Thames", "PROPN", 0),
        word("here", "ADV", 2, "1)"),
    )
    assert names_of(*phrase) == ("O", "B-LOC", "O")


def test_a_phrase_headed_by_a_common_noun_is_no_name() -> None:
    assert names_of(word("teachers", "NOUN", 0, "(1-person)")) == ("O",)


def test_titles_stay_outside() -> None:
    phrase = (word("Dr.", "PROPN", 2, "(1-person"), word("Who", "PROPN", 0, "1)"))
    assert names_of(*phrase) == ("O", "B-PER")


def test_an_organisation_keeps_what_follows_of() -> None:
    phrase = (
        word("University", "PROPN", 0, "(1-organization"),
        word("of", "ADP", 3),
        word("Leeds", "PROPN", 1, "(2-place)1)"),
    )
    assert names_of(*phrase) == ("B-ORG", "I-ORG", "I-ORG")


def test_exchanged_names_keep_kind_and_labels(sentences: list[LabelledSentence]) -> None:
    named = sentences[0]
    longer = structs.replace(
        named, forms=("Mary", "Ann", "sleeps"), words=(), names=("B-PER", "I-PER", "O")
    )
    copies = with_other_names([named, longer], 1.0, np.random.default_rng(1))
    assert len(copies) == 2
    for copy in copies:
        assert not copy.words
        assert len(copy.forms) == len(copy.names)
        assert copy.names[0] == "B-PER"


def test_cutting_a_span_loses_content_of_the_source() -> None:
    whole, source = "Anna bought a red car in Paris", "She bought a car"
    cut = without_span(whole, source, np.random.default_rng(0))
    assert cut is not None
    assert content_stems(source) & content_stems(whole) > content_stems(source) & content_stems(cut)


def test_the_deletion_test_has_a_cut_for_every_whole() -> None:
    unions = [SentenceUnion(("Anna left Rome", "Anna left on Monday"), "Anna left Rome on Monday")]
    pairs = deletion_test(unions)
    assert [p.label for p in pairs] == ["entailment", "neutral"] * 2
