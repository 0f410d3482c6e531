"""The finished plan as a result: fates, chains and phrases in their places."""

from __future__ import annotations

import pytest

from tatian.consolidation.report import _contradicts_type
from tatian.consolidation.weave import plan
from tatian.text import CHAINS, ENTITY_SETS, LINKS, Chain, Document, EntitySet, Link, Mention, Span
from tatian.text.layers import MENTIONS

from .bundles import PIPELINE, account, bundle, consolidate, sentences


class TestMentions:
    TEXT = "They asked Captain Jonas Verrick. He left Halverne."

    def test_phrases_of_the_text_stand_for_chains(self) -> None:
        result = consolidate(bundle(self.TEXT))
        names = {chain.id: chain.name for chain in result.chains}
        found = {result.text[m.start : m.end]: names[m.chain] for m in result.mentions}
        assert found == {
            "Captain Jonas Verrick": "Jonas Verrick",
            "He": "Jonas Verrick",
            "Halverne": "Halverne",
        }

    def test_a_chain_knows_where_the_accounts_speak_of_it(self) -> None:
        result = consolidate(bundle(self.TEXT, "Police saw Jonas Verrick."))
        chain = next(one for one in result.chains if one.name == "Jonas Verrick")
        assert [(one.document) for one in chain.references] == ["a", "a", "b"]

    def test_the_pages_of_a_link_come_along(self) -> None:
        document = PIPELINE.process(account("a", "Fog lay near Halverne."))
        (mention,) = document.get(MENTIONS)
        link = Link(mention.start, mention.end, ("Halverne (town)",))
        result = consolidate([document.with_layer(LINKS, [link], "somebody")])
        assert [one.titles for one in result.mentions] == [("Halverne (town)",)]

    @pytest.mark.parametrize(
        ("text", "phrase", "linked", "pages"),
        [
            ("They asked Captain Jonas Verrick.", "Captain Jonas Verrick", "Jonas Verrick", 1),
            ("They boarded the ferry.", "the ferry", "ferry", 1),
            ("They boarded the old ferry.", "the old ferry", "ferry", 0),
            ("They boarded the old ferry.", "the old ferry", "old", 0),
        ],
    )
    def test_a_link_is_a_mentions_if_only_a_title_or_an_article_stands_before_it(
        self, text: str, phrase: str, linked: str, pages: int
    ) -> None:
        document = PIPELINE.process(account("a", f"{text} It left."))
        start, at = text.index(phrase), text.index(linked)
        person = phrase.startswith("Captain")
        head = Span(at, at + len(linked)) if person else None
        mention = Mention(start, start + len(phrase), "PER" if person else "", head=head)
        it = Mention(len(text) + 1, len(text) + 3)
        document = document.with_layer(CHAINS, [Chain("c", (mention, it))], "somebody")
        link = Link(at, at + len(linked), ("Page",))
        result = consolidate([document.with_layer(LINKS, [link], "somebody")])
        assert [one.titles for one in result.mentions] == [("Page",) * pages, ()]


class TestAggregations:
    MET = "İİİ came. They met Minister Held and Minister Rowe. "

    def test_a_phrase_that_the_text_uses_is_found_in_it(self) -> None:
        result = consolidate(bundle(self.MET + "Later the two ministers left."))
        (found,) = result.aggregations
        assert found.phrase == "the two ministers"
        assert result.text[found.start : found.end] == "two ministers"

    def test_a_phrase_that_it_does_not_use_has_no_place(self) -> None:
        result = consolidate(bundle(self.MET + "Later twenty-two ministers-elect left."))
        (found,) = result.aggregations
        assert (found.start, found.end) == (None, None)

    def test_its_members_are_chains_of_the_result(self) -> None:
        result = consolidate(bundle(self.MET, "They met Minister Crane and Minister Rowe."))
        known = {chain.id: chain.name for chain in result.chains}
        assert [[known[one] for one in found.chains] for found in result.aggregations] == [
            ["Held", "Rowe"],
            ["Crane", "Rowe"],
        ]

    def test_accounts_whose_chains_have_the_same_ids_are_kept_apart(self) -> None:
        first = PIPELINE.process(account("a", self.MET))
        second = PIPELINE.process(account("a", "They met Mayor Crane and Mayor Marsh."))
        result = consolidate([first, second])
        known = {chain.id: chain.name for chain in result.chains}
        assert [[known[one] for one in found.chains] for found in result.aggregations] == [
            ["Held", "Rowe"],
            ["Crane", "Marsh"],
        ]

    def test_set_of_unknown_chains_is_left_out(self) -> None:
        stray = EntitySet(("x", "y"), ("X", "Y"), "PER", ("the two of them",))
        document = account("a", self.MET).with_layer(ENTITY_SETS, [stray], "somebody")
        assert consolidate([document]).aggregations == ()


def test_every_account_comes_back_with_what_is_known_about_it() -> None:
    given = account("a", "Fog came.", "2023-03-14", title="Fog", source="Wire", path="a.txt")
    (back,) = consolidate([given]).documents
    assert (back.id, back.text, back.date) == ("a", "Fog came.", "2023-03-14")
    assert (back.title, back.source, back.path) == ("Fog", "Wire", "a.txt")


class TestPlaces:
    """Why each sentence of the text stands where it stands."""

    LEAD = "The ferry Aurora sank off Halverne. Its crew was saved. The pier was closed."

    def why(self, *accounts: Document) -> dict[str, str]:
        result = consolidate(accounts)
        return {result.text[one.start : one.end]: one.why for one in result.sentences}

    def test_every_sentence_has_a_reason(self) -> None:
        assert all(one.why for one in consolidate(["examples/museum"]).sentences)

    def test_accounts_are_called_by_source_title_or_id(self) -> None:
        for name, known in (("Wire", {"source": "Wire"}), ("“Sunk”", {"title": "Sunk"}), ("a", {})):
            found = self.why(account("a", self.LEAD, **known))
            assert found["The ferry Aurora sank off Halverne."] == f"in the order of {name}"

    def test_another_account_keeps_its_order(self) -> None:
        more = "Aurora, the ferry, sank in fog."
        found = self.why(account("a", self.LEAD), account("b", f"Divers came. {more}"))
        assert found[more] == "in the order of b"

    def test_placements_for_a_model_have_an_anchor(self) -> None:
        more = "Divers came. Aurora, the ferry, sank in fog."
        documents = [
            PIPELINE.process(Document("a", self.LEAD)),
            PIPELINE.process(Document("b", more)),
        ]
        placements = plan(documents, fast=True, interleaved=True).placements
        assert placements[1, 1].reason == "adds"

    def test_the_sentences_of_one_quotation_belong_together(self) -> None:
        found = self.why(account("a", '"It was dark. Nobody saw us," said Hanna Brode.'))
        assert found['Nobody saw us," said Hanna Brode.'] == "belongs to the sentence before it"

    def test_accounts_of_other_days_and_in_their_own_voice_say_so(self) -> None:
        later = account("b", "Divers raised the wreck.", "2023-04-20", source="Wire")
        own = account("c", "I stood at the rail. We saw nothing. My bag sank.", source="Diary")
        found = self.why(account("a", self.LEAD, "2023-03-14"), later, own)
        heading = "Reported on April 20, 2023: Divers raised the wreck."
        assert found[heading] == "reported on a later day, in the order of Wire"
        assert found["We saw nothing."] == "in the words of Diary, in the order of Diary"


def test_groups_of_sentences_that_report_the_same_are_listed() -> None:
    result = consolidate(bundle("Fog came. The ferry sank in thick fog.", "The ferry sank in fog."))
    assert [[(p.document, p.sentence) for p in one] for one in result.groups] == [
        [("a", 1), ("b", 0)]
    ]


def test_a_mention_that_covers_no_word_is_not_written() -> None:
    document = PIPELINE.process(account("a", "Fog came."))
    odd = document.with_layer(MENTIONS, [Mention(1, 2, "PER")], "somebody")
    assert consolidate([odd]).mentions == ()


class TestQuotationMarks:
    def glued(self, text: str) -> list[str]:
        """The sentences of what is made of an account, those with glue only."""
        result = consolidate(bundle(text))
        return [
            text
            for text, sentence in zip(sentences(result), result.sentences, strict=True)
            if any(token.glue for token in sentence.tokens)
        ]

    @pytest.mark.parametrize(("opening", "closing"), ["“”", '""'])
    def test_unclosed_quotation_is_closed_with_glue(self, opening: str, closing: str) -> None:
        text = f"Hanna Brode spoke. {opening}It was dark and cold. Divers came."
        assert self.glued(text) == [f"{opening}It was dark and cold.{closing}"]

    def test_closed_quotation_gets_no_glue(self) -> None:
        assert self.glued('"It was dark. We saw nothing," said Hanna Brode. Divers came.') == []

    def test_inches_need_none(self) -> None:
        assert self.glued('The tear was 12" wide. Divers came.') == []


class TestTitle:
    SANK = "A ferry sank off Halverne in fog. Tugs came at noon."

    def test_title_is_that_of_the_backbone(self) -> None:
        given = [account("a", "Tugs came.", title="Tugs"), account("b", self.SANK, title="Ferry")]
        assert consolidate(given).title == "Ferry"

    def test_or_its_headline_which_the_text_does_not_repeat(self) -> None:
        result = consolidate(bundle(f"Ferry sinks\n\n{self.SANK}"))
        assert result.title == "Ferry sinks"
        assert "Ferry sinks" not in result.text

    def test_or_that_of_another_account(self) -> None:
        assert consolidate(bundle("Tugs come\n\nTugs came.", self.SANK)).title == "Tugs come"

    def test_without_any_there_is_none(self) -> None:
        assert consolidate(bundle(self.SANK)).title is None


def test_a_word_that_stands_for_others_names_their_places() -> None:
    result = consolidate(bundle("The ferry sank in fog off Halverne.", "The ferry sank in fog."))
    ferry = result.sentences[0].tokens[1]
    assert [(source.document, source.kind) for source in ferry.sources] == [
        ("a", "copied"),
        ("b", "copied"),
    ]


def test_sentences_are_numbered_below_the_headline_and_what_stands_above_it() -> None:
    for above in ("", "Ferry sinks\n\n", "The Harbour Post\n14 March 2023\n\nFerry sinks\n\n"):
        (read,) = consolidate([Document("a", f"{above}The ferry sank. Divers came.")]).documents
        numbered = dict(zip(read.numbers, read.sentences, strict=True))
        assert read.text[numbered[1].start : numbered[1].end] == "The ferry sank."


@pytest.mark.parametrize(
    ("kind", "phrases", "otherwise"),
    [
        ("LOC", ["The Albatross", "the German airship"], True),
        ("LOC", ["Lakehurst", "the town"], False),
        ("LOC", ["Lakehurst", "it"], False),
        ("PER", ["Hugo Lenz", "the captain"], False),
        ("", ["the storm"], False),
    ],
)
def test_description_outweighs_the_look_of_a_name(
    kind: str, phrases: list[str], otherwise: bool
) -> None:
    assert _contradicts_type(kind, phrases) is otherwise
