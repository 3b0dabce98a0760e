"""The check of an automatic judge against people's labels."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from activeeval_widgets.session.findings.estimation import suitable_measure
from activeeval_widgets.session.findings.fixed_n import measure_of
from activeeval_widgets.session.findings.interval_table import Scale
from activeeval_widgets.session.findings.models import evaluated_in_words, is_scorer
from activeeval_widgets.session.findings.sentences import begun, capitalized, continued
from activeeval_widgets.session.findings.shown import Rows, Shown
from activeeval_widgets.session.pool.groups import has_groups
from activeeval_widgets.stats import (
    ClassPredictions,
    CohenKappa,
    CostMatrix,
    ErrorRate,
    Estimate,
    LabelShare,
    Measure,
    Predictions,
    Recall,
    WinRate,
    pool_value,
)
from activeeval_widgets.stats.numbers import Numbers, formatted
from activeeval_widgets.stats.predictions.side_by_side import in_order
from activeeval_widgets.stats.quantities import Differences, Quantity
from activeeval_widgets.stats.text import percent

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


_GOOD_WORDS = frozenset(
    ("1", "true", "yes", "y", "pass", "passed", "good", "correct", "ok", "positive", "pos", "win")
)
"""Labels whose share is estimated by default."""

_PAIR = {"1", "2"}
"""Labels that say which of two answers is better."""

_TIES = frozenset(("tie", "both", "equal", "both bad"))


_MAX_VERDICTS = 6
"""The maximum number of verdicts with a rate each."""

_ROUNDING = 1e-12
"""Smaller biases are rounding errors."""


@dataclass(frozen=True)
class JudgeCheck:
    """The check of a judge against people's labels.

    Attributes
    ----------
    judge : str
        The name of the judge.
    measure : Measure
        The rate that is compared: the share of a label, or a win rate.
    alone : float
        The rate according to the judge's verdicts on the whole pool, which is known without labels.
    people : Estimate
        The rate according to people, with an anytime-valid interval.
    bias : Estimate
        The judge's rate minus people's, over the instances that can be labeled; positive if the judge's is
        too high. The interval is anytime-valid. Unless instances are excluded, the bias is `alone` minus
        `people`.
    recalls : dict of class label to Estimate
        For each verdict, how often the judge gives it where people do; empty for more than six verdicts.
    kappa : Estimate
        Cohen's kappa, their agreement beyond chance.
    error_rate : Estimate
        How often people disagree with the judge.

    See Also
    --------
    Session.judge : Returns one.

    Examples
    --------
    >>> verdicts = PredictedClasses(["pass", "pass", "fail", "pass"], name="GPT")
    >>> session = Session(Pool(["a", "b", "c", "d"], predictions=verdicts), ErrorRate())
    >>> while (asked := session.next()) is not None:
    ...     event = session.label("pass" if asked.index == 0 else "fail")
    >>> found = session.judge()
    >>> found.judge, found.alone, found.people.value, found.bias.value, found.error_rate.value
    ('GPT', 0.75, 0.25, 0.5, 0.5)
    >>> print(found.sentence())
    GPT by itself says 75.0%; people say 25.0%: GPT says 50.0 points too much.
    """

    judge: str
    measure: Measure
    alone: float
    people: Estimate
    bias: Estimate
    recalls: Mapping[Any, Estimate]
    kappa: Estimate
    error_rate: Estimate

    def __repr__(self) -> str:
        return f"<{self.sentence()}>"

    @property
    def is_biased(self) -> bool:
        """Whether the interval of the bias excludes 0."""
        return self.bias.low > _ROUNDING or self.bias.high < -_ROUNDING

    @property
    def sensitivity(self) -> Estimate | None:
        """How much of what people pass the judge passes (TPR); None if its verdicts are others than these."""
        return self._of_two(is_passed=True)

    @property
    def specificity(self) -> Estimate | None:
        """How much of what people fail the judge fails (TNR); None if its verdicts are others than these."""
        return self._of_two(is_passed=False)

    def _of_two(self, *, is_passed: bool) -> Estimate | None:
        passed = passing_of(self.recalls)
        if len(self.recalls) != 2 or passed is None or {str(label) for label in self.recalls} == _PAIR:
            return None
        return next(each for label, each in self.recalls.items() if (label == passed) is is_passed)

    def rates(self) -> list[tuple[str, Estimate]]:
        """Return the judge's sensitivity and specificity with their names, or a rate for each verdict."""
        if self.sensitivity is not None and self.specificity is not None:
            return [("Sensitivity (TPR)", self.sensitivity), ("Specificity (TNR)", self.specificity)]
        return [(f"TPR, {label}", each) for label, each in self.recalls.items()]

    def sentence(self) -> str:
        """Return the result as a sentence."""
        measure, people, bias = self.measure, self.people, self.bias
        judge = continued(self.judge)
        text = f"{self.judge} by itself says {formatted(measure, self.alone)}%"
        if not people.n_labels or not people.is_defined:
            return f"{text}. People have not labeled anything yet."
        low, high = Numbers.of(Quantity(measure), people).ends(people.low, people.high)
        where, there = ("of what can be labeled, ", "there ") if people.n_excluded else ("", "")
        share = low if people.low == people.high else f"{low} to {high}"
        text += f"; {where}people say {share}: {there}"
        is_known = bias.low == bias.high
        if not self.is_biased:
            agree = "they agree on the whole" if there else "on the whole, they agree"
            return f"{text}{agree if is_known else 'whether it says too much is not clear yet'}."
        numbers = Numbers.of(Differences(measure), bias)
        ends = numbers.ends(*sorted((abs(bias.low), abs(bias.high))))
        least, most = (end.lstrip("+").removesuffix(numbers.unit) for end in ends)
        points = most if is_known else f"{least} to {most}"
        return f"{text}{judge} says {points} points too {'much' if bias.low > 0 else 'little'}."


def has_judge(session: "Findings") -> bool:
    """Return whether there is one model with predicted classes, in memory."""
    [model, *others] = session.models
    if others or session.pool.is_streamed or not isinstance(model, ClassPredictions):
        return False
    return model.is_model and not session.log.state.went_on  # its verdicts are those of one time


def is_of_judges(session: "Findings") -> bool:
    """Return whether a session compares people's labels with judges' earlier verdicts."""
    guides = not session.models[0].assists or not session.measure.needs_model
    return has_judge(session) and (guides or is_scorer(session.models))


def asked_rate(measure: Measure, model: ClassPredictions, of: Measure | None = None) -> Measure:
    """Return the rate to compare: the session's own, a win rate if there are ties, or a share."""
    if of is not None:
        if of.needs_model or of.predictions_kind != "class" or not of.is_risk:
            raise ValueError(
                f"of must be a measure of the labels themselves, such as LabelShare('pass'), got {of!r}"
            )
        return of
    if not measure.needs_model:
        return measure
    classes = model.classes.tolist()
    ties = [label for label in classes if str(label).strip().casefold() in _TIES]
    if len(classes) == 3 and len(ties) == 1:
        return WinRate(next(label for label in classes if label != ties[0]), ties[0])
    passing = passing_label(model)
    return LabelShare(classes[0] if passing is None else passing)


def passing_label(model: Predictions) -> Any:
    """Return the only class that sounds like "pass"; None if there is none."""
    return passing_of(model.classes.tolist()) if isinstance(model, ClassPredictions) else None


def passing_of(labels: Iterable[Any]) -> Any:
    """Return the only one of some labels that sounds like "pass"; None if there is none."""
    good = [label for label in labels if str(label).strip().casefold() in _GOOD_WORDS]
    return good[0] if len(good) == 1 else None


def bias_of(rate: Measure, model: ClassPredictions) -> CostMatrix:
    """Return the risk whose mean is the bias: the verdict's contribution minus the label's."""
    worth = rate.statistics(model, model.classes, np.zeros(model.n_classes, dtype=np.intp))[:, 0]
    return CostMatrix(worth[:, np.newaxis] - worth)


def judge(
    findings: "Findings",
    of: Measure | str | None = None,
    *,
    positive: Any = None,
    confidence_level: float | None = None,
) -> JudgeCheck:
    """Check a judge: how far its rate is off, its sensitivity and specificity, and how often people agree.

    The judge's own rate on the pool is known without labels; the labels estimate people's. The difference is
    estimated directly, on the instances that can be labeled, as the judge's rate may differ on the others.

    Parameters
    ----------
    of : Measure or str, optional
        A measure of the labels themselves, such as `LabelShare("pass")` or `WinRate()`, or its name, such as
        "label-share". By default the session's own if it is one, a win rate if one of three labels is a tie,
        and otherwise the share of a label: one that sounds like "pass", or the first.
    positive : class label, optional
        The label whose share is estimated, for a measure given by name.
    confidence_level : float, optional
        The level of each interval by itself, by default the session's. All are anytime-valid.

    Returns
    -------
    JudgeCheck

    Raises
    ------
    TypeError
        If the session is not about one judge's classes in memory, or `of` is not a measure.
    ValueError
        If `of` is not a measure of the labels themselves, or does not suit them.

    See Also
    --------
    confusion : Which labels the judge confuses.
    by_group : `by_group(ErrorRate())` estimates how often people disagree within each group.

    Examples
    --------
    >>> verdicts = PredictedClasses(["pass", "pass", "fail", "pass"])
    >>> session = Session(Pool(["a", "b", "c", "d"], predictions=verdicts), ErrorRate())
    >>> while (asked := session.next()) is not None:
    ...     event = session.label("pass" if asked.index == 0 else "fail")
    >>> session.judge(LabelShare("fail")).bias.value
    -0.5
    """
    model = findings.models[0]
    if not has_judge(findings) or not isinstance(model, ClassPredictions):
        raise TypeError(
            f"a judge is one model with predicted classes in memory, the same for all draws, got "
            f"{findings.models!r:.200}"
        )
    level = findings._level(confidence_level)
    given = None if of is None else measure_of(findings, of, positive)
    rate = suitable_measure(findings, asked_rate(findings.measure, model, given))
    alone = pool_value(rate, model, model.y_pred)
    people = findings.estimate(rate, confidence_level=level)
    return JudgeCheck(
        judge=judge_name(findings),
        measure=rate,
        alone=alone,
        people=people,
        bias=replace(
            findings.estimate(bias_of(rate, model), confidence_level=level), quantity=Differences(rate)
        ),
        recalls={
            label: findings.estimate(Recall(label), confidence_level=level)
            for label in (model.classes.tolist() if model.n_classes <= _MAX_VERDICTS else ())
        },
        kappa=findings.estimate(CohenKappa(), confidence_level=level),
        error_rate=findings.estimate(ErrorRate(), confidence_level=level),
    )


def judge_name(session: "Findings") -> str:
    """Return the judge's name; "The judge" if it has none."""
    if not session.models[0].name:
        return "The judge"
    name = evaluated_in_words(session.models)
    return begun(name, session.question.names)


# -- how it is shown

_MAX_SHOWN, _MAX_LISTED = 12, 40
"""The maximum number of groups with error rates on the page and in the report."""


def _content(session: "Findings", options: Mapping[str, Any]) -> dict[str, Any]:
    del options
    groups = [(name, found) for name, found, n_labels in _group_rates(session, _MAX_SHOWN) if n_labels]
    found = session.judge()
    biases = [(name, each) for name, each, n_labels in _biases(session, found, _MAX_SHOWN) if n_labels]
    return judge_content(found, groups, biases)


def judge_content(
    found: JudgeCheck, groups: Sequence[tuple[str, Estimate]], biases: Sequence[tuple[str, Estimate]] = ()
) -> dict[str, Any]:
    """Return what the page shows of a judge."""
    rate, people = found.measure, found.people
    has_labels = people.n_labels > 0
    alone = replace(people, value=found.alone, low=found.alone, high=found.alone)
    shares = [
        (f"People: {rate.name}", people),  # first what differs: on a phone, the rest may be cut
        (f"Judge: {rate.name}", alone),
        *found.rates(),
        ("Error rate", found.error_rate),
        *((f"Error rate, {name}", each) for name, each in groups),
    ]
    scale = Scale([each for _, each in shares] if has_labels else [alone], Quantity(rate))
    rows = [
        scale.row(
            name,
            each,
            note="" if each is alone or not has_labels else _ends(Quantity(rate), each),
            interval="of all verdicts" if each is alone else scale.interval(each),
            has_interval=has_labels or each is alone,
            has_line=each is alone or each is people,
        )
        for name, each in shares
    ]
    if has_labels:
        rows.insert(2, _row_without_bar(scale, "Bias", Differences(rate), found.bias))
        at = len(rows) - 1 - len(groups)
        rows.insert(at, _row_without_bar(scale, "Kappa", Quantity(CohenKappa()), found.kappa))
        rows += [_row_without_bar(scale, f"Bias, {name}", Differences(rate), each) for name, each in biases]
    text = f"{capitalized(rate.name)}: {continued(found.sentence())}"
    if has_labels:
        text += f" {_about_rates(found)}"
        if people.low < people.high:
            level = percent(people.confidence_level)
            text += f" Each interval by itself is a {level} interval, valid however often you look."
        text += _about_groups(groups) + _about_biases(rate, biases)
    return {
        "summary": text,
        "columns": ["Measure", "Interval", "Value"],
        "rows": rows,
        "whole": scale.at(found.alone),
        "scale": scale.content(),
    }


def _about_groups(groups: Sequence[tuple[str, Estimate]]) -> str:
    """Return where the judge is wrong more often; "" without groups. Their intervals hold for all at once."""
    if len(groups) < 2:
        return ""
    apart = _extreme_groups(groups, Quantity(ErrorRate()))
    if apart is None:
        return " Those of groups hold for all at once, and no two are known to differ."
    return f" Those of groups hold for all at once: the judge is wrong more often in {apart}."


def _about_biases(rate: Measure, groups: Sequence[tuple[str, Estimate]]) -> str:
    """Return where a judge of pairs prefers one side more than elsewhere; "" if that is not known."""
    apart = _extreme_groups(groups, Differences(rate)) if len(groups) > 1 else None
    return "" if apart is None else f" Compared with people, it favors {rate.positive} more in {apart}."


def _extreme_groups(groups: Sequence[tuple[str, Estimate]], quantity: Quantity) -> str | None:
    """Return the group with the greatest value and that with the least; None if they may be equal."""
    most = max(groups, key=lambda each: each[1].low)
    least = min(groups, key=lambda each: each[1].high)
    if not most[1].low > least[1].high:
        return None
    ends = [_ends(quantity, each) for _, each in (most, least)]
    return f"{most[0]} ({ends[0]}) than in {least[0]} ({ends[1]})"


def _group_rates(session: "Findings", n: int) -> list[tuple[str, Estimate, int]]:
    """Return the error rates of the groups with the most labels."""
    if not has_groups(session.pool.groups):
        return []
    return _most_labeled(session, ErrorRate(), n)


def _biases(session: "Findings", found: JudgeCheck, n: int) -> list[tuple[str, Estimate, int]]:
    """Return the biases in the groups with the most labels, where a judge says which of two answers wins."""
    [model] = session.models
    if not has_groups(session.pool.groups) or not isinstance(model, ClassPredictions):
        return []
    sides = [label for label in model.classes.tolist() if str(label).strip().casefold() not in _TIES]
    if len(sides) != 2 or in_order(sides) is None:
        return []
    return _most_labeled(session, bias_of(found.measure, model), n)


def _most_labeled(session: "Findings", measure: Measure, n: int) -> list[tuple[str, Estimate, int]]:
    found = sorted(session.group_estimates(measure), key=lambda each: -each.n_labels)
    return [(each.group, each.estimate, each.n_labels) for each in found[:n]]


def _row_without_bar(scale: Scale, name: str, quantity: Quantity, found: Estimate) -> dict[str, Any]:
    """Return the row of a value that is not on the common scale of rates."""
    row = scale.row(name, found, note="", interval="", has_interval=False, has_line=False)
    if found.is_defined:
        row["value"] = Numbers.of(quantity, found).value(found.value)
        row["note"] = row["interval"] = "no interval yet" if found.withheld else _ends(quantity, found)
    return row


def _about_rates(found: JudgeCheck) -> str:
    """Return what the rates of a judge are, and what kappa is."""
    kappa = "Kappa: their agreement beyond chance."
    if found.sensitivity is not None:
        return (
            "Sensitivity: how much of what people pass the judge passes. Specificity: how much of what they "
            f"fail it fails. {kappa}"
        )
    return f"TPR: how often the judge gives a verdict where people do. {kappa}" if found.recalls else kappa


def _ends(quantity: Quantity, found: Estimate) -> str:
    if not found.is_defined:
        return ""
    if found.low == found.high:
        return "exact"
    ends = Numbers.of(quantity, found).interval(found.low, found.high)
    return f"{ends} (approximate)" if found.is_asymptotic else ends


def judge_paragraphs(session: "Findings") -> list[str]:
    """Return paragraphs about the judge; none before the first label."""
    if not session.n_labels or not is_of_judges(session):
        return []
    share = percent(session.confidence_level)
    found = session.judge()
    return [
        f"{capitalized(found.measure.name)}: {continued(found.sentence())}",
        _about_rates(found),
        f"Each interval by itself is a {share} interval, valid however often you looked, unless it is called "
        "approximate. The judge's own rate is counted over all verdicts."
        + _about_groups([(name, each) for name, each, n in _group_rates(session, _MAX_LISTED) if n])
        + _about_biases(
            found.measure, [(name, each) for name, each, n in _biases(session, found, _MAX_LISTED) if n]
        ),
    ]


def judge_rows(session: "Findings", unit: str | None = None) -> Rows:
    """Return a row for each result about the judge; none before the first label."""
    del unit
    if not session.n_labels or not is_of_judges(session):
        return []
    found = session.judge()
    rate = found.measure
    rows = [
        (f"{capitalized(rate.name)}, by people", interval_text(Quantity(rate), found.people)),
        (f"{capitalized(rate.name)}, by the judge itself", f"{formatted(rate, found.alone)}%"),
        ("Bias: judge minus people", interval_text(Differences(rate), found.bias)),
        *((name, interval_text(Quantity(rate), each)) for name, each in found.rates()),
        ("Agreement beyond chance, Cohen's kappa", interval_text(Quantity(CohenKappa()), found.kappa)),
        ("Error rate of the judge", interval_text(Quantity(ErrorRate()), found.error_rate)),
    ]
    rows += [
        (f"Error rate, {name}", f"{interval_text(Quantity(ErrorRate()), each)}; {n_labels:,} labels")
        for name, each, n_labels in sorted(_group_rates(session, _MAX_LISTED), key=lambda each: each[0])
    ]
    rows += [
        (f"Bias, {name}", f"{interval_text(Differences(rate), each)}; {n_labels:,} labels")
        for name, each, n_labels in sorted(_biases(session, found, _MAX_LISTED), key=lambda each: each[0])
    ]
    return rows


def interval_text(quantity: Quantity, found: Estimate) -> str:
    """Return a value with its interval in words."""
    if not found.is_defined:
        return "not known yet"
    numbers = Numbers.of(quantity, found)
    value = numbers.value(found.value)
    if found.withheld:
        return f"{value}. {(found.reason or 'No interval yet').rstrip('.')}"
    if found.low == found.high:
        return f"{value}, exact"
    approximate = " (approximate)" if found.is_asymptotic else ""
    return f"{value}, {numbers.interval(found.low, found.high)}{approximate}"


SHOWN = Shown(
    name="judge",
    title="Can the judge be trusted?",
    kind="intervals",
    is_there=is_of_judges,
    content=_content,
    paragraphs=judge_paragraphs,
    rows=judge_rows,
    comes_first=True,
)
