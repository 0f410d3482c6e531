"""Rewording of expressions that are clear only in context: "yesterday", "However", "also"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from msgspec import Struct
from msgspec.structs import replace

from tatian.text import WORDS, Document, Source, SourcedToken, Span, Word
from tatian.text.dates import YEAR_UNKNOWN, named_days
from tatian.text.documents import Passage, copy_tokens
from tatian.text.layers import glue
from tatian.text.lexicon import MONTHS, PREPOSITIONS, RELATIVE_DATES, word_set

_SAME_WEEK = timedelta(days=6)
_PARTS = frozenset({"morning", "afternoon", "evening", "night"})
_BEFORE_DAY = frozenset({"early", "late", "earlier", "later"})
_AHEAD = frozenset({"tomorrow", "to-morrow"})
_ADVERBIAL = ("advmod", "obl", "nmod:tmod", "nmod:unmarked")
_SAYING_MORE = ("obj", "iobj", "obl", "advmod", "advcl", "xcomp", "ccomp", "conj", "nmod")
"""Relations of parts by which a verb says more than that it happened."""
_NOWADAYS = frozenset({"VBZ", "VBP", "VB"})
_WEEKDAY_NAMES = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_PLANNED = frozenset({"due", "expected", "scheduled", "set"})
_PRESENT = frozenset({"VBZ", "VBP", "MD"})
_PENDING = frozenset({"not yet", "n't yet"})
_MANY = 99
"""Number of present verbs if it cannot be counted: more than any rule allows."""
_STANDING = frozenset({"a", "an", "the", "one"})
"""Words after "remains" for something permanent: "remains the highest"."""
_PLANS = frozenset({"expect", "schedule", "set", "plan"})
_PAST = frozenset({"VBD", "VBN"})
_DATES = frozenset((*MONTHS, "("))
_MONTH = "|".join(map(re.escape, MONTHS))
_DATED = re.compile(rf"(?: \w+)?,? \(?(?:(?:{_MONTH}) \d|\d{{1,2}} (?:{_MONTH})\b)", re.IGNORECASE)
"""Date after a weekday that the source itself gives."""
_DENYING = frozenset({"not", "never", "n't", "be", "have"})
INDEFINITE = frozenset("A An Two Three Four Five Six Seven Eight Nine Ten".split())
"""Words that introduce somebody at the start of a sentence."""
_PAPERS = word_set("newspaper paper agency website magazine broadcaster station reporter")
"""Names that a source gives itself."""
_WITHOUT_ARTICLE = re.compile(r"(?:Radio|Channel)\b|.*(?:FM|AM|TV|Radio|\.\w+)(?: [\d.]+)?$")
"""Sources' names that have no article."""
_END = glue("")


class Calendar(Struct, frozen=True):
    """Days of the sources, by document id."""

    days: Mapping[str, date | None]

    @property
    def one_week(self) -> bool:
        """True if a weekday identifies the day."""
        known = [day for day in self.days.values() if day is not None]
        return bool(known) and max(known) - min(known) <= _SAME_WEEK

    def name(self, day: date) -> list[str]:
        """Return the words for a day in the text."""
        if self.one_week and day.year != YEAR_UNKNOWN:
            return [_WEEKDAY_NAMES[day.weekday()]]
        return [f"{day:%B}", str(day.day)]


def words_of(document: Document) -> dict[int, Word]:
    """Return the analysis of each token, by the token's start."""
    if not document.has(WORDS):
        return {}
    tokens = document.tokens
    return {tokens[word.token].start: word for word in document.get(WORDS)}


def with_days(
    tokens: Sequence[SourcedToken],
    document: Document,
    words: Mapping[int, Word],
    calendar: Calendar,
) -> tuple[SourcedToken, ...]:
    """Replace "yesterday" by "on Monday", or remove it where the day is not known.

    Quoted words stay, and so do "today" for "nowadays" and a day that the sentence dates itself.
    "Tomorrow" stays without a known day, as what is planned would seem to have happened.
    """
    day = calendar.days.get(document.id)
    written: list[SourcedToken] = []
    index = 0
    while index < len(tokens):
        length = _relative(tokens, index)
        if length == 0:
            written.append(tokens[index])
            index += 1
            continue
        said = tokens[index : index + length]
        after = tokens[index + length].text if index + length < len(tokens) else ""
        before = written[-1].text.lower() if written else ""
        index += length
        if after == "(" or _nowadays(said, document, words):
            written += said
        elif day is not None:
            written += _named(said, day, calendar, before, after)
            again = [token.text for token in tokens[index : index + 2]] == [",", written[-1].text]
            index += 2 * again  # "Today, Wednesday,"
        elif before in PREPOSITIONS or _goes_on(tokens, index) or not _can_go(said, words):
            written += said
        else:
            while written and written[-1].text.lower() in _BEFORE_DAY:
                written.pop()
            if after == "," and (not written or written[-1].text == ","):
                index += 1
    return tuple(written)


def with_dates(
    tokens: Sequence[SourcedToken],
    document: Document,
    words: Mapping[int, Word],
    calendar: Calendar,
    known: dict[str, date],
) -> tuple[SourcedToken, ...]:
    """Replace "Tuesday" by "Tuesday (April 23)" in sources that span more than a week.

    Only past events qualify, so that the last such day is meant, and only days that the text has
    not named yet. `known` has the named days and is extended.
    """
    day = calendar.days.get(document.id)
    said = [token.text.lower() for token in tokens]
    if day is None or day.year == YEAR_UNKNOWN or calendar.one_week or "will" in said:
        return tuple(tokens)
    plain = {
        index: named
        for index, named in named_days(tokens, day).items()
        if named <= day
        and _weekday(tokens[index])
        and _happened(tokens[index], document, words)
        and said[index - 1] not in ("last", "by")
        and not (said[index + 1 : index + 2] == ["of"] and said[index + 3 : index + 4] == ["week"])
        and not _DATED.match(document.text, tokens[index].sources[0].end)
    }
    written: list[SourcedToken] = []
    for index, token in enumerate(tokens):
        written.append(token)
        part = index - 1 if said[index] in _PARTS else index
        after = said[index + 1 : index + 4]
        meant = plain.get(part)
        if meant is None or not _PARTS.isdisjoint(after[:1]) or not _DATES.isdisjoint(after):
            continue
        if known.get(tokens[part].text) != meant:
            known[tokens[part].text] = meant
            sources = tuple(replace(source, kind="substituted") for source in tokens[part].sources)
            name = (SourcedToken(word, sources) for word in calendar.name(meant))
            written += [glue("("), replace(next(name), space=False), *name, glue(")", space=False)]
    return tuple(written)


def _happened(token: SourcedToken, document: Document, words: Mapping[int, Word]) -> bool:
    """Check whether the verb that a day belongs to is in the past."""
    word = words.get(token.sources[0].start) if token.sources else None
    part = word is not None and word.relation == "compound"
    if word is not None and part and document.tokens[word.head].text.lower() not in _PARTS:
        return False
    for _ in range(1 + part):
        word = words.get(document.tokens[word.head].start) if word and word.head >= 0 else None
    return word is not None and word.fine in _PAST and word.lemma not in _PLANS


def in_the_past(
    tokens: Sequence[SourcedToken],
    document: Document,
    words: Mapping[int, Word],
    calendar: Calendar,
) -> tuple[SourcedToken, ...]:
    """Replace "will" by "was to" where its day has passed by the newest source's day.

    Only sentences with a weekday or a relative day qualify, in a source that is not the newest.
    States such as "is still", "remains" and "has not yet" are also put in the past. For them, the
    source's day must be known, and no other verb may be in the present.
    """
    known = [day for day in calendar.days.values() if day is not None]
    day = calendar.days.get(document.id)
    if not known or (day is not None and max(known) - day < timedelta(days=1)):
        return tuple(tokens)
    passed = any(_relative(tokens, index) or _weekday(token) for index, token in enumerate(tokens))
    present = _in_the_present(tokens, words) if day is not None else _MANY
    if not passed and present > 1:
        return tuple(tokens)
    written: list[SourcedToken] = []
    for index, token in enumerate(tokens):
        word = words.get(token.sources[0].start) if token.sources and not token.quoted else None
        after = [following.text for following in tokens[index + 1 : index + 3]]
        said = token.text.lower()
        form = _past(said, after, word, passed=passed, present=present) if word else ""
        many = said == "are" or (said == "will" and word is not None and _plural(word, words))
        form = "were" if form == "was" and many else form
        sources = tuple(replace(source, kind="inflected") for source in token.sources)
        written.append(replace(token, text=form, sources=sources) if form else token)
        if form and said == "will":
            written.append(glue("to"))
    return tuple(written)


def _past(said: str, after: Sequence[str], word: Word, *, passed: bool, present: int) -> str:
    """Return the past form of a verb, if any: for a plan whose day has passed, or a past state.

    `present` is the number of verbs in the present, without the perfect.
    """
    phrase = " ".join(after).lower()
    following = phrase.partition(" ")[0]
    lasted, pending = present == 1, phrase in _PENDING
    if said == "will":
        return "was" if passed and word.tag == "AUX" and following not in _DENYING else ""
    if said in ("is", "are"):
        still = lasted and (following == "still" or pending)
        return "was" if (passed and following in _PLANNED) or still else ""
    if said in ("has", "have"):
        return "had" if present == 0 and pending else ""
    named = phrase != " ".join(after) and after[0][0].isupper()
    state = lasted and said in ("remain", "remains") and not named and following not in _STANDING
    return "remained" if state and word.fine in _PRESENT else ""


def _in_the_present(tokens: Sequence[SourcedToken], words: Mapping[int, Word]) -> int:
    """Count the verbs in the present, without the perfect; `_MANY` with single quotation marks."""
    if any(token.text in ("'", "‘") for token in tokens):
        return _MANY
    analysed = [words.get(token.sources[0].start) for token in tokens if token.sources]
    present = (word for word in analysed if word is not None and word.fine in _PRESENT)
    return sum(word.lemma != "have" or not word.relation.startswith("aux") for word in present)


def _weekday(token: SourcedToken) -> bool:
    return not token.quoted and token.text in _WEEKDAY_NAMES


def _plural(word: Word, words: Mapping[int, Word]) -> bool:
    """Check whether the subject of an auxiliary's verb is plural."""
    subjects = [
        other
        for other in words.values()
        if other.head == word.head and other.relation.startswith("nsubj")
    ]
    return any(subject.features.get("Number") == "Plur" for subject in subjects)


def _relative(tokens: Sequence[SourcedToken], index: int) -> int:
    """Count the words from here on that name a day relative to today."""
    if tokens[index].quoted or not tokens[index].sources:
        return 0
    pair = " ".join(token.text.lower() for token in tokens[index : index + 2])
    first, _, second = pair.partition(" ")
    if _is_titled(tokens, index):
        return 0
    if pair in RELATIVE_DATES:
        return 2 * (RELATIVE_DATES[pair].unit == "day")
    if first not in RELATIVE_DATES:
        return 0
    return 2 if second in _PARTS else 1


def _is_titled(tokens: Sequence[SourcedToken], index: int) -> bool:
    """Check whether words are capitalised within a sentence, as in a name: "World News Tonight"."""
    first, *following = tokens[index : index + 2]
    inside = index > 0 and any(letter.isalnum() for letter in tokens[index - 1].text)
    is_pair = any(word.text.lower() in _PARTS and word.text[0].isupper() for word in following)
    return first.text[0].isupper() and (inside or is_pair)


def _named(
    said: Sequence[SourcedToken], day: date, calendar: Calendar, before: str, after: str
) -> list[SourcedToken]:
    """Return the day itself, in place of words relative to the source's day."""
    text = " ".join(token.text.lower() for token in said)
    relative = RELATIVE_DATES.get(text) or RELATIVE_DATES[text.split()[0]]
    name = calendar.name(day + timedelta(days=relative.amount))
    part = "night" if text in ("tonight", "to-night") else text.split()[-1]
    parts = [part] if part in _PARTS else []
    if after in ("'s", "’s") and len(name) > 1:
        return list(said)
    if len(name) == 1:
        phrase = [*name, *parts]
    else:
        phrase = ["the", *parts, "of", *name] if parts else name
    bare = before in PREPOSITIONS or after in ("'s", "’s")
    sources = tuple(
        replace(source, kind="substituted") for token in said for source in token.sources
    )
    opening = [] if bare else [glue("on")]
    if opening and said[0].text[0].isupper() and not before:
        opening = [glue("On")]
    stated = [*opening, *(SourcedToken(word, sources) for word in phrase)]
    return [replace(stated[0], space=said[0].space), *stated[1:]]


def _nowadays(said: Sequence[SourcedToken], document: Document, words: Mapping[int, Word]) -> bool:
    """Check whether "today" means these days: its verb is in the present."""
    if said[0].text.lower() not in ("today", "to-day") or len(said) > 1:
        return False
    word = words.get(said[0].sources[0].start)
    head = words.get(document.tokens[word.head].start) if word and word.head >= 0 else None
    return head is None or head.fine in _NOWADAYS


def _goes_on(tokens: Sequence[SourcedToken], index: int) -> bool:
    """Check whether words continue a relative day: "'s meeting", "and tomorrow"."""
    after = tokens[index : index + 2]
    if after and after[0].text in ("and", "or") and len(after) > 1:
        return _relative(tokens, index + 1) > 0 or _weekday(after[1])
    return bool(after) and after[0].text in ("'s", "’s")


def _can_go(relative: Sequence[SourcedToken], words: Mapping[int, Word]) -> bool:
    """Check whether the sentence can do without the words for a relative day.

    A relative clause that says nothing else needs them: "the patch, which was released today,".
    """
    last = words.get(relative[-1].sources[0].start)
    if last is None or not last.relation.startswith(_ADVERBIAL):
        return False
    phrase = {words[token.sources[0].start].token for token in relative}
    verb = next((word for word in words.values() if word.token == last.head), None)
    parts = (word for word in words.values() if word.head == last.head and word.token not in phrase)
    is_empty = not any(word.relation.startswith(_SAYING_MORE) for word in parts)
    is_needed = verb is not None and verb.relation.startswith("acl") and is_empty
    return not is_needed and relative[0].text.lower() not in _AHEAD


def with_source(tokens: Sequence[SourcedToken], source: str | None) -> tuple[SourcedToken, ...]:
    """Replace "this newspaper" by the name of its source, or by "a newspaper".

    "The agency" is replaced if the source's name ends so: "the Northern Press Agency". In "told
    us" and "told me", the pronoun is replaced.
    """
    name = re.split(r", | \(", (source or "").removeprefix("The "))[0].split()
    written: list[SourcedToken] = []
    index = 0
    while index < len(tokens):
        determiner, noun = (token.text.lower() for token in (*tokens[index : index + 2], _END)[:2])
        plain = not any(token.quoted or not token.sources for token in tokens[index : index + 2])
        self_reference = determiner in ("this", "our") and noun in _PAPERS
        if noun == "reporter":
            after = tokens[index + 2].text if index + 2 < len(tokens) else ""
            self_reference = self_reference and determiner == "our" and not after[:1].isupper()
        titled = determiner == "the" and name[1:] and name[-1].lower() == noun and noun in _PAPERS
        if plain and name and determiner == "told" and noun in ("us", "me"):
            written.append(tokens[index])
            sources = tuple(
                replace(place, kind="substituted") for place in tokens[index + 1].sources
            )
            the = [] if _WITHOUT_ARTICLE.match(" ".join(name)) else [glue("the")]
            written += [*the, *(SourcedToken(word, sources) for word in name)]
            index += 2
            continue
        if not plain or not (self_reference or titled) or index + 1 >= len(tokens):
            written.append(tokens[index])
            index += 1
            continue
        first, last = tokens[index : index + 2]
        sources = tuple(
            replace(place, kind="substituted") for token in (first, last) for place in token.sources
        )
        article = "the" if name else "an" if noun[0] in "aeiou" else "a"
        article = article.capitalize() if first.text[0].isupper() else article
        named = [SourcedToken(word, sources) for word in name or [noun]]
        if _WITHOUT_ARTICLE.match(" ".join(name)):
            named[0] = replace(named[0], space=first.space)
        else:
            written.append(replace(first, text=article, sources=sources))
        written += named
        index += 2
    return tuple(written)


def with_article(tokens: Sequence[SourcedToken]) -> tuple[SourcedToken, ...]:
    """Replace an opening "A man" by "The man", "Two men" by "The two men"."""
    first, *rest = tokens
    if first.text not in INDEFINITE or first.quoted:
        return tuple(tokens)
    if len(first.text) > len("An"):
        number = replace(first, text=first.text.lower(), space=True)
        return glue("The", space=first.space), number, *rest
    sources = tuple(replace(source, kind="substituted") for source in first.sources)
    return replace(first, text="The", sources=sources), *rest


def write_instead(
    name: tuple[Document, Span], origin: Sequence[Source], first: SourcedToken
) -> list[SourcedToken]:
    """Return a name in place of other words, which begin with `first`, with the sources of both."""
    words = list(copy_tokens(Passage(*name)))
    for number, word in enumerate(words):
        both = tuple(replace(source, kind="substituted") for source in (*word.sources, *origin))
        words[number] = replace(word, sources=both, space=(word if number else first).space)
    return words
