"""Reuters-21578: the F-measure of each of ten topics, one versus rest (AEF 4, T 4.4)."""

import gzip
import json

import numpy as np
from common import Setting, run
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from activeeval_widgets.stats import ClassPredictions, FMeasure

TOPICS = ("earn", "acq", "money-fx", "grain", "crude", "trade", "interest", "ship", "wheat", "corn")


def make_settings(data, rng):
    del rng
    with gzip.open(data / "text_reuters21578" / "reuters_topics.jsonl.gz", "rt") as lines:
        stories = [json.loads(line) for line in lines]
    text = [f"{story['title']} {story['text']}" for story in stories]
    train = np.array([story["split"] == "train" for story in stories])
    vectorizer = TfidfVectorizer(sublinear_tf=True, min_df=3, max_features=30_000)
    x = vectorizer.fit_transform([t for t, is_train in zip(text, train, strict=True) if is_train])
    pool = vectorizer.transform([t for t, is_train in zip(text, train, strict=True) if not is_train])
    settings = []
    for topic in TOPICS:
        y = np.array([int(topic in story["topics"]) for story in stories])
        model = LogisticRegression(C=3).fit(x, y[train])
        predictions = ClassPredictions(model.predict_proba(pool))
        settings.append(
            Setting(topic, FMeasure(), predictions, y[~train], ["passive", "active", "active_err"])
        )
    return settings


if __name__ == "__main__":
    run("reuters", make_settings)
