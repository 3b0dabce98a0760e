"""The warning about a model whose probabilities turn out to be wrong."""

from collections.abc import Mapping

from activeeval_widgets.session.findings.sentences import begun
from activeeval_widgets.session.report.report import differing_text
from activeeval_widgets.stats import ModelTrial
from activeeval_widgets.stats.text import counted, joined_by_and
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot

CONSEQUENCE = "The interval still holds, but may take more labels to narrow."
"""The consequence for the interval, until all labels are there."""

VOTERS = "the votes"
"""The subject of warnings about shares of votes, which are not the judge under evaluation."""

_FEWEST = 20
"""The least number of labels for a verdict."""


def trial_sentence(trial: ModelTrial, name: str, *, level: float = 0.95) -> str:
    """Return a plain sentence once a model is found overconfident, and an empty one until then."""
    if trial.n_labels < _FEWEST or trial.verdict(level) != "over_confident":
        return ""
    if trial.evalue < round(1 / (1 - level), 6):
        return ""  # later labels have weakened the evidence that the verdict rests on
    n, expected, observed = f"{trial.n_labels:,} labels", trial.n_expected, trial.n_observed
    # The evidence may come only from the surest predictions, while the sums suggest the opposite.
    is_of_surest = observed >= expected if trial.kind == "grades" else observed <= expected
    if name == VOTERS:
        seen = f"they imply {_about(expected)} in {n}, and there were {observed:,.0f}"
        if is_of_surest:
            seen = "people contradict nearly unanimous votes more often than these imply"
        return f"The votes are less reliable than they seem: {seen}."
    if is_of_surest:
        worse = "wrong more often" if trial.kind == "errors" else "further off"
        seen = f"where it is surest, it is {worse} than it expected"
    elif trial.kind == "errors":
        seen = f"it expected {_about(expected)} in {n} and made {observed:,.0f}"
    elif trial.kind == "squared_residuals":
        seen = f"its squared errors in {n} are {observed / expected:.1f} times what it expected"
    else:
        seen = f"it expected grades that sum to {expected:.1f} in {n}; they sum to {observed:.1f}"
    return f"{begun(name, [name])} is overconfident: {seen}."


def _about(n_errors: float) -> str:
    if n_errors < 1:
        return "less than 1 error"
    return f"about {counted(round(n_errors), 'errors')}"


class TrialWarning(Panel):
    """The labels' evidence against the models' own probabilities; "" if there is none."""

    name = "warning"
    title = "Warning"
    moment = "answer"

    def content(self, snapshot: Snapshot, options: Mapping[str, bool]) -> str:  # noqa: ARG002
        """See `Panel.content`."""
        names = snapshot.session.question.names
        models = snapshot.session.models
        sentences = [
            ""
            if trial is None
            else trial_sentence(
                trial,
                name if model.assists else VOTERS,
                level=snapshot.session.confidence_level,
            )
            for trial, name, model in zip(snapshot.trials, names, models, strict=True)
        ]
        found = [*filter(None, sentences)]
        if not models[0].assists:
            found = found[:1]
        if len(found) > 1:
            who = [name for name, sentence in zip(names, sentences, strict=True) if sentence]
            found = [f"{begun(joined_by_and(who), who)} are overconfident."]
        n_differing = snapshot.session.draws.n_of_other_version()
        changes = [differing_text(n_differing)] if n_differing else []
        is_open = snapshot.estimate.low < snapshot.estimate.high and not snapshot.is_exact
        consequence = [CONSEQUENCE] if found and is_open else []
        return " ".join([*found, *consequence, *changes])
