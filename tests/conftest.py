"""Tests have a cache folder of their own, so that nothing of the user's is read or written."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from hypothesis import settings


def _source_mark() -> str:
    """Return digits that change with the package's source."""
    package = Path(__file__).parent.parent / "oddscalc"
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


# Before any import of oddscalc: kernels look for their folder when they are imported. All workers
# share the folder, which spares compiling; changed code never sees what older code has stored.
os.environ["ODDSCALC_CACHE"] = str(Path(tempfile.gettempdir()) / f"oddscalc-{_source_mark()}")

# Machines are slow when kernels compile: how long an example takes tells nothing.
settings.register_profile("oddscalc", deadline=None)
settings.load_profile("oddscalc")
