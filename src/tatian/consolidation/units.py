"""The smallest parts of the accounts that may be moved: sentences, and quotations as wholes."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Literal

from msgspec import Struct

from tatian.consolidation import noise
from tatian.text import CHAINS, NAMES, WORDS, Chain, Document, Span, Token
from tatian.text.dates import dateline
from tatian.text.lexicon import PRONOUNS, REPORTING_VERBS
from tatian.text.quotations import quoted_tokens

Key = tuple[int, int]
"""An account, and the index of a sentence in it."""

Lean = Literal["", "name", "noun", "before"]
"""How a unit depends on the one before it: not at all; by "he" or "she", for which a name is known;
by "the driver", whom others may have named; or so that only what stands before makes it clear."""

_MARK = re.compile('["“”]')
_SPEECH = re.compile('^["“]|[,:] ["“]')
_LONGEST_QUOTATION = 12
"""Sentences after which a mark that nobody closed is taken for a slip."""
_CUT_OFF = re.compile(r"\b(?:Mt|Ltd|Inc|Corp|Co|Const|Sgt|Lt|Capt|Gen|Rep|Sen|Gov|St|No|vs|Dep)\.$")
"""What ends an abbreviation, and was taken for the end of a sentence."""
_CONNECTIVES = re.compile(
    r"(?:however|but|and|or|nor|so|yet|also|too|then|thus|therefore|instead|meanwhile|moreover"
    r"|furthermore|besides|nevertheless|nonetheless|otherwise|likewise|similarly|consequently"
    r"|afterwards?|additionally|in addition|as a result|in fact|in turn|after that|for example"
    r"|for instance|on the other hand|at the same time|that said|even so|in response"
    r"|(?:because of|despite) (?:this|that)|for (?:this|that) reason|of (?:these|those|them)"
    r"|the (?:other|others|latter|same|pair)|the former(?=,| is| was| said| ha[sd])"
    r"|another|others?|both|neither|either"
    r"|(?:one|some|most|many|all|none|two|three|several) of (?:them|these|those)|such|its|their|our"
    r"|this|that|these|those|which|according to (?:him|her|them)|since then|until then"
    r"|the (?:next|following|previous|same) (?:day|night|morning|week|year|month)"
    r"|that (?:day|night|morning|year)|half an hour later"
    r"|\w+ (?:minutes|hours|days|weeks) later)\b",
    re.IGNORECASE,
)
_NO_LEAN = re.compile(
    r"(?:both [A-Z]\w+ and|such as|in addition to (?!this|that)|besides (?!this|that)"
    r"|this (?:year|week|month)|otherwise known)\b",
    re.IGNORECASE,
)
_SHOUTED = re.compile(r"[A-Z][A-Z .,']{3,30}(?: ?\([A-Z]\w+\))? ?[-–—]{1,2} ?(?=[A-Z][a-z])")
_SPOKEN_OF = re.compile(r"[\"“](?:They|He|She|It|That|This|Those|These)\b")
_GOES_ON = re.compile(
    r"^(?:[^\s\"“]+\s+){1,5}also\b|\bthe same (?:agency|newspaper|source|official|report)"
    r"|^(?:It|They|That)['’ ](?!.{0,12}\b(?:clear|unclear|known|likely|possible|believed|thought))"
    r"|\b(?:in|of) this case\b|\b(?:denie[sd]|rejected|confirmed|disputed) (?:this|that|it)\b"
    r"|\b(?:afterwards?|thereafter|at (?:that|the) time|as well)[.!]$"
)
"""What says within a sentence that it goes on from another."""
_THIS = re.compile(
    r"\b(?:this|these) (?!(?:particular |same )?(?:(?:\w+ )?year|week|month|quarter|term|morning"
    r"|afternoon|evening|night|time|season|spring|summer|autumn|fall|winter|weekend|past|coming"
    r"|days?|century|decade|early|late|paper|newspaper|city|town|country|account|is|was|are|were"
    r"|will|would|ha[sd]|have|can|could|may|might|should|must|does|did|means|ones?)\b)[a-z]"
)
"""What points at something that was just spoken of."""
_DEFINITE = re.compile(r"The [a-z]")
_THE_MAN = re.compile(
    r"[\"“]?The (?:man|woman|boy|girl|child|victims?|suspects?|driver|pair|couple|agency|source"
    r"|officials?|defendant|accused|gunman|attackers?)"
    r"(?! (?:who|in|from|with|of|on|at|behind)\b)\b"
)
"""Whoever this is, only what stands before says it."""
_ALL_THE_TIME = 5
"""Mentions from which on an account speaks of something all the time."""
_PARAGRAPHS = 0.75
"""The share of sentences that open a paragraph up to which paragraphs mean something."""
_NEAR = 3
"""Units before a pronoun in which the name must stand."""
_QUOTED = re.compile(r"\"[^\"]*(?:\"|$)|“[^”]*(?:”|$)")
_I = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]yself|[Mm]ine|[Ww]e|[Oo]urs?|us|[Oo]urselves)\b")
_PROTOCOL = re.compile(
    r"(?:[A-Z][A-Z .]{2,24}:|\d{1,2}[:.]?\d\d(?: ?[ap]\.?m\.?)? ?[:–-]|[A-Z]{3,5}\.? \d{1,2}:) ?\S"
)
"""How the entries of a log and the lines of a transcript begin."""
_OFTEN, _OWN = 2, 0.25
"""In how many units, and in what share of them, whoever says "I" or "we" does so at least."""
_OBLIQUE = frozenset("his her him".split())
_SOMEBODY = re.compile(r"(?:An?|One) ")
_PERSONS = frozenset("he she his her him".split())
_OTHERS = frozenset("they it them this that these those we".split())


class Unit(Struct, frozen=True):
    """One sentence of one account, or a quotation of several with whoever speaks it."""

    account: int
    indices: tuple[int, ...]
    """Of its sentences in the account."""
    bodies: tuple[Span, ...]
    """Its sentences, without a dateline."""
    text: str
    leans: Lean = ""
    pronoun: Span | None = None
    """The pronoun by which it leans."""
    says: str = ""
    """That pronoun."""
    words: int = 0
    opens: bool | None = None
    """Whether it opens a paragraph; None where its account's paragraphs say nothing."""

    @property
    def key(self) -> Key:
        """What identifies it among all accounts."""
        return self.account, self.indices[0]


class AccountUnits(Struct, frozen=True):
    """One account as units, and what was set aside of it."""

    document: Document
    units: tuple[Unit, ...]
    aside: dict[int, str]
    """Reasons by the index of the sentence."""
    own: bool = False
    """Whether it has a voice of its own: says "I" or "we", or is a log or a transcript."""


def account(number: int, document: Document) -> AccountUnits:
    """Set aside what is no part of the story, if anything else is left, and bind the rest."""
    inside = _inside(document)
    blank = {
        index: "no words of it can be read"
        for index, sentence in enumerate(document.sentences)
        if not document.tokens_in(sentence)
    }
    aside = {**noise.reasons(document, inside), **blank}
    runs = _runs(document, inside, aside) or _runs(document, inside, aside := blank)
    spoken = _Spoken(document)
    openings = _openings(document, aside)
    units: list[Unit] = []
    for run in runs:
        bodies = tuple(_body(document, index) for index in run)
        text = " ".join(" ".join(body.of(document.text).split()) for body in bodies)
        lean, pronoun = _lean(text, bodies, inside[run[0]], spoken, units)
        if lean == "before" and aside.get(run[0] - 1) in noise.ASIDES and units:
            aside.update(dict.fromkeys(run, "it goes on from what was set aside"))
            continue
        if (
            units
            and not lean
            and (_THIS.search(_QUOTED.sub(" ", text)) or _answers(text, units[-1].text))
        ):
            lean = "before"
        says = pronoun.of(document.text).lower() if pronoun else ""
        opens = run[0] in openings if openings else None
        count = len(text.split())
        units.append(Unit(number, tuple(run), bodies, text, lean, pronoun, says, count, opens))
    return AccountUnits(document, tuple(units), aside, _own(units))


def _own(units: Sequence[Unit]) -> bool:
    """Whether many units say "I" or "we" outside quotations, or are entries of a protocol."""
    spoken = sum(bool(_I.search(_QUOTED.sub(" ", unit.text))) for unit in units)
    noted = sum(bool(_PROTOCOL.match(unit.text)) for unit in units)
    return max(spoken, noted) >= max(_OFTEN, _OWN * len(units))


def _openings(document: Document, aside: Collection[int]) -> set[int]:
    """The sentences that open a paragraph; none where nearly every sentence does."""
    found = set()
    position = 0
    for index, sentence in enumerate(document.sentences):
        if "\n" in document.text[position : sentence.start] or index == 0:
            found.add(index)
        position = sentence.end
    count = len(document.sentences) - len(aside)
    return found if len(found.difference(aside)) <= _PARAGRAPHS * count else set()


def _inside(document: Document) -> list[bool]:
    """Of each sentence, whether it begins inside a quotation.

    A mark that is not closed soon is a slip of its writer and opens nothing.
    """
    flags: list[bool] = []
    opened = -1
    for index, sentence in enumerate(document.sentences):
        text = sentence.of(document.text)
        if opened >= 0 and index - opened > _LONGEST_QUOTATION:
            flags[opened + 1 :] = [False] * (index - opened - 1)
            opened = -1
        begins = opened >= 0
        if begins and (text[:1] == "“" or (text[:1] == '"' and text[1:2] != " ")):
            opened = -1
        flags.append(begins)
        for mark in _MARK.finditer(text):
            if mark[0] == '"' and opened < 0 and text[mark.start() - 1 : mark.start()].isalnum():
                continue
            opens = mark[0] == "“" or (mark[0] == '"' and opened < 0)
            opened = index if opens else -1
    if opened >= 0:
        flags[opened + 1 :] = [False] * (len(flags) - opened - 1)
    return flags


def _runs(document: Document, inside: Sequence[bool], aside: dict[int, str]) -> list[list[int]]:
    """Indices of sentences that are one unit: a quotation, its speaker, what ends in a colon."""
    runs: list[list[int]] = []
    for index, sentence in enumerate(document.sentences):
        if index in aside:
            continue
        text = sentence.of(document.text)
        last = runs[-1][-1] if runs else -2
        follows = last >= 0 and all(one in aside for one in range(last + 1, index))
        before = document.sentences[last].of(document.text) if follows else ""
        bound = (
            inside[index]
            or before.rstrip().endswith(":")
            or _only_speech(text, before)
            or bool(_CUT_OFF.search(before))
        )
        if follows and bound:
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs


def _answers(text: str, before: str) -> bool:
    """Whether somebody speaks behind a question."""
    asked = before.rstrip('"”').endswith("?") and before[-1] in '"”'
    return asked and bool(_SPEECH.search(text))


def _only_speech(text: str, before: str) -> bool:
    """Whether a sentence is nothing but somebody's words, and the one before has them too."""
    return (
        text[:1] in '"“'
        and not re.search(r"\w", _QUOTED.sub(" ", text))
        and (bool(_MARK.search(before)) or _reports(before))
    )


def _reports(text: str) -> bool:
    return any(word.strip(".,:").lower() in REPORTING_VERBS for word in text.split())


def _body(document: Document, index: int) -> Span:
    """A sentence without the place and date that open a report."""
    sentence = document.sentences[index]
    if shouted := _SHOUTED.match(document.text, sentence.start, sentence.end):
        return Span(shouted.end(), sentence.end)
    opening = dateline(document.text)
    if opening and Span(sentence.start, sentence.end).contains(
        Span(opening.start("place"), opening.end())
    ):
        return Span(opening.end(), sentence.end)
    return Span(sentence.start, sentence.end)


def _lean(
    text: str, bodies: Sequence[Span], inside: bool, spoken: _Spoken, before: Sequence[Unit]
) -> tuple[Lean, Span | None]:
    """How a unit depends on what stands before it, and by which pronoun."""
    if (
        inside
        or _SPOKEN_OF.match(text)
        or _GOES_ON.search(text)
        or _THE_MAN.match(text)
        or (_CONNECTIVES.match(text) and not _NO_LEAN.match(text))
    ):
        return "before", None
    pronoun = None if _NO_LEAN.match(text) else spoken.stranger(bodies)
    if pronoun is None:
        known = _DEFINITE.match(text) and spoken.takes_up(bodies[0], before)
        return ("noun" if known else ""), None
    if spoken.named(pronoun, bodies[0], before):
        return "name", Span(pronoun.start, pronoun.end)
    if spoken.introduced(pronoun, bodies[0]):
        return "", None
    return "before", Span(pronoun.start, pronoun.end)


class _Spoken:
    """Who and what a document's pronouns stand for."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._quoted = quoted_tokens(document.text, document.tokens)
        self._place = {token.start: place for place, token in enumerate(document.tokens)}
        self._chain: dict[int, Chain] = {}
        for chain in document.get(CHAINS):
            for mention in chain.mentions:
                self._chain.setdefault(mention.start, chain)
        words = document.get(WORDS) if document.has(WORDS) else ()
        self._words = {word.token: word for word in words}

    def stranger(self, bodies: Sequence[Span]) -> Token | None:
        """The pronoun of a unit that nothing in the unit explains, if its subject is one."""
        for body in bodies[:1]:
            tokens = self._document.tokens_in(body)
            for number, token in enumerate(tokens):
                word = token.text.lower()
                if self._quoted[self._place[token.start]]:
                    continue
                if word in _PERSONS and not self._explained(token, body):
                    return token
                if word in _OTHERS and self._subject(token, number):
                    return None if self._explained(token, body) else token
        return None

    def takes_up(self, body: Span, before: Sequence[Unit]) -> bool:
        """Whether a sentence opens with "the driver" or "the surrounding area", known from before.

        What the account speaks of all the time needs nothing before it; in the first sentence of
        all a person does.
        """
        chain = self._chain.get(body.start)
        opening = Span(body.start, self._verb(body))
        if any(
            opening.contains(name) or (chain is not None and self._within(name, chain))
            for name in self._document.inside(NAMES, body)
        ):
            return False
        if not before:
            return chain is not None and chain.type == "PER" and len(chain.mentions) > 1
        return chain is None or chain.type == "PER" or len(chain.mentions) < _ALL_THE_TIME

    def named(self, pronoun: Token, body: Span, before: Sequence[Unit]) -> bool:
        """Whether it surely stands for a person with a name.

        The last unit that names anybody must name this person and nobody else; of "he said to him"
        nothing is sure.
        """
        chain = self._chain.get(pronoun.start)
        if pronoun.text.lower() not in _PERSONS or chain is None:
            return False
        for token in self._document.tokens_in(body):
            place = self._place[token.start]
            if token.text.lower() in _PERSONS and token != pronoun and not self._quoted[place]:
                word = self._words.get(place)
                owner = word is not None and word.relation.startswith("nmod")
                met = token.text.lower() in _OBLIQUE and not owner
                if met or self._chain.get(token.start) is not chain:
                    return False
        for unit in reversed(before[-_NEAR:]):
            people = [
                name
                for body in unit.bodies
                for name in self._document.inside(NAMES, body)
                if name.type == "PER"
            ]
            if people:
                return all(self._within(name, chain) for name in people)
        return False

    def introduced(self, pronoun: Token, body: Span) -> bool:
        """Whether "his" or "her" follows somebody whom the sentence names, or opens with as new."""
        if pronoun.text.lower() not in _OBLIQUE:
            return False
        opening = Span(body.start, pronoun.start)
        named = any(name.type == "PER" for name in self._document.inside(NAMES, opening))
        return named or bool(_SOMEBODY.match(self._document.text, body.start, pronoun.start))

    def _within(self, name: Span, chain: Chain) -> bool:
        return any(mention.overlaps(name) for mention in chain.mentions)

    def _explained(self, pronoun: Token, body: Span) -> bool:
        """Whether the same sentence says earlier whom it means."""
        chain = self._chain.get(pronoun.start)
        if chain is None:
            return False
        return any(
            body.start <= mention.start < pronoun.start
            and mention.of(self._document.text).lower() not in PRONOUNS
            for mention in chain.mentions
        )

    def _verb(self, body: Span) -> int:
        """Where the first verb of a sentence stands; at its start if that is not known."""
        for token in self._document.tokens_in(body):
            word = self._words.get(self._place[token.start])
            if word is not None and word.tag in ("VERB", "AUX"):
                return token.start
        return body.start

    def _subject(self, token: Token, number: int) -> bool:
        """Whether a word is the subject of its sentence's main clause."""
        word = self._words.get(self._place[token.start])
        if number == 0 and token.text.lower() in ("they", "them"):
            return True
        if word is None or not word.relation:
            return number == 0
        head = self._words.get(word.head)
        return word.relation.startswith("nsubj") and (head is None or head.head < 0)
