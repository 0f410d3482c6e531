"""Limits on what is accepted, counted and stored: bytes, counts and times."""

from __future__ import annotations

# Files (tatian.text, tatian.corpora, tatian.formats).
DOCUMENT_BYTES = 64 * 2**20
"""Bytes of one document, unpacked."""
TOTAL_CHARACTERS = 512 * 10**6
"""Characters of all documents that `corpora.read` takes into memory; `iterate` is not limited."""
ANNOTATED_BYTES = 512 * 2**20
"""Bytes of one file, folder or archive with mentions or coreference, unpacked."""
CSV_TEXT_CHARACTERS = 2**27
"""Characters of one text in a CSV file with mentions."""
ARCHIVE_FILES = 2000
"""Files in one zip archive; Word, OpenDocument and EPUB documents are such archives."""
ARCHIVE_BYTES = 256 * 2**20
"""Bytes of all files of an archive, unpacked."""
ARCHIVE_PART_BYTES = 32 * 2**20
"""Bytes of one part of a Word, OpenDocument or EPUB document, unpacked."""
XML_DEPTH = 200
"""Elements of XML within each other in such a part."""
PAGE_DEPTH = 256
"""Elements of a web page within each other; deeper ones are flattened."""
PDF_PAGES = 2000
"""Pages of one PDF document."""
PDF_PAGE_CHARACTERS = 20 * 10**6
"""Characters of one page of a PDF document; further ones are not read."""
MAIL_MESSAGES = 5000
"""Messages of one mailbox."""
MAIL_PARTS = 500
"""Parts of one message; further ones are not read."""
NITF_DEPTH = 100
"""Elements of a damaged NITF file within each other; deeper ones are flattened."""
NEWS_ARCHIVE_DEPTH = 3
"""Tar archives within each other in a corpus of news; deeper ones are left out and counted."""

# The process that reads files of strangers.
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

# Dumps and tables that a knowledge base is built from (tatian.knowledge.building).
TABLE_LINE_BYTES = 16 * 2**20
"""Bytes of one line of a table."""
WIKI_PAGE_BYTES = 8 * 2**20
"""Bytes of XML that are read of one page with its history; the rest is left out."""
WIKI_TEXT_CHARACTERS = 2_000_000
"""Characters of wikitext that are read of one page; the rest is left out, with a warning."""
WIKI_BLOCK_CHARACTERS = 100_000
"""Characters of one block of wikitext; a longer one is divided."""
WIKI_DEPTH = 12
"""Templates and links of wikitext within each other; deeper ones are left out."""
WEBANNO_GAP_CHARACTERS = 10_000
"""Characters between two sentences of a WebAnno file, which does not hold them."""

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
"""People who join campaigns from one address within an hour."""
ATTEMPTS_KEPT_HOURS = 24
"""Hours after which counted tries, which have addresses in them, are deleted."""
PASSWORD_SHORTEST = 10
"""Characters that a password has at least."""
PASSWORD_LONGEST = 1000
"""Characters that a password has at most."""
LINK_CHARACTERS = 2000
"""Characters of a signed link."""
SIGN_IN_LINK_HOURS = 24
"""Hours for which a link that signs somebody in works, once."""
SPENT_LINKS_KEPT_DAYS = 400
"""Days for which a used link is remembered after its end, for clocks that jump ahead and back."""
USER_SESSION_HOURS = 12
"""Hours for which a user stays signed in."""
ANNOTATOR_SESSION_DAYS = 30
"""Days for which an annotator's browser is recognised."""
LOCAL_SESSION_DAYS = 30
"""Days for which a browser stays signed in at a desk on one's own machine."""

# Requests to servers.
CONNECTIONS = 1000
"""Connections of the workbench or the MCP server at once; further ones are asked to come later."""
HEADER_BYTES = 32 * 2**10
"""Bytes of the first lines of a request to the workbench."""
BODY_BYTES = 2**20
"""Bytes of a form or of JSON that is sent to the workbench."""
SMALL_BODY_BYTES = 64 * 2**10
"""Bytes that the workbench reads before it knows that the sender may send more."""
BODY_SECONDS = 60
"""Seconds that a request's body may take, beside its bytes at `BODY_BYTES_PER_SECOND`."""
BODY_BYTES_PER_SECOND = 2**18
"""Bytes a second that a body must arrive with."""
FORM_FIELDS = 200
"""Fields of one form."""
JSON_BYTES = 2**20
"""Bytes of one stored JSON value: an item's content, an answer, a draft."""
JSON_DEPTH = 64
"""Lists and objects of JSON within each other."""
UPLOAD_BYTES = 32 * 2**20
"""Bytes of a file that is uploaded to the desk, or to a campaign."""
MCP_IDLE_SECONDS = 10 * 60
"""Seconds without a request after which a session of the MCP server ends."""
MCP_SESSIONS = 200
"""Sessions that the MCP server keeps at once; a further one is refused until one ends."""
MCP_REQUEST_BYTES = 8 * 2**20
"""Bytes of a request to the MCP server: every character may be escaped, in several ways."""
MCP_TEXT_CHARACTERS = 100_000
"""Characters of one text in a call of a tool."""
MCP_CHARACTERS = 200_000
"""Characters of all texts in a call of a tool."""
MCP_SOURCES = 50
"""Source documents in a call of a tool."""
MCP_WAITING = 16
"""Calls of tools that wait; further ones are refused."""
NIF_REQUEST_BYTES = 8 * 2**20
"""Bytes of a document that is sent to the NIF service; `--limit`, in MiB."""
NIF_SKIPPED_BYTES = 64 * 2**20
"""Bytes of a request above that limit that are read, so that its sender hears the answer."""
NIF_SECONDS = 60
"""Seconds without a byte after which a request to the NIF service ends."""

# Campaigns of the workbench.
CAMPAIGN_FILE_BYTES = 512 * 2**20
"""Bytes of a file of items or guidelines that is named on the command line, unpacked."""
CAMPAIGN_FILE_ITEMS = 500_000
"""Items of one file."""
TABLE_CELL_CHARACTERS = 131_072
"""Characters of one cell of a table of items: the csv module's own limit."""
ITEM_KEY_CHARACTERS = 300
"""Characters of an item's key."""
GUIDELINES_CHARACTERS = 500_000
"""Characters of a campaign's guidelines."""
NOTE_CHARACTERS = 2_000
"""Characters of a note on an answer or a decision."""
PERSON_DETAILS_BYTES = 20_000
"""Bytes of what a panel says about a person."""
ANSWER_SECONDS = 30 * 24 * 3600
"""Seconds at work that an answer may claim."""
DETECTION_CHARACTERS = 100_000
"""Characters of a text whose mentions are linked."""
DETECTION_LINKS = 2_000
"""Links in one answer."""
DETECTION_TITLE_CHARACTERS = 300
"""Characters of the title of a linked page."""
CONFIRMATION_LINKS = 5_000
"""Links of one item that are to be confirmed."""
COREFERENCE_CHARACTERS = 1_000_000
"""Characters of a document whose coreference is marked."""
COREFERENCE_PHRASES = 50_000
"""Phrases that one answer marks."""
AGGREGATION_CONTEXT_CHARACTERS = 10_000
"""Characters of the excerpt beside a set that is named."""
AGGREGATION_ENTITIES = 12
"""Entities of a set that is named."""

# Projects and jobs of the desk (tatian.workbench.desk).
DESK_PROJECTS = 1000
"""Projects of one person."""
DESK_SOURCES = 100
"""Source documents of one project."""
DESK_SOURCE_CHARACTERS = 2_000_000
"""Characters of one source document."""
DESK_DECISIONS = 5000
"""Changes of one text that can be undone."""
DESK_TITLE_CHARACTERS = 200
"""Characters of a project's title."""
DESK_METADATA_CHARACTERS = 500
"""Characters of a source document's title, date, publisher or file name."""
DESK_MARKED_CHARACTERS = 300
"""Characters of a source that are marked as one side of a disagreement."""
DESK_TYPED_CHARACTERS = 20_000
"""Characters that are typed into a text at once."""
DESK_DRAFT_CHARACTERS = 200_000
"""Characters of a draft that is checked."""
DESK_JOB_SECONDS = 1800.0
"""Seconds that the models may work on one job; `--job-limit` of `tatian desk`, in minutes."""
DESK_STOP_SECONDS = 5.0
"""Seconds that a job has to stop by itself before its process is ended."""

# Language models that are asked (tatian.chat).
REPLY_SILENCE_SECONDS = 60.0
"""Seconds without a byte after which a request has failed; $TATIAN_PROMPT_TIMEOUT."""
REPLY_SECONDS = 600.0
"""Seconds that one reply may take in all; more where $TATIAN_PROMPT_TIMEOUT is longer."""
REPLY_BYTES = 16 * 2**20
"""Bytes that one reply may have, its headers included."""

# Storage.
LEAST_ROOM = 4096
"""Free bytes below which a disk counts as full: one page of a SQLite database."""
PARTIAL_FILE_HOURS = 24
"""Hours after which a file that was left half-written is removed by the next write beside it."""
