"""Records from Parquet files, a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from tatian.errors import InputError, MissingExtra

COLUMNS = ("text", "id", "title", "date", "source", "topic")
_BATCH = 256


def records(path: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each row with its number: those columns that a record may have, days in ISO 8601."""
    try:
        import pyarrow
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise MissingExtra("reading Parquet", "stories") from error
    number = 0
    try:
        with ParquetFile(path) as file:
            known = [column for column in COLUMNS if column in file.schema_arrow.names]
            for batch in file.iter_batches(_BATCH, columns=known):
                for row in batch.to_pylist():
                    number += 1
                    yield number, {column: _plain(value) for column, value in row.items()}
    except (pyarrow.ArrowException, OSError) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise InputError(f"cannot be read as Parquet: {reason.lower()}", path=name) from error


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value
