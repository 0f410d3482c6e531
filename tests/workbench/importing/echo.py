"""A minimal task: a text is shown, a text is answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from tatian.errors import InputError
from tatian.text.layers import Record
from tatian.workbench.settings import CampaignStage
from tatian.workbench.tasks import Exported, Json, NewItem, Task
from tatian.workbench.tasks.items import read_fields


class EchoTask(Task):
    """A task whose answers are texts."""

    name = "echo"
    title = "Say it again"
    folder = Path(__file__).parent
    module = "echo.js"
    columns = ("id", "text", "right")
    demo_stages = (CampaignStage("practice", feedback=True), CampaignStage("production"))

    def guidelines(self) -> str:
        return "## Rules\n\nSay it again.\n"

    def read(self, name: str, data: bytes, mapping: Mapping[str, str]) -> Iterable[NewItem]:
        for line, row in read_fields(name, data, mapping):
            if "text" not in row:
                raise InputError("no column 'text'", path=name, line=line)
            gold = {"text": row["right"]} if row.get("right") else None
            yield NewItem(str(row.get("id") or line), {"text": row["text"]}, gold)

    def content(self, plain: Json) -> Json:
        if not isinstance(plain.get("text"), str):
            raise InputError("an item has a text")
        return plain

    def gold(self, content: Json, gold: Json) -> Json:
        return {"text": self.content(gold)["text"]}

    def check_options(self, options: Json) -> None:
        if options:
            raise InputError("there are no options")

    def to_page(self, content: Json, seed: int, options: Json) -> Json:
        return content

    def from_page(self, content: Json, seed: int, options: Json, answer: Any) -> Json:
        return {"text": answer["text"]}

    def answer_to_page(self, content: Json, seed: int, options: Json, answer: Json) -> Json:
        return answer

    def score(self, content: Json, gold: Json, answer: Json) -> float:
        return float(gold == answer)

    def feedback(self, content: Json, gold: Json, answer: Json) -> Json:
        return gold

    def suggest(self, content: Json) -> Json | None:
        return {"text": content["text"]}

    def export(
        self, items: Iterable[NewItem], records: Iterable[Record[Json]]
    ) -> Iterable[Exported]:
        for record in records:
            if "text" not in record.answer:
                raise InputError(f"record '{record.id}' has no text")
        said = [[record.item, record.answer["text"]] for record in records]
        yield Exported("said.json", msgspec.json.encode(said))

    def demo(self) -> Sequence[NewItem]:
        return [NewItem("p", {"text": "Try."}, {"text": "Try."}, 0), NewItem("d", {"text": "Do."})]


class TwoFilesTask(EchoTask):
    """The same task with two exported files, one with an unsafe name."""

    name = "two"

    def export(
        self, items: Iterable[NewItem], records: Iterable[Record[Json]]
    ) -> Iterable[Exported]:
        yield from super().export(items, records)
        keys = "\n".join(item.key for item in items)
        yield Exported("../../items.txt", keys.encode())
