"""GGUF files, in which language models and their adapters are kept: read and written.

The format is that of ggml, version 3, little-endian: metadata by key, then a table of tensors, then
their data. Tensors are read as float32 whatever they are stored as; the types that small models
use are known (F32, F16, Q4_0, Q4_1, Q8_0).
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from tatian.errors import AssetError

Floats = npt.NDArray[np.float32]
Value = str | bool | int | float | list[Any]

MAGIC: Final = b"GGUF"
VERSION: Final = 3
ALIGNMENT: Final = 32
BLOCK: Final = 32
"""Weights that share a scale in the quantised types."""

_SCALARS: Final = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?",
                   10: "<Q", 11: "<q", 12: "<d"}  # fmt: skip
_STRING: Final = 8
_ARRAY: Final = 9
_UINT32: Final = 4
_INT32: Final = 5
"""Of numbers in a list: llama.cpp reads the types of tokens as signed ones only."""
_FLOAT32: Final = 6
_BOOL: Final = 7


class Kind(NamedTuple):
    """How a tensor's numbers are stored."""

    code: int
    items: int
    """Numbers in one block."""
    size: int
    """Bytes of one block."""
    decode: Callable[[npt.NDArray[np.uint8]], Floats]
    """From blocks, one per row, to their numbers."""


def _decode_f32(blocks: npt.NDArray[np.uint8]) -> Floats:
    return blocks.view("<f4").astype(np.float32, copy=False)


def _decode_f16(blocks: npt.NDArray[np.uint8]) -> Floats:
    return blocks.view("<f2").astype(np.float32)


def _half(blocks: npt.NDArray[np.uint8], at: int) -> Floats:
    """The float16 at byte `at` of each block, as a column."""
    return np.ascontiguousarray(blocks[:, at : at + 2]).view("<f2").astype(np.float32)


def _nibbles(blocks: npt.NDArray[np.uint8], at: int) -> Floats:
    """The 32 four-bit numbers from byte `at`: first all low halves, then all high ones."""
    packed = blocks[:, at:]
    numbers = np.empty((len(blocks), BLOCK), np.float32)
    np.copyto(numbers[:, :16], packed & 15)
    np.copyto(numbers[:, 16:], packed >> 4)
    return numbers


def _decode_q4_0(blocks: npt.NDArray[np.uint8]) -> Floats:
    numbers = _nibbles(blocks, 2)
    numbers -= 8
    numbers *= _half(blocks, 0)
    return numbers


def _decode_q4_1(blocks: npt.NDArray[np.uint8]) -> Floats:
    numbers = _nibbles(blocks, 4)
    numbers *= _half(blocks, 0)
    numbers += _half(blocks, 2)
    return numbers


def _decode_q8_0(blocks: npt.NDArray[np.uint8]) -> Floats:
    numbers = blocks[:, 2:].view(np.int8).astype(np.float32)
    numbers *= _half(blocks, 0)
    return numbers


KINDS: Final = {
    "F32": Kind(0, 1, 4, _decode_f32),
    "F16": Kind(1, 1, 2, _decode_f16),
    "Q4_0": Kind(2, BLOCK, 18, _decode_q4_0),
    "Q4_1": Kind(3, BLOCK, 20, _decode_q4_1),
    "Q8_0": Kind(8, BLOCK, 34, _decode_q8_0),
}
_BY_CODE: Final = {kind.code: kind for kind in KINDS.values()}


class Entry(NamedTuple):
    """One line of the table of tensors."""

    shape: tuple[int, ...]
    """Rows first, as numpy has it; the file has it the other way round."""
    code: int
    offset: int


class GGUF:
    """A file opened for reading: its metadata at once, its tensors when asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise AssetError(f"{path} cannot be read: {error}") from error
        try:
            self._read_header()
        except (struct.error, IndexError, UnicodeDecodeError, KeyError) as error:
            raise AssetError(f"{path} is not a whole GGUF file ({error})") from error

    def _read_header(self) -> None:
        if self._data[:4] != MAGIC:
            raise AssetError(f"{self.path} is not a GGUF file")
        version, tensors, pairs = struct.unpack_from("<IQQ", self._data, 4)
        if version not in (2, VERSION):
            raise AssetError(f"{self.path} is GGUF version {version}, not {VERSION}")
        cursor = _Cursor(self._data, 24)
        self.metadata: dict[str, Value] = {}
        for _ in range(pairs):
            key = cursor.string()
            self.metadata[key] = cursor.value(cursor.scalar("<I"))
        self.tensors: dict[str, Entry] = {}
        for _ in range(tensors):
            name = cursor.string()
            sizes = [cursor.scalar("<Q") for _ in range(cursor.scalar("<I"))]
            self.tensors[name] = Entry(
                tuple(reversed(sizes)), cursor.scalar("<I"), cursor.scalar("<Q")
            )
        alignment = self.metadata.get("general.alignment", ALIGNMENT)
        assert isinstance(alignment, int)
        self._start = _aligned(cursor.place, alignment)

    def tensor(self, name: str) -> Floats:
        """One tensor as float32."""
        entry = self.tensors.get(name)
        if entry is None:
            raise AssetError(f"{self.path} has no tensor '{name}'")
        kind = _BY_CODE.get(entry.code)
        if kind is None:
            known = ", ".join(KINDS)
            raise AssetError(
                f"{self.path}: '{name}' is stored as type {entry.code}; known are {known}"
            )
        count = int(np.prod(entry.shape))
        begin = self._start + entry.offset
        length = count // kind.items * kind.size
        if begin + length > len(self._data):
            raise AssetError(f"{self.path} ends inside '{name}'")
        raw = np.frombuffer(self._data, np.uint8, length, begin)
        return kind.decode(raw.reshape(-1, kind.size)).reshape(entry.shape)

    def text(self, key: str) -> str:
        """A value that must be there and be a string."""
        value = self.metadata.get(key)
        if isinstance(value, str):
            return value
        raise AssetError(f"{self.path} has no text '{key}'")

    def number(self, key: str) -> float:
        """A value that must be there and be a number."""
        value = self.metadata.get(key)
        if isinstance(value, int | float):
            return value
        raise AssetError(f"{self.path} has no number '{key}'")

    def items(self, key: str) -> list[Any]:
        """A value that must be there and be a list."""
        value = self.metadata.get(key)
        if isinstance(value, list):
            return value
        raise AssetError(f"{self.path} has no list '{key}'")


class _Cursor:
    """Reads one value after another."""

    def __init__(self, data: mmap.mmap, place: int) -> None:
        self._data = data
        self.place = place

    def scalar(self, form: str) -> Any:
        (value,) = struct.unpack_from(form, self._data, self.place)
        self.place += struct.calcsize(form)
        return value

    def string(self) -> str:
        length = self.scalar("<Q")
        text = self._data[self.place : self.place + length]
        self.place += length
        return text.decode("utf-8")

    def value(self, kind: int) -> Value:
        if kind == _STRING:
            return self.string()
        if kind == _ARRAY:
            inner, count = self.scalar("<I"), self.scalar("<Q")
            return [self.value(inner) for _ in range(count)]
        value: Value = self.scalar(_SCALARS[kind])
        return value


def quantise_q8_0(numbers: Floats) -> bytes:
    """Rows whose length is a multiple of 32, as blocks of int8 under a float16 scale.

    A scale that float16 does not have becomes the next larger one, so that nothing is cut off.
    """
    blocks = numbers.reshape(-1, BLOCK).astype(np.float32)
    wanted = np.abs(blocks).max(1, keepdims=True) / 127
    near = wanted.astype("<f2")
    scales = np.where(near < wanted, np.nextafter(near, np.float16(np.inf)), near).astype("<f2")
    divisors = np.where(scales == 0, 1, scales.astype(np.float32))
    rounded = np.rint(blocks / divisors).clip(-127, 127).astype(np.int8)
    return np.concatenate([scales.view(np.uint8), rounded.view(np.uint8)], axis=1).tobytes()


_ENCODERS: Final[dict[str, Callable[[Floats], bytes]]] = {
    "F32": lambda numbers: numbers.astype("<f4").tobytes(),
    "F16": lambda numbers: numbers.astype("<f2").tobytes(),
    "Q8_0": quantise_q8_0,
}


def write(
    path: Path, metadata: Mapping[str, Value], tensors: Mapping[str, tuple[str, Floats]]
) -> None:
    """Write a file that `GGUF` and llama.cpp read; each tensor with the kind it is stored as."""
    header = [MAGIC, struct.pack("<IQQ", VERSION, len(tensors), len(metadata))]
    header += [_string(key) + _value(value) for key, value in metadata.items()]
    data: list[bytes] = []
    offset = 0
    for name, (kind, numbers) in tensors.items():
        sizes = tuple(reversed(numbers.shape))
        header.append(_string(name) + struct.pack(f"<I{len(sizes)}Q", len(sizes), *sizes))
        header.append(struct.pack("<IQ", KINDS[kind].code, offset))
        data.append(_padded(_ENCODERS[kind](numbers)))
        offset += len(data[-1])
    path.write_bytes(_padded(b"".join(header)) + b"".join(data))


def _string(text: str) -> bytes:
    encoded = text.encode("utf-8")
    return struct.pack("<Q", len(encoded)) + encoded


def _value(value: Value) -> bytes:
    if isinstance(value, list):
        if value and all(type(item) is int for item in value):
            numbers = struct.pack(f"<{len(value)}i", *value)
            return struct.pack("<IIQ", _ARRAY, _INT32, len(value)) + numbers
        items = [_value(item) for item in value]
        kind = items[0][:4] if items else struct.pack("<I", _STRING)
        inside = b"".join(item[4:] for item in items)
        return struct.pack("<I", _ARRAY) + kind + struct.pack("<Q", len(items)) + inside
    if isinstance(value, str):
        return struct.pack("<I", _STRING) + _string(value)
    if isinstance(value, bool):
        return struct.pack("<I?", _BOOL, value)
    if isinstance(value, int):
        return struct.pack("<II", _UINT32, value)
    return struct.pack("<If", _FLOAT32, value)


def _aligned(place: int, alignment: int = ALIGNMENT) -> int:
    return -(-place // alignment) * alignment


def _padded(data: bytes) -> bytes:
    return data.ljust(_aligned(len(data)), b"\0")


def fits(shape: Sequence[int], kind: str) -> bool:
    """Whether a tensor of this shape can be stored as `kind`."""
    return shape[-1] % KINDS[kind].items == 0
