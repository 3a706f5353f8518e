"""Work shared out among processes, and seeds that do not depend on how it is shared out."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_work: Callable[[Any], Any] | None = None  # in a worker process: what it does


class WorkerDied(ValueError):
    """A worker process was killed or crashed, so its work is lost."""


def derived_seed(seed: int, *path: int) -> int:
    """A seed of 64 bits for a part of some work, e.g. one game of many; different paths give unrelated seeds."""
    text = ":".join(str(int(part)) for part in (seed, *path))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def unordered(work: Callable[[Item], Result], items: Iterable[Item], jobs: int | None = None, ray: str | None = None) -> Iterator[Result]:
    """The results of `work` for every item, each as soon as it is there.

    Parameters
    ----------
    work : callable
        With more than one job it goes to processes that begin afresh ("spawn"), so it must be picklable, and a script that calls this needs
        the usual ``if __name__ == "__main__":``.
    items : iterable
        Taken one after the other, little more than `jobs` ahead.
    jobs : int, optional
        Processes; 1 or None: everything in this one, in order. With `ray` see `wattman.search.rayjobs.on_ray`.
    ray : str, optional
        Address of a Ray cluster that does the work.

    Raises
    ------
    WorkerDied
        If a process ends unasked. Errors of `work` come through as they are.

    Notes
    -----
    If the caller stops early (an error, Ctrl-C, closing this iterator), the processes end at once, and so they do if this process is
    killed. They take no notice of Ctrl-C themselves.
    """
    if ray is not None:
        from wattman.search.rayjobs import on_ray  # not at the top: it needs Ray

        with closing(on_ray(work, items, ray, jobs)) as results:
            yield from results
        return
    jobs = 1 if jobs is None else jobs
    if jobs < 1:
        raise ValueError(f"jobs: {jobs}: must be at least 1")
    if jobs == 1:
        for item in items:
            yield work(item)
        return
    context = multiprocessing.get_context("spawn")
    reader, writer = context.Pipe(duplex=False)  # nothing is ever sent: its end tells the workers that nobody waits for them any more
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(work, reader))
    pending: set[Future[Result]] = set()
    waiting = iter(items)
    try:
        while True:
            for item in waiting:
                with _signals_later():
                    pending.add(pool.submit(_do, item))
                if len(pending) >= 2 * jobs:
                    break
            if not pending:
                break
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
        pool.shutdown()
    except BrokenProcessPool as error:
        raise WorkerDied("a worker process ended unexpectedly: it was killed (perhaps for lack of memory), or it crashed") from error
    finally:
        writer.close()
        pool.shutdown(cancel_futures=True)
        reader.close()


@contextmanager
def _signals_later() -> Iterator[None]:
    """Processes started in here do not get Ctrl-C; this one gets it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    old = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)


def _begin(work: Callable[[Any], Any], pipe: Connection) -> None:
    """What a worker process does first."""
    global _work
    _work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        with suppress(EOFError, OSError):
            pipe.recv()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _do(item: Any) -> Any:
    assert _work is not None
    return _work(item)
