"""Limits of what is read, waited for and kept, one name for each."""

from __future__ import annotations

# Language models that are asked (tatian.chat)

REPLY_SILENCE_SECONDS = 60.0
"""Seconds without a byte after which a request has failed; $TATIAN_PROMPT_TIMEOUT."""
REPLY_SECONDS = 600.0
"""Seconds that one reply may take in all; more where $TATIAN_PROMPT_TIMEOUT is longer."""
REPLY_BYTES = 16 << 20
"""Bytes that one reply may have, its headers included."""
