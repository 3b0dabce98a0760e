"""Sentences of product reviews, with their sentiment as a class and as a number.

Both models were trained on reviews of one product, a music player, and are evaluated on those of four others:
data in use seldom look like the training data.
"""

import gzip
import json
from dataclasses import dataclass

import numpy as np
import pandas as pd

from activeeval_widgets.demos.demo import DATA, Demo, read_arrays
from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.session.pool.instances import Text
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import ClassPredictions, FMeasure, SquaredError, ValuePredictions
from activeeval_widgets.stats._typing import AnyArray

TRAINED_ON = "Creative Nomad Zen Xtra music player"
LEAST, GREATEST = -4.0, 4.0
CLASSES = ("negative", "neutral", "positive")

SOURCE = """\
**The data.** {n_pool:,} sentences of reviews of two cameras, a phone and a DVD player, each rated from −4
to 4 by 20 people (Hutto and Gilbert, *VADER*, ICWSM 2014; MIT license). The model learned from
{n_train:,} such sentences about a music player."""

LABEL_GUIDELINES = """\
What does the sentence, on its own, say about the product?

- **negative**: it finds fault, or reports a problem
- **neutral**: it states a fact, or says nothing about the product
- **positive**: it praises, recommends, or says what works well

Praise and blame in one sentence: choose what weighs more, or neutral if neither does. A remark that only
makes sense with its neighbors is neutral.

"""

REGRESSION_GUIDELINES = """\
How good or bad is what the sentence, on its own, says? Any number from −4 to 4 will do, such as 1.5.

- **−4**: as bad as it gets
- **−2**: clearly negative
- **0**: neutral, or says nothing about the product
- **2**: clearly positive
- **4**: as good as it gets

You measure how far the model is from *your* ratings. The people before you did not agree either: their
ratings of one sentence deviate from their mean by 0.7 points, and it is the mean that the model learned
to predict.

"""


@dataclass(frozen=True)
class Reviews:
    """All rated sentences.

    Attributes
    ----------
    ids, products, texts : list of str
    ratings : ndarray of shape (n_sentences,)
        The mean of 20 people's ratings, from −4 to 4.
    opinions : ndarray of int of shape (n_sentences, 20)
        The single ratings. A column is not one rater: it is unknown who gave which rating.
    """

    ids: list[str]
    products: list[str]
    texts: list[str]
    ratings: AnyArray
    opinions: AnyArray

    @property
    def is_training(self) -> AnyArray:
        """Whether the models were trained on each sentence."""
        return np.array([product == TRAINED_ON for product in self.products])

    @property
    def pool(self) -> AnyArray:
        """Indices of the pool: sentences on other products that do not occur among the training sentences."""
        seen = {text for text, known in zip(self.texts, self.is_training, strict=True) if known}
        return np.array([i for i, text in enumerate(self.texts) if text not in seen])

    @property
    def classes(self) -> AnyArray:
        """The ratings as one of three classes, cut at ±0.5."""
        codes = 1 + (self.ratings > 0.5).astype(int) - (self.ratings < -0.5).astype(int)
        classes: AnyArray = np.array(CLASSES)[codes]
        return classes


def load_reviews() -> Reviews:
    """Read the sentences."""
    with (DATA / "reviews/reviews.jsonl.gz").open("rb") as file:
        rows = [json.loads(line) for line in gzip.decompress(file.read()).splitlines()]
    return Reviews(
        ids=[row["id"] for row in rows],
        products=[row["product"] for row in rows],
        texts=[row["text"] for row in rows],
        ratings=np.array([row["mean"] for row in rows]),
        opinions=np.array([row["ratings"] for row in rows]),
    )


def text() -> Demo:
    """Estimate the F-measure of negative review sentences, with classes negative, neutral and positive.

    The classifier is a logistic regression on TF-IDF weights of words and word pairs.
    """
    reviews = load_reviews()
    pool = reviews.pool
    predictions = ClassPredictions(
        read_arrays("predictions/text.npz")["proba"], classes=CLASSES, name="logistic regression"
    )
    return Demo(
        title="Product reviews",
        intro=f"A model sorted {len(pool):,} review sentences. Your labels tell how well it finds the "
        "negative ones.",
        question="What does this sentence say about the product?",
        guidelines=LABEL_GUIDELINES + _source(reviews),
        pool=Pool(
            [Text(reviews.texts[i], title=reviews.products[i]) for i in pool],
            predictions=predictions,
            ids=[f"review-{reviews.ids[i]}" for i in pool],
        ),
        measure=FMeasure(positive="negative"),
        y_true=reviews.classes[pool],
        goal=Goal(threshold=0.8),
    )


def regression() -> Demo:
    """Estimate the mean squared error of a ridge regression that rates review sentences from −4 to 4.

    The instances are records with the columns sentence and product. The regression is on TF-IDF weights; the
    variances come from a gamma regression of its squared residuals in cross-validation.
    """
    reviews = load_reviews()
    pool = reviews.pool
    arrays = read_arrays("predictions/regression.npz")
    records = pd.DataFrame(
        {
            "Product": [reviews.products[i] for i in pool],
            "Sentence": [reviews.texts[i] for i in pool],
        }
    )
    return Demo(
        title="Ratings of product reviews",
        intro=f"A model rated {len(pool):,} review sentences from −4 to 4. Your ratings tell how far "
        "off it is.",
        question="How good or bad is what this sentence says?",
        guidelines=REGRESSION_GUIDELINES + _source(reviews),
        pool=Pool(
            records,
            predictions=ValuePredictions(arrays["mean"], arrays["variance"], name="ridge regression"),
            ids=[f"review-{reviews.ids[i]}" for i in pool],
        ),
        measure=SquaredError(),
        y_true=reviews.ratings[pool],
        goal=Goal(threshold=1.0),
        budget=100,
        y_range=(LEAST, GREATEST),
        unit=("point", "points"),
    )


def _source(reviews: Reviews) -> str:
    return SOURCE.format(n_pool=len(reviews.pool), n_train=int(reviews.is_training.sum()))
