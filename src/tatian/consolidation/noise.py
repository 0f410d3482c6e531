"""Noise: parts of a source that do not belong to its story, or not for long.

Date lines, headlines, addresses and asides are excluded by themselves. Suspicions, conditions and
forecasts go only once another source has their outcome (see `outdated.exclude_outdated`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from msgspec import Struct

from tatian.text import CHAINS, NAMES, WORDS, Chain, Document, Mention, Span
from tatian.text.content import concept
from tatian.text.dates import written_day
from tatian.text.documents import MARKS as _MARKS

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?"
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?"
_ZONE = r"(?:gmt|utc|bst|[ecmp][sd]?t|[ap]\.?m\.?)"
_DATED = re.compile(
    rf"\b(?:{_MONTH}|{_WEEKDAY}|{_ZONE}|(?:first|last)?\s*(?:posted|published|updated)|created|on|at|by"
    r"|\d+(?:st|nd|rd|th)?)(?!\w)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"https?:|www\.|\w@\w|\.\s?(?:com|org|net|ca|uk|nz|au)\b\S*/\S|/\w+/\S*[/-]\S+"
)
_ENDS = re.compile(r"[.!?…:;,][\"'”’)\]]*$|[\"”]$")
_GREETING = re.compile(
    r"(?:Dear|To)\b[^.!?]{1,60}[,:]$|(?:Dear )?(?:Sirs?|Madam|Gentlemen|Colleagues)[,:]$"
    r"|(?:Yours|Sincerely|Regards|(?:Best|Kind) (?:wishes|regards))\b.{0,40},?$"
)
_POINTS = re.compile(
    r"(?:click|read|see|follow|subscribe|listen)\b(?!-)"
    r"|(?:watch|share|related|contact|video|photos?|image)\b(?:\s*[:|/–—-]|[\s.]*$|\s+(?:more|here|us"
    r"|our|this|these|the|it|on|via|now|live|by|credit|source|stories|articles|links|topics|news)\b)"
    r"|(?:also|more|elsewhere|plus|next|coming up)\W+(?:inside|in this (?:issue|edition)|on page"
    r"|online|photos?|news|stories)\b|(?:sign up|log in|refresh|like what you)\b"
    r"|advertisement\b|to donate\b",
    re.IGNORECASE,
)
_OWNED = re.compile(
    r"(?:©|\(c\)|copyright(?: (?:©|\(c\)|by|of)|,? \d{4}))|.{0,60}\ball rights reserved\b",
    re.IGNORECASE,
)
"""Openings of copyright lines."""
_TO_DESK = re.compile(
    r"\W{0,3}(?:(?:desk|eds?|editors?|subs|sub-?editors?|copy ?desk|night desk)\s*[,:–—]"
    r"|(?:att(?:entio)?n|memo|notes?) (?:to )?(?:the )?(?:desk|eds?\b|editors?|subs)"
    r"|editor['’]s note\b"
    r"|(?:please |pls )(?:check|hold|note|confirm|correct|delete|insert|spike|use)\b"
    r"|(?:for immediate release|embargoed|not for publication|hold for release)\b"
    r"|(?:more to (?:come|follow)|ends|ende|endit|more|-30-|30)\W*$)",
    re.IGNORECASE,
)
"""Openings of notes to those who make the paper."""
_BOILERPLATE = re.compile(
    r"(?:about [A-Z][\w&'’ .-]{1,40}|forward-looking statements?|media contacts?|press contacts?"
    r"|notes? to editors?|for (?:more|further) information)\s*[,:]",
    re.IGNORECASE,
)
"""Openings of the lines that close a company's statement."""
_OFFER = re.compile(
    r"\b(?:tickets?|subscriptions?|dues|copies|back issues|season tickets) (?:are|is) "
    r"(?:still |now |also )?(?:available|due|payable|on sale)\b"
    r"|^(?:Visit|Try|Order|Book|Buy|Shop|Save|Call)\b[^.]*(?:\d+ (?:percent|per cent|%) off\b"
    r"|\bfree\b|\bwww\.|[$£€]\d)|\b\d+ (?:percent|per cent) off all\b|\b\d+% off\b"
    r"|\b(?:too cheap|a bargain|hot stocks?|stocks? to (?:buy|watch|own)|top picks?"
    r"|(?:should|can) (?:you|i) (?:buy|sell)|time to (?:buy|sell))\b[^.]*\?$",
    re.IGNORECASE,
)
"""Offers that sell something to the reader."""
_LABEL = re.compile(r"[A-Z][\w'’.-]*(?: [\w'’.-]+){0,2}:")
"""Line that only names the speaker, or what follows: "NARRATOR:"."""
_MENU = re.compile(r" \| |\b[\d,]+ comments?\b")
FURNITURE = re.compile(
    r"\u00ad(?:\n[ \t]*)?"
    r"|[ \t]?\((?:NYSE|NASDAQ|Nasdaq|nasdaq|nyse|AMEX|LSE|ASX|TSX)(?: ?[A-Z]{2,4})?: ?[A-Z.]{1,6}\b"
    r"[^()]{0,40}\)"
    r"|[ \t]?\([A-Z]{1,5}(?:\.[A-Z]{1,2})?(?:[ :,-]+)(?:Quote|Get (?:Quote|Report)|Free Report"
    r"|Stock|Charts?|Profile|News|Alerts?)\b[^()]{0,80}\)"
    r"|[ \t]?\([A-Z]{2,5}\.[A-Z]{1,2}\)"
    r"|[ \t]?\((?i:pictured|picture|(?:AP |file )?photos?)(?: (?i:above|below|left|right|here))?"
    r"(?:[:/][^()]{0,60})?\)"
    r"|\[(?:\d{1,3}|edit|citation needed)\]"
)
"""Insertions of web pages inside sentences: soft hyphens, links to share prices, marks of notes and
pictures."""
_AUTHOR = re.compile(r"(?<![\w.])(?:I|I['’](?:m|ve|d|ll)|me|myself)(?![\w.])")
_TO_READER = re.compile(
    r"\b(?:you|your)\b.*\?$|\byou (?:can|could|may|should|will|might)\b"
    r"|\b(?:lie|trust|tell) (?:to )?you\b",
    re.IGNORECASE,
)
_ATTRIBUTED = re.compile(r"\b(?:said|says|told|added|warned)\b", re.IGNORECASE)
_HEADLINE_WORDS = 16
"""Most words of a headline; a longer line without a full stop is a sentence whose end was lost."""
_DATE_WORDS = 9
"""Most words of a line that gives a date and little else."""
DATE_LINE = "a date line"
_STAMP = re.compile(rf"{_MONTH}.*\d[:.]\d\d|posted|published|updated", re.IGNORECASE)
"""Marks of a line that says when it was published."""
_SPEAKER = re.compile(r"(?:[A-Z][A-Z .'’-]+|Q|A)[:.]\s")
_QUOTED_LINE = re.compile('["“][^"“”]*[^"“”.!,;:…]["”]')
_BYLINE = re.compile(r"(?:By|Posted by|Reported by|Written by) [A-Z]")
_POINTER_WORDS = 14
_LABEL_WORDS, _TEASER_WORDS = 3, 10
"""Most words of a label, and of a headline that asks a question."""
_CRY_WORDS = 8
ASIDES = frozenset(
    (
        "the writer speaking of himself",
        "a word to the reader",
        "an exclamation",
        "it goes on from what was set aside",
    )
)
"""Reasons that extend to a dependent next sentence."""
_SPEECH = re.compile(r"\"[^\"]*(?:\"|$)|“[^”]*(?:”|$)")
_LONGEST_NAME = 60
"""Length limit, in characters, of a mention that is little more than a name."""
_DIARY = 0.6
"""Share of sentences in the first person from which the writer is part of the story."""


def reasons(document: Document, quoted: Sequence[bool]) -> dict[int, str]:
    """Return why sentences of a document are excluded, by their index.

    `quoted` has for each sentence whether it begins inside a quotation, where everything is
    somebody's own words.
    """
    reasons_by_index: dict[int, str] = {}
    lines = list(_lines(document))
    for line in lines:
        ends = len(lines) > 1 and (line is lines[-1] or len(reasons_by_index) == line[0])
        if not quoted[line[0]] and (why := _line_reason(document, line, ends)):
            reasons_by_index.update(dict.fromkeys(line, why))
    personal = []
    for index, sentence in enumerate(document.sentences):
        text = sentence.of(document.text)
        if index in reasons_by_index or quoted[index] or not _MARKS.isdisjoint(text):
            continue
        why = _reason(text)
        heads = why == DATE_LINE and all(before in reasons_by_index for before in range(index))
        if why and (why != DATE_LINE or heads or _STAMP.search(text)):
            reasons_by_index[index] = why
        elif _AUTHOR.search(text):
            personal.append(index)
    rest = [index for index in range(len(document.sentences)) if index not in reasons_by_index]
    if len(personal) < _DIARY * len(rest) and personal[:1] != rest[:1]:
        reasons_by_index.update(dict.fromkeys(personal, "the writer speaking of himself"))
    return reasons_by_index


def _lines(document: Document) -> Iterator[list[int]]:
    """Yield the sentences of a document, grouped by lines."""
    line: list[int] = []
    for index, sentence in enumerate(document.sentences):
        if line and "\n" in document.text[document.sentences[index - 1].end : sentence.start]:
            yield line
            line = []
        line.append(index)
    if line:
        yield line


def _line_reason(document: Document, line: Sequence[int], ends: bool) -> str:
    """Return why a line is excluded, or nothing; `ends` if it opens or closes the document."""
    first, last = document.sentences[line[0]], document.sentences[line[-1]]
    text = document.text[first.start : last.end].strip()
    words = text.split()
    if _is_date(text):
        return DATE_LINE
    if _GREETING.match(text):
        return "a greeting"
    if _OWNED.match(text):
        return "a copyright line"
    if _TO_DESK.match(text):
        return "a note to the desk"
    if _BOILERPLATE.match(text):
        return "what closes a statement to the press"
    if _MENU.search(text) and len(words) <= _HEADLINE_WORDS:
        return "a pointer to something else"
    if _ADDRESS.search(text) and len(words) <= _HEADLINE_WORDS:
        return "an address"
    if not _ENDS.search(text) and len(words) <= _HEADLINE_WORDS:
        dated = len(words) <= _DATE_WORDS and written_day(text) is not None
        return "a byline" if _BYLINE.match(text) else DATE_LINE if dated else "a headline"
    if text.upper() == text and len(words) > 2 and _MARKS.isdisjoint(text):
        return "a headline"
    if _LABEL.fullmatch(text) and len(words) <= _LABEL_WORDS:
        return "a label"
    if _BYLINE.match(text) and all(word[0].isupper() or word == "the" for word in words):
        return "a byline"
    asks = text.endswith("?") and len(words) <= _TEASER_WORDS and not _SPEAKER.match(text)
    if ends and (asks or _QUOTED_LINE.fullmatch(text)) and len(words) <= _HEADLINE_WORDS:
        return "a headline"
    return ""


def _is_date(text: str) -> bool:
    return len(re.sub(r"[\W\d_]+", "", _DATED.sub(" ", text))) <= 3 and bool(re.search(r"\d", text))


def _reason(text: str) -> str:
    words = text.split()
    if _is_date(text):
        return DATE_LINE
    if _OWNED.match(text):
        return "a copyright line"
    if _TO_DESK.match(text) and len(words) <= _POINTER_WORDS:
        return "a note to the desk"
    if _OFFER.search(text) and len(words) <= _POINTER_WORDS:
        return "an advertisement"
    if _POINTS.match(text) and len(words) <= _POINTER_WORDS:
        return "a pointer to something else"
    if text.endswith("!") and len(words) <= _CRY_WORDS:
        return "an exclamation"
    if _TO_READER.search(text) and not _ATTRIBUTED.search(text):
        return "a word to the reader"
    return ""


class Overtaking(Struct, frozen=True):
    """Temporary status of a person, and the outcome that ends it."""

    status: re.Pattern[str]
    outcome: re.Pattern[str]
    reason: str


_NOT_YET = r"(?<!if )(?<!when )(?<!could be )(?<!would be )(?<!may be )(?<!not )(?<!being )"
OVERTAKING = (
    Overtaking(
        re.compile(
            r"\b(?:is|are|stands?|standing|remains?|has been|have been) (?:\w+ )?(?:accused"
            r"|suspected|charged)\b|\bfaces? (?:[\w-]+ ){0,4}(?:charges?|counts?|trial)\b"
            r"|\b(?:is|are|goes|go|going) on trial\b|\b(?:is|are) (?:still )?deliberating\b"
        ),
        re.compile(
            rf"{_NOT_YET}\b(?:(?:was|were|been|being|jury|jurors|panel) (?:\w+ )?convicted"
            r"|to convict|[Cc]onvicted (?:of|for|on|in|by|[A-Z][\w.'’-]*)|acquitted"
            r"|found (?:(?:[A-Z][\w.'’-]+ ){1,3}|not )?guilty|cleared of|guilty verdict"
            r"|(?:pleaded|pled) guilty|sentenced to)\b",
        ),
        "a later account gives the verdict",
    ),
    Overtaking(
        re.compile(
            r"\b(?:critical|serious|stable|grave|fair|guarded|extremely ill)(?: but [\w ]{3,12})?"
            r" condition\b|\bcondition (?:is|was|as) (?:\w+ )?(?:critical|serious|stable|grave"
            r"|fair)|\bfighting for (?:his|her|their) li(?:fe|ves)\b|\bclung to life\b"
            r"|\b(?:is|are) (?:expected|likely) to (?:recover|survive|live)\b"
        ),
        re.compile(
            rf"{_NOT_YET}\b(?:died|dead|succumbed|did not survive)\b|['’]s death\b|\bdeath of\b"
            r"|\b(?:was|were) (?:\w+ )?(?:killed|shot dead|shot to death)\b",
        ),
        "a later account reports the death",
    ),
    Overtaking(
        re.compile(
            r"\bat large\b|\bon the run\b|\b(?:is|are|was|were) (?:still )?(?:being sought|sought"
            r"|wanted)\b|\b(?:searching|hunting|looking) for\b|\bmanhunt\b|\bremains? missing\b"
            r"|\b(?:is|are) (?:still )?missing\b"
        ),
        re.compile(
            rf"{_NOT_YET}\b(?:arrested|captured|caught|surrendered|found (?:alive|dead)"
            r"|turned (?:him|her|them)sel(?:f|ves) in|gave (?:him|her)self up|taken into custody)\b"
        ),
        "a later account reports the end of the search",
    ),
)
AHEAD = re.compile(
    r"\b(?:will|(?:may|might|could)(?! (?:not|see|hear|be (?:seen|heard))\b)"
    r"|(?:is|are|was|were) (?:expected|scheduled|due|set|likely|slated)"
    r"|(?:is|are) to|(?:plans?|hopes?) to|ha(?:s|ve) (?:yet to|scheduled|called)"
    r"|would be released)\b"
)
"""Phrases for something that is to come."""
_LIGHT = frozenset(map(concept, "be have come take make go do get give hold place".split()))
_PAST = frozenset({"VBD", "VBN"})
_CLAUSES = frozenset({"ccomp", "parataxis"})


class NewsSentence:
    """Content of a sentence outside quotations: people, past acts, and what is to come."""

    def __init__(self, document: Document, body: Span) -> None:
        self._document, self._body = document, body
        self.text = _SPEECH.sub(lambda match: " " * len(match[0]), self._body.of(document.text))
        words = document.get(WORDS) if document.has(WORDS) else ()
        first = bisect_left(document.tokens, self._body.start, key=lambda token: token.start)
        last = bisect_left(document.tokens, self._body.end, key=lambda token: token.start)
        inside = (bisect_left(words, place, key=lambda word: word.token) for place in (first, last))
        self._words = [
            (document.tokens[word.token].start - self._body.start, word)
            for word in words[slice(*inside)]
        ]
        self._named: list[tuple[Mention, set[str]]] | None = None
        self.reported = [word for at, word in self._words if self.text[at : at + 1].strip()]

    def people(self, said: re.Match[str]) -> set[str]:
        """Return the last names of the subject of some words, or of the person mentioned before."""
        document, at = self._document, self._body.start + said.start()
        if self._named is None:
            self._named = [
                (mention, names)
                for chain in document.get(CHAINS)
                if chain.type == "PER"
                for mention in chain.mentions
                if self._body.contains(mention) and (names := _people_of(document, chain))
            ]
        named = self._named
        for subject in self._subjects(said):
            if met := [names for mention, names in named if mention.start <= subject < mention.end]:
                return met[0]
        before = [pair for pair in named if pair[0].start < at]
        if before:
            return max(before, key=lambda pair: pair[0].start)[1]
        return min(named, key=lambda pair: pair[0].start)[1] if named else set()

    def _subjects(self, said: re.Match[str]) -> list[int]:
        """Return the positions of the subjects of the verbs among some words."""
        verbs = {word.token for at, word in self._words if said.start() <= at < said.end()}
        return [
            self._body.start + at
            for at, word in self._words
            if word.relation.startswith("nsubj") and word.head in verbs
        ]

    def statuses(self) -> list[tuple[Overtaking, set[str]]]:
        """Return the temporary statuses that it gives, and whose they are."""
        matches = [(rule, rule.status.search(self.text)) for rule in OVERTAKING]
        return [(rule, self.people(match)) for rule, match in matches if match]

    def ends(self, statuses: Sequence[tuple[Overtaking, set[str]]]) -> str:
        """Return the reason if it reports the end of one of some statuses, or nothing."""
        for rule, people in statuses:
            outcome = rule.outcome.search(self.text)
            if outcome and people & self.people(outcome):
                return rule.reason
        return ""

    @property
    def acts(self) -> set[str]:
        """Acts that it reports as past; none if it says what is to come."""
        ahead = AHEAD.search(self.text)
        return {
            concept(word.lemma) for word in self.reported if word.fine in _PAST and not ahead
        } - _LIGHT

    @property
    def events(self) -> set[str]:
        """Its acts, and the things that it mentions with them."""
        acts = self.acts
        things = {concept(word.lemma) for word in self.reported if word.tag == "NOUN" and acts}
        return (acts | things) - _LIGHT

    @property
    def reports_act(self) -> bool:
        """True if its main verb is in the past and says more than "had"."""
        roots = [word for _, word in self._words if word.head < 0 and word.fine in _PAST]
        return any(concept(word.lemma) not in _LIGHT for word in roots)

    @property
    def looks_back(self) -> bool:
        """True if its main clause is in the past perfect: "had been reported twice"."""
        main = {w.token for _, w in self._words if w.head < 0}
        main |= {w.token for _, w in self._words if w.head in main and w.relation in _CLAUSES}
        had = [w for _, w in self._words if w.lemma == "have" and w.fine == "VBD"]
        return any(word.relation.startswith("aux") and word.head in main for word in had)

    def expected(self) -> set[str]:
        """Return the acts that it says are to come."""
        marker = AHEAD.search(self.text)
        if marker is None:
            return set()
        after = [word for at, word in self._words if at >= marker.end()]
        act = next((word for word in after if word.tag == "VERB"), None)
        if act is not None and concept(act.lemma) not in _LIGHT:
            return {concept(act.lemma)}
        before = [word for at, word in self._words if at < marker.start() and word.tag == "NOUN"]
        things = [word for word in after if word.tag == "NOUN"]
        return {concept(word.lemma) for word in (*before[-1:], *things[:2])}


def _people_of(document: Document, chain: Chain) -> set[str]:
    """Return the last names of a chain's people; an owner inside a mention is somebody else."""
    return {
        name.of(document.text).split()[-1]
        for mention in chain.mentions
        for name in document.inside(NAMES, mention)
        if name.type == "PER"
        and len(mention) < _LONGEST_NAME
        and document.text[name.end : min(name.end + 2, mention.end)] not in ("'s", "’s")
    }
