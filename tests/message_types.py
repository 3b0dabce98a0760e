"""Whether a message is as the table of messages says."""

from collections.abc import Mapping
from typing import Any

from activeeval_widgets.widgets.messages import ANSWERS, FROM_PAGE, FromPython
from activeeval_widgets.widgets.messages.matching import ENVELOPE, mismatches


def check_from_python(message: Any) -> None:
    """Fail where Python sends something else than the table says."""
    assert [*mismatches(message, FromPython)] == []


def check_from_page(message: Mapping[str, Any]) -> None:
    """Fail where the page sends something else than the table says."""
    content = {name: part for name, part in message.items() if name not in (*ENVELOPE, "is_repeated")}
    for name, hint in ENVELOPE.items():
        assert [*mismatches(message.get(name), hint, name)] == []
    assert message.get("is_repeated", True) is True
    assert [*mismatches(content, FROM_PAGE[message["type"]])] == []
    for answer in content.get("answers", []):
        about = {name: part for name, part in answer.items() if name != "type"}
        assert [*mismatches(about, ANSWERS[answer["type"]])] == []
