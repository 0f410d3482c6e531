"""Noise: parts of a source that do not belong to its story.

Date lines, headlines, addresses, advertisements and asides are excluded by themselves. What only
later sources make outdated is in `outdated`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest

from tatian.consolidation.references import PERSON_NOUNS
from tatian.text import NAMES, WORDS, Document, Span
from tatian.text.dates import written_day
from tatian.text.documents import MARKS as _MARKS
from tatian.text.lexicon import NUMBER_WORDS, PRONOUNS

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?"
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?"
_ZONE = r"(?:gmt|utc|bst|[ecmp][sd]?t|[ap]\.?m\.?)"
_DATED = re.compile(
    rf"\b(?:{_MONTH}|{_WEEKDAY}|{_ZONE}|(?:first|last)?\s*(?:posted|published|updated)|created|on|at|by"
    r"|\d+(?:st|nd|rd|th)?)(?!\w)",
    re.IGNORECASE,
)
"""Words of date lines; a line of little else is a date."""
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
    r"|(?:watch|share|related|contact|video|photos?|pictures?|captions?|image)\b"
    r"(?:\s*[:|/–—-]|[\s.]*$|\s+(?:more|here|us"
    r"|our|this|these|the|it|on|via|now|live|by|credit|source|stories|articles|links|topics|news)\b)"
    r"|(?:also|more|elsewhere|plus|next|coming up)\W+(?:inside|in this (?:issue|edition)|on page"
    r"|online|photos?|news|stories)\b|(?:sign up|log in|refresh|like what you)\b"
    r"|advertisement\b|to donate\b|(?:comments? (?:below|here|closed)|have your say)\W*$"
    r"|this (?:page|story|article|report) (?:is|will be|is being) (?:\w+ )?updated\b"
    r"|more on th(?:is|e) (?:story|site|page|website)\b"
    r"|more on this(?: at| on| in| from| tonight| tomorrow| later|\W*$)"
    r"|(?:tell us|let us know|join us|stay (?:with us|tuned)|write to|text us|e-?mail us)\b[^,]*$"
    r"|.*\b(?:on|see) pages? \d+(?:\W+(?:and |to )?\d+)*\W*$"
    r"|(?:see|pictures?|photos?|full|more|report|story|comment)[,:]? (?:\w+,? ){0,3}"
    r"pages? \d+(?:\W+(?:and |to )?\d+)*\W*$"
    r"|[^.]{1,70}: (?:see )?(?:our (?:home ?page|web ?site)|(?:back|front|centre|inside) pages?"
    r"|pages? \d+)\W*$|.*\bon our (?:home ?page|web ?site)\W*$|.*\bon your screens?\W*$"
    r"|(?:photographs?|photos?|pictures?) by (?:the author|(?-i:[A-Z][\w-]+(?: [A-Z][\w-]+){0,2}))"
    r"(?:: .{0,30})?\W*$|your messages to\b|next week:"
    r"|.*\b(?:writes here|column appears) (?:on|every|each)\b"
    r"|(?:back to (?:you|the studio)|traffic (?:now )?with|and now,? for|that['’]s it from"
    r"|more at \w+ o['’]clock)\b|after the (?:weather|news|break):"
    r"|(?:and now,? (?:some |the )?(?:music|sport|traffic|weather)|(?:and )?now the weather"
    r"|the weather,? (?:after this|next))\b[^,]{0,20}\W*$",
    re.IGNORECASE,
)
"""Openings and forms of pointers to other pages, stories, programmes or services."""
_WELCOME = re.compile(
    r"(?:(?:hello|good (?:morning|afternoon|evening))(?:,? (?:everyone|everybody|all|listeners"
    r"|viewers|again|(?:and welcome|from|to|this is|you['’]re with)\b.{0,60}))?"
    r"|(?:morning|afternoon|evening),? (?:all|everyone|you['’]re with\b.{0,60})"
    r"|welcome (?:back|to)\b.{0,60})[.!,]*$",
    re.IGNORECASE,
)
"""Greetings of a broadcast."""
_CALLS = re.compile(
    r"(?:anyone|anybody|witnesses|residents|readers|motorists|people|those) (?:with|who|wishing)\b"
    r"[^.]{0,80}\b(?:is|are|should|can|may|to) (?:asked|urged|requested|invited|advised|call"
    r"|contact|ring|phone|telephone|e-?mail|report)\b"
    r"|(?:call|contact|ring|phone|telephone|e-?mail|text) (?:the |us |our |police |him |her )?"
    r"[^.]{0,50}(?:\d{3}|\bhelpline|\bhotline|@)"
    r"|(?:a |the )?(?:helpline|hotline|telephone number|phone line)\b[^.]{0,80}\d{3}",
    re.IGNORECASE,
)
"""Calls to readers for information, with a number to call or without."""
_WEATHER = re.compile(
    r"(?:the )?(?:weather|forecast|tides?|high water|low water|sunrise|sun rises)\b[^.]{0,12}[:;–-]"
    r"|(?:mostly |partly )?(?:sunny|cloudy|overcast|showers|rain|dry|fair),? "
    r"(?:with|and|highs?|lows?) [^.]*\d+ ?(?:°|degrees|C\b|F\b)",
    re.IGNORECASE,
)
"""Openings of lines that give the weather or the tides."""
_OWNED = re.compile(
    r"(?:©|\(c\)|copyright(?: (?:©|\(c\)|by|of)|,? \d{4}))|.{0,60}\ball rights reserved\b"
    r"|(?-i:Copyright (?:[Tt]he )?[A-Z][\w'’&]*(?: [A-Z&][\w'’]*){0,3}\.?$)"
    r"|(?:.{0,60}[.;,] )?(?:reproduction|reprinting|republication) "
    r"(?:\w+ ){0,2}(?:forbidden|prohibited|not (?:allowed|permitted)|only (?:by|with) "
    r"(?:\w+ )?(?:permission|consent))\W*$",
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
"""Openings of notes to a newspaper's editors."""
_BOILERPLATE = re.compile(
    r"(?:about [A-Z][\w&'’ .-]{1,40}|forward-looking statements?|media contacts?|press contacts?"
    r"|notes? to editors?|for (?:more|further) information)\s*[,:]",
    re.IGNORECASE,
)
"""Openings of the lines that close a company's statement."""
_OFFER = re.compile(
    r"\b(?:tickets?|subscriptions?|dues|copies|back issues|season tickets) (?:are|is) "
    r"(?:still |now |also )?(?:available|due|payable|on sale)\b"
    r"|^[^.]{0,60}\b(?:only|from|at) (?:[$£€]\d|\d+s\.|\d+/\d)[^.]{0,30}\b(?:at|from) [A-Z][\w'’]+"
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
    r"|(?<=\w\.) (?=(?:com|net|org)\b)"
    r"|\[(?:SOT|STUDIO|REPORT|PICTURES?|SOUND|VOICE|MUSIC|CLIP|VT|CUE|PAUSE|PRESENTER|REPORTER"
    r"|ANCHOR|ATMOS|LIVE|JINGLE)\b[A-Z .,:;'’&/-]{0,60}\][ \t]*"
    r"|\A(?:Presenter|Newsreader|Announcer|Anchor|Narrator)(?: \([^()\n]{1,40}\))?:[ \t]+(?=\S)"
    r"(?![\s\S]*^[A-Z][\w.'’-]*(?: [\w.'’-]+){0,2}: )",
    re.MULTILINE,
)
"""Insertions of web pages and scripts: soft hyphens, links to share prices, marks of notes and
pictures, the space in "Deadline. com". In a script for one speaker, also the label "Presenter:"."""
_AUTHOR = re.compile(r"(?<![\w.])(?:I|I['’](?:m|ve|d|ll)|me|myself)(?![\w.])")
_TO_READER = re.compile(
    r"\b(?:you|your)\b.*\?$|\byou (?:can|could|may|should|will|might)\b"
    r"|\b(?:lie|trust|tell) (?:to )?you\b",
    re.IGNORECASE,
)
_ATTRIBUTED = re.compile(r"\b(?:said|says|told|added|warned)\b", re.IGNORECASE)
_MAX_HEADLINE_WORDS = 16
"""Maximum number of words of a headline. A longer line without a full stop is a sentence whose end
was lost."""
_MAX_STANDFIRST_WORDS = 30
"""Maximum number of words of a line that belongs to the headline above it."""
_LISTING = frozenset(";:")
_FIRST_PERSON = frozenset("i me my we us our".split())
_ADDING = re.compile(
    rf"\d|\b(?:{'|'.join(NUMBER_WORDS)}|said|says?|according to|told)\b", re.IGNORECASE
)
"""Words of a line that gives more than a headline does: a figure or a speaker."""
_OPENING_WORDS = 4
"""Number of opening words of such a line that are searched for a noun for a person."""
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
"""Finite verbs, without which a line of any length is a headline."""
_MAX_DATE_WORDS = 9
"""Maximum number of words of a line that gives a date and little else."""
DATE_LINE, HEADLINE = "a date line", "a headline"
_STAMP = re.compile(rf"{_MONTH}.*\d[:.]\d\d|posted|published|updated", re.IGNORECASE)
"""Marks of a line that says when it was published."""
_SPEAKER = re.compile(r"(?:[A-Z][A-Z .'’-]+|Q|A)[:.]\s")
_QUOTED_END = re.compile(r"[^\"“”.!?,;:…\s][\"”]$")
"""End of a quotation without a stop, in it or behind it."""
_BYLINE = re.compile(r"(?:By|Posted by|Reported by|Written by) [A-Z]")
_CORRESPONDENT = re.compile(
    r"\(?(?:From|By) (?:our|a|an) (?:\w+ ){0,3}(?:correspondent|reporters?|staff)\b", re.IGNORECASE
)
_POINTER_WORDS = 14
"""Maximum number of words of a pointer, an offer, a note to editors or a line on the weather."""
_MAX_LABEL_WORDS, _MAX_TEASER_WORDS = 3, 10
"""Maximum number of words of a label, and of a headline that asks a question."""
_CRY_WORDS = 8
"""Maximum number of words of an exclamation."""
ASIDES = frozenset(
    (
        "the writer speaking of himself",
        "a word to the reader",
        "it continues an excluded aside",
    )
)
"""Reasons that extend to a dependent next sentence."""
_ANSWER = r"[\"“]|(?:Yes|No|I (?:had|have|did|do|was))\b"
_NEEDED_BY = {
    "the writer speaking of himself": re.compile(
        rf"{_ANSWER}|(?:He|She|It|They|His|Her|Its|Their|This|That|These|Those|Neither|Both)\b"
    ),
    "a word to the reader": re.compile(_ANSWER),
}
"""Openings of sentences that need the one before, by the reason that would exclude that one."""
_MEETS = re.compile(
    r"\b(?:told me|I (?:asked|met|rang|saw|spoke|talked)|I['’]ve (?:met|seen|spoken)|with me)\b",
    re.IGNORECASE,
)
"""Phrases with which a reporter introduces whom he met."""
_DIARY = 0.6
"""Share of first-person sentences from which the writer is part of the story, and they stay."""


def reasons(
    document: Document, quoted: Sequence[bool], skipped: Mapping[int, str]
) -> dict[int, str]:
    """Return why sentences of a document are excluded, by their index.

    `quoted` has for each sentence whether it begins inside a quotation, where everything is
    somebody's own words. `skipped` are excluded already.
    """
    reasons_by_index = dict(skipped)
    lines = list(_lines(document))
    for line, following in zip_longest(lines, lines[1:]):
        ends = len(lines) > 1 and (line is lines[-1] or len(reasons_by_index) == line[0])
        if not quoted[line[0]] and (why := _line_reason(document, line, ends)):
            reasons_by_index.update(dict.fromkeys(line, why))
        elif quoted[line[0]] and following and _is_inserted(document, line, following):
            reasons_by_index.update(dict.fromkeys(line, HEADLINE))
    reasons_by_index.update(_standfirsts(document, lines, reasons_by_index))
    personal = []
    for index, sentence in enumerate(document.sentences):
        text = sentence.of(document.text)
        if index in reasons_by_index or quoted[index] or not _MARKS.isdisjoint(text):
            continue
        why = _reason(text)
        heads = why == DATE_LINE and all(before in reasons_by_index for before in range(index))
        if why and (why != DATE_LINE or heads or _STAMP.search(text)):
            reasons_by_index[index] = why
        elif _AUTHOR.search(text) and not (_MEETS.search(text) and informs(document, sentence)):
            personal.append(index)
    rest = [index for index in range(len(document.sentences)) if index not in reasons_by_index]
    if len(personal) < _DIARY * len(rest) and personal[:1] != rest[:1]:
        reasons_by_index.update(dict.fromkeys(personal, "the writer speaking of himself"))
    for index in sorted(reasons_by_index, reverse=True):
        after = [sentence.of(document.text) for sentence in document.sentences[index + 1 :][:1]]
        opening = _NEEDED_BY.get(reasons_by_index[index])
        if opening and index + 1 not in reasons_by_index and any(map(opening.match, after)):
            del reasons_by_index[index]
    return reasons_by_index


def informs(document: Document, sentence: Span) -> bool:
    """Check whether a sentence names somebody or gives a figure."""
    names = document.inside(NAMES, sentence) if document.has(NAMES) else ()
    return any(names) or bool(re.search(r"\d", sentence.of(document.text)))


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
    if _CORRESPONDENT.match(text) and len(words) <= _MAX_DATE_WORDS:
        return "a byline"
    if _BOILERPLATE.match(text):
        return "what closes a statement to the press"
    if _MENU.search(text) and len(words) <= _MAX_HEADLINE_WORDS:
        return "a pointer to something else"
    if _ADDRESS.search(text) and len(words) <= _MAX_HEADLINE_WORDS:
        return "an address"
    if not _ENDS.search(text) and (
        len(words) <= _MAX_HEADLINE_WORDS
        or (len(words) <= _MAX_STANDFIRST_WORDS and _is_phrase(document, first.start, last.end))
    ):
        dated = len(words) <= _MAX_DATE_WORDS and written_day(text) is not None
        return "a byline" if _BYLINE.match(text) else DATE_LINE if dated else HEADLINE
    if text.upper() == text and len(words) > 2 and (ends or _MARKS.isdisjoint(text)):
        return HEADLINE
    if _LABEL.fullmatch(text) and len(words) <= _MAX_LABEL_WORDS:
        return "a label"
    if _BYLINE.match(text) and all(word[0].isupper() or word == "the" for word in words):
        return "a byline"
    asks = text.endswith("?") and len(words) <= _MAX_TEASER_WORDS and not _SPEAKER.match(text)
    if ends and (asks or _QUOTED_END.search(text)) and len(words) <= _MAX_HEADLINE_WORDS:
        return HEADLINE
    return ""


def _standfirsts(
    document: Document, lines: Sequence[Sequence[int]], excluded: Mapping[int, str]
) -> dict[int, str]:
    """Return the lines below a headline that need it.

    They lack a final full stop, or they open with "The man" above a date line or byline.
    """
    for line, following in pairwise(lines):
        before = [excluded.get(index) for index in range(line[0])]
        if line[0] in excluded:
            continue
        if before[-1:] != [HEADLINE] or None in before:
            break
        text = document.text[
            document.sentences[line[0]].start : document.sentences[line[-1]].end
        ].strip()
        brief = len(text.split()) <= _MAX_STANDFIRST_WORDS
        below = excluded.get(following[0])
        ends = bool(_ENDS.search(document.sentences[following[-1]].of(document.text).strip()))
        is_cut = not _ENDS.search(text) and below is None and ends
        is_above = below in (DATE_LINE, "a byline")
        adds = bool(_ADDING.search(text))
        if brief and not adds and (is_cut or (is_above and _needs_headline(text))):
            return dict.fromkeys(line, HEADLINE)
        break
    return {}


def _needs_headline(text: str) -> bool:
    """Check whether a text opens with a pronoun, or with "The gang member"."""
    first, *following = text.lower().split()[:_OPENING_WORDS]
    return first in PRONOUNS or (first == "the" and not PERSON_NOUNS.isdisjoint(following))


def _is_phrase(document: Document, start: int, end: int) -> bool:
    """Check whether a stretch is one phrase: no list, no finite verb; false without a parse."""
    if not _LISTING.isdisjoint(document.text[start:end]):
        return False
    words = document.get(WORDS) if document.has(WORDS) else ()
    starts = ((word, document.tokens[word.token].start) for word in words)
    return bool(words) and not any(
        word.fine in _FINITE for word, place in starts if start <= place < end
    )


def _is_inserted(document: Document, line: Sequence[int], following: Sequence[int]) -> bool:
    """Check whether a line inside a quotation is a headline or caption.

    It has no quotation mark and no full stop, and the quotation opens anew after it.
    """
    first, last = document.sentences[line[0]], document.sentences[line[-1]]
    text = document.text[first.start : last.end].strip()
    goes_on = document.sentences[following[0]].of(document.text)[:1]
    is_plain = _MARKS.isdisjoint(text) and not _ENDS.search(text)
    is_short = len(text.split()) <= _MAX_HEADLINE_WORDS
    is_spoken = not _FIRST_PERSON.isdisjoint(text.lower().split())
    return is_plain and is_short and not is_spoken and goes_on in _MARKS


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
    if _WELCOME.match(text) and not _ATTRIBUTED.search(text):
        return "a greeting"
    if _POINTS.match(text) and len(words) <= _POINTER_WORDS:
        return "a pointer to something else"
    if _CALLS.match(text):
        return "a call to readers"
    if _WEATHER.match(text) and len(words) <= _POINTER_WORDS:
        return "the weather"
    if text.endswith("!") and len(words) <= _CRY_WORDS:
        return "an exclamation"
    if _TO_READER.search(text) and not _ATTRIBUTED.search(text):
        return "a word to the reader"
    return ""
