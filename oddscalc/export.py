"""Files written whole; results → Polars → Parquet."""

from __future__ import annotations

import io
import os
from pathlib import Path

from oddscalc.errors import ExportError, InputError
from oddscalc.results import Result

__all__ = ["check_folder", "check_parquet", "write_parquet", "write_whole"]


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
    """Write an answer's table as Parquet, compressed with zstd; readers never see half a file.

    Raises
    ------
    InputError
        As `check_parquet` does.
    ExportError
        If the file cannot be written; nothing is left behind.
    """
    check_parquet(path)
    content = io.BytesIO()
    result.to_polars().write_parquet(content, compression="zstd")
    write_whole(path, content.getbuffer())


def write_whole(path: Path, content: bytes | memoryview) -> None:
    """Write a file; readers never see half of it.

    Raises
    ------
    ExportError
        If it cannot be written; nothing is left behind.
    """
    # In the same folder, so that it can be renamed.
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            temporary.write_bytes(content)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise ExportError(f"The file '{path}' cannot be written: {error.strerror}.") from None
