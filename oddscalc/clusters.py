"""Chunks of a job on a Dask cluster, or on processes of this machine.

Workers write their parts to storage that all share, and tell only what they wrote.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

from oddscalc.errors import InputError, OddscalcError, StoreError
from oddscalc.reading import whole_number

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["check_cluster", "run_on"]

T = TypeVar("T")

_DEATHS = 10  # workers here that one chunk may outlive before it is given up
_MOST_WORKERS = 1024


def run_on(address: str, make: Callable[[int], T], chunks: Sequence[int]) -> Iterator[T]:
    """Yield ``make(chunk)`` of every chunk as they come; a chunk whose worker dies starts again.

    Parameters
    ----------
    address
        Of a Dask scheduler, as in ``tcp://10.0.0.5:8786``, or ``local:N`` for N processes here.

    Raises
    ------
    InputError
        If there can be no such cluster.
    StoreError
        If nobody answers at the address, or workers keep dying.
    OddscalcError
        If the extra `cluster` is not installed.
    """
    client = _connected(address)
    from distributed import KilledWorker, as_completed

    try:
        futures = client.map(make, chunks, pure=False)
        for future in as_completed(futures):
            yield future.result()
    except KilledWorker:
        raise StoreError(
            "Workers keep dying over the same chunk; they may have too little memory. What is "
            "finished stays."
        ) from None
    finally:
        client.close()
        if client.cluster is not None:
            client.cluster.close()


def check_cluster(address: str) -> None:
    """Refuse what can be no cluster, before the work is begun.

    Raises
    ------
    InputError
        If ``local:`` has no number behind it.
    OddscalcError
        If the extra `cluster` is not installed.
    """
    kind, _, number = address.partition(":")
    if kind == "local" and not 0 < (whole_number(number) or 0) <= _MOST_WORKERS:
        raise InputError(
            f"'{address}' is no cluster here; accepted: local:N with N from 1 to {_MOST_WORKERS}."
        )
    if find_spec("distributed") is None:
        raise OddscalcError(
            "--cluster needs the extra 'cluster'; install it with: pip install 'oddscalc[cluster]'."
        )


def _connected(address: str) -> Client:
    check_cluster(address)
    import dask
    from distributed import Client, LocalCluster

    dask.config.set({"distributed.scheduler.allowed-failures": _DEATHS})
    kind, _, number = address.partition(":")
    try:
        if kind == "local":
            # One thread a process: a worker that is killed takes one chunk with it.
            local = LocalCluster(
                n_workers=int(number),
                threads_per_worker=1,
                dashboard_address=None,
                silence_logs=logging.ERROR,
            )
            return Client(local)
        return Client(address, timeout="20s")
    except (OSError, ValueError) as error:
        raise StoreError(f"There is no cluster at '{address}': {error}.") from None
