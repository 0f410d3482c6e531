"""Rules over whole chains: what is never one thing, as words and as chains of plain sentences."""

from __future__ import annotations

import pytest

from tatian.coreference.constraints import (
    FEMALE,
    HUMAN,
    MALE,
    PLURAL,
    SINGULAR,
    THING,
    Clusters,
    Refusal,
    Traits,
)
from tatian.coreference.models.resolver import TrainedResolver
from tatian.coreference.traits import PhraseTraits
from tatian.text import CHAINS

from .definition_samples import analysis, resolved


def refused(*members: Traits) -> Refusal | None:
    """What speaks against the last member, when all before it are one chain."""
    clusters = Clusters(lambda number: (members[number],))
    refusals = [clusters.join(number, number - 1) for number in range(1, len(members))]
    assert not any(refusals[:-1])
    return refusals[-1]


def person(*name: str, gender: str = "") -> Traits:
    return Traits(kind="PER", name=name, gender=gender)


def place(*name: str, located: bool = False) -> Traits:
    return Traits(kind="LOC", name=name, located=located)


def firm(*name: str) -> Traits:
    return Traits(kind="ORG", name=name)


@pytest.mark.parametrize(
    ("rule", "one", "other"),
    [
        ("kind", firm("burns", "fry"), person("donald", "wright")),
        ("kind", firm("wells", "fargo"), place("wells")),
        ("kind", firm("santander"), place("santander", located=True)),
        ("name", place("iowa"), place("new", "york")),
        ("name", person("ethel", "brandt"), person("clara", "brandt")),
        ("time", Traits(time=(("shift", "back"),)), Traits(time=(("shift", "on"),))),
        ("figure", Traits(noun="degree", figures=("12",)), Traits(noun="degree", figures=("31",))),
        ("figure", Traits(noun="strike", ordinal="first"), Traits(noun="strike", ordinal="second")),
        ("gender", Traits(gender=MALE), Traits(gender=FEMALE)),
        ("gender", Traits(gender=THING), Traits(gender=HUMAN)),
        ("number", Traits(number=SINGULAR), Traits(number=PLURAL)),
        ("empty", Traits(pronoun=True, empty=True), Traits()),
        ("indefinite", Traits(noun="car"), Traits(noun="car", indefinite=True)),
        ("name", place("port", "calder"), place("calder", "county")),
        ("figure", Traits(noun="person", figures=("17",)), Traits(noun="vessel", figures=("2",))),
        ("sort", Traits(sorts=frozenset(("place",))), Traits(sorts=frozenset(("vehicle",)))),
        ("calling", Traits(calling="general"), Traits(calling="colonel")),
        (
            "owners",
            Traits(noun="lawyer", owner=("haas",)),
            Traits(noun="lawyer", owner=("accomplice",)),
        ),
    ],
)
def test_a_rule_refuses_a_link(rule: str, one: Traits, other: Traits) -> None:
    assert refused(one, other) == Refusal(rule, 1, 0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (firm("santander"), place("santander")),
        (place("u.s."), place("united", "states")),
        (place("cal."), place("california")),
        (person("bill", "gates"), person("william", "gates")),
        (person("j.", "holt"), person("john", "holt")),
        (person("brandt"), person("ethel", "brandt")),
        (Traits(gender=HUMAN), Traits(gender=FEMALE)),
        (Traits(time=(("weekday", "0"),)), Traits(time=(("month", "5"),))),
        (Traits(pronoun=True), Traits(noun="car", indefinite=True)),
        (Traits(noun="car", indefinite=True), Traits(noun="car")),
    ],
)
def test_compatible_phrases_can_corefer(one: Traits, other: Traits) -> None:
    assert refused(one, other) is None


def test_a_rule_holds_for_the_whole_chain() -> None:
    assert refused(person("ada", "holt"), Traits(), person("eva", "lund")) == Refusal("name", 2, 0)


def test_parts_of_a_full_name_in_the_chain_corefer() -> None:
    assert refused(person("ann", "lee"), person("ann"), person("lee")) is None
    assert refused(person("ann"), Traits(), person("lee")) == Refusal("name", 2, 0)


def test_exempt_rules_do_not_apply() -> None:
    clusters = Clusters(lambda number: (person("abc"[number]),))
    assert clusters.join(1, 0, frozenset(("name",))) is None
    assert clusters.join(2, 0)


@pytest.mark.parametrize(
    ("text", "word", "field", "value"),
    [
        ("Mrs. Dunn sang.", "Dunn", "gender", FEMALE),
        ("Carl Dunn and his wife sang.", "Carl", "gender", MALE),
        ("Its price fell.", "Its", "gender", THING),
        ("They saw 12 degrees.", "degrees", "figures", ("12",)),
        ("The second strike ended.", "strike", "ordinal", "second"),
        ("They saw another car.", "car", "indefinite", True),
        ("She worked as a nurse.", "nurse", "indefinite", False),
        ("It was raining hard.", "It", "empty", True),
        ("The fair was held in Oslo.", "Oslo", "located", True),
        ("They met yesterday.", "yesterday", "time", (("length", "day"), ("shift", "back"))),
        ("They met last week.", "week", "time", (("length", "week"), ("shift", "back"))),
    ],
)
def test_the_analysis_gives_a_phrase_its_traits(
    text: str, word: str, field: str, value: object
) -> None:
    document = analysis(text)
    (head,) = (place for place, token in enumerate(document.tokens) if token.text == word)
    (found,) = PhraseTraits(document).of(head)
    assert getattr(found, field) == value


def one_chain(text: str, first: str, second: str) -> bool:
    """Whether the trained resolver has two phrases in one chain."""
    chains = (
        {mention.of(text).rstrip(",") for mention in chain.mentions}
        for chain in resolved(text, "tatian").get(CHAINS)
    )
    return any({first, second} <= chain for chain in chains)


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("Mr. Holt is not the mayor. The mayor is Ann Lee.", "Mr. Holt", "The mayor"),
        ("Mr. Holt was until May the mayor. The mayor spoke.", "Mr. Holt", "The mayor"),
        ("Neither sister was the winner. The winner wept.", "Neither sister", "The winner"),
        ("He left last week. She came this week.", "last week", "this week"),
        ("A red boat sank. A blue boat was saved.", "A red boat", "A blue boat"),
        ("The singer and the dancer met. They danced.", "The singer", "They"),
    ],
)
def test_simple_sentences_are_resolved_correctly(text: str, first: str, second: str) -> None:
    assert not one_chain(text, first, second)


def test_a_role_passes_to_the_successor() -> None:
    text = "Ruth Kemp, the director, retired in May. Owen Pratt succeeded her. The director smiled."
    assert one_chain(text, "Owen Pratt", "The director")


def test_a_definite_title_refers_to_its_bearer() -> None:
    text = "Senator Carl Holt met Rose Lund at noon. The senator was late."
    assert one_chain(text, "Senator Carl Holt", "The senator")


def test_an_indefinite_description_is_replaced_by_what_it_describes() -> None:
    text = "Kronos, a satellite of the army, fell silent. Engineers gave the satellite up."
    assert one_chain(text, "Kronos, a satellite of the army", "the satellite")


def test_every_decision_names_its_rule_or_probability() -> None:
    text = "Ethel Brandt, the owner, left. Clara Brandt stayed. She slept."
    found = TrainedResolver(scheme="muc").explain(analysis(text))
    told = {(one.anaphor.of(text), one.linked, one.rule) for one in found}
    assert ("the owner,", True, "apposition") in told
    assert ("Clara Brandt", False, "name") in told
    assert any(one.linked and not one.rule and one.probability for one in found)


def test_other_schemes_apply_and_explain_the_rules() -> None:
    text = "Ethel Brandt left. Clara Brandt stayed."
    (refusal,) = (
        one for one in TrainedResolver(scheme="gum").explain(analysis(text)) if not one.linked
    )
    assert (refusal.rule, refusal.anaphor.of(text)) == ("name", "Clara Brandt")


APART = (
    ("The ferry left the island of Garm at noon. The ship hit a bank.", "Garm", "The ship"),
    ("Lorn lies on the coast. The ferry left for Lorn, and the town cheered.", "ferry", "town"),
    ("HULTON, May 3 - A baker was held on Monday, police said.", "HULTON", "A baker"),
    ("OSTBY - The captain of the tug was arrested in Ostby on Friday.", "OSTBY", "The captain"),
    ("Colonel Ada Brandt took over. The general left the fort.", "Ada Brandt", "The general"),
    ("Judge Nora Lind spoke. The thief was silent.", "Nora Lind", "The thief"),
    ("The thieves left the museum. The store next door was shut.", "museum", "The store"),
    ("Seventeen people were hurt. The two vessels sank.", "Seventeen people", "two vessels"),
    ("The victim was a painter. The victim's widow wept.", "The victim", "widow"),
    ("A nurse was in hospital on Monday.", "A nurse", "hospital"),
    ("Karl Weil ran the shop. Weil wept, and his daughter left. She was 40.", "Weil", "She"),
    ("The river rose. The captain said that it was too late.", "The captain", "it"),
    ("The Tarn Line runs the ferry. The firm bought a bus.", "The firm", "bus"),
    ("Mr. Holm's lawyer spoke. His cousin's lawyer did not.", "lawyer", "lawyer"),
)


@pytest.mark.parametrize(("text", "one", "other"), APART)
@pytest.mark.parametrize("scheme", ["muc", "gum"])
def test_incompatible_phrases_are_never_linked(
    text: str, one: str, other: str, scheme: str
) -> None:
    document = TrainedResolver(scheme=scheme).resolve(analysis(text))
    first, last = text.index(one), text.rindex(other)
    heads = [
        {(mention.head or mention).start for mention in chain.mentions}
        | {mention.start for mention in chain.mentions}
        for chain in document.get(CHAINS)
    ]
    assert not any({first, last} <= starts for starts in heads)


TOGETHER = (
    ("The ferry hit a bank. The ship was towed free.", "ferry", "ship"),
    ("General Otto Brandt resigned. The general left the fort.", "Brandt", "general"),
    ("The Tarn Museum was robbed. The museum will reopen.", "Museum", "museum"),
    ("Karl Weil ran the shop. Weil said that he would sell it.", "Weil", "he"),
    ("The Marla Grey sank in May. The ferry was empty.", "Grey", "ferry"),
    ("OSTBY - The ferry sank. The city of Ostby is in mourning.", "OSTBY", "city"),
)


@pytest.mark.parametrize(("text", "one", "other"), TOGETHER)
def test_no_rule_refuses_compatible_phrases(text: str, one: str, other: str) -> None:
    document = analysis(text)
    words = [token.text for token in document.tokens]
    last = len(words) - 1 - words[::-1].index(other)
    assert Clusters(PhraseTraits(document).of).join(words.index(one), last) is None
