"""The page for the people at the table, and the JSON endpoints behind it (docs/web.md)."""
