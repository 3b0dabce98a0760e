"""The connection of a race to its pages: replies to their messages."""

from collections.abc import Callable, Mapping, Sequence
from threading import RLock
from time import perf_counter
from typing import Any

from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.widgets.instances.instance_renderer import InstanceRenderer
from activeeval_widgets.widgets.instances.registered_views import View, view_modules
from activeeval_widgets.widgets.labels.keys import keys_config
from activeeval_widgets.widgets.labels.panel import LabelPanel
from activeeval_widgets.widgets.messages import RACE_FROM_PAGE, RACE_QUESTIONS
from activeeval_widgets.widgets.page_channel import Handler, PageChannel, Reply
from activeeval_widgets.widgets.race.content import RaceContent
from activeeval_widgets.widgets.race.contest import METHODS, Contest, check_methods, check_seed
from activeeval_widgets.widgets.race.hand_labels import HandLabels
from activeeval_widgets.widgets.race.long_run import LongRun
from activeeval_widgets.widgets.race.many_races import ManyRaces
from activeeval_widgets.widgets.race.racer import Racer
from activeeval_widgets.widgets.wording.measures import sides_text
from activeeval_widgets.widgets.wording.sessions import about

AT_A_STRETCH = 0.05
"""Seconds after which a reply is sent and the page asks for more, so that the kernel is free in between."""

_MANY_AT_A_STRETCH = 0.04


class RaceChannel(PageChannel):
    """Answers the messages of a race's pages."""

    questions = tuple(RACE_QUESTIONS)
    messages = RACE_FROM_PAGE


class RacePage:
    """Two racers, and the answers to what pages ask about them.

    Parameters
    ----------
    contest : Contest
        The pool with its labels, and the measure.
    panel : LabelPanel
        How labels are given by hand.
    methods, seed, title, question, view
        As for `Race`.
    send : callable
        Sends a message to all pages.
    """

    def __init__(
        self,
        contest: Contest,
        panel: LabelPanel,
        *,
        methods: Sequence[str],
        seed: int,
        title: str,
        question: str | None,
        send: Callable[[Mapping[str, Any]], None],
        view: View | None = None,
    ) -> None:
        chosen, checked_seed = check_methods(methods), check_seed(seed)
        self.contest, self.panel, self.title = contest, panel, title
        usual = contest.measure.question or panel.question
        self.question = usual if question is None else question
        self._send = send
        self._view = InstanceRenderer(contest.pool, view, getattr(contest.labels, "items", None))
        self.content = RaceContent(contest, panel.text)
        self.many = ManyRaces(contest)
        self.notes: list[str] = []
        self._is_standalone = False
        self._run_number = 0
        self.lock = RLock()
        self._begin(chosen, checked_seed)
        self.handlers: dict[str, Handler] = {
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

    def make_standalone(self, notes: Sequence[str] = (), stored: Mapping[str, Any] | None = None) -> None:
        """Make it a page of its own; see `Race.make_standalone`."""
        self._is_standalone, self.notes = True, list(notes)
        self.many = ManyRaces(self.contest, stored)

    def run(self, n_labels: int | None = None) -> None:
        """Run the race without a page; see `Race.run`."""
        most = self.contest.budget if n_labels is None else n_labels
        with self.lock:
            while min(len(racer.steps) for racer in self.racers) < most and self._advance():
                pass

    def _begin(self, methods: tuple[str, str], seed: int) -> None:
        self.methods, self.seed = methods, seed
        self._run_number += 1
        self.racers = [Racer(self.contest, method, seed) for method in methods]
        self._hand = HandLabels(self.contest, self.racers)
        self._long_run: LongRun | None = None

    def _hello(self, _message: Mapping[str, Any]) -> Reply:
        contest, labels = self.contest, self.panel.config()
        session = self.racers[0].session
        quantity = self.content.quantity
        config = {
            "title": self.title,
            "about": about(session),
            "question": self.question,
            "measure": quantity.name,
            "is_share": contest.measure.is_share,
            "sides": sides_text(quantity),
            "notes": self.notes,
            "budget": contest.budget,
            "methods": [{"name": name, **vars(method)} for name, method in METHODS.items()],
            "truth": contest.truth,
            "truth_text": Numbers(quantity).value(contest.truth),
            "picks": self.content.picks(),
            "labels": labels,
            "keys": keys_config(contest.measure.name, labels, self.panel.reserved_keys(), ["undo"]),
            "instance_modules": view_modules(contest.pool),
            "is_standalone": self._is_standalone,
            "whole": self.content.whole(),
            "n_races": self.many.n_races,
        }
        return {"config": config, **self._state([None, None])}, []

    def _state(self, known: Sequence[Mapping[str, int] | None]) -> dict[str, Any]:
        """Return the identity of the race, and what is new about its racers."""
        racers = []
        for racer, what in zip(self.racers, known, strict=True):
            is_known = what is not None and what["version"] == racer.version
            racers.append(
                self.content.racer(racer, min(what["n"], len(racer.steps)) if is_known and what else 0)
            )
        return {"race": self._race(), "racers": racers, "y": self.content.y(self.racers)}

    def _race(self) -> dict[str, Any]:
        return {
            "run": self._run_number,
            "seed": self.seed,
            "methods": list(self.methods),
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
        waiting = [racer for racer in self.racers if not racer.is_ready]
        if waiting:
            waiting[0].rerun_step()
            return True
        free = [
            racer
            for number, racer in enumerate(self.racers)
            if number not in self._hand.racers and racer.next_index is not None
        ]
        if not free:
            return False
        racer = min(free, key=lambda racer: len(racer.steps))
        self._hand.label_by_expert(racer)
        return True

    def _more_steps(self, message: Mapping[str, Any]) -> Reply:
        if not self._is_of_now(message):
            return self._state([None, None]), []
        end = perf_counter() + AT_A_STRETCH
        while perf_counter() < end and self._advance():
            pass
        return self._state(message["known"]), []

    def _more_races(self, message: Mapping[str, Any]) -> Reply:
        methods, many = check_methods(message["methods"]), self.many
        end = perf_counter() + _MANY_AT_A_STRETCH
        while perf_counter() < end and many.n_done(methods) < many.n_races:
            many.advance(methods)
        return {"many": self.content.many(many, methods)}, []

    def _go_beyond(self, message: Mapping[str, Any]) -> Reply:
        self._check_run(message)
        racer, width, kind = message["racer"], message["width"], message["kind"]
        if self._long_run is None or self._long_run.asked != (racer, width, kind):
            method = self.methods[racer]
            self._long_run = LongRun(self.contest, method, self.seed, self._hand, racer, width, kind)
        end = perf_counter() + AT_A_STRETCH
        while perf_counter() < end and not self._long_run.is_complete:
            self._long_run.advance()
        return {"beyond": {"run": self._run_number, **self._long_run.content()}}, []

    def _instances(self, message: Mapping[str, Any]) -> Reply:
        n = self.contest.pool.n_instances
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
        label = None if value is None else self.panel.decode(value)
        self._hand.label_by_hand(message["racer"], message["n"], label)
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
        self._send({"race": self._race()})
        return {"race": self._race()}, []
