"""Users' own measures: a loss, or the two parts of a ratio, as functions of prediction and label."""

import hashlib
import inspect
import textwrap
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import check_cost_matrix
from activeeval_widgets.stats.measures.base import Measure, Moments, Risk, Term, mean_of_moments
from activeeval_widgets.stats.measures.classes import TableMeasure
from activeeval_widgets.stats.measures.ratios import RatioMeasure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief, GaussianMixture
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.predictions.values import ValuePredictions

_DEEPEST = 5
"""Greatest depth at which a function's references are included in its digest."""

Function = Callable[[Any, Any], Any]

MAX_CLASSES = 100
"""Up to this many classes, a measure's repr is its table, from which it can be made again."""

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(32)
"""Gauss–Hermite quadrature for a standard normal variable: exact for polynomials up to degree 63."""


def _describe(measure: Measure, name: Any, *, greater_is_better: Any, is_share: Any) -> None:
    """Set a measure's name, the format of its values, and whether greater is better."""
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"name must be a string that is not blank, got {name!r}")
    for option, value in (("greater_is_better", greater_is_better), ("is_share", is_share)):
        if not isinstance(value, bool | np.bool_):
            raise TypeError(f"{option} must be True or False, got {value!r}")
    measure.name = name.strip()
    measure.greater_is_better = bool(greater_is_better)
    measure.is_share = bool(is_share)  # type: ignore[misc]


def _options(measure: Measure) -> str:
    return f"greater_is_better={measure.greater_is_better!r}, is_share={measure.is_share!r}"


def _checked_tables(*tables: ArrayLike) -> list[FloatArray]:
    given = [check_cost_matrix(table) for table in tables]
    if len({each.shape for each in given}) > 1:
        raise ValueError(f"the tables have the shapes {[each.shape for each in given]}, expected one")
    return given


def _cells_of(
    tables: Sequence[FloatArray], name: str, model: ClassPredictions, predicted: IntArray, true: IntArray
) -> FloatArray:
    """Return the tables' entries for pairs of a predicted and a true class."""
    n_classes = len(tables[0])
    if n_classes != model.n_classes:
        raise ValueError(
            f"the {name} is of {n_classes} classes, but the predictions are of {model.n_classes}"
        )
    return np.stack([table[predicted, true] for table in tables], axis=-1)


class _LossTable(Risk, TableMeasure):
    """A loss, or a gain, by the predicted and the true class."""

    def __init__(self, name: str, table: ArrayLike, *, greater_is_better: bool, is_share: bool) -> None:
        _describe(self, name, greater_is_better=greater_is_better, is_share=is_share)
        self._tables = [loss] = _checked_tables(table)
        self.value_range = (float(loss.min()), float(loss.max()))
        if is_share and not 0 <= loss.min() <= loss.max() <= 1:
            raise ValueError(
                f"the {self.name} is from {loss.min():g} to {loss.max():g}, but a share is from 0 to 1: "
                "leave is_share out"
            )
        if loss.min() == loss.max():
            raise ValueError(
                f"the {self.name} is {loss.min():g} whatever the label is: there is nothing to label"
            )
        self.is_binary = bool(np.isin(loss, (0, 1)).all())

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:
        return _cells_of(self._tables, self.name, model, predicted, true)

    def __repr__(self) -> str:
        return f"Risk.from_table({self.name!r}, {self._tables[0].tolist()}, {_options(self)})"


class _RatioTable(RatioMeasure):
    """A ratio of two means, by the predicted and the true class."""

    def __init__(
        self,
        name: str,
        numerator: ArrayLike,
        denominator: ArrayLike,
        *,
        greater_is_better: bool,
        is_share: bool,
    ) -> None:
        _describe(self, name, greater_is_better=greater_is_better, is_share=is_share)
        self._tables = num, den = _checked_tables(numerator, denominator)
        if den.min() < 0 or not den.max() > 0:
            raise ValueError(
                f"the denominator of the {self.name} is from {den.min():g} to {den.max():g}, "
                "expected numbers >= 0 of which some are positive"
            )
        is_part = bool((num >= 0).all() and (num <= den).all())
        if is_share and not is_part:
            raise ValueError(
                f"the numerator of the {self.name} is not everywhere from 0 to its denominator, as of a "
                "share: give is_share=False (its interval is then approximate)"
            )
        self.is_ratio = is_part  # type: ignore[misc]
        if not is_part:
            self.value_range = (-inf, inf)

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:
        return _cells_of(self._tables, self.name, model, predicted, true)

    def __repr__(self) -> str:
        num, den = (table.tolist() for table in self._tables)
        return f"Ratio.from_tables({self.name!r}, {num}, {den}, {_options(self)})"


class _OfClasses:
    """Functions of the predicted and the true class, and the measures from their tables."""

    def __init__(self, measure: Measure, functions: Sequence[Function]) -> None:
        self._measure, self.functions = measure, [_check_function(each) for each in functions]
        self._made: dict[tuple[Any, ...], _LossTable | _RatioTable] = {}

    def measure_for(self, predictions: Predictions) -> "_LossTable | _RatioTable":
        """Return the same measure from the table of these classes."""
        named, model = self._measure, self._measure._expect(ClassPredictions, predictions)
        if model.n_classes > MAX_CLASSES:
            raise ValueError(
                f"the predictions are of {model.n_classes} classes, but a measure of your own is of at most "
                f"{MAX_CLASSES}"
            )
        labels = model.classes.tolist()
        if tuple(labels) not in self._made:
            tables = [
                [[_number(function(f, y), f"of {f!r} and {y!r}") for y in labels] for f in labels]
                for function in self.functions
            ]
            kind: Any = _LossTable if len(tables) == 1 else _RatioTable
            self._made[tuple(labels)] = kind(
                named.name, *tables, greater_is_better=named.greater_is_better, is_share=bool(named.is_share)
            )
        return self._made[tuple(labels)]


class _ClassLoss(Risk, TableMeasure):
    """A loss by a function of the predicted and the true class, before the classes are known."""

    value_range = (-inf, inf)

    def __init__(self, name: str, function: Function, *, greater_is_better: bool, is_share: bool) -> None:
        _describe(self, name, greater_is_better=greater_is_better, is_share=is_share)
        self._of_classes = _OfClasses(self, [function])
        if is_share:
            self.value_range = (0.0, 1.0)

    def bound_to(self, models: Sequence[Predictions]) -> Measure:
        """Return the same from the table of these classes; see `Measure.bound_to`."""
        return self._of_classes.measure_for(models[0])

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:
        return self._of_classes.measure_for(model)._cells(model, predicted, true)

    def range_for(self, predictions: Predictions) -> tuple[float, float]:
        """Return the table's range; see `Measure.range_for`."""
        return self._of_classes.measure_for(predictions).value_range

    def __repr__(self) -> str:
        return f"Risk.from_loss({self.name!r}, {_source(self._of_classes.functions)}, {_options(self)})"


class _ClassRatio(RatioMeasure):
    """A ratio of two functions of the predicted and the true class, before the classes are known."""

    def __init__(
        self, name: str, functions: Sequence[Function], *, greater_is_better: bool, is_share: bool
    ) -> None:
        _describe(self, name, greater_is_better=greater_is_better, is_share=is_share)
        self._of_classes = _OfClasses(self, functions)
        if not is_share:  # the classes decide whether the numerator is part of the denominator
            self.is_ratio = False  # type: ignore[misc]
            self.value_range = (-inf, inf)

    def bound_to(self, models: Sequence[Predictions]) -> Measure:
        """Return the same from the tables of these classes; see `Measure.bound_to`."""
        return self._of_classes.measure_for(models[0])

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:
        return self._of_classes.measure_for(model)._cells(model, predicted, true)

    def range_for(self, predictions: Predictions) -> tuple[float, float]:
        """Return the tables' range; see `Measure.range_for`."""
        return self._of_classes.measure_for(predictions).value_range

    def __repr__(self) -> str:
        return f"Ratio.from_parts({self.name!r}, {_source(self._of_classes.functions)}, {_options(self)})"


class _ValueLoss(Risk):
    """A loss, or a gain, by a function of the predicted and the true number."""

    predictions_kind = "value"

    def __init__(
        self,
        name: str,
        function: Function,
        bounds: tuple[float, float] | None,
        *,
        greater_is_better: bool,
        is_share: bool,
    ) -> None:
        _describe(self, name, greater_is_better=greater_is_better, is_share=is_share)
        self._function = _check_function(function)
        self.value_range = (-inf, inf) if bounds is None else _check_bounds(bounds)
        # Without bounds it is treated as any function of means, and its interval holds in the limit.
        self.is_risk = bounds is not None  # type: ignore[misc]

    def _losses(self, predicted: FloatArray, labels: FloatArray) -> FloatArray:
        """Return the loss of each pair; shapes broadcast."""
        predicted, labels = np.broadcast_arrays(predicted, labels)
        try:
            found = np.asarray(self._function(predicted, labels), dtype=np.float64)
        except (TypeError, ValueError):  # it takes one pair at a time
            found = np.asarray(np.vectorize(self._function, otypes=[float])(predicted, labels))
        if found.shape != predicted.shape:
            raise ValueError(
                f"the function of the {self.name} gave an array of shape {found.shape}, "
                f"expected a loss for each prediction and label, {predicted.shape}"
            )
        return found

    def statistics(self, predictions: Predictions, y_true: Any, draws: IntArray) -> FloatArray:
        """Return z of labeled draws; see `Measure.statistics`."""
        model = self._expect(ValuePredictions, predictions)
        labels = model.check_labels(y_true, draws.size, f"{draws.size} draws")
        found = self._losses(model.mean[draws], labels)
        low, high = self.value_range
        wrong = ~((found >= low) & (found <= high) & np.isfinite(found))
        if wrong.any():
            at = int(np.argmax(wrong))
            expected = f"from {low:g} to {high:g}, its bounds" if isfinite(low) else "a finite number"
            pair = f"the prediction {model.mean[draws][at]:g} and the label {labels[at]:g}"
            raise ValueError(f"the {self.name} of {pair} is {found[at]:g}, expected {expected}")
        return found[:, np.newaxis]

    def introspective_mean(self, predictions: Predictions, belief: Belief) -> FloatArray:
        """Return the pool's E[z]; see `Measure.introspective_mean`."""
        return mean_of_moments(self, predictions, belief)

    def moments(self, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
        """Return conditional moments by Gauss–Hermite quadrature; see `Measure.moments`."""
        mixture = self._expect(GaussianMixture, belief)
        mixture.check_known()
        assert mixture.variances is not None  # noqa: S101 - for the type checker
        predicted = [self._expect(ValuePredictions, term.predictions).mean for term in terms]
        signs = [float(term.direction[0]) for term in terms]
        share = _WEIGHTS / _WEIGHTS.sum() / len(mixture.means)
        first, second = np.zeros((2, mixture.means.shape[1]))
        for mean, variance in zip(mixture.means, mixture.variances, strict=True):
            deviation = np.sqrt(variance)
            for node, weight in zip(_NODES, share, strict=True):
                labels = mean + deviation * node
                score = np.full(labels.shape, -offset)
                for f, sign in zip(predicted, signs, strict=True):
                    score += sign * self._losses(f, labels)
                first += weight * score
                second += weight * score**2
        return Moments(first, second)

    def check_range(self, y_range: tuple[float, float] | None) -> None:
        """Raise an error for a range without bounds: within it, the function may have any value."""
        if y_range is not None and not self.is_risk:
            low, high = y_range
            raise ValueError(
                f"y_range is ({low:g}, {high:g}), but how large the {self.name} can be does not follow from "
                "the range of labels: give Risk.from_loss the smallest and the largest loss as bounds="
                "(low, high), or leave y_range out"
            )

    def outcomes(
        self, models: Sequence[Predictions], y_range: tuple[float, float] | None
    ) -> Iterator[FloatArray]:
        """Yield the given bounds, for all instances; see `Measure.outcomes`."""
        if not self.is_risk:
            yield from super().outcomes(models, y_range)
            return
        for ends in product(*(self.value_range for _ in models)):
            yield np.tile(ends, (models[0].n_instances, 1))

    def same_statistics(self, first: Predictions, second: Predictions) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return where two models predict the same."""
        a, b = self._expect(ValuePredictions, first), self._expect(ValuePredictions, second)
        same: np.ndarray[Any, np.dtype[np.bool_]] = a.mean == b.mean
        return same

    def __repr__(self) -> str:
        bounds = self.value_range if self.is_risk else None
        return (
            f"Risk.from_loss({self.name!r}, {_source([self._function])}, bounds={bounds}, {_options(self)})"
        )


def _check_function(function: Any) -> Function:
    if not callable(function):
        raise TypeError(f"function must be callable with a prediction and a label, got {function!r}")
    return function  # type: ignore[no-any-return]


def _check_bounds(bounds: Any) -> tuple[float, float]:
    try:
        low, high = map(float, bounds)
    except (TypeError, ValueError) as error:
        raise ValueError(f"bounds must be the smallest and the largest loss, got {bounds!r}") from error
    if not -inf < low < high < inf:
        raise ValueError(f"bounds must be two finite numbers, the smaller one first, got {bounds!r}")
    return low, high


def _number(value: Any, where: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"the function {where} is {value!r}, expected a number") from error
    if not isfinite(number):
        raise ValueError(f"the function {where} is {value!r}, expected a finite number")
    return number


def _source(functions: Sequence[Function]) -> str:
    """Return a digest of functions' source, and of what they refer to, to distinguish them."""
    digest = hashlib.sha256()
    for function in functions:
        digest.update(_written(function, 0).encode())
    return f"source={digest.hexdigest()[:16]!r}"


def _written(value: Any, depth: int) -> str:
    """Return a text for a function, or something that it uses, that is the same in every process."""
    if value is None or isinstance(value, bool | int | float | str | bytes | np.generic):
        return repr(value)
    if isinstance(value, np.ndarray):
        return repr((value.dtype.str, value.tolist()))
    if isinstance(value, list | tuple):
        return f"({', '.join(_written(each, depth + 1) for each in value)})"
    if isinstance(value, dict):
        return f"mapping {_written([[*pair] for pair in value.items()], depth)}"
    code = getattr(value, "__code__", None)
    if code is None or depth > _DEEPEST:
        return f"{type(value).__module__}.{getattr(value, '__qualname__', type(value).__qualname__)}"
    try:
        text = textwrap.dedent(inspect.getsource(value))
    except (OSError, TypeError):
        text = repr((code.co_code, [str(each) for each in code.co_consts if not hasattr(each, "co_code")]))
    held = [cell.cell_contents for cell in value.__closure__ or ()]
    return f"{text} {_written([*held, *(value.__defaults__ or ())], depth + 1)}"


def loss_measure(
    function: Function,
    name: str,
    kind: str,
    bounds: tuple[float, float] | None,
    *,
    greater_is_better: bool,
    is_share: bool,
) -> Risk:
    """Return the measure of `Risk.from_loss`."""
    options: dict[str, Any] = {"greater_is_better": greater_is_better, "is_share": is_share}
    if kind == "class":
        if bounds is not None:
            raise ValueError("bounds are for losses of numbers: those of classes follow from all pairs")
        return _ClassLoss(name, function, **options)
    if kind == "value":
        return _ValueLoss(name, function, bounds, **options)
    raise ValueError(f"kind is {kind!r}, expected 'class' or 'value'")


def table_risk(name: str, table: ArrayLike, options: dict[str, Any]) -> Risk:
    """Return the measure of `Risk.from_table`."""
    return _LossTable(name, table, **options)


def parts_measure(
    numerator: Function, denominator: Function, name: str, options: dict[str, Any]
) -> RatioMeasure:
    """Return the measure of `Ratio.from_parts`."""
    return _ClassRatio(name, [numerator, denominator], **options)


def table_ratio(
    name: str, numerator: ArrayLike, denominator: ArrayLike, options: dict[str, Any]
) -> RatioMeasure:
    """Return the measure of `Ratio.from_tables`."""
    return _RatioTable(name, numerator, denominator, **options)
