"""Work shared out among the machines of a Ray cluster. Needs `pip install wattman[ray]`, here and on every machine of the cluster."""

from __future__ import annotations

import logging
import os
import re
import socket
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any, TypeVar

from wattman import __version__
from wattman.search.jobs import WorkerDied

Item = TypeVar("Item")
Result = TypeVar("Result")

RETRIES = 10  # times that a piece of work is begun anew because its worker was lost
LOOK = 1.0  # seconds between two looks at how large the cluster is
ANSWER = 10.0  # seconds in which a cluster has to take a call


def on_ray(work: Callable[[Item], Result], items: Iterable[Item], address: str, jobs: int | None = None) -> Iterator[Result]:
    """The results of `work` for every item, each as soon as it is there. As `wattman.search.jobs.unordered`, on a cluster.

    Parameters
    ----------
    work : callable
        Picklable. It is sent to the cluster once.
    items : iterable
    address : str
        As `ray.init` takes it: "auto", "HOST:PORT" or "ray://HOST:PORT"; "local" starts a Ray of its own on this machine. Where Ray runs in
        this process already, that one is used, and left running.
    jobs : int, optional
        At most so many at the same time, a CPU each; None: as many as the cluster has CPUs, also if that changes.

    Raises
    ------
    WorkerDied
        If the workers of one piece of work were lost again and again. What a lost worker had begun, another begins anew.
    ValueError
        If there is no such cluster, or it has another version of Wattman. Errors of `work` come through as they are.
    """
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs: {jobs}: must be at least 1")
    ray = _import()
    ours = not ray.is_initialized()
    if ours:
        _connect(ray, address, jobs)
    pending: list[Any] = []
    try:
        task = ray.remote(_do).options(num_cpus=1, max_retries=RETRIES)
        sent = ray.put(work)
        waiting = iter(items)
        more = True
        while True:
            most = jobs or 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
            while more and len(pending) < most:
                try:
                    pending.append(task.remote(__version__, sent, next(waiting)))
                except StopIteration:
                    more = False
            if not pending:
                return
            done, pending = ray.wait(pending, timeout=LOOK)
            for future in done:
                yield _result(ray, future)
    finally:
        for future in pending:
            ray.cancel(future, force=True)
        if ours:
            ray.shutdown()


def _do(version: str, work: Callable[[Any], Any], item: Any) -> Any:
    """On a machine of the cluster."""
    if version != __version__:
        raise ValueError(f"this cluster has Wattman {__version__}, not {version} as here")
    return work(item)


def _import() -> ModuleType:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # what runs here is nobody else's affair
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else Ray warns of a change to come that does not concern this
    try:
        import ray
    except ImportError:
        raise ValueError("work on a Ray cluster needs Ray: pip install 'wattman[ray]'") from None
    return ray


def _connect(ray: ModuleType, address: str, jobs: int | None) -> None:
    more: dict[str, Any] = {"num_cpus": jobs, "include_dashboard": False} if address == "local" else {}
    try:
        if place := re.fullmatch(r"(?:ray://)?(.+):(\d+)", address):  # Ray itself would try for minutes
            socket.create_connection((place[1].strip("[]"), int(place[2])), timeout=ANSWER).close()
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **more)
    except Exception as error:  # of many kinds: ConnectionError, TimeoutError, RuntimeError, ValueError, and Ray's own
        reason = str(error).strip().partition("\n")[0]
        raise ValueError(f"no Ray cluster at {address!r}: {reason}") from error


def _result(ray: ModuleType, future: Any) -> Any:
    try:
        return ray.get(future)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.OutOfMemoryError) as error:
        raise WorkerDied(f"the workers of one game were lost {RETRIES + 1} times, the last: {str(error).partition(chr(10))[0]}") from error
    except ray.exceptions.RaySystemError as error:
        raise ValueError(f"the cluster cannot do this work (is Wattman {__version__} installed there?): {error}") from error
