"""What is said of a model whose probabilities turn out to be wrong."""

from collections.abc import Mapping

from activeeval_widgets.session.reading.sentences import begun
from activeeval_widgets.session.report.report import differing_text
from activeeval_widgets.stats import ModelTrial
from activeeval_widgets.widgets.evaluation.panel import Panel
from activeeval_widgets.widgets.evaluation.snapshot import Snapshot
from activeeval_widgets.widgets.wording.models import model_names

CONSEQUENCE = "The interval still holds, but may take more labels to narrow."
"""What it means for the interval."""

VOTERS = "the votes"
"""What promises something where predictions are shares of votes: it is not the judge that is evaluated."""

_FEWEST = 20
"""No verdict is given with fewer labels."""

_EVIDENCE = 20.0
"""Nor while the evidence, which later labels can weaken, is below this."""


def trial_sentence(trial: ModelTrial, name: str) -> str:
    """A plain sentence once a model is found to promise too much, and an empty one until then.

    Parameters
    ----------
    trial : ModelTrial
        The labels so far, held against the model's promises.
    name : str
        What to call the model.
    """
    is_found = trial.verdict() == "over_confident" and trial.evalue >= _EVIDENCE
    if trial.n_labels < _FEWEST or not is_found:
        return ""
    subject = begun(name, [] if name == VOTERS else [name])
    n = f"{trial.n_labels:,} labels"
    expected, observed = trial.n_expected, trial.n_observed
    if trial.kind == "errors":
        seen = f"{subject} expected {expected:.1f} errors in these {n}; there were {observed:,.0f}"
    elif trial.kind == "squared_residuals":
        ratio = observed / expected
        seen = f"The squared errors of {name} in these {n} are {ratio:.1f} times what it expected"
    else:
        seen = (
            f"{subject} expected grades that sum to {expected:.1f} in these {n}; they sum to {observed:.1f}"
        )
    return f"{seen}. {'They tell less than they seem to' if name == VOTERS else 'It is overconfident'}."


class TrialWarning(Panel):
    """What the labels say against the models' own probabilities; "" while that is nothing."""

    name = "warning"
    title = "Warning"
    moment = "answer"

    def content(self, snapshot: Snapshot, options: Mapping[str, bool]) -> str:  # noqa: ARG002
        """See `Panel.content`."""
        names = model_names(snapshot.session)
        models = snapshot.session.models
        sentences = [
            "" if trial is None else trial_sentence(trial, name if model.assists else VOTERS)
            for trial, name, model in zip(snapshot.trials, names, models, strict=True)
        ]
        found = [*filter(None, sentences)]
        if len(found) > 1:
            who = [name for name, sentence in zip(names, sentences, strict=True) if sentence]
            found = [f"{begun(', '.join(who[:-1]), who)} and {who[-1]} are overconfident."]
        n_differing = snapshot.session.n_differing()
        told = [differing_text(n_differing)] if n_differing else []
        return " ".join([*found, CONSEQUENCE, *told] if found else told)
