"""Which phrases the definition links and which it does not, example by example (§3 and §5).

One row or more for each example of the definition, in words of our own. Brackets are explained in
`definition_samples`.
"""

from __future__ import annotations

import pytest

from .definition_samples import differences

BASICS = {
    "3.1 a demonstrative for a clause has no antecedent": (
        'Betting is "[- a trap]," says Otto Lund, "and it does no good, [- that]\'s for sure."'
    ),
    "3.1 dates and amounts are phrases, but alike in form is not the same thing": (
        "The fair opened on [- May 5] and took in [- $2.5 million]."
    ),
    "3.2 a part of a date is not markable": (
        "The mill closed in January [x 1987]. Many left [- this year]."
    ),
    "3.2 a part of a name is not markable": (
        "Shares of Mutual of [x Omaha] Corp. fell. [- Omaha] is a city."
    ),
    "3.3 a gerund with an object is not markable, so nothing refers to it": (
        "[x Raising the rent] is opposed by some members; [- it] is welcomed by others."
    ),
    "3.3 a participle after an adjective is a noun": (
        "[- Excessive borrowing] ruined the town. [- Night fishing] was forbidden."
    ),
    "3.3 a participle with 'the' and 'of' is a noun": (
        "[1 The raising of the rent] angered tenants. They fought [1 the raising of the rent]."
    ),
    "3.4 a possessive and its phrase are two markables": (
        "[1 Borel Foods] praised [- [1 its] director]."
    ),
    "3.4 an owner and the owned are two markables": (
        "[- [1 The woman]'s hat] fell into the river. [1 The woman] laughed."
    ),
    "3.4 the first person is whoever speaks": (
        '"There was no good cause for [1 my] arrest," [1 he] added.'
    ),
    "3.4 first person pronouns of one speaker": ('"[1 I] sold [1 my] boat," said [1 Greta Holm].'),
    "3.4 a reflexive is the subject": "[1 She] blamed [1 herself] for [1 her] mistake.",
    "3.4 a plain object is not the subject": "[- Karl Brandt] hit [- him].",
    "3.5 nouns before nouns are markable": (
        "The cost of [1 copper] wire has doubled, since the demand for [1 copper] grew."
    ),
    "3.5 a head is not markable apart from its phrase": (
        "[- Painters] are an odd lot. [- Some [x painters]] even hate colours."
    ),
    "3.6 the implicit subject is no mention": (
        "[- Hugo Lind] called [1 Karl Brandt] and talked with [1 him] for an hour."
    ),
    "3.6 a relative pronoun is not markable": (
        "[1 The farmer [x who] sold the horse] regretted it. [1 The farmer] wept."
    ),
    "3.7 a phrase with two heads is not markable": (
        "[x [- The cats] and [- dogs]] share [- their] food."
    ),
    "3.7 the conjuncts are markable apart": (
        "[1 Nora Falk] and [2 Emil Strand] opened the meeting. "
        "[1 Ms. Falk] spoke first, and [2 Mr. Strand] answered questions."
    ),
    "3.7 conjuncts that share a modifier are optional": (
        "[1 Ms. Dent] was [1? president] and [1? chief of Tarn Mills]."
    ),
    "3.7 conjuncts with modifiers of their own are not": (
        "[1 Ms. Dent] was [1 the founder of Tarn Mills] and [1 the owner of a bank]."
    ),
}

BOUND = {
    "5.2 a quantified phrase binds a possessive": (
        "[1 Most young farmers] repair [1 their] own tractors."
    ),
    "5.2 and later pronouns, outside its scope, are linked to it": (
        "[1 Every bank] published [1 its] results yesterday. [1 They] will meet again soon."
    ),
    "5.2 a pronoun in the relative clause is linked to the whole phrase": (
        "[1 Every woman who runs [1 her] own shop] came."
    ),
    "5.2 each": "[1 Each player] packed [1 his] bag.",
    "5.2 an object beside the quantified subject is not bound": "[- Every coach] praised [- him].",
}

APPOSITIONS = {
    "5.3 a definite apposition is linked with the whole phrase": (
        "[1 Clara Dent, [1 the well-known painter,]] died in Rome."
    ),
    "5.3 other modifiers may stand between": (
        "[1 Peter Holt, 52, [1 deputy sales manager,]] resigned."
    ),
    "5.3 the name may come second": (
        "[1 The captain, [1 Jonas Verrick,]] stayed aboard. [1 Verrick] was calm."
    ),
    "5.3 an indefinite apposition is not linked": (
        "[- Ms. Anna Berg, [- a ten-year veteran,]] spoke."
    ),
    "5.3 nor is one with 'one of'": ("[- Lyon, [- one of France's largest cities,]] grew."),
    "5.3 without punctuation nothing is linked: a noun": "[- presidential adviser Carl Moss] left.",
    "5.3 without punctuation nothing is linked: a definite noun": (
        "[- The [- realtor] Harbor House] closed."
    ),
    "5.3 without punctuation nothing is linked: a title": "[- Treasury Secretary Dunn] resigned.",
    "5.3 without punctuation nothing is linked: 'of'": "She took [- the job of [- editor]].",
    "4.1 a place in a place is no apposition": "They met in [- Dover, [- Delaware]].",
    "4.2 the closing comma belongs to the apposition": (
        "[1 Fred Moor, [1 the cheese king of Gouda,]] retired."
    ),
    "3.7 appositions that share a modifier are optional": (
        "[1 Clara Dent, [1? founder] and [1? owner of the mill,]] retired."
    ),
}

PREDICATES = {
    "5.4 a definite predicate is linked": "[1 Anna Berg] is [1 the mayor of Ghent].",
    "5.4 'may' asserts nothing": "[- Otto Lund] may be [- the oldest man in town].",
    "5.4 a candidate is not yet what he hopes to become": (
        "[- Otto Lund] is [- a leading candidate to become [- mayor]]."
    ),
    "5.4 'would' asserts nothing": (
        "If elected, [- Otto Lund] would be [- the first farmer in the senate]."
    ),
    "5.4 'not' denies it": "[- Otto Lund] is not [- the owner of the mill].",
    "5.4 'no longer' says that it was": "[1 Otto Lund] is no longer [1 the owner of the mill].",
    "5.4 an indefinite predicate is not linked": "[- Arbitration] is [- a cheap remedy].",
    "5.4 nor is one with 'one of'": "[- Tarn Mills] is [- one of the county's oldest firms].",
    "5.4 nor is a bare plural": "[- Most pilots] are [- careful people].",
    "5.4 at any time: was once, became": (
        "[1 Henry Moss, who was formerly [1 sales chief at Borel Foods,]] became "
        "[1 president of Tarn Mills]."
    ),
    "5.4 at any time: will be": "[1 Anna Berg] will be [1 the next mayor of Ghent].",
    "5.4 'remained'": "[1 Anna Berg] remained [1 the mayor of Ghent].",
    "5.4 an embedded copula": "Tarn Mills named [1 Henry Moss] to be [1 treasurer].",
    "5.4 an embedded 'become' that is only wanted": (
        "[- Henry Moss] wants to become [- the president of Tarn Mills]."
    ),
    "5.4 an implied copula is optional": "Tarn Mills named [1 Henry Moss] [1? treasurer].",
    "5.4 an implied copula with an office of its own": (
        "The queen appointed [1 Paul Sand] [1? governor of the island]."
    ),
    "5.4 an implied copula with a pronoun": "The club named [1 him] [1? captain].",
    "5.4 so is 'considered'": "[1 Henry Moss] is considered [1? the firm's best salesman].",
    "5.4 so is 'as'": "[1 Moss] will serve as [1? chairman of Tarn Mills].",
    "5.4 'as' with an object is said of the object": (
        "Tarn Mills hired [1 Henry Moss] as [1? treasurer]."
    ),
    "5.4 an indefinite role is not linked": "[- Moss] worked as [- a nurse].",
}

TYPES = {
    "5.5 bare plurals are of one type": (
        "[1 Brewers] fear a hot summer. [1 Brewers] have bought new tanks, and [1 they] are now "
        "selling more beer."
    ),
    "5.5 a noun before a noun can be the type": (
        "The plan will raise [1 customer] loyalty. The discounts help [1 customers]."
    ),
    "5.5 plurals that are said to be different are not of one type": (
        "[- Young brewers] fear a hot summer. Last year [- old brewers] bought new tanks."
    ),
    "5.5 some of a kind are not the kind": (
        "The law protects [- tenants]. Yesterday [- three tenants] left."
    ),
}

FUNCTIONS = {
    "5.6 a function, a pronoun and a value": (
        "[1 Tarn Mills] announced [2 [1 its] second quarter loss]. [2 It] was [2 $0.15]."
    ),
    "5.6 a value inside the function's phrase": (
        "Tarn Mills announced [1 a second quarter loss of [1 $0.15]]."
    ),
    "5.6 a value is linked, a change is not": (
        "[1 The temperature] is [1 90]. [- The temperature] is rising."
    ),
    "5.6 a value that is only possible": "[- The price] may be [- $40].",
    "5.6 an age is no value of a person": "[- Henry Moss] is [- 40].",
}

METONYMY = {
    "5.7 (1) a seat of government is its administration": (
        "[1 The White House] sent [- [1 its] tax plan to the senate]. Senator Roy said "
        "[1 the administration]'s bill would fail."
    ),
    "5.7 (1) without a precedent the link is optional": (
        "[1 The Kremlin] was silent. [1? The government] met in private."
    ),
    "5.7 (2) a company speaks through its people": (
        "[1 Volvo] presented a new truck yesterday. [- [1 Volvo] spokeswoman Anna Berg] said "
        "[1 they] will build it in Ghent."
    ),
    "5.7 (3) a copy is not the publisher": (
        "I bought [- the Boston Globe] this morning. [- The editor of [- the Boston Globe]] has "
        "resigned."
    ),
    "5.7 (4) a country is land and state at once": (
        "[1 Norway] is a monarchy. [1 Norway] has an area of 385,000 square kilometres."
    ),
}

ROWS = {**BASICS, **BOUND, **APPOSITIONS, **PREDICATES, **TYPES, **FUNCTIONS, **METONYMY}


@pytest.mark.parametrize("marked", list(ROWS.values()), ids=list(ROWS))
def test_example_of_the_definition_is_ruled_as_written(marked: str) -> None:
    assert differences(marked) == []
