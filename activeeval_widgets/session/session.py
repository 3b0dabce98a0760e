"""`Session`, the facade of a labeling session over its parts."""

from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike

from activeeval_widgets.session.answering import Answers
from activeeval_widgets.session.arguments import (
    check_budget,
    check_confidence,
    check_flag,
    check_lease,
    check_name,
    check_raters,
    check_who,
)
from activeeval_widgets.session.delegation import documented_as, from_part
from activeeval_widgets.session.draws.deadlines import (
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
from activeeval_widgets.session.draws.scheduler import Scheduler
from activeeval_widgets.session.draws.session_draws import SessionDraws
from activeeval_widgets.session.errors import StoreError
from activeeval_widgets.session.findings.course import intervals_before
from activeeval_widgets.session.findings.findings import Design, Findings
from activeeval_widgets.session.findings.fixed_n import check_suits
from activeeval_widgets.session.findings.goals import Goal, check_goal
from activeeval_widgets.session.findings.verdict import WITHOUT_TWO, check_margin
from activeeval_widgets.session.keywords import knows_keywords
from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.session.log.continuation import settings_of_earlier
from activeeval_widgets.session.log.people import LEASE_SECONDS
from activeeval_widgets.session.log.session_log import SessionLog
from activeeval_widgets.session.log.state import State
from activeeval_widgets.session.offline import OfflineLabels
from activeeval_widgets.session.opinions import Opinions
from activeeval_widgets.session.people import People
from activeeval_widgets.session.pool.asked_items import answered_pool, asked_items, judged_pool
from activeeval_widgets.session.pool.fingerprints import digest_of_strings
from activeeval_widgets.session.pool.known_labels import n_sampled
from activeeval_widgets.session.pool.label_kinds import labels_of
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.session.recorder import Recorder
from activeeval_widgets.session.report.agreement import agreement_sentences
from activeeval_widgets.session.report.in_words import as_html, in_words
from activeeval_widgets.session.report.labels_table import labels_table
from activeeval_widgets.session.report.report import report
from activeeval_widgets.session.report.summary import details_so_far
from activeeval_widgets.session.revising import Revisions
from activeeval_widgets.session.sheets import Sheets, check_sheets
from activeeval_widgets.session.storage import Storage
from activeeval_widgets.session.stores import Store, as_store
from activeeval_widgets.session.stores.protocol import store_member
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_count, check_fraction
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule
from activeeval_widgets.stats.anytime.estimating_equation import check_y_range
from activeeval_widgets.stats.measures.chosen_measure import as_measure
from activeeval_widgets.stats.questions.difference import Difference
from activeeval_widgets.stats.questions.make import question_of


def _keep_summary(session: "Session") -> None:
    """Keep beside the log, for lists of sessions, how far a session is."""
    if len(session.log) == session._n_kept or not store_member(session.store, "is_lasting"):
        return
    session._n_kept = len(session.log)
    details = details_so_far(
        session.findings, budget=session.budget, goal=session.goal, is_done=session.is_done
    )
    # A store that can't keep it now is no hindrance: the log is what counts.
    with suppress(StoreError, OSError):
        store_member(session.store, "keep_details")(session.name, details)


@one_thread_at_a_time
class Session:
    """Active evaluation of a model, one label at a time.

    Instances are drawn from an instrumental distribution that is optimal for the measure. By default the
    distribution adapts to the labels so far, and draws are without replacement. Under the papers' protocol it
    is fixed: the seed determines the whole sequence before the first label, draws are with replacement, and
    the label of an instance that is drawn again counts for each draw. Everything that happens is stored in an
    append-only log, and every number is a function of pool, q, seed and log.

    Parameters
    ----------
    pool : Pool
        The instances and the predictions of one or more models. With two models, the difference between
        the first one's measure and the second's is estimated.
    measure : Measure or str
        What to estimate: an object such as `FMeasure(positive="spam")`, a name of the command line ("f1",
        "error-rate", "roc-auc", "ndcg@10"), or a name of scikit-learn's `scoring` ("f1_macro",
        "balanced_accuracy"; the sign of "neg_mean_squared_error" is dropped).
    positive : class label, optional
        The class of interest, for a measure given by name. By default the one of two classes that is called
        1, true, yes or positive.
    budget : int, optional
        The number of labels after which the session is done; by default the whole pool is labeled. The
        confidence sequence is narrowest at the budget that the session is begun with, and holds at any.
    seed : int
        The seed of the draws. Take another one for a model that was changed after its errors were seen.
    store : Store, str or path-like, optional
        The log's store, the path of an SQLite file, or an address (see `open_store`); by default in memory.
    name : str
        The session's name in the store. A name that the store already has resumes that session.
    protocol : {"adaptive", "papers"}, optional
        How instances are drawn. "adaptive": without replacement, from a q that depends on the labels so far
        (`stats.adaptive_q`), in blocks that are stored with the probability of each draw; estimate and
        interval are `stats.estimate_adaptive` and `stats.AdaptiveConfidenceSequence`. "papers": with
        replacement from a fixed q. By default a stored session keeps its protocol, a session with a `q` is
        "papers", and any other is "adaptive". In pools of more than 100,000 instances, instances with similar
        predictions share a row: first a row is drawn, then one of its instances.
    q : array-like of shape (n_instances,), optional
        The instrumental distribution, such as `uniform_q(m)`; by default the optimal one.
    defensive : float, optional
        The share of uniform draws mixed into the optimal q. It bounds the weights p/q by its inverse, even if
        the model is overconfident. By default the share falls from 1 as labels come in (see `DrawRule`). With
        `protocol="papers"` it is 0.1; 0.2 for two models, whose optimal q is near 0 wherever they agree,
        although both may be wrong there.
    y_range : tuple of two floats, optional
        For labels that are numbers, the smallest and the largest one. The confidence sequence needs it.
    goal : Goal, optional
        What the labels are for, hence when the session may stop. It can be set at any time and is not stored.
        A goal's number of labels (its cost, if all cost the same) at the beginning is a deadline, as budgets.
    margin : float, optional
        For two models, the difference below which they are equivalent, in the measure's unit. The session may
        also stop once the difference is known to be smaller. It is stored, and a margin that is stored
        already takes precedence. See `Revisions.declare_margin`, which changes it.
    who : str, optional
        The present rater's name, so that several people can label at once. It can be set later, too.
    confidence_level : float, optional
        The level of all intervals, in (0.5, 1), fixed with the first draw; by default as stored, else 0.95.
    n_raters : int, optional
        The number of people who are asked about each draw, independently. One of them, chosen by the seed,
        gives the label that counts, the others give opinions. By default that of the stored session, else 1.
    second_opinions : float, optional
        The share of draws, chosen at random by the seed, about which one more person is asked. By default
        that of the stored session, else 0.
    lease_seconds : float
        How long a lease lasts after the rater's last event. Then the draws are leased to others.
    sheets : bool or "positive"
        Whether what the model is sure of is drawn more often and labeled 24 at a time; see `Sheets`.
    for_groups : bool
        Whether half of the draws go to the pool's groups in equal parts; see `by_group`.
    after : Session, optional
        An earlier session: what has the same content gets its labels. Where only votes differ, it goes on.

    Attributes
    ----------
    labels : ClassLabels, NumberLabels or GradeLabels
        The possible labels.
    models : tuple of Predictions
        The models that are evaluated.
    log, draws, findings : SessionLog, SessionDraws, Findings
        The events, the draws, and what the labels say. Most methods of `findings` are methods of `Session`,
        too.
    question : Question
        What is estimated: one model, the difference of two, the best of several, or the labels themselves.
    answers, revisions : Answers, Revisions
        Answers to the present instance, and changes to earlier answers.
    people, opinions, sheets : People, Opinions, Sheets
        The raters, their disagreements, and draws that are labeled many at a time.
    offline, storage : OfflineLabels, Storage
        Labels from other tools, and the store of the log.
    lock : threading.RLock
        Serializes calls from different threads (cells, messages). Hold it to make several calls atomic.

    Raises
    ------
    ValueError, TypeError
        If an argument is invalid.
    StoreError
        If the store can't be used, or its session was begun with other arguments.

    See Also
    --------
    Pool : Instances and predictions.
    Goal : What the labels are for.
    open_store : What a `store` can be.

    Examples
    --------
    Estimate an error rate:

    >>> while session.next() is not None:
    ...     event = session.label(1, seconds=2.0)
    >>> session
    <Session 'default'. Error rate: 33.3%, known from 3 labels>
    >>> round(session.estimate().value, 3)
    0.333

    Name a measure, and estimate another one from the same labels:

    >>> mails = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]], classes=["ham", "spam"])
    >>> pool = Pool(["Hello Ada", "Win now", "A prize"], predictions=mails)
    >>> session = Session(pool, "f1", positive="spam", goal=Goal(half_width=0.1))
    >>> while (asked := session.next()) is not None:
    ...     event = session.label("spam" if asked.index == 2 else "ham")
    >>> round(session.estimate().value, 3), session.estimate("precision").value
    (0.667, 0.5)

    Store the labels in a file and resume the session:

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
        confidence_level: float | None = None,
        n_raters: int | None = None,
        second_opinions: float | None = None,
        lease_seconds: float = LEASE_SECONDS,
        sheets: bool | str = False,
        for_groups: bool = False,
        after: "Session | None" = None,
    ) -> None:
        self.lock = RLock()
        if not isinstance(pool, Pool):
            raise TypeError(f"pool must be a Pool, got {pool!r}")
        measure = as_measure(measure, positive, None if pool.is_open else pool.models)
        pool = answered_pool(pool, measure)
        measure = measure.bound_to(pool.models)
        checked_budget = check_budget(budget)
        check_goal(goal, measure)
        checked_seed = check_count("seed", seed)
        checked_margin = check_margin(margin)
        if checked_margin is not None:
            question_of(measure, pool.models).expect(Difference, "a margin", remedy=WITHOUT_TWO)
        chosen = choose_protocol(protocol, q)
        pool.row_order.check("q", q)
        share = None if defensive is None else check_fraction("defensive", defensive, closed=True)
        valid_name, checked_range, checked_who = check_name(name), check_y_range(y_range), check_who(who)
        checked_raters, lease = check_raters(n_raters, second_opinions), check_lease(lease_seconds)
        pool = judged_pool(pool, measure)
        labels = labels_of(pool, checked_range, items=asked_items(pool, checked_seed), measure=measure)
        state = State(pool.n_instances)
        given_level, is_for_groups = check_confidence(confidence_level), check_flag("for_groups", for_groups)
        how = partial(make_draws, seed=checked_seed, defensive=share, q=q, for_groups=is_for_groups)
        draws = how(chosen, pool, measure, labels, state)
        check_suits(measure, pool.models, labels)
        measure.check_range(checked_range)
        asks = check_sheets(sheets, pool, measure, labels, chosen, checked_raters)
        # The store comes last: invalid arguments leave nothing behind.
        opened = as_store(store)
        begun_with = opened.identity(valid_name) or settings_of_earlier(after, pool, repr(measure))
        begun_by = begun_with.get("protocol") if protocol is None and q is None else None
        grouped, rule = was_grouped(begun_with.get("q")), rule_of(begun_with, asks)
        if begun_by in PROTOCOLS:
            chosen = begun_by
        is_other = (draws.protocol, DRAW_RULE) != (chosen, rule)
        if is_other or grouped not in (None, draws.is_grouped):
            draws = how(chosen, pool, measure, labels, state, is_grouped=grouped, rule=rule)
        self.measure, self.name, self.seed, self.y_range = measure, valid_name, checked_seed, checked_range
        self.pool, self.models, self.labels, self.goal = pool, pool.models, labels, goal
        level = float(begun_with.get("confidence_level", 0.95)) if given_level is None else given_level
        opinions = opinions_of(checked_raters, begun_with.get("opinions"), checked_seed)
        # Deadlines never depend on labels: choosing them afterwards would invalidate the confidence sequence.
        if begun_with:
            deadlines = deadlines_begun_with(begun_with)
        else:
            most = None if goal is None or pool.costs is not None else goal.cost
            deadlines = declared_deadlines(draws, checked_budget, most, n_sampled(pool.known))
        self.log = SessionLog(pool, labels, state, self.lock, draws.n_left)
        self.draws = SessionDraws(draws, state, labels, self.lock)
        self.findings = Findings(
            pool, measure, labels, self.log, self.draws,
            name=valid_name, seed=checked_seed, y_range=checked_range, confidence_level=level,
            lock=self.lock, deadlines=deadlines, design=Design(opinions.n_raters, opinions.share, for_groups),
        )  # fmt: skip
        self.question, self.confidence_level = self.findings.question, level
        scheduler = Scheduler(draws, state, checked_budget, opinions, lease, labels.known_labels)
        about = _identity(self.findings, draws, rule, opinions)
        recorder = Recorder(
            opened, valid_name, about, pool=pool, labels=labels, state=state, draws=draws, scheduler=scheduler
        )
        self._recorder, self._n_kept = recorder, 0
        self.storage = Storage(recorder, self.lock)
        self.people = People(recorder, self.lock)
        self.answers = Answers(recorder, self.people, self.lock)
        self.revisions = Revisions(recorder, self.people, self.answers, self.question, self.lock)
        self.opinions = Opinions(recorder, self.draws, self.lock)
        self.sheets = Sheets(
            recorder, measure, self.draws, self.people, self.revisions, asks, lambda: self.goal
        )
        self.offline = OfflineLabels(recorder, self.draws, self.revisions, self.findings, self.lock)
        scheduler.who, course = checked_who, partial(intervals_before, after, self.findings)
        recorder.begin(is_q_given=q is not None, after=after, course=course)
        if checked_margin is not None and not self.log.state.margins:
            try:
                self.revisions.declare_margin(checked_margin)
            except StoreError:  # a damaged or full store can still be read
                if self.storage.problem is None:
                    raise

    estimate = from_part("findings", Findings.estimate, then=_keep_summary)
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
        """The number of instances that have a label."""
        return self.log.n_labels

    @property
    def n_draws(self) -> int:
        """The number of draws, repeats included, up to the last answered one whose instance has a label."""
        return self.draws.n_labeled

    @property
    def q(self) -> FloatArray:
        """The instrumental distribution, (n_instances,); for adaptive draws, that of the latest block."""
        return self.draws.q

    @property
    def is_done(self) -> bool:
        """Whether no question is left: the budget or the pool is used up, or other people hold the rest."""
        return self.answers.is_done

    @property
    def budget(self) -> int | None:
        """The number of labels to ask for; None asks until the whole pool is labeled. It can be set."""
        return self.answers.budget

    @budget.setter
    def budget(self, value: int | None) -> None:
        self.answers.budget = value

    @property
    def store(self) -> Store:
        """The store of the log."""
        return self.storage.store

    @property
    def path(self) -> Path | None:
        """The file of the session; None if it is not stored in a file."""
        return self.storage.path

    @documented_as(report)
    def report(
        self,
        format: str = "markdown",  # noqa: A002 - the usual name
        *,
        title: str | None = None,
        question: str | None = None,
        unit: str | None = None,
    ) -> str:
        """See `report.report.report`."""
        return report(
            self.findings, format=format, title=title, question=question, unit=unit,
            agreement=agreement_sentences(self, unit=unit) + self.sheets.checks().sentences, goal=self.goal,
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
        super().__setattr__(name, check_goal(value, self.measure) if name == "goal" else value)

    def __repr__(self) -> str:
        return f"<Session {self.name!r}. {self}>"

    def __str__(self) -> str:
        return in_words(self.findings, self.budget, self.goal)

    def _repr_html_(self) -> str:
        return as_html(self.findings, self.budget, self.goal, place=self.storage.place)


def _identity(findings: Findings, draws: Draws, rule: DrawRule, opinions: AskedOpinions) -> dict[str, str]:
    """Return the fingerprints and settings that a stored session has to match."""
    pool = findings.pool
    return {
        **pool.fingerprints,
        "measure": repr(findings.measure),
        "q": draws.identity,
        "seed": str(findings.seed),
        "protocol": draws.protocol,
        **({"draw_rule": rule.identity} if draws.protocol == "adaptive" else {}),
        "bets": bets_identity(findings.deadlines),
        "y_range": repr(findings.y_range),
        "confidence_level": repr(findings.confidence_level),
        **({"opinions": opinions.identity} if opinions.are_asked else {}),
        **(
            {"groups": digest_of_strings("group", list(pool.groups or ()))}
            if findings.design.for_groups
            else {}
        ),
    }
