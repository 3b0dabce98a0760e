"""The family of questions: what is asked about some models, in a measure."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from activeeval_widgets.stats._typing import BoolArray, FloatArray
from activeeval_widgets.stats.intervals import at_once
from activeeval_widgets.stats.measures.base import Measure, missing_model
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.names import model_names
from activeeval_widgets.stats.quantities import Quantity

if TYPE_CHECKING:
    from activeeval_widgets.stats.questions.target import Target

Asked = Literal["threshold", "verdict", "leader"]


def check_models(measure: Measure, models: Sequence[Predictions]) -> None:
    """Raise an error if a model is missing, or if two are compared in a measure of labels only."""
    if measure.needs_model:
        if not all(model.is_model for model in models):
            raise missing_model(measure)
    elif len(models) > 1:
        raise TypeError(
            f"{measure!r} is of the labels themselves, which are the same for {len(models)} models: "
            "there is nothing to compare. Give one model's predictions, or none"
        )


class Question(ABC):
    """What is asked about some models, in a measure; made by `question_of`."""

    about: ClassVar[str]
    """The number of models that such questions are about, in words."""
    pairs: tuple[tuple[int, int], ...] = ()
    """The positions of the models to compare."""
    has_model: ClassVar[bool] = True
    """Whether the question is about models rather than labels only."""
    best: ClassVar[str] = ""
    """What one of the models may be: "better" or "best"; "" if none are compared."""
    is_of_leader: ClassVar[bool] = False
    """Whether the answer is the value of the current best model."""
    draws_apart: ClassVar[bool] = False
    """Whether adaptive draws are made where the models can differ."""
    zero_asks: ClassVar[Asked] = "threshold"
    """What a goal with the threshold 0 asks: on which side the value lies, which of two models is better, or
    which model is the best."""

    def __init__(self, measure: Measure, models: Sequence[Predictions]) -> None:
        check_models(measure, models)
        self.measure = measure
        self.models = tuple(models)

    @cached_property
    def quantity(self) -> Quantity:
        """The name and format of the answer."""
        return Quantity(self.measure)

    @property
    def names(self) -> tuple[str, ...]:
        """The models' names; letters where names are missing or equal."""
        return model_names(self.models)

    @property
    def in_words(self) -> str:
        """The number of models, in words."""
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
        """Return the informativeness: the target's sizes, or a mixture over some pairs (by default all)."""

    def asked_by(self, threshold: float | None) -> Asked | None:
        """Return what a goal with this threshold asks; None without a threshold."""
        if threshold is None:
            return None
        return self.zero_asks if threshold == 0 else "threshold"

    def can_differ(self) -> BoolArray | None:
        """Return where a label can distinguish two models; None unless two are compared."""
        return None

    def expect(self, kind: Any, what: str, *, remedy: str = "") -> None:
        """Refuse a question that is not of this class of the family."""
        if not isinstance(self, kind):
            hint = f": {remedy}" if remedy else ""
            raise ValueError(f"{what} is about {kind.about}, and predictions hold {self.in_words}{hint}")

    def level_of_each(self, confidence_level: float) -> float:
        """Return the level of each model's interval, for all models' intervals to hold jointly."""
        return at_once(confidence_level, len(self.models))

    def level_of_rivals(self, confidence_level: float) -> float:
        """Return the level of one model's differences to each other one, for all to hold jointly."""
        return at_once(confidence_level, len(self.models) - 1)

    def level_of_pairs(self, confidence_level: float) -> float:
        """Return the level of each pair's interval, for all pairs' intervals to hold jointly."""
        return at_once(confidence_level, len(self.pairs))


class Comparison(Question):
    """A comparison of two or more models."""

    about = "two models or more"
