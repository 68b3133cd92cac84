"""The files of the page: all read when the server starts, so that no request names a file."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

__all__ = ["file_routes"]

_FOLDER = Path(__file__).parent / "static"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def file_routes() -> Iterator[Route]:
    """Yield a route for each file: ``/static/dice.js``, and a page under its own name."""
    for path in sorted(_FOLDER.iterdir()):
        page = "/" if path.stem == "index" else f"/{path.stem}"
        address = page if path.suffix == ".html" else f"/static/{path.name}"
        yield Route(address, _file(path.read_bytes(), _TYPES[path.suffix]))


def _file(content: bytes, media_type: str) -> Callable[[Request], Awaitable[Response]]:
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}

    async def send_file(request: Request) -> Response:
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=media_type, headers=headers)

    return send_file
