"""Two answers side by side in random order, with labels that say which system is better."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, Self

from activeeval_widgets.session import ClassLabels, Pool, Session
from activeeval_widgets.stats.predictions.side_by_side import in_order
from activeeval_widgets.widgets.labels.classes import ClassPanel
from activeeval_widgets.widgets.labels.keys import check_keys, label_keys
from activeeval_widgets.widgets.labels.panel import label_choices


class Sides:
    """The order of two answers for each instance, and the meaning of their labels.

    The order is random but reproducible: it is a hash of the seed and the instance's ID, and so the same for
    everybody whenever the page is loaded.
    """

    def __init__(
        self,
        pool: Pool,
        seed: int,
        systems: tuple[Any, Any],
        labels: ClassLabels,
        words: tuple[str, str],
    ) -> None:
        self._pool, self._seed = pool, seed
        self._systems, self.labels, self.words = systems, labels, words
        self.others = [each for each in labels.classes.tolist() if each not in systems]

    @classmethod
    def of(cls, session: Session) -> Self | None:
        """Return the sides of a session; None unless it asks which of two answers is better.

        Labels must identify their answer as A and B, 1 and 2, first and second, or left and right, in whole
        or by their ending.
        """
        measure, labels = session.measure, session.labels
        asked = measure.sides(session.models) if isinstance(labels, ClassLabels) else None
        systems = asked
        if asked is not None and not measure.is_of_systems:  # otherwise they are in the answers' order
            systems = in_order([*asked])
        if systems is None or not isinstance(labels, ClassLabels):
            return None
        return cls(session.pool, session.seed, systems, labels, measure.side_words)

    def is_swapped(self, index: int) -> bool:
        """Return whether the second answer of a pair is shown first."""
        text = f"{self._seed}:{self._pool.ids[index]}"
        return bool(sha256(text.encode()).digest()[0] & 1)

    def systems(self, index: int) -> tuple[Any, Any]:
        """Return the labels of the answer that is shown first and of the other."""
        first, second = self._systems
        return (second, first) if self.is_swapped(index) else (first, second)

    def view(self, view: Callable[[Any], Any]) -> Callable[[Any, int], Any] | None:
        """Return a view without names, in each instance's order; None if it does not show two answers."""
        turned: Callable[[Any, bool], Any] | None = getattr(view, "turned", None)
        has_sides: Callable[[Any], bool] | None = getattr(view, "has_sides", None)
        if turned is None or (has_sides is not None and not has_sides(self._pool.instances[0])):
            return None
        return lambda instance, index: turned(instance, self.is_swapped(index))


class SidesPanel(ClassPanel):
    """Asks which of two answers is better by position; nothing on the page reveals the systems."""

    def __init__(self, sides: Sides, keys: Mapping[Any, str] | None = None) -> None:
        super().__init__(sides.labels)
        self._sides = sides
        texts = [*sides.words, *map(str, sides.others)]
        self.is_searched = False
        self.choices = label_choices(texts, label_keys(texts, check_keys(keys, texts)))

    def _shown(self, index: int) -> list[Any]:
        """Return the labels in the order of their buttons."""
        return [*self._sides.systems(index), *self._sides.others]

    def given(self, value: Any, index: int) -> Any:
        """Return the system, or the tie, for a button on an instance; see `LabelPanel.given`."""
        return self._shown(index)[self.check_position(value)]

    def value_of(self, label: Any, index: int) -> int:
        """Return the button of a stored label; see `LabelPanel.value_of`."""
        return self._shown(index).index(label)

    def text_of(self, label: Any, index: int) -> str:
        """Return a stored label by the position of the answer; see `LabelPanel.text_of`."""
        return self.choices[self.value_of(label, index)].text
