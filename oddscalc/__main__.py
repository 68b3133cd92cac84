"""``python -m oddscalc`` is the command line."""

from oddscalc.cli import main

main()
