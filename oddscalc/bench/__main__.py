"""``python -m oddscalc.bench NAME [PEER]``: one benchmark in a process of its own, as JSON."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

from oddscalc.bench.measuring import measure
from oddscalc.bench.suites import BENCHMARKS

if __name__ == "__main__":
    name, *peer = sys.argv[1:]
    print(json.dumps(asdict(measure(name, BENCHMARKS[name], *peer))))
