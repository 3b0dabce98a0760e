"""Digits: trained on USPS, evaluated on MNIST, and the other way round (ARE 3.1, ACP 5, T 4.4)."""

import numpy as np
from common import Setting, compared, run, sharpened
from scipy.ndimage import gaussian_filter, zoom
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from activeeval_widgets.stats import ClassPredictions, ErrorRate, FMeasure, LogLoss, MacroF, optimal_q


def load(data):
    usps = np.load(data / "digits_usps" / "usps_11k.npz")
    mnist = np.load(data / "digits_mnist" / "mnist_t10k.npz")
    return {
        "USPS": (as_rows(usps["X"]), usps["y"].astype(int)),
        "MNIST": (as_rows(mnist["X"]), mnist["y"].astype(int)),
    }


def as_rows(images):
    """Digits stretched to fill 16 × 16, as USPS' are, and blurred: what is left of the shift is real."""
    rows = np.empty((len(images), 16, 16))
    for image, row in zip(images.astype(float), rows, strict=True):
        down, across = (np.flatnonzero(image.max(axis=axis) > 64) for axis in (1, 0))
        box = image[down[0] : down[-1] + 1, across[0] : across[-1] + 1]
        row[:] = zoom(box, (16 / box.shape[0], 16 / box.shape[1]), order=1, grid_mode=True, mode="nearest")
    return gaussian_filter(rows, (0, 1, 1)).reshape(len(images), -1) / 255


def make_settings(data, rng):
    digits = load(data)
    settings = []
    plain = ["passive", "active", "stratified"]
    for source, target in (("USPS", "MNIST"), ("MNIST", "USPS")):
        way = f"{source} → {target}"
        x, y = digits[source]
        pool, truth = digits[target]
        some = rng.choice(len(x), 2000, replace=False)
        ten = LogisticRegression(C=0.05, max_iter=500).fit(x[some], y[some])
        model = ClassPredictions(ten.predict_proba(pool))
        settings.append(Setting(f"{way}, ten classes", ErrorRate(), model, truth, plain))
        sure = ClassPredictions(sharpened(model.y_proba, 8))
        defensive = optimal_q(ErrorRate(), sure, defensive=0.2)
        settings.append(
            Setting(
                f"{way}, over-confident",
                ErrorRate(),
                sure,
                truth,
                {name: name for name in plain} | {"active, ε = 0.2": defensive},
                note="The same probabilities to the 8th power.",
            )
        )
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
        overfit = SVC(C=10, gamma="scale").fit(x[few], y[few] == 9)
        # A steep logistic of the margin, not calibrated on anything.
        p = 1 / (1 + np.exp(-4 * overfit.decision_function(pool[chosen])))
        second = ClassPredictions(np.column_stack([1 - p, p]))
        both = [model, second]
        methods = compared(ErrorRate(), both)
        settings.append(
            Setting(f"{way}, two models", ErrorRate(), both, labels, methods, note="Logistic, SVM.")
        )
    return settings


if __name__ == "__main__":
    run("digits", make_settings)
