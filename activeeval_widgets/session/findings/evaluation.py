"""What a session's log says of the measure: estimates, intervals, the models' own probabilities on trial."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple, cast

import pandas as pd
from numpy.typing import ArrayLike

from activeeval_widgets.session.draws.confidence_sequences import DrawnInterval
from activeeval_widgets.session.draws.deadlines import Deadlines
from activeeval_widgets.session.draws.protocol import Draws
from activeeval_widgets.session.draws.read_for_models import DrawsOfModels
from activeeval_widgets.session.findings.compared import ComparedModels
from activeeval_widgets.session.findings.estimated_interval import EstimatedInterval, around, with_both
from activeeval_widgets.session.findings.excluded_counted import ExcludedBounds, ExcludedCounted
from activeeval_widgets.session.findings.fixed_n import check_suits
from activeeval_widgets.session.findings.leaderboard import (
    Leaderboard,
    read_leaderboard,
)
from activeeval_widgets.session.findings.models import positions_of
from activeeval_widgets.session.findings.pairs import pairs_table
from activeeval_widgets.session.findings.trials import Trials
from activeeval_widgets.session.findings.turns import InTurns
from activeeval_widgets.session.findings.verdict import Verdict, check_margin, read_verdict
from activeeval_widgets.session.findings.watched_interval import WatchedInterval
from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.stats import Estimate, Measure, ModelTrial
from activeeval_widgets.stats._validation import check_fraction
from activeeval_widgets.stats.questions.difference import Difference
from activeeval_widgets.stats.questions.question import Comparison


class Provisional(NamedTuple):
    """A value from all labels, while some do not count yet.

    Attributes
    ----------
    value : float
        It leans toward what is answered fast.
    n_labels : int
        From so many labels.
    n_waiting : int
        So many of them do not count yet.

    See Also
    --------
    Session.provisional : Gives one.

    Examples
    --------
    >>> Provisional(0.25, 12, 3).n_waiting
    3
    """

    value: float
    n_labels: int
    n_waiting: int


_MOST_WATCHED = 16
"""At most this many intervals, one for each measure and level, are kept up to date; others begin anew."""


def _let_oldest_go(kept: dict[Any, Any]) -> None:
    """Keep what was asked for last."""
    while len(kept) > _MOST_WATCHED:
        del kept[next(iter(kept))]


class Evaluation(ComparedModels):
    """All that follows from pool, q, seed and log: what goals, reports and panels read.

    Parameters are those of `GroupedEstimates`.
    """

    _deadlines: Deadlines = None

    @property
    def deadlines(self) -> Deadlines:
        """The numbers of draws at which the interval that may be watched is to be narrow.

        Declared before the first label: where the budget that the session was begun with is spent. It holds
        at all other numbers just as well.

        Returns
        -------
        tuple of int, or None
            None: none was declared, and the usual ones are bet on (see `stats.AdaptiveConfidenceSequence`).

        See Also
        --------
        watched : The interval.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> Session(Pool(["a", "b", "c"], predictions=model), ErrorRate(), budget=2).deadlines
        (2,)
        """
        return self._deadlines

    @cached_property
    def _trials(self) -> Trials:
        return Trials(self)

    @cached_property
    def _latest(self) -> dict[tuple[type, str, float], tuple[int, Estimate]]:
        """The estimates that were asked for last, each with the revision that it is from."""
        return {}

    @cached_property
    def _watched(self) -> dict[tuple[type, str, float], WatchedInterval]:
        """The intervals that were asked for, by the measure and the level."""
        return {}

    @cached_property
    def _in_turns(self) -> dict[tuple[type, str, float], InTurns]:
        """What reads leaderboards of large pools."""
        return {}

    @cached_property
    def _suited(self) -> set[tuple[type, str]]:
        """The measures that were found to suit the predictions."""
        return set()

    @cached_property
    def _of(self) -> dict[tuple[int, ...], "SomeModels"]:
        """What is read for some of the models, by their positions."""
        return {}

    @cached_property
    def _boards(self) -> dict[tuple[type, str, float], tuple[int, Leaderboard]]:
        """The leaderboards that were asked for last, each with the revision that it is from."""
        return {}

    def of(self, *models: int | str) -> "Evaluation":
        """What the same labels say of one of the models, or of the difference of two.

        Parameters
        ----------
        *models : str or int
            One model or two, by their names or their positions.

        Returns
        -------
        Evaluation
            With the session's `estimate`, `trajectory`, `watched`, `confusion` and so on; it goes on with the
            session. The draws are the best for the session's own question, and as valid for this one.

        Raises
        ------
        ValueError, TypeError
            If there is no such model, or draws can't tell of it alone.

        See Also
        --------
        leaderboard : All models.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> models = {"old": [[0.9, 0.1]] * 3, "new": [[0.2, 0.8]] * 3}
        >>> session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
        >>> while session.next() is not None:
        ...     event = session.label(1)
        >>> session.estimate().value, session.of("old").estimate().value, session.of("new").estimate().value
        (1.0, 1.0, 0.0)
        """
        which = positions_of(self.models, models)
        if which == tuple(position for position, _ in enumerate(self.models)):
            return self
        if which not in self._of:
            made = SomeModels(self, which)
            made.draws.source.check(self.measure)
            self._of[which] = made
        return self._of[which]

    def leaderboard(
        self, measure: Measure | str | None = None, *, positive: Any = None, confidence_level: float = 0.95
    ) -> Leaderboard:
        """All models by the labels so far: each one's measure, and who may still be the best.

        Whatever one looks at and whenever one stops: with the confidence level no model's interval is ever
        wrong, and with the confidence level the best model is never called beaten.

        In a large pool with many models the best so far is up to date, and so are the differences from it.
        The intervals of the other models, and of the differences between these, are up to 15 labels old, and
        hold as well.

        Parameters
        ----------
        measure : Measure or str, optional
            Another measure than the session's, or its name: see `estimate`.
        positive : class label, optional
            For a measure by its name: the class of interest.
        confidence_level : float
            Of all intervals at once, and of all verdicts at once.

        Returns
        -------
        Leaderboard
            The best so far first.

        Raises
        ------
        ValueError, TypeError
            If there is one model only, or the measure does not suit the predictions.

        See Also
        --------
        of : One model, or two, in full.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> models = {"A": [[0.9, 0.1]] * 9, "B": [[0.2, 0.8]] * 9, "C": [[0.9, 0.1]] * 8 + [[0.1, 0.9]]}
        >>> session = Session(Pool(["x"] * 9, predictions=models), ErrorRate())
        >>> while session.next() is not None:
        ...     event = session.label(1)
        >>> session.leaderboard().to_frame()[["model", "may_be_best"]].values.tolist()
        [['B', True], ['C', False], ['A', False]]
        """
        self.question.expect(Comparison, "a leaderboard")
        level = check_fraction("confidence_level", confidence_level, closed=False)
        asked = self._suiting(measure, positive)
        key = type(asked), repr(asked), level
        if self._boards.get(key, (-1, None))[0] != self.log.revision:
            self._boards[key] = self.log.revision, self._read_leaderboard(key, asked, level)
            _let_oldest_go(self._boards)
        return self._boards[key][1]

    def _read_leaderboard(self, key: tuple[type, str, float], measure: Measure, level: float) -> Leaderboard:
        if self._is_known() or not self.draws.source.takes_turns(len(self.question.names)):
            return read_leaderboard(self, measure, level)
        if key not in self._in_turns:
            self._in_turns[key] = InTurns(self, measure, level)
            _let_oldest_go(self._in_turns)
        return self._in_turns[key].read()

    def _steps_ahead(self) -> Iterator[None]:
        """Do ahead what leaderboards take after the next label, step by step; see `InTurns.ahead`."""
        for each in list(self._in_turns.values()):
            yield from each.ahead()

    def pair_estimate(
        self, first: int | str, second: int | str, measure: Measure | str | None = None, *,
        positive: Any = None, confidence_level: float = 0.95,
    ) -> Estimate:  # fmt: skip
        """The difference of two of the models, with an interval that holds for all pairs at once.

        Whichever pairs one chooses, by whatever one saw, and whenever one stops: with the confidence level no
        pair's interval is ever wrong. Each is of level 1 − α/(K(K − 1)/2) for K models. A pair that was
        settled on before the first label has its own, narrower one: `of(first, second).estimate()`.

        Parameters
        ----------
        first, second : str or int
            Their names, or their positions.
        measure : Measure or str, optional
            Another measure than the session's, or its name: see `estimate`.
        positive : class label, optional
            For a measure by its name: the class of interest.
        confidence_level : float
            Of all pairs' intervals at once.

        Returns
        -------
        Estimate
            The first one's measure minus the second's.

        Raises
        ------
        ValueError, TypeError
            If there are no such two models, or the measure does not suit the predictions.

        See Also
        --------
        pairs : All of them, as a table.
        leaderboard : Who may still be the best, which asks less than all pairs.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> models = {"A": [[0.9, 0.1]] * 9, "B": [[0.2, 0.8]] * 9, "C": [[0.9, 0.1]] * 8 + [[0.1, 0.9]]}
        >>> session = Session(Pool(["x"] * 9, predictions=models), ErrorRate())
        >>> while session.next() is not None:
        ...     event = session.label(1)
        >>> round(session.pair_estimate("A", "C").value, 3)
        0.111
        """
        which = positions_of(self.models, (first, second))
        level = check_fraction("confidence_level", confidence_level, closed=False)
        own = self.question.level_of_pairs(level)
        asked = self._suiting(measure, positive)
        return replace(self.of(*which).estimate(asked, confidence_level=own), confidence_level=level)

    def pairs(
        self, measure: Measure | str | None = None, *, positive: Any = None, confidence_level: float = 0.95
    ) -> pd.DataFrame:
        """The differences of all pairs of models, with intervals that hold for all of them at once.

        Parameters
        ----------
        measure : Measure or str, optional
            Another measure than the session's, or its name: see `estimate`.
        positive : class label, optional
            For a measure by its name: the class of interest.
        confidence_level : float
            Of all intervals at once.

        Returns
        -------
        DataFrame
            One row a pair, in the order of the models: first, second, difference (first minus second), low,
            high, standard_error, better (the name of the better one, "" while that is not known),
            is_asymptotic (the interval is approximate).

        Raises
        ------
        ValueError, TypeError
            If there is one model only, or the measure does not suit the predictions.

        See Also
        --------
        pair_estimate : One of them.
        leaderboard : Who may still be the best.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> models = {"A": [[0.9, 0.1]] * 9, "B": [[0.2, 0.8]] * 9, "C": [[0.9, 0.1]] * 8 + [[0.1, 0.9]]}
        >>> session = Session(Pool(["x"] * 9, predictions=models), ErrorRate())
        >>> while session.next() is not None:
        ...     event = session.label(1)
        >>> session.pairs()[["first", "second", "better"]].values.tolist()
        [['A', 'B', 'B'], ['A', 'C', 'C'], ['B', 'C', 'B']]
        """
        self.question.expect(Comparison, "a table of pairs")
        asked = self._suiting(measure, positive)
        found = [
            self.pair_estimate(*pair, asked, confidence_level=confidence_level)
            for pair in self.question.pairs
        ]
        return pairs_table(self.question.names, found, asked)

    def verdict(
        self,
        margin: float | None = None,
        *,
        measure: Measure | str | None = None,
        positive: Any = None,
        confidence_level: float = 0.95,
    ) -> Verdict:
        """Which of two models is better, by the labels so far and the interval that may be watched.

        Parameters
        ----------
        margin : float, optional
            The difference below which they are as good as each other, in the measure's unit; the session's
            (`Revisions.declare_margin`) unless given.
        measure : Measure or str, optional
            Another measure than the session's, or its name: see `estimate`. The session's margin is not
            applied to it.
        positive : class label, optional
            For a measure by its name: the class of interest.
        confidence_level : float
            With it no verdict is ever wrong, at whichever number of labels and by whichever margin.

        Returns
        -------
        Verdict
            `str(…)` says it in a sentence.

        Raises
        ------
        ValueError, TypeError
            If the session is not about two models: `of` gives two of several; if `margin` is no positive
            finite number, or the measure does not suit the predictions.

        See Also
        --------
        estimate : The difference, with its interval.
        Revisions.declare_margin : Says which differences don't matter.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> models = {"old": [[0.9, 0.1]] * 90, "new": [[0.2, 0.8]] * 90}
        >>> session = Session(Pool(["x"] * 90, predictions=models), ErrorRate())
        >>> print(session.verdict())
        Not decided yet.
        >>> for _ in range(30):
        ...     event = session.label(1)
        >>> session.verdict().better
        'new'
        """
        self.question.expect(Difference, "a verdict", remedy="ask of() for two of several")
        level = check_fraction("confidence_level", confidence_level, closed=False)
        asked = self._suiting(measure, positive)
        wanted = check_margin(margin)
        if wanted is None and measure is None:
            wanted = self.log.margin
        return read_verdict(self, asked, self.watched(asked, confidence_level=level), wanted)

    def _suiting(self, measure: Measure | str | None, positive: Any = None) -> Measure:
        """The measure that is asked for, if it suits."""
        asked = self._measure_of(measure, positive)
        if asked is self.measure:
            return asked
        key = type(asked), repr(asked)
        if key not in self._suited:
            # Of each two models: with ten of them 45 checks, which pages would make again for each label.
            check_suits(asked, self.models, self.labels)
            self.draws.source.check(asked)
            self._suited.add(key)
        return asked

    def told(self) -> "Evaluation":
        """What the estimate is of: the session; of more than two models, the best so far alone.

        See Also
        --------
        of : Any of the models.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ErrorRate
        >>> models = {"A": [[0.9, 0.1]] * 9, "B": [[0.2, 0.8]] * 9, "C": [[0.9, 0.1]] * 8 + [[0.1, 0.9]]}
        >>> session = Session(Pool(["x"] * 9, predictions=models), ErrorRate())
        >>> event = session.label(1)
        >>> [model.name for model in session.told().models]
        ['B']
        """
        leader = self._leader(self.measure, 0.95)
        return self if leader is None else leader[0]

    def _leader(self, measure: Measure, level: float) -> "tuple[Evaluation, float] | None":
        """Of more than two models, the best so far, and the level of its interval for all to hold at once."""
        if not self.question.is_of_leader:
            return None
        leader = self.leaderboard(measure, confidence_level=level).leader
        return self.of(leader.position), self.question.level_of_each(level)

    def estimate(
        self,
        measure: Measure | str | None = None,
        *,
        positive: Any = None,
        interval: str | None = None,
        confidence_level: float = 0.95,
        estimator: str | None = None,
    ) -> Estimate:
        """The estimate from all labels so far, with the interval that the page shows.

        Parameters
        ----------
        measure : Measure or str, optional
            Another measure than the session's: one log answers for all. Draws are the best for the
            session's own. Or its name, as on the command line ("f1", "roc-auc") or in scikit-learn's
            `scoring` ("f1_macro"; the sign of ``"neg_mean_squared_error"`` is dropped); see
            `stats.measure_named`.
        positive : class label, optional
            For a measure by its name: the class of interest; that of the session's measure unless given.
        interval : str, optional
            "confidence_sequence", the default, may be watched: it holds at every number of labels at once. It
            is guaranteed where the measure has such an interval, and else the approximate one
            (`is_asymptotic`). "approximate": that one, within the guaranteed one; it holds at every number of
            labels as well, but in the limit of many, and is withheld where it was measured not to hold. Both
            count draws in draw order, so they wait for an instance that was put aside. Others hold for one
            number of labels fixed beforehand: "wald", and by the papers' protocol "t"; for unweighted draws
            that count 0 or 1 "wilson" and "clopper_pearson". See `intervals`.
        confidence_level : float
            Of the interval.
        estimator : str, optional
            How the value is computed: by the papers' protocol "self_normalized", the default, or "difference"
            (see `stats.estimate`); by the adaptive one "adaptive" alone (`stats.estimate_adaptive`). See
            `estimators`.

        Returns
        -------
        Estimate
            For two models, the difference of the first one's measure and the second's; for more, the measure
            of the best so far, with an interval that holds for all models at once. The p-value belongs to
            the interval: it may be watched if that may. `standard_error` is that of the value. Where all that
            can be drawn has an answer the value is known: interval and standard error say so.

        Raises
        ------
        ValueError, TypeError
            If the measure does not suit the predictions, or needs instances that are never drawn; if the
            interval does not hold for these draws: the message names those that do.

        See Also
        --------
        trajectory : The same after fewer labels.
        intervals, estimators : The names that hold for these draws.
        watched : The interval that may be watched, kept up to date.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> while session.next() is not None:
        ...     event = session.label(0)
        >>> result = session.estimate()
        >>> round(result.value, 3), result.interval, result.standard_error
        (0.667, 'confidence_sequence', 0.0)
        """
        return self.trajectory(
            measure=measure,
            positive=positive,
            interval=interval,
            confidence_level=confidence_level,
            estimator=estimator,
        )[0]

    def trajectory(
        self,
        at: ArrayLike | None = None,
        measure: Measure | str | None = None,
        *,
        positive: Any = None,
        interval: str | None = None,
        confidence_level: float = 0.95,
        estimator: str | None = None,
    ) -> list[Estimate]:
        """The estimates after the first n labeled draws, for each n of `at`; after all unless given.

        Other parameters are as for `estimate`.

        Parameters
        ----------
        at : array-like of int, optional
            Numbers of labeled draws.
        measure, positive, interval, confidence_level, estimator
            As for `estimate`.

        Returns
        -------
        list of Estimate
            One for each entry of `at`.

        Raises
        ------
        ValueError, TypeError
            As for `estimate`; also if an entry of `at` is no number of labeled draws so far.

        See Also
        --------
        estimate : The latest of them.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> while session.next() is not None:
        ...     event = session.label(0)
        >>> [round(each.value, 3) for each in session.trajectory(at=[3], interval="wald")]
        [0.667]
        """
        level = check_fraction("confidence_level", confidence_level, closed=False)
        asked = self._suiting(measure, positive)
        leader = self._leader(asked, level)
        if leader is not None:
            best, own = leader
            found = best.trajectory(at, asked, interval=interval, confidence_level=own, estimator=estimator)
            return [replace(each, confidence_level=level) for each in found]
        name = self._check_interval(interval, asked, estimator)
        is_watched = name in ("confidence_sequence", "approximate")
        if at is None and name == "confidence_sequence" and estimator is None:
            found = [self._estimate_now(asked, level)]
        else:
            found = self._fixed_n(at, asked, "wald" if is_watched else name, level, estimator)
            found = self._in_order(found, asked, level)
        if not is_watched:
            return found
        watched = self.watched(asked, confidence_level=level)
        given = with_both(watched, found)
        if name == "confidence_sequence":
            return given
        return [around(each, watched.whole, self.question.quantity) for each in given]

    def _limits(self, at: ArrayLike | None, measure: Measure, level: float) -> list[Estimate]:
        """The estimates with the interval that holds in the limit beside their own."""
        return self._in_order(self._fixed_n(at, measure, "wald", level, None), measure, level)

    def _estimate_now(self, measure: Measure, level: float) -> Estimate:
        """The estimate, with the interval that holds in the limit beside its own; computed once."""
        key = type(measure), repr(measure), level
        if self._latest.get(key, (-1, None))[0] != self.log.revision:
            [found] = self._limits(None, measure, level)
            self._latest[key] = self.log.revision, found
            _let_oldest_go(self._latest)
        return self._latest[key][1]

    def provisional(
        self, measure: Measure | str | None = None, *, positive: Any = None
    ) -> Provisional | None:
        """The value from all labels, where some do not count yet, as somebody still has an earlier draw.

        It has no interval, and leans toward what is answered fast.

        Parameters
        ----------
        measure : Measure or str, optional
            Another measure than the session's, or its name: see `estimate`.
        positive : class label, optional
            For a measure by its name: the class of interest.

        Returns
        -------
        Provisional or None
            None where all labels count, as they always do where one person labels.

        See Also
        --------
        estimate : From the labels that count.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.session import MemoryStore
        >>> from activeeval_widgets.stats import ErrorRate
        >>> store, pool = MemoryStore(), Pool(["a"] * 99, predictions=[[0.9, 0.1]] * 99)
        >>> ada, bob = (Session(pool, ErrorRate(), store=store, who=who) for who in ("Ada", "Bob"))
        >>> asked = ada.next()
        >>> labeled = [bob.label(0) for _ in range(3)]
        >>> bob.estimate().n_labels, bob.provisional().n_labels
        (0, 3)
        """
        asked = self._suiting(measure, positive)
        leader = self._leader(asked, 0.95)
        if leader is not None:
            return leader[0].provisional(asked)
        n_waiting = int(self.draws.not_counted_yet().size)
        if not n_waiting:
            return None
        answered = self.draws.answers.all_answered()
        [found] = self.draws.source.estimate(
            asked,
            answered,
            at=[int(answered.draws.size)],
            interval="wald",
            confidence_level=0.95,
            estimator=None,
            y_range=self.y_range,
        )
        return Provisional(found.value, found.n_labels, n_waiting)

    def watched(
        self, measure: Measure | str | None = None, *, positive: Any = None, confidence_level: float = 0.95
    ) -> WatchedInterval:
        """The interval that may be watched, up to date; the same object for the same measure and level.

        Parameters
        ----------
        measure : Measure or str, optional
            Another measure than the session's, or its name: see `estimate`.
        positive : class label, optional
            For a measure by its name: the class of interest.
        confidence_level : float
            Its level.

        Returns
        -------
        WatchedInterval
            Its `update` takes in what has happened since.

        See Also
        --------
        estimate : A value with this interval.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> while session.next() is not None:
        ...     event = session.label(0)
        >>> watched = session.watched()
        >>> round(watched.low, 3), round(watched.high, 3)
        (0.667, 0.667)
        """
        asked = self._measure_of(measure, positive)
        leader = self._leader(asked, confidence_level)
        if leader is not None:
            return leader[0].watched(asked, confidence_level=leader[1])
        return self._interval(asked, confidence_level)

    def _interval(self, measure: Measure, level: float, until: int | None = None) -> WatchedInterval:
        """The interval that is kept up to date; only until some number of labels, where one is given."""
        key = type(measure), repr(measure), level
        if key not in self._watched:
            begun = self._begin_interval(level, measure)
            kind = EstimatedInterval if begun.follows_estimate else WatchedInterval
            self._watched[key] = kind(self, measure, confidence_level=level, begun=begun, until=until)
            while len(self._watched) > _MOST_WATCHED:
                # The session's own, which the page shows, is the first one asked for and stays.
                del self._watched[list(self._watched)[1]]
        self._watched[key].update(until)
        return self._watched[key]

    def trials(self) -> list[ModelTrial | None]:
        """Of each model, its own probabilities on trial; None for one that does not say how sure it is.

        Like `watched`, they take draws in draw order, up to the first that has no answer.

        Returns
        -------
        list of ModelTrial or None
            One for each model.

        See Also
        --------
        watched : The interval, which takes the same draws.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> while session.next() is not None:
        ...     event = session.label(0)
        >>> [trial] = session.trials()
        >>> trial.n_labels, trial.kind
        (3, 'errors')
        """
        return self._trials.update()

    def _begin_interval(
        self, confidence_level: float, measure: Measure | None = None, *, filled: str | None = None
    ) -> DrawnInterval:
        """The interval that may be watched, before the first draw; `filled`: as of `Draws.begin_interval`."""
        asked = self.measure if measure is None else measure
        return self.draws.source.begin_interval(
            asked, confidence_level, self.y_range, self._deadlines, filled=filled
        )

    def excluded_counted(
        self, measure: Measure | str | None = None, *, positive: Any = None, confidence_level: float = 0.95
    ) -> ExcludedCounted | None:
        """Bounds of the measure with each excluded instance counted as the worst and as the best.

        The session's interval is of what can be labeled. It holds if what is excluded depends on the instance
        and its label alone, not on what came before. These bounds are of the whole pool, hold whatever is
        excluded and why, and may be watched as well.

        Parameters
        ----------
        measure : Measure or str, optional
            Another measure than the session's, or its name: see `estimate`.
        positive : class label, optional
            For a measure by its name: the class of interest.
        confidence_level : float
            1 − α.

        Returns
        -------
        ExcludedCounted or None
            None where nothing is excluded, and where there are no such bounds: for measures without an exact
            interval of one equation, and for more than two models.

        See Also
        --------
        estimate : The interval of what can be labeled.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.3, 0.7]])
        >>> session = Session(Pool(["a", "b", "c", "d"], predictions=model), ErrorRate())
        >>> while (asked := session.next()) is not None:
        ...     event = session.exclude() if asked.index == 0 else session.label(1)
        >>> found = session.excluded_counted()
        >>> round(found.low, 3), round(found.high, 3), session.estimate().high
        (0.0, 0.25, 0.0)
        """
        level = check_fraction("confidence_level", confidence_level, closed=False)
        asked = self._suiting(measure, positive)
        if not self.log.n_excluded or self.question.is_of_leader:
            return None
        key = type(asked), repr(asked), level
        if key not in self._excluded_bounds:
            try:
                self._excluded_bounds[key] = ExcludedBounds(self, asked, level)
            except ValueError:
                self._excluded_bounds[key] = None
        bounds = self._excluded_bounds[key]
        if bounds is None:
            return None
        low, high = bounds.update()
        return ExcludedCounted(low, high, self.log.n_excluded, level)

    @cached_property
    def _excluded_bounds(self) -> dict[tuple[Any, ...], ExcludedBounds | None]:
        return {}


@one_thread_at_a_time
class SomeModels(Evaluation):
    """What a session's log says of some of its models."""

    def __init__(self, session: Evaluation, which: tuple[int, ...]) -> None:
        self.lock = session.lock
        super().__init__(
            session.pool.of_models(which), session.measure, session.labels, session.log.state,
            cast(Draws, DrawsOfModels(session.draws.source, which)),
            name=session.name, seed=session.seed, y_range=session.y_range, goal=session.goal,
        )  # fmt: skip
        self._deadlines = session._deadlines
