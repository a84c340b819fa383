"""Measurements on a Dask cluster: here one of this machine's own, elsewhere whatever `Client` connects to.

Needs `pip install surefront[dask]`. A worker that dies costs its measurement, which Dask makes again elsewhere.
"""

import random
import time

from distributed import Client, LocalCluster

import surefront as sf

MEANS = {"small": (0.70, 1.0), "large": (0.90, 4.0), "distilled": (0.85, 1.2), "clumsy": (0.60, 5.0)}


def measure(arm: str) -> dict[str, float]:
    """Stands for minutes of work on another machine."""
    time.sleep(0.02)
    accuracy, seconds = MEANS[arm]
    return {"accuracy": random.gauss(accuracy, 0.1), "seconds": random.gauss(seconds, 0.2)}


def main() -> None:
    objectives = [sf.Objective("accuracy", "max", variance=0.01), sf.Objective("seconds", "min", variance=0.04)]
    study = sf.Study(objectives, list(MEANS), delta=0.05, name="models")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        status = study.run(measure, executor=client.get_executor(), on_failure="retry")
    print(status)


if __name__ == "__main__":
    main()
