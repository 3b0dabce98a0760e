"""A sample of an evaluation log of any tool."""

import json
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
    """A prompt, its answer, and its scores."""

    id: str
    asked: str | Sequence[Mapping[str, Any]]  # messages include the answer if `answer` is None
    answer: str | None = None
    reference: str = ""
    group: str = ""  # the system that answered, if there are several
    origin: Origin | None = None
    answer_message: str | None = None  # the answer among the messages, to count its words
    metadata: Mapping[str, Any] = field(default_factory=dict)
    scores: dict[str, Any] = field(default_factory=dict)
    passed: dict[str, bool] = field(default_factory=dict)  # by scorer, if the tool says so


def messages_or_text(prompt: str) -> str | list[dict[str, Any]]:
    """Return a prompt's messages if it is a chat in JSON, else the prompt itself."""
    if not prompt.lstrip().startswith("["):
        return prompt
    try:
        found = json.loads(prompt)
    except ValueError:
        return prompt
    is_chat = found and all(isinstance(each, dict) and "role" in each for each in found)
    return found if is_chat else prompt
