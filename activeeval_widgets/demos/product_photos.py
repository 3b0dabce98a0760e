"""Photos of products in ten classes."""

from typing import NamedTuple

import numpy as np

from activeeval_widgets.demos.demo import Demo, read_arrays
from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import ClassPredictions, ErrorRate
from activeeval_widgets.stats._typing import AnyArray, IntArray

N_TRAIN = 500

GUIDELINES = """\
Which kind of product is in the photo?

- **T-shirt/top** has short sleeves or none, **Pullover** long ones and no opening in front
- **Shirt** has buttons or a collar; **Coat** opens in front and is meant for outdoors
- **Sandal** is open, **Sneaker** closed and flat, **Ankle boot** covers the ankle

The photos are small. Where two kinds fit, choose the likelier one.

**The data.** 2,000 photos of 28×28 pixels from Fashion-MNIST (Xiao, Rasul and Vollgraf, 2017; MIT
license). A logistic regression learned from 500 of them, and you label the others."""


class Photos(NamedTuple):
    """All photos, and the indices of those in the training set and in the pool."""

    images: AnyArray
    y_true: AnyArray
    names: AnyArray
    train: IntArray
    pool: IntArray


def load_photos() -> Photos:
    """Read the photos."""
    arrays = read_arrays("photos/fashion_2k.npz")
    order = np.random.default_rng(0).permutation(len(arrays["y"]))
    return Photos(
        arrays["X"], arrays["y"], arrays["names"], train=order[:N_TRAIN], pool=np.sort(order[N_TRAIN:])
    )


def images() -> Demo:
    """Estimate the error rate of a model trained on 500 product photos; the other 1,500 are the pool."""
    photos = load_photos()
    return Demo(
        title="Product photos",
        intro=f"A model sorted {len(photos.pool):,} product photos. Your labels tell how often it is wrong.",
        question="What is in this photo?",
        guidelines=GUIDELINES,
        pool=Pool(
            photos.images[photos.pool],
            predictions=ClassPredictions(
                read_arrays("predictions/images.npz")["proba"],
                classes=photos.names,
                name="logistic regression",
            ),
            ids=[f"photo-{i}" for i in photos.pool],
        ),
        measure=ErrorRate(),
        y_true=photos.names[photos.y_true[photos.pool]],
        goal=Goal(half_width=0.08),
    )
