"""One sample of an evaluation log, whatever the tool."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Verdict = tuple[str, str]
"""The names of a scorer's two verdicts."""

RIGHT: Verdict = ("incorrect", "correct")
PASS: Verdict = ("fail", "pass")


class Origin(NamedTuple):
    """Which system gave an answer, in which epoch, and to what: a test, by its id and its variables."""

    test: str
    variables: str = ""
    provider: str = ""
    prompt: str = ""
    epoch: int = 1


@dataclass
class Sample:
    """What was asked, what was answered, and what scorers said of it.

    Attributes
    ----------
    id : str
        Its id, distinct in the log.
    asked : str or sequence of mappings
        A prompt, or the messages of a conversation; these have the answer in them if `answer` is None.
    answer : str, optional
        What was answered.
    reference : str
        What the answer should be; empty where the log does not say.
    group : str
        What the sample belongs to: the system that answered, where there are several.
    origin : Origin, optional
        Where one log has answers of several systems or epochs: which one gave this answer, and to what.
    said : str, optional
        What was answered, where it is among the messages: its words are counted.
    metadata : mapping of str to object
        What else the log knows of it, which may group samples.
    scores : mapping of str to object
        By scorer: a verdict, or a number.
    passed : mapping of str to bool
        By scorer, whether it let the sample pass, where the tool says so.
    """

    id: str
    asked: str | Sequence[Mapping[str, Any]]
    answer: str | None = None
    reference: str = ""
    group: str = ""
    origin: Origin | None = None
    said: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    scores: dict[str, Any] = field(default_factory=dict)
    passed: dict[str, bool] = field(default_factory=dict)
