"""Leads that introduce somebody whom the text has mentioned."""

from __future__ import annotations

from tatian.consolidation.noise import DATE_LINE
from tatian.consolidation.plan import Plan
from tatian.consolidation.spans import Key, SourceSpan
from tatian.consolidation.wording import INDEFINITE, words_of
from tatian.text import Document

_MIN_SAME_ACT, _MIN_COVERED_LEAD = 0.5, 0.4
"""Minimum covered part of a lead's subject and of its verb, and covered share of a whole lead."""


def find_retold(plan: Plan) -> set[Key]:
    """Return the leads that open with "A man" or "Two men", though the text has mentioned them.

    A span before the lead must cover its subject and verb, or much of it. That span is from another
    source, or its own source has it later, or in a summary above the date line. A lead that opens
    the section of another moment reports its event anew, and stays.
    """
    headed = {
        paragraph.spans[0].key
        for paragraph in plan.paragraphs
        if paragraph.heading and plan.placements[paragraph.spans[0].key].section
    }
    order = [span.key for span in plan.spans]
    retold = set()
    for source in plan.story.sources:
        lines = [-1, *(n for n, why in source.excluded.items() if why == DATE_LINE)]
        below = [[span for span in source.spans if span.indices[0] > line] for line in lines]
        for lead in {spans[0].key: spans[0] for spans in below if spans}.values():
            subject = _indefinite_subject(source.document, lead)
            if (
                subject is None
                or lead.key in headed
                or lead.key not in order
                or not plan.coverage.knows(lead.key)
            ):
                continue
            for other in order[: order.index(lead.key)]:
                earlier = other[0] == lead.source and other < lead.key
                above = earlier and any(other[1] < line < lead.key[1] for line in lines)
                if (above or not earlier) and _tells_of(plan, lead, subject, other):
                    retold.add(lead.key)
    return retold


def _indefinite_subject(document: Document, span: SourceSpan) -> tuple[int, int] | None:
    """Return the positions of the subject that opens a span with "A" or "Two", and of its verb."""
    words, tokens = words_of(document), document.tokens
    opening = document.tokens_in(span.bodies[0])[:1]
    if not opening or opening[0].text not in INDEFINITE:
        return None
    first = words.get(opening[0].start)
    noun = words.get(tokens[first.head].start) if first and first.head >= 0 else None
    if noun is None or noun.head < 0 or not noun.relation.startswith("nsubj"):
        return None
    return tokens[noun.token].start, tokens[noun.head].start


def _tells_of(plan: Plan, lead: SourceSpan, subject: tuple[int, int], other: Key) -> bool:
    """Check whether another span covers a lead's subject and verb, or much of the lead."""
    weights = plan.coverage.word_weights(lead.key, (other,))
    whole, rest = zip(*(weights.get(place, (0.0, 0.0)) for place in subject), strict=True)
    known = all(rest[n] < (1 - _MIN_SAME_ACT) * whole[n] for n in range(len(subject)))
    return known or plan.coverage.covered_share(lead.key, (other,)) >= _MIN_COVERED_LEAD
