"""Which of a multi-objective Optuna study's best trials are truly Pareto-optimal?

A trial is evaluated once, and with noise the luckiest ones look best. `confirm` evaluates `best_trials` again, those that it takes
to know, until their front is sure. An optional extra: `pip install surefront[optuna]`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import optuna

from surefront._definition import Objective
from surefront._status import Status
from surefront._study import Study
from surefront._surefront import StudyError

__all__ = ["Confirmation", "confirm"]


class Confirmation:
    """What is known of trials that were evaluated again."""

    def __init__(self, study: Study, trials: Mapping[str, Any]) -> None:
        self.study = study
        self._trials = dict(trials)

    @property
    def sure(self) -> bool:
        """Whether the front is known for sure."""
        return self.study.sure

    @property
    def trials(self) -> list[optuna.trial.FrozenTrial]:
        """The trials of the front."""
        return [self._trials[arm] for arm in self.study.front]

    def status(self) -> Status:
        """All that is known: the arms are called after their trials, "trial 7"."""
        return self.study.status()

    def __repr__(self) -> str:
        return f"<Confirmation of {len(self._trials)} trials: {', '.join(self.study.front) or 'nothing known yet'}>"


def confirm(
    study: optuna.Study,
    objective: Callable[[Any], float | Sequence[float]],
    *,
    trials: Iterable[optuna.trial.FrozenTrial] | None = None,
    objectives: Sequence[Objective] | None = None,
    delta: float = 0.05,
    store: Any = None,
    threshold: str | None = None,
    **options: Any,
) -> Confirmation:
    """Evaluates trials again through the objective until it is sure which of them are Pareto-optimal.

    `trials` are the study's `best_trials`, unless others are given. What they were found with does not count: they were chosen for
    it. `objectives` says more of the values, such as a known variance; `options` are those of `Study.run`: executor, jobs,
    max_samples, …

    >>> import optuna, random, surefront.optuna
    >>> optuna.logging.set_verbosity(optuna.logging.ERROR)
    >>> rng = random.Random(1)
    >>> def objective(trial):
    ...     x = trial.suggest_float("x", 0, 2)
    ...     return x**2 + rng.gauss(0, 0.05), (x - 2) ** 2 + rng.gauss(0, 0.05)
    >>> study = optuna.create_study(directions=["minimize", "minimize"], sampler=optuna.samplers.RandomSampler(seed=1))
    >>> study.optimize(objective, n_trials=8)
    >>> confirmed = surefront.optuna.confirm(study, objective, max_samples=300)
    >>> confirmed.study.arms[0].startswith("trial ")
    True
    """
    chosen = list(study.best_trials if trials is None else trials)
    if not chosen:
        raise StudyError("there is no finished trial: optimize the study first")
    names = {f"trial {trial.number}": trial for trial in chosen}
    known = list(objectives) if objectives is not None else _objectives(study)
    if len(known) != len(study.directions):
        raise StudyError(f"there are {len(known)} objectives, but the study has {len(study.directions)} directions")
    own = Study(known, list(names), delta=delta, name=study.study_name, store=store, threshold=threshold)
    measure = functools.partial(_evaluate, objective, {name: (trial.number, trial.params) for name, trial in names.items()})
    own.run(measure, **options)
    return Confirmation(own, names)


def _objectives(study: optuna.Study) -> list[Objective]:
    names = study.metric_names or [f"value {place}" for place in range(len(study.directions))]
    goals = ["max" if way == optuna.study.StudyDirection.MAXIMIZE else "min" for way in study.directions]
    return [Objective(name, goal) for name, goal in zip(names, goals, strict=True)]  # type: ignore[arg-type]


def _evaluate(objective: Callable[[Any], Any], trials: Mapping[str, Any], arm: str) -> list[float]:
    number, params = trials[arm]
    values = objective(optuna.trial.FixedTrial(params, number))
    return [float(value) for value in values] if isinstance(values, Iterable) else [float(values)]
