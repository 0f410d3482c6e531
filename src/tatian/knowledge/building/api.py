"""Pages of a live wiki, asked for by title: introductions, redirects and categories."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from tatian.errors import InputError
from tatian.knowledge.building.api_client import Client
from tatian.knowledge.building.kinds import kind_of
from tatian.knowledge.building.mediawiki import role_of
from tatian.knowledge.building.mediawiki_shards import decode, encode, write_whole
from tatian.knowledge.building.pages import Page, Redirect
from tatian.knowledge.building.wikitext import Wikitext
from tatian.knowledge.building.wikitext_description import description_of
from tatian.knowledge.building.wikitext_links import target_of
from tatian.knowledge.forms import page_title
from tatian.progress import Progress, silent

ENDPOINT = "https://en.wikipedia.org/w/api.php"
AT_ONCE = 20
"""Titles in one request; the API gives no more introductions at once."""
CONTINUATIONS = 200
"""Answers to one question; more mean that the server goes round in circles."""

_QUESTION = {
    "action": "query",
    "prop": "extracts|pageprops|categories|redirects",
    "redirects": "1",
    "exintro": "1",
    "explaintext": "1",
    "exlimit": "max",
    "ppprop": "wikibase_item|disambiguation",
    "cllimit": "max",
    "clshow": "!hidden",
    "rdlimit": "max",
    "rdnamespace": "0",
    "rdprop": "title",
}
_log = logging.getLogger(__name__)


class Live:
    """Some pages of a live wiki. Every title is asked for once: answers stay in `cache`.

    `contact` (an e-mail address or web page) goes into the User-Agent, as Wikimedia asks for.
    """

    def __init__(
        self,
        titles: Iterable[str],
        *,
        endpoint: str = ENDPOINT,
        cache: str | Path,
        pause: float = 1.0,
        timeout: float = 30.0,
        contact: str = "",
        progress: Progress = silent,
    ) -> None:
        self.name = urlsplit(endpoint).netloc or endpoint
        self._titles = list(
            dict.fromkeys(target.title for one in titles if (target := target_of(one)).title)
        )
        self._cache = _Cache(Path(cache), endpoint)
        self._client = Client(endpoint, pause=pause, timeout=timeout, contact=contact)
        self._progress = progress

    def __iter__(self) -> Iterator[Page | Redirect]:
        done = 0
        titles = iter(self._titles)
        while batch := list(islice(titles, AT_ONCE)):
            missing = [title for title in batch if title not in self._cache]
            if missing:
                for title, items in self._fetch(missing).items():
                    self._cache.put(title, items)
            for title in batch:
                yield from self._cache.get(title)
            done += len(batch)
            self._progress(f"asking {self.name}", done, len(self._titles))

    def _fetch(self, titles: Sequence[str]) -> dict[str, list[Page | Redirect]]:
        """What the wiki has under some titles; nothing under those it does not have."""
        answer = _Answer()
        question = {**_QUESTION, "titles": "|".join(titles)}
        following: dict[str, str] = {}
        for _ in range(CONTINUATIONS):
            part = self._client.ask({**question, **following})
            answer.add(part)
            goes_on = part.get("continue")
            if not isinstance(goes_on, dict):
                return {title: answer.items(title) for title in titles}
            following = {str(key): str(value) for key, value in goes_on.items()}
        raise InputError(f"{self.name} does not finish its answer on '{titles[0]}' and others")


class _Answer:
    """The parts of an answer, put together."""

    def __init__(self) -> None:
        self._leads_to: dict[str, str] = {}
        self._sent_on: dict[str, str] = {}
        self._pages: dict[str, dict[str, Any]] = {}

    def add(self, part: dict[str, Any]) -> None:
        """Take in one part; lists grow, texts are set."""
        query = part.get("query")
        if not isinstance(query, dict):
            return
        for step in _dicts(query.get("normalized")):
            self._leads_to[str(step.get("from"))] = str(step.get("to"))
        for step in _dicts(query.get("redirects")):
            self._sent_on[str(step.get("from"))] = str(step.get("to"))
        for page in _dicts(query.get("pages")):
            known = self._pages.setdefault(str(page.get("title", "")), {})
            for key, value in page.items():
                if isinstance(value, list):
                    known.setdefault(key, []).extend(value)
                else:
                    known[key] = value

    def items(self, title: str) -> list[Page | Redirect]:
        """The page that a title leads to, and its other titles."""
        name = self._leads_to.get(title, title)
        seen: set[str] = set()
        while name in self._sent_on and name not in seen:
            seen.add(name)
            name = self._sent_on[name]
        page = self._pages.get(name)
        if page is None or page.get("missing") or page.get("invalid") or page.get("ns", 0) != 0:
            _log.warning("no page '%s'", title)
            return []
        made = _page(page)
        others = [str(other.get("title", "")) for other in _dicts(page.get("redirects"))]
        names = dict.fromkeys(page_title(other) for other in (*seen, *others))
        return [
            made,
            *(Redirect(other, made.title) for other in names if other not in ("", made.title)),
        ]


def _page(page: dict[str, Any]) -> Page:
    title = page_title(str(page.get("title", "")))
    extract = str(page.get("extract") or "").strip()
    categories = tuple(
        str(category.get("title", "")).partition(":")[2]
        for category in _dicts(page.get("categories"))
    )
    properties = page.get("pageprops")
    properties = properties if isinstance(properties, dict) else {}
    lead = next((line.strip() for line in extract.split("\n") if len(line.strip()) > 20), extract)
    said = Wikitext(
        categories=categories,
        templates=("disambiguation",) if "disambiguation" in properties else (),
        paragraphs=tuple(line.strip() for line in extract.split("\n") if line.strip()),
        lead=lead,
    )
    role = role_of(title, said)
    return Page(
        title=title,
        kind=kind_of(title, said) if role == "article" else None,
        role=role,
        description=description_of(lead),
        categories=categories,
        text=said.text,
        wikidata=str(properties.get("wikibase_item", "")),
    )


def _dicts(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


class _Cache:
    """Answers on disk, one file a title."""

    def __init__(self, directory: Path, endpoint: str) -> None:
        self._directory = directory
        self._endpoint = endpoint

    def __contains__(self, title: str) -> bool:
        path = self._path(title)
        try:
            decode(path.read_bytes())
        except FileNotFoundError:
            return False
        except msgspec.DecodeError:
            path.unlink()
            return False
        return True

    def get(self, title: str) -> list[Page | Redirect]:
        return decode(self._path(title).read_bytes())

    def put(self, title: str, items: list[Page | Redirect]) -> None:
        path = self._path(title)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, encode(items))
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", path=str(path)) from error

    def _path(self, title: str) -> Path:
        key = hashlib.sha256(f"{self._endpoint}\n{title}".encode()).hexdigest()
        return self._directory / key[:2] / f"{key[2:]}.msgpack"
