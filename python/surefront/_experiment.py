"""What can be known before anything is measured: bounds, plans, simulations."""

from __future__ import annotations

import html
import itertools
import json
from collections.abc import Iterable, Sequence
from typing import Any

from surefront import _run, _surefront
from surefront._definition import definition
from surefront._fields import Fields
from surefront._surefront import StudyError


class _Found(Fields):
    """Findings: fields as in the program's JSON, a text, a figure."""

    def __init__(self, found: tuple[str, str, str | None]) -> None:
        text, self._text, self._svg = found
        super().__init__(text)

    def svg(self) -> str | None:
        """The figure, where there is one."""
        return self._svg

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._fields['study']!r}>"

    def _repr_html_(self) -> str:
        return f"{self._svg or ''}<pre>{html.escape(str(self))}</pre>"


class Simulated(_Found):
    """What many runs say about rules."""


class Plan(_Found):
    """What a study will take."""


def bound(study: Any, *, tolerance: float = 1e-6) -> dict[str, Any]:
    """How many samples the best allocation needs, and that allocation: `t_star` and `weights`.

    >>> import surefront as sf
    >>> study = sf.Study([sf.Objective("gain", "max", variance=1.0)], {"coin": [0.5], "die": [3.5]})
    >>> [round(weight, 3) for weight in sf.bound(study)["weights"]]
    [0.5, 0.5]
    """
    found: dict[str, Any] = json.loads(_surefront.bound(definition(study), tolerance))
    return found


def transport(study: Any, weights: Sequence[float] | None = None, *, method: str = "auto") -> dict[str, Any]:
    """The closest model with another front, where measurements are spread like this: evenly, unless weights are given.

    >>> import surefront as sf
    >>> study = sf.Study([sf.Objective("gain", "max", variance=1.0)], {"coin": [0.5], "die": [3.5]})
    >>> change = sf.transport(study, [10, 10])
    >>> round(change["cost"], 3), change["piece"]["kind"]
    (22.5, 'add')
    """
    given = None if weights is None else [float(weight) for weight in weights]
    found: dict[str, Any] = json.loads(_surefront.transport(definition(study), given, method))
    return found


def plan(
    study: Any,
    *,
    delta: float | Iterable[float] = (),
    runs: int = 100,
    threshold: str | None = None,
    max_samples: int | None = None,
    seed: int = 1,
    jobs: int | None = None,
) -> Plan:
    """From guessed means: how many samples a study will take, of which arms, and what makes it expensive."""
    deltas = [float(delta)] if isinstance(delta, float | int) else [float(one) for one in delta]
    choice = {"deltas": deltas, "runs": runs, "threshold": threshold, "max_samples": max_samples, "seed": seed, "jobs": jobs}
    return Plan(_surefront.plan(definition(study), choice))


def simulate(
    study: Any,
    rule: str | Iterable[str] = (),
    *,
    runs: int = 100,
    first_run: int = 0,
    threshold: str | None = None,
    delta: float | None = None,
    max_samples: int | None = None,
    tracking: str = "d",
    refresh: int | None = None,
    check: int | None = None,
    allocation: Sequence[float] | None = None,
    seed: int = 1,
    jobs: int | None = None,
    executor: _run.Submits | None = None,
) -> Simulated:
    """Runs studies on simulated arms: how many samples rules take, and how often they err.

    The same seed gives the same numbers as the program's, however many threads there are. With `executor`, each of its workers
    (or `jobs` parts) makes some of the runs, and the result is the same again.

    >>> import surefront as sf
    >>> study = sf.Study([sf.Objective("gain", "max", variance=1.0)], {"coin": [0.5], "die": [3.5]}, delta=0.1)
    >>> simulated = sf.simulate(study, "weakest", runs=20)
    >>> simulated.rules[0]["runs"], simulated.rules[0]["mistakes"]
    (20, 0)
    """
    if tracking not in ("c", "d"):
        raise StudyError(f'there is no tracking named "{tracking}": write "c" or "d"')
    choice = {
        "rules": [rule] if isinstance(rule, str) else list(rule),
        "threshold": threshold,
        "delta": delta,
        "runs": runs,
        "first_run": first_run,
        "max_samples": max_samples,
        "cumulative_tracking": tracking == "c",
        "refresh": refresh,
        "check": check,
        "allocation": None if allocation is None else [float(weight) for weight in allocation],
        "seed": seed,
        "jobs": jobs,
    }
    what = definition(study)
    if executor is None:
        return Simulated(_surefront.simulate(what, choice))
    # Two parts for each worker: whoever is through early takes another one.
    count = min(runs, 2 * _run.workers(executor, jobs))
    if count < 1:
        raise StudyError(f"runs is {runs}: give a number of runs")
    edges = [first_run + runs * part // count for part in range(count + 1)]
    whole = _text(what)
    futures = [
        executor.submit(_part, whole, {**choice, "first_run": begin, "runs": end - begin, "jobs": 1})
        for begin, end in itertools.pairwise(edges)
    ]
    parts = [future.result() for future in futures]
    return Simulated(_surefront.simulate_sum(whole, choice, parts))


def _part(what: Any, choice: dict[str, object]) -> Any:
    """Some of the runs, on a worker."""
    return _surefront.simulate_part(what, choice)


def _text(what: Any) -> Any:
    """A study file as its text: a worker may have other files."""
    if isinstance(what, tuple):
        return what
    try:
        text = what.read_text(encoding="utf-8")
    except OSError as error:
        raise StudyError(f"{what}: cannot read this file ({error})") from None
    # Arms in a file of their own cannot be had from the text alone.
    return what.absolute() if "arms" in _keys(text) else (what.stem, text)


def _keys(text: str) -> set[str]:
    heads = (line.split("[", 1)[0] for line in text.split("[[", 1)[0].splitlines())
    return {line.split("=", 1)[0].strip() for line in heads if "=" in line}
