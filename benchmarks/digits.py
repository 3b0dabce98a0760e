"""Digits: trained on USPS, evaluated on MNIST, and the other way round (ARE 3.1, ACP 5, T 4.4)."""

import numpy as np
from common import Setting, run
from scipy.ndimage import zoom
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from activeeval_widgets.stats import ClassPredictions, ErrorRate, FMeasure, LogLoss, MacroF


def load(data):
    usps = np.load(data / "digits_usps" / "usps_11k.npz")
    mnist = np.load(data / "digits_mnist" / "mnist_t10k.npz")
    # The digit fills 20 × 20 of MNIST's 28 × 28 and all of USPS' 16 × 16.
    small = zoom(mnist["X"][:, 4:24, 4:24].astype(float), (1, 0.8, 0.8), order=1)
    return {
        "USPS": (usps["X"].reshape(len(usps["X"]), -1) / 255, usps["y"].astype(int)),
        "MNIST": (small.reshape(len(small), -1) / 255, mnist["y"].astype(int)),
    }


def make_settings(data, rng):
    digits = load(data)
    settings = []
    plain = ["passive", "active", "stratified"]
    compared = ["passive", "active", "active_risk", "active_disagreement", "stratified"]
    for source, target in (("USPS", "MNIST"), ("MNIST", "USPS")):
        way = f"{source} → {target}"
        x, y = digits[source]
        pool, truth = digits[target]
        some = rng.choice(len(x), 2000, replace=False)
        ten = LogisticRegression(C=0.05, max_iter=500).fit(x[some], y[some])
        model = ClassPredictions(ten.predict_proba(pool))
        settings.append(Setting(f"{way}, ten classes", ErrorRate(), model, truth, plain))
        settings.append(
            Setting(
                f"{way}, F1 of the eight",
                FMeasure(positive=8),
                model,
                truth,
                ["passive", "active", "active_err"],
            )
        )
        settings.append(
            Setting(
                f"{way}, macro-F1",
                MacroF(),
                model,
                truth,
                ["passive", "active", "active_err"],
                (200, 400, 800),
            )
        )
        settings.append(Setting(f"{way}, log loss", LogLoss(), model, truth, plain))
        four_nine = np.isin(y, (4, 9))
        chosen = np.isin(truth, (4, 9))
        few = rng.choice(np.flatnonzero(four_nine), 600, replace=False)
        binary = LogisticRegression(C=0.05, max_iter=500).fit(x[few], y[few] == 9)
        model = ClassPredictions(binary.predict_proba(pool[chosen]))
        labels = (truth[chosen] == 9).astype(int)
        settings.append(Setting(f"{way}, 4 against 9", ErrorRate(), model, labels, plain))
        overfit = SVC(C=10, probability=False, gamma="scale").fit(x[few], y[few] == 9)
        # Platt's calibration on the training data itself: an over-confident model.
        score = overfit.decision_function(pool[chosen])
        sure = 1 / (1 + np.exp(-4 * score))
        second = ClassPredictions(np.column_stack([1 - sure, sure]))
        settings.append(
            Setting(
                f"{way}, two models", ErrorRate(), [model, second], labels, compared, note="Logistic, SVM."
            )
        )
    return settings


if __name__ == "__main__":
    run("digits", make_settings)
