"""What every request has to pass, and the headers that every response carries."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["PAGE_POLICY", "Guard"]

LONGEST_QUERY = 8_000  # bytes

PAGE_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    )
)
_HEADERS = {
    "Content-Security-Policy": PAGE_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_ENCODED = [(name.lower().encode(), value.encode()) for name, value in _HEADERS.items()]


class Guard:
    """Middleware: refuses foreign hosts, questions of other sites' pages and endless queries.

    A page of another site may have its own name lead to this address and would then be asked for
    under that name. So only addresses and the names given are served.
    """

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self._app, self._names = app, {"localhost", *(name.lower() for name in names)}
        self._is_known = lru_cache(256)(self._is_served)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request, or hand it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message["headers"]
                told = {name for name, _ in headers}
                message["headers"] = [*headers, *(own for own in _ENCODED if own[0] not in told)]
            await send(message)

        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, send_safely)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_known(host):
            return PlainTextResponse(f"There is no host '{host}' here.\n", 421)
        is_foreign = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        if is_foreign and scope["path"].startswith("/api/"):
            return PlainTextResponse("Pages of other sites may not ask here.\n", 403)
        if len(scope["query_string"]) > LONGEST_QUERY:
            return PlainTextResponse(f"A query may have {LONGEST_QUERY} bytes.\n", 414)
        return None

    def _is_served(self, host: str) -> bool:
        name, colon, port = host.rpartition(":")
        if not colon or not port.isdecimal():
            name = host
        try:
            ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return name.lower() in self._names
        return True
