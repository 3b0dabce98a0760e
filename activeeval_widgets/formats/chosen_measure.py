"""Choose the measure of an evaluation; guess the name or the class of interest that is not given."""

from dataclasses import dataclass
from typing import Any

from activeeval_widgets.session.findings.judge import passing_label
from activeeval_widgets.session.findings.models import is_scorer
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats.measures.chosen_measure import choose
from activeeval_widgets.stats.measures.measure_names import NamedMeasure, named_measures
from activeeval_widgets.stats.measures.side_by_side import is_of_systems

DEFAULTS = {"class": "error-rate", "value": "absolute-error", "ranking": "dcg"}
"""The default measure for each kind of predictions."""


@dataclass(frozen=True)
class ChosenMeasure:
    """A measure, its names, and a sentence on each choice that was guessed."""

    measure: Measure
    named: NamedMeasure
    guessed: tuple[str, ...]


def chosen_measure(pool: Pool, name: str | None = None, positive: Any = None) -> ChosenMeasure:
    """Return the chosen measure; guess the name and the class of interest where they are None."""
    if pool.is_open:
        if name is None:
            known = ", ".join(named.name for named in named_measures() if not named.needs_model)
            raise ValueError(
                f"there are no predictions: name a measure of the labels themselves, one of {known}"
            )
        chosen = choose(None, name, positive, is_by_command=True)
        return ChosenMeasure(chosen.measure, chosen.named, ())
    guessed = []
    passing = passing_label(pool.models[0]) if is_scorer(pool.models) else None
    if passing is not None and name in (None, "pass-rate"):
        if name is None:
            guessed.append(
                f"measure: label-share of {passing} (--measure error-rate for how often the scorer is wrong)"
            )
        name, positive = "label-share", passing if positive is None else positive
    if name is None:
        kind = pool.models[0].kind
        name = "pass-rate" if is_of_systems(pool.models) else DEFAULTS[kind]
        if kind == "ranking" and pool.kind == "custom":
            name = "rubric-pass-rate"
        guessed.append(f"measure: {name} (--measure for another)")
    chosen = choose(pool.models, name, positive, is_by_command=True, guesses=True)
    if chosen.other is not None:
        how = ", the rarer one" if chosen.is_rarer else ""
        guessed.append(
            f"class of interest: {chosen.measure.positive}{how} (--positive {chosen.other} for the other)"
        )
    return ChosenMeasure(chosen.measure, chosen.named, tuple(guessed))
