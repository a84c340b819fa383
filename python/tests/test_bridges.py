from __future__ import annotations

import random

import optuna
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier

import surefront as sf
import surefront.optuna
import surefront.sklearn


def noisy(trial: optuna.Trial) -> tuple[float, float]:
    x = trial.suggest_float("x", 0, 2)
    return x**2 + random.gauss(0, 0.02), (x - 2) ** 2 + random.gauss(0, 0.02)


def test_optuna_trials_are_confirmed() -> None:
    random.seed(2)
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    search = optuna.create_study(directions=["minimize", "minimize"], sampler=optuna.samplers.RandomSampler(seed=3))
    with pytest.raises(sf.StudyError, match="there is no finished trial"):
        surefront.optuna.confirm(search, noisy)
    for x in (0.0, 1.0, 2.0):
        search.enqueue_trial({"x": x})
    search.optimize(noisy, n_trials=3)
    lucky = optuna.trial.create_trial(
        params={"x": 1.0}, distributions={"x": optuna.distributions.FloatDistribution(0, 2)}, values=[-1.0, -1.0]
    )
    search.add_trial(lucky)
    # By what was recorded of it, it dominates all; evaluated again it would be as good as the second.
    assert [trial.number for trial in search.best_trials] == [3]
    confirmed = surefront.optuna.confirm(search, noisy, trials=search.trials[:3], delta=0.05, jobs=2)
    assert confirmed.sure
    assert sorted(trial.number for trial in confirmed.trials) == [0, 1, 2]
    assert "trial 0" in repr(confirmed)
    with pytest.raises(sf.StudyError, match="1 objectives, but the study has 2 directions"):
        surefront.optuna.confirm(search, noisy, objectives=[sf.Objective("x", "min")])


def test_estimators_are_compared() -> None:
    X, y = load_iris(return_X_y=True)
    estimators = {"tree": DecisionTreeClassifier(random_state=0), "dummy": DummyClassifier()}
    study = surefront.sklearn.compare(estimators, X, y, fit_time=False, random_state=1)
    assert study.sure
    assert study.front == ["tree"]
    frame = surefront.sklearn.compare(estimators, pd.DataFrame(X), pd.Series(y), fit_time=False, random_state=1)
    assert frame.status().to_dict()["arms"] == study.status().to_dict()["arms"]
    with_time = surefront.sklearn.compare(estimators, X, y, max_samples=30)
    assert with_time.objectives == ["accuracy", "fit seconds"]
    regressors = {"line": LinearRegression(), "mean": DummyRegressor()}
    # The line fits without error in every split, and of a score that can be anything equal repeats are no evidence.
    fitted = surefront.sklearn.compare(regressors, X, X[:, 0], scoring="r2", fit_time=False, max_samples=60)
    assert fitted.front == ["line"]
    assert not fitted.sure
    assert "Equal repeats are no evidence" in str(fitted.status())
    with pytest.raises(sf.StudyError, match="there are no estimators"):
        surefront.sklearn.compare({}, X, y)
