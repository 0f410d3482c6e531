"""States and plans that pass: which sentences hold only at the time of their report."""

from __future__ import annotations

import re
from collections import defaultdict

from tatian.consolidation.news_sentence import NewsSentence
from tatian.consolidation.spans import SourceSpan
from tatian.text import Document, Word
from tatian.text.content import concept, reporting_concepts

_PASSING = re.compile(
    r"\b(?:was|were)(?: still)? (?:being |to )?(?:expected|scheduled|due|planned|believed|feared"
    r"|likely|unaccounted|missing|under ?way|to (?!have)\w+)\b|\b(?:still|not yet|so far|for now"
    r"|yet to|remained|has until|have until|too (?:soon|early) to)\b"
    r"|\b(?:was|were) (?:not )?(?:yet )?known\b"
    r"|\b(?:could|would|did) not (?:yet )?(?:confirm|say|comment|give|estimate)\b"
)
"""States, counts and plans of the day of a report, in the past tense."""
_LASTING_TIME = re.compile(
    r"\b(?:for (?:more than |over |about |almost |nearly )?[\w-]+ (?:years|decades)|since \d{4}"
    r"|ever|never|always|once|twice|times)\b"
)
"""Times with which the present perfect states something that lasts."""
_MODALS = frozenset({"will", "may", "might", "could", "must", "should", "would", "shall"})
_LASTING = frozenset(
    "base locate situate know name call build make design use own belong contain consist measure"
    " weigh lie live stand grow employ run link lead connect carry serve cost hold cover require"
    " allow ban produce sell operate teach study speak come bear marry have mean include".split()
)
"""Verbs whose present tense states what lasts."""
_OPEN_CASES = frozenset("accuse charge suspect indict".split())
"""Verbs whose passive stays true until another source gives the verdict."""
_LASTING_QUALITIES = frozenset(
    "wide long deep high tall thick broad heavy large big small famous popular native".split()
)
_DOUBTFUL = frozenset("likely suspected alleged possible probable current".split())
_PRESENT = frozenset({"VBZ", "VBP"})
_QUOTED = re.compile(r"[\"“][^\"”]{20}")


def is_passing(document: Document, span: SourceSpan) -> bool:
    """Check whether the main clause of a span states a condition or plan of its report's day.

    Quotations do not count.
    """
    if _QUOTED.search(span.text):
        return False
    sentence = NewsSentence(document, span.bodies[0])
    if _PASSING.search(sentence.text):
        return True
    words = {word.token: word for word in sentence.reported}
    children: dict[int, list[Word]] = defaultdict(list)
    for word in words.values():
        children[word.head].append(word)
    main = next((word for word in words.values() if word.head not in words), None)
    if main is not None and _is_unfinished(main, children[main.token], words):
        return True
    while main is not None and concept(main.lemma) in reporting_concepts():
        clauses = [w for w in children[main.token] if w.relation in ("ccomp", "parataxis")]
        main = clauses[0] if clauses else None
    if main is None:
        return False
    helpers = [w for w in children[main.token] if w.relation.startswith(("aux", "cop"))]
    present = any(word.fine in _PRESENT for word in helpers)
    if any(word.lemma in _MODALS for word in helpers):
        return True
    if main.fine in _PRESENT and not any(word.fine == "VBD" for word in helpers):
        return main.lemma not in _LASTING
    if not present:
        return False
    if main.tag == "VERB":
        perfect = any(word.lemma == "have" for word in helpers)
        if perfect:
            return not _LASTING_TIME.search(sentence.text)
        return main.fine == "VBG" or main.lemma not in _LASTING | _OPEN_CASES
    described = [w.lemma for w in children[main.token] if w.relation in ("amod", "advmod", "case")]
    if main.tag == "ADJ":
        return main.lemma not in _LASTING_QUALITIES
    return not _DOUBTFUL.isdisjoint(described) or "in" in described


def _is_unfinished(main: Word, children: list[Word], words: dict[int, Word]) -> bool:
    """Check whether a clause is an order, or something still going on: "are being warned"."""
    helpers = [word for word in children if word.relation.startswith("aux")]
    going_on = main.fine == "VBG" or any(
        word.lemma == "be" and word.fine == "VBG" for word in helpers
    )
    subject = any(word.relation.startswith(("nsubj", "expl", "csubj")) for word in children)
    imperative = main.fine == "VB" and not helpers and not subject and main.token == min(words)
    return imperative or (going_on and any(word.fine in _PRESENT for word in helpers))
