"""Generation of unions from sentences, shared by the command and the benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby

from msgspec import Struct, convert
from msgspec.structs import replace

from tatian.progress import Progress, silent
from tatian.text import Document, Metadata, Source, SourcedToken, Span, tokenize
from tatian.text.content import concept, concepts, is_content, reporting_concepts
from tatian.text.documents import Passage
from tatian.text.layers import render
from tatian.text.lexicon import STOP_WORDS
from tatian.union.annotation import SkipReason
from tatian.union.data import UnionInstance
from tatian.union.models import Contradiction, Merged, Merger, MergeRecord, mergers
from tatian.union.models.sentences import Parsed, parsed

_SEMICOLON = "; "


class UnionSource(Span, frozen=True, order=True):
    """Source words of one sentence for words of a union."""

    sentence: int
    """Index of the sentence from 0; the offsets refer to its text."""
    text: str


class UnionPiece(Span, frozen=True, order=True):
    """Span of the union whose words come from the same sentences."""

    text: str
    sources: tuple[UnionSource, ...] = ()
    """Source words; empty for words that no sentence has, such as a joining "and"."""


class Attribution(Struct, frozen=True):
    """An attribution that covers more in the union than in its own sentence.

    Union paper, appendix B: combined information may be attributed to a source that was given for
    only a part of it. A report shows each such case.
    """

    who: str
    """Attribution as its sentence words it, such as "police said"."""
    sentence: int
    covers: str
    """Words of other sentences that the attribution now covers."""


class UnionReport(Struct, frozen=True, omit_defaults=True):
    """One line of ``tatian union generate --report``."""

    id: str
    union: str
    origin: str
    """Origin of the wording: the model, or its fallback rule."""
    considered: int = 1
    """Number of candidate wordings."""
    pieces: tuple[UnionPiece, ...] = ()
    missing: tuple[str, ...] = ()
    """Content words that the union lacks: reworded or lost."""
    contradictions: tuple[Contradiction, ...] = ()
    attributions: tuple[Attribution, ...] = ()
    entailed_by: tuple[float, ...] = ()
    """Probability that each sentence entails the result; for an intersection only."""
    turned_down: tuple[str, ...] = ()
    """First violated rule of each better wording that was rejected."""
    refused: str = ""
    """Reason why there is no union; empty if there is a union."""


def build_report(id: str, merged: Merged, passages: Sequence[Passage], model: str) -> UnionReport:
    """Build the report of one union; `model` is the origin if the merger recorded none."""
    text = one_sentence(merged)
    record = merged.record or MergeRecord(model)
    return UnionReport(
        id,
        text,
        record.origin,
        record.considered,
        tuple(pieces(merged, passages)),
        tuple(_find_missing(text, passages)) if record.missing is None else record.missing,
        merged.contradictions,
        tuple(_find_widened_attributions(merged.sentences, passages)),
        record.entailed_by,
        record.turned_down,
        record.refused,
    )


def one_sentence(merged: Merged) -> str:
    """Return the result as one sentence: several are joined by semicolons.

    A question, an exclamation and a full stop of another script stay as they are.
    """
    return "".join(text + joint for text, joint in _join_sentences(merged))


def _join_sentences(merged: Merged) -> Iterator[tuple[str, str]]:
    """Yield each sentence as in the union, with the separator after it."""
    joint = ""
    for number, sentence in enumerate(merged.sentences, 1):
        text = render(sentence)
        if joint == _SEMICOLON and sentence and _is_capitalized_by_position(sentence[0]):
            text = text[0].lower() + text[1:]
        if number == len(merged.sentences):
            yield text, ""
            return
        joint = _SEMICOLON if text[-1:] == "." or text[-1:].isalnum() else " "
        yield text.removesuffix("."), joint


def _is_capitalized_by_position(token: SourcedToken) -> bool:
    """Return True if only the sentence start capitalises the word: "The", not "Halverne" or "I"."""
    is_stop_word = token.text.istitle() and token.text.lower() in STOP_WORDS
    return is_stop_word and token.text != "I" and not token.quoted


def pieces(merged: Merged, passages: Sequence[Passage]) -> Iterator[UnionPiece]:
    """Divide the union into pieces with their source words; offsets refer to `one_sentence`."""
    text = one_sentence(merged)
    for sentence in placed(merged):
        for _, group in groupby(sentence, key=lambda placed_token: _document_ids(placed_token[1])):
            piece = list(group)
            start, stop = piece[0][0].start, piece[-1][0].end
            if start < stop:
                behind = tuple(_source_spans([token for _, token in piece], passages))
                yield UnionPiece(start, stop, text[start:stop], behind)


def placed(merged: Merged) -> Iterator[list[tuple[Span, SourcedToken]]]:
    """Yield the words of each sentence with their spans in `one_sentence`.

    A full stop that a separator replaces has an empty span.
    """
    begin = 0
    for sentence, (written, joint) in zip(merged.sentences, _join_sentences(merged), strict=True):
        at, end = begin, begin + len(written)
        words = []
        for index, token in enumerate(sentence):
            at += bool(token.space and index)
            after = at + len(token.text)
            words.append((Span(min(at, end), min(after, end)), token))
            at = after
        yield words
        begin = end + len(joint)


def _document_ids(token: SourcedToken) -> frozenset[str]:
    return frozenset(source.document for source in token.sources)


def _source_spans(
    tokens: Sequence[SourcedToken], passages: Sequence[Passage]
) -> Iterator[UnionSource]:
    """Yield the source spans of words, with adjacent spans joined."""
    for number, passage in enumerate(passages):
        text, offset = passage.document.text, passage.span.start
        sources = sorted({s for t in tokens for s in t.sources if _is_inside(s, passage)})
        spans: list[tuple[int, int]] = []
        for source in sources:
            if spans and not text[spans[-1][1] : source.start].strip():
                spans[-1] = spans[-1][0], max(spans[-1][1], source.end)
            else:
                spans.append((source.start, source.end))
        for start, end in spans:
            yield UnionSource(start - offset, end - offset, number, text[start:end])


def _is_inside(source: Source, passage: Passage) -> bool:
    inside = passage.span.start <= source.start and source.end <= passage.span.end
    return source.document == passage.document.id and inside


def _find_missing(text: str, passages: Sequence[Passage]) -> Iterator[str]:
    covered = set(concepts(token.text for token in tokenize(text)))
    for passage in passages:
        for token in passage.document.tokens_in(passage.span):
            if is_content(token.text) and concept(token.text) not in covered:
                covered.add(concept(token.text))
                yield token.text


Preparation = Callable[[Document], Document]


def generate(
    instances: Sequence[UnionInstance],
    model: str | Merger | None = None,
    *,
    prepare: Preparation,
    progress: Progress = silent,
) -> Iterator[UnionInstance]:
    """Yield each instance with `merged` filled by the model (a name, an object, or the default).

    `prepare` fills the layers that models read: ``tatian.Pipeline.for_sentences().process``.
    """
    for instance, _ in generate_reported(instances, model, prepare=prepare, progress=progress):
        yield instance


def generate_reported(
    instances: Sequence[UnionInstance],
    model: str | Merger | None = None,
    *,
    prepare: Preparation,
    progress: Progress = silent,
    name: str | None = None,
) -> Iterator[tuple[UnionInstance, Callable[[], UnionReport]]]:
    """Yield instances as `generate` does, each with a function that returns its report.

    Reports call the model `name`; by default its registered name or that of its class.
    """
    merger = mergers.create(model) if model is None or isinstance(model, str) else model
    model_name = name or (model if isinstance(model, str) else type(merger).__name__.lower())
    for done, instance in enumerate(instances, 1):
        sentences = passages(instance, prepare)
        merged = merger.merge(sentences)
        progress("union", done, len(instances))
        filled = replace(instance, merged=one_sentence(merged), skip=None)
        if merged.record is not None and merged.record.refused:
            reason = convert(merged.record.refused.partition(":")[0], SkipReason)
            filled = replace(instance, merged=None, skip=reason, note=merged.record.refused)
        yield filled, partial(build_report, instance.id, merged, sentences, model_name)


def passages(instance: UnionInstance, prepare: Preparation) -> list[Passage]:
    """Return each sentence as a passage of a separate document, as mergers expect."""
    result = []
    for number, text in enumerate(instance.sentences, 1):
        document = Document(f"{instance.id}.{number}", text, Metadata(date=instance.date))
        result.append(Passage(prepare(document), Span(0, len(text))))
    return result


def _find_widened_attributions(
    sentences: Sequence[Sequence[SourcedToken]], passages: Sequence[Passage]
) -> Iterator[Attribution]:
    """Yield every attribution that covers more in the union than in its sentence."""
    for number, passage in enumerate(passages):
        sentence = parsed(passage)
        for start, end in _find_attributions(sentence) if sentence is not None else ():
            assert sentence is not None
            first, last = sentence.tokens[start].sources[0], sentence.tokens[end - 1].sources[0]
            place = Source(passage.document.id, first.start, last.end)
            for tokens in sentences:
                texts = (token.text for token in _find_covered(tokens, place))
                words = list(filter(is_content, texts))
                if words:
                    speaker = passage.document.text[first.start : last.end]
                    yield Attribution(speaker, number, " ".join(words))


def _find_attributions(sentence: Parsed) -> Iterator[tuple[int, int]]:
    """Yield the spans of attributions: subject and verb of saying, or "according to" somebody."""
    for place in range(len(sentence)):
        if sentence.tokens[place].quoted:
            continue
        subjects = [
            child
            for child in sentence.under(place, "nsubj")
            if not sentence.words[child].relation.endswith(":pass")
        ]
        top = place == sentence.root or sentence.relations[place] == "parataxis"
        if top and sentence.concepts[place] in reporting_concepts() and subjects:
            start, end = sentence.extent(subjects[0])
            yield min(start, place), max(end, place + 1)
        elif sentence.lower[place] == "according":
            yield sentence.extent(sentence.heads[place] if sentence.heads[place] > place else place)


def _find_covered(tokens: Sequence[SourcedToken], speaker: Source) -> list[SourcedToken]:
    """Return words of other sentences on the side that holds most of the attribution's own."""
    inside = [i for i, token in enumerate(tokens) if _is_part(token, speaker)]
    own_indices = [
        i
        for i, token in enumerate(tokens)
        if any(source.document == speaker.document for source in token.sources) and i not in inside
    ]
    if not inside or not own_indices:
        return []
    before = sum(index < inside[0] for index in own_indices) >= len(own_indices) / 2
    side = tokens[: inside[0]] if before else tokens[inside[-1] + 1 :]
    return [
        token
        for token in side
        if token.sources and all(source.document != speaker.document for source in token.sources)
    ]


def _is_part(token: SourcedToken, speaker: Source) -> bool:
    source = token.sources[0] if token.sources else None
    return (
        source is not None
        and source.document == speaker.document
        and speaker.start <= source.start < speaker.end
    )
