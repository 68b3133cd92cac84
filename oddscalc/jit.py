"""The one way in which oddscalc compiles kernels.

Kernels release the GIL and are plain nopython functions: `solve` runs them on several
threads over separate parts of the work, so that no result depends on the number of threads.
Compiled code is cached beside the solved tables; where that folder cannot be written the
kernels are compiled anew in each process.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import config

from oddscalc.store import cache_folder

__all__ = ["jit", "jit_lent", "one_thread", "run_parts", "threads"]

F = TypeVar("F", bound=Callable[..., Any])


def _kernel_folder() -> str:
    """Return a writable folder for compiled kernels, or "" if there is none.

    Its name changes with the files that kernels are made of: Numba notices that a kernel's own file
    has changed, but not one from which it calls another kernel.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    package = Path(__file__).parent
    for path in sorted([Path(__file__), *package.rglob("kernel*.py"), *package.rglob("tables.py")]):
        state = path.stat()
        digest.update(f"{path.name} {state.st_size} {state.st_mtime_ns}".encode())
    folder = cache_folder() / f"kernels-{digest.hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        return ""
    return str(folder)


_FOLDER = _kernel_folder()
_LOCAL = threading.local()


def jit(kernel: F) -> F:
    """Compile `kernel` for the arguments it is called with.

    Divisions by zero give infinities as in NumPy; floating-point sums keep their order.
    """
    return _compiled(kernel)


def jit_lent(kernel: F) -> F:
    """Compile a kernel that other kernels call and that allocates nothing.

    Its arrays are its caller's, and their references are not counted: in tuples of arrays that
    takes as long as the work of a small kernel.
    """
    return _compiled(kernel, _nrt=False)


def _compiled(kernel: F, **options: Any) -> F:
    # Numba asks for the folder when it decorates. The setting is put back at once: other
    # users of Numba in this process keep their own.
    previous = config.CACHE_DIR
    config.CACHE_DIR = _FOLDER
    try:
        compiled: F = numba.njit(nogil=True, error_model="numpy", cache=bool(_FOLDER), **options)(
            kernel
        )
    finally:
        config.CACHE_DIR = previous
    return compiled


def threads() -> int:
    """Return how many threads kernels run on: ODDSCALC_THREADS, or every core at hand.

    Within `one_thread` it is one.
    """
    if getattr(_LOCAL, "alone", False):
        return 1
    asked = os.environ.get("ODDSCALC_THREADS", "")
    if asked.isdecimal() and int(asked) > 0:
        return int(asked)
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


@contextmanager
def one_thread() -> Iterator[None]:
    """Let the work of this thread use no others: there is one such thread a core already."""
    before = getattr(_LOCAL, "alone", False)
    _LOCAL.alone = True
    try:
        yield
    finally:
        _LOCAL.alone = before


def run_parts(pool: ThreadPoolExecutor, part: Callable[[int], None], parts: int) -> None:
    """Run ``part(0) … part(parts - 1)`` on `pool` and wait; the first error is raised."""
    for _ in pool.map(part, range(parts)):
        pass
