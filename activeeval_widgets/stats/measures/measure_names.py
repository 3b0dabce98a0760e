"""Measures by name: "error-rate", "f1", "dcg@10"."""

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any

from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.measures.ir_names import from_ir_measures
from activeeval_widgets.stats.measures.registry import all_measures
from activeeval_widgets.stats.measures.scikit_names import from_scikit_learn

_OPTION = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class NamedMeasure:
    """A measure with its names.

    Attributes
    ----------
    name : str
        Its first name; options are in braces, as in "within-tolerance@{tolerance}".
    aliases : tuple of str
        All of its names, including the first.
    summary : str
        What it measures, in a sentence.
    predictions_kind : {"class", "value", "ranking"}
        The kind of predictions that it takes.
    has_positive : bool
        Whether it has a class of interest.
    default_positive : class label, or None
        The default class of interest; None if it has to be given.
    needs_model : bool
        Whether it is for a model; otherwise it is for the labels themselves.
    option : str or None
        The option after "@" in a name; None if there is none.

    See Also
    --------
    named_measures : All measures.
    measure_named : Makes the measure of a name.

    Examples
    --------
    >>> [named.aliases for named in named_measures() if named.name == "cohen-kappa"]
    [('cohen-kappa', 'kappa')]
    """

    name: str
    aliases: tuple[str, ...]
    summary: str
    predictions_kind: str
    has_positive: bool
    default_positive: Any = None
    needs_model: bool = True
    option: str | None = None


def named_measures(predictions_kind: str | None = None) -> list[NamedMeasure]:
    """Return all measures, each with its names and a summary.

    Parameters
    ----------
    predictions_kind : {"class", "value", "ranking"}, optional
        Only measures of this kind of predictions.

    Returns
    -------
    list of NamedMeasure
        In the order of their names.

    See Also
    --------
    measure_named : Makes the measure of a name.

    Examples
    --------
    >>> [named.name for named in named_measures("value") if "tolerance" in named.name]
    ['within-tolerance@{tolerance}']
    """
    found = [_named(cls) for cls in all_measures(predictions_kind)]
    return sorted(found, key=lambda named: named.name)


def measure_named(name: str, **options: Any) -> Measure:
    """Return the measure of a name.

    Parameters
    ----------
    name : str
        In any case, with hyphens, spaces or underscores: "error-rate", "f1", "f0.5", "mcc". After "@" follows
        the measure's first option: the cutoff in "dcg@10", the costs in "cost-matrix@[[0, 1], [5, 0]]". Also
        names of `ir_measures` for rankings: "nDCG@10", "P(rel=2)@5", "RR", "AP@100", "ERR@20",
        "nDCG(dcg='exp-log2')@10" ("AP" by itself is of classes, "MAP" of rankings); and names of
        scikit-learn's `scoring` that have a measure here: "f1_macro", "matthews_corrcoef",
        "neg_mean_squared_error". The sign of the last is dropped: it is the mean squared error, where
        smaller is better.
    **options
        Further options of the measure, such as `positive`; None counts as not given.

    Returns
    -------
    Measure

    Raises
    ------
    ValueError
        If there is no measure of that name, or it has no such option.

    See Also
    --------
    named_measures : All names.

    Examples
    --------
    >>> measure_named("f2", positive="spam").name
    'F2 of spam'
    >>> measure_named("dcg@10")
    DCG(cutoff=10)
    >>> measure_named("Error rate", positive=None)
    ErrorRate()
    >>> measure_named("f1_macro"), measure_named("neg_mean_squared_error")
    (MacroF(beta=1.0), SquaredError())
    """
    cls, wanted, in_name = _find(name)
    return _make(
        cls, wanted, {**in_name, **{key: value for key, value in options.items() if value is not None}}
    )


def described(name: str) -> NamedMeasure:
    """Return the measure of a name, without its options."""
    return _named(_find(name)[0])


def _find(name: str) -> tuple[type[Measure], str, dict[str, Any]]:
    """Return the class of a name, the normalized name, and the options in it."""
    elsewhere = from_ir_measures(name)
    if elsewhere is not None:
        cls, wanted, own = _find(elsewhere[0])
        return cls, wanted, {**own, **elsewhere[1]}
    stem, at, option = str(name).strip().lower().partition("@")
    stem = re.sub(r"[\s_]+", "-", stem)
    spelled = [(cls, spelling) for cls in all_measures() for spelling in _aliases_of(cls)]
    found = _spelled_as(stem + at + option, spelled)
    other = from_scikit_learn(stem) if found is None and not at else None
    if other is not None:
        found = _spelled_as(other[0], spelled)
        if found is not None and other[1] and found[0].greater_is_better:
            found = None  # a greater value is better here, but not there
    if found is not None:
        return found
    stems = {_OPTION.split(spelling)[0].rstrip("@"): spelling for _, spelling in reversed(spelled)}
    near = get_close_matches(stem, stems, n=1) or sorted(
        (each for each in stems if stem.startswith(f"{each}-")), key=len, reverse=True
    )
    hint = f"Did you mean {stems[near[0]]!r}? " if near else ""
    known = ", ".join(named.name for named in named_measures())
    raise ValueError(f"there is no measure {name!r}. {hint}There are: {known}")


def _spelled_as(
    wanted: str, spelled: list[tuple[type[Measure], str]]
) -> tuple[type[Measure], str, dict[str, Any]] | None:
    for cls, spelling in spelled:
        in_name = _options_in(wanted, spelling)
        if in_name is not None:
            return cls, wanted, in_name
    return None


def _make(cls: type[Measure], name: str, options: dict[str, Any]) -> Measure:
    parameters = _parameters(cls)
    for option in options.keys() - parameters.keys():
        raise ValueError(f"measure {name!r} has no option {option!r}: leave it out")
    for parameter in parameters.values():
        if parameter.default is parameter.empty and parameter.name not in options:
            raise ValueError(f"measure {name!r} needs {parameter.name!r}")
    try:
        return cls(**options)
    except TypeError as error:
        raise ValueError(f"measure {name!r}: {error}") from error


def _named(cls: type[Measure]) -> NamedMeasure:
    aliases = tuple(_aliases_of(cls))
    positive = _parameters(cls).get("positive")
    return NamedMeasure(
        name=aliases[0],
        aliases=aliases,
        summary=cls.summary,
        predictions_kind=cls.predictions_kind,
        has_positive=positive is not None,
        default_positive=None if positive is None or positive.default is positive.empty else positive.default,
        needs_model=cls.needs_model,
        option=next((option for each in aliases for option in re.findall(r"@\{(\w+)\}", each)), None),
    )


def _aliases_of(cls: type[Measure]) -> Iterator[str]:
    """Yield the names of a measure, or its class's name, and each with its first option after "@"."""
    own = cls.__dict__.get("aliases") or (
        re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", cls.__name__).lower(),
    )
    others = [parameter for name, parameter in _parameters(cls).items() if name != "positive"]
    is_complete = all(parameter.default is not parameter.empty for parameter in others)
    if is_complete:
        yield from own
    if others:
        for stem in own[:1] if is_complete else own:
            yield f"{stem}@{{{others[0].name}}}"


def _options_in(name: str, spelling: str) -> dict[str, Any] | None:
    """Return the options that a name has in the places of a spelling; None if it does not match."""
    pieces = _OPTION.split(spelling)
    # Every second piece is an option.
    pattern = "".join(f"(?P<{piece}>.+)" if i % 2 else re.escape(piece) for i, piece in enumerate(pieces))
    match = re.fullmatch(pattern, name)
    if match is None:
        return None
    try:
        return {option: json.loads(text) for option, text in match.groupdict().items()}
    except json.JSONDecodeError:
        return None


@cache
def _parameters(cls: type[Measure]) -> Mapping[str, inspect.Parameter]:
    if cls.__init__ is object.__init__:
        return {}
    return inspect.signature(cls).parameters
