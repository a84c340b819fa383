"""Measuring on any executor: what `Study.run` takes, and how it gets on."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
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

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Awaits the function on the loop."""

        async def awaited() -> Any:
            return await fn(*args, **kwargs)

        return asyncio.run_coroutine_threadsafe(awaited(), self._loop)


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
    progress: bool | Callable[[Progress], object],
) -> Iterator[Callable[[int, float, float, float, list[str], int], object] | None]:
    """Calls back, or draws a bar of tqdm's (an optional extra), or neither."""
    if progress is False:
        yield None
    elif progress is True:
        from tqdm.auto import tqdm

        with tqdm(total=100, unit="%", bar_format="{l_bar}{bar}| {postfix}") as bar:

            def draw(samples: int, _e: float, _t: float, fraction: float, front: list[str], waiting: int) -> None:
                bar.n = round(100 * fraction, 1)
                waits = f", {waiting} wait" if waiting else ""
                bar.set_postfix_str(f"{samples:,} samples, front so far: {', '.join(front) or '–'}{waits}")

            yield draw
    else:
        yield lambda *seen: progress(Progress(*seen))


def note(sentence: str) -> None:
    """What people should know while a study is being measured."""
    _log.warning("%s", sentence)
