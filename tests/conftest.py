"""For all tests."""

from collections.abc import Iterator

import pytest

from activeeval_widgets.session.pool.kinds.base import KINDS
from activeeval_widgets.session.stores import registry
from activeeval_widgets.widgets.evaluation.panel import PANELS
from activeeval_widgets.widgets.instances.registered_views import VIEWS


@pytest.fixture(autouse=True)
def registries_as_they_were() -> Iterator[None]:
    """What a test, or an example in a docstring, registers ends with it."""
    registries = (KINDS, VIEWS, PANELS, registry._openers)
    before = [dict(members) for members in registries]
    yield
    for members, kept in zip(registries, before, strict=True):
        members.clear()
        members.update(kept)
