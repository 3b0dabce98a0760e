"""What a session's draws came from: distributions, rows, and what was left."""

from collections.abc import Sequence

from activeeval_widgets.session.draws.rows import DrawnRows
from activeeval_widgets.session.findings.log_view import LogView
from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.adaptive.draw_rule import DrawRule


class DrawsView(LogView):
    """The same, and what the draws came from. Nothing here changes them."""

    @property
    def protocol(self) -> str:
        """How instances are drawn: "adaptive" or "papers"."""
        return self._draws.protocol

    @property
    def defensive(self) -> float | None:
        """The share of uniform draws; None where it follows the number of labels, or q was given."""
        return self._draws.defensive

    @property
    def goes_by_difference(self) -> bool:
        """Whether a fixed q knows nothing but where predictions differ: models have no probabilities."""
        return self._draws.goes_by_difference

    @property
    def rule_of_q(self) -> DrawRule:
        """The constants that draws to come are forecast by, where q adapts."""
        return self._draws.rule_of_q

    @property
    def is_replaced(self) -> bool:
        """Whether an instance that was drawn can be drawn again: by the papers' protocol."""
        return self._draws.is_replaced

    @property
    def q(self) -> FloatArray:
        """The instrumental distribution, (n_instances,); of adaptive draws, what the latest came from."""
        return self._draws.q

    def q_at(self, draw: int) -> FloatArray:
        """The distribution that a draw came from, shape (n_instances,).

        Adaptive draws: 0 on what was drawn before its block.

        Parameters
        ----------
        draw : int
            The number of a draw that was made, from 1.

        Returns
        -------
        ndarray of shape (n_instances,)
            Sums to 1.

        See Also
        --------
        q : Of the latest draws.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> labeled = session.label(1)
        >>> float(session.q_at(1)[labeled.instance]) == labeled.q
        True
        """
        return self._draws.q_at(draw)

    @property
    def rows(self) -> DrawnRows:
        """What draws are made of: each instance, or rows that instances of a large pool share."""
        return self._draws.rows

    def row_q_at(self, draw: int) -> FloatArray:
        """The same as `q_at` for each of the `rows`, (n_rows,): what one of its instances had.

        Parameters
        ----------
        draw : int
            The number of a draw that was made, from 1.

        See Also
        --------
        q_at : For each instance.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> session.row_q_at(1).round(2).tolist()
        [0.33, 0.33, 0.33]
        """
        return self._draws.row_q_at(draw)

    def n_left(self, draw: int) -> int:
        """How many instances could be drawn when the draw of a number, from 1, was made.

        Parameters
        ----------
        draw : int
            The number of a draw, from 1.

        Returns
        -------
        int
            By the papers' protocol the size of the pool.

        See Also
        --------
        is_replaced : Whether that is so at each draw.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> session.n_left(1), session.n_left(2)
        (3, 2)
        """
        return self._draws.n_left(draw)

    def expected_q(self) -> FloatArray:
        """What later draws come from on the whole, (n_instances,), as far as it is known beforehand.

        Returns
        -------
        ndarray of shape (n_instances,)
            For a planner.

        See Also
        --------
        q : What the latest draws came from.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> session.expected_q().shape
        (3,)
        """
        return self._draws.expected_q()

    def rows_of(self, instances: Sequence[int] | IntArray) -> tuple[list[Predictions], IntArray]:
        """What is predicted in the rows that draws are made of, and the rows of instances.

        Parameters
        ----------
        instances : sequence of int
            Indices into the pool.

        Returns
        -------
        models : list of Predictions
            Rows are the instances themselves, but in large pools (more than 100,000), where a row stands for
            many of them.
        rows : ndarray of shape (n,)

        See Also
        --------
        Session.row_q_at : What a draw came from, row by row.

        Examples
        --------
        >>> from activeeval_widgets import Pool, Session
        >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
        >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
        >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
        >>> session.rows_of([2, 0])[1]
        array([2, 0])
        """
        return self._draws.rows_of(instances)
