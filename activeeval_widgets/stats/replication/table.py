"""The result of replications: one row for each method and budget."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import AnyArray
from activeeval_widgets.stats.replication._chunk import Chunk, Procedure


@dataclass(frozen=True)
class ReplicationTable:
    """The result of replications, with one row for each method and budget.

    Attributes
    ----------
    columns : dict of str to ndarray
        Arrays of equal length; see `replicate`. `pandas.DataFrame(table.columns)` converts them.
    truth : tuple of float
        The measure of each model on the pool.

    See Also
    --------
    replicate : Compute such a table.

    Examples
    --------
    >>> columns = {"method": np.array(["passive", "active"]), "rmse": np.array([0.04, 0.03])}
    >>> table = ReplicationTable(columns, truth=(0.1,))
    >>> table.of("active")["rmse"].tolist()
    [0.03]
    """

    columns: dict[str, AnyArray]
    truth: tuple[float, ...]

    def __repr__(self) -> str:
        methods = ", ".join(dict.fromkeys(map(str, self.columns["method"])))
        return f"<Replications of {methods}: {len(self)} rows with {', '.join(self.columns)}>"

    def __len__(self) -> int:
        return len(self.columns["method"])

    def __getitem__(self, column: str) -> AnyArray:
        return self.columns[column]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for row in range(len(self)):
            yield {name: values[row].item() for name, values in self.columns.items()}

    def of(self, method: str) -> dict[str, AnyArray]:
        """Return the columns of one method, by ascending budget."""
        chosen = self.columns["method"] == method
        if not chosen.any():
            raise KeyError(method)
        return {name: values[chosen] for name, values in self.columns.items()}


def rows(procedure: Procedure, parts: Sequence[Chunk], truth: Sequence[float]) -> Iterator[dict[str, float]]:
    """Yield the summary of each budget."""
    values, low, high, pvalue, own, n_labels = (
        np.concatenate([np.asarray(part[field]) for part in parts], axis=1) for field in range(6)
    )
    target = np.array(truth if len(truth) == 1 else [a - b for a, b in combinations(truth, 2)])
    sign = 1 if procedure.question.measure.greater_is_better else -1
    best = sign * np.array(truth) >= max(sign * np.array(truth))
    stopped = np.full(values.shape[1], np.nan)
    for at, n_draws in enumerate(procedure.counts):
        defined = ~np.isnan(values[at]).any(axis=-1)
        error = (values[at] - target)[defined]
        inside = (low[at] <= target + 1e-12) & (target <= high[at] + 1e-12)
        row = {
            "n_draws": float(n_draws),
            "n_labels": float(n_labels[at].mean()),
            "mean_absolute_error": _mean(np.abs(error)),
            "rmse": float(np.sqrt(_mean(error**2))),
            "bias": _mean(error),
            "coverage": _mean(inside[defined]),
            "width": _mean((high[at] - low[at])[defined]),
            "undefined": float(1 - defined.mean()),
        }
        if len(truth) > 1:
            significant = pvalue[at] < 1 - procedure.confidence_level
            chosen = np.argmax(np.where(np.isnan(own[at]), -np.inf, sign * own[at]), axis=-1)
            found = np.isnan(stopped) & significant.all(axis=-1)
            stopped[found] = n_labels[at][found]
            row |= {
                "pvalue": _mean(pvalue[at][defined]),
                "significant": float(significant.mean()),
                "selection_error": float(1 - best[chosen].mean()),
                "labels_to_significance": float(np.where(np.isnan(stopped), n_labels[at], stopped).mean()),
            }
        yield row


def _mean(values: AnyArray) -> float:
    return float(values.mean()) if values.size else float("nan")
