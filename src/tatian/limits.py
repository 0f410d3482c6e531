"""Limits on what strangers may cost: bytes, seconds and counts, each with a name."""

from __future__ import annotations

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
