"""The published pages of the benchmarks, and the same as pytest-benchmark suites."""
