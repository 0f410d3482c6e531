"""Files that somebody sends: read within limits, and kept until they have decided to import them.

A form with a file is the one thing that the server's own reading of forms does not take.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
import threading
import weakref
from collections.abc import AsyncGenerator
from pathlib import Path
from tempfile import mkdtemp

from msgspec import Struct
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from tatian.workbench.campaigns.importing import LIMIT
from tatian.workbench.errors import BadRequest, NotFound
from tatian.workbench.storage.database import now
from tatian.workbench.web.bodies import TooLarge, TooSlow, WrongType

KIND = "multipart/form-data"
_HOUR = 3_600_000
_FIELDS = 20
_PATIENCE = 300
"""Seconds that a file may take to arrive."""


class Upload(Struct, frozen=True):
    """A file, and what it is called where it came from."""

    name: str
    data: bytes


async def received(request: Request) -> tuple[dict[str, str], Upload | None]:
    """The fields of a form and the file that came with it, if one did."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != KIND:
        raise WrongType(f"send this as {KIND}")
    stream = _bounded(request)
    parser = MultiPartParser(
        request.headers, stream, max_files=1, max_fields=_FIELDS, max_part_size=LIMIT
    )
    try:
        async with asyncio.timeout(_PATIENCE):
            form = await parser.parse()
    except (MultiPartException, KeyError, UnicodeDecodeError) as error:
        raise BadRequest("not a form that this page sent") from error
    except TimeoutError as error:
        raise TooSlow("the file did not arrive in time; send it again") from error
    fields: dict[str, str] = {}
    upload = None
    for name, value in form.multi_items():
        if isinstance(value, UploadFile):
            upload = Upload(value.filename, await value.read()) if value.filename else None
        else:
            fields[name] = value
    await form.close()
    return fields, upload


async def _bounded(request: Request) -> AsyncGenerator[bytes, None]:
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > LIMIT + (1 << 16):
            raise TooLarge(f"more than {LIMIT >> 20} MiB; send less at a time")
        yield part


class _Waiting(Struct, frozen=True):
    user: str
    campaign: str
    name: str
    at: int


class Uploads:
    """What waits between a form and its preview; of one person only the latest few."""

    def __init__(self, *, each: int = 3) -> None:
        self._each = each
        self._lock = threading.Lock()
        self._folder: Path | None = None
        self._waiting: dict[str, _Waiting] = {}

    def keep(self, user: str, campaign: str, upload: Upload) -> str:
        """Put a file aside; the token brings it back."""
        token = secrets.token_urlsafe(16)
        with self._lock:
            mine = [key for key, one in self._waiting.items() if one.user == user]
            late = [key for key, one in self._waiting.items() if one.at < now() - _HOUR]
            for key in {*late, *mine[: max(0, len(mine) - self._each + 1)]}:
                self._forget(key)
            if self._folder is None:
                self._folder = Path(mkdtemp(prefix="tatian-uploads-"))
                weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._file(token).write_bytes(upload.data)
            self._waiting[token] = _Waiting(user, campaign, upload.name, now())
        return token

    def get(self, user: str, campaign: str, token: str) -> Upload:
        """The file behind a token, for whoever sent it and the campaign they sent it to."""
        with self._lock:
            found = self._waiting.get(token)
            mine = found is not None and (found.user, found.campaign) == (user, campaign)
            if found is None or not mine or not self._file(token).exists():
                raise NotFound("this file is no longer waiting: send it again")
            return Upload(found.name, self._file(token).read_bytes())

    def drop(self, token: str) -> None:
        """Forget a file that has been imported."""
        with self._lock:
            if token in self._waiting:
                self._forget(token)

    def _forget(self, token: str) -> None:
        del self._waiting[token]
        self._file(token).unlink(missing_ok=True)

    def _file(self, token: str) -> Path:
        assert self._folder is not None
        return self._folder / token
