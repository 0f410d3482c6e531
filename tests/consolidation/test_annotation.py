"""What a review of a woven text may say."""

import pytest

from tatian.consolidation.annotation import LONGEST, Review, SentenceReview
from tatian.consolidation.result import Place
from tatian.errors import InputError

ACCEPTED = SentenceReview("accept")
PLACES = {Place("wire", 0), Place("wire", 1)}


def test_a_sentence_stays_is_changed_or_goes():
    assert ACCEPTED.result("As it was.") == "As it was."
    assert SentenceReview("edit", "As it is.").result("As it was.") == "As it is."
    assert SentenceReview("reject", reason="repeats").result("As it was.") is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"verdict": "edit"}, "an edited sentence has a text"),
        ({"verdict": "edit", "text": "  "}, "an edited sentence has a text"),
        ({"verdict": "accept", "text": "Changed."}, "and no other has"),
        ({"verdict": "reject"}, "a rejected sentence has a reason"),
        ({"verdict": "accept", "reason": "loses"}, "and no other has"),
        ({"verdict": "reject", "reason": "other"}, "needs a note"),
        ({"verdict": "edit", "text": "x" * (LONGEST + 1)}, "more than 5,000 characters"),
    ],
)
def test_a_verdict_that_makes_no_sense_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        SentenceReview(**given)


def test_a_source_sentence_is_missing_once():
    with pytest.raises(ValueError, match="missing twice"):
        Review((ACCEPTED,), (Place("wire", 0), Place("wire", 0)))


def test_every_sentence_needs_a_verdict():
    with pytest.raises(InputError, match="1 verdicts on 2 sentences"):
        Review((ACCEPTED,)).check(["One.", "Two."], PLACES)


def test_an_edit_changes_something():
    edited = Review((SentenceReview("edit", " One  more. "),))
    with pytest.raises(InputError, match="sentence 1 is edited, but no word"):
        edited.check(["One more."], PLACES)
    edited.check(["One."], PLACES)


def test_only_source_sentences_that_are_there_can_be_missing():
    with pytest.raises(InputError, match="no source sentence 7 in the account 'wire'"):
        Review((ACCEPTED,), (Place("wire", 7),)).check(["One."], PLACES)
    Review((ACCEPTED,), (Place("wire", 1),)).check(["One."], PLACES)
