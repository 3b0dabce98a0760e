"""The vectorized replications against one `estimate` at a time."""

import numpy as np
import pytest

from activeeval_widgets.stats import (
    ClassPredictions,
    CohenKappa,
    ErrorRate,
    FMeasure,
    MacroF,
    Recall,
    SquaredError,
    ValuePredictions,
    disagreement_q,
    draw,
    estimate,
    optimal_q,
    pool_value,
    replicate,
    uniform_q,
)
from activeeval_widgets.stats.questions.make import question_of
from activeeval_widgets.stats.replication._chunk import Procedure, run_chunk


def make_pool(n_instances=300, n_classes=2, n_models=1, seed=0):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.full(n_classes, 0.5), n_instances)
    y_true = (rng.random((n_instances, 1)) > proba.cumsum(axis=1)[:, :-1]).sum(axis=1)
    models = []
    for _ in range(n_models):
        noisy = proba ** rng.uniform(0.5, 1.5) * rng.uniform(0.3, 1, proba.shape)
        models.append(ClassPredictions(noisy / noisy.sum(axis=1, keepdims=True)))
    return models, y_true


@pytest.mark.parametrize("n_models", [1, 2])
@pytest.mark.parametrize("interval", ["wald", "t"])
@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure(), Recall(), MacroF(), CohenKappa()], ids=repr)
def test_each_replication_is_the_estimate_of_its_draws(measure, interval, n_models):
    models, y_true = make_pool(n_models=n_models)
    q = optimal_q(measure, models, defensive=0.1)
    everything = np.arange(300)
    z = tuple(measure.statistics(model, y_true, everything) for model in models)
    counts = np.array([2, 5, 30])
    plan = Procedure(question_of(measure, models), z, q, counts, interval, 0.9, None, 0.0)
    chunk = run_chunk(plan, 40, np.random.default_rng(5))
    draws = draw(q, 40 * 30, np.random.default_rng(5)).reshape(40, 30)
    for replication in range(40):
        for at, count in enumerate(counts):
            index = draws[replication, :count]
            expected = estimate(
                measure,
                models if n_models == 2 else models[0],
                q,
                index,
                y_true[index],
                interval=interval,
                confidence_level=0.9,
            )
            found = [array[at, replication, 0] for array in chunk[:4]]
            assert found[0] == pytest.approx(expected.value, abs=1e-12, nan_ok=True)
            if expected.is_defined:
                assert found[1:3] == pytest.approx([expected.low, expected.high], abs=1e-9)
                assert found[3] == pytest.approx(expected.pvalue, abs=1e-9, nan_ok=True)
            assert chunk.n_labels[at, replication] == expected.n_labels


def test_disagreement_is_scaled_in_replications_too():
    models, y_true = make_pool(n_models=2)
    q = disagreement_q(*models)
    table = replicate(
        ErrorRate(),
        models,
        y_true,
        methods={"≠": q},
        budgets=[200],
        n_replications=500,
        rng=np.random.default_rng(0),
    )
    (row,) = table
    assert abs(row["bias"]) < 4 * row["rmse"] / np.sqrt(500)
    assert table.truth == tuple(pool_value(ErrorRate(), model, y_true) for model in models)


def test_the_summary_by_hand():
    models, y_true = make_pool()
    q = uniform_q(300)
    table = replicate(
        ErrorRate(),
        models[0],
        y_true,
        methods={"q": q},
        budgets=[20, 50],
        n_replications=30,
        rng=np.random.default_rng(3),
    )
    (rng,) = np.random.default_rng(3).spawn(1)[0].spawn(1)
    draws = draw(q, 30 * 50, rng).reshape(30, 50)
    truth = pool_value(ErrorRate(), models[0], y_true)
    for row, count in zip(table, (20, 50), strict=True):
        results = [estimate(ErrorRate(), models[0], q, d[:count], y_true[d[:count]]) for d in draws]
        error = np.array([result.value - truth for result in results])
        assert row["method"] == "q"
        assert (row["budget"], row["n_draws"], row["undefined"]) == (count, count, 0)
        assert row["bias"] == pytest.approx(error.mean(), abs=1e-13)
        assert row["mean_absolute_error"] == pytest.approx(np.abs(error).mean(), rel=1e-12)
        assert row["rmse"] == pytest.approx(np.sqrt((error**2).mean()), rel=1e-12)
        assert row["coverage"] == pytest.approx(np.mean([r.low <= truth <= r.high for r in results]))
        assert row["width"] == pytest.approx(np.mean([r.high - r.low for r in results]), rel=1e-12)
        assert row["n_labels"] == pytest.approx(np.mean([r.n_labels for r in results]))


def test_same_seed_same_table_on_any_number_of_processes():
    models, y_true = make_pool(n_models=2)
    tables = [
        replicate(
            ErrorRate(),
            models,
            y_true,
            methods=["passive", "active", "stratified"],
            budgets=[10, 40],
            n_replications=600,
            rng=np.random.default_rng(9),
            n_processes=n_processes,
        )
        for n_processes in (1, 2, 3)
    ]
    for table in tables[1:]:
        assert table.columns.keys() == tables[0].columns.keys()
        for name, values in table.columns.items():
            np.testing.assert_array_equal(values, tables[0][name])


def test_a_methods_rows_do_not_depend_on_those_after_it():
    models, y_true = make_pool()
    options = {"budgets": [30], "n_replications": 100}
    alone = replicate(
        ErrorRate(), models[0], y_true, methods=["passive"], rng=np.random.default_rng(1), **options
    )
    both = replicate(
        ErrorRate(), models[0], y_true, methods=["passive", "active"], rng=np.random.default_rng(1), **options
    )
    assert next(iter(alone)) == next(iter(both))


def test_progress_is_reported_to_the_end():
    models, y_true = make_pool()
    calls = []
    replicate(
        ErrorRate(),
        models[0],
        y_true,
        methods=["passive", "active"],
        budgets=[5],
        n_replications=600,
        rng=np.random.default_rng(0),
        progress=lambda done, total: calls.append((done, total)),
    )
    assert calls == [(k, 6) for k in range(1, 7)]


def test_costs_buy_as_many_draws_as_they_pay_for():
    """T, 4.25: n* = Λ / Σ λ q."""
    models, y_true = make_pool()
    costs = np.random.default_rng(1).uniform(1, 20, 300)
    table = replicate(
        ErrorRate(),
        models[0],
        y_true,
        methods=["passive", "active_lambda"],
        budgets=[5, 1000],
        n_replications=10,
        rng=np.random.default_rng(0),
        costs=costs,
    )
    q = costs**-0.5 / (costs**-0.5).sum()
    assert table.of("passive")["n_draws"].tolist() == [1, int(1000 / costs.mean())]
    assert table.of("active_lambda")["n_draws"].tolist() == [1, int(1000 / (q @ costs))]


def test_stratified_sampling_finds_the_truth_and_needs_fewer_labels_on_a_calibrated_model():
    rng = np.random.default_rng(2)
    p = rng.beta(0.3, 0.3, 5000)
    y_true = (rng.random(5000) < p).astype(int)
    model = ClassPredictions(np.column_stack([1 - p, p]))
    table = replicate(
        ErrorRate(),
        model,
        y_true,
        methods=["passive", "stratified"],
        budgets=[3, 2000],
        n_replications=300,
        rng=np.random.default_rng(0),
    )
    stratified, passive = table.of("stratified"), table.of("passive")
    assert stratified["rmse"][1] < 0.9 * passive["rmse"][1]
    assert abs(stratified["bias"][1]) < 0.25 * passive["rmse"][0]
    assert stratified["rmse"][0] < 0.5


def test_several_models_are_compared_in_pairs():
    models, y_true = make_pool(n_models=3)
    table = replicate(
        ErrorRate(),
        models,
        y_true,
        methods=["passive", "active_risk"],
        budgets=[10, 1000],
        n_replications=200,
        rng=np.random.default_rng(0),
    )
    rows = table.of("passive")
    assert len(table.truth) == 3
    assert rows["selection_error"][1] < rows["selection_error"][0]
    assert rows["rmse"][1] < 0.2 * rows["rmse"][0]
    assert (rows["labels_to_significance"] <= rows["n_labels"]).all()


def test_values():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=400)
    a = ValuePredictions(truth + rng.normal(0, 0.3, 400), np.full(400, 0.09))
    b = ValuePredictions(truth + rng.normal(0, 0.9, 400))
    table = replicate(
        SquaredError(),
        [a, b],
        truth,
        methods=["passive", "active", "active_0", "active_inf", "stratified"],
        budgets=[50],
        n_replications=200,
        rng=np.random.default_rng(0),
    )
    assert (table["selection_error"] < 0.01).all()
    assert len(table) == 5
    assert {row["method"] for row in table} == set(table["method"])


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"interval": "t"}, "interval 't' is not for method 'stratified'.*Use interval 'wald'"),
        ({"costs": np.ones(300)}, "'stratified' ignores costs when it divides draws"),
    ],
)
def test_stratified_sampling_refuses_what_it_would_ignore(option, message):
    models, y_true = make_pool()
    options = {"budgets": [30], "n_replications": 20, "rng": np.random.default_rng(0), **option}
    with pytest.raises(ValueError, match=message):
        replicate(ErrorRate(), models[0], y_true, methods=["passive", "stratified"], **options)
    table = replicate(ErrorRate(), models[0], y_true, methods=["passive"], **options)
    assert len(table) == 1
