"""Labels that are given by hand in place of the expert's."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from activeeval_widgets.widgets.race.contest import Contest
from activeeval_widgets.widgets.race.racer import Racer


class _Given(NamedTuple):
    """A racer's n-th label while it was labeled by hand; None stands for the expert's label."""

    racer: int
    n: int
    instance: int
    label: Any


class HandLabels:
    """Decides an instance's label: the expert's or, from some label on, one given by hand.

    A label given by hand holds for every racer that meets the instance from then on.

    Attributes
    ----------
    racers : list of int
        The numbers of the racers that are currently labeled by hand.
    """

    def __init__(self, contest: Contest, racers: Sequence[Racer]) -> None:
        self._contest, self._all = contest, racers
        self.racers: list[int] = []
        self._log: list[_Given] = []

    @property
    def n_given(self) -> int:
        """The number of labels given by hand."""
        return sum(given.label is not None for given in self._log)

    def label_of(self, index: int, n: int) -> tuple[Any, bool]:
        """Return an instance's label as a racer's n-th, and whether it was given by hand."""
        for given in reversed(self._log):
            if given.instance == index and given.label is not None and given.n <= n:
                return given.label, True
        return self._contest.y_true[index], False

    def label_by_expert(self, racer: Racer) -> None:
        """Give a racer its next label."""
        index = racer.next_index
        assert index is not None  # noqa: S101 - the caller has checked
        label, is_by_hand = self.label_of(index, len(racer.steps) + 1)
        racer.step(label, is_by_hand=is_by_hand)

    def begin(self, racers: Sequence[int], n: int) -> None:
        """Label these racers by hand after their first n labels; an empty list returns to the expert."""
        numbers = sorted(set(racers))
        if any(number not in range(len(self._all)) for number in numbers) or n < 0:
            raise ValueError(f"racers must be among 0 and 1, and n >= 0, got {list(racers)!r} and {n!r}")
        self.racers = numbers
        if not numbers:
            return
        for number in numbers:
            self._all[number].rewind(n)
        self._forget([given for given in self._log if given.n > n])

    def label_by_hand(self, racer: int, n: int, label: Any) -> None:
        """Give a racer's n-th label; None stands for the expert's label."""
        own = self._all[racer] if racer in self.racers else None
        if own is None or n != len(own.steps) + 1 or own.next_index is None:
            raise ValueError("This label is no longer asked for: look at the instance that is shown now.")
        while not own.is_ready:
            own.rerun_step()
        index = own.next_index
        given = self.label_of(index, n)[0] if label is None else label
        step = own.step(given, is_by_hand=label is not None)
        self._log.append(_Given(racer, n, index, None if label is None else step.label))
        if label is not None:
            self._run_again(index, n)

    def undo(self) -> None:
        """Undo the last label."""
        if not self._log or not self.racers:
            raise ValueError("There is no label by hand to take back.")
        last = self._log[-1]
        self._forget([last])
        self._all[last.racer].rewind(last.n - 1)

    def _forget(self, dropped: Sequence[_Given]) -> None:
        self._log = [given for given in self._log if given not in dropped]
        for given in dropped:
            self._run_again(given.instance, given.n)

    def _run_again(self, index: int, n: int) -> None:
        """Rewind the expert's racers to before a label of this instance that has changed."""
        for number, racer in enumerate(self._all):
            for at, step in enumerate(racer.steps[n - 1 :], n - 1):
                if number not in self.racers and step.index == index:
                    if self.label_of(index, at + 1)[0] != step.label:
                        racer.rewind(at)
                    break
