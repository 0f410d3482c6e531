"""Limits of what is read, waited for and kept, one name for each."""

from __future__ import annotations

# Language models that are asked (tatian.chat)

REPLY_SILENCE_SECONDS = 60.0
"""Seconds without a byte after which a request has failed; $TATIAN_PROMPT_TIMEOUT."""
REPLY_SECONDS = 600.0
"""Seconds that one reply may take in all; more where $TATIAN_PROMPT_TIMEOUT is longer."""
REPLY_BYTES = 16 << 20
"""Bytes that one reply may have, its headers included."""

# Jobs of the desk (tatian.workbench.desk)

DESK_JOB_SECONDS = 1800.0
"""Seconds that the models may work on one job; `--job-limit` of `tatian desk`, in minutes."""
DESK_STOP_SECONDS = 5.0
"""Seconds that a job has to stop by itself before its process is ended."""
LOCAL_SESSION_DAYS = 30
"""Days for which a browser stays signed in at a desk on one's own machine."""
