"""What is published, and the commands that make it: ``python -m results``."""
