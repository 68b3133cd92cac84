"""Where questions wait and are answered: a queue before each worker process, a limit on each.

Dice and Euchre have a worker each, so that neither waits for the other.
"""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from oddscalc.web.endpoints import Endpoint
from oddscalc.web.games import Games
from oddscalc.web.questions import Asked
from oddscalc.web.worker import say_games

__all__ = ["BusyError", "Job", "Lane"]

MOST_WAITING = 32
LONGEST_ANSWER = 1 << 24  # bytes of a line
# Seconds in which a worker has to stop when it is told to: it may be compiling a kernel, and would
# have to begin again if it were ended.
PATIENCE = 240.0

Said = dict[str, Any]


class BusyError(Exception):
    """Too many questions wait already."""


class Job:
    """A question on its way; iterating gives what the worker says of it, but its end."""

    def __init__(self, endpoint: Endpoint, asked: Asked, *, stream: bool) -> None:
        self.question = {"path": endpoint.path, "asked": dict(asked), "stream": stream}
        self.abandoned = asyncio.Event()
        self.said: asyncio.Queue[Said | None] = asyncio.Queue()

    def abandon(self) -> None:
        """Let it be dropped, or stopped if it is being answered."""
        self.abandoned.set()

    def drop(self) -> None:
        """Abandon it, and let nobody wait for it any longer."""
        self.abandon()
        self.said.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[Said]:
        while (word := await self.said.get()) is not None:
            yield word


class Lane:
    """A worker process, started when it is first needed, and the jobs before it.

    Parameters
    ----------
    longest
        Seconds that a job may take.
    """

    def __init__(self, games: Games, longest: float, most_waiting: int = MOST_WAITING) -> None:
        self._games, self._longest, self._most = games, longest, most_waiting
        self._jobs: asyncio.Queue[Job] = asyncio.Queue()
        self._process: Process | None = None

    def ask(self, endpoint: Endpoint, asked: Asked, *, stream: bool) -> Job:
        """Queue a question.

        Raises
        ------
        BusyError
            If too many wait already.
        """
        if self._jobs.qsize() >= self._most:
            raise BusyError
        job = Job(endpoint, asked, stream=stream)
        self._jobs.put_nowait(job)
        return job

    async def run(self) -> None:
        """Answer the jobs, one after the other, until cancelled."""
        try:
            while True:
                job = await self._jobs.get()
                if not job.abandoned.is_set():
                    await self._answer(job)
                job.said.put_nowait(None)
        finally:
            await self._end()

    async def _answer(self, job: Job) -> None:
        process = await self._started()
        deadline = asyncio.get_running_loop().time() + self._longest
        abandoned = asyncio.create_task(job.abandoned.wait())
        tasks: set[asyncio.Task[Any]] = {abandoned}
        try:
            await _say(process, job.question)
            while True:
                word = asyncio.create_task(_hear(process))
                tasks = {word, abandoned}
                left = deadline - asyncio.get_running_loop().time()
                first = asyncio.FIRST_COMPLETED
                await asyncio.wait(tasks, timeout=max(0, left), return_when=first)
                if not word.done():
                    word.cancel()
                    await asyncio.wait({word})
                    if not job.abandoned.is_set():
                        sentence = f"The answer takes longer than {self._longest:g} s."
                        job.said.put_nowait({"late": sentence})
                        job.drop()
                    await self._stop(process)
                    return
                said = word.result()
                if "end" in said:
                    return
                job.said.put_nowait(said)
        except (ConnectionError, EOFError):
            job.said.put_nowait({"failed": "The question could not be answered."})
            await self._end()
        finally:
            for task in tasks:
                task.cancel()

    async def _stop(self, process: Process) -> None:
        """Let the worker stop; end it if it does not."""
        try:
            async with asyncio.timeout(PATIENCE):
                await _say(process, {"stop": True})
                while "end" not in await _hear(process):
                    pass
        except (TimeoutError, ConnectionError, EOFError):
            await self._end()

    async def _started(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            command = (sys.executable, "-m", "oddscalc.web.worker")
            self._process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, limit=LONGEST_ANSWER
            )
            with suppress(ConnectionError):
                await _write(self._process, say_games(self._games))
        return self._process

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _say(process: Process, word: Said) -> None:
    await _write(process, json.dumps(word).encode() + b"\n")


async def _write(process: Process, line: bytes) -> None:
    if process.stdin is None:
        raise ConnectionError
    process.stdin.write(line)
    await process.stdin.drain()


async def _hear(process: Process) -> Said:
    line = b"" if process.stdout is None else await process.stdout.readline()
    if not line:
        raise EOFError
    said: Said = json.loads(line)
    return said
