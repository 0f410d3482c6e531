"""Spans: the smallest movable parts of the sources, sentences and whole quotations."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from msgspec import Struct

from tatian.consolidation import noise
from tatian.consolidation.references import Referents
from tatian.text import WORDS, Document, Span
from tatian.text.datelines import dateline
from tatian.text.lexicon import REPORTING_VERBS

Key = tuple[int, int]
"""Index of a source, and index of a sentence in it."""

Dependency = Literal["", "name", "noun", "before"]
"""Dependency of a span on what precedes it. "": none; "name": a pronoun with a known name; "noun":
a phrase such as "the driver", which an earlier span introduced; "before": clear only in context."""

_MARK = re.compile('["“”]')
_SPEECH = re.compile('^["“]|[,:] ["“]')
_MAX_QUOTATION_SENTENCES = 12
"""Sentences after which an unclosed quotation mark counts as a typo."""
_CUT_OFF = re.compile(
    r"\b(?:Mt|Ltd|Inc|Corp|Co|Const|Sgt|Lt|Capt|Gen|Rep|Sen|Gov|St|No|vs|Dep)\.$"
    r"|(?<![\w.])[A-Z]\.$|\([^()]*$"
)
"""Endings that do not end a sentence: an abbreviation, an initial, or an open bracket."""
_INITIAL = re.compile(r"[A-Z]\.(?:,|['’]s\b)")
"""Second half of a split abbreviation, which begins no sentence: "A., an office"."""
_DOTS = ("…", "...")
_CORRECTION = re.compile(
    r"Corrections?\b|(?:An|The|Our) (?:earlier|previous|original|first) (?:version|edition|report)"
    r"|(?:This|The) (?:story|article|report) (?:has been|was|is) (?:corrected|amended|updated)"
    r"|In (?:an|our|some) (?:earlier|previous) (?:version|edition|report)s?\b",
    re.IGNORECASE,
)
_CORRECTED = re.compile(
    r"(?:It|He|She|They|Its|His|Her|Their|That|This|The (?:story|article|report|version|error"
    r"|correct|figure|name|age|number|headline|caption))\b"
)
"""Openings of the second sentence of a correction, which needs the first."""
_FEW = r"(?:two|three|four|five|six|seven|eight|nine|ten|\d+)"
_VERB = r"(?:was|were|is|are|had|has|have|will|would|could|may|died|left|came|went|\w+ed)\b"
PART = rf"(?:among them|(?!\d)(?:{_FEW}|few|most|some|many|several|all) (?=(?!\w+ed\b){_VERB}))"
"""Openings with a part of something just mentioned: "Two were able to go home"."""
_CONNECTIVES = re.compile(
    r"(?:however|but|and|or|nor|so|yet|also|too|then|thus|therefore|instead|meanwhile|moreover"
    r"|furthermore|besides|nevertheless|nonetheless|otherwise|likewise|similarly|consequently"
    r"|afterwards?|additionally|in addition|as a result|in fact|in turn|after that|for example"
    r"|for instance|on the other hand|at the same time|that said|even so|in response"
    r"|(?:because of|despite) (?:this|that)|for (?:this|that) reason|of (?:these|those|them)"
    r"|the (?:other|others|latter|same|pair)|the former(?=,| is| was| said| ha[sd])"
    r"|another|others?|both|neither|either"
    r"|(?:one|some|most|many|all|none|two|three|several) of (?:them|these|those)|such|its|their|our"
    r"|the rest(?! of)|a (?:second|third|fourth)(?=, | \w+ed\b| was| had| ran| left)|no such"
    r"|one (?=said|told|added|was|had|is|has)|none (?=was|were|of|had|is|has)"
    rf"|the (?:first|last|remaining|other) {_FEW} (?={_VERB})|{PART}"
    r"|the (?:work|move|decision|order|step|measure|ruling|proposal|offer|remark|incident|delay"
    rf"|change|figure|amount|sum|news|plan)s? (?={_VERB})"
    r"|this|that|these|those|which|according to (?:him|her|them)|since then|until then"
    r"|the (?:next|following|previous|same) (?:day|night|morning|week|year|month)"
    r"|that (?:day|night|morning|year)|half an hour later"
    r"|\w+ (?:minutes|hours|days|weeks) later)\b",
    re.IGNORECASE,
)
_SELF_CONTAINED = re.compile(
    r"(?:both [A-Z]\w+ and|such as|in addition to (?!this|that)|besides (?!this|that)"
    r"|this (?:year|week|month)|otherwise known)\b",
    re.IGNORECASE,
)
"""Openings that look like connectives but do not depend on what precedes."""
_BULLET = re.compile(
    r"(?:[•▪●*·–—]|>>?) +(?=\S)"
    r"|\((?:\d{1,2}[.:]\d\d (?:[ap]\.?m\.? )?)(?:bulletin|edition|update)\) *"
    r"|bulletin,? [\d.:]+ ?(?:[ap]\.?m\.?)? ?[-–—]+ *",
    re.IGNORECASE,
)
"""Marks of a list, and stamps of a bulletin, before a sentence."""
_CAPITALISED_PLACE = re.compile(
    r"[A-Z][A-Z .,']{3,30}(?: ?\([A-Z]\w+\))? ?[-–—]{1,2} ?(?=[A-Z][a-z])"
)
QUOTED_PRONOUN = re.compile(r"[\"“](?:They|He|She|It|That|This|Those|These)\b")
"""A quotation that begins with a pronoun."""
_GOES_ON = re.compile(
    r"^(?:[^\s\"“]+\s+){1,5}also\b|\bthe same (?:agency|newspaper|source|official|report)"
    r"|^(?:It|They|That)['’ ](?!.{0,12}\b(?:clear|unclear|known|likely|possible|believed|thought))"
    r"|[\"”] (?:said|says|added) (?:its|their) \w|\b(?:in|of) this case\b|^A new one\b"
    r"|^(?:As|After|When|While) (?:he|she|they)\b[^,]* (?:about|at|by|of|over|with) this,"
    r"|\b(?:denie[sd]|rejected|confirmed|disputed) (?:this|that|it)\b"
    r"|\b(?:afterwards?|thereafter|at (?:that|the) time|as well)[.!]$"
    r"|\b(?:higher|lower|more|less|fewer|larger|smaller|sooner|later)[.!]$"
    r"|\bthe \d+-year-old (?:said|told|added)\b"
    r"|^(?!Is |Are |Was |Were )[A-Z][a-z]+ there\b"
    r"|^(?:(?! and ).)*\bboth (?:were|are|had|have|men|women)\b"
)
"""Phrases within a sentence that continue another sentence."""
THIS = re.compile(
    r"\b(?:this|these) (?!(?:particular |same )?(?:(?:\w+ )?year|week|month|quarter|term|morning"
    r"|afternoon|evening|night|time|season|spring|summer|autumn|fall|winter|weekend|past|coming"
    r"|days?|century|decade|early|late|paper|newspaper|city|town|country|account|is|was|are|were"
    r"|will|would|ha[sd]|have|can|could|may|might|should|must|does|did|means|ones?|\w+ly)\b)[a-z]"
)
"""Phrases that point at something just mentioned."""
_MAX_FRAGMENT_WORDS, _MAX_FRAGMENT_WORDS_WITHOUT_VERB = 3, 8
"""Maximum number of words of a fragment, which is clear only with the span before it, such as
"Nearly everything.". The second is for spans without a verb."""
_DEFINITE = re.compile(r"The [a-z]")
THE_MAN = re.compile(
    r"[\"“]?The (?:(?:dead|injured|missing|arrested|other|older|younger) )?"
    r"(?:man|woman|boy|girl|child|victims?|suspects?|driver|pair|couple|agency|source"
    r"|officials?|defendant|accused|gunman|attackers?)"
    r"(?! (?:who|in|from|with|of|on|at|behind)\b)\b"
)
"""Phrases for people who are clear only from what precedes."""
_MAX_OPENING_SHARE = 0.75
"""If more than this share of the sentences open a paragraph, paragraphs are ignored."""
QUOTED = re.compile(r"\"[^\"]*(?:\"|$)|“[^”]*(?:”|$)")
_I = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]yself|[Ww]e|[Oo]urs?|us|[Oo]urselves)\b")
_ME = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]yself)\b")
_LOG_OR_TRANSCRIPT_LINE = re.compile(
    r"(?:[A-Z][A-Z .]{2,24}:|\d{1,2}[:.]?\d\d(?: ?[ap]\.?m\.?)? ?[:–-]"
    r"|(?:[01]?\d|2[0-3])[:.][0-5]\d(?= [A-Z\"“])|[A-Z]{3,5}\.? \d{1,2}:) ?\S"
)
"""Openings of log entries and of transcript lines."""
_LIVE_ENTRY = re.compile(
    r"(?P<hour>[01]?\d|2[0-3])[:.](?P<minute>[0-5]\d)(?: ?(?P<half>[apAP])\.?[mM]\.?)?"
    r"(?: ?[:–-])? ?[A-Z\"“]"
)
"""Openings of the entries of a live page."""
_MIN_VOICE_SPANS, _MIN_VOICE_SHARE = 2, 0.25
"""Minimum number and share of first-person or log spans in a source with a voice of its own."""


class SourceSpan(Struct, frozen=True):
    """Span: one sentence of one source, or a quotation of several sentences with its speaker."""

    source: int
    indices: tuple[int, ...]
    """Indices of its sentences in the source."""
    bodies: tuple[Span, ...]
    """Its sentences, without a dateline."""
    text: str
    dependency: Dependency = ""
    pronoun: Span | None = None
    """Pronoun that causes the dependency."""
    pronoun_text: str = ""
    """Text of that pronoun, in lower case."""
    words: int = 0
    opens: bool | None = None
    """True if it opens a paragraph; None where its source's paragraphs are not meaningful."""

    @property
    def key(self) -> Key:
        """Identifier among all sources."""
        return self.source, self.indices[0]


class SourceSpans(Struct, frozen=True):
    """Spans of one source, and the sentences excluded from it."""

    document: Document
    spans: tuple[SourceSpan, ...]
    excluded: dict[int, str]
    """Reasons for exclusion, by sentence index."""
    own_voice: bool = False
    """True if it has a voice of its own: says "I" or "we", or is a log or a transcript."""


def is_live_page(source: SourceSpans) -> bool:
    """Check whether a source is a live page: many spans open with the time of their entry."""
    entries = sum(entry_minute(span) is not None for span in source.spans)
    return entries >= max(_MIN_VOICE_SPANS, _MIN_VOICE_SHARE / 2 * len(source.spans))


def entry_minute(span: SourceSpan) -> int | None:
    """Return the minute of the day with which a span opens, if it opens an entry of a live page."""
    match = _LIVE_ENTRY.match(span.text)
    if match is None:
        return None
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + 12 * (match["half"] in "pP")
    return 60 * hour + int(match["minute"])


def read_spans(
    source_index: int, document: Document, sexes: Mapping[str, str] = MappingProxyType({})
) -> SourceSpans:
    """Group the sentences of a source into spans; leave out noise, unless nothing else is left.

    `sexes` has people's sex by surname, as all sources together give it.
    """
    begins_quoted = _begins_in_quotation(document)
    blank = {
        index: "it has no readable words"
        for index, sentence in enumerate(document.sentences)
        if not document.tokens_in(sentence)
    }
    blank |= _dateline_sentences(document)
    excluded = noise.reasons(document, begins_quoted, blank)
    runs = _runs(document, begins_quoted, excluded) or _runs(
        document, begins_quoted, excluded := blank
    )
    referents = Referents(document, begins_quoted, sexes)
    openings = _openings(document, excluded)
    words = document.get(WORDS) if document.has(WORDS) else ()
    verbs = [document.tokens[w.token].start for w in words if w.tag in ("VERB", "AUX")]
    spans: list[SourceSpan] = []
    for run in runs:
        bodies = tuple(_body(document, index) for index in run)
        text = " ".join(" ".join(body.of(document.text).split()) for body in bodies)
        dependency, pronoun = _find_dependency(
            text, bodies, begins_quoted[run[0]], referents, spans
        )
        follows_aside = bool(spans) and excluded.get(run[0] - 1) in noise.ASIDES
        informs = any(noise.informs(document, body) for body in bodies)
        if dependency == "before" and follows_aside and not informs:
            excluded.update(dict.fromkeys(run, "it continues an excluded aside"))
            continue
        if said := referents.unknown(bodies, run[0], spans):
            excluded.update(dict.fromkeys(run, f"nothing before it says who “{said}” is"))
            continue
        if spans and not dependency:
            no_verb = bool(verbs) and not any(
                bisect_left(verbs, body.start) < bisect_left(verbs, body.end) for body in bodies
            )
            if _continues(text, spans[-1].text, no_verb=no_verb) and not _LIVE_ENTRY.match(text):
                dependency = "before"
        spans.append(
            SourceSpan(
                *(source_index, tuple(run), bodies, text, dependency, pronoun),
                pronoun_text=pronoun.of(document.text).lower() if pronoun else "",
                words=len(text.split()),
                opens=run[0] in openings if openings else None,
            )
        )
    return SourceSpans(document, tuple(spans), excluded, _has_own_voice(spans))


def _has_own_voice(spans: Sequence[SourceSpan]) -> bool:
    """Check whether many spans say "I" or "we" outside quotations, or are log entries.

    A newspaper that says "we" and "our town" but never "I" does not count as a voice
    of its own.
    """
    narrated = [QUOTED.sub(" ", span.text) for span in spans]
    first_person = sum(map(bool, map(_I.search, narrated))) if any(map(_ME.search, narrated)) else 0
    log_lines = sum(bool(_LOG_OR_TRANSCRIPT_LINE.match(span.text)) for span in spans)
    return max(first_person, log_lines) >= max(_MIN_VOICE_SPANS, _MIN_VOICE_SHARE * len(spans))


def _openings(document: Document, excluded: Collection[int]) -> set[int]:
    """Return the sentences that open a paragraph; none if more than `_MAX_OPENING_SHARE` do."""
    openings = set()
    position = 0
    for index, sentence in enumerate(document.sentences):
        if "\n" in document.text[position : sentence.start] or index == 0:
            openings.add(index)
        position = sentence.end
    count = len(document.sentences) - len(excluded)
    return openings if len(openings.difference(excluded)) <= _MAX_OPENING_SHARE * count else set()


def _begins_in_quotation(document: Document) -> list[bool]:
    """Return for each sentence whether it begins inside a quotation.

    A mark that is not closed soon is a typo and opens nothing.
    """
    flags: list[bool] = []
    opened = -1
    for index, sentence in enumerate(document.sentences):
        text = sentence.of(document.text)
        if opened >= 0 and index - opened > _MAX_QUOTATION_SENTENCES:
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


def _runs(
    document: Document, begins_quoted: Sequence[bool], excluded: dict[int, str]
) -> list[list[int]]:
    """Group sentence indices into spans.

    A quotation stays together with its speaker, and a colon with what follows it.
    """
    runs: list[list[int]] = []
    for index, sentence in enumerate(document.sentences):
        if index in excluded:
            continue
        text = sentence.of(document.text)
        last = runs[-1][-1] if runs else -2
        follows = last >= 0 and all(between in excluded for between in range(last + 1, index))
        before = document.sentences[last].of(document.text) if follows else ""
        bound = bool(
            begins_quoted[index]
            or before.rstrip().endswith((":", ";"))
            or (text[:1].islower() and text.split()[0].islower())
            or (_CORRECTION.match(before) and _CORRECTED.match(text))
            or _only_speech(text, before)
            or _CUT_OFF.search(before)
            or _INITIAL.match(text)
            or (before.endswith(_DOTS) and len(text.split()) <= _MAX_FRAGMENT_WORDS)
        )
        if follows and bound:
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs


def _continues(text: str, before: str, *, no_verb: bool) -> bool:
    """Check whether a text points back with "this", answers a question, or is a mere fragment.

    A quotation without a speaker counts as well.
    """
    asked = before.rstrip('"”').endswith("?")
    answer = asked and (before[-1] not in '"”' or _SPEECH.search(text))
    anonymous = text[:1] in '"“' and not re.search(r"\w", QUOTED.sub(" ", text))
    brief = len(text.split()) <= (
        _MAX_FRAGMENT_WORDS_WITHOUT_VERB if no_verb else _MAX_FRAGMENT_WORDS
    )
    return bool(answer or anonymous or brief or THIS.search(QUOTED.sub(" ", text)))


def _only_speech(text: str, before: str) -> bool:
    """Check whether a sentence is all quotation, after one that quotes or has a reporting verb."""
    if text[:1] not in '"“' or re.search(r"\w", QUOTED.sub(" ", text)):
        return False
    reports = any(word.strip(".,:").lower() in REPORTING_VERBS for word in before.split())
    return reports or bool(_MARK.search(before))


def _body(document: Document, index: int) -> Span:
    """Return a sentence without the place and date that open a report."""
    sentence = document.sentences[index]
    start = sentence.start
    if mark := _BULLET.match(document.text, start, sentence.end):
        start = mark.end()
    if shouted := _CAPITALISED_PLACE.match(document.text, start, sentence.end):
        start = shouted.end()
    elif (opening := dateline(document.text)) and start < opening.end() < sentence.end:
        start = opening.end()
    return Span(start, sentence.end)


def _dateline_sentences(document: Document) -> dict[int, str]:
    """Return the sentences within the dateline: a full stop in it makes them sentences."""
    opening = dateline(document.text)
    return {
        index: noise.DATE_LINE
        for index, sentence in enumerate(document.sentences)
        if opening and opening.start() <= sentence.start and sentence.end <= opening.end()
    }


def _find_dependency(
    text: str,
    bodies: Sequence[Span],
    begins_quoted: bool,
    referents: Referents,
    before: Sequence[SourceSpan],
) -> tuple[Dependency, Span | None]:
    """Return a span's dependency on what precedes it, and the pronoun that causes it."""
    if (
        begins_quoted
        or QUOTED_PRONOUN.match(text)
        or _GOES_ON.search(text)
        or THE_MAN.match(text)
        or (_CONNECTIVES.match(text) and not _SELF_CONTAINED.match(text))
    ):
        unresolved = referents.unresolved_pronoun(bodies)
        return "before", Span(unresolved.start, unresolved.end) if unresolved else None
    pronoun = None if _SELF_CONTAINED.match(text) else referents.unresolved_pronoun(bodies)
    if pronoun is None:
        known = _DEFINITE.match(text) and referents.needs_context(bodies[0], before)
        return ("noun" if known else ""), None
    if referents.named(pronoun, bodies[0], before):
        return "name", Span(pronoun.start, pronoun.end)
    if referents.introduced(pronoun, bodies[0]):
        unclear = referents.unclear_object(bodies[0])
        return ("before", Span(unclear.start, unclear.end)) if unclear else ("", None)
    return "before", Span(pronoun.start, pronoun.end)
