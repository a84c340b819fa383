"""A verdict on samples that exist already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from surefront._definition import Constraint, Objective, objectives_text
from surefront._status import Analysis
from surefront._surefront import Rows, StudyError
from surefront._tables import Table


def analyze(
    data: Any,
    *,
    arm: Any = None,
    max: str | Iterable[str] = (),
    min: str | Iterable[str] = (),
    objectives: Iterable[Objective | Constraint] = (),
    variance: Mapping[str, float] | None = None,
    exact: Iterable[str] = (),
    delta: float = 0.1,
    threshold: str | None = None,
    next: int = 100,
    name: str = "samples",
) -> Analysis:
    """Says of samples, one row for each, which arms are Pareto-optimal, which are not, why, and what to measure next.

    `data` is a table of pandas, polars or pyarrow, anything that speaks Arrow's C interface, or arrays by name. `arm` names the
    column that says whose a row is: `"arm"` unless you say otherwise, or else the only one with text. `max` and `min` name the
    objectives; `objectives` has those with more to say, and `variance` and `exact` what is known of their noise.

    >>> import surefront as sf
    >>> data = {"model": ["a", "b"] * 30, "accuracy": [0.9, 0.5] * 30, "seconds": [1.0, 3.0] * 30}
    >>> analysis = sf.analyze(data, max="accuracy", min="seconds", exact=["accuracy", "seconds"])
    >>> analysis.front, analysis.stopped
    (['a'], True)

    A matrix of numpy's has a row for each sample and a column for each objective, `max` and `min` in this order; `arm` is then
    the arms' names, one for each row.
    """
    known = _objectives(_names(max), _names(min), list(objectives), variance or {}, list(exact))
    names = [objective.name for objective in known]
    rows = Rows(name, objectives_text(known))
    if isinstance(data, np.ndarray):
        if data.ndim != 2 or data.shape[1] != len(names) or arm is None or isinstance(arm, str):
            raise StudyError(
                f"a matrix needs a column for each objective, {', '.join(names)} in this order, and `arm`, a name for each row"
            )
        data = {"arm": np.asarray(arm), **dict(zip(names, data.T, strict=True))}
        arm = "arm"
    table = Table(data)
    column = _arm_column(table, names) if arm is None else str(arm)
    if column in names:
        raise StudyError(f'column "{column}" cannot be both the arms and an objective: name the column of the arms, arm=…')
    for chunk in table.chunks(column, names):
        rows.add(*chunk)
    ignored = [other for other in table.columns if other != column and other not in names]
    return Analysis(rows.finish(column, ignored, threshold, delta, next))


def _names(given: str | Iterable[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _objectives(
    most: list[str],
    least: list[str],
    more: list[Objective | Constraint],
    variance: Mapping[str, float],
    exact: list[str],
) -> list[Objective | Constraint]:
    named = [*most, *least]
    for name in [*variance, *exact]:
        if name not in named:
            raise StudyError(f'"{name}" is no objective that `max` or `min` names')

    def objective(name: str, goal: Any) -> Objective:
        return Objective(name, goal, noise="exact" if name in exact else None, variance=variance.get(name))

    known: list[Objective | Constraint] = [objective(name, "max") for name in most]
    known += [objective(name, "min") for name in least]
    known += more
    if not known:
        raise StudyError('there is no objective: name columns with `max` and `min`, such as max="accuracy", min="seconds"')
    # As in a study file, constraints come after the objectives.
    return sorted(known, key=lambda one: isinstance(one, Constraint))


def _arm_column(table: Table, objectives: list[str]) -> str:
    if "arm" in table.columns:
        return "arm"
    texts = [name for name in table.columns if name not in objectives and table.is_text(name)]
    if len(texts) == 1:
        return texts[0]
    what = f"{', '.join(texts)} have text" if texts else "no column has text"
    raise StudyError(f"which column names the arms is not clear ({what}): say it, arm=…")
