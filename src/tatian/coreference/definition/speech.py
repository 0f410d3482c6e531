"""§3.4: "I" and "my" in a quotation are whoever says it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tatian.analysis.trees import Tree
from tatian.coreference.definition.outline import Marked, Outline
from tatian.coreference.definition.rulings import Ruling, link
from tatian.text.lexicon import REPORTING_VERBS, word_set
from tatian.text.quotations import quoted_tokens

SECTION = "3.4"
_SURE = word_set("sure certain true right wrong why how what because so fair")


def speakers(outline: Outline) -> Iterator[Ruling]:
    """Links of the first person singular with the subject of the verb of saying."""
    document = outline.document
    flags = quoted_tokens(document.text, document.tokens)
    quoted = {token.start for token, inside in zip(document.tokens, flags, strict=True) if inside}
    if not quoted:
        return
    for sentence, tree in zip(outline.by_sentence, outline.trees, strict=True):
        own = [one for one in sentence if _is_speaker(one) and one.mention.start in quoted]
        said = _speaker(outline, tree, quoted)
        if said is not None:
            for one in own:
                yield link("speaker", SECTION, one, said)
        for earlier, later in pairwise(own):
            yield link("speaker", SECTION, later, earlier)


def _is_speaker(one: Marked) -> bool:
    meaning = one.pronoun
    return meaning is not None and meaning.person == 1 and meaning.number == "singular"


def _speaker(outline: Outline, tree: Tree, quoted: set[int]) -> Marked | None:
    """Who the sentence says is speaking, outside its quotation marks."""
    for place, word in enumerate(tree.words):
        form = tree.text(place).lower()
        if tree.tokens[place].start in quoted or word.tag != "VERB":
            continue
        if form not in REPORTING_VERBS and word.lemma.lower() not in REPORTING_VERBS:
            continue
        for said in tree.under(place, "nsubj"):
            if tree.tokens[said].start not in quoted:
                return outline.at(tree, said)
    return None


def is_about_clause(one: Marked) -> bool:
    """Whether "that" sums up a clause, as in "that's for sure": it has no antecedent (§3.1)."""
    if one.word not in ("that", "this") or one.relation != "nsubj":
        return False
    return one.tree.text(one.tree.heads[one.head]).lower() in _SURE
