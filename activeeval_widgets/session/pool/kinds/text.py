"""Texts, and pairs of texts."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from activeeval_widgets.session.pool.fingerprints import as_json, media_parts
from activeeval_widgets.session.pool.instances import Text
from activeeval_widgets.session.pool.kinds.base import InstanceKind, check_each


class TextKind(InstanceKind):
    """Strings, or `Text` for formatted ones."""

    name = "text"
    noun = "texts"
    types = (Text,)

    def fits(self, instance: Any) -> bool:
        """Return whether an instance is a text."""
        return isinstance(instance, str | Text)

    def check(self, instances: Any) -> list[str | Text]:
        """Return the texts as a list."""
        return check_each(instances, self.fits, "a str or a Text (empty if it is missing)")

    def parts(self, instance: Any) -> Iterable[str | bytes]:
        """Return a text and its formatting."""
        if isinstance(instance, str):
            return media_parts(instance)
        return "text", as_json(*text_parts(instance))

    def to_json(self, instances: Any) -> list[Any]:
        """Return strings unchanged, and `Text` as mappings."""
        return [each if isinstance(each, str) else text_to_json(each) for each in instances]

    def from_json(self, values: list[Any]) -> list[str | Text]:
        """Convert the values of `to_json` back to texts."""
        return [Text(**each) if isinstance(each, dict) else each for each in values]

    def words(self, instance: Any) -> str:
        """Return title and text."""
        if isinstance(instance, str):
            return instance
        return f"{instance.title}: {instance.text}" if instance.title else str(instance.text)


def text_to_json(text: Text) -> dict[str, Any]:
    """Convert a `Text` to a mapping; "markdown" is only included if True."""
    return {name: value for name, value in asdict(text).items() if name != "markdown" or value}


def text_parts(text: Text) -> tuple[Any, ...]:
    """Return the fields that identify a text."""
    shown = text.text, text.spans, text.monospace, text.direction, text.title
    return (*shown, "markdown") if text.markdown else shown


class PairKind(InstanceKind):
    """Pairs of strings, shown side by side."""

    name = "pair"
    noun = "pairs"

    def fits(self, instance: Any) -> bool:
        """Return whether an instance is a pair of strings."""
        return (
            isinstance(instance, tuple)
            and len(instance) == 2
            and all(isinstance(part, str) for part in instance)
        )

    def check(self, instances: Any) -> list[tuple[str, str]]:
        """Return the pairs as a list of tuples."""
        pairs = [tuple(each) if isinstance(each, list) else each for each in instances]
        return check_each(pairs, self.fits, "a pair of texts, (str, str)")

    def parts(self, instance: Any) -> Iterable[str | bytes]:
        """Return both texts."""
        return "pair", as_json(*instance)

    def to_json(self, instances: Any) -> list[Any]:
        """Return lists of two strings."""
        return [list(each) for each in instances]

    def from_json(self, values: list[Any]) -> list[tuple[str, str]]:
        """Convert the values of `to_json` back to pairs."""
        return self.check(values)

    def fields(self, instances: Any, index: int) -> dict[str, Any]:
        """Return both texts."""
        a, b = instances[index]
        return {"a": a, "b": b}

    def words(self, instance: Any) -> str:
        """Return both texts."""
        return " | ".join(instance)
