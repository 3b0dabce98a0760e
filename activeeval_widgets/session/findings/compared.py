"""What a session's log says of where two models differ."""

from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from activeeval_widgets.session.findings.grouped import GroupedEstimates
from activeeval_widgets.session.findings.taken_from import taken_from
from activeeval_widgets.session.findings.who_was_right import (
    BOTH,
    FIRST,
    NEITHER,
    SECOND,
    InPart,
    WhoWasRight,
    as_share_right,
    disagreements_table,
    outcomes,
    right_measure,
)
from activeeval_widgets.stats import Accuracy, ClassPredictions, ConfusionPair, ErrorRate, Estimate
from activeeval_widgets.stats._typing import BoolArray, IntArray
from activeeval_widgets.stats._validation import check_fraction


class ComparedModels(GroupedEstimates):
    """The same, and where two models differ. Parameters are those of `GroupedEstimates`."""

    @cached_property
    def _differs(self) -> BoolArray:
        """For which instances two models predict something else, (n_instances,)."""
        if not self.pool.is_elsewhere:
            return self.models[0].differs(self.models[1])
        # Instances that share a row have the same predicted classes.
        [first, second], _ = self.draws.source.rows_of([])
        spread: BoolArray = self.draws.source.rows.spread(first.differs(second).astype(np.float64)) > 0
        return spread

    @cached_property
    def _right(self) -> dict[float, list[InPart]]:
        """Where they differ, how often each is right: the readings that were asked for, by the level."""
        return {}

    def _check_two(self, name: str) -> tuple[str, str]:
        """The names of the two models."""
        names = self.question.names
        if len(names) == 2:
            return names[0], names[1]
        if len(names) > 2:
            raise ValueError(
                f"{name}() is about two models, and this session about {len(names)}: name two, as in "
                f"session.of({names[0]!r}, {names[1]!r}).{name}()"
            )
        raise ValueError(f"{name}() is about two models, and this session is about one")

    def judged_disagreements(self) -> tuple[IntArray, IntArray]:
        """The labeled instances for which two models predict something else, and who was right.

        Returns
        -------
        instances : ndarray of shape (n,)
            Indices into the pool, in the order in which they were drawn.
        outcomes : ndarray of shape (n,)
            0 for the first model, 1 for the second, 2 for both, 3 for neither.

        Raises
        ------
        ValueError
            If the session is not about two models.

        See Also
        --------
        model_disagreements : As a table, with what the instances are.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> models = {"old": [[0.9, 0.1]] * 3, "new": [[0.9, 0.1], [0.2, 0.8], [0.2, 0.8]]}
        >>> session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
        >>> while session.next() is not None:
        ...     event = session.label(1)
        >>> session.judged_disagreements()[1].tolist()
        [1, 1]
        """
        self._check_two("judged_disagreements")
        draws = np.concatenate([self.draws.labeled()[0], self.draws.not_counted_yet()]).astype(np.intp)
        order, first = np.unique(draws, return_index=True)
        labeled = order[np.argsort(first)]
        apart: IntArray = labeled[self._differs[labeled]]
        values = [self.log.label_of(index) for index in apart.tolist()]
        y_true = self.labels.decode(values, apart.tolist())
        return apart, outcomes(self.measure, self.models, apart, y_true)

    def model_disagreements(self) -> pd.DataFrame:
        """The labeled instances for which two models predict something else, and who was right.

        Returns
        -------
        DataFrame
            One row an instance, in the order in which they were drawn: instance_id, content (its title, its
            first words, or its file), label, what each model predicts and how sure it is ("prediction: A",
            "confidence: A", and so on), and "right": the name of the model that was right, "both" or
            "neither". For numbers and lists, which are not right or wrong, "better": the name of the model
            whose prediction was better by the measure, or "as good". No columns while there are none.

        Raises
        ------
        ValueError
            If the session is not about two models: name them, `session.of("A", "B")`.

        See Also
        --------
        who_was_right : How many there are, and what share of the pool that makes.
        Opinions.disagreements : Where people differ.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> models = {"old": [[0.9, 0.1]] * 3, "new": [[0.9, 0.1], [0.2, 0.8], [0.2, 0.8]]}
        >>> session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
        >>> while session.next() is not None:
        ...     event = session.label(1)
        >>> table = session.model_disagreements().sort_values("content")
        >>> table[["content", "label", "prediction: old", "prediction: new", "right"]].values.tolist()
        [['b', 1, 0, 1, 'new'], ['c', 1, 0, 1, 'new']]
        """
        names = self._check_two("model_disagreements")
        return disagreements_table(*self.judged_disagreements(), names=names, session=self)

    def who_was_right(self, *, confidence_level: float = 0.95) -> WhoWasRight:
        """For how many instances two models predict something else, and who was right there.

        Parameters
        ----------
        confidence_level : float
            Of both shares' intervals at once; they may be watched.

        Returns
        -------
        WhoWasRight

        Raises
        ------
        ValueError
            If the session is not about two models: name them, `session.of("A", "B")`.

        See Also
        --------
        model_disagreements : The labels, one by one.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> models = {"old": [[0.9, 0.1]] * 3, "new": [[0.9, 0.1], [0.2, 0.8], [0.2, 0.8]]}
        >>> session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
        >>> event = session.label(1)
        >>> found = session.who_was_right()
        >>> found.n_differing, found.n_labels == found.n_second
        (2, True)
        """
        names = self._check_two("who_was_right")
        level = check_fraction("confidence_level", confidence_level, closed=False)
        _, outcome = self.judged_disagreements()
        counts = np.bincount(outcome, minlength=NEITHER + 1).tolist()
        return WhoWasRight(
            models=names,
            n_instances=self.pool.n_instances,
            n_differing=int(np.count_nonzero(self._differs)),
            n_labels=int(outcome.size),
            n_first=counts[FIRST],
            n_second=counts[SECOND],
            n_both=counts[BOTH],
            n_neither=counts[NEITHER],
            shares=self._shares_right(level),
            is_one_right=self._is_one_right(),
        )

    def _shares_right(self, level: float) -> tuple[Estimate, Estimate] | None:
        is_known = isinstance(self.models[0], ClassPredictions) and not self.pool.is_elsewhere
        if not is_known or not self._differs.any():
            return None
        measure, is_one_right = right_measure(self.measure), self._is_one_right()
        if level not in self._right:
            own = level if is_one_right else 1 - (1 - level) / 2
            told = self.models[:1] if is_one_right else self.models
            session: Any = self
            self._right = {
                level: [InPart(session, measure, own, level, self._differs, model) for model in told]
            }
        answered = self.draws.answers.answered()
        found = [
            as_share_right(reading.read(answered)[0].estimate, measure) for reading in self._right[level]
        ]
        return found[0], (taken_from(1.0, found[0]) if is_one_right else found[1])

    def _is_one_right(self) -> bool:
        """Whether always one of two models is right where they differ: a single interval tells of both."""
        model = self.models[0]
        return (
            isinstance(model, ClassPredictions)
            and model.n_classes == 2
            and isinstance(right_measure(self.measure), ErrorRate | Accuracy)
        )

    def confusions(self) -> ConfusionPair:
        """The confusion matrices of two models, from the same labels with the same weights.

        They are weighted as the estimate of the models' difference, by which the measures of the two differ.

        Returns
        -------
        ConfusionPair
            Both, and the standard errors of the cells' differences: 0 where all that can be drawn has an
            answer.

        Raises
        ------
        ValueError
            If the session is not about two models: name them, `session.of("A", "B")`.
        TypeError
            If they do not predict classes.

        See Also
        --------
        confusion : Of one model.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> models = {"old": [[0.9, 0.1]] * 3, "new": [[0.9, 0.1], [0.2, 0.8], [0.2, 0.8]]}
        >>> session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
        >>> while session.next() is not None:
        ...     event = session.label(1)
        >>> found = session.confusions()
        >>> found.first.shares.round(3).tolist(), found.second.shares.round(3).tolist()
        ([[0.0, 1.0], [0.0, 0.0]], [[0.0, 0.333], [0.0, 0.667]])
        """
        self._check_two("confusions")
        first, second = self.models
        if not isinstance(first, ClassPredictions) or not isinstance(second, ClassPredictions):
            raise TypeError(f"confusion matrices are for ClassPredictions, got {self.models!r:.200}")
        return self.draws.source.confusions(
            self.measure, (first, second), self.draws.answers, is_known=self._is_known()
        )
