"""A study: ask, measure, tell, until it has its answer."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from surefront import _run
from surefront._definition import Arms, Constraint, Objective, study_text
from surefront._status import Status, as_html
from surefront._surefront import Core, StudyError, Ticket
from surefront._tables import Table

if TYPE_CHECKING:
    import pandas
    from numpy.typing import ArrayLike

#: Whose one result can be.
_ONE = (Ticket, int, str)

#: One value for each objective: by name, or in their order.
Values = Mapping[str, float] | Sequence[float] | float


class Study:
    """Finds the Pareto-optimal arms among noisy alternatives, with a chosen confidence.

    In memory, or, with `store=`, in a SQLite file that every observation reaches before it counts; the program `surefront`
    goes on with such a study, and `Study.open` with one of the program's.

    >>> import surefront as sf
    >>> study = sf.Study([sf.Objective("gain", "max", variance=1.0)], ["coin", "die"], delta=0.05)
    >>> ticket = study.ask()
    >>> ticket.arm
    'coin'
    >>> study.tell(ticket, {"gain": 0.5})
    >>> study.status().samples
    1

    `rule`, `threshold`, `delta` and `seed` hold until something else is said; a study in a store remembers them.
    """

    def __init__(
        self,
        objectives: Iterable[Objective | Constraint],
        arms: Arms = (),
        *,
        delta: float | None = None,
        name: str = "study",
        store: str | os.PathLike[str] | None = None,
        rule: str | None = None,
        threshold: str | None = None,
        seed: int | None = None,
        correlation: Sequence[Sequence[float]] | str | None = None,
        cost: str | None = None,
        prepare: str | Sequence[str] | None = None,
        command: str | Sequence[str] | None = None,
        timeout: float | str | None = None,
        jobs: int | None = None,
        warmup: int | None = None,
        max_samples: int | None = None,
        grid: Mapping[str, Sequence[str | float]] | None = None,
    ) -> None:
        text = study_text(
            objectives,
            arms,
            name=name,
            delta=delta,
            correlation=correlation,
            cost=cost,
            prepare=prepare,
            command=command,
            timeout=timeout,
            jobs=jobs,
            warmup=warmup,
            max_samples=max_samples,
            grid=grid,
        )
        path = None if store is None else Path(store)
        self._begin((name, text), path, path is None, rule=rule, threshold=threshold, delta=delta, seed=seed)

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        store: str | os.PathLike[str] | None = None,
        *,
        rule: str | None = None,
        threshold: str | None = None,
        delta: float | None = None,
        seed: int | None = None,
    ) -> Study:
        """Takes up a study file and its store: the one beside it, if no other is named."""
        study = cls.__new__(cls)
        kept = None if store is None else Path(store)
        study._begin(Path(path), kept, False, rule=rule, threshold=threshold, delta=delta, seed=seed)
        return study

    def _begin(self, definition: Path | tuple[str, str], store: Path | None, memory: bool, **wishes: Any) -> None:
        self._definition = definition
        self._core = Core(definition, store, memory, **wishes)

    # What it is about.

    @property
    def name(self) -> str:
        """The study's name."""
        return self._core.name

    @property
    def arms(self) -> list[str]:
        """The arms, in their order."""
        return self._core.arms

    @property
    def objectives(self) -> list[str]:
        """The objectives, in their order."""
        return self._core.objectives

    @property
    def readings(self) -> list[str]:
        """What is read of an arm, in its order: the objectives, or what they are weighted sums of."""
        return self._core.readings

    @property
    def store(self) -> Path | None:
        """The file that keeps it; None if it is in memory only."""
        return self._core.store

    @property
    def definition(self) -> str:
        """What its study file says, or would say: with that in a file, the program `surefront` goes on with its store.

        >>> import surefront as sf
        >>> print(sf.Study([sf.Objective("gain", "max")], ["coin", "die"]).definition)
        name = "study"
        <BLANKLINE>
        [[objective]]
        name = "gain"
        goal = "max"
        <BLANKLINE>
        [[arm]]
        name = "coin"
        <BLANKLINE>
        [[arm]]
        name = "die"
        <BLANKLINE>
        """
        return self._definition.read_text() if isinstance(self._definition, Path) else self._definition[1]

    # Ask, tell, take back.

    @overload
    def ask(self) -> Ticket: ...
    @overload
    def ask(self, n: int) -> list[Ticket]: ...
    def ask(self, n: int | None = None) -> Ticket | list[Ticket]:
        """What to measure next: a ticket with its `arm`, or a list of n.

        Raises:
            AnsweredError: nothing needs to be measured.
        """
        if n is None:
            return self._core.ask()
        if n < 0:
            raise StudyError(f"n is {n}: ask for 0 measurements or more")
        return self._core.ask_many(n)

    def tell(self, whose: Any, values: Any = None) -> None:
        """What was measured: for a ticket, its number, or an arm's name; or a table of many results.

        >>> import numpy as np, surefront as sf
        >>> study = sf.Study([sf.Objective("gain", "max"), sf.Objective("cost", "min")], ["coin", "die"])
        >>> tickets = study.ask(2)
        >>> study.tell(tickets[0], {"gain": 0.5, "cost": 1})
        >>> study.tell("die", [3.5, 6])
        >>> study.tell(["coin", "die"], np.array([[0.4, 1.0], [3.1, 6.0]]))
        >>> study.status().samples
        4

        Where an objective is a weighted sum (`of`), what is told are its parts, the `readings`; the objectives themselves will do,
        if all of them are given by name.

        A table (pandas, polars, pyarrow) has a column for each reading, and `ticket` or `arm` or both. Many results are
        taken together or not at all. Told the same again, a ticket changes nothing.
        """
        if isinstance(whose, _ONE):
            self._core.tell(whose, values)
        elif values is None:
            self._tell_table(whose)
        else:
            self._tell_many(whose, values)

    def _tell_many(self, whose: Iterable[Ticket | int | str], values: ArrayLike) -> None:
        keys = list(whose)
        table = np.asarray(values, dtype=np.float64)
        if table.ndim == 1 and len(self.readings) == 1:
            table = table.reshape(-1, 1)
        if table.ndim != 2 or table.shape[0] != len(keys) or table.shape[1] not in (len(self.readings), len(self.objectives)):
            raise StudyError(
                f"the values are of shape {table.shape}: give {len(keys)} rows, one for each result, "
                f"with {len(self.readings)} columns, one for each objective"
            )
        by_arm = [isinstance(key, str) for key in keys]
        if any(by_arm) and not all(by_arm):
            raise StudyError("some results are for tickets and some for arms: tell them one after the other")
        if keys and by_arm[0]:
            self._core.tell_many(None, [str(key) for key in keys], table)
        else:
            numbers = [key.id if isinstance(key, Ticket) else int(key) for key in keys]
            self._core.tell_many(numbers, None, table)

    def _tell_table(self, data: object) -> None:
        table = Table(data)
        is_there = set(table.columns).issuperset
        made = not is_there(self.readings) and is_there(self.objectives)
        values = np.column_stack([table.numbers(name) for name in (self.objectives if made else self.readings)])
        tickets = [int(ticket) for ticket in table.numbers("ticket")] if "ticket" in table.columns else None
        arms = table.texts("arm") if "arm" in table.columns else None
        self._core.tell_many(tickets, arms, np.ascontiguousarray(values), made=made)

    def fail(self, ticket: Ticket | int, why: str) -> None:
        """Nothing will be told of a ticket: later results need not wait for it."""
        self._core.fail(ticket.id if isinstance(ticket, Ticket) else ticket, why)

    def retract(
        self,
        whose: Ticket | int | Iterable[int] | None = None,
        *,
        arm: str | None = None,
        before: str | None = None,
        reason: str,
    ) -> list[int]:
        """Takes back what a ticket was told, observations by number, or all of an arm or before a time; their numbers.

        What is taken back stays in the store with the reason, and no longer counts.
        """
        if isinstance(whose, Ticket | int):
            return self._core.retract_ticket(whose.id if isinstance(whose, Ticket) else whose, reason)
        if whose is not None:
            return self._core.retract(list(whose), reason)
        if arm is None and before is None:
            raise StudyError("what to take back is not said: name a ticket, observations, an arm, or a time")
        return self._core.retract_all(arm, before, reason)

    # What is known.

    @property
    def sure(self) -> bool:
        """Whether the front is known for sure: proved, at the δ that was chosen."""
        return self._core.answered() == "proved"

    @property
    def answered(self) -> bool:
        """Whether there is an answer, sure or only likely: nothing more needs to be measured."""
        return self._core.answered() is not None

    @property
    def front(self) -> list[str]:
        """The arms of the front, so far or for sure; none until every arm has been measured."""
        return self._core.front()

    def status(self) -> Status:
        """All that is known at this moment."""
        return Status(self._core.status())

    def observations(self) -> pandas.DataFrame:
        """Every observation, as a table of pandas', those taken back as well; ">200" where no more is known of a value."""
        import pandas

        columns = ["observation", "arm", "ticket", "source", "told_at", "retracted_at", "retracted_reason"]
        rows = [
            (number, arm, ticket, source, told, *(taken or (None, None)), *values)
            for number, arm, ticket, source, told, taken, values in self._core.observations()
        ]
        table = pandas.DataFrame(rows, columns=[*columns, *self.objectives])
        table["ticket"] = table["ticket"].astype("Int64")
        return table

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Writes the answer for somebody who was not there: .html, .md, .json or .svg."""
        self._core.report(Path(path))
        return Path(path)

    def plot(self, x: str | None = None, y: str | None = None, *, ax: Any = None) -> Any:
        """Draws the arms in two objectives on matplotlib axes (an optional extra)."""
        return self.status().plot(x, y, ax=ax)

    # Measuring.

    def run(
        self,
        measure: _run.Measure | None = None,
        *,
        executor: _run.Submits | Callable[[], _run.Submits] | None = None,
        jobs: int | None = None,
        on_failure: Literal["stop", "retry", "drop"] = "stop",
        timeout: float | None = None,
        max_samples: int | None = None,
        max_cost: float | None = None,
        max_time: float | None = None,
        patience: float | None = None,
        restore: bool = False,
        progress: bool | Callable[[_run.Progress], object] = False,
        _stop: threading.Event | None = None,
    ) -> Status:
        """Measures until there is an answer, or a budget is spent: what is known then.

        `measure(arm)` gives a value for each objective; one with a parameter `seed` is given a number as well that no other
        measurement of the study has. It is called on `executor`, which is anything with the `submit` of
        `concurrent.futures` (threads, processes, Dask, loky, …), or something that makes one; without it, in threads of this
        process. As many measurements are under way as the executor has workers, or as `jobs` says.

        A measurement that raises, or returns no values, or takes longer than `timeout` seconds costs that measurement only:
        `on_failure` says whether to stop then, to try again (up to three times), or to leave the arm out (`restore=True`
        takes such arms in again). Whatever ends a run, everything told is kept, and the next run goes on from there.

        Without `measure`, arms are measured by their commands, or simulated by their means, as the program does it.

        >>> import surefront as sf
        >>> study = sf.Study([sf.Objective("gain", "max", noise="exact")], ["coin", "die"])
        >>> study.run({"coin": 0.5, "die": 3.5}.__getitem__).front
        ['die']

        Raises:
            MeasurementError: an arm could not be measured.
            KeyboardInterrupt: after Ctrl-C, once what was under way is told; a second Ctrl-C does not wait for it.
        """
        choice = {
            "timeout": timeout,
            "on_failure": on_failure,
            "max_samples": max_samples,
            "max_cost": max_cost,
            "max_seconds": max_time,
            "patience": patience,
            "restore": restore,
        }
        with _run.shown(progress, _stop or threading.Event()) as show:
            if measure is None:
                if executor is not None:
                    raise StudyError("there is an executor and nothing to measure with: give the function, too")
                self._core.run(None, "", {**choice, "jobs": jobs}, show, _run.note)
                return self.status()
            if not callable(measure):
                raise StudyError(f"{measure!r} is no function: give one that takes an arm's name")
            with _run.at_hand(executor, jobs) as submits:
                count = _run.workers(submits, jobs)
                submit, name = _run.submitter(submits, measure), _run.function_name(measure)
                self._core.run(submit, name, {**choice, "jobs": count}, show, _run.note)
        return self.status()

    async def run_async(self, measure: Callable[..., Awaitable[object]], *, jobs: int = 1, **options: Any) -> Status:
        """As `run`, where measuring is awaited: `jobs` measurements at a time, on the running loop.

        >>> import asyncio, surefront as sf
        >>> async def measure(arm):
        ...     await asyncio.sleep(0)
        ...     return {"coin": 0.5, "die": 3.5}[arm]
        >>> study = sf.Study([sf.Objective("gain", "max", noise="exact")], ["coin", "die"])
        >>> asyncio.run(study.run_async(measure, jobs=2)).front
        ['die']
        """
        coroutines, stop = _run.Coroutines(asyncio.get_running_loop()), threading.Event()
        running = asyncio.create_task(asyncio.to_thread(self.run, measure, executor=coroutines, jobs=jobs, _stop=stop, **options))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            # What is under way is given up, and the run, which has a thread of its own, ends before anybody goes on.
            stop.set()
            coroutines.cancel()
            with contextlib.suppress(asyncio.CancelledError, StudyError):
                await running
            raise

    # As others see it.

    def close(self) -> None:
        """Lets go of the store. A study that is in memory only is gone."""
        self._core.close()

    def __enter__(self) -> Study:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        kept = "in memory" if self.store is None else f"in {str(self.store)!r}"
        return f"<Study {self.name!r} of {len(self.arms)} arms, {kept}>"

    def _repr_html_(self) -> str:
        return as_html(Status(self._core.status(), self._core.svg()))
