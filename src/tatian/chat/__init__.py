"""Clients of language models at an OpenAI-compatible address or in the current process.

Callers use a `Client`, which caches all answers and counts tokens.
"""

from tatian.chat.client import (
    MODEL,
    Chat,
    Client,
    Limits,
    Spending,
    default_transcript,
    open_client,
    read_limits,
    read_patience,
    refuse_local,
)
from tatian.chat.endpoint import Endpoint, Message, Patience, Request, TooLong
from tatian.chat.replies import CLOSE, OPEN, Answer, escape_data, paragraphs
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
    "default_transcript",
    "escape_data",
    "open_client",
    "paragraphs",
    "read_limits",
    "read_patience",
    "refuse_local",
]
