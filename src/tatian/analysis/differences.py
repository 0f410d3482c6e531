"""Bodies stored as differences from the body that their training started from.

A file of differences is a JSON line, then an ONNX file in which the int8 matrices of the layers are
replaced by what must be added to a prediction from the base's matrices. It is smaller when packed,
since the differences of a fine-tuned matrix are small, and nothing is lost.
"""

from __future__ import annotations

import hashlib

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.errors import AssetError


class MatrixPlace(Struct, frozen=True, array_like=True):
    """Byte offsets of a matrix and its column scales, in the file and in the base."""

    rows: int
    columns: int
    matrix: int
    scales: int
    base_matrix: int
    base_scales: int


class Differences(Struct, frozen=True):
    """First line of a file of differences."""

    base: str
    """Name of the body that the predictions are from."""
    sha256: str
    """Checksum of the restored file: another base would give other weights."""
    places: tuple[MatrixPlace, ...]


def read_header(data: bytes) -> tuple[Differences, bytes]:
    """Return the first line of a file of differences, and what follows it."""
    line, _, rest = data.partition(b"\n")
    try:
        return msgspec.json.decode(line, type=Differences), rest
    except msgspec.DecodeError as error:
        raise AssetError(f"not a file of differences: {error}") from error


def restore_body(differences: Differences, data: bytes, base: bytes) -> bytes:
    """Return the ONNX file of which `data` holds the differences from `base`."""
    restored = bytearray(data)
    for place in differences.places:
        matrix = read_matrix(restored, place.matrix, place)
        matrix += predict_matrix(restored, base, place)
    if hashlib.sha256(restored).hexdigest() != differences.sha256:
        raise AssetError(f"differences from another training of '{differences.base}': reinstall")
    return bytes(restored)


def predict_matrix(
    data: bytes | bytearray, base: bytes, place: MatrixPlace
) -> npt.NDArray[np.int8]:
    """Return the base's matrix in the units of the other file's scales."""
    count = place.columns
    scales = np.frombuffer(data, "<f4", count, place.scales)
    ratio = np.frombuffer(base, "<f4", count, place.base_scales) / scales
    predicted = np.rint(read_matrix(base, place.base_matrix, place) * ratio)
    rounded: npt.NDArray[np.int8] = np.clip(predicted, -127, 127).astype(np.int8)
    return rounded


def read_matrix(data: bytes | bytearray, offset: int, place: MatrixPlace) -> npt.NDArray[np.int8]:
    """Return a view of the matrix of a place."""
    size = place.rows * place.columns
    return np.frombuffer(data, np.int8, size, offset).reshape(place.rows, place.columns)
