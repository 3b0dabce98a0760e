"""The protocol of a labeling session: which instance is asked next, and what the labels so far say."""

from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike

from activeeval_widgets.session.answering import Answers
from activeeval_widgets.session.arguments import (
    check_budget,
    check_flag,
    check_lease,
    check_name,
    check_raters,
    check_who,
)
from activeeval_widgets.session.delegation import documented_as, from_part
from activeeval_widgets.session.draws.asking import Asking
from activeeval_widgets.session.draws.deadlines import (
    Deadlines,
    bets_identity,
    deadlines_begun_with,
    declared_deadlines,
)
from activeeval_widgets.session.draws.make_draws import (
    PROTOCOLS,
    choose_protocol,
    make_draws,
    rule_of,
    was_grouped,
)
from activeeval_widgets.session.draws.opinions import Opinions as AskedOpinions
from activeeval_widgets.session.draws.opinions import opinions_of
from activeeval_widgets.session.draws.protocol import Draws
from activeeval_widgets.session.draws.session_draws import SessionDraws
from activeeval_widgets.session.errors import StoreError
from activeeval_widgets.session.findings.findings import Design, Findings
from activeeval_widgets.session.findings.fixed_n import check_suits
from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.session.findings.verdict import check_margin
from activeeval_widgets.session.keywords import knows_keywords
from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.session.log.people import LEASE_SECONDS
from activeeval_widgets.session.log.session_log import SessionLog
from activeeval_widgets.session.log.state import State
from activeeval_widgets.session.offline import OfflineLabels
from activeeval_widgets.session.opinions import Opinions
from activeeval_widgets.session.people import People
from activeeval_widgets.session.pool.asked_items import asked_items, judged_pool
from activeeval_widgets.session.pool.fingerprints import digest_of_strings
from activeeval_widgets.session.pool.label_kinds import labels_of
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.session.recording import Recorder
from activeeval_widgets.session.report.agreement import agreement_sentences
from activeeval_widgets.session.report.in_words import as_html, in_words
from activeeval_widgets.session.report.labels_table import labels_table
from activeeval_widgets.session.report.report import report
from activeeval_widgets.session.revising import Revisions
from activeeval_widgets.session.storage import Storage
from activeeval_widgets.session.stores import Store, as_store
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_count, check_fraction
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.anytime.estimating_equation import check_y_range
from activeeval_widgets.stats.measures.chosen import as_measure
from activeeval_widgets.stats.questions.difference import Difference
from activeeval_widgets.stats.questions.make import question_of


@one_thread_at_a_time
class Session:
    """Active evaluation of a model, one label at a time.

    Instances are drawn from an instrumental distribution that is best for the measure. Unless it is told
    otherwise, it learns from the labels so far, and draws without replacement. By the papers' protocol it is
    fixed: the seed determines the whole sequence before the first label, and an instance that is drawn again
    is not asked again: its label counts for each draw. Everything that happens is in an append-only log,
    and all the rest is a function of pool, q, seed and log.

    Parameters
    ----------
    pool : Pool
        The instances and the predictions of one model, or of two: then the difference of the first one's
        measure and the second's is estimated.
    measure : Measure or str
        What to estimate: `FMeasure(positive="spam")`, or its name, as on the command line ("f1",
        "error-rate", "roc-auc", "ndcg@10") or in scikit-learn's `scoring` ("f1_macro", "balanced_accuracy";
        the sign of "neg_mean_squared_error" is dropped).
    positive : class label, optional
        For a measure by its name: the class of interest. Unless given, the one of two classes that is called
        1, true, yes or positive.
    budget : int, optional
        The session is done after this many labels. Until all of the pool is labeled unless given. The one it
        is begun with is where the interval that may be watched will be narrowest; it holds at all others.
    seed : int
        Seeds `numpy.random.PCG64` for the draws.
    store : Store, str or path-like, optional
        Where the log is kept: a store, the path of an SQLite file, or an address (see `open_store`). In
        memory unless given.
    name : str
        The session's name in the store. A name that the store holds already resumes that session.
    protocol : {"adaptive", "papers"}, optional
        How instances are drawn. "adaptive": without replacement, from a q that learns from the labels so far
        (`stats.adaptive_q`), in blocks that are stored with the probability of each draw; estimate and
        interval are `stats.estimate_adaptive` and `stats.AdaptiveConfidenceSequence`. "papers": with
        replacement from a fixed q. Unless given, a session that the store holds goes on as it was begun, one
        with a `q` is "papers", and any other is "adaptive". In pools of more than 100,000 instances, adaptive
        draws are of rows that instances with nearly the same predictions share.
    q : array-like of shape (n_instances,), optional
        The instrumental distribution, where it is not to be the optimal one: `uniform_q(m)` for passive
        evaluation, say.
    defensive : float, optional
        The share of uniform draws mixed into the optimal q, so that no weight p/q exceeds its inverse even
        where the model is too sure of itself. Unless given 0.1; 0.2 for two models, whose optimal q is near 0
        wherever they agree, though both may be wrong there.
    y_range : tuple of two floats, optional
        For labels that are numbers: the smallest and the largest there can be. Others are refused, and the
        interval that may be watched needs to know.
    goal : Goal, optional
        What the labels are for, and so when the session may stop. Advice alone: it can be set at any time,
        and is not kept in the store. A number of labels (its cost, where labels cost the same) that the
        session is begun with is a deadline, as a budget is.
    margin : float, optional
        Of two models: the difference below which they are as good as each other, in the measure's unit; the
        session may stop once it is known to be less, too. Kept in the log: one that was declared there
        counts. See `Revisions.declare_margin`, which changes it.
    who : str, optional
        Who labels here: every event says so, and draws are handed to him, so that several people can label
        at once. Can be set later, too.
    n_raters : int, optional
        How many people are asked about each draw, independently: one of them, chosen by the seed, gives
        the label that counts, the others opinions. Unless given, as the session was begun; else 1.
    second_opinions : float, optional
        About this share of the draws, chosen at random by the seed, one more is asked. Unless given, as the
        session was begun; else 0.
    lease_seconds : float
        How long draws stay with somebody of whom nothing is heard; then they are handed to others.
    for_groups : bool
        Whether draws are to serve all groups of the pool (`Pool(groups=…)`), small ones, too: half of them
        then go to the groups in equal parts. What is estimated for the whole pool stays what it is, from
        fewer draws of its own; see `by_group`.

    Attributes
    ----------
    labels : ClassLabels, NumberLabels or GradeLabels
        What a label is.
    models : tuple of one or two Predictions
        What is evaluated.
    log, draws, findings : SessionLog, SessionDraws, Findings
        What happened, what was drawn, and what the labels say; most methods of the last are here, too.
    question : Question
        What is asked: the value of one model, the difference of two, the best of more, labels alone.
    answers, revisions : Answers, Revisions
        What can be done with the present instance, and with answers that were given.
    people, opinions : People, Opinions
        Who labels, and where people differ.
    offline, storage : OfflineLabels, Storage
        Labels from other tools, and where the log is kept.
    lock : threading.RLock
        Only one thread at a time is let in: cells and widgets' messages may come on different ones. Hold it
        to have several calls happen without another thread's between them.

    Raises
    ------
    ValueError, TypeError
        If an argument does not fit.
    StoreError
        If the store can't be used, or the session in it was begun with something else.

    See Also
    --------
    Pool : Instances and predictions.
    Goal : What the labels are for.
    open_store : What a `store` can be.

    Examples
    --------
    An error rate, with somebody who answers:

    >>> from activeeval_widgets import Goal, Pool, Session
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(1, seconds=2.0)
    >>> session
    <Session 'default'. Error rate: 33.3%, known from 3 labels>
    >>> round(session.estimate().value, 3)
    0.333

    A measure by its name, and another one from the same labels:

    >>> mails = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]], classes=["ham", "spam"])
    >>> pool = Pool(["Hello Ada", "Win now", "A prize"], predictions=mails)
    >>> session = Session(pool, "f1", positive="spam", goal=Goal(half_width=0.1))
    >>> while (asked := session.next()) is not None:
    ...     event = session.label("spam" if asked.index == 2 else "ham")
    >>> round(session.estimate().value, 3), session.estimate("precision").value
    (0.667, 0.5)

    Labels in a file, where the next session of that name goes on:

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     session = Session(pool, "accuracy", store=Path(folder, "labels.sqlite"), name="mails")
    ...     event = session.label("ham")
    ...     session.store.close()
    ...     again = Session(pool, "accuracy", store=Path(folder, "labels.sqlite"), name="mails")
    ...     print(again.n_labels)
    ...     again.store.close()
    1
    """

    @knows_keywords("Session")
    def __init__(
        self,
        pool: Pool,
        measure: Measure | str,
        *,
        positive: Any = None,
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
    ) -> None:
        self.lock = RLock()
        if not isinstance(pool, Pool):
            raise TypeError(f"pool must be a Pool, got {pool!r}")
        measure = as_measure(measure, positive, None if pool.is_open else pool.models)
        pool = pool.answered_for(measure)
        measure = measure.bound_to(pool.models)
        checked_budget = check_budget(budget)
        if goal is not None and not isinstance(goal, Goal):
            raise TypeError(f"goal must be a Goal, such as Goal(half_width=0.02), got {goal!r}")
        checked_seed = check_count("seed", seed)
        checked_margin = check_margin(margin)
        if checked_margin is not None:
            question_of(measure, pool.models).expect(Difference, "a margin")
        chosen = choose_protocol(protocol, q)
        share = None if defensive is None else check_fraction("defensive", defensive, closed=True)
        checked_name, checked_range, checked_who = check_name(name), check_y_range(y_range), check_who(who)
        checked_raters, lease = check_raters(n_raters, second_opinions), check_lease(lease_seconds)
        pool = judged_pool(pool, measure)
        labels = labels_of(pool, checked_range, items=asked_items(pool, checked_seed))
        state = State(pool.n_instances)
        is_for_groups = check_flag("for_groups", for_groups)
        how = partial(make_draws, seed=checked_seed, defensive=share, q=q, for_groups=is_for_groups)
        draws = how(chosen, pool, measure, labels, state)
        check_suits(measure, pool.models, labels)
        measure.check_range(checked_range)
        # The store comes last: arguments that are refused leave nothing behind.
        opened = as_store(store)
        begun_with = opened.identity(checked_name) or {}
        begun_by = begun_with.get("protocol") if protocol is None and q is None else None
        grouped, rule = was_grouped(begun_with.get("q")), rule_of(begun_with)
        if begun_by in PROTOCOLS:
            chosen = begun_by
        is_other = (draws.protocol, DRAW_RULE) != (chosen, rule)
        if is_other or grouped not in (None, draws.is_grouped):
            draws = how(chosen, pool, measure, labels, state, is_grouped=grouped, rule=rule)
        self.name, self.seed, self.y_range, self.goal = checked_name, checked_seed, checked_range, goal
        self.pool, self.models, self.measure, self.labels = pool, pool.models, measure, labels
        opinions = opinions_of(checked_raters, begun_with.get("opinions"), checked_seed)
        # Never by labels: whoever could choose them afterwards could choose what is excluded.
        if begun_with:
            deadlines = deadlines_begun_with(begun_with)
        else:
            most = None if goal is None or pool.costs is not None else goal.cost
            deadlines = declared_deadlines(draws, checked_budget, most)
        self.log = SessionLog(pool, labels, state, self.lock)
        self.draws = SessionDraws(draws, state, labels, self.lock)
        self.findings = Findings(
            pool, measure, labels, self.log, self.draws,
            name=checked_name, seed=checked_seed, y_range=checked_range, lock=self.lock, deadlines=deadlines,
            design=Design(opinions.n_raters, opinions.share, for_groups),
        )  # fmt: skip
        self.question = self.findings.question
        asking = Asking(draws, state, checked_budget, opinions, lease, labels.known_label)
        about = _identity(
            pool, measure, draws, rule, opinions, deadlines,
            seed=checked_seed, y_range=checked_range, for_groups=for_groups,
        )  # fmt: skip
        recorder = Recorder(
            opened, checked_name, about, pool=pool, labels=labels, state=state, draws=draws, asking=asking
        )
        self._recorder = recorder
        self.storage = Storage(recorder, self.lock)
        self.people = People(recorder, self.lock)
        self.answers = Answers(recorder, self.people, self.lock)
        self.revisions = Revisions(recorder, self.people, self.answers, self.question, self.lock)
        self.opinions = Opinions(recorder, self.draws, self.lock)
        self.offline = OfflineLabels(recorder, self.draws, self.revisions, self.findings, self.lock)
        asking.who = checked_who
        recorder.begin(is_q_given=q is not None)
        if checked_margin is not None and not self.log.state.margins:
            try:
                self.revisions.declare_margin(checked_margin)
            except StoreError:  # what the store holds can be seen even if nothing can be added
                if self.storage.problem is None:
                    raise

    estimate = from_part("findings", Findings.estimate)
    trajectory = from_part("findings", Findings.trajectory)
    watched = from_part("findings", Findings.watched)
    known_value = from_part("findings", Findings.known_value)
    of = from_part("findings", Findings.of)
    leaderboard = from_part("findings", Findings.leaderboard)
    pairs = from_part("findings", Findings.pairs)
    pair_estimate = from_part("findings", Findings.pair_estimate)
    verdict = from_part("findings", Findings.verdict)
    by_group = from_part("findings", Findings.by_group)
    group_estimates = from_part("findings", Findings.group_estimates)
    calibration = from_part("findings", Findings.calibration)
    confusion = from_part("findings", Findings.confusion)
    confusions = from_part("findings", Findings.confusions)
    judge = from_part("findings", Findings.judge)
    best_threshold = from_part("findings", Findings.best_threshold)
    who_was_right = from_part("findings", Findings.who_was_right)

    next = from_part("answers", Answers.next)
    upcoming = from_part("answers", Answers.upcoming)
    label = from_part("answers", Answers.label)
    defer = from_part("answers", Answers.defer)
    exclude = from_part("answers", Answers.exclude)
    change = from_part("revisions", Revisions.change)
    note = from_part("revisions", Revisions.note)
    flag = from_part("revisions", Revisions.flag)
    undo = from_part("revisions", Revisions.undo)
    history = from_part("log", SessionLog.history)
    refresh = from_part("storage", Storage.refresh)
    subscribe = from_part("storage", Storage.subscribe)
    unsubscribe = from_part("storage", Storage.unsubscribe)
    save_to = from_part("storage", Storage.save_to)

    @property
    def n_labels(self) -> int:
        """Instances that have a label."""
        return self.log.n_labels

    @property
    def n_draws(self) -> int:
        """Draws up to the last answered one whose instance has a label, repeats included."""
        return self.draws.n_labeled

    @property
    def q(self) -> FloatArray:
        """The instrumental distribution, (n_instances,); of adaptive draws, what the latest came from."""
        return self.draws.q

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to ask: the budget or the pool is spent, or others have the rest."""
        return self.answers.is_done

    @property
    def budget(self) -> int | None:
        """The number of labels to ask for; None: until the whole pool is labeled. It can be set."""
        return self.answers.budget

    @budget.setter
    def budget(self, value: int | None) -> None:
        self.answers.budget = value

    @property
    def store(self) -> Store:
        """Where the log is kept now."""
        return self.storage.store

    @property
    def path(self) -> Path | None:
        """The file that the session is kept in; None if it is in no file."""
        return self.storage.path

    @documented_as(report)
    def report(
        self,
        format: str = "markdown",  # noqa: A002 - what everybody calls it
        *,
        title: str | None = None,
        question: str | None = None,
        unit: str | None = None,
    ) -> str:
        """See `report.report.report`."""
        return report(
            self.findings, format=format, title=title, question=question, unit=unit,
            agreement=agreement_sentences(self, unit=unit), goal=self.goal,
        )  # fmt: skip

    @documented_as(labels_table)
    def labels_table(self) -> pd.DataFrame:
        """See `report.labels_table`."""
        return labels_table(self.findings)

    def __setattr__(self, name: str, value: Any) -> None:
        if "offline" in self.__dict__ and not hasattr(self, name):
            parts = [part for part in ("people", "draws", "log") if hasattr(getattr(self, part), name)]
            where = f": set it on session.{parts[0]}" if parts else ""
            raise AttributeError(f"a Session has no {name!r} to set{where}")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return f"<Session {self.name!r}. {self}>"

    def __str__(self) -> str:
        return in_words(self.findings, self.budget)

    def _repr_html_(self) -> str:
        return as_html(self.findings, self.budget, place=self.storage.place)


def _identity(
    pool: Pool,
    measure: Measure,
    draws: Draws,
    rule: DrawRule,
    opinions: AskedOpinions,
    deadlines: Deadlines,
    *,
    seed: int,
    y_range: tuple[float, float] | None,
    for_groups: bool,
) -> dict[str, str]:
    """What a session is about."""
    return {
        **pool.fingerprints,
        "measure": repr(measure),
        "q": draws.identity,
        "seed": str(seed),
        "protocol": draws.protocol,
        **({"draw_rule": rule.identity} if draws.protocol == "adaptive" else {}),
        "bets": bets_identity(deadlines),
        "y_range": repr(y_range),
        **({"opinions": opinions.identity} if opinions.are_asked else {}),
        **({"groups": digest_of_strings("group", list(pool.groups or ()))} if for_groups else {}),
    }
