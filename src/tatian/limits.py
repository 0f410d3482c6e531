"""Limits of what is accepted, counted and kept: bytes, counts and times, each with its name."""

from __future__ import annotations

# Signing in to the workbench, and joining.
SIGN_IN_MINUTES = 15
"""Minutes for which a try to sign in counts."""
SIGN_INS_OF_A_NAME_FROM_AN_ADDRESS = 10
"""Tries for one name from one address within those minutes; further ones are refused."""
SIGN_INS_FROM_AN_ADDRESS = 60
"""Tries for any name from one address within those minutes; further ones are refused."""
SIGN_INS_OF_A_NAME = 20
"""Tries for one name from all addresses within those minutes; further ones are delayed."""
SIGN_IN_DELAY = 1
"""Seconds of the first delay; it doubles with every further `SIGN_INS_OF_A_NAME` tries."""
SIGN_IN_LONGEST_DELAY = 16
"""Seconds of the longest delay, so that the right password is never kept out."""
WRONG_LINKS_FROM_AN_ADDRESS = 60
"""Links that this server did not sign, from one address within the same minutes."""
JOINS_FROM_AN_ADDRESS = 600
"""People who join campaigns from one address within an hour, unless a server is told otherwise."""
ATTEMPTS_KEPT_HOURS = 24
"""Hours after which counted tries, which have addresses in them, are deleted."""
SPENT_LINKS_KEPT_DAYS = 400
"""Days for which a used link is remembered after its end, for clocks that jump ahead and back."""

# Servers.
MCP_IDLE_SECONDS = 10 * 60
"""Seconds without a request after which a session of the MCP server ends."""
MCP_SESSIONS = 200
"""Sessions that the MCP server keeps at once; a further one is refused until one ends."""
MCP_REQUEST_BYTES = 8 * 2**20
"""Bytes of a request to the MCP server: every character may be escaped, in several ways."""
CONNECTIONS = 1000
"""Connections of a server at once; further ones are told to come back later."""
NIF_REQUEST_BYTES = 8 * 2**20
"""Bytes of a document that is sent to the NIF service, unless it is told otherwise."""

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

# Files that strangers send, and the process that reads them.
READ_SECONDS = 60.0
"""Seconds that reading one file may take."""
READ_MEMORY = 2**30
"""Bytes of memory that the reading process may ask for, where the system can enforce it."""
READ_KEPT = 8 * 2**20
"""Bytes of a file after which the reading process is given up, with the memory that it took."""
READ_AT_ONCE = 4
"""Files that are read at the same time; further ones wait."""
ARCHIVE_SECONDS = 300.0
"""Seconds that reading all files of one archive may take."""
UNCLOSED_SCANS = 32
"""Times that the length of a page may be searched in vain for the ends of tags and comments."""

# Storage
LEAST_ROOM = 4096
"""Free bytes below which a disk counts as full: one page of a SQLite database."""
