"""Whom pronouns refer to, how surely, and what comes along with them."""

from __future__ import annotations

import pytest

import tatian
from tatian.analysis.installed import unavailable
from tatian.consolidation.context import find_missing_context
from tatian.consolidation.sexes import surname_sexes
from tatian.consolidation.spans import SourceSpans, read_spans
from tatian.text import Document

from .plans import span

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "-")


@pytest.fixture(scope="module")
def pipeline() -> tatian.Pipeline:
    return tatian.Pipeline(detector="names", aggregator="heads")


def accounts(pipeline: tatian.Pipeline, *texts: str) -> list[SourceSpans]:
    documents = [pipeline.process(Document(str(n), text)) for n, text in enumerate(texts)]
    sexes = surname_sexes(documents)
    return [read_spans(number, one, sexes) for number, one in enumerate(documents)]


NOBODY = (
    "The bridge over the Lorn was closed on Monday. Snow had fallen for three days. Workers cleared"
    " the road by noon. Traffic was slow all week. Buses did not run on Thursday. The water has"
    " risen by two metres. "
)


class TestUnresolvedPronouns:
    @pytest.mark.parametrize(
        ("before", "sentence"),
        [
            (NOBODY, "He has asked the council for more sandbags."),
            (NOBODY, "She said that the dam would hold."),
            (NOBODY, '"It cannot go on like this," he said.'),
            (
                "The depot has a new commander. Lieutenant Anna Reed took over the post today. ",
                '"We trust her fully," he said.',
            ),
        ],
    )
    def test_sentence_with_an_unresolved_he_is_excluded_with_the_reason(
        self, pipeline: tatian.Pipeline, before: str, sentence: str
    ) -> None:
        (account,) = accounts(pipeline, before + sentence)
        last = max(account.excluded)
        assert account.document.sentences[last].of(account.document.text) == sentence
        assert account.excluded[last] in ("nothing before it says who “he” is", SHE)

    @pytest.mark.parametrize(
        "text",
        [
            NOBODY + "Mayor Tom Hale visited the bridge. He has asked for more sandbags.",
            NOBODY + "A farmer lost forty sheep. He has asked for help.",
            NOBODY + "Tom Hale spoke first. The council listened. He has asked for more sandbags.",
            NOBODY + "The ferry is forty years old. She will not sail again.",
            NOBODY + "We saw the water come, and he paid us two shillings.",
            "He was a good neighbour. Nobody knew his name.",
        ],
    )
    def test_pronoun_with_an_antecedent_is_kept(self, pipeline: tatian.Pipeline, text: str) -> None:
        (account,) = accounts(pipeline, text)
        assert not any("nothing before it" in why for why in account.excluded.values())

    def test_another_account_may_say_that_she_is_a_woman(self, pipeline: tatian.Pipeline) -> None:
        one = (
            "The post was vacant. Colonel Ferris took over at the fort."
            ' "She has our support," he said.'
        )
        alone, _ = accounts(pipeline, one, "The fort was quiet.")
        beside, _ = accounts(pipeline, one, "Colonel Maud Ferris is fifty.")
        assert not alone.excluded
        assert list(beside.excluded) == [2]


SHE = "nothing before it says who “she” is"


class TestCertainNames:
    def test_he_may_be_named_behind_a_sentence_that_names_him_alone(
        self, pipeline: tatian.Pipeline
    ) -> None:
        (account,) = accounts(pipeline, "Peter Lund left the house. He was tired.")
        assert account.spans[1].dependency == "name"

    @pytest.mark.parametrize(
        "text",
        [
            "Peter Lund crossed the yard. When the guard saw this, he called for help.",
            "Peter Lund met the doctor on Monday. He was tired.",
            "Peter Lund spoke. The sergeant wrote it down. He was tired.",
            "Jesus cried with a loud voice. When the centurion saw it, he praised God.",
        ],
    )
    def test_beside_another_person_he_is_not(self, pipeline: tatian.Pipeline, text: str) -> None:
        (account,) = accounts(pipeline, text)
        assert account.spans[-1].dependency != "name"

    def test_a_noun_between_the_name_and_the_pronoun_makes_it_doubtful(
        self, pipeline: tatian.Pipeline
    ) -> None:
        text = 'Inspector Rhea Colman came. "It is a pity," said the director. She went home.'
        (account,) = accounts(pipeline, text)
        assert account.spans[-1].dependency == "before"


class TestMissingContext:
    def test_span_after_its_neighbour_misses_no_context(self, pipeline: tatian.Pipeline) -> None:
        account = accounts(pipeline, "A tug came. It was late.")
        assert find_missing_context(account[0].spans, account, {}) == {}

    @pytest.mark.parametrize(
        "text",
        [
            "The tug sank. It had leaked for days.",
            "Fog came. This closed the harbour.",
            "Ann Dale met Eve Moss. She was late.",
            "Two men fled. The others were caught.",
            "Hail fell in March. This rain had not been foreseen.",
        ],
    )
    def test_reference_to_a_missing_sentence_names_it(
        self, pipeline: tatian.Pipeline, text: str
    ) -> None:
        found = accounts(pipeline, text, "Rain fell on Tuesday.")
        order = [found[1].spans[0], found[0].spans[1]]
        assert find_missing_context(order, found, {}) == {(0, 1): (0, 0)}

    @pytest.mark.parametrize(
        "text",
        [
            "The tug sank. However, the harbour stayed open.",
            "The tug sank. It is not known why the pumps failed.",
            "The tug sank. Nobody had foreseen this rain.",
        ],
    )
    def test_span_without_references_misses_no_context(
        self, pipeline: tatian.Pipeline, text: str
    ) -> None:
        found = accounts(pipeline, text, "Rain fell on Tuesday.")
        order = [found[1].spans[0], found[0].spans[1]]
        assert find_missing_context(order, found, {}) == {}

    def test_span_covering_the_neighbour_gives_the_context(self, pipeline: tatian.Pipeline) -> None:
        found = accounts(pipeline, "The tug sank. It had leaked for days.", "The tug went down.")
        order = [found[1].spans[0], found[0].spans[1]]
        assert find_missing_context(order, found, {(0, 0): ((1, 0),)}) == {}

    def test_in_a_short_text_the_driver_must_have_been_spoken_of(self) -> None:
        first, second = span(0, 0, "A lorry overturned."), span(0, 1, "The driver fled.", "noun")
        other = span(1, 0, "Fog came.")
        account = SourceSpans(Document("a", ""), (first, second), {})
        order = [other, second]
        beside = [account, SourceSpans(Document("b", ""), (other,), {})]
        assert find_missing_context(order, beside, {}) == {}
        assert find_missing_context(order, beside, {}, nouns=True) == {(0, 1): (0, 0)}


class TestParagraphs:
    HURT = "The club wanted a striker since Tom Ames was hurt. He will be back in May."

    @pytest.mark.parametrize(
        ("text", "dependency"),
        [
            (f"{HURT}\n\nHe could play on Sunday.", "before"),
            (f"{HURT} He could play on Sunday.", "name"),
            ("The club wanted Tom Ames.\n\nHe could play on Sunday.", "name"),
        ],
    )
    def test_new_paragraph_can_introduce_another_person(
        self, pipeline: tatian.Pipeline, text: str, dependency: str
    ) -> None:
        (source,) = accounts(pipeline, text)
        assert source.spans[-1].dependency == dependency
