"""Benchmarks: what is timed, how, and beside whom; ``oddscalc bench`` runs them."""
