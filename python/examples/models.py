"""Which classifiers are Pareto-optimal on handwritten digits, in accuracy and in the seconds that a fit takes?

Needs `pip install surefront[sklearn]`.
"""

from sklearn.datasets import load_digits
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import surefront.sklearn

ESTIMATORS = {
    "nearest neighbours": KNeighborsClassifier(3),
    "ridge": RidgeClassifier(),
    "naive Bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
    "dummy": DummyClassifier(),
}


def main() -> None:
    X, y = load_digits(return_X_y=True)
    # A hundred fits are enough to see most of it; without max_samples it goes on until it is sure.
    study = surefront.sklearn.compare(ESTIMATORS, X, y, delta=0.1, max_samples=100, random_state=1)
    print(study.status())
    print(study.status().to_pandas()[["arm", "n", "accuracy", "fit seconds", "verdict"]].to_string(index=False))


if __name__ == "__main__":
    main()
