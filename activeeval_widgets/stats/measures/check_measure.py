"""The checks that every measure has to pass."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import expect
from activeeval_widgets.stats.measures._pool_to_try import MAKERS, PoolToTry, labels_of, pool_to_try
from activeeval_widgets.stats.measures.base import Measure, Moments, Term
from activeeval_widgets.stats.predictions.base import Predictions


def check_measure(
    measure: Measure,
    predictions: Predictions | Sequence[Predictions] | None = None,
    *,
    y_range: tuple[float, float] | None = None,
) -> None:
    """Check that your own measure fulfills what draws, estimates and intervals rely on.

    Parameters
    ----------
    measure : Measure
        The measure.
    predictions : Predictions or sequence of two Predictions, optional
        A small pool to try it on, about 200 instances, with a second model for differences. Unless given, two
        models of 14 instances: with classes 0, 1, 2; with values; or with rankings and grades 0, 1, 2.
    y_range : tuple of float, optional
        The smallest and the largest label, for values.

    Raises
    ------
    AssertionError
        If it does not; the message says what is expected.

    See Also
    --------
    Measure : What a measure provides.

    Examples
    --------
    >>> check_measure(Ratio.from_parts(lambda f, y: f == y == 2, lambda f, y: y == 2, "share of 2 found"))
    """
    name = type(measure).__name__
    expect(isinstance(measure, Measure), f"a measure must be a Measure, got {measure!r}")
    kinds = ", ".join(map(repr, MAKERS))
    expect(
        getattr(measure, "predictions_kind", None) in MAKERS,
        f"{name}: predictions_kind must be one of {kinds}",
    )
    case = pool_to_try(measure, predictions, y_range)
    for check in _CHECKS:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                check(case)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from None
        except Exception as error:
            what = (check.__doc__ or "").rstrip(".")
            raise AssertionError(
                f"{name}: {type(error).__name__} while checking that {what}: {error}"
            ) from error


def _is_described(case: PoolToTry) -> None:
    """it describes itself."""
    measure = case.measure
    for attribute in ("name", "long_name"):
        value = getattr(measure, attribute, None)
        expect(isinstance(value, str) and bool(value), f"{attribute} must be a text, got {value!r}")
    example = measure.sentence.format(name=measure.name, value="12", instances="texts", root="3")
    has_place = "12" in example or "3" in example
    expect(has_place, f"sentence must have a place for {{value}}, got {measure.sentence!r}")
    low, high = measure.value_range
    expect(low < high, f"value_range must be its smallest and largest value, got {measure.value_range!r}")
    expect(not (measure.is_risk and measure.is_ratio), "a measure can't be a risk and a ratio")
    expect(measure.is_risk or not measure.is_binary, "only a risk can be binary: see is_binary")
    is_named = type(measure).__repr__ is not Measure.__repr__ or not vars(measure)
    expect(
        is_named and " at 0x" not in repr(measure),
        f"__repr__ must differ between measures of its class, because sessions use it, got {measure!r}",
    )


def _has_statistics(case: PoolToTry) -> None:
    """statistics has a row for each draw, which depends only on its instance and its label."""
    model, labels, everything = case.models[0], case.labelings[0], case.everything
    z = case.measure.statistics(model, labels, everything)
    n = len(everything)
    expect(
        isinstance(z, np.ndarray) and z.ndim == 2 and len(z) == n,
        f"statistics must be an array of shape (n_draws, n_statistics), got {_shape(z)} of {n} draws",
    )
    expect(bool(np.isfinite(z).all()), "statistics must be finite numbers")
    draws = case.rng.integers(n, size=2 * n)
    again = case.measure.statistics(model, [labels[i] for i in draws], draws)
    expect(
        np.array_equal(again, z[draws]),
        "statistics must be in the order of the draws, each row from its own instance and label only",
    )
    expect(
        case.measure.statistics(model, [], draws[:0]).shape == (0, z.shape[1]),
        f"statistics of no draws must have the shape (0, {z.shape[1]})",
    )
    if case.measure.is_risk or case.measure.is_ratio:
        wanted = 1 if case.measure.is_risk else 2
        expect(
            z.shape[1] == wanted, f"it must have {wanted} statistics (is_risk, is_ratio), got {z.shape[1]}"
        )
    for each in map(case.z, case.labelings):
        if case.measure.is_binary:
            expect(bool(np.isin(each, (0, 1)).all()), "statistics must be 0 or 1: see is_binary")
        if case.measure.is_ratio:
            holds = (each[:, 0] >= 0).all() and (each[:, 0] <= each[:, 1] + 1e-12).all()
            share = case.measure.value_range == (0.0, 1.0)
            expect(bool(holds) or not share, "of a ratio, 0 ≤ numerator ≤ denominator must hold")


def _has_g(case: PoolToTry) -> None:
    """g and its gradient match, and values are in their range."""
    measure, model = case.measure, case.models[0]
    rows = [case.z(labels) for labels in case.labelings]
    means = np.array([z.mean(axis=0) for z in rows])
    values, slopes = measure.g(means), measure.gradient(means)
    expect(np.shape(values) == means.shape[:1], f"g must have the shape (…), got {_shape(values)}")
    expect(np.shape(slopes) == means.shape, f"gradient must have the shape of the mean, got {_shape(slopes)}")
    nothing = measure.g(np.zeros(means.shape[1]))
    expect(np.shape(nothing) == (), f"g of one mean must be a number, got {_shape(nothing)}")
    expect(bool(np.isfinite(values).any()), "g must be defined for some labels: give other predictions")
    low, high = measure.range_for(model)
    for labels, z, value in zip(case.labelings, rows, values, strict=True):
        if not np.isfinite(value):
            continue
        whole = measure.of_pool(model, labels)
        expect(low - 1e-9 <= whole <= high + 1e-9, f"values must be in {(low, high)}, got {whole}")
        if not measure.is_binned:
            expect(_are_close(whole, value), f"of_pool must be g of the mean, got {whole} for {value}")
        if measure.is_smooth:
            _check_slopes(measure, case.rng.dirichlet(np.ones(len(z))) @ z, z[1:] - z[0])


def _check_slopes(measure: Measure, mean: FloatArray, ways: FloatArray) -> None:
    """Check the gradient in directions in which a mean of statistics can move: between instances."""
    slope, step = measure.gradient(mean), 1e-6
    found = (measure.g(mean + step * ways) - measure.g(mean - step * ways)) / (2 * step)
    size = max(1.0, float(np.abs(slope).max()), float(np.abs(ways).max()))
    agree = np.abs(ways @ slope - found) <= 1e-5 * size**2
    expect(bool((agree | np.isnan(found)).all()), f"gradient must be that of g: it is not at {mean}")


def _knows_what_is_expected(case: PoolToTry) -> None:
    """moments and introspective_mean are those of labels from the predictive distribution."""
    measure, first = case.measure, case.models[0]
    for models in case.teams:
        belief = first.belief(models[1:])
        mean = measure.introspective_mean(first, belief)
        n_statistics = case.z(case.labelings[0]).shape[1]
        expect(
            np.shape(mean) == (n_statistics,),
            f"introspective_mean must have the shape ({n_statistics},), got {_shape(mean)}",
        )
        expected = measure.expectation(first, belief)
        expect(
            _are_close(expected.mean, mean),
            f"introspective_mean must be the average of E[z | x], got {mean} for {expected.mean}",
        )
        terms = [
            Term(model, way)
            for model, way in zip(models, case.rng.normal(size=(2, n_statistics)), strict=False)
        ]
        found = measure.moments(terms, belief, 0.1)
        expect(bool((found.second >= 0).all()), "the second moments must not be negative")
        for instance in case.rng.permutation(first.n_instances)[:3]:
            closed = Moments(found.first[instance], found.second[instance])
            _check_moments(case, terms, belief, int(instance), closed)
    if measure.shares_rows:
        counts = case.rng.integers(1, 4, size=first.n_instances)
        mean = measure.introspective_mean(first.with_counts(counts), first.belief([]))
        rows = measure.expectation(first, first.belief([]))[case.everything]
        expect(
            _are_close(mean, counts @ rows / counts.sum()),
            "introspective_mean must count rows that stand for several instances: use Predictions.average",
        )


def _check_moments(
    case: PoolToTry, terms: Sequence[Term], belief: Any, instance: int, closed: Moments
) -> None:
    labels, weights = labels_of(case.models[0], belief, instance, case.rng)
    draws = np.full(len(labels), instance)
    z = [case.measure.statistics(term.predictions, labels, draws) @ term.direction for term in terms]
    scores = np.sum(z, axis=0) - 0.1
    for which, values, found in (("first", scores, closed.first), ("second", scores**2, closed.second)):
        right = float(np.average(values, weights=weights))
        error = 1e-9 * max(1.0, float(np.abs(values).max()))
        if weights is None:  # without spread, some labels may be missing from the sample
            spread = float(values.std())
            error += 5 * spread / np.sqrt(len(labels)) if spread else 10 / len(labels)
        expect(
            bool(abs(found - right) <= error),
            f"the {which} moment of a combination of statistics must be {right:.6g} at instance {instance}, "
            f"got {found:.6g}",
        )


def _knows_extremes(case: PoolToTry) -> None:
    """no label goes beyond outcomes and loss_bounds."""
    measure = case.measure
    for models in case.teams:
        outcomes = np.array([*measure.outcomes(models, case.y_range)])
        for z in (case.z(labels, models) for labels in case.labelings):
            if measure.is_risk:
                least, greatest = measure.loss_bounds(models, case.y_range)
                loss = np.subtract.reduce(z, axis=1)
                holds = (least - 1e-9 <= loss).all() and (loss <= greatest + 1e-9).all()
                expect(bool(holds), "a label's loss must be within loss_bounds")
            elif measure.is_ratio and len(models) == 1:
                for way in ([1, 0], [1, -0.3], [1, -1]):  # the extremes of num − G den, for any G
                    scores = outcomes @ way
                    holds = (scores.min(axis=0) <= z @ way + 1e-9).all()
                    holds &= (z @ way <= scores.max(axis=0) + 1e-9).all()
                    expect(bool(holds), "outcomes must have each instance's extreme statistics")


def _knows_what_is_alike(case: PoolToTry) -> None:
    """instances that alike groups have the same statistics."""
    measure, everything = case.measure, case.everything
    first, group = measure.alike(case.models[0], everything)
    for labels in case.labelings:
        own = [labels[int(i)] for i in everything]
        if first.size < everything.size:
            there = measure.statistics(case.models[0], own, np.asarray(first)[group])
            expect(
                np.array_equal(there, case.z(own)), "instances that are alike must have the same statistics"
            )
        for models in case.teams[1:]:
            differ = ~measure.can_differ(*models)
            one, other = (measure.statistics(model, own, everything)[differ] for model in models)
            expect(np.array_equal(one, other), "same_statistics must hold whatever the label is")


def _knows_which_is_better(case: PoolToTry) -> None:
    """greater_is_better says which of two models is the better one."""
    measure, model = case.measure, case.models[0]
    predicted = {"class": "y_pred", "value": "mean"}.get(measure.predictions_kind)
    if predicted is None or not (measure.needs_model and (measure.is_risk or measure.is_ratio)):
        return
    best = measure.of_pool(model, getattr(model, predicted))
    values = [measure.of_pool(model, labels) for labels in case.labelings]
    sign = 1 if measure.greater_is_better else -1
    expect(
        not all(sign * best < sign * value for value in values),
        f"greater_is_better must not be {measure.greater_is_better}: with the labels that it predicts, a "
        f"model has {best:.3g}, with others {min(values):.3g} to {max(values):.3g}",
    )


def _is_between_its_parts(case: PoolToTry) -> None:
    """the interval of a composition contains the value."""
    measure = case.measure
    for models in case.teams:
        one, *other = models
        found = measure.difference_composition(one, *other) if other else measure.composition(one)
        if found is None:
            continue
        expect(
            all(0 < part.share <= 1 for part in found.parts),
            "each part of a composition must have a share of α in (0, 1]",
        )
        for labels in case.labelings:
            ends = np.array([_value(part.measure, part.models, labels) for part in found.parts])
            value = _value(measure, models, labels)
            low, high = found.interval(ends, ends)
            holds = np.isnan(ends).any() or np.isnan(value) or low - 1e-9 <= value <= high + 1e-9
            expect(bool(holds), f"a composition's interval must hold the value {value}, got {(low, high)}")


def _value(measure: Measure, models: Sequence[Predictions], labels: Any) -> float:
    return float(np.subtract.reduce([measure.of_pool(model, labels) for model in models]))


def _shape(value: Any) -> str:
    return f"the shape {np.shape(value)}"


def _are_close(found: Any, expected: Any) -> bool:
    return bool(np.allclose(found, expected, rtol=1e-9, atol=1e-9))


_CHECKS = (
    _is_described,
    _has_statistics,
    _has_g,
    _knows_what_is_expected,
    _knows_extremes,
    _knows_what_is_alike,
    _knows_which_is_better,
    _is_between_its_parts,
)
