"""Abalone and Sarcos: squared error, one model and two (ARE 3.3, ACP 5, T 4.4 and 5.4)."""

import numpy as np
import pandas as pd
from common import Setting, run
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.linear_model import BayesianRidge
from sklearn.preprocessing import StandardScaler

from activeeval_widgets.stats import AbsoluteError, SquaredError, ValuePredictions


def abalone(data):
    table = pd.read_csv(data / "reg_abalone" / "abalone.csv.gz")
    x = np.column_stack(
        [*(table["sex"] == sex for sex in "MFI"), *table.drop(columns=["sex", "rings"]).to_numpy().T]
    )
    return x.astype(float), table["rings"].to_numpy(float)


def sarcos(data):
    arrays = np.load(data / "reg_sarcos" / "sarcos_test.npz")
    return arrays["X"].astype(float), arrays["Y"][:, 0].astype(float)


def predict(model, train, y, pool):
    mean, deviation = model.fit(train, y).predict(pool, return_std=True)
    return ValuePredictions(mean, deviation**2)


def process(features):
    return GaussianProcessRegressor(RBF(np.sqrt(features)) + WhiteKernel(0.1), normalize_y=True)


def make_settings(data, rng):
    settings = []
    for name, (x, y) in (("Abalone", abalone(data)), ("Sarcos", sarcos(data))):
        order = rng.permutation(len(y))
        train, rest = order[:500], order[500:]
        scaler = StandardScaler().fit(x[train])
        inputs, pool, truth = scaler.transform(x[train]), scaler.transform(x[rest]), y[rest]
        gaussian = predict(process(x.shape[1]), inputs, y[train], pool)
        linear = predict(BayesianRidge(), inputs, y[train], pool)
        half = predict(process(x.shape[1]), inputs[:150], y[train[:150]], pool)
        plain = ["passive", "active", "stratified"]
        compared = ["passive", "active", "active_0", "active_inf", "active_risk", "stratified"]
        settings += [
            Setting(f"{name}, Gaussian process", SquaredError(), gaussian, truth, plain),
            Setting(f"{name}, Bayesian ridge", SquaredError(), linear, truth, plain),
            Setting(f"{name}, absolute error", AbsoluteError(), gaussian, truth, plain),
            Setting(f"{name}, process against ridge", SquaredError(), [gaussian, linear], truth, compared),
            Setting(f"{name}, two processes", SquaredError(), [gaussian, half], truth, compared),
        ]
    return settings


if __name__ == "__main__":
    run("regression", make_settings)
