"""Measures by their names in scikit-learn, in `scoring` and in `sklearn.metrics`."""

import re

_NAMES = {
    "f1-macro": "macro-f1",
    "f1-micro": "accuracy",
    "matthews-corrcoef": "matthews-correlation",
    "precision-micro": "accuracy",
    "recall-macro": "balanced-accuracy",
    "recall-micro": "accuracy",
    "top-k-accuracy": "top-k-accuracy@2",
}
"""Our names of measures that are named differently here.

With one label for each instance, all micro averages are the accuracy. scikit-learn's default of the top-k
accuracy is k = 2."""

_BRIER = (
    "scikit-learn halves the Brier score of two classes. Ask for 'brier-score', which is the sum over both"
)
_REFUSED = {
    "brier-score-loss": _BRIER,
    "neg-brier-score": _BRIER,
    "median-absolute-error": (
        "scikit-learn's median absolute error is the mean of the two middle errors if the number of "
        "instances is even. Ask for 'absolute-error-quantile@0.5', which is the lower of the two and has a "
        "guaranteed interval"
    ),
}
"""Names of measures that are defined differently here, and what to ask for."""


def from_scikit_learn(name: str) -> tuple[str, bool] | None:
    """Return our name of a measure of scikit-learn, and whether its sign is dropped; None if it is the same.

    Signs are not reversed, because each measure states whether a greater value is better.
    """
    stem = re.sub(r"(?<=.)-score$", "", name)
    plain = stem.removeprefix("neg-")
    if reason := _REFUSED.get(name) or _REFUSED.get(plain):
        raise ValueError(f"there is no measure {name!r}: {reason}")
    plain = _NAMES.get(plain, plain)
    return None if plain == name else (plain, stem.startswith("neg-"))
