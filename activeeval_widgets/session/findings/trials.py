"""Sequential tests of the models' probabilities against the labels, in draw order."""

from functools import partial
from typing import TYPE_CHECKING

from activeeval_widgets.session.findings.incremental import Rewindable
from activeeval_widgets.stats import ModelTrial

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


class Trials:
    """A test of each model, up to the first draw without an answer: deferring hard ones must not matter."""

    def __init__(self, session: "Findings") -> None:
        self._session = session
        self._revision = -1
        models = session.draws.source.votes.as_drawn(session.models)
        self._kept = [Rewindable(partial(ModelTrial, model)) if model.promises else None for model in models]
        self._now: list[ModelTrial | None] = []

    def update(self) -> list[ModelTrial | None]:
        """Return the present tests, one for each model; None for a model without probabilities."""
        revision = self._session.log.revision
        if self._revision != revision:
            n_known = next((trial.n_fed for trial in self._kept if trial is not None), 0)
            same, rest = self._session.draws.answers.in_order_since(max(self._revision, 0), n_known)
            self._now = [None if trial is None else trial.update_to(same, rest) for trial in self._kept]
            self._revision = revision
        return list(self._now)
