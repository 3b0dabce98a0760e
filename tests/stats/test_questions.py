"""What is asked of one model, two, more, or of labels alone."""

import numpy as np
import pytest

from activeeval_widgets.stats import ClassPredictions, ErrorRate, FMeasure, LabelShare, UnpredictedClasses
from activeeval_widgets.stats.questions.best_of import BestOf
from activeeval_widgets.stats.questions.difference import Difference
from activeeval_widgets.stats.questions.make import comparison_of, question_of, target_of
from activeeval_widgets.stats.questions.one import LabelsAlone, One
from activeeval_widgets.stats.questions.question import Comparison
from activeeval_widgets.stats.questions.target import Target

MODELS = [
    ClassPredictions([[p, 1 - p] for p in sure], name=name)
    for name, sure in (("A", (0.9, 0.8, 0.3)), ("B", (0.9, 0.4, 0.3)), ("C", (0.2, 0.4, 0.6)))
]
ONE, TWO, THREE = (question_of(ErrorRate(), MODELS[:n]) for n in (1, 2, 3))
ALONE = question_of(LabelShare(1), [UnpredictedClasses([0, 1], 3)])


def test_a_question_is_of_the_kind_that_the_models_make_it() -> None:
    assert [type(each) for each in (ALONE, ONE, TWO, THREE)] == [LabelsAlone, One, Difference, BestOf]
    assert [each.in_words for each in (ALONE, ONE, TWO, THREE)] == [
        "no model",
        "one model",
        "two models",
        "3 models",
    ]
    assert [each.has_model for each in (ALONE, ONE, TWO, THREE)] == [False, True, True, True]
    assert THREE.names == ("A", "B", "C")


def test_pairs_and_what_is_estimated_of_them() -> None:
    assert [each.pairs for each in (ONE, TWO, THREE)] == [(), ((0, 1),), ((0, 1), (0, 2), (1, 2))]
    assert [each.positions for each in (ONE, TWO, THREE)] == [((0,),), ((0, 1),), THREE.pairs]
    assert ONE.targets == (ONE,)
    assert TWO.targets == (TWO,)
    assert [target.quantity.sides for target in THREE.targets] == [("A", "B"), ("A", "C"), ("B", "C")]


def test_how_the_answer_is_written() -> None:
    value, difference = ONE.quantity, TWO.quantity
    assert (value.name, difference.name) == ("error rate", "difference in error rate")
    assert (value.range, difference.range) == ((0.0, 1.0), (-1.0, 1.0))
    assert (value.unit(), difference.unit()) == ("%", "\N{NO-BREAK SPACE}points")
    assert (value.heading, difference.heading) == ("Estimate", "Difference")
    assert (value.sides, difference.sides) == ((), ("A", "B"))
    assert (value.null_value, difference.null_value) == (None, 0.0)
    assert THREE.quantity.null_value is None, "the answer is the best one's value"


def test_what_a_threshold_asks() -> None:
    asked = [[each.asked_by(t) for t in (None, 0, 0.1)] for each in (ONE, TWO, THREE)]
    assert asked == [
        [None, "threshold", "threshold"],
        [None, "verdict", "threshold"],
        [None, "leader", "threshold"],
    ]
    assert [each.best for each in (ONE, TWO, THREE)] == ["", "better", "best"]
    assert [each.is_of_leader for each in (ONE, TWO, THREE)] == [False, False, True]
    assert [each.draws_apart for each in (ONE, TWO, THREE)] == [False, True, False]


def test_levels_for_all_at_once() -> None:
    assert THREE.level_of_each(0.94) == pytest.approx(0.98)
    assert THREE.level_of_rivals(0.94) == pytest.approx(0.97)
    four = question_of(ErrorRate(), [*MODELS, MODELS[0]])
    assert four.level_of_pairs(0.94) == pytest.approx(0.99)


def test_a_difference_is_the_first_minus_the_second() -> None:
    assert isinstance(TWO, Target)
    everything, y_true = np.arange(3), [0, 1, 0]
    z = TWO.statistics(y_true, everything)
    assert z.tolist() == [[0, 0], [1, 0], [1, 1]]
    assert TWO.loss(z).tolist() == [0, 1, 0]
    assert TWO.value_of(everything, y_true) == pytest.approx(1 / 3)
    assert TWO.g(np.array([0.5, 0.2])) == pytest.approx(0.3)
    assert TWO.gradient(np.array([0.5, 0.2])).tolist() == [1, -1]
    assert TWO.g(np.array([0.5, 0.5 + 1e-16])) == 0, "a rounding error makes no model better"
    assert TWO.range == (-1, 1)
    assert TWO.null_value == 0
    assert TWO.signs == (1, -1)
    assert TWO.can_differ().tolist() == TWO.differs_at().tolist() == [False, True, False]
    assert TWO.rest_share(np.array([0.0, 1.0, 0.0])) == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match=r"q\[1\] is 0, but the models differ there"):
        TWO.rest_share(np.array([0.5, 0.0, 0.5]))


def test_one_model_is_tested_against_nothing() -> None:
    assert isinstance(ONE, Target)
    assert ONE.null_value is None
    assert ONE.can_differ() is None
    assert ONE.differs_at() is None
    assert ONE.rest_share(np.array([0.5, 0.0, 0.5])) == 0
    assert ONE.loss(np.array([0.7])) == 0.7
    assert ONE.influence_without_variances().tolist() == [1, 1, 1]


def test_what_has_an_equation_and_what_may_be_skipped() -> None:
    ratio_of_one, ratio_of_two = (target_of(FMeasure(), MODELS[:n]) for n in (1, 2))
    assert (ONE.has_equation, TWO.has_equation) == (True, True)
    assert (ratio_of_one.has_equation, ratio_of_two.has_equation) == (True, False)
    assert [each.skips_agreement for each in (ONE, TWO, ratio_of_one, ratio_of_two)] == [
        False,
        True,
        False,
        False,
    ]
    assert ratio_of_two.rest_share(np.array([0.0, 1.0, 0.0])) == 0
    other = ONE.with_models(MODELS[1:2])
    assert (type(other), other.names) == (One, ("B",))


def test_informative_pairs_are_shown_alike() -> None:
    sizes = {("A", "B"): [0.0, 2.0, 0.0], ("A", "C"): [4.0, 0.0, 4.0], ("B", "C"): [0.0, 0.0, 0.0]}
    left = np.array([1.0, 1.0, 0.5])

    def result(target: Target) -> np.ndarray:
        return np.array(sizes[target.quantity.sides])

    assert THREE.informed(result, left) == pytest.approx([4 / 6, 1, 4 / 6])
    assert THREE.informed(result, left, [(0, 1)]).tolist() == [0, 1, 0]
    assert TWO.informed(result, left).tolist() == [0, 2, 0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: ONE.expect(Difference, "a verdict"),
            "a verdict is about two models, and predictions hold one",
        ),
        (
            lambda: THREE.expect(Difference, "it", remedy="ask of()"),
            r"two models, and .* 3 models: ask of\(\)",
        ),
        (
            lambda: ALONE.expect(Comparison, "a board"),
            "about two models or more, and predictions hold no model",
        ),
        (
            lambda: target_of(ErrorRate(), MODELS),
            "one model or two, and predictions hold 3 models: see compare",
        ),
        (lambda: comparison_of(ErrorRate(), MODELS[:1], "a table"), "a table is about two models or more"),
    ],
)
def test_the_wrong_number_of_models_is_refused_in_one_form(call, message) -> None:
    with pytest.raises(ValueError, match=message):
        call()
    TWO.expect(Difference, "a verdict")
    TWO.expect(Comparison, "a board")
    assert comparison_of(ErrorRate(), MODELS, "a table").in_words == "3 models"
