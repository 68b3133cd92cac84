"""Tests share one cache folder of their own, so that nothing of the user's is read or written."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

# Before any import of oddscalc: kernels look for their folder when they are imported. One folder
# for all workers and runs spares compiling; what is stored there is checked when it is read.
os.environ["ODDSCALC_CACHE"] = str(Path(tempfile.gettempdir()) / "oddscalc-tests")
