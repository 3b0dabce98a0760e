"""What `ranking.py` uses of LightGBM, which tests do without: linear models in its place."""

from typing import Any

from sklearn.linear_model import LogisticRegression, Ridge


def LGBMClassifier(**options: Any) -> LogisticRegression:  # noqa: N802 - as it is there
    """A classifier."""
    del options
    return LogisticRegression()


class LGBMRanker:
    """Scores of items, learned as if each item had its own query."""

    def __init__(self, **options: Any) -> None:
        del options
        self._model = Ridge()

    def fit(self, x: Any, y: Any, group: Any) -> Ridge:
        """Learn from the grades; of the groups no use is made."""
        del group
        return self._model.fit(x, y)
