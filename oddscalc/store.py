"""Solved tables in the user's cache: fingerprint, atomic write, checked read, memory map.

A table is one file: a magic word, the length of the header, the header's CRC-32, the header
(JSON: format, fingerprint, the arrays' types, shapes, places and the CRC-32s of their blocks, free
metadata), then the arrays, each starting at a multiple of 64 bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from oddscalc.errors import MissingTableError, StoreError

__all__ = [
    "Table",
    "cache_folder",
    "check_may_build",
    "fetch",
    "fingerprint",
    "is_unfinished",
    "load",
    "save",
    "stored_at",
    "stored_only",
    "warn",
    "whole",
]

_MAGIC = b"ODDSCALC"
_FORMAT = 2
_HEAD = struct.Struct("<8sII")  # magic, header's length, header's CRC-32
_ALIGN = 64
_BLOCK = 1 << 18  # bytes that one CRC-32 stands for
_UNFINISHED = ".part"

_MAY_BUILD: ContextVar[bool] = ContextVar("may_build", default=True)


@dataclass(frozen=True)
class Table:
    """Arrays of a solved table by name, with what is known of how they were made.

    The bytes of one that was loaded unchecked are to be read through `part`.
    """

    arrays: Mapping[str, NDArray[Any]]
    metadata: Mapping[str, Any]
    unchecked: Mapping[str, list[int]] = field(default_factory=dict)

    def part(self, name: str, start: int, stop: int) -> NDArray[Any]:
        """Return a part of a one-dimensional array, its blocks checked.

        Raises
        ------
        StoreError
            If a block is damaged.
        """
        array = self.arrays[name]
        if name in self.unchecked and start < stop:
            size = array.dtype.itemsize
            blocks = range(start * size // _BLOCK, (stop * size - 1) // _BLOCK + 1)
            _check(array, name, self.unchecked[name], blocks)
        return array[start:stop]


def cache_folder() -> Path:
    """Return the folder for solved tables: ODDSCALC_CACHE, or the user's cache folder."""
    asked = os.environ.get("ODDSCALC_CACHE")
    if asked:
        return Path(asked)
    import platformdirs

    return Path(platformdirs.user_cache_dir("oddscalc", appauthor=False))


def fingerprint(*made_of: object) -> str:
    """Return 32 hexadecimal digits for JSON-like objects; equal objects give equal digits.

    >>> fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})
    True
    """
    text = json.dumps(made_of, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{sys.byteorder}:{text}".encode()).hexdigest()[:32]


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that is there in full or not at all; its folder is made.

    Raises
    ------
    OSError
        If the folder cannot be written or is full; nothing is left behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # In the same folder, so that it can be renamed; other machines may write there too.
    temporary = path.with_name(f".{path.name}.{os.urandom(6).hex()}{_UNFINISHED}")
    try:
        with temporary.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def is_unfinished(name: str) -> bool:
    """Tell whether a file has the name of one that was not finished."""
    return name.startswith(".") and name.endswith(_UNFINISHED)


def save(path: Path, mark: str, table: Table) -> None:
    """Write `table` to `path` under the fingerprint `mark`; readers never see half a file.

    Raises
    ------
    OSError
        If the folder cannot be written or is full; nothing is left behind.
    """
    places, end = {}, 0
    for name, array in table.arrays.items():
        places[name] = {
            "dtype": array.dtype.str,
            "shape": list(array.shape),
            "offset": end,
            "crc": [zlib.crc32(block) for block in _blocks(np.ascontiguousarray(array))],
        }
        end = _aligned(end + array.nbytes)
    header = json.dumps(
        {
            "format": _FORMAT,
            "fingerprint": mark,
            "bytes": end,
            "arrays": places,
            "metadata": dict(table.metadata),
        }
    ).encode()
    start = _aligned(_HEAD.size + len(header))
    with whole(path) as file:
        file.write(_HEAD.pack(_MAGIC, len(header), zlib.crc32(header)))
        file.write(header)
        for name, array in table.arrays.items():
            file.seek(start + places[name]["offset"])  # type: ignore[operator]
            file.write(np.ascontiguousarray(array).data)
        file.truncate(start + end)


def load(path: Path, mark: str | None, *, check: bool = True) -> Table:
    """Read the table at `path`, its arrays mapped read-only, every byte checked if not told not to.

    Without `mark` it may be made of anything: its metadata tell.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    StoreError
        If the file is damaged, truncated, or was made from something else than `mark` says.
    OSError
        If the file cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            raise StoreError(f"{path.name} is truncated")
        magic, length, crc = _HEAD.unpack(head)
        if magic != _MAGIC:
            raise StoreError(f"{path.name} is not a table of oddscalc")
        text = file.read(length)
        if len(text) < length or zlib.crc32(text) != crc:
            raise StoreError(f"{path.name} has a damaged header")
    header = json.loads(text)
    if header["format"] != _FORMAT or mark not in (None, header["fingerprint"]):
        raise StoreError(f"{path.name} was made by other rules or another version")
    start = _aligned(_HEAD.size + length)
    if path.stat().st_size != start + header["bytes"]:
        raise StoreError(f"{path.name} is truncated")
    content = np.memmap(path, dtype=np.uint8, mode="r", offset=start)
    arrays, crcs = {}, {}
    for name, place in header["arrays"].items():
        dtype, shape = np.dtype(place["dtype"]), tuple(place["shape"])
        size = int(np.prod(shape)) * dtype.itemsize
        raw = np.asarray(content[place["offset"] : place["offset"] + size])
        arrays[name], crcs[name] = raw.view(dtype).reshape(shape), place["crc"]
        if check:
            _check(arrays[name], name, crcs[name], range(len(crcs[name])))
    return Table(arrays, header["metadata"], {} if check else crcs)


def _blocks(array: NDArray[Any]) -> list[memoryview]:
    content = array.reshape(-1).view(np.uint8).data
    return [content[start : start + _BLOCK] for start in range(0, len(content), _BLOCK)]


def _check(array: NDArray[Any], name: str, crcs: list[int], blocks: range) -> None:
    content = array.reshape(-1).view(np.uint8)
    for block in blocks:
        if zlib.crc32(content[block * _BLOCK : (block + 1) * _BLOCK].data) != crcs[block]:
            raise StoreError(f"the array {name} is damaged")


def fetch(name: str, mark: str, build: Callable[[], Table], *, check: bool = True) -> Table:
    """Return the stored table `name` made of `mark`, read-only, or build and store it.

    Processes that want a table which another one is building wait for it. A damaged or foreign
    file is rebuilt with a word in the log; where the folder cannot be written the table is returned
    all the same. Unchecked, damage shows only in `Table.part`.

    Raises
    ------
    MissingTableError
        Within `stored_only`, if the table would have to be built.
    """
    path = stored_at(name, mark)
    table = _stored(path, mark, check=check)
    if table is not None:
        return table
    check_may_build(name)
    with _alone(path):
        if path.exists() and (table := _stored(path, mark, check=check)) is not None:
            return table
        table = build()
        for array in table.arrays.values():
            # As it will be read again: kernels are compiled for either kind of array anew.
            array.setflags(write=False)
        try:
            save(path, mark, table)
        except OSError as error:
            warn("The table cannot be stored in the cache folder (%s).", error.strerror)
    return table


def stored_at(name: str, mark: str) -> Path:
    """Return where `fetch` stores a table."""
    return cache_folder() / f"{name}-{mark}.table"


def _stored(path: Path, mark: str, *, check: bool) -> Table | None:
    try:
        return load(path, mark, check=check)
    except FileNotFoundError:
        return None
    except StoreError as error:
        warn("Stored table unusable: %s; it is built again.", error)
    except OSError as error:
        warn("Stored table unreadable (%s); it is built again.", error.strerror)
    return None


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Wait while another process builds the same table; where nothing can be written, do not."""
    from filelock import FileLock

    folder = path.parent / "locks"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = FileLock(folder / f"{path.name}.lock").acquire()
    except OSError:
        yield
        return
    with held:
        yield


@contextmanager
def stored_only() -> Iterator[None]:
    """Let nothing be built in this thread: for answers that must come at once or not at all."""
    before = _MAY_BUILD.set(False)
    try:
        yield
    finally:
        _MAY_BUILD.reset(before)


def check_may_build(name: str) -> None:
    """Let nothing go on to building the table within `stored_only`.

    Raises
    ------
    MissingTableError
        Within `stored_only`.
    """
    if not _MAY_BUILD.get():
        raise MissingTableError(f"The table {name} is not stored.")


def warn(sentence: str, *words: object) -> None:
    """Put a sentence into the log, on stderr unless told otherwise."""
    import logging  # a look-up that goes well needs it not

    logging.getLogger("oddscalc").warning(sentence, *words)


def _aligned(size: int) -> int:
    return -(-size // _ALIGN) * _ALIGN
