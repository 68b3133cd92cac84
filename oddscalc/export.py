"""Files written whole; results → Polars → Parquet."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from oddscalc.errors import ExportError, InputError
from oddscalc.results import Result
from oddscalc.store import whole

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

__all__ = [
    "check_folder",
    "check_parquet",
    "packed",
    "unpacked",
    "write_frame",
    "write_parquet",
    "write_whole",
]


def check_parquet(path: Path) -> None:
    """Refuse a file that cannot become Parquet, before the work is done.

    Raises
    ------
    InputError
        If its name ends otherwise, or its folder is none.
    """
    if path.suffix.lower() != ".parquet":
        raise InputError(f"The file '{path}' has another ending; accepted: NAME.parquet.")
    check_folder(path)


def check_folder(path: Path) -> None:
    """Refuse a file whose folder does not exist.

    Raises
    ------
    InputError
        If it does not.
    """
    if not path.parent.is_dir():
        raise InputError(f"There is no folder '{path.parent}'; accepted: a folder that exists.")


def write_parquet(result: Result, path: Path) -> None:
    """Write an answer's table as Parquet, as `write_frame` does.

    Raises
    ------
    InputError
        As `check_parquet` does.
    ExportError
        If the file cannot be written; nothing is left behind.
    """
    check_parquet(path)
    write_frame(result.to_polars(), path)


def write_frame(frame: pl.DataFrame, path: Path, about: Mapping[str, str] | None = None) -> None:
    """Write a frame as Parquet, compressed with zstd; readers never see half a file.

    Parameters
    ----------
    about
        What the file says of itself, as its metadata.

    Raises
    ------
    ExportError
        If the file cannot be written; nothing is left behind.
    """
    try:
        with whole(path) as file:
            frame.write_parquet(file, compression="zstd", metadata=dict(about or {}))
    except OSError as error:
        raise ExportError(f"The file '{path}' cannot be written: {error.strerror}.") from None


def write_whole(path: Path, content: bytes | memoryview) -> None:
    """Write a file; readers never see half of it.

    Raises
    ------
    ExportError
        If it cannot be written; nothing is left behind.
    """
    try:
        with whole(path) as file:
            file.write(content)
    except OSError as error:
        raise ExportError(f"The file '{path}' cannot be written: {error.strerror}.") from None


def packed(frame: pl.DataFrame) -> NDArray[np.uint8]:
    """Return a frame as bytes, so that it can be stored as an array."""
    content = io.BytesIO()
    frame.write_ipc(content, compression="zstd")
    return np.frombuffer(content.getbuffer(), np.uint8)


def unpacked(content: NDArray[np.uint8]) -> pl.DataFrame:
    """Return the frame of `packed`."""
    import polars as pl

    return pl.read_ipc(io.BytesIO(content.tobytes()))
