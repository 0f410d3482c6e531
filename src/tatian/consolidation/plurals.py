"""A list of names in one account, and the plural that another account has for the same things.

"France and Germany signed" and "the two countries signed" say the same of the same. A merger that
knows words only would write both. So it gets the list in both sentences, and the text keeps the
list, with the plural before it where that says more: "the three candidates, Bayrou, ...".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tatian.aggregation.antecedents import Phrase
from tatian.consolidation.spelling import Merge, SpelledOut, merge_spelled_out
from tatian.consolidation.together import NameList, Plural, Together
from tatian.text.content import concept, concepts, concepts_of, is_content
from tatian.text.lexicon import NUMBER_WORDS, word_set
from tatian.union.models import Merged, Passage

_PLAIN = word_set(
    "people persons men women countries nations states cities towns companies firms organizations "
    "organisations groups"
)
"""Nouns that say no more of things than their names do."""
_BOUND = word_set("of who whom whose that which")
"""What can follow a plural but no list of names."""


def merge_together(
    passages: Sequence[Passage], accounts: Mapping[str, Together], merge: Merge
) -> Merged:
    """What `merge` makes of passages, with lists and their plurals as one; accounts by their id."""
    for index, passage in enumerate(passages):
        for listed in accounts[passage.document.id].lists_in(passage.span):
            said = Passage(passage.document, listed.span)
            spelled = [
                SpelledOut(other, plural.phrase.span, said, _says_more(plural.phrase, passage))
                for other, plural in _same(passages, accounts, index, listed)
            ]
            found = merge_spelled_out(passages, spelled, merge) if spelled else None
            if found is not None:
                return _fuller(found, passages, spelled, merge)
    return merge(passages)


def _same(
    passages: Sequence[Passage], accounts: Mapping[str, Together], index: int, listed: NameList
) -> Iterator[tuple[int, Plural]]:
    """The passages that name by a plural what this one lists, and how."""
    rivals = accounts[passages[index].document.id].plurals_in(passages[index].span)
    if any(one.phrase.count == len(listed.members) for one in rivals):
        return
    for other, passage in enumerate(passages):
        account = accounts[passage.document.id]
        if other == index or account.mentioned_in(passage.span) & listed.members:
            continue
        plurals = account.plurals_in(passage.span)
        found = [plural for plural in plurals if _is_same(listed, plural, account)]
        if len(found) == 1:
            yield other, found[0]


def _is_same(listed: NameList, plural: Plural, account: Together) -> bool:
    """Whether a plural of an account speaks of what another lists.

    If its own account names the things before, they must be the same. If not, number, kind and
    what is told of them must be, and no fact may speak against it.
    """
    phrase, count = plural.phrase, len(listed.members)
    if phrase.after in _BOUND or phrase.count not in (count, 0):
        return False
    if plural.members:
        return plural.members == listed.members
    alike = bool(phrase.count) and listed.type in phrase.types
    if not alike or not plural.role.name or plural.role != listed.role:
        return False
    return not account.denies(listed.names, listed.type, phrase)


def _says_more(phrase: Phrase, passage: Passage) -> bool:
    """Whether a plural says something of the things that the sentence with the list does not."""
    said = set(concepts_of(passage.document, passage.span))
    words = [*phrase.words, phrase.noun.lower()]
    telling = [word for word in words if is_content(word) and word not in NUMBER_WORDS]
    return any(word not in _PLAIN and concept(word) not in said for word in telling)


def _fuller(
    found: Merged, passages: Sequence[Passage], spelled: Sequence[SpelledOut], merge: Merge
) -> Merged:
    """What was found, or what the plain passages make if that loses fewer words."""
    plurals = {one.index: one.phrase for one in spelled}
    wanted = {
        said
        for index, passage in enumerate(passages)
        for token in passage.document.tokens_in(passage.span)
        if index not in plurals or not plurals[index].contains(token)
        for said in concepts([token.text])
    }
    if not (lost := len(wanted - _said(found))):
        return found
    plain = merge(passages)
    return plain if len(wanted - _said(plain)) < lost else found


def _said(merged: Merged) -> set[str]:
    return {said for one in merged.sentences for said in concepts(token.text for token in one)}
