"""A sampling rule of one's own, raced against those of the package: the ten lines of `front_twice` and `race`."""

import random
from collections import Counter

import surefront as sf

DELTA = 0.05
VARIANCE = 0.5
MEANS = {"small": [1.0, 1.0], "medium": [2.0, 2.0], "large": [3.0, 4.0], "old": [1.5, 3.0]}
OBJECTIVES = [sf.Objective("accuracy", "max", variance=VARIANCE), sf.Objective("latency", "min", variance=VARIANCE)]


def front_twice(study: sf.Study, counts: Counter[str]) -> str:
    """Arms of the front twice as often as the others."""
    front = set(study.front)
    return min(MEANS, key=lambda arm: counts[arm] / (2 if arm in front else 1))


def race(seed: int) -> int:
    """How many samples the rule takes until the front is proved."""
    study, counts, noise = sf.Study(OBJECTIVES, list(MEANS), delta=DELTA), Counter[str](), random.Random(seed)
    while not study.sure:
        arm = front_twice(study, counts)
        study.tell(arm, [noise.gauss(mean, VARIANCE**0.5) for mean in MEANS[arm]])
        counts[arm] += 1
    return counts.total()


def main() -> None:
    runs = 20
    print(f"samples until the front is proved at δ = {DELTA}, means of {runs} runs")
    print(f"  front_twice: {sum(race(seed) for seed in range(runs)) / runs:.0f}")
    known = sf.Study(OBJECTIVES, MEANS, delta=DELTA)
    for rule in sf.simulate(known, ["weakest", "dual", "ape", "uniform"], runs=runs, threshold="certified").rules:
        print(f"  {rule['rule']}: {rule['mean']:.0f}")


if __name__ == "__main__":
    main()
