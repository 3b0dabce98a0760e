"""Train the models of the demos and store their predictions.

    .venv/bin/python tools/make_demo_predictions.py

The predictions are stored in `activeeval_widgets/demos/data/predictions`, rounded, so that a session
started on one machine continues with the same numbers on another, whatever its processor and its
scikit-learn. A test trains the models again and compares.
"""

import io
import re
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import GammaRegressor, LogisticRegression, Ridge
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import FunctionTransformer

from activeeval_widgets.demos.digit_images import load_digit_images
from activeeval_widgets.demos.product_photos import load_photos
from activeeval_widgets.demos.review_models import halves
from activeeval_widgets.demos.review_search import GRADES, N_SHOWN, Query, load_queries
from activeeval_widgets.demos.reviews import CLASSES, Reviews, load_reviews

FOLDER = Path(__file__).parents[1] / "activeeval_widgets" / "demos" / "data" / "predictions"
DIGITS = 6

PRAISE = """amazing awesome beautiful best better clear comfortable easy excellent fantastic fast favorite fun
good great happy impressed like love nice perfect pleased recommend reliable sharp sturdy well wonderful
worth"""
BLAME = """annoying bad broken but cheap complaint difficult disappointed disappointing fail failed fails hard
hate horrible lack lacks never no noise not poor problem problems return returned slow terrible
unfortunately useless waste worst wrong"""
MAX_COUNTED = 3

RATED_0 = 0.5
"""Ratings up to this distance from 0 are neutral."""

Floats = NDArray[np.float64]


def words_and_pairs() -> TfidfVectorizer:
    """Return TF-IDF weights of words and word pairs."""
    return TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2)


def predict_digits() -> dict[str, Floats]:
    """Return class probabilities of the handwritten digits by two models."""
    digits = load_digit_images()
    rows = digits.images.reshape(len(digits.images), -1)
    models = {
        "logistic regression": LogisticRegression(C=0.1, max_iter=1000),
        "nearest neighbors": KNeighborsClassifier(10, weights="distance"),
    }
    return {
        name: model.fit(rows[digits.train], digits.y_true[digits.train]).predict_proba(rows[digits.pool])
        for name, model in models.items()
    }


def predict_text() -> dict[str, Floats]:
    """Return class probabilities of the review sentences."""
    reviews = load_reviews()
    texts = np.array(reviews.texts, dtype=object)
    vectorizer = words_and_pairs()
    known = vectorizer.fit_transform(texts[reviews.is_training])
    model = LogisticRegression(C=3, max_iter=1000).fit(known, reviews.classes[reviews.is_training])
    columns = [model.classes_.tolist().index(name) for name in CLASSES]
    return {"proba": model.predict_proba(vectorizer.transform(texts[reviews.pool]))[:, columns]}


def predict_leaderboard() -> dict[str, Floats]:
    """Return class probabilities of review sentences by five models; one also learned from their products."""
    reviews = load_reviews()
    texts = np.array(reviews.texts, dtype=object)
    train, pool = reviews.is_training, halves(reviews).pool
    models = {
        "naive_bayes": make_pipeline(CountVectorizer(binary=True), MultinomialNB()),
        "word_pairs": make_pipeline(words_and_pairs(), LogisticRegression(C=3, max_iter=1000)),
        "word_list": make_pipeline(FunctionTransformer(count_praise_and_blame), LogisticRegression()),
        "frequent_words": make_pipeline(
            CountVectorizer(max_features=100, binary=True), LogisticRegression(max_iter=1000)
        ),
    }
    found = {"same_products": learn_from_the_same_products(reviews, texts)}
    for name, model in models.items():
        model.fit(texts[train], reviews.classes[train])
        columns = [model.classes_.tolist().index(each) for each in CLASSES]
        found[name] = model.predict_proba(texts[pool])[:, columns]
    return found


def learn_from_the_same_products(reviews: Reviews, texts: NDArray[np.object_]) -> Floats:
    """Return class probabilities by a model of words, letters and the word list, from single ratings."""
    learned, pool = halves(reviews)
    train = np.concatenate([np.flatnonzero(reviews.is_training), learned])
    letters = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True, min_df=2)
    listed = FunctionTransformer(lambda each: count_praise_and_blame(each) / 2)
    features = FeatureUnion([("words", words_and_pairs()), ("letters", letters), ("listed", listed)])
    known = features.fit_transform(texts[train])
    ratings = reviews.opinions[train]
    codes = np.where(ratings > RATED_0, 2, np.where(ratings < -RATED_0, 0, 1))
    classes = np.arange(len(CLASSES))
    shares = (codes[:, :, np.newaxis] == classes).mean(axis=1)
    # Each sentence is repeated once per class, weighted by the share of its ratings in that class.
    model = LogisticRegression(C=3, max_iter=2000).fit(
        sparse.vstack([known] * len(classes)),
        np.repeat(classes, len(train)),
        sample_weight=shares.T.ravel(),
    )
    probabilities: Floats = model.predict_proba(features.transform(texts[pool]))
    return probabilities


def count_praise_and_blame(texts: NDArray[np.object_]) -> Floats:
    """Return how many words of praise and of blame are in each text, up to three; "n't" is blame."""
    counts = []
    for text in texts:
        words = re.findall("[a-z']+", text.lower())
        blame = sum(word in BLAME.split() or word.endswith("n't") for word in words)
        counts.append([sum(word in PRAISE.split() for word in words), blame])
    return np.minimum(np.array(counts, dtype=float), MAX_COUNTED)


def predict_regression() -> dict[str, Floats]:
    """Return ratings of the review sentences, with variances from residuals in cross-validation."""
    reviews = load_reviews()
    texts = np.array(reviews.texts, dtype=object)
    train, ratings = reviews.is_training, reviews.ratings[reviews.is_training]
    vectorizer = words_and_pairs()
    known = vectorizer.fit_transform(texts[train])
    held_out = cross_val_predict(Ridge(alpha=1), known, ratings, cv=10)
    spread = GammaRegressor(alpha=0.01, max_iter=1000)
    spread.fit(_spread_features(held_out, texts[train]), np.square(held_out - ratings) + 0.01)
    mean = Ridge(alpha=1).fit(known, ratings).predict(vectorizer.transform(texts[reviews.pool]))
    return {"mean": mean, "variance": spread.predict(_spread_features(mean, texts[reviews.pool]))}


def _spread_features(mean: Floats, texts: NDArray[np.object_]) -> Floats:
    return np.column_stack([mean, mean**2, np.log([len(text.split()) for text in texts]), np.abs(mean)])


def predict_images() -> dict[str, Floats]:
    """Return class probabilities of the photos."""
    photos = load_photos()
    pixels = photos.images.reshape(len(photos.images), -1) / 255
    model = LogisticRegression(C=0.3, max_iter=2000).fit(pixels[photos.train], photos.y_true[photos.train])
    return {"proba": model.predict_proba(pixels[photos.pool])}


def predict_ranking() -> dict[str, NDArray[np.generic]]:
    """Return the best sentences for each query by each search, as positions among its candidates.

    The probabilities of grades are the learned search's, also for the sentences of the other search.
    """
    reviews, queries = load_reviews(), load_queries()
    predict = {
        product: grade_model(reviews, queries, product) for product in {query.product for query in queries}
    }
    text_of = dict(zip(reviews.ids, reviews.texts, strict=True))
    chances = [predict[query.product](query) for query in queries]
    ranked = [best(proba) for proba in chances]
    by_words = [best_by_words(query, [text_of[item] for item in query.candidates]) for query in queries]
    return {
        "shown": np.array([at for at, _ in ranked]),
        "proba": np.array([proba for _, proba in ranked]),
        "by_words": np.array(by_words),
        "by_words_proba": np.array(
            [np.round(proba, DIGITS)[at] for proba, at in zip(chances, by_words, strict=True)]
        ),
    }


def best_by_words(query: Query, texts: list[str]) -> NDArray[np.intp]:
    """Return the candidates with most words of the query's aspect, for their length, praise or blame."""
    aspect = set(re.findall("[a-z]+", query.aspect)) - {"and", "of"}
    tokens = [re.findall("[a-z]+", text.lower()) for text in texts]
    score = [sum(word in aspect for word in words) / np.sqrt(len(words) + 1) for words in tokens]
    return np.argsort(-np.array(score), kind="stable")[:N_SHOWN]


def grade_model(reviews: Reviews, queries: list[Query], product: str) -> Callable[[Query], Floats]:
    """Return a model of the grades of one product's sentences, trained only on the other products.

    The features come from models as well, so those of training pairs are computed without their own
    product, too.
    """
    others = sorted({query.product for query in queries} - {product})
    features, grades = [], []
    for other in others:
        of_other = [query for query in queries if query.product == other]
        describe = PairFeatures(reviews, queries, [name for name in others if name != other])
        features += [describe(query) for query in of_other]
        grades += [grade for query in of_other for grade in query.grades]
    stacked = np.concatenate(features)
    center, scale = stacked.mean(axis=0), stacked.std(axis=0)
    model = LogisticRegression(C=1, max_iter=2000).fit((stacked - center) / scale, grades)
    describe_pool = PairFeatures(reviews, queries, others)
    return lambda query: model.predict_proba((describe_pool(query) - center) / scale)


def best(proba: Floats) -> tuple[NDArray[np.intp], Floats]:
    """Return the candidates of greatest expected gain, and the probabilities of their grades."""
    rounded = np.round(proba, DIGITS)
    shown = np.argsort(-(rounded @ (2.0 ** np.array(GRADES) - 1)), kind="stable")[:N_SHOWN]
    return shown, rounded[shown]


class PairFeatures:
    """Features of a query and each of its candidates, by models of some products' sentences.

    They are: whether the sentence has a word of the aspect, how similar it is to sentences about the aspect,
    its predicted rating with the sign that the query asks for, products of these, and its length.
    """

    def __init__(self, reviews: Reviews, queries: list[Query], products: list[str]) -> None:
        self._text = dict(zip(reviews.ids, reviews.texts, strict=True))
        known = [i for i, product in enumerate(reviews.products) if product in products]
        self._rating_words = words_and_pairs()
        weights = self._rating_words.fit_transform([reviews.texts[i] for i in known])
        self._rating = Ridge(alpha=1).fit(weights, reviews.ratings[known])

        queries = [query for query in queries if query.product in products]
        ids = sorted({item for query in queries for item in query.candidates})
        self._aspect_words = TfidfVectorizer(sublinear_tf=True, min_df=2, stop_words="english")
        words = self._aspect_words.fit_transform([self._text[item] for item in ids])
        self._aspects: dict[str, LogisticRegression] = {}
        for aspect in sorted({query.aspect for query in queries}):
            about = {
                item
                for query in queries
                if query.aspect == aspect
                for item, grade in zip(query.candidates, query.grades, strict=True)
                if grade > 0
            }
            is_about = [item in about for item in ids]
            self._aspects[aspect] = LogisticRegression(C=5, solver="liblinear").fit(words, is_about)

    def __call__(self, query: Query) -> Floats:
        """Return the features of all candidates, shape (n_candidates, 7)."""
        texts = [self._text[item] for item in query.candidates]
        sign = 1 if query.polarity == "praise" else -1
        rating = sign * self._rating.predict(self._rating_words.transform(texts))
        about = self._about(query.aspect, self._aspect_words.transform(texts))
        named = set(re.findall("[a-z]+", query.aspect)) - {"and", "of"}
        tokens = [re.findall("[a-z]+", text) for text in texts]
        has_word = np.array([not named.isdisjoint(words) for words in tokens], dtype=float)
        length = np.log([len(words) + 1 for words in tokens])
        return np.column_stack(
            [has_word, about, rating, has_word * rating, about * rating, rating**2, length]
        )

    def _about(self, aspect: str, words: sparse.csr_matrix) -> Floats:
        if aspect not in self._aspects:  # no query about these products has this aspect
            return np.full(words.shape[0], -3.0)
        about: Floats = self._aspects[aspect].decision_function(words)
        return about


PREDICTIONS = {
    "digits": predict_digits,
    "text": predict_text,
    "leaderboard": predict_leaderboard,
    "regression": predict_regression,
    "images": predict_images,
    "ranking": predict_ranking,
}


def save(path: Path, arrays: dict[str, NDArray[np.generic]]) -> None:
    """Write an `.npz` file whose bytes depend on the arrays alone."""
    with ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.save(content, np.round(array, DIGITS))
            archive.writestr(ZipInfo(f"{name}.npy"), content.getvalue(), compress_type=8, compresslevel=9)


def main() -> None:
    """Write all predictions."""
    FOLDER.mkdir(exist_ok=True)
    for name, predict in PREDICTIONS.items():
        save(FOLDER / f"{name}.npz", predict())


if __name__ == "__main__":
    main()
