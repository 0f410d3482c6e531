"""Sentences with exactly one error, made from true ones by rule.

A change is made only if the source sentences of the true one show that it is an error.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from tatian.text.content import concept, concepts, stem
from tatian.text.lexicon import MONTHS, NUMBER_WORDS, REPORTING_VERBS, WEEKDAYS
from trace_story import DAY, DIGITS, MONTH, TIME, Base, Story, capital, is_within

WRONG = tuple("entity figure negation certainty roles merge quotation addition".split())
HEDGE = re.compile(
    r"\b(?:alleg\w*|suspect\w*|accus\w*|charg\w*|believ\w*|think|thought|expect\w*|likely|may|might"
    r"|could|would|will|plan\w*|possibl\w*|probabl\w*|report\w*|appear\w*|apparent\w*|seem\w*|fear\w*"
    r"|claim\w*|intend\w*|to be|due to|threat\w*|try|tried|attempt\w*|rumou?r\w*|if|said to)\b",
    re.IGNORECASE,
)
_PEOPLE = frozenset(
    "police officers officer man woman men women pirates robbers gunman driver victim victims judge"
    " suspect jury teacher mother father son daughter wife husband brother sister doctor doctors"
    " thieves soldiers navy army court team coach workers boy girl child children lawyer prosecutor"
    " prosecutors protesters company government president chief passengers crew students".split()
)
_BE = r"(?:is|are|was|were|has been|have been|had been)"
_SEEM = r"(?:appears?|appeared|seems?|seemed)"
_WANT = r"(?:plans?|planned|threatened|intends?|hopes?|tried|attempted|wants?|wanted)"
_CRIME = r"(?:murder|arson|theft|fraud|assault|manslaughter|burglary)"
_POLICE = r"(?:[Pp]olice|[Ii]nvestigators|[Aa]uthorities|[Oo]fficials)"
_SOON = r"(?:expected|scheduled|due|set|likely)"
_DOUBT = r"(?:allegedly|reportedly|apparently|possibly|probably|supposedly|presumably)"
_GUESS = r"(?:believed|thought|alleged|reported|suspected|said|feared|understood|accused|rumou?red)"
CERTAIN = [
    (re.compile(rf"\b{_DOUBT} "), ""),
    (re.compile(r"\b(?:alleged|suspected|apparent|possible) (?=[a-z])"), ""),
    (re.compile(rf"\b{_BE} (?:accused|suspected) of (?P<verb>\w+ing)\b"), "VBD"),
    (re.compile(rf"\b{_BE} {_GUESS} to have been\b"), "was"),
    (re.compile(rf"\b{_BE} {_GUESS} to have (?=\w+ed\b)"), ""),
    (re.compile(rf"\b{_BE} {_GUESS} to be\b"), "was"),
    (re.compile(rf"\b(?:is|are) {_SOON} to be\b"), "was"),
    (re.compile(rf"\b(?:is|are|was|were) {_SOON} to (?P<verb>\w+)\b"), "VBD"),
    (re.compile(r"\b(?:may|might|could) have been\b"), "was"),
    (re.compile(r"\b(?:may|might|could) have (?=\w+ed\b)"), ""),
    (re.compile(r"\b(?:may|might|could) be\b"), "is"),
    (re.compile(r"\b(?:may|might) (?P<verb>[a-z]+)\b"), "VBD"),
    (re.compile(rf"\b{_SEEM} to (?:be|have been)\b"), "was"),
    (re.compile(rf"\b{_WANT} to (?P<verb>[a-z]+)\b"), "VBD"),
    (re.compile(rf"\bcharged with (?=(?:\w+ )*{_CRIME})"), "convicted of "),
    (re.compile(rf"\b{_POLICE} (?:believe|suspect|think|believed|suspected) (?:that )?"), ""),
]


class Wrong(Story):
    """Errors; each method yields wrong versions of a true sentence."""

    def entity(self, base: Base) -> Iterator[str]:
        for name in base.names:
            old = name.of(base.text)
            name_words = set(old.lower().split())
            same = [n for n in self.known[name.type] if name_words.isdisjoint(n.lower().split())]
            same = [n for n in same if not is_within(n, base.sources + " " + base.text)]
            if self.draw.random() < 0.35 or not same:
                names = self.draw.sample(self.strangers[name.type], 5)
                same = [n for n in names if n.lower() not in self.accounts.lower()]
            if same and name.end - name.start > 2:
                yield capital(re.sub(rf"\b{re.escape(old)}\b", self.draw.choice(same), base.text))

    def figure(self, base: Base) -> Iterator[str]:
        stated = {concept(w) for w in re.findall(r"[\w.,:]*\w", base.sources + " " + base.text)}
        for match in DIGITS.finditer(base.text):
            others = [n for n in DIGITS.findall(self.accounts) if _alike(n, match[0])]
            new = [n for n in {*others, *_near(match[0], self.draw)} if concept(n) not in stated]
            if new:
                yield base.put((*match.span(), self.draw.choice(sorted(new))))
        for token in base.document.tokens:
            value = NUMBER_WORDS.get(token.text.lower(), 0)
            if 2 <= value <= 12 and token.text.islower() and not token.text.endswith("th"):
                words = [
                    w
                    for w, v in NUMBER_WORDS.items()
                    if 2 <= v <= 15 and v != value and "-" not in w
                ]
                words = [
                    w
                    for w in words
                    if concept(w) not in stated and not w.endswith(("th", "rd", "nd", "st"))
                ]
                if words and not token.text.endswith(("nd", "rd", "st")):
                    yield base.put((token.start, token.end, self.draw.choice(words)))
        for pattern in (DAY, MONTH):
            for match in pattern.finditer(base.text):
                names = WEEKDAYS if pattern is DAY else MONTHS
                new = [d.title() for d in names if len(d) > 4 and "." not in d]
                new = [d for d in new if d not in base.sources and d not in base.text]
                yield base.put((*match.span(), self.draw.choice(new)))

    def negation(self, base: Base) -> Iterator[str]:
        tokens = base.document.tokens
        for place, word in base.words.items():
            if word.relation not in {"root", "conj", "ccomp"} or self.is_quoted(base, place):
                continue
            texts = {base[c].lower() for c in base.children(place)}
            nots = [c for c in base.children(place) if base[c].lower() in {"not", "n't", "never"}]
            if nots and base[nots[0]].lower() == "not":
                yield base.put((tokens[nots[0]].start, tokens[nots[0]].end, ""))
            if (
                nots
                or texts & {"no", "nobody", "none", "only", "also"}
                or re.search(r"\b[Nn]o\b", base.text)
            ):
                continue
            helpers = [c for c in base.children(place, "aux", "aux:pass", "cop") if c < place]
            if helpers:
                end = tokens[helpers[0]].end
                if base[helpers[0]].lower() not in {"'s", "’s", "'d", "'ve", "to"}:
                    yield base.put((end, end, " not"))
                continue
            verb = self.forms.get((stem(base[place]), "VB"))
            if verb and word.fine == "VBD" and base.children(place, "nsubj"):
                yield base.put((tokens[place].start, tokens[place].end, f"did not {verb}"))

    def certainty(self, base: Base) -> Iterator[str]:
        for pattern, new in CERTAIN:
            match = pattern.search(base.text)
            if match is None:
                continue
            verb = match.groupdict().get("verb")
            form = ""
            if verb:
                form = self.forms.get((stem(verb), new), "") if new.isupper() else verb
                if not form:
                    continue
            put = f"{form}" if new.isupper() else new.replace("*", form)
            text = base.put((*match.span(), put))
            if not self._sure(base, verb or match[0]):
                yield text

    def roles(self, base: Base) -> Iterator[str]:
        for first in base.names:
            for second in base.names:
                between = base.text[first.end : second.start]
                if (
                    first.type != second.type
                    or first.start >= second.start
                    or len(between.split()) < 2
                ):
                    continue
                if (
                    re.search(r"\band\b|\bor\b|,\s*$|\bwith\b", between)
                    and len(between.split()) < 4
                ):
                    continue
                names = first.of(base.text), second.of(base.text)
                if set(names[0].split()).isdisjoint(names[1].split()):
                    yield base.put(
                        (first.start, first.end, names[1]), (second.start, second.end, names[0])
                    )
        subject, root = base.subject, base.root
        for child in base.children(root, "obj", "obl:agent"):
            start, end = base.below(child)
            someone = (
                all(_someone(base, place) for place in (child, subject[0])) if subject else False
            )
            if subject and someone and start > subject[2] and end - start < 40:
                head, tail = base.text[: subject[2]], base.text[start:end]
                if base.words[0].tag != "PROPN":
                    head = head[:1].lower() + head[1:]
                yield base.put((0, subject[2], capital(tail)), (start, end, head))
        for word, other in (("before", "after"), ("after", "before")):
            match = re.search(rf"\b{word}\b(?! (?:the|a) (?:court|judge|magistrate))", base.text)
            if match and not is_within(other, base.sources) and "appear" not in base.text:
                yield base.put((*match.span(), other))

    def merge(self, base: Base) -> Iterator[str]:
        for other in self.draw.sample(self.bases, min(12, len(self.bases))):
            if other is base or other.sources == base.sources:
                continue
            if base.person and other.person and other.subject and base.subject:
                name = base.person.of(base.text)
                far = is_within(name.split()[-1], other.sources + " " + other.text)
                if not far and other.person.of(other.text) not in base.text:
                    rest = other.text[other.subject[2] :].strip()
                    if not rest.startswith(","):
                        yield f"{base.text.rstrip(' .')} and {rest}"
                        start = base.subject[2]
                        if not base.text[start:].startswith(","):
                            plain = rest.rstrip(" .")
                            yield f"{base.text[:start]}, who {plain},{base.text[start:]}"
            mine, theirs = TIME.search(base.text), TIME.search(other.text)
            if mine and theirs and not self._same_time(mine[0], theirs[0], base):
                new = theirs[0] if theirs[0].startswith(("on", "in")) else f"on {theirs[0]}"
                lead = "" if mine[0].startswith(("on", "in")) else "on "
                yield base.put((*mine.span(), new.removeprefix(lead)))

    def quotation(self, base: Base) -> Iterator[str]:
        if not base.has_quotation():
            return
        for place in base.words:
            if base[place].lower() not in REPORTING_VERBS or self.is_quoted(base, place):
                continue
            for child in base.children(place, "nsubj"):
                start, end = base.below(child)
                old = base.text[start:end]
                names = set(old.lower().split())
                new = [n for n in self.known.get("PER", []) if names.isdisjoint(n.lower().split())]
                new = [n for n in new if not is_within(n.split()[-1], base.sources + base.text)]
                if base.words[child].tag != "PRON" and new and '"' not in old and "“" not in old:
                    yield base.put((start, end, self.draw.choice(new)))

    def addition(self, base: Base) -> Iterator[str]:
        fresh = (
            addition
            for addition in iter(lambda: self.draw.choice(self.additions).strip(), None)
            if self.said.isdisjoint(concepts(re.findall(r"[^\W\d]\w*", addition)))
        )
        added = next(fresh)
        text = base.text.rstrip(" .")
        if text[-1:].isalnum() and not base.has_quotation():
            yield text + ("" if added.startswith(",") else " ") + added + "."

    def _sure(self, base: Base, verb: str) -> bool:
        """Return True if a source asserts what the sentence only suspects."""
        ours = set(concepts(re.findall(r"\w+", base.text)))
        act = stem(verb)
        for line in base.every:
            theirs = set(concepts(re.findall(r"\w+", line)))
            near = {stem(w) for w in re.findall(r"\w+", line)}
            if act in near and len(ours & theirs) >= 2 and not HEDGE.search(line):
                return True
        return False

    def _same_time(self, mine: str, theirs: str, base: Base) -> bool:
        words = re.findall(r"[A-Z]\w+|\d+", theirs)
        return mine == theirs or any(
            is_within(word, base.sources + " " + base.text) for word in words
        )


def _someone(base: Base, place: int) -> bool:
    """Return True if a word can act on another: a name, or people."""
    return base.words[place].tag == "PROPN" or base[place].lower() in _PEOPLE


def _alike(figure: str, other: str) -> bool:
    """Return True if two different figures have the same format: length and marks."""
    return (
        figure != other
        and len(figure) == len(other)
        and re.sub(r"\d", "", figure) == re.sub(r"\d", "", other)
    )


def _near(figure: str, draw: random.Random) -> Iterator[str]:
    plain = figure.replace(",", "")
    if plain.isdecimal():
        value = int(plain)
        for new in (
            value + draw.choice([1, 2, 3, 5]),
            max(1, value - draw.choice([1, 2, 4])),
            value * 2,
        ):
            if new != value and not (1900 < value < 2100 and new > 2100):
                yield f"{new:,}" if "," in figure else str(new)
    elif re.fullmatch(r"\d+[.:]\d+", figure):
        first, mark, last = re.split(r"([.:])", figure)
        yield f"{(int(first) + draw.choice([1, 2, 3])) % 24:0{len(first)}}{mark}{last}"
