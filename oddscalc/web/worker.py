"""The process that computes: questions come on stdin, answers go to stdout, a JSON line each.

It is another process than the server's so that the server stays quick whatever is computed, and
so that work which takes too long can be ended. Said by the server:

- once, first: the games, as `say_games` writes them;
- ``{"path": ..., "asked": ..., "stream": ...}``: a question;
- ``{"stop": true}``: nobody waits for its answer any more.

Said by the worker, of the question under way: ``{"progress": [done, total]}``, ``{"answer":
text}``, several in a stream, ``{"refused": sentence}``, ``{"failed": sentence}``; and at the end
of each, ``{"end": true}``. A file is said in base64, as ``{"file": text}``; what cannot be had for
want of an extra as ``{"missing": sentence}``.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import signal
import sys
import time
import traceback
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any

from oddscalc.errors import ExportError, InputError, OddscalcError
from oddscalc.web.endpoints import ENDPOINTS
from oddscalc.web.games import Games

__all__ = ["main", "say_games"]

_PAUSE = 0.2  # seconds between two words on progress


class _Stopped(Exception):  # noqa: N818  nothing went wrong
    """Nobody waits for the answer any more."""


def say_games(games: Games) -> bytes:
    """Return the games as the first line that a worker reads."""
    return base64.b64encode(pickle.dumps(games)) + b"\n"


def main() -> None:
    """Answer questions until stdin ends."""
    if hasattr(os, "nice"):
        os.nice(5)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its workers
    said = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)  # what a library prints is not an answer
    games: Games = pickle.loads(base64.b64decode(sys.stdin.readline()))
    questions: SimpleQueue[dict[str, Any]] = SimpleQueue()
    stop = Event()
    Thread(target=_listen, args=(questions, stop), daemon=True).start()
    while True:
        _Answering(games, said, stop).answer(questions.get())


def _listen(questions: SimpleQueue[dict[str, Any]], stop: Event) -> None:
    for line in sys.stdin:
        heard = json.loads(line)
        if "stop" in heard:
            stop.set()
        else:
            stop.clear()
            questions.put(heard)
    os._exit(0)  # the server is gone, and what is being computed is of no use


class _Answering:
    def __init__(self, games: Games, said: Any, stop: Event) -> None:
        self._games, self._said, self._stop = games, said, stop
        self._told = time.monotonic()

    def answer(self, heard: dict[str, Any]) -> None:
        """Answer one question."""
        endpoint = ENDPOINTS[heard["path"]]
        try:
            stages = endpoint.stages(heard["asked"]) if heard["stream"] else (heard["asked"],)
            for asked in stages:
                result = endpoint.question(self._games, asked, self._progress)
                self._check()
                if isinstance(result, bytes):
                    self._say({"file": base64.b64encode(result).decode()})
                    break
                self._say({"answer": result.to_json(indent=None)})
                if getattr(result, "method", None) == "exact":
                    break
        except _Stopped:
            pass
        except InputError as error:
            self._say({"refused": str(error)})
        except ExportError as error:
            self._say({"missing": str(error)})
        except OddscalcError as error:
            self._say({"failed": str(error)})
        except Exception:
            traceback.print_exc()
            self._say({"failed": "The question could not be answered."})
        self._say({"end": True})

    def _progress(self, done: int, total: int) -> None:
        self._check()
        if time.monotonic() - self._told > _PAUSE:
            self._told = time.monotonic()
            self._say({"progress": [done, total]})

    def _check(self) -> None:
        if self._stop.is_set():
            raise _Stopped

    def _say(self, word: dict[str, Any]) -> None:
        self._said.write(json.dumps(word) + "\n")
        self._said.flush()


if __name__ == "__main__":
    main()
