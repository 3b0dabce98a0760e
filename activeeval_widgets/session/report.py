"""What a session found and how, as a text that can be kept: Markdown."""

from __future__ import annotations

from math import isfinite
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from activeeval_widgets._version import __version__
from activeeval_widgets.session.events import Changed, Excluded, Labeled, Undone
from activeeval_widgets.session.watched import WatchedInterval

if TYPE_CHECKING:
    from activeeval_widgets.session.session import Session


def report(session: Session, watched: WatchedInterval | None = None) -> str:
    """The report on a session as it is now.

    Parameters
    ----------
    session : Session
        What is reported on.
    watched : WatchedInterval, optional
        The interval that was watched, up to date; the session's, of level 0.95, unless given.

    Returns
    -------
    str
        Markdown. The same session gives the same text.
    """
    watched = session.watched() if watched is None else watched
    sections = {
        "Result": _result(session, watched),
        "Labels": _labels(session),
        "How instances were drawn": _draws(session),
        "The model's own probabilities": _trials(session),
        "Left out": _left_out(session),
        "Notes": _notes(session),
    }
    parts = [f"# {_title(session)}"]
    parts += [f"## {heading}\n\n" + "\n".join(lines) for heading, lines in sections.items() if lines]
    parts.append(f"Made by activeeval-widgets {__version__}.")
    return "\n\n".join(parts) + "\n"


def _title(session: Session) -> str:
    return f"{session.measure.name[0].upper()}{session.measure.name[1:]}: session {_plain(session.name)}"


def _result(session: Session, watched: WatchedInterval) -> list[str]:
    found = watched.estimate()
    wald = session.estimate(interval="wald", confidence_level=watched.confidence_level)
    level = f"{100 * watched.confidence_level:g} %"
    names = [_plain(model.name or f"model {i + 1}") for i, model in enumerate(session.models)]
    what = f"difference in {session.measure.name}, {names[0]} − {names[1]}" if len(names) == 2 else (
        f"{session.measure.name} of {names[0]}"
    )  # fmt: skip
    lines = [f"- Estimated: {what}"]
    if not found.is_defined:
        return [*lines, "- Not defined by the labels so far"]
    kind = "in the limit of many labels" if found.is_asymptotic else "exactly"
    lines += [
        f"- Estimate: {found.value:.6g} (standard error {found.standard_error:.3g})",
        f"- {level} interval, valid at every number of labels at once, {kind}: "
        f"{found.low:.6g} to {found.high:.6g}",
        f"- {level} Wald interval, valid only if this number of labels was fixed beforehand: "
        f"{wald.low:.6g} to {wald.high:.6g}",
    ]
    if isfinite(found.pvalue):
        lines.append(
            f"- p-value of no difference, valid at every number of labels at once: {found.pvalue:.3g}"
        )
    if watched.n_draws < len(session.draws_so_far()):
        lines.append("- The first interval waits for an instance that was put aside")
    return lines


def _labels(session: Session) -> list[str]:
    found = session.estimate()
    labeled = [action for action in session.actions if isinstance(action, Labeled)]
    seconds = [action.seconds for action in labeled if action.seconds is not None]
    n_changes = sum(isinstance(action, Changed) for action in session.actions)
    n_undone = sum(isinstance(event, Undone) for event in session.log)
    size = found.effective_sample_size
    lines = [
        f"- Pool: {session.pool.n_instances:,} instances ({session.pool.kind})",
        f"- {session.n_labels:,} labels for {found.n_draws:,} draws; effective sample size "
        f"{size if isfinite(size) else 0:.1f}",
        f"- {session.n_excluded:,} excluded, {session.n_deferred:,} put aside and not answered, "
        f"{n_changes:,} changed later, {n_undone:,} undone",
    ]
    if seconds:
        lines.append(f"- Time: {sum(seconds) / 60:.1f} minutes; median {median(seconds):.1f} seconds a label")
    return lines


def _draws(session: Session) -> list[str]:
    lines = [
        f"- Protocol: {session.protocol}; seed {session.seed}",
        "- Share of uniform draws: "
        + ("falls with the labels" if session.defensive is None else f"{session.defensive:g}"),
        *_weights(session),
    ]
    if session.pool.costs is not None:
        lines.append("- Draws take the instances' costs into account")
    lines += [f"- Fingerprint of {name}: {digest}" for name, digest in session.pool.fingerprints.items()]
    return lines


def _weights(session: Session) -> list[str]:
    m = session.pool.n_instances
    if session.protocol == "adaptive":
        # What was drawn is out: p is uniform over what was left before each draw. All of it can be drawn.
        numbers, q = session.drawn()
        weights = 1 / ((m - np.asarray(numbers) + 1) * q)
        if not weights.size:
            return []
        ends = f"{weights.min():.3g} to {weights.max():.3g}"
        return [f"- Weights p/q of the {weights.size:,} draws answered: {ends}"]
    weights = 1 / (m * session.q[session.q > 0])
    lines = [f"- Weights p/q that a draw can have: {weights.min():.3g} to {weights.max():.3g}"]
    never = int(np.count_nonzero(session.q == 0))
    if never:
        lines.append(f"- Never drawn, as their labels do not count for the measure: {never:,} instances")
    return lines


def _trials(session: Session) -> list[str]:
    verdicts = {"over_confident": "over-confident", "under_confident": "under-confident"}
    lines = []
    for i, (model, trial) in enumerate(zip(session.models, session.trials(), strict=True)):
        if trial is None:
            continue
        verdict = verdicts.get(trial.verdict() or "", "nothing against them")
        pvalue = f"p = {trial.pvalue_of_both:.3g}"
        lines.append(
            f"- {_plain(model.name or f'Model {i + 1}')}: {trial.kind.replace('_', ' ')} promised "
            f"{trial.n_expected:.1f}, seen {trial.n_observed:.1f}; {verdict} ({pvalue}, "
            f"valid at every number of labels)"
        )
        n_waiting = session.n_labels - trial.n_labels
        if n_waiting:
            lines.append(f"  - {n_waiting:,} labels wait for an instance that was put aside before them")
    return lines


def _left_out(session: Session) -> list[str]:
    excluded = [action for action in session.actions if isinstance(action, Excluded)]
    return [
        f"- {_plain(action.instance_id)}: {_plain(action.reason or 'no reason given')}" for action in excluded
    ]


def _notes(session: Session) -> list[str]:
    marked = sorted(session.flags | session.notes.keys())
    return [
        f"- {_plain(session.pool.ids[i])}{' (flagged)' if i in session.flags else ''}"
        f"{': ' if i in session.notes else ''}{_plain(session.notes.get(i, ''))}"
        for i in marked
    ]


def _plain(text: str) -> str:
    """Text in one line that Markdown takes for nothing else."""
    escaped = "".join(f"\\{c}" if c in "\\`*_{}[]()<>#+!|&~" else c for c in str(text))
    return " ".join(escaped.split())
