"""The answers of mention labelers."""

import msgspec
import pytest

from tatian.errors import InputError
from tatian.formats.labels import Confirmation, Detection, LinkedTerm, MentionVerdict
from tatian.text import Authorship
from tatian.text.layers import Record

ANN = Authorship("ann", kind="person")
TEXT = "The free and open source software gives users freedom."
FREE = LinkedTerm(4, 8, "free", "Free_software")
OPEN = LinkedTerm(13, 33, "open source software", "Open-source_software")


def test_detections_survive_json():
    record = Record("r1", "mentions.detect", "s1", ANN, Detection((FREE, OPEN)))
    assert msgspec.json.decode(msgspec.json.encode(record), type=Record[Detection]) == record


def test_confirmations_survive_json():
    answer = Confirmation((MentionVerdict(FREE, False), MentionVerdict(OPEN, True)))
    record = Record("r2", "mentions.confirm", "s1", ANN, answer)
    assert msgspec.json.decode(msgspec.json.encode(record), type=Record[Confirmation]) == record


def test_a_detection_that_fits_its_text_is_accepted():
    Detection((FREE, OPEN)).check(TEXT)


def test_a_term_that_differs_from_its_text_is_refused():
    with pytest.raises(InputError, match=r"the text has 'e fr' at 2..6, not 'free'"):
        Detection((LinkedTerm(2, 6, "free", "Free_software"),)).check(TEXT)


def test_a_term_of_another_length_than_its_span_is_refused():
    with pytest.raises(ValueError, match=r"'free' is not as long as 4..9"):
        LinkedTerm(4, 9, "free", "Free_software")


def test_term_can_have_several_titles():
    other = LinkedTerm(4, 8, "free", "Freedom")
    assert Detection((FREE, other)).mentions == (FREE, other)


def test_repeated_link_is_refused():
    with pytest.raises(ValueError, match="twice"):
        Detection((FREE, FREE))


def test_terms_out_of_order_are_refused():
    with pytest.raises(ValueError, match="order of the text"):
        Detection((OPEN, FREE))


@pytest.mark.parametrize(
    ("title", "message"),
    [
        ("", "without a Wikipedia title"),
        ("Software#Free_software", "section"),
        ("List_of_programs", "list"),
        ("lists_of Freedoms", "list"),
        ("OUTLINE  of freedom", "list"),
        ("Timeline of freedom", "list"),
        ("Glossary of freedom", "list"),
        ("Index of freedom-related articles", "list"),
        ("Free (disambiguation)", "disambiguation"),
    ],
)
def test_titles_that_name_no_thing_are_refused(title, message):
    with pytest.raises(ValueError, match=message):
        LinkedTerm(4, 8, "free", title)


def test_a_confirmation_has_the_shown_and_the_accepted_terms():
    answer = Confirmation((MentionVerdict(FREE, False), MentionVerdict(OPEN, True)))
    assert answer.judged == {FREE, OPEN}
    assert answer.confirmed == {OPEN}


def test_two_verdicts_on_one_candidate_are_refused():
    with pytest.raises(ValueError, match="two verdicts"):
        Confirmation((MentionVerdict(FREE, False), MentionVerdict(FREE, True)))
