"""Long work as chunks: what is done is kept, interrupted work goes on, the result is the same.

A job is a folder: ``job.json`` says what is computed, and each chunk becomes one file (as in
`store`: written whole, every byte checked). A chunk depends on nothing but the specification and
its own number, so that neither interruptions nor the number of workers change a byte.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from oddscalc import __version__, store
from oddscalc.errors import StoreError

if TYPE_CHECKING:
    from filelock import FileLock
    from numpy.typing import NDArray

__all__ = ["Job", "Part", "Spec", "read_spec"]

_MANIFEST, _LOCK = "job.json", "job.lock"
_DIFFERENCES = 3  # that a refusal names

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Spec:
    """Everything that the bytes of a job depend on.

    Attributes
    ----------
    kind
        What is computed, as in ``euchre.bids``.
    game
        The rules, as data.
    seed
        None if nothing is random.
    chunks
        How many parts there are.
    settings
        Whatever else tells two jobs apart: sizes of chunks, deals, the version of their form. Like
        `game`, values that JSON has.
    """

    kind: str
    game: Mapping[str, Any]
    seed: int | None
    chunks: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    version: str = __version__

    def __hash__(self) -> int:
        return hash(self.mark)

    @cached_property
    def mark(self) -> str:
        """The fingerprint of all this."""
        return store.fingerprint("job", self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        plain: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return plain


Part = Callable[[Spec, int], "Mapping[str, NDArray[Any]]"]
"""Computes the arrays of a chunk; on a cluster a function that can be pickled."""


class Job:
    """The work of a specification in a folder.

    Parameters
    ----------
    folder
        Made if it is not there; holds nothing else. For a cluster where all workers see it.
    in_turn
        Each chunk needs those before it, and uses every thread itself.
    wait
        Wait while another process works on the folder, instead of refusing.
    """

    def __init__(
        self, spec: Spec, folder: Path | str, *, in_turn: bool = False, wait: bool = False
    ) -> None:
        self.spec = spec
        self.folder = Path(folder)
        self._in_turn, self._wait = in_turn, wait
        self._lock: FileLock | None = None

    def path(self, index: int) -> Path:
        """Return the file of a chunk."""
        return _part_path(self.folder, index)

    def table(self, index: int, *, check: bool = True) -> store.Table:
        """Return a finished chunk, its arrays mapped.

        Raises
        ------
        FileNotFoundError
            If it is not there.
        StoreError
            If it is damaged, or belongs to another job.
        """
        return _read(self.spec, self.folder, index, check=check)

    def missing(self, stop: int | None = None) -> list[int]:
        """Return the chunks, or those before `stop`, that are not there yet or are damaged.

        Raises
        ------
        StoreError
            If something in the folder belongs to another job; the text says what differs.
        """
        self._check_folder()
        with ThreadPoolExecutor() as pool:
            there = list(pool.map(self._is_there, range(self.spec.chunks)[:stop]))
        return [index for index, found in enumerate(there) if not found]

    def run(
        self,
        part: Part,
        *,
        stop: int | None = None,
        progress: Progress | None = None,
        cluster: str | None = None,
    ) -> None:
        """Compute every chunk that is missing.

        Interrupted, it ends when the chunks that are being computed are done; they are kept.

        Parameters
        ----------
        stop
            Only the chunks before this one.
        progress
            Takes chunks done and chunks in all.
        cluster
            The address of a Dask scheduler, or ``local:N`` for N processes here.

        Raises
        ------
        StoreError
            If the folder belongs to another job or another process works on it, or if a part cannot
            be written; what is finished stays.
        InputError
            If there can be no such cluster.
        """
        total = len(range(self.spec.chunks)[:stop])
        # Looked for before anything is written: what is finished may lie in a read-only folder.
        missing = self.missing(stop)
        if not missing and self._is_described():
            return
        with self.alone():
            self._begin()
            missing = [index for index in missing if not self._is_there(index)]
            done = total - len(missing)
            if progress:
                progress(done, total)
            with closing(self._finished(part, missing, cluster)) as finished:
                for stored in finished:
                    self._check_shared(stored)
                    done += 1
                    if progress:
                        progress(done, total)
            self._clear()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other processes from working on the folder.

        Raises
        ------
        StoreError
            If another one does, or the folder cannot be written.
        """
        from filelock import FileLock, Timeout

        if self._lock is None:
            self._lock = FileLock(self.folder / _LOCK)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                held = self._lock.acquire(timeout=0)
            except Timeout:
                if not self._wait:
                    raise StoreError(
                        f"Another process works on the folder '{self.folder}'; wait for it, or "
                        "write to another one."
                    ) from None
                store.warn("Another process works on '%s'; waiting for it.", self.folder)
                held = self._lock.acquire()
        except OSError as error:
            raise self._unwritable(self.folder, error) from None
        with held:
            yield

    def remove(self) -> None:
        """Remove the folder, once its parts have been put together."""
        shutil.rmtree(self.folder)

    def _finished(
        self, part: Part, missing: list[int], cluster: str | None
    ) -> Generator[Stored, None, None]:
        """Yield each chunk when it is computed and stored."""
        if self._in_turn:
            for index in missing:
                yield _store_part(self.spec, part, self.folder, index)
            return
        make = partial(make_part, self.spec, part, self.folder.absolute())
        if cluster is not None:
            from oddscalc.clusters import run_on

            yield from run_on(cluster, make, missing)
            return
        from oddscalc.jit import threads

        pool = ThreadPoolExecutor(threads())
        try:
            waiting: list[Future[Stored]] = [pool.submit(make, index) for index in missing]
            for future in as_completed(waiting):
                yield future.result()
        except KeyboardInterrupt:
            store.warn("Interrupted; the chunks that are being computed are finished first.")
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def _check_shared(self, stored: Stored) -> None:
        """Refuse a part that a worker has written where this machine does not see it."""
        path = self.folder / stored.name
        if not path.exists() or path.stat().st_size != stored.size:
            raise StoreError(
                f"A worker has written '{stored.name}', which is not in '{self.folder}' here; "
                "accepted: a folder that all workers share under one path."
            )

    def _check_folder(self) -> None:
        """Refuse a folder with another job, or with something else."""
        try:
            names = {path.name for path in self.folder.iterdir()}
        except FileNotFoundError:
            return
        except OSError as error:
            raise StoreError(
                f"The folder '{self.folder}' cannot be read: {error.strerror}."
            ) from None
        parts = {self.path(index).name for index in range(self.spec.chunks)}
        if self._is_described():
            _refuse_other(self.folder, read_spec(self.folder).to_dict(), self.spec)
        for name in sorted(names - parts - {_MANIFEST, _LOCK}):
            if not store.is_unfinished(name):
                raise StoreError(
                    f"The folder '{self.folder}' holds '{name}', which is no part of this job; "
                    "accepted: a new folder, or one with this job."
                )

    def _is_described(self) -> bool:
        """Tell whether the folder says what it is; if not, its parts still do."""
        try:
            read_spec(self.folder)
        except StoreError:
            return False
        return True

    def _begin(self) -> None:
        """Write what the folder is, and clear away what a killed process has left."""
        try:
            self._clear()
            text = json.dumps(self.spec.to_dict(), ensure_ascii=False, indent=2) + "\n"
            with store.whole(self.folder / _MANIFEST) as file:
                file.write(text.encode())
        except OSError as error:
            raise self._unwritable(self.folder / _MANIFEST, error) from None

    def _clear(self) -> None:
        """Remove what killed processes or workers were writing."""
        for path in self.folder.iterdir():
            if store.is_unfinished(path.name):
                path.unlink(missing_ok=True)

    def _is_there(self, index: int) -> bool:
        try:
            _read(self.spec, self.folder, index, check=True)
        except FileNotFoundError:
            return False
        except _ForeignError:
            raise
        except StoreError as error:
            store.warn("Stored part unusable: %s; it is made again.", error)
            return False
        return True

    @staticmethod
    def _unwritable(path: Path, error: OSError) -> StoreError:
        return StoreError(f"'{path}' cannot be written: {error.strerror}.")


class _ForeignError(StoreError):
    """A part or folder of another job."""


def read_spec(folder: Path | str) -> Spec:
    """Return what a job's folder holds.

    Raises
    ------
    StoreError
        If that cannot be told.
    """
    path = Path(folder) / _MANIFEST
    try:
        return Spec(**json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise StoreError(f"'{path}' cannot be read: {error.strerror}.") from None
    except (ValueError, TypeError, RecursionError):  # no JSON, or other keys
        raise StoreError(f"'{path}' is damaged.") from None


class Stored(NamedTuple):
    """What a worker tells of a chunk: the file's name and its size in bytes."""

    name: str
    size: int


def make_part(spec: Spec, part: Part, folder: Path, index: int) -> Stored:
    """Compute a chunk on one thread and store it; runs on a worker.

    Raises
    ------
    StoreError
        If it cannot be written, or the worker has another version of oddscalc.
    """
    from oddscalc.jit import one_thread

    if spec.version != __version__:
        raise StoreError(
            f"A worker has oddscalc {__version__}; accepted: {spec.version}, as asked for."
        )
    with one_thread():
        return _store_part(spec, part, folder, index)


def _store_part(spec: Spec, part: Part, folder: Path, index: int) -> Stored:
    arrays = part(spec, index)
    path = _part_path(folder, index)
    try:
        store.save(path, spec.mark, store.Table(arrays, {"job": spec.to_dict(), "part": index}))
        return Stored(path.name, path.stat().st_size)
    except OSError as error:
        raise StoreError(
            f"The part '{path}' cannot be written: {error.strerror}. What is finished stays; the "
            "same command goes on from there."
        ) from None


def _part_path(folder: Path, index: int) -> Path:
    return folder / f"part-{index:06d}.table"


def _read(spec: Spec, folder: Path, index: int, *, check: bool) -> store.Table:
    path = _part_path(folder, index)
    try:
        table = store.load(path, None, check=check)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StoreError(f"'{path}' cannot be read: {error.strerror}.") from None
    if "job" not in table.metadata or table.metadata["part"] != index:
        raise _ForeignError(f"'{path}' is not part {index} of a job; remove it.")
    _refuse_other(path, table.metadata["job"], spec)
    return table


def _refuse_other(path: Path, theirs: Mapping[str, Any], spec: Spec) -> None:
    """Refuse another job's folder or part with what differs."""
    flat, ours = _flat(theirs), _flat(spec.to_dict())
    different = [key for key in {**ours, **flat} if flat.get(key) != ours.get(key)]
    if not different:
        return
    named = "; ".join(
        f"{key} is {_shown(flat.get(key))}, not {_shown(ours.get(key))}"
        for key in different[:_DIFFERENCES]
    )
    raise _ForeignError(f"'{path}' belongs to another job: {named}. Remove it, or write elsewhere.")


def _flat(plain: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return nested settings as one level, their keys joined by dots."""
    flat: dict[str, Any] = {}
    for key, value in plain.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{before}{key}.")
        else:
            flat[before + key] = value
    return {key.removeprefix("settings."): value for key, value in flat.items()}


def _shown(value: object) -> str:
    text = "missing" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:37] + "..."
