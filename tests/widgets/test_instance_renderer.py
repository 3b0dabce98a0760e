import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from activeeval_widgets.session import Pool
from activeeval_widgets.stats import ClassPredictions
from activeeval_widgets.stats._typing import AnyArray
from activeeval_widgets.widgets.instances.instance_renderer import InstanceRenderer

RNG = np.random.default_rng(0)


def view(images: Any, **options: Any) -> InstanceRenderer:
    rows = np.full((len(images), 2), 0.5)
    return InstanceRenderer(Pool(images, predictions=ClassPredictions(rows), **options))


def pixels(shown: InstanceRenderer, index: int) -> tuple[AnyArray, str]:
    image = Image.open(io.BytesIO(shown.render(index).content))
    assert image.format == "PNG"
    return np.asarray(image), image.mode


@pytest.mark.parametrize(
    ("images", "expected"),
    [
        (np.array([[[0, 7, 16, 255]], [[1, 2, 3, 4]]], dtype=np.uint8), [[0, 7, 16, 255]]),
        (np.array([[[0, 1, 2, 3]], [[1, 1, 1, 1]]], dtype=np.uint8), [[0, 1, 2, 3]]),
        (np.array([[[False, True]], [[True, True]]]), [[0, 255]]),
        (np.array([[[0.0, 0.5, 1.0]], [[0.1, 0.2, 0.3]]]), [[0, 128, 255]]),
        (np.array([[[0.25, 0.5]], [[0.25, 0.3]]], dtype=np.float32), [[64, 128]]),
        (np.array([[[0.0, 4.0, 16.0]], [[8.0, 8.0, 8.0]]]), [[0, 64, 255]]),
        (np.array([[[0, 8, 4]], [[16, 0, 1]]]), [[0, 128, 64]]),
        (np.array([[[-1.0, 0.0, 3.0]], [[0.0, 0.0, 0.0]]]), [[0, 64, 255]]),
        (np.array([[[0, 1]], [[1, 1]]]), [[0, 255]]),
        (np.array([[[100, 65535]], [[0, 300]]], dtype=np.uint16), [[0, 255]]),
    ],
    ids=["uint8", "dark uint8", "bool", "unit floats", "float32", "floats 0..16", "ints 0..16",
         "negative floats", "ints 0 and 1", "uint16"],
)  # fmt: skip
def test_gray_images(images: Any, expected: list[list[int]]) -> None:
    shown, mode = pixels(view(images), 0)
    assert mode == "L"
    assert shown.tolist() == expected


@pytest.mark.parametrize(("n_channels", "mode"), [(3, "RGB"), (4, "RGBA")])
def test_images_with_channels(n_channels: int, mode: str) -> None:
    images = RNG.integers(0, 256, size=(3, 5, 7, n_channels), dtype=np.uint8)
    whole = view(images)
    shares = view(images / 255)
    for index in range(3):
        for shown in (whole, shares):
            decoded, found = pixels(shown, index)
            assert found == mode
            assert np.array_equal(decoded, images[index])


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0, 7.0, -3.0, 1e17, 0, 200])
def test_constant_images(value: float) -> None:
    shown, _ = pixels(view(np.full((2, 3, 4), value)), 1)
    assert shown.shape == (3, 4)
    assert len(np.unique(shown)) == 1


def test_one_scale_for_the_whole_pool() -> None:
    images = np.zeros((2, 2, 2))
    images[0], images[1] = 4, 16
    images[0, 0, 0] = 0
    assert pixels(view(images), 0)[0].max() == 64
    assert pixels(view(images), 1)[0].max() == 255


@pytest.mark.parametrize(
    ("shape", "is_sharp"),
    [((8, 8), True), ((1, 1), True), ((64, 64), True), ((65, 8), False), ((8, 300), False)],
)
def test_small_images_are_enlarged_with_sharp_edges(shape: tuple[int, int], is_sharp: bool) -> None:
    assert view(np.zeros((1, *shape))).render(0).pixelated == is_sharp


def test_type_and_description() -> None:
    rendered = view(np.zeros((2, 3, 3)), ids=["digit-3", "<b>"]).render(1)
    assert (rendered.mime, rendered.description) == ("image/png", "Instance <b>")


@pytest.mark.parametrize("dtype", ["f2", ">i2", ">f8", "g", "u4", "i1"])
def test_images_of_any_number_type(dtype: str) -> None:
    images = np.array([[[0, 16, 8]]]).astype(dtype)
    assert pixels(view(images), 0)[0].tolist() == [[0, 255, 128]]


def test_a_digit_comes_back() -> None:
    digits = RNG.integers(0, 17, size=(20, 8, 8)).astype(np.float64)
    digits[0, 0, :2] = 0, 16
    shown = view(digits)
    for index in range(20):
        assert np.array_equal(pixels(shown, index)[0], np.round(255 * digits[index] / 16))
