"""A request to an endpoint → the answer of the command line as JSON, at once or as a stream."""

from __future__ import annotations

import asyncio
import base64
import json
from collections import OrderedDict
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from weakref import WeakSet

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from oddscalc import store
from oddscalc.errors import InputError, MissingTableError
from oddscalc.web.endpoints import Endpoint
from oddscalc.web.games import Games
from oddscalc.web.lanes import BusyError, Job, Lane, Said
from oddscalc.web.questions import Asked

__all__ = ["Answering", "refused"]

LARGEST_BODY = 64_000  # bytes
MOST_LOOK_UPS = 256  # under way or waiting
MOST_KEPT = 4096  # answers of look-ups, a few kilobytes each
LINES = "application/x-ndjson"

# A sheet has its style in itself: it is shown in a frame where nothing can run.
FILE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; "
    "frame-ancestors 'self'; sandbox",
    "X-Frame-Options": "SAMEORIGIN",
}

_STATUS = {"refused": 400, "failed": 500, "missing": 501, "late": 503}


def refused(sentence: str, status: int) -> Response:
    """Return a response that says why there is no answer."""
    content = {"schema": "oddscalc.web.error/1", "error": sentence}
    headers = {"Retry-After": "2"} if status == 503 else None
    text = json.dumps(content, ensure_ascii=False)
    return Response(text, status, headers=headers, media_type="application/json")


class Answering:
    """Answers requests: from stored tables in this process, or in a lane.

    Parameters
    ----------
    lanes
        By the name of the worker.
    """

    def __init__(self, games: Games, lanes: dict[str, Lane]) -> None:
        self._games, self._lanes = games, lanes
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="look-up")
        self._looking = 0
        self._kept: OrderedDict[tuple[str, bytes], str] = OrderedDict()
        self._jobs: WeakSet[Job] = WeakSet()

    def close(self) -> None:
        """End the threads, and whatever waits for a worker."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for job in self._jobs:
            job.drop()

    async def answer(self, endpoint: Endpoint, request: Request) -> Response:
        """Return the response to a request."""
        try:
            body = await _body(request) if endpoint.body else None
            asked = endpoint.read(request.query_params.multi_items(), body)
            if endpoint.look_up:
                try:
                    return _answered(await self._look_up(endpoint, asked, request))
                except MissingTableError:
                    pass  # a worker builds and stores it
            stream = LINES in request.headers.get("accept", "")
            stream = stream and endpoint.media_type == "application/json"
            job = self._lanes[endpoint.worker].ask(endpoint, asked, stream=stream)
            self._jobs.add(job)
        except InputError as error:
            return refused(str(error), 400)
        except BusyError:
            return refused("Too many questions wait already; ask again in a moment.", 503)
        return await (_streamed if stream else _single)(job, endpoint, request)

    async def _look_up(self, endpoint: Endpoint, asked: Asked, request: Request) -> str:
        key = endpoint.path, request.scope["query_string"]
        if (kept := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return kept
        if self._looking >= MOST_LOOK_UPS:
            raise BusyError
        self._looking += 1
        try:
            work = partial(_looked_up, endpoint, self._games, asked)
            text = await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._looking -= 1
        if not endpoint.body:
            self._kept[key] = text
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return text


def _looked_up(endpoint: Endpoint, games: Games, asked: Asked) -> str:
    with store.stored_only():
        result = endpoint.question(games, asked, None)
    if isinstance(result, bytes):
        raise TypeError(f"{endpoint.path} is not looked up")
    return result.to_json(indent=None)


async def _single(job: Job, endpoint: Endpoint, request: Request) -> Response:
    """Return the last answer of a job; the job is dropped when nobody waits for it any more."""
    gone = asyncio.create_task(_gone(request))
    gone.add_done_callback(lambda _: job.abandon())
    try:
        async for word in job:
            if "progress" not in word:
                return _response(word, endpoint)
    finally:
        gone.cancel()
        job.abandon()
    return Response(status_code=503)  # nobody is there to read it


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _streamed(job: Job, endpoint: Endpoint, request: Request) -> Response:
    """Return everything that a worker says, a line each, once it has said something."""
    words = aiter(job)
    try:
        first = await anext(words, None)
    except BaseException:
        job.abandon()
        raise
    if first is None:
        return Response(status_code=503)  # dropped, as the server ends
    if not first.keys() & {"answer", "progress"}:
        return _response(first, endpoint)
    headers = {"Cache-Control": "no-store"}
    return StreamingResponse(_lines(job, first, words), media_type=LINES, headers=headers)


async def _lines(job: Job, first: Said, words: AsyncIterator[Said]) -> AsyncIterator[str]:
    try:
        yield _line(first)
        async for word in words:
            yield _line(word)
    finally:
        job.abandon()


def _line(word: Said) -> str:
    if "answer" in word:
        return f"{word['answer']}\n"
    if "progress" in word:
        done, total = word["progress"]
        content = {"schema": "oddscalc.web.progress/1", "done": done, "total": total}
        return json.dumps(content) + "\n"
    (kind, sentence), *_ = word.items()
    return bytes(refused(sentence, _STATUS[kind]).body).decode() + "\n"


def _response(word: Said, endpoint: Endpoint) -> Response:
    (kind, content), *_ = word.items()
    if kind == "answer":
        return _answered(content)
    if kind == "file":
        headers = FILE_HEADERS if endpoint.media_type.startswith("text/html") else None
        return Response(base64.b64decode(content), media_type=endpoint.media_type, headers=headers)
    return refused(content, _STATUS[kind])


def _answered(text: str) -> Response:
    headers = {"Cache-Control": "no-store"}
    return Response(text, media_type="application/json", headers=headers)


async def _body(request: Request) -> str:
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > LARGEST_BODY:
            raise HTTPException(413, f"A body may have {LARGEST_BODY} bytes.")
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise InputError("The record is not UTF-8 text; accepted: UTF-8.") from None
