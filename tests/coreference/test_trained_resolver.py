"""The trained resolver: chains by scheme, links with probabilities, long documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.analysis import analyze
from tatian.analysis.loading import load
from tatian.coreference.models import best_model, resolvers
from tatian.coreference.models.resolver import TrainedResolver, read_states
from tatian.errors import AssetError, InputError
from tatian.text import CHAINS, WORDS, Document, Metadata

TEXT = "Clara Dent sold her boat. She was sad, and her husband said that he was sad too."
SCHEMES = ("muc", "ontonotes", "gum", "litbank")


@pytest.fixture(scope="module")
def document() -> Document:
    return analyze(Document("text", TEXT))


def chains(document: Document) -> list[list[str]]:
    """The chains as strings."""
    return [[one.of(document.text) for one in chain.mentions] for chain in document.get(CHAINS)]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_pronoun_is_linked_to_a_person(document: Document, scheme: str) -> None:
    found = chains(TrainedResolver(scheme=scheme).resolve(document))
    assert any(chain[:3] == ["Clara Dent", "her", "She"] for chain in found)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_people_of_different_gender_are_not_linked(document: Document, scheme: str) -> None:
    found = chains(TrainedResolver(scheme=scheme).resolve(document))
    assert not any("he" in chain and "She" in chain for chain in found)


@pytest.mark.parametrize("scheme", ["muc", "ontonotes"])
def test_schemes_without_singletons_mark_only_what_is_linked(
    document: Document, scheme: str
) -> None:
    assert all(len(chain) > 1 for chain in chains(TrainedResolver(scheme=scheme).resolve(document)))


@pytest.mark.parametrize("scheme", ["gum", "litbank"])
def test_schemes_with_singletons_mark_unlinked_people(scheme: str) -> None:
    found = chains(
        TrainedResolver(scheme=scheme).resolve(analyze("Clara Dent met an old captain."))
    )
    assert found == [["Clara Dent"], ["an old captain"]]


def test_names_give_mentions_and_chains_their_type(document: Document) -> None:
    found = TrainedResolver(scheme="ontonotes").resolve(document).get(CHAINS)
    chain = next(one for one in found if one.mentions[0].of(TEXT) == "Clara Dent")
    assert chain.type == "PER"
    assert [mention.type for mention in chain.mentions[:2]] == ["PER", ""]


def test_a_mention_has_its_head() -> None:
    text = "The old captain of the ferry waved. He left."
    found = TrainedResolver(scheme="gum").resolve(analyze(text)).get(CHAINS)
    heads = {m.of(text): m.head.of(text) for c in found for m in c.mentions if m.head}
    assert heads["The old captain of the ferry"] == "captain"


def test_layer_names_its_author(document: Document) -> None:
    made = TrainedResolver(scheme="gum").resolve(document).layers[CHAINS.name].made
    assert (made.by, made.version) == ("tatian/gum", load().version("coref"))


def test_links_come_in_order_with_their_probabilities(document: Document) -> None:
    links = TrainedResolver(scheme="ontonotes").links(document)
    assert [one.anaphor.start for one in links] == sorted(one.anaphor.start for one in links)
    her = next(one for one in links if one.anaphor.of(TEXT) == "her")
    assert her.antecedent.of(TEXT) == "Clara Dent"
    assert 0.5 < her.probability <= 1


def test_a_threshold_keeps_likely_links_alone(document: Document) -> None:
    every = TrainedResolver(scheme="ontonotes", threshold=0.01).links(document)
    likely = TrainedResolver(scheme="ontonotes", threshold=0.9).links(document)
    assert all(one.probability >= 0.9 for one in likely)
    assert len(likely) < len(every)
    assert TrainedResolver(scheme="ontonotes", threshold=1.0).links(document) == []


def test_a_text_that_is_not_analysed_is_analysed_first(document: Document) -> None:
    plain = TrainedResolver(scheme="gum").resolve(Document("text", TEXT))
    assert plain.has(WORDS)
    assert plain.get(CHAINS) == TrainedResolver(scheme="gum").resolve(document).get(CHAINS)


@pytest.mark.parametrize("text", ["", " ", ".", "Ha"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_empty_texts_have_no_links(text: str, scheme: str) -> None:
    document = TrainedResolver(scheme=scheme).resolve(Document("text", text))
    assert all(len(chain) == 1 for chain in chains(document))


@pytest.mark.usefixtures("read_anew")
def test_the_result_does_not_depend_on_threads(document: Document) -> None:
    one, two = (TrainedResolver(scheme="gum", threads=threads) for threads in (1, 2))
    assert one.resolve(document) == two.resolve(document)
    assert one.links(document) == two.links(document)


def test_long_documents_are_read_in_windows_and_chains_span_them() -> None:
    filler = "The rain fell on the hills and the wind blew over the lake all night. " * 60
    document = analyze(f"Clara Dent left. {filler}Clara Dent came back.")
    assert len(document.tokens) > 900
    found = chains(TrainedResolver(scheme="ontonotes").resolve(document))
    assert any(chain.count("Clara Dent") == 2 for chain in found)


def test_long_documents_get_one_state_per_word() -> None:
    tokens = "The old captain waved at the ferry .".split() * 90
    states = read_states(tokens, load(), 2)
    assert states.shape == (len(tokens), load().labels.width)
    assert (states == read_states(tokens, load(), 1)).all()


@pytest.mark.parametrize("options", [{"scheme": "ace"}, {"threshold": 0}, {"threshold": 1.5}])
def test_invalid_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(InputError):
        TrainedResolver(**options)  # type: ignore[arg-type]


def test_missing_weights_are_reported_at_once(tmp_path: Path) -> None:
    with pytest.raises(AssetError):
        TrainedResolver(weights=str(tmp_path))


def test_trained_resolver_is_the_default_with_the_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert resolvers.default == best_model() == "tatian"
    assert isinstance(resolvers.create(), TrainedResolver)
    monkeypatch.setenv("TATIAN_WEIGHTS", "/nowhere")
    assert best_model() == "match"


@pytest.mark.parametrize(
    ("text", "chain"),
    [
        (
            "Borel Foods Inc. closed. Workers at Borel Foods wept.",
            ["Borel Foods Inc.", "Borel Foods"],
        ),
        ("General Motors Corp. said GM would cut jobs.", ["General Motors Corp.", "GM"]),
        ("Acme rose. Shares of Acme Corp. had fallen for a week.", ["Acme", "Acme Corp."]),
    ],
)
def test_a_name_and_its_short_form_are_one_by_the_definition(text: str, chain: list[str]) -> None:
    found = TrainedResolver(scheme="muc").resolve(Document("a", text)).get(CHAINS)
    assert [one.of(text) for one in found[0].mentions] == chain


def test_the_subject_of_a_clause_is_not_its_object() -> None:
    text = "The mayor met Anna Holm at noon. She thanked him."
    found = TrainedResolver(scheme="muc").resolve(Document("a", text)).get(CHAINS)
    said = [[one.of(text) for one in chain.mentions] for chain in found]
    assert said == [["The mayor", "him"], ["Anna Holm", "She"]]


def test_phrases_for_one_day_are_one_chain_and_other_days_are_not() -> None:
    text = (
        "The governor resigned on Thursday after a quarrel. She had told friends on March 1 that "
        "she was tired. A successor is to be named on Thursday, and the cabinet meets on March 8."
    )
    document = resolvers.create().resolve(Document("a", text, metadata=Metadata(date="2018-03-02")))
    chains = [[mention.start for mention in chain.mentions] for chain in document.get(CHAINS)]
    days = [text.index("Thursday"), text.index("March 1"), text.rindex("Thursday")]
    days.append(text.index("March 8"))
    assert days[:2] in chains
    assert days[2:] in chains
