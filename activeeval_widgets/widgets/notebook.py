"""What the last line of a notebook's cell calls."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from activeeval_widgets.session import Goal, Pool, Session, Store
from activeeval_widgets.session.keywords import knows_keywords
from activeeval_widgets.session.log.people import LEASE_SECONDS
from activeeval_widgets.session.pool.given_predictions import check_names
from activeeval_widgets.session.pool.runs import is_run, pool_of_runs
from activeeval_widgets.stats import Measure
from activeeval_widgets.widgets.instances.registered_views import View
from activeeval_widgets.widgets.labeling_app import LabelingApp
from activeeval_widgets.widgets.labels.numbers import Unit


@knows_keywords()
def evaluate(
    instances: Any,
    predictions: Any,
    measure: Measure | str,
    *,
    positive: Any = None,
    ids: Sequence[Any] | None = None,
    costs: ArrayLike | None = None,
    kind: str | None = None,
    features: Any = None,
    groups: Sequence[Any] | None = None,
    classes: ArrayLike | None = None,
    judged: Mapping[Any, Mapping[Any, float | None]] | None = None,
    decimal_mark: str | None = None,
    budget: int | None = None,
    seed: int = 0,
    store: Store | str | Path | None = None,
    name: str = "default",
    protocol: str | None = None,
    q: ArrayLike | None = None,
    defensive: float | None = None,
    y_range: tuple[float, float] | None = None,
    goal: Goal | None = None,
    margin: float | None = None,
    who: str | None = None,
    n_raters: int | None = None,
    second_opinions: float | None = None,
    lease_seconds: float = LEASE_SECONDS,
    for_groups: bool = False,
    title: str = "Active evaluation",
    intro: str | None = None,
    question: str | None = None,
    keys: Mapping[Any, str] | None = None,
    unit: Unit | None = None,
    grade_words: Sequence[str] | None = None,
    guidelines: str | None = None,
    reasons: Sequence[str] | None = None,
    shows_estimate: bool = True,
    view: View | None = None,
) -> LabelingApp:
    """Evaluate a model in a notebook: the last line of a cell.

    Makes a `Pool` of the instances and the predictions, a `Session` that draws them, and the `LabelingApp`
    that asks for labels and shows the estimate. Options are those of these three, in this order.

    Parameters
    ----------
    instances : sequence, array, DataFrame or table
        What a person looks at: texts, images, records, ranked lists, conversations (see `Pool`).
    predictions : Predictions, estimator, DataFrame or array-like, or a list or mapping of several, or None
        What the model says of them, in the same order: class probabilities, a fitted model with
        scikit-learn's methods (`LinearSVC`, which has no probabilities, is one), predicted labels alone, or
        `ClassPredictions`, `ValuePredictions`, `RankingPredictions`. Of two models, the difference is
        estimated (see `compare`). None where there is no model, and the measure is of the labels themselves.
    measure : Measure or str
        What to estimate: `FMeasure(positive="spam")`, or its name, as on the command line ("f1",
        "error-rate", "roc-auc", "ndcg@10") or in scikit-learn's `scoring` ("f1_macro", "balanced_accuracy";
        the sign of "neg_mean_squared_error" is dropped).
    positive : class label, optional
        For a measure by its name: the class of interest, such as "spam". Unless given, the one of two classes
        that is called 1, true, yes or positive.
    ids : sequence, optional
        A distinct id for each instance; "0", "1", … unless given.
    costs : array-like of shape (n_instances,), or {"length", "results"}, optional
        What it costs to label each instance; equal unless given.
    kind : str, optional
        What the instances are, where that can't be guessed: "text", "image", "record", …
    features : array-like, optional
        What a fitted model is asked about, where that is not what is shown: one row for each instance.
    groups : sequence, optional
        What each instance belongs to: `session.by_group()` then tells of each group.
    classes : array-like of shape (n_classes,), optional
        The classes that a label can be, where `predictions` are None or predicted labels alone.
    judged : mapping, optional
        Of rankings: grades that were given before, by query and item.
    decimal_mark : {".", ","}, optional
        What stands before the decimals of the instances' numbers.
    budget : int, optional
        How many labels there will be. The interval is narrowest there, and holds at all other numbers.
    seed : int
        Of the draws. The same seed and labels give the same draws.
    store : Store, str or path-like, optional
        Where the labels are kept. Give a path, and they outlive the kernel: running the cell again goes on
        where it was, if the predictions are the same to the last bit. Where a model does not give the same
        bits twice, keep its predictions in a file, too.
    name : str
        The session's name in the store: another name is another session.
    protocol : {"adaptive", "papers"}, optional
        How instances are drawn: from a q that learns from the labels (the default), or from a fixed one.
    q : array-like of shape (n_instances,), optional
        A q of your own: `uniform_q(m)`, say.
    defensive : float, optional
        The least share of uniform draws.
    y_range : tuple of two floats, optional
        For labels that are numbers: the smallest and the largest there can be.
    goal : Goal, optional
        When the labels are enough: `Goal(half_width=0.02)`, say.
    margin : float, optional
        Of two models: the difference that does not matter.
    who : str, optional
        Who labels here, where several people do.
    n_raters : int, optional
        How many people are asked about each draw; 1 unless given.
    second_opinions : float, optional
        The share of draws about which one more is asked; 0 unless given.
    lease_seconds : float
        How long draws stay with somebody of whom nothing is heard.
    for_groups : bool
        Whether draws serve small groups, too.
    title : str
        The heading.
    intro : str, optional
        A sentence or two on what this is; by the measure and the pool unless given.
    question : str, optional
        What is asked about each instance; by the kind of label unless given.
    keys : mapping from label to str, optional
        Keys of labels that are not to have their usual one.
    unit : str or tuple of two str, optional
        Of labels that are numbers: "kg", or ("point", "points").
    grade_words : sequence of str, optional
        Of grades: what each means, from the lowest on.
    guidelines : str, optional
        How to decide, in Markdown.
    reasons : sequence of str, optional
        Why an instance can be excluded, for the person to choose from.
    shows_estimate : bool
        Whether the page shows the estimate. If not, it is never sent there.
    view : callable, optional
        How an instance looks: a function from an instance to an `Element`, a text or an image.

    Returns
    -------
    LabelingApp
        Its `session` holds the labels and the estimate.

    Raises
    ------
    TypeError, ValueError
        If an argument does not fit the others, or there is no such measure or keyword: the message names the
        likely one.
    StoreError
        If the store can't be used, or the session in it was begun with something else.

    See Also
    --------
    compare : Several models.
    LabelingApp : Shows a session that is there already.
    Session.estimate : What the page shows, and any other measure from the same labels.

    Examples
    --------
    Texts, and a model's probabilities as a DataFrame, whose columns name the classes:

    >>> import pandas as pd
    >>> texts = ["Hello Ada", "Win a prize now", "See you at nine"]
    >>> proba = pd.DataFrame({"ham": [0.9, 0.2, 0.7], "spam": [0.1, 0.8, 0.3]})
    >>> app = evaluate(texts, proba, "f1", positive="spam")
    >>> event = app.session.label("ham")
    >>> app.session.measure.name, app.session.n_labels
    ('F1 of spam', 1)

    A fitted model that reads other features than people do:

    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = np.arange(40.0).reshape(20, 2), np.arange(20) % 3 > 0
    >>> images = np.zeros((20, 8, 8), dtype=np.uint8)
    >>> app = evaluate(images, LogisticRegression().fit(X, y), "error-rate", features=X)
    >>> app.session.pool.noun, app.session.pool.models[0].name
    ('images', 'LogisticRegression')

    Predicted labels alone, kept in a file, until the error rate is known to ± 5 points:

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from activeeval_widgets import Goal
    >>> from activeeval_widgets.stats import ErrorRate
    >>> with TemporaryDirectory() as folder:
    ...     path, goal = Path(folder, "labels.sqlite"), Goal(half_width=0.05)
    ...     app = evaluate(texts, ["ham", "spam", "ham"], ErrorRate(), store=path, goal=goal)
    ...     event = app.session.label("ham")
    ...     app.session.store.close()
    ...     again = evaluate(texts, ["ham", "spam", "ham"], ErrorRate(), store=path, goal=goal)
    ...     print(again.session.n_labels)
    ...     again.session.store.close()
    1
    """
    pool = Pool(
        instances,
        predictions=predictions,
        ids=ids,
        costs=costs,
        kind=kind,
        features=features,
        groups=groups,
        classes=classes,
        judged=judged,
        decimal_mark=decimal_mark,
    )
    session = Session(
        pool,
        measure,
        positive=positive,
        budget=budget,
        seed=seed,
        store=store,
        name=name,
        protocol=protocol,
        q=q,
        defensive=defensive,
        y_range=y_range,
        goal=goal,
        margin=margin,
        who=who,
        n_raters=n_raters,
        second_opinions=second_opinions,
        lease_seconds=lease_seconds,
        for_groups=for_groups,
    )
    return LabelingApp(
        session,
        title=title,
        intro=intro,
        question=question,
        keys=keys,
        unit=unit,
        grade_words=grade_words,
        guidelines=guidelines,
        reasons=reasons,
        shows_estimate=shows_estimate,
        view=view,
    )


@knows_keywords(options_of=evaluate)
def compare(
    instances: Any,
    models: Mapping[str, Any],
    measure: Measure | str,
    *,
    goal: Goal | None = None,
    documents: Mapping[Any, Any] | None = None,
    grades: ArrayLike | None = None,
    **options: Any,
) -> LabelingApp:
    """Compare models in a notebook: which is better, or of several the best. The last line of a cell.

    Labels are asked for where the models differ. Of two, the page shows the difference of their measures; of
    more, a leaderboard: each one's measure, and who may still be the best. All of it may be watched.

    Parameters
    ----------
    instances : sequence, array, DataFrame or table
        What a person looks at, as for `Pool`.
    models : mapping from str to predictions
        Two models or more, by their names. Each as for `Pool`: a fitted model, a table of class
        probabilities, `ClassPredictions` and so on, or the predicted classes alone; all of one kind. Or
        rankers by their lists: mappings from queries to documents in ranked order, as `read_run` gives them.
        `instances` are then the queries: texts, or a mapping from their ids to texts.
    measure : Measure or str
        What they are compared by, or its name: "f1", "accuracy", "ndcg@10" (see `evaluate`).
    goal : Goal, optional
        When to stop; unless given, once it is known which of two is better, or that they differ by less than
        `margin`.
    documents : mapping, optional
        For rankers' lists: what is shown of each document, a text, a `Result`, or a mapping with "title",
        "text", "link" and "image".
    grades : array-like of shape (n_grades,), optional
        For rankers' lists: the grades there are. Unless given, 0 to the largest in `judged`; to 3 without it.
    **options
        As for `evaluate`. What matters most here:

        - `positive="spam"`: the class of interest of a measure by its name;
        - `margin=0.01`: of two models, differences of less than one percentage point don't matter;
        - `features=X`: what fitted models are asked about, where that is not what is shown;
        - `classes=["ham", "spam"]`: what a label can be, where all models give predicted labels alone;
        - `store="labels.sqlite"`, `name="old and new"`: where the labels are kept;
        - `budget=200`, `seed=1`, `y_range=(0, 10)`, `groups=…`: how labels are asked for and counted;
        - `title`, `question`, `guidelines`, `keys`: what the page shows.

    Returns
    -------
    LabelingApp
        Its `session` holds the labels: `session.verdict()` says which of two models is better,
        `session.estimate()` is their difference, `session.of("new").estimate()` one model's own measure,
        `session.leaderboard()` all of them.

    Raises
    ------
    TypeError, ValueError
        If models have no names, there is only one, or an argument does not fit the others.
    StoreError
        If the store can't be used, or the session in it was begun with something else.

    See Also
    --------
    evaluate : One model.
    Session.verdict : Which of two models is better.
    Session.leaderboard : Who may be the best.

    References
    ----------
    Sawade, Landwehr, Scheffer, *Active comparison of prediction models*, NIPS 2012.

    Examples
    --------
    >>> models = {"old": [[0.1, 0.9], [0.7, 0.3]], "new": [[0.4, 0.6], [0.2, 0.8]]}
    >>> app = compare(["so good", "so bad"], models, "error-rate")
    >>> [model.name for model in app.session.models]
    ['old', 'new']

    Three models of which nothing but the predicted labels is known:

    >>> from activeeval_widgets.stats import FMeasure
    >>> predicted = {"A": ["ham", "spam"], "B": ["spam", "spam"], "C": ["ham", "ham"]}
    >>> app = compare(["so good", "so bad"], predicted, FMeasure(positive="spam"))
    >>> event = app.session.label("spam")
    >>> app.session.question.best
    'best'

    An old and a new search index, by what they found:

    >>> found = {"old": {"q1": ["d7", "d2"]}, "new": {"q1": ["d2", "d9"]}}
    >>> texts = {"d7": "The cat", "d2": "The car", "d9": "The operating system"}
    >>> app = compare({"q1": "jaguar"}, found, "ndcg@10", documents=texts)
    >>> sorted(app.session.labels.items[0])
    ['d2', 'd7', 'd9']
    """
    if not isinstance(models, Mapping):
        raise TypeError(f"models must be a mapping such as {{'old': …, 'new': …}}, got {models!r:.200}")
    check_names(models)
    if goal is None and len(models) == 2:
        goal = Goal(threshold=0.0)
    given = dict(models)
    if all(map(is_run, given.values())):
        arguments = pool_of_runs(
            instances, given, documents=documents, grades=grades, judged=options.pop("judged", None)
        )
        instances, given = arguments.pop("instances"), arguments.pop("predictions")
        options = {**arguments, **options}
    elif documents is not None or grades is not None:
        raise ValueError(
            "documents and grades are for rankers that are given by their lists, mappings from queries to "
            "documents: leave them out"
        )
    return evaluate(instances, given, measure, goal=goal, **options)
