"""Rankings: queries with their results."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from activeeval_widgets.session.pool.fingerprints import as_json, digest_of_parts, media_parts
from activeeval_widgets.session.pool.instances import Ranking, Result
from activeeval_widgets.session.pool.kinds.base import InstanceKind, check_each
from activeeval_widgets.session.pool.kinds.image import image_from_json, image_to_json
from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats.text import listed


class RankingKind(InstanceKind):
    """`Ranking`, a query whose results get grades."""

    name = "ranking"
    noun = "rankings"
    types = (Ranking,)

    def check(self, instances: Any) -> list[Ranking]:
        """Return the rankings as a list."""
        return check_each(instances, self.fits, "a Ranking")

    def parts(self, instance: Any) -> Iterable[str | bytes]:
        """Return query and results."""
        return "ranking", as_json(instance.query, [_result(result) for result in instance.results])

    def to_json(self, instances: Any) -> list[Any]:
        """Return queries and results; images as by `image_to_json`."""
        return [
            {
                "query": each.query,
                "results": [
                    {**{name: getattr(result, name) for name in _WORDS}, "image": image_to_json(result.image)}
                    for result in each.results
                ],
            }
            for each in instances
        ]

    def from_json(self, values: list[Any]) -> list[Ranking]:
        """Convert the values of `to_json` back to rankings."""
        return [
            Ranking(
                each["query"],
                tuple(
                    Result(**{**result, "image": image_from_json(result["image"])})
                    for result in each["results"]
                ),
            )
            for each in values
        ]

    def fields(self, instances: Any, index: int) -> dict[str, Any]:
        """Return the query, and as "items" each result's item, title and text."""
        one = instances[index]
        shown = [{"item": str(each.item), "title": each.title, "text": each.text} for each in one.results]
        return {"query": one.query, "items": shown}

    def words(self, instance: Any) -> str:
        """Return the query."""
        return str(instance.query)

    def items(self, instance: Any) -> tuple[Hashable, ...]:
        """Return the results' items."""
        found: tuple[Hashable, ...] = instance.items
        return found

    def with_items(self, instances: Any, items: Sequence[Sequence[Hashable]]) -> list[Ranking]:
        """Return the rankings with only the given items; see the base class."""
        found = []
        for each, wanted in zip(instances, items, strict=True):
            by_item = {result.item: result for result in each.results}
            found.append(Ranking(each.query, tuple(by_item[item] for item in wanted)))
        return found

    def check_predictions(self, instances: Any, models: Sequence[Predictions]) -> None:
        """Reject instances without a result for an item that a model ranks."""
        if models[0].label_kind != "grades":
            return
        for position, instance in enumerate(instances):
            shown = set(instance.items)
            for number, model in enumerate(models):
                missing = [item for item in model.items(position) if item not in shown]
                if missing:
                    whose = "the predictions rank" if len(models) == 1 else f"predictions[{number}] ranks"
                    items = listed([*map(repr, missing)], 5)
                    raise ValueError(f"instances[{position}] has no Result for {items}, which {whose}")


_WORDS = ("item", "title", "text", "link")


def _result(result: Result) -> tuple[str | None, ...]:
    image = result.image
    shown = None if image is None else digest_of_parts("image", media_parts(image))
    return str(result.item), result.title, result.text, result.link, shown
