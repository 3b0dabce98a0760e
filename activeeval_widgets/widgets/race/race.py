"""The race, with the handlers of its messages."""

from collections.abc import Callable, Mapping, Sequence
from threading import RLock
from time import perf_counter
from typing import Any, Self

from traitlets import Unicode

from activeeval_widgets.session import Pool
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats.measures.chosen import as_measure
from activeeval_widgets.widgets.front_end import STATIC, FrontEnd
from activeeval_widgets.widgets.instances.instance_renderer import InstanceRenderer
from activeeval_widgets.widgets.instances.registered_views import View, view_modules
from activeeval_widgets.widgets.labels.keys import action_keys, key_scope
from activeeval_widgets.widgets.labels.numbers import Unit
from activeeval_widgets.widgets.labels.panel import label_panel
from activeeval_widgets.widgets.messages import RACE_FROM_PAGE, RACE_QUESTIONS
from activeeval_widgets.widgets.page_channel import Reply
from activeeval_widgets.widgets.race.content import RaceContent
from activeeval_widgets.widgets.race.contest import METHODS, Contest, check_methods, check_seed
from activeeval_widgets.widgets.race.hand import HandLabels
from activeeval_widgets.widgets.race.long_run import LongRun
from activeeval_widgets.widgets.race.many import ManyRaces
from activeeval_widgets.widgets.race.racer import Racer
from activeeval_widgets.widgets.wording.sessions import about

AT_A_STRETCH = 0.05
"""Seconds after which a reply is sent and the page asks for more, so that the kernel is free in between."""

_MANY_AT_A_STRETCH = 0.04


class Race(FrontEnd):
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

    asking = tuple(RACE_QUESTIONS)
    messages = RACE_FROM_PAGE

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
        chosen, checked_seed = check_methods(methods), check_seed(seed)
        self._contest = contest = Contest(pool, measure, y_true, budget=budget, y_range=y_range)
        self._panel = label_panel(contest.labels, keys=keys, unit=unit, grade_words=grade_words)
        self._title = title
        usual = contest.measure.question or self._panel.question
        self._question = usual if question is None else question
        self._view = InstanceRenderer(pool, view, getattr(contest.labels, "items", None))
        self._content = RaceContent(contest, self._panel.text)
        self._many = ManyRaces(contest)
        self.notes: list[str] = []
        self._is_standalone = False
        self._run_number = 0
        self._begin(chosen, checked_seed)
        handlers: dict[str, Callable[[Mapping[str, Any]], Reply]] = {
            "hello": self._hello,
            "ping": lambda _: ({}, []),
            "steps": self._more_steps,
            "races": self._more_races,
            "beyond": self._go_beyond,
            "instances": self._instances,
            "more": self._more,
            "by_hand": self._label_by_hand,
            "give": self._give,
            "undo": self._undo,
            "new_race": self._new_race,
        }
        super().__init__(handlers, RLock(), on_repeat=lambda: None)

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

    def stand_alone(self, notes: Sequence[str] = (), stored: Mapping[str, Any] | None = None) -> None:
        """Turn the race into a page of its own.

        Parameters
        ----------
        notes : sequence of str
            Notes on the data.
        stored : mapping, optional
            The results of many races, written by tools/simulate_races.py.
        """
        self._is_standalone, self.notes = True, list(notes)
        self._many = ManyRaces(self._contest, stored)

    # -- for code --------------------------------------------------------------------------------------------

    @property
    def truth(self) -> float:
        """The measure on the whole pool; for two models, the difference."""
        return self._contest.truth

    @property
    def seed(self) -> int:
        """The seed of both sessions."""
        return self._seed

    @property
    def methods(self) -> tuple[str, str]:
        """The methods in the race."""
        return self._methods

    @property
    def estimates(self) -> dict[str, list[Any]]:
        """The estimates after each label so far, as returned by `Session.estimate`, by method."""
        with self._lock:
            return {racer.method: [step.estimate for step in racer.steps] for racer in self._racers}

    def run(self, n_labels: int | None = None) -> None:
        """Run the race without a page.

        Parameters
        ----------
        n_labels : int, optional
            The number of labels to reach for each racer; by default, to the end.
        """
        most = self._contest.budget if n_labels is None else n_labels
        with self._lock:
            while min(len(racer.steps) for racer in self._racers) < most and self._advance():
                pass

    # -- messages --------------------------------------------------------------------------------------------

    def _begin(self, methods: tuple[str, str], seed: int) -> None:
        self._methods, self._seed = methods, seed
        self._run_number += 1
        self._racers = [Racer(self._contest, method, seed) for method in methods]
        self._hand = HandLabels(self._contest, self._racers)
        self._long_run: LongRun | None = None

    def _hello(self, _message: Mapping[str, Any]) -> Reply:
        contest, labels = self._contest, self._panel.config()
        session = self._racers[0].session
        choices = labels.get("choices", [])
        taken = self._panel.taken_keys()
        config = {
            "title": self._title,
            "about": about(session),
            "question": self._question,
            "measure": self._content.heading(),
            "is_share": self._content.measure.is_share,
            "sides": self._content.sides(),
            "notes": self.notes,
            "budget": contest.budget,
            "methods": [{"name": name, **vars(method)} for name, method in METHODS.items()],
            "truth": contest.truth,
            "truth_text": self._content.text(contest.truth),
            "picks": self._content.picks(),
            "labels": labels,
            "keys": {
                "scope": key_scope(contest.measure.name, labels),
                "labels": choices,
                "actions": {"undo": action_keys(taken)["undo"]},
                "taken": sorted(taken - {key for choice in choices for key in choice["keys"]}),
            },
            "instance_modules": view_modules(contest.pool),
            "is_standalone": self._is_standalone,
            "whole": self._content.whole(),
            "n_races": self._many.n_races,
        }
        return {"config": config, **self._state([None, None])}, []

    def _state(self, known: Sequence[Mapping[str, int] | None]) -> dict[str, Any]:
        """Return the identity of the race, and what is new about its racers."""
        racers = []
        for racer, what in zip(self._racers, known, strict=True):
            is_known = what is not None and what["version"] == racer.version
            racers.append(
                self._content.racer(racer, min(what["n"], len(racer.steps)) if is_known and what else 0)
            )
        return {"race": self._race(), "racers": racers, "y": self._content.y(self._racers)}

    def _race(self) -> dict[str, Any]:
        return {
            "run": self._run_number,
            "seed": self._seed,
            "methods": list(self._methods),
            "by_hand": self._hand.racers,
            "n_by_hand": self._hand.n_given,
        }

    def _is_of_now(self, message: Mapping[str, Any]) -> bool:
        return bool(message["run"] == self._run_number)

    def _check_run(self, message: Mapping[str, Any]) -> None:
        if not self._is_of_now(message):
            raise ValueError("Another race has begun meanwhile.")

    def _advance(self) -> bool:
        """Advance the racer that is behind by one step; return False if every racer waits for a hand."""
        waiting = [racer for racer in self._racers if not racer.is_ready]
        if waiting:
            waiting[0].feed()
            return True
        free = [
            racer
            for number, racer in enumerate(self._racers)
            if number not in self._hand.racers and racer.coming is not None
        ]
        if not free:
            return False
        racer = min(free, key=lambda racer: len(racer.steps))
        self._hand.let_expert(racer)
        return True

    def _more_steps(self, message: Mapping[str, Any]) -> Reply:
        if not self._is_of_now(message):
            return self._state([None, None]), []
        end = perf_counter() + AT_A_STRETCH
        while perf_counter() < end and self._advance():
            pass
        return self._state(message["known"]), []

    def _more_races(self, message: Mapping[str, Any]) -> Reply:
        methods, many = check_methods(message["methods"]), self._many
        end = perf_counter() + _MANY_AT_A_STRETCH
        while perf_counter() < end and many.n_done(methods) < many.n_races:
            many.advance(methods)
        return {"many": self._content.many(many, methods)}, []

    def _go_beyond(self, message: Mapping[str, Any]) -> Reply:
        self._check_run(message)
        racer, width, kind = message["racer"], message["width"], message["kind"]
        if self._long_run is None or self._long_run.asked != (racer, width, kind):
            method = self._methods[racer]
            self._long_run = LongRun(self._contest, method, self._seed, self._hand, racer, width, kind)
        end = perf_counter() + AT_A_STRETCH
        while perf_counter() < end and not self._long_run.is_complete:
            self._long_run.advance()
        return {"beyond": {"run": self._run_number, **self._long_run.content()}}, []

    def _instances(self, message: Mapping[str, Any]) -> Reply:
        n = self._contest.pool.n_instances
        indices = [index for index in message["indices"] if 0 <= index < n]
        described, contents = self._view.described(indices)
        return {"instances": described}, contents

    def _more(self, message: Mapping[str, Any]) -> Reply:
        index, passage = message["index"], message["passage"]
        part = self._view.more(index, passage, message["start"])
        return {"more": {"index": index, "passage": passage}}, [part]

    def _label_by_hand(self, message: Mapping[str, Any]) -> Reply:
        self._check_run(message)
        self._hand.begin(message["racers"], message["n"])
        return self._changed()

    def _give(self, message: Mapping[str, Any]) -> Reply:
        self._check_run(message)
        value = message["value"]
        label = None if value is None else self._panel.decode(value)
        self._hand.give(message["racer"], message["n"], label)
        return self._changed()

    def _undo(self, message: Mapping[str, Any]) -> Reply:
        self._check_run(message)
        self._hand.undo()
        return self._changed()

    def _new_race(self, message: Mapping[str, Any]) -> Reply:
        self._begin(check_methods(message["methods"]), check_seed(message["seed"]))
        return self._changed()

    def _changed(self) -> Reply:
        """Notify all pages of the new race; they ask for its steps."""
        self._long_run = None
        self.send({"race": self._race()})
        return {"race": self._race()}, []
