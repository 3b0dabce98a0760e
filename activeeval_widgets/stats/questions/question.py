"""The family of questions: a measure of some models, and what is asked about it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from activeeval_widgets.stats._typing import BoolArray, FloatArray
from activeeval_widgets.stats.intervals import at_once
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.names import model_names
from activeeval_widgets.stats.quantities import Quantity

if TYPE_CHECKING:
    from activeeval_widgets.stats.questions.target import Target

Asked = Literal["threshold", "verdict", "leader"]


class Question(ABC):
    """What is asked about some models, in a measure; `question_of` makes it.

    Parameters
    ----------
    measure : Measure
        What the models are measured by.
    models : sequence of Predictions
        The models.

    Attributes
    ----------
    about : str
        How many models such questions are about, in words.
    pairs : tuple of (int, int)
        The positions of models that are compared.
    has_model : bool
        Whether it is about models, and not about labels alone.
    best : str
        What one of the models may be: "better", "best"; "" where none is compared.
    is_of_leader : bool
        Whether the answer is the value of the best model so far.
    draws_apart : bool
        Whether draws that adapt are made where the models can differ.
    zero_asks : {"threshold", "verdict", "leader"}
        What is asked by a goal whose threshold is 0: on which side of it the value is, which of two models is
        better, or which is the best.
    """

    about: ClassVar[str]
    pairs: tuple[tuple[int, int], ...] = ()
    has_model: ClassVar[bool] = True
    best: ClassVar[str] = ""
    is_of_leader: ClassVar[bool] = False
    draws_apart: ClassVar[bool] = False
    zero_asks: ClassVar[Asked] = "threshold"

    def __init__(self, measure: Measure, models: Sequence[Predictions]) -> None:
        measure.check_models(models)
        self.measure = measure
        self.models = tuple(models)

    @property
    def quantity(self) -> Quantity:
        """How the answer is called and written."""
        return Quantity(self.measure)

    @property
    def names(self) -> tuple[str, ...]:
        """The models' names; letters where they have none, or the same."""
        return model_names(self.models)

    @property
    def in_words(self) -> str:
        """How many models it is about."""
        return self.about

    @property
    @abstractmethod
    def targets(self) -> "tuple[Target, ...]":
        """What can be estimated: the question itself, or the difference of each pair."""

    @property
    def positions(self) -> tuple[tuple[int, ...], ...]:
        """The positions of the models of each target."""
        return self.pairs

    @abstractmethod
    def informed(
        self,
        sizes: "Callable[[Target], FloatArray]",
        left: FloatArray,
        pairs: Sequence[tuple[int, int]] | None = None,
    ) -> FloatArray:
        """What tells most: by the sizes for one target, or those for some pairs (all unless given) alike."""

    def asked_by(self, threshold: float | None) -> Asked | None:
        """What a goal with this threshold asks; None where it has none."""
        if threshold is None:
            return None
        return self.zero_asks if threshold == 0 else "threshold"

    def can_differ(self) -> BoolArray | None:
        """Where a label can tell two models apart; None where two are not compared."""
        return None

    def expect(self, kind: Any, what: str, *, remedy: str = "") -> None:
        """Refuse a question that is not of this kind: a class of the family.

        Raises
        ------
        ValueError
            If it is of another kind.
        """
        if not isinstance(self, kind):
            hint = f": {remedy}" if remedy else ""
            raise ValueError(f"{what} is about {kind.about}, and predictions hold {self.in_words}{hint}")

    def level_of_each(self, confidence_level: float) -> float:
        """The level of each model's interval, for all models' to hold at once."""
        return at_once(confidence_level, len(self.models))

    def level_of_rivals(self, confidence_level: float) -> float:
        """The level of the difference of one model and each other one, for all of these to hold at once."""
        return at_once(confidence_level, len(self.models) - 1)

    def level_of_pairs(self, confidence_level: float) -> float:
        """The level of each pair's interval, for those of all pairs to hold at once."""
        return at_once(confidence_level, len(self.pairs))


class Comparison(Question):
    """Two models or more, which are compared."""

    about = "two models or more"
