"""Know the Pareto front for sure.

You have alternatives ("arms"), and every measurement of one gives noisy numbers. A study says what to measure next, and
when enough has been measured to know, with a confidence that you choose, which arms are Pareto-optimal.

>>> import random, surefront as sf
>>> random.seed(1)
>>> means = {"small": (0.70, 1.0), "large": (0.90, 4.0), "clumsy": (0.60, 5.0)}
>>> study = sf.Study(
...     objectives=[sf.Objective("accuracy", "max", variance=0.01), sf.Objective("seconds", "min", variance=0.04)],
...     arms=means, delta=0.05)
>>> while not study.sure:
...     ticket = study.ask()
...     accuracy, seconds = means[ticket.arm]
...     study.tell(ticket, {"accuracy": random.gauss(accuracy, 0.1), "seconds": random.gauss(seconds, 0.2)})
>>> study.front
['small', 'large']
"""

from surefront._analysis import analyze
from surefront._benchmarks import read_benchmarks
from surefront._definition import Arm, Constraint, Objective
from surefront._experiment import Plan, Simulated, bound, plan, simulate, transport
from surefront._run import Progress
from surefront._status import Analysis, Status
from surefront._study import Study
from surefront._surefront import AnsweredError, MeasurementError, StudyError, Ticket, __version__

__all__ = [
    "Analysis",
    "AnsweredError",
    "Arm",
    "Constraint",
    "MeasurementError",
    "Objective",
    "Plan",
    "Progress",
    "Simulated",
    "Status",
    "Study",
    "StudyError",
    "Ticket",
    "__version__",
    "analyze",
    "bound",
    "plan",
    "read_benchmarks",
    "simulate",
    "transport",
]
