"""The race as a widget."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from traitlets import Unicode

from activeeval_widgets.session import Pool
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats.measures.chosen_measure import as_measure
from activeeval_widgets.widgets.front_end import STATIC, FrontEnd
from activeeval_widgets.widgets.instances.registered_views import View
from activeeval_widgets.widgets.labels.numbers import Unit
from activeeval_widgets.widgets.labels.panel import label_panel
from activeeval_widgets.widgets.race.contest import Contest
from activeeval_widgets.widgets.race.race_page import RaceChannel, RacePage


class Race(RaceChannel, FrontEnd):
    """A race of two methods of choosing instances, on a fully labeled pool, for lectures.

    Each racer is a session with a simulated expert, who gives labels at once; estimates and intervals are
    those that a `LabelingApp` would show. The page plays the race or steps through it, compares the methods
    over 200 such races, and accepts labels given by hand.

    Parameters
    ----------
    instances, predictions
        As for `Pool`.
    measure : Measure or str
        The measure to estimate, or its name, as for `Session`.
    y_true : sequence of length n_instances
        The label of every instance; for rankings, a mapping from item to grade for each.
    positive : class label, optional
        The class of interest, for a measure given by name.
    methods : sequence of two str
        The methods: "active" (a session's default), "papers" (the papers' q*) or "uniform".
    budget : int, optional
        The number of labels for each racer; by default 200, or the number of instances if it is smaller.
    seed : int
        The seed of both sessions.
    y_range : tuple of two floats, optional
        As for `Session`.
    ids, kind
        As for `Pool`.
    title, question, keys, unit, grade_words, view
        As for `LabelingApp`.

    Raises
    ------
    TypeError, ValueError
        If an argument does not fit, or a label is missing.

    See Also
    --------
    activeeval_widgets.stats.replicate : Many replications, as a table.
    LabelingApp : Labeling by a person.

    Examples
    --------
    >>> proba = [[0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.7, 0.3]]
    >>> race = Race(["a", "b", "c", "d"], proba, ErrorRate(), [0, 0, 1, 1], budget=3)
    >>> race.run()
    >>> [len(estimates) for estimates in race.estimates.values()]
    [3, 3]
    """

    _shows = Unicode("race").tag(sync=True)
    _css = (STATIC / "race.css").read_text(encoding="utf-8")

    def __init__(
        self,
        instances: Any,
        predictions: Any,
        measure: Measure | str,
        y_true: Any,
        *,
        positive: Any = None,
        methods: Sequence[str] = ("active", "uniform"),
        budget: int | None = None,
        seed: int = 0,
        y_range: tuple[float, float] | None = None,
        ids: Sequence[Any] | None = None,
        kind: str | None = None,
        title: str = "The race",
        question: str | None = None,
        keys: Mapping[Any, str] | None = None,
        unit: Unit | None = None,
        grade_words: Sequence[str] | None = None,
        view: View | None = None,
    ) -> None:
        pool = instances
        if not isinstance(pool, Pool):
            pool = Pool(instances, predictions=predictions, ids=ids, kind=kind)
        measure = as_measure(measure, positive, None if pool.is_open else pool.models)
        contest = Contest(pool, measure, y_true, budget=budget, y_range=y_range)
        self._page = RacePage(
            contest,
            label_panel(contest.labels, keys=keys, unit=unit, grade_words=grade_words),
            methods=methods,
            seed=seed,
            title=title,
            question=question,
            send=self.send,
            view=view,
        )
        super().__init__(self._page.handlers, self._page.lock, on_repeat=lambda: None)

    @classmethod
    def of_pool(cls, pool: Pool, measure: Measure | str, y_true: Any, **options: Any) -> Self:
        """Create a race on an existing pool.

        Parameters
        ----------
        pool : Pool
            The instances with their predictions.
        measure, y_true, **options
            As for `Race`.

        Returns
        -------
        Race
        """
        return cls(pool, None, measure, y_true, **options)

    def make_standalone(self, notes: Sequence[str] = (), stored: Mapping[str, Any] | None = None) -> None:
        """Turn the race into a page of its own.

        Parameters
        ----------
        notes : sequence of str
            Notes on the data.
        stored : mapping, optional
            The results of many races, written by tools/simulate_races.py.
        """
        self._page.make_standalone(notes, stored)

    @property
    def truth(self) -> float:
        """The measure on the whole pool; for two models, the difference."""
        return self._page.contest.truth

    @property
    def seed(self) -> int:
        """The seed of both sessions."""
        return self._page.seed

    @property
    def methods(self) -> tuple[str, str]:
        """The methods in the race."""
        return self._page.methods

    @property
    def estimates(self) -> dict[str, list[Any]]:
        """The estimates after each label so far, as returned by `Session.estimate`, by method."""
        with self._page.lock:
            return {racer.method: [step.estimate for step in racer.steps] for racer in self._page.racers}

    def run(self, n_labels: int | None = None) -> None:
        """Run the race without a page.

        Parameters
        ----------
        n_labels : int, optional
            The number of labels to reach for each racer; by default, to the end.
        """
        self._page.run(n_labels)
