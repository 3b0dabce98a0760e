"""A measure from its repr, such as `FMeasure.from_eta(0.5, positive='spam')`. No code is run."""

import ast
from typing import Any

from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.measures.generalized_risks import RatioMeasure
from activeeval_widgets.stats.measures.registry import all_measures
from activeeval_widgets.stats.measures.risks import Risk

OF_FUNCTIONS = ("Risk.from_loss(", "Ratio.from_parts(")
"""Beginnings of the repr of measures for which only a digest of the source is stored."""

_NUMPY = {"int64", "int32", "str_", "bool_", "bool", "float64", "float32"}
"""NumPy's types in the repr of its numbers and strings."""


def measure_from_repr(text: str) -> Measure:
    """Return the measure of a repr."""
    known: dict[str, Any] = {cls.__name__: cls for cls in all_measures()}
    known |= {"Risk": Risk, "Ratio": RatioMeasure}  # with users' tables
    if text.startswith(OF_FUNCTIONS):
        raise ValueError(
            f"the measure is {text!r}: a function of Python, which is written down nowhere. "
            "Give the measure itself"
        )
    try:
        call = ast.parse(text, mode="eval").body
        if not isinstance(call, ast.Call):
            raise ValueError("it is not a call")
        maker = _maker(call.func, known)
        arguments = [_value(argument) for argument in call.args]
        options = {str(each.arg): _value(each.value) for each in call.keywords}
        measure = maker(*arguments, **options)
    except (SyntaxError, ValueError, TypeError, RecursionError) as error:
        raise ValueError(
            f"the measure is {text!r}, which is none of this package's, or not of this version's ({error})"
        ) from error
    if not isinstance(measure, Measure):
        raise ValueError(f"the measure is {text!r}, which makes {measure!r}")
    return measure


def _maker(name: ast.expr, known: dict[str, Any]) -> Any:
    match name:
        case ast.Name(id=of) if of in known:
            return known[of]
        case ast.Attribute(value=ast.Name(id=of), attr=method) if of in known:
            # An alternative constructor: a class method, by its name.
            if method.startswith("from_") and hasattr(known[of], method):
                return getattr(known[of], method)
    raise ValueError(f"{ast.unparse(name)} is not a measure")


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np"), attr=kind), args=[value], keywords=[]):
            if kind in _NUMPY:
                return ast.literal_eval(value)
        case ast.Name(id="inf"):
            return float("inf")
    return ast.literal_eval(node)
