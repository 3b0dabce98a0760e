"""A sample of an evaluation log of any tool."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Verdict = tuple[str, str]
"""The names of a scorer's two verdicts."""

RIGHT: Verdict = ("incorrect", "correct")
PASS: Verdict = ("fail", "pass")


class Origin(NamedTuple):
    """The system that gave an answer, the epoch, and the test: its id and its variables."""

    test: str
    variables: str = ""
    provider: str = ""
    prompt: str = ""
    epoch: int = 1


@dataclass
class Sample:
    """A prompt, its answer, and its scores.

    Attributes
    ----------
    id : str
        Its id, distinct in the log.
    asked : str or sequence of mappings
        A prompt, or the messages of a conversation, which include the answer if `answer` is None.
    answer : str, optional
        The answer.
    reference : str
        The expected answer; "" if the log has none.
    group : str
        The sample's group: the system that answered, if there are several.
    origin : Origin, optional
        The system, the epoch and the test, if the log has answers of several systems or epochs.
    answer_message : str, optional
        The answer among the messages, to count its words.
    metadata : mapping of str to object
        Further values of the sample, which may group samples.
    scores : mapping of str to object
        A verdict or a number, by scorer.
    passed : mapping of str to bool
        Whether the scorer lets the sample pass, by scorer, if the tool says so.
    """

    id: str
    asked: str | Sequence[Mapping[str, Any]]
    answer: str | None = None
    reference: str = ""
    group: str = ""
    origin: Origin | None = None
    answer_message: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    scores: dict[str, Any] = field(default_factory=dict)
    passed: dict[str, bool] = field(default_factory=dict)
