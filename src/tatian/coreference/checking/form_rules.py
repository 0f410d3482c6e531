"""The rules of form: what sections 1, 2 and 7 of the definition say about the markup itself."""

from __future__ import annotations

from tatian.coreference.checking.findings import Rule

UNCLOSED = Rule("unclosed-tag", "1.1", "error", "Every tag has a closing tag.")
STRAY = Rule("stray-closing-tag", "1.1", "error", "A closing tag closes something.")
OVERLAPPING = Rule("overlapping-tags", "1.1", "error", "Tags nest: none ends inside another.")
BROKEN = Rule("broken-tag", "1.1", "error", "A tag ends with '>'.")
BAD_ATTRIBUTE = Rule(
    "bad-attribute", "1.1", "error", 'An attribute is written NAME="value", once in a tag.'
)
UNKNOWN_ATTRIBUTE = Rule(
    "unknown-attribute", "1", "error", "A COREF has no attributes but ID, REF, TYPE, MIN, STATUS."
)
TAGGED_TWICE = Rule("tagged-twice", "1.1", "error", "There is one markup per string.")
WRONG_TYPE = Rule("wrong-type", "1.2", "error", "The only TYPE of link is IDENT.")
MISSING_TYPE = Rule("missing-type", "1.2", "error", "A link (REF) has a TYPE.")
TYPE_WITHOUT_REF = Rule(
    "type-without-ref", "1.2", "error", "TYPE is about a link: there is none without REF."
)
MISSING_ID = Rule("missing-id", "1.3", "error", "Every markable has an ID.")
DUPLICATE_ID = Rule("duplicate-id", "1.3", "error", "An ID is given to one string of a document.")
UNKNOWN_REF = Rule("unknown-ref", "1.3", "error", "A REF is the ID of a markable of the document.")
SELF_REF = Rule("self-ref", "1.3", "error", "A link joins two strings, not one with itself.")
REF_CYCLE = Rule("ref-cycle", "1.3", "error", "Links do not lead back to where they began.")
EMPTY_MIN = Rule("empty-min", "1.4", "error", "MIN, where it is given, holds a string.")
MIN_ELSEWHERE = Rule(
    "min-not-in-string", "1.4", "error", "MIN is a part of the string that is marked."
)
WRONG_STATUS = Rule("wrong-status", "1.5", "error", "The only STATUS is OPT.")
OPTIONAL_WITHOUT_REF = Rule(
    "optional-without-ref", "1.5", "error", "Only an anaphor, which has a REF, can be optional."
)
EXCLUDED_PART = Rule(
    "excluded-part",
    "2",
    "error",
    "Only TXT, HL, DATELINE and DD (the second of two) are annotated, no '@' lines in TXT.",
)
EMPTY_MARKABLE = Rule("empty-markable", "3.6", "error", "The empty string is not markable.")
FORWARD_REF = Rule(
    "forward-ref", "7", "advice", "A REF points to the most recent markable before its own."
)
REF_TO_OPTIONAL = Rule(
    "ref-to-optional", "7", "advice", "A REF points to a markable that is not optional."
)

FORM_RULES: tuple[Rule, ...] = (
    UNCLOSED,
    STRAY,
    OVERLAPPING,
    BROKEN,
    BAD_ATTRIBUTE,
    UNKNOWN_ATTRIBUTE,
    TAGGED_TWICE,
    WRONG_TYPE,
    MISSING_TYPE,
    TYPE_WITHOUT_REF,
    MISSING_ID,
    DUPLICATE_ID,
    UNKNOWN_REF,
    SELF_REF,
    REF_CYCLE,
    EMPTY_MIN,
    MIN_ELSEWHERE,
    WRONG_STATUS,
    OPTIONAL_WITHOUT_REF,
    EXCLUDED_PART,
    EMPTY_MARKABLE,
    FORWARD_REF,
    REF_TO_OPTIONAL,
)
