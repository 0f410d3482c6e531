"""Introductions of people: names for unclear pronouns, and full names only at first mention."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date

from msgspec.structs import replace

from tatian.consolidation.connectives import without_connectives
from tatian.consolidation.names import PersonNames, count_words, organisation_words
from tatian.consolidation.spans import SourceSpan
from tatian.consolidation.wording import (
    Calendar,
    in_the_past,
    with_dates,
    with_days,
    with_source,
    words_of,
    write_instead,
)
from tatian.pipeline import CrossChain
from tatian.pipeline.profiles import is_name
from tatian.text import NAMES, Document, Mention, Source, SourcedToken, Span, Token
from tatian.text.content import concept
from tatian.text.documents import Passage, copy_tokens
from tatian.text.lexicon import (
    ARTICLES,
    FEMALE_TITLES,
    POSSESSIVE_DETERMINERS,
    ROLE_HEADS,
    STOP_WORDS,
    TITLES,
)

Place = tuple[str, int]
"""Id of a document, and the start of a token in it."""
_NO_FIRST_NAMES = {word.split()[0] for word in TITLES} | {"lord", "saint", "king", "queen", "the"}
_FULL = {"'s": "is", "'ll": "will", "'ve": "have"}
"""Contractions after a pronoun, in full as they follow a name."""
_BARE = (["man"], ["woman"], ["boy"], ["girl"], ["person"], ["teenager"], ["suspect"])
"""Nouns that add nothing to a name."""
_BARE_WORDS = 2
"""Number of words of a phrase such as "The actress", which does not say who she is."""
_SINGLE = frozenset("he him his she her hers a an the".split())
_COURTESIES = frozenset({"mr", "mrs", "ms", "miss"})
"""Titles that are dropped before a full name at first mention."""
_APPOSITION = 40
"""Characters behind a name that are searched for its office."""
_OFFICES = TITLES | ROLE_HEADS


class Introductions:
    """Writes spans in text order, and names people before it refers to them.

    Sources in `own_voice` keep words such as "yesterday", as their section is in their own words.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        days: Sequence[date | None],
        chains: Sequence[CrossChain],
        own_voice: Collection[int] = (),
    ) -> None:
        self._documents = documents
        self._own_voice = own_voice
        ids = (document.id for document in documents)
        self._calendar = Calendar(dict(zip(ids, days, strict=True)))
        self._words = {document.id: words_of(document) for document in documents}
        self._several = len({document.text for document in documents}) > 1
        self._names = PersonNames(documents)
        by_id = {document.id: document for document in documents}
        self._at: dict[Place, tuple[CrossChain, Mention]] = {}
        self._heads: dict[Place, tuple[CrossChain, Mention]] = {}
        for chain in chains:
            for document, mention in chain.mentions():
                self._at.setdefault((document, mention.start), (chain, mention))
                head = mention.head or mention
                self._heads.setdefault((document, head.start), (chain, mention))
        self._named: set[str] = set()
        self._full: set[str] = set()
        self._called: dict[str, set[str]] = {}
        self._calls: list[tuple[str, set[str]]] = []
        self._said: set[str] = set()
        self._people: dict[str, set[str]] = {}
        for chain in chains:
            for document, mention in chain.mentions() if chain.type == "PER" else ():
                called = (mention.head or mention).of(by_id[document].text).split()
                if called and is_name(by_id[document], mention):
                    self._people.setdefault(called[-1], set()).add(chain.id)
        self._firms = organisation_words(documents)
        self._dated: dict[str, date] = {}

    def written(
        self, span: SourceSpan, cut: Collection[int] = (), *, follows: bool
    ) -> list[tuple[SourcedToken, ...]]:
        """Return the sentences of a span without the words at the `cut` positions.

        `follows` is set if the text has the same span before it as its source.
        """
        document = self._documents[span.source]
        words = self._words[document.id]
        sentences = [
            tuple(t for t in copy_tokens(Passage(document, body)) if t.sources[0].start not in cut)
            for body in span.bodies
        ]
        if self._several and span.source not in self._own_voice:
            context = document, words, self._calendar
            sentences = [with_days(in_the_past(s, *context), *context) for s in sentences]
            sentences = [with_dates(s, *context, self._dated) for s in sentences]
            sentences = [with_source(s, document.metadata.source) for s in sentences]
        if not follows:
            sentences[0] = without_connectives(sentences[0], words)
        if span.pronoun is not None and span.dependency == "name" and not follows:
            sentences[0] = self._with_name(sentences[0], document, span.pronoun)
        if not follows:
            sentences[0] = self._known(sentences[0], document)
        if not self._said:
            sentences[0] = self._opening(sentences[0], document)
        return [self._with_full_names(sentence, document) for sentence in sentences]

    def quoted(self, span: SourceSpan) -> list[tuple[SourcedToken, ...]]:
        """Return the sentences of a span as `dated` gives them, and remember whom they name."""
        document = self._documents[span.source]
        sentences = self.dated(span)
        for token in (word for sentence in sentences for word in sentence):
            place = token.sources[0].start if token.sources else -1
            head = self._heads.get((document.id, place))
            if head is not None and not token.quoted:
                self._learn(head[0], document, head[1])
        self._finish(sentences)
        return sentences

    def dated(self, span: SourceSpan) -> list[tuple[SourcedToken, ...]]:
        """Return the sentences of a span as in their source, but with "yesterday" as its day."""
        document = self._documents[span.source]
        sentences = [copy_tokens(Passage(document, body)) for body in span.bodies]
        if not self._several or span.source in self._own_voice:
            return sentences
        words = self._words[document.id]
        return [with_days(sentence, document, words, self._calendar) for sentence in sentences]

    def _known(
        self, tokens: tuple[SourcedToken, ...], document: Document
    ) -> tuple[SourcedToken, ...]:
        """Replace an opening "A man" if the text has named him."""
        first = tokens[0] if tokens else None
        if first is None or first.text not in ("A", "An") or not first.sources:
            return tokens
        place = first.sources[0]
        chain, mention = self._at.get((place.document, place.start), (None, None))
        if chain is None or mention is None or chain.type != "PER" or chain.id not in self._named:
            return tokens
        if mention.of(document.text).split()[1:] in _BARE:
            return self._with_name(tokens, document, mention)
        known = replace(first, text="The", sources=(replace(place, kind="substituted"),))
        return (known, *tokens[1:])

    def _opening(
        self, tokens: tuple[SourcedToken, ...], document: Document
    ) -> tuple[SourcedToken, ...]:
        """Replace "The actress" by her name at the start of the text, if a headline gave it."""
        places = [token.sources[0].start for token in tokens if token.sources]
        chain, mention = self._at.get((document.id, places[0]) if places else ("", 0), (None, None))
        if chain is None or mention is None or chain.type != "PER":
            return tokens
        words = mention.of(document.text).split()
        heads = (self._heads.get((document.id, place), (None, None)) for place in places)
        is_named = any(
            owner is chain and other is not None and is_name(document, other)
            for owner, other in heads
        )
        is_bare = len(words) == _BARE_WORDS and words[0] == "The" and words[1].islower()
        return self._with_name(tokens, document, mention) if is_bare and not is_named else tokens

    def _with_name(
        self, tokens: tuple[SourcedToken, ...], document: Document, pronoun: Span
    ) -> tuple[SourcedToken, ...]:
        """Replace a pronoun in a sentence by a name."""
        chain, _ = self._at.get((document.id, pronoun.start), (None, None))
        place = next(
            (
                place
                for place, token in enumerate(tokens)
                if token.sources and token.sources[0].start == pronoun.start
            ),
            None,
        )
        if chain is None or place is None:
            return tokens
        name = self._best_name(chain, document, single=pronoun.of(document.text).lower() in _SINGLE)
        if name is None:
            return tokens
        origin = Source(document.id, pronoun.start, pronoun.end, "substituted")
        length = len(document.tokens_in(pronoun))
        words = write_instead(name, [origin], tokens[place])
        if self._possessive(document, pronoun):
            words.append(SourcedToken("'s", (origin,), space=False))
        rest = tokens[place + length :]
        if rest and (full := _FULL.get(rest[0].text.lower().replace("’", "'"))):
            been = full == "is" and rest[1:] and rest[1].text.lower() in ("been", "had", "got")
            rest = (replace(rest[0], text="has" if been else full, space=True), *rest[1:])
        return (*tokens[:place], *words, *rest)

    def _best_name(
        self, chain: CrossChain, document: Document, *, single: bool
    ) -> tuple[Document, Span] | None:
        """Return a chain's name: in full at first mention, then as its own source has it."""
        known = chain.id in self._named
        return self._names.best(chain, document, single=single, known=known)

    def _with_full_names(
        self, tokens: tuple[SourcedToken, ...], document: Document
    ) -> tuple[SourcedToken, ...]:
        """Write each full name at its first mention in the text, and only there."""
        written: list[SourcedToken] = []
        index = 0
        while index < len(tokens):
            token = tokens[index]
            source = token.sources[0] if token.sources else None
            named = self._heads.get((source.document, source.start)) if source else None
            if named is None or source is None or source.kind != "copied" or token.quoted:
                if named is not None and source is not None and source.kind == "substituted":
                    self._named.add(named[0].id)
                written.append(token)
                index += 1
                continue
            chain, mention = named
            head = mention.head or mention
            length = len(document.tokens_in(head))
            replaced = tokens[index : index + length]
            fuller = self._fuller(chain, document, mention)
            before = written[-1].text.lower() if written else ""
            if before.rstrip(".") in _COURTESIES and written[-2:-1]:
                is_couple = written[-2].text.lower() in ("and", "&")  # "Mr and Ms"
                fuller = None if is_couple else fuller
            if fuller is not None and fuller[1].of(fuller[0].text).lower().split()[0] != before:
                if before.rstrip(".") in _COURTESIES:
                    token = replace(token, space=written.pop().space)
                origins = [origin for word in replaced for origin in word.sources]
                written += write_instead(fuller, origins, token)
                self._full.add(chain.id)
                self._call(chain, fuller[0].tokens_in(fuller[1]))
                index += length
            elif self._is_known(chain, document, head, replaced) and not self._pairs_with_full(
                document, head, written
            ):
                known_before = self._known_before(chain, document, head)
                del written[len(written) - known_before :]
                written.append(replace(replaced[-1], space=token.space or known_before > 0))
                index += length
            else:
                written.append(token)
                index += 1
            self._learn(chain, document, mention)
        self._finish([written])
        return tuple(written)

    def _finish(self, sentences: Iterable[Sequence[SourcedToken]]) -> None:
        """Remember what sentences say, and what they call people, for later sentences."""
        self._said.update(concept(token.text) for sentence in sentences for token in sentence)
        for chain, words in self._calls:
            self._called.setdefault(chain, set()).update(words)
        self._calls.clear()

    def _learn(self, chain: CrossChain, document: Document, mention: Mention) -> None:
        """Remember what the text has called a person."""
        head = mention.head or mention
        if is_name(document, mention):
            self._named.add(chain.id)
            first = head.of(document.text).split()[0].lower()
            if count_words(document, head) > 1 and first not in TITLES:
                self._full.add(chain.id)
        self._call(chain, [*self._names.offices(document, head), *document.tokens_in(mention)])

    def _call(self, chain: CrossChain, words: Sequence[Token]) -> None:
        self._calls.append((chain.id, {concept(word.text) for word in words}))

    def _is_known(
        self, chain: CrossChain, document: Document, name: Span, tokens: Sequence[SourcedToken]
    ) -> bool:
        """Check whether a person already named in full may be called by the surname alone.

        A source must do so, and nobody else may have that surname. The full name stays if it has a
        particle ("van Aerle"). So it does after an owner, an article ("the Queen Ilse") or a title
        that is no office. It also stays as an apposition ("the director, Miriam Oake"). So does
        "Madame Marvaud", as the surname alone may be her husband's.
        """
        words = name.of(document.text).split()
        whole = [t.text for t in tokens] == words and not any(t.quoted for t in tokens)
        is_ambiguous = words[-1] in self._firms
        is_known = self._several and chain.id in self._full and len(words) > 1
        if not is_known or not whole or is_ambiguous or words[0].lower() in FEMALE_TITLES:
            return False
        offices = self._names.offices(document, name)
        phrase = [*offices, *document.tokens_in(name)]
        relations = (self._words[document.id].get(word.start) for word in phrase)
        behind = document.text[: phrase[0].start].rstrip().endswith((",", "-"))
        apposition = behind and any(w and w.relation.startswith("appos") for w in relations)
        before = document.text[: phrase[0].start].split()[-1:]
        longer = any(
            word.endswith(("'s", "’s")) or (word.istitle() and word.lower() not in STOP_WORDS)
            for word in before
        )
        return (
            not apposition
            and not longer
            and all(word[0].isupper() for word in words)
            and (len(phrase) > len(words) or ARTICLES.isdisjoint(map(str.lower, before)))
            and self._people.get(words[-1]) == {chain.id}
            and words[-1] in self._names.surnames(chain)
            and not self._names.qualifies(document, name)
            and (not offices or self._known_before(chain, document, name) > 0)
            and not self._identifies(document, phrase)
        )

    def _pairs_with_full(
        self, document: Document, name: Span, written: Sequence[SourcedToken]
    ) -> bool:
        """Check whether a name is paired with that of somebody known who has just kept it in full.

        "Reporters Bob Woodward and Bernstein" would treat one of them as better known.
        """
        words = self._words[document.id]
        starts = {token.sources[0].start for token in written if token.sources}
        heads = {
            document.tokens[words[token.start].head].start
            for token in document.tokens_in(name)
            if token.start in words and words[token.start].relation.startswith("conj")
        }
        for first in document.get(NAMES) if heads else ():
            if first.start in starts and any(first.start <= head < first.end for head in heads):
                chain, _ = self._heads.get((document.id, first.start), (None, None))
                return chain is not None and chain.id in self._called
        return False

    def _identifies(self, document: Document, phrase: Sequence[Token]) -> bool:
        """Check whether a phrase says who somebody is: "identified the victim as Ann Dale"."""
        words = self._words[document.id]
        first = words.get(phrase[0].start)
        before = document.tokens[first.token - 1] if first is not None and first.token else None
        word = words.get(before.start) if before is not None else None
        is_as = word is not None and word.relation == "case"
        return is_as and before is not None and before.text.lower() == "as"

    def _known_before(self, chain: CrossChain, document: Document, name: Span) -> int:
        """Count the words before a name that only repeat what the text has said of that person."""
        offices = self._names.offices(document, name)
        known = self._called.get(chain.id, set())
        is_new = not all(
            concept(office.text) in known
            or (office.text[0].isupper() and concept(office.text) in self._said)
            for office in offices
        )
        has_title = any(office.text.lower() in FEMALE_TITLES for office in offices)
        hyphen = bool(offices) and document.text[: offices[0].start].endswith("-")
        if not offices or is_new or has_title or hyphen:
            return 0
        before = document.text[: offices[0].start].split()[-1:]
        article = before[0].lower() if before else ""
        if article in ("a", "an", *POSSESSIVE_DETERMINERS):
            return 0
        return len(offices) + (article == "the")

    def _fuller(
        self, chain: CrossChain, document: Document, mention: Mention
    ) -> tuple[Document, Span] | None:
        """Return the full name of a person not named before, if the mention has part of it.

        It includes an office that another source puts before the name, such as "Captain".
        """
        known = chain.type != "PER" or chain.id in self._named
        if known or not self._several or not is_name(document, mention):
            return None
        head = mention.head or mention
        words = head.of(document.text).split()
        best = self._best_name(chain, document, single=False)
        ambiguous = len(words) != 1 or words[0] in self._firms
        if best is None or ambiguous or self._names.qualifies(document, head):
            return None
        full = best[1].of(best[0].text).split()
        plain = len(full) > 1 and full[0].lower() not in _NO_FIRST_NAMES
        if not plain or full[-1] != words[0] or len(self._people.get(words[0], ())) > 1:
            return None
        offices = self._names.offices(*best)
        office = offices[-1].text.lower() if offices else ""
        before = document.text[: head.start].lower().split()[-1:]
        titled = self._names.offices(document, head) or not _OFFICES.isdisjoint(before)
        if titled and any(len(word.rstrip(".")) == 1 for word in full):
            return None
        again = office in document.text[head.end : head.end + _APPOSITION].lower().split(".")[0]
        if titled or again or office not in _OFFICES:
            return best
        return best[0], Span(offices[0].start, best[1].end)

    def _possessive(self, document: Document, pronoun: Span) -> bool:
        word, analysed = pronoun.of(document.text), self._words[document.id].get(pronoun.start)
        is_determiner = analysed is not None and analysed.relation.startswith("nmod")
        return is_determiner if word.lower() == "her" else word.lower() == "his"
