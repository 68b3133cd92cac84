"""The application: pages, endpoints, and what guards them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from oddscalc.web.answering import Answering, refused
from oddscalc.web.endpoints import ENDPOINTS
from oddscalc.web.files import file_routes
from oddscalc.web.games import Games
from oddscalc.web.lanes import Lane
from oddscalc.web.safety import Guard

__all__ = ["create_app"]

# Seconds that an answer may take. The very first ones compile the kernels, the first one about a
# game solves it or finds its bidding policy, and a table for beating a score takes minutes.
LONGEST = {"dice": 600.0, "euchre": 300.0}


def create_app(games: Games | None = None, names: Collection[str] = ()) -> Starlette:
    """Return the application; `state.close` ends what is under way.

    Parameters
    ----------
    games
        Games of rule files, beside the built-in ones.
    names
        Host names under which the server is asked, beside addresses and ``localhost``.
    """
    games = games or Games()
    lanes = {worker: Lane(games, longest) for worker, longest in LONGEST.items()}
    answering = Answering(games, lanes)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        running = [asyncio.create_task(lane.run()) for lane in lanes.values()]
        yield
        answering.close()
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    routes = [
        Route(
            path,
            partial(answering.answer, endpoint),
            methods=["POST" if endpoint.body else "GET"],
        )
        for path, endpoint in ENDPOINTS.items()
    ]
    app = Starlette(
        routes=[*routes, *file_routes()],
        middleware=[Middleware(Guard, names=names)],
        exception_handlers={HTTPException: _refused},
        lifespan=lifespan,
    )
    app.state.close = answering.close
    return app


async def _refused(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    sentence = error.detail
    if error.status_code == 404:
        sentence = f"There is no page '{request.url.path}'; accepted: {', '.join(ENDPOINTS)}."
    if error.status_code == 405:
        sentence = f"{request.method} is not accepted here."
    return refused(sentence, error.status_code)
