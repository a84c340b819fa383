"""A noisy multi-objective search with Optuna, and which of its best trials are truly Pareto-optimal.

Needs `pip install surefront[optuna]`.
"""

import random

import optuna

import surefront.optuna


def objective(trial: optuna.Trial) -> tuple[float, float]:
    x, y = trial.suggest_float("x", 0, 5), trial.suggest_float("y", 0, 3)
    noise = random.gauss
    return 4 * x**2 + 4 * y**2 + noise(0, 4), (x - 5) ** 2 + (y - 5) ** 2 + noise(0, 4)


def main() -> None:
    random.seed(1)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    search = optuna.create_study(directions=["minimize", "minimize"], sampler=optuna.samplers.RandomSampler(seed=1))
    search.set_metric_names(["cost", "distance"])
    search.optimize(objective, n_trials=60)
    print(f"Optuna names {len(search.best_trials)} best trials, each evaluated once.")

    confirmed = surefront.optuna.confirm(search, objective, delta=0.1, max_samples=2000)
    print(confirmed.status().headline)
    for trial in confirmed.trials:
        print(f"trial {trial.number}: {trial.params}")


if __name__ == "__main__":
    main()
