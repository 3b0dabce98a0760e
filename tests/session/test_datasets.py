import numpy as np
import pytest

from activeeval_widgets.demos import DEMOS, Demo, digits
from activeeval_widgets.session import Session
from activeeval_widgets.stats import ErrorRate, pool_value


@pytest.fixture(scope="module")
def demo() -> Demo:
    return digits()


def test_the_pool_is_all_but_the_training_instances(demo: Demo) -> None:
    from sklearn.datasets import load_digits

    images, y_true = load_digits(return_X_y=True)
    assert demo.pool.n_instances == 1697
    assert len(set(demo.pool.ids)) == 1697
    rows = np.array([int(i.removeprefix("digit-")) for i in demo.pool.ids])
    assert np.array_equal(demo.pool.instances, images[rows].reshape(-1, 8, 8))
    assert np.array_equal(demo.y_true, y_true[rows])
    training = np.setdiff1d(np.arange(len(images)), rows)
    assert training.size == 100
    in_pool = {image.tobytes() for image in demo.pool.instances}
    assert not [i for i in training if images[i].tobytes() in in_pool]


def test_the_model_errs_often_enough_to_be_worth_labeling(demo: Demo) -> None:
    assert isinstance(demo.measure, ErrorRate)
    assert 0.05 < pool_value(demo.measure, demo.pool.predictions, demo.y_true) < 0.15


def test_the_model_is_reasonably_calibrated(demo: Demo) -> None:
    predictions = demo.pool.predictions
    is_right = predictions.pred_codes == predictions.encode(demo.y_true)
    confidence = predictions.confidence
    assert abs(confidence.mean() - is_right.mean()) < 0.05
    order = np.argsort(confidence)
    fifths = np.array_split(order, 5)
    gaps = [confidence[fifth].mean() - is_right[fifth].mean() for fifth in fifths]
    assert max(map(abs, gaps)) < 0.1
    assert is_right[fifths[0]].mean() < is_right[fifths[-1]].mean()


def test_classes_and_texts(demo: Demo) -> None:
    assert demo.pool.predictions.classes.tolist() == list(range(10))
    assert demo.pool.kind == "image"
    assert (demo.title, demo.question) == ("Handwritten digits", "Which digit is this?")
    assert DEMOS["digits"] is digits


@pytest.mark.slow
def test_the_same_demo_each_time(demo: Demo) -> None:
    again = digits()
    assert again.pool.fingerprints == demo.pool.fingerprints
    assert (
        Session(again.pool, again.measure).storage.identity
        == Session(demo.pool, demo.measure).storage.identity
    )
