"""The known roles of an evaluation log's columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from activeeval_widgets.formats.columns import PREDICTIONS, Columns
from activeeval_widgets.formats.evaluation_logs.sample import Origin
from activeeval_widgets.formats.evaluation_logs.scorers import Scorer
from activeeval_widgets.formats.options import flag
from activeeval_widgets.formats.problems import closest, typed

_SHOWN = ("text", "image", "record", "pair", "conversation", "prompt", "answer", "query", "items")


@dataclass(frozen=True)
class LogColumns:
    """The known roles of an evaluation log's columns."""

    shown: Columns
    scorers: dict[str, Scorer]
    left_out: frozenset[str] = frozenset()  # samples that ended in an error
    groupings: dict[str, list[str]] = field(default_factory=dict)  # each row's group, by the grouping's name
    origins: tuple[Origin, ...] = ()  # empty for a log of one system

    def filled(
        self,
        given: Columns,
        names: Sequence[str],
        report: Callable[[str, str], None],
        *,
        needs_predictions: bool,
    ) -> Columns:
        """Return the given columns, completed from the log; report an unknown or missing scorer."""
        found = given
        for role in ("score", "predicted", "votes"):
            named = getattr(given, role)
            for name in (named,) if isinstance(named, str) else named or ():
                parts = [] if name in names else self._parts_of(name)
                if parts:
                    report(
                        f"the scorer {name!r} has several scores: {', '.join(parts)}",
                        f"Name one of them ({flag(role)} {typed(parts[0])}).",
                    )
                    return given.only(_SHOWN)
        if not any(getattr(given, role) is not None for role in _SHOWN):
            found = found.with_(**{role: getattr(self.shown, role) for role in _SHOWN})
        for role in ("id", "reference", "group"):
            if getattr(given, role) is None:
                found = found.with_(**{role: getattr(self.shown, role)})
        if given.votes is not None:
            voting = [self.scorers[name].roles.classes for name in given.votes if name in self.scorers]
            if given.classes is None and len(set(voting)) == 1:
                found = found.with_(classes=voting[0])
            found = found.with_(votes=tuple(self._verdicts(name) for name in given.votes))
        for role in ("predicted", "score"):
            name = getattr(given, role)
            if name in self.scorers and (role == "score" or given.votes is not None or given.score is None):
                if role == "predicted" and given.votes is not None:
                    return found.with_(predicted=self._verdicts(name))
                return self._with_scorer(found, self.scorers[name])
        if given.score is not None and given.score not in names:
            report(f"no scorer is called {given.score!r}", closest(given.score, list(self.scorers)))
            return found.with_(score=None)
        if any(getattr(given, role) is not None for role in (*PREDICTIONS, "compare")):
            return found
        if len(self.scorers) == 1:
            return self._with_scorer(found, next(iter(self.scorers.values())))
        if self.scorers and needs_predictions:
            first = next(iter(self.scorers))
            report(
                f"it holds the scores of {len(self.scorers)} scorers: {', '.join(self.scorers)}",
                f"Choose the one that is evaluated with score (--score {typed(first)}); the others may "
                "vote (--votes, with --predicted). Or compare some of them (--compare A,B).",
            )
        return found

    def scorers_of(self, columns: Columns) -> list[str]:
        """Return the scorers that are evaluated."""
        used = {columns.score, columns.predicted, columns.mean, *(columns.compare or ())}
        return [name for name, each in self.scorers.items() if used & set(each.columns)]

    def scorer_of(self, columns: Columns) -> str | None:
        """Return the scorer that is evaluated, the first of several; None without one."""
        return next(iter(self.scorers_of(columns)), None)

    def _parts_of(self, name: str) -> list[str]:
        """Return the names of a scorer's several scores, by key or by filter."""
        return [each for each in self.scorers if each.startswith((f"{name}.", f"{name} ("))]

    def _verdicts(self, name: str) -> str:
        scorer = self.scorers.get(name)
        return name if scorer is None or scorer.verdicts is None else scorer.verdicts

    @staticmethod
    def _with_scorer(columns: Columns, scorer: Scorer) -> Columns:
        roles = scorer.roles.named_options()
        if columns.classes is not None:
            roles.pop("classes", None)
        return columns.with_(**{"score": None, "predicted": None, **roles})
