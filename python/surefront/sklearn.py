"""Which of these estimators are Pareto-optimal, in what they score and how long they take to fit?

Each measurement fits one of them to a random part of the data and scores it on the rest. An optional extra:
`pip install surefront[sklearn]`.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import get_scorer
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

from surefront._definition import Objective
from surefront._study import Study
from surefront._surefront import StudyError

__all__ = ["compare"]

#: The objective that is measured beside the scores.
FIT_TIME = "fit seconds"

#: Scores that lie between 0 and 1 whatever the data are, with their variants ("f1_macro").
FRACTIONS = (
    "accuracy",
    "average_precision",
    "balanced_accuracy",
    "f1",
    "jaccard",
    "precision",
    "recall",
    "roc_auc",
    "top_k_accuracy",
)


def compare(
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    scoring: str | Sequence[str] = "accuracy",
    fit_time: bool = True,
    test_size: float = 0.25,
    stratify: bool | None = None,
    delta: float = 0.05,
    store: Any = None,
    random_state: int = 0,
    threshold: str | None = None,
    **options: Any,
) -> Study:
    """Measures estimators on random splits until it is sure which of them are Pareto-optimal; the study then.

    The objectives are the scores (more is better, as scikit-learn has it) and the seconds that a fit takes. Of scores that are
    fractions, such as the accuracy, no more is taken for granted than that they lie between 0 and 1; others are taken for
    Gaussian, and one that is the same in every split is no evidence then. Splits are stratified for classifiers, and the same for
    the same `random_state`. `options` are those of `Study.run`: executor, jobs, max_samples, …

    The answer is about this data set: repeated splits say how an estimator does on parts of it, not on other data.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import surefront.sklearn
    >>> X, y = load_iris(return_X_y=True)
    >>> estimators = {"tree": DecisionTreeClassifier(random_state=0), "dummy": DummyClassifier()}
    >>> surefront.sklearn.compare(estimators, X, y, fit_time=False, max_samples=200).front
    ['tree']
    """
    if not estimators:
        raise StudyError("there are no estimators: give some, by name")
    scores = [scoring] if isinstance(scoring, str) else list(scoring)
    objectives = [_objective(score) for score in scores]
    if fit_time:
        objectives.append(Objective(FIT_TIME, "min"))
    stratified = _is_classification(estimators) if stratify is None else stratify
    split = (StratifiedShuffleSplit if stratified else ShuffleSplit)(n_splits=1, test_size=test_size)
    study = Study(objectives, list(estimators), delta=delta, name="estimators", store=store, threshold=threshold)
    measure = functools.partial(fit_and_score, dict(estimators), X, y, scores, fit_time, split, random_state)
    study.run(measure, **options)
    return study


def fit_and_score(
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    scores: Sequence[str],
    fit_time: bool,
    split: Any,
    random_state: int,
    arm: str,
    seed: int,
) -> dict[str, float]:
    """One measurement: fits to a random part, scores on the rest."""
    split.random_state = int(np.random.SeedSequence([random_state, seed]).generate_state(1)[0])
    ((train, test),) = split.split(X, y)
    estimator = clone(estimators[arm])
    begin = time.perf_counter()
    estimator.fit(_rows(X, train), _rows(y, train))
    seconds = time.perf_counter() - begin
    X_test, y_test = _rows(X, test), _rows(y, test)
    values = {score: float(get_scorer(score)(estimator, X_test, y_test)) for score in scores}
    return {**values, FIT_TIME: seconds} if fit_time else values


def _objective(score: str) -> Objective:
    if any(score == name or score.startswith(f"{name}_") for name in FRACTIONS):
        return Objective(score, "max", noise="bounded", range=(0.0, 1.0))
    return Objective(score, "max")


def _rows(data: Any, which: Any) -> Any:
    return data.iloc[which] if hasattr(data, "iloc") else data[which]


def _is_classification(estimators: Mapping[str, Any]) -> bool:
    from sklearn.base import is_classifier

    return all(is_classifier(estimator) for estimator in estimators.values())
