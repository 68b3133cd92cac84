"""Serves the page: one process that looks up, and a worker each for dice and Euchre."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from contextlib import suppress

from oddscalc.errors import InputError, OddscalcError
from oddscalc.web.games import Games

__all__ = ["is_loopback", "serve"]

MOST_CONNECTIONS = 500


def serve(games: Games, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until interrupted.

    Parameters
    ----------
    port
        0 for any that is free.
    ready
        Called with the address of the page once it can be asked for.

    Raises
    ------
    OddscalcError
        If Starlette or uvicorn is not installed, or the address cannot be used.
    """
    try:
        import starlette  # noqa: F401  named here, as the application only comes later
        import uvicorn
    except ImportError as error:
        raise OddscalcError(
            f"The page needs {error.name}, which is not installed; pip install 'oddscalc[web]'."
        ) from None
    from oddscalc.web.app import create_app

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready(_address(listening))

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.state.close()  # or streams under way would be waited for
            await super().shutdown(sockets)

    listening = _listen(host, port)
    app = create_app(games, names=(host, socket.gethostname()))
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=2,
    )
    with listening, suppress(KeyboardInterrupt):
        Server(config).run(sockets=[listening])


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
        except OSError:
            listening.close()
            raise
    except socket.gaierror:
        raise InputError(
            f"There is no address '{host}' here; accepted: one of this machine, or 0.0.0.0."
        ) from None
    except OSError as error:
        raise OddscalcError(
            f"Port {port} of {host} cannot be used: {error.strerror}; another one: --port N."
        ) from None
    return listening


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
