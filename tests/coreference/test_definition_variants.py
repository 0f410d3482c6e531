"""The definition's examples once more in other words, written before the rules had seen them.

They said how far the rules carry beyond the sentences they were made with: 71 of 79 held at first.
Four rows were then found to be marked wrongly and corrected, and three failures mended, so they no
longer measure anything unseen. Those that fail are expected to, with what the analysis makes of
them.
"""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet

from .definition_samples import differences

ROWS = {
    "3.1 demonstrative": (
        'The vote was "[- a farce]," says Ruth Alder, "and nobody will forget it, [- this] is '
        'certain."'
    ),
    "3.2 date": "She left Prague in March [x 1931]. Prices rose [- last year].",
    "3.2 name": "Bank of [x Boston] Corp. cut its rates.",
    "3.3 gerund": "[x Closing the harbour] angered the crews; [- it] pleased the owners.",
    "3.3 nominal gerund": "[- The closing of the harbour] angered the crews.",
    "3.3 adverb": "[x Driving slowly] saves fuel.",
    "3.4 possessive": "[1 The committee] changed [- [1 its] rules].",
    "3.4 owner": "[- [1 The sailor]'s dog] barked. [1 The sailor] woke up.",
    "3.4 first person": '"The board ignored [1 me] and [1 my] letters," [1 she] said.',
    "3.4 speaker first": '[1 Mr. Alder] said: "[1 I] have nothing to hide."',
    "3.4 reflexive": "[1 The actor] locked [1 himself] in a room.",
    "3.4 reflexive plural": "[1 The guests] enjoyed [1 themselves].",
    "3.5 prenominal": "[1 Coffee] growers want help, because [1 coffee] is cheap this year.",
    "3.5 head": "[- Lawyers] are expensive. [- Few [x lawyers]] admit it.",
    "3.6 no zero pronoun": "[- Ruth Alder] met [1 Eva Sand] and sang with [1 her].",
    "3.6 relative": "[- The bridge [x that] collapsed] was old.",
    "3.6 whose": "[- The man [x whose] car burned] shouted.",
    "3.7 two heads": "[x [- The teachers] and [- pupils]] cleaned [- their] rooms.",
    "3.7 conjuncts": (
        "[1 Ruth Alder] and [2 Paul Sand] own the shop. [1 Alder] bakes and [2 Sand] sells."
    ),
    "3.7 shared": "[1 Mr. Alder] is [1? chairman] and [1? director of the Leeds Gallery].",
    "3.7 not shared": (
        "[1 Mr. Alder] is [1 the chairman of the gallery] and [1 the editor of the review]."
    ),
    "5.2 most": "[1 Most small towns] love [1 their] mayors.",
    "5.2 no": "[1 No airline] cut [1 its] fares.",
    "5.2 all": "[1 All members] cast [1 their] votes. [1 They] left at noon.",
    "5.2 relative": "[1 Every farmer who sells [1 his] land] regrets it.",
    "5.2 everyone": "[1 Everyone] brought [1 their] tools.",
    "5.3 definite": "[1 Paul Sand, [1 the chief engineer,]] inspected the dam.",
    "5.3 possessive": "[1 Ruth Alder, [1 the gallery's director,]] wept.",
    "5.3 age": "[1 Paul Sand, 61, [1 chief economist at Leeds Bank,]] agreed.",
    "5.3 final": "They met [1 Paul Sand, [1 the chief engineer]].",
    "5.3 name second": "[1 The chief engineer, [1 Paul Sand,]] agreed.",
    "5.3 company": "[1 Leeds Bank, [1 the largest lender in the north,]] failed.",
    "5.3 parentheses": "[1 The Northern Trade Union ([1 NTU])] called a strike.",
    "5.3 indefinite": "[- Paul Sand, [- an engineer from Leeds,]] agreed.",
    "5.3 indefinite plural": "[- Ruth Alder] and [- Paul Sand, [- both engineers,]] agreed.",
    "5.3 one of": "[- Oslo, [- one of the world's dearest cities,]] is cold.",
    "5.3 bare": "[- senior economist Paul Sand] agreed.",
    "5.3 bare definite": "[- The novelist Ruth Alder] lives in Leeds.",
    "5.3 office": "[- Foreign Minister Sand] flew home.",
    "5.3 of": "He kept [- the title of [- director]].",
    "4.1 place": "The train left [- Turin, [- Italy,]] at noon.",
    "5.4 is": "[1 Ruth Alder] is [1 the author of three novels].",
    "5.4 was": "[1 The winner] was [1 Paul Sand].",
    "5.4 might": "[- Ruth Alder] might be [- the next director].",
    "5.4 could": "[- This town] could be [- the capital of cheese].",
    "5.4 perhaps": "[- Ruth Alder] is perhaps [- the best singer of the decade].",
    "5.4 bid": "[1 Paul Sand] lost [1 his] bid to become [- mayor of Leeds].",
    "5.4 conditional": "If he wins, [- Paul Sand] would become [- the youngest senator].",
    "5.4 never": "[- Paul Sand] was never [- the owner of the shop].",
    "5.4 indefinite": "[- Ruth Alder] is [- a gifted pianist].",
    "5.4 one of": "[- The river] is [- one of the longest in Europe].",
    "5.4 plural": "[- His brothers] were [- soldiers].",
    "5.4 once": "[1 Paul Sand, who was once [1 the mayor of Leeds,]] retired.",
    "5.4 became": "[1 Ruth Alder] became [1 director of the gallery in 1990].",
    "5.4 embedded": "The party chose [1 Paul Sand] to be [1 chairman].",
    "5.4 asked": "The queen asked [- Paul Sand] to become [- prime minister].",
    "5.4 named": "The gallery appointed [1 Ruth Alder] [1? director].",
    "5.4 elected": "[1 Paul Sand] was elected [1? mayor of Leeds].",
    "5.4 made": "The club made [1 Paul Sand] [1? captain].",
    "5.4 considered": "[1 The canal] is considered [1? the finest work of the age].",
    "5.4 as": "[1 Ruth Alder] acted as [1? chair of the panel].",
    "5.4 as object": "They chose [1 Paul Sand] as [1? leader of the team].",
    "5.4 comparison": "[- Paul Sand] is as tall as [- the door].",
    "5.4 hopes": "[- Ruth Alder] hopes to be [- the new director].",
    "5.4 question": "Is [- Ruth Alder] [- the new director]?",
    "5.5 plurals": "[1 Dentists] dislike sugar. Many parents trust [1 dentists].",
    "5.5 prenominal": "[1 Student] debt is growing. The new loans hurt [1 students].",
    "5.5 other modifiers": "[- Rich students] travel. The loans hurt [- poor students].",
    "5.5 set": "The park feeds [- wolves]. At night [- two wolves] came close.",
    "5.6 pronoun": "[1 Leeds Bank] reported [2 [1 its] annual profit]. [2 It] was [2 $3 million].",
    "5.6 of": "The firm paid [1 a fine of [1 $200,000]].",
    "5.6 is": "[1 The price] is [1 $12]. [- The price] is falling.",
    "5.6 rate": "[1 The unemployment rate] was [1 7%].",
    "5.6 person": "[- Ruth Alder] is [- 61].",
    "5.7 White House": (
        "[1 The White House] rejected the offer. [1 The administration] will wait, he said."
    ),
    "5.7 Downing Street": "[1 Downing Street] said nothing. [1? The government] met at noon.",
    "5.7 company": (
        "[1 Nokia] will cut jobs. [- [1 Nokia] spokesman Juha Ranta] said [1 they] regret it."
    ),
    "5.7 paper": "She read [- the Daily Mail] at breakfast. [- The Daily Mail] sued the minister.",
    "5.7 country": "[1 Chile] is a republic. [1 Chile] lies on the Pacific.",
}

WRONGLY_ANALYSED = {
    "3.7 conjuncts": "'Alder' is not found to be a name, and 'bakes' is taken for a noun",
}
"""Rows that fail, with what the analysis makes of them."""


def _row(name: str) -> ParameterSet:
    reason = WRONGLY_ANALYSED.get(name)
    marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
    return pytest.param(ROWS[name], id=name, marks=marks)


@pytest.mark.parametrize("marked", [_row(name) for name in ROWS])
def test_variant_of_an_example_is_ruled_likewise(marked: str) -> None:
    assert differences(marked) == []
