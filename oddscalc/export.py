"""Results → Polars → Parquet, with metadata."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from oddscalc.errors import ExportError, InputError
from oddscalc.results import Result

if TYPE_CHECKING:
    import polars as pl

__all__ = ["check_parquet", "write_frame", "write_parquet"]


def check_parquet(path: Path) -> None:
    """Refuse a file that cannot become Parquet, before the work is done.

    Raises
    ------
    InputError
        If its name ends otherwise, or its folder is none.
    """
    if path.suffix.lower() != ".parquet":
        raise InputError(f"The file '{path}' has another ending; accepted: NAME.parquet.")
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
    content = io.BytesIO()
    frame.write_parquet(content, compression="zstd", metadata=dict(about or {}))
    # In the same folder, so that it can be renamed.
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            temporary.write_bytes(content.getbuffer())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise ExportError(f"The file '{path}' cannot be written: {error.strerror}.") from None
