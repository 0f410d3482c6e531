"""The definition's own 35 examples, each in words of our own, as the trained resolver links them.

Brackets are explained in `definition_samples`. What an example does not speak of is not bracketed.
"""

from __future__ import annotations

import pytest

from .definition_samples import differences

EXAMPLES = {
    "1.1 a pronoun and its name": "[1 Borden Marsh Group Ltd.] said [1 it] would sell the mill.",
    "1.4 a name without its suffix": (
        "[1 Varden Holloway PLC of Kent, England,] fell. [1 Varden Holloway] recovered later."
    ),
    "3.1 'that' takes up a clause, and a small saver is not the saver who speaks": (
        'Day trading is "a swindle," says [- Albert Moss, a Green Bay, Wis., saver and furniture '
        'dealer,] "and it does no good to [- the small saver], [- that]\'s for sure."'
    ),
    "3.3 nothing refers to a gerund": (
        "[x Raising the rent] is welcomed by some council members; [- it] is opposed by others."
    ),
    "3.4 the first person is who speaks": '"I see no reason for [1 my] arrest," [1 he] added.',
    "3.4 a reflexive and an owner": "[1 She] blamed [1 herself] for [1 her] mistake.",
    "3.5 nouns before nouns": (
        "The cost of [1 copper] wire has doubled, as the demand for [1 copper] grew in Peru."
    ),
    "3.5 some of a kind": "[- Painters] are an odd lot. [- Some painters] even hate colours.",
    "3.6 no implicit pronoun": (
        "[- Hugo Lind] called [1 Karl Brandt] and talked with [1 him] for an hour."
    ),
    "3.7 a phrase with two heads": "[x [- The cats] and [- dogs]] share [- their] dinner.",
    "3.7 conjuncts one by one": (
        "[1 Edith Farrow] and [2 Paul Norden] opened the fair yesterday. [1 Ms. Farrow] spoke "
        "about bees, and [2 Mr. Norden] spoke about honey."
    ),
    "3.7 conjuncts that share modifiers": (
        "[1 Ms. Farrow] was [1? director] and [1? treasurer of Consolidated Bee Keeping Inc]."
    ),
    "5.2 a bound possessive": "[1 Most small towns] love [1 their] own mayors.",
    "5.2 and what follows; yesterday is not tomorrow": (
        "[1 Every steel maker] announced [1 its] losses [- yesterday]. [1 They] plan to print full "
        "yearly accounts [- tomorrow]."
    ),
    "5.2 in a relative clause": "We admire [1 every woman who knows [1 her] own worth].",
    "5.3 an apposition": "[1 Marcus Aurelius, [1 the famous philosopher,]] fell ill.",
    "5.3 an apposition after an age": (
        "[1 Walter Brook, 51, [1 deputy finance director,]] resigned."
    ),
    "5.3 an indefinite apposition": "[- Ms. Nora Field, [- a ten-year union member,]] spoke.",
    "5.3 one of several": "[- Lisbon, [- one of Europe's oldest cities,]] grew.",
    "5.3 no punctuation": "[- The realtor Harbor Homes] hired [- Max Clever].",
    "5.4 a predicate": "[1 Anna Keller] is [1 the mayor of the city].",
    "5.4 only possible": "[- Rufus Salmon] may be [- the oldest man who ever flew].",
    "5.4 a candidate": "[- Rufus Salmon] is [- a leading candidate to become mayor].",
    "5.4 if elected": ("If elected, [- Rufus Salmon] would be [- the first Texan in the cabinet]."),
    "5.4 an indefinite predicate": "[- Arbitration] is [- a good alternative to a lawsuit].",
    "5.4 one of its kind": "[- Night fishing] is [- one of the town's oldest trades].",
    "5.4 at any time": (
        "[1 Emil Hartung, who was formerly [1 sales manager of Borel Foods,]] became [1 president "
        "of Nordic Paints]."
    ),
    "5.4 an embedded copula": "Nordic Paints named [1 Emil Hartung] to be [1 president].",
    "5.4 implied, and 'as'": (
        "Nordic Paints named [1 Emil Hartung] [1? president]. [1 Hartung] will serve as [1? head "
        "of Nordic Paints]."
    ),
    "5.5 bare plurals, and others than they": (
        "Often [1 brewers] don't like to see a good beer rise in price. [1 Brewers] have seen this "
        "market open up and [1 they]'re now making beers that appeal to [- these people]."
    ),
    "5.5 a noun before a noun is the type": (
        "The step followed by a week a [1 Datalink] statement that [1 it] will hire a bank to "
        'raise "[2 investor] profit," including the sale of a mill. Mr. Adler said the steps are '
        "meant to help [2 investors]."
    ),
    "5.6 a function and its value": (
        "[2 Acme] announced [1 [2 its] first quarter profit]. [1 It] was [1 $0.05]."
    ),
    "5.6 a function that only changes": (
        "[1 The temperature] is [1 75]. [- The temperature] is falling."
    ),
    "5.7 those who govern from a house": (
        "[1 The White House] sent [1 its] tax bill to Congress yesterday. Senator Lang said [1 the "
        "administration]'s plan would fail."
    ),
    "5.7 what a company's spokesman says": (
        "[1 Volvo] announced a new truck yesterday. [- [1 Volvo] spokesman Nils Berg] said [1 "
        "they] will start making buses."
    ),
}
"""By section; the numbers of chains say nothing beyond one example."""


@pytest.mark.parametrize("marked", EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_of_the_definition_resolves_as_written(marked: str) -> None:
    assert differences(marked, "tatian") == []


def test_every_example_of_the_definition_is_tested() -> None:
    assert len(EXAMPLES) == 35
