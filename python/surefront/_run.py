"""Measuring on any executor: what `Study.run` takes, and how it gets on."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

from surefront._surefront import StudyError

#: Measures an arm, by its name: a value for each objective, by name or in their order.
Measure = Callable[..., object]

_log = logging.getLogger("surefront")


class Submits(Protocol):
    """Anything with the `submit` of `concurrent.futures.Executor`."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Calls a function, some time, somewhere: a future of its result."""


@dataclass(frozen=True)
class Progress:
    """How a run gets on."""

    samples: int
    evidence: float
    threshold: float
    fraction: float
    front: list[str]
    waiting: int


def workers(executor: object, jobs: int | None) -> int:
    """How many measurements to have under way: as many as said, or as the executor has workers."""
    if jobs is not None:
        return jobs
    known = getattr(executor, "_max_workers", None)
    if isinstance(known, int):
        return known
    client = getattr(executor, "_client", None)
    if client is not None and hasattr(client, "nthreads"):
        return max(1, int(sum(client.nthreads().values())))
    raise StudyError("how many workers the executor has is not known: say how many measurements to have under way, jobs=…")


@contextlib.contextmanager
def at_hand(executor: Submits | Callable[[], Submits] | None, jobs: int | None) -> Iterator[Submits]:
    """The executor given; or what its maker makes; or threads of our own."""
    if executor is not None and hasattr(executor, "get_executor"):  # a client of Dask's
        yield executor.get_executor()
        return
    if executor is not None and hasattr(executor, "submit"):
        yield executor
        return
    if executor is not None and not callable(executor):
        raise StudyError(f"{executor!r} is no executor: give something with `submit`, as concurrent.futures has it")
    made = ThreadPoolExecutor(jobs or 1, thread_name_prefix="surefront") if executor is None else executor()
    try:
        yield made
    finally:
        # Nobody needs what is still under way, and it may take for ever.
        if isinstance(made, Executor):
            made.shutdown(wait=False, cancel_futures=True)


class Coroutines(Executor):
    """An executor for functions that are awaited, on a loop that goes on in another thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._under_way: set[Future[Any]] = set()
        self._cancelled = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Awaits the function on the loop."""

        async def awaited() -> Any:
            return await fn(*args, **kwargs)

        if self._cancelled:
            raise RuntimeError("cannot schedule new futures after cancellation")
        future = asyncio.run_coroutine_threadsafe(awaited(), self._loop)
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        return future

    def cancel(self) -> None:
        """Ends what is under way, and takes nothing more."""
        self._cancelled = True
        for future in list(self._under_way):
            future.cancel()


def submitter(executor: Submits, measure: Measure) -> Callable[[str, int], Any]:
    """Hands a measurement to an executor: an arm's name, and a number that no other measurement has."""
    # Dask takes functions for pure unless it is told otherwise, and would give the first result of an arm again and again.
    impure = {"pure": False} if "pure" in getattr(executor, "_allowed_kwargs", ()) else {}
    if takes_seed(measure):
        return lambda arm, ticket: executor.submit(measure, arm, seed=ticket, **impure)
    return lambda arm, _ticket: executor.submit(measure, arm, **impure)


def takes_seed(measure: Callable[..., object]) -> bool:
    """Whether a function wants to know a number that no other measurement has."""
    try:
        return "seed" in inspect.signature(measure).parameters
    except (TypeError, ValueError):
        # Some functions of other languages do not say.
        return False


def function_name(measure: object) -> str:
    """What a function is called, wherever it runs."""
    inner = getattr(measure, "func", measure)
    module, name = getattr(inner, "__module__", None), getattr(inner, "__qualname__", None)
    if name is None:
        return type(measure).__qualname__
    return str(name) if module in (None, "__main__") else f"{module}.{name}"


@contextlib.contextmanager
def shown(
    progress: bool | Callable[[Progress], object], stop: threading.Event
) -> Iterator[Callable[[int, float, float, float, list[str], int], object]]:
    """Calls back, or draws a bar of tqdm's (an optional extra), or neither; ends the run once it is to stop."""
    if progress is not True:

        def call(*seen: Any) -> None:
            if stop.is_set():
                raise asyncio.CancelledError
            if progress is not False:
                progress(Progress(*seen))

        yield call
        return
    from tqdm.auto import tqdm

    with tqdm(total=100, unit="%", bar_format="{l_bar}{bar}| {postfix}") as bar:

        def draw(samples: int, _e: float, _t: float, fraction: float, front: list[str], waiting: int) -> None:
            if stop.is_set():
                raise asyncio.CancelledError
            bar.n = round(100 * fraction, 1)
            waits = f", {waiting} wait" if waiting else ""
            bar.set_postfix_str(f"{samples:,} samples, front so far: {', '.join(front) or '–'}{waits}")

        yield draw


def note(sentence: str) -> None:
    """What people should know while a study is being measured."""
    _log.warning("%s", sentence)
