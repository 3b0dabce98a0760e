"""Requests of the page to review earlier answers."""

from collections.abc import Mapping
from typing import Any

from activeeval_widgets.widgets.answers.history import MARKS, WHO, ReviewedAnswers
from activeeval_widgets.widgets.page_channel import Handler, Reply


class AnswerReview:
    """Handles the page's requests for earlier answers."""

    def __init__(self, answers: ReviewedAnswers, sent: set[int], *, may_show_predictions: bool) -> None:
        self._answers, self._sent, self._may_show_predictions = answers, sent, may_show_predictions

    @property
    def handlers(self) -> dict[str, Handler]:
        """The handlers by type of message."""
        return {"history": self._history, "row": self._row}

    def _history(self, message: Mapping[str, Any]) -> Reply:
        query, answer, offset = message.get("query", ""), message.get("answer"), message.get("offset", 0)
        only = message.get("only", [])
        if not isinstance(query, str):
            raise ValueError(f"query must be a string, got {query!r}")
        if answer is not None and not isinstance(answer, str):
            raise ValueError(f"answer must be a string or None, got {answer!r}")
        if not isinstance(only, list) or not set(only) <= set(MARKS):
            raise ValueError(f"only must hold some of {', '.join(MARKS)}, got {only!r}")
        if isinstance(offset, bool) or not isinstance(offset, int) or offset < 0:
            raise ValueError(f"offset must be a whole number >= 0, got {offset!r}")
        differing, pair = message.get("differing"), message.get("pair")
        if pair is not None and len(pair) != 2:
            raise ValueError(f"pair must be two positions of models, got {pair!r:.80}")
        if differing is not None and differing not in ("any", *WHO):
            raise ValueError(f"differing must be any, {', '.join(WHO)} or None, got {differing!r}")
        content, thumbnails = self._answers.page(
            query,
            only=only,
            answer=answer,
            offset=offset,
            shows_prediction=self._shows_prediction(message),
            differing=differing,
            pair=None if pair is None else (pair[0], pair[1]),
        )
        self._sent.update(row["index"] for row in content["rows"])
        return {"history": {**content, "asked": message.get("asked")}}, thumbnails

    def _row(self, message: Mapping[str, Any]) -> Reply:
        row = self._answers.row(message["index"], shows_prediction=self._shows_prediction(message))
        self._sent.add(row["index"])
        return {"row": row}, []

    def _shows_prediction(self, message: Mapping[str, Any]) -> bool:
        """Return whether rows show predictions, which the labeler's view never does."""
        return self._may_show_predictions and message.get("shows_prediction") is True
