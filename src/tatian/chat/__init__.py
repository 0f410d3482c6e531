"""Clients of language models: behind an OpenAI-compatible address, or in this process.

Callers use a `Client`, which stores every answer, replays it, and counts tokens.
"""

from tatian.chat.client import (
    MODEL,
    Chat,
    Client,
    Limits,
    Spending,
    limits_here,
    open_client,
    patience_here,
    transcript_here,
)
from tatian.chat.endpoint import Endpoint, Message, Patience, Request, TooLong
from tatian.chat.replies import CLOSE, OPEN, Answer, defused, paragraphs
from tatian.chat.transcript import KeptAnswers, Transcript, TranscriptLine

__all__ = [
    "CLOSE",
    "MODEL",
    "OPEN",
    "Answer",
    "Chat",
    "Client",
    "Endpoint",
    "KeptAnswers",
    "Limits",
    "Message",
    "Patience",
    "Request",
    "Spending",
    "TooLong",
    "Transcript",
    "TranscriptLine",
    "defused",
    "limits_here",
    "open_client",
    "paragraphs",
    "patience_here",
    "transcript_here",
]
