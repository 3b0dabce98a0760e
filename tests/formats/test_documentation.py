"""What formats make public is documented, and every example runs."""

import inspect
import pkgutil

import pytest

from activeeval_widgets import formats

from ..doctest_namespace import run_examples

MODULES = [
    info.name for info in pkgutil.walk_packages(formats.__path__, f"{formats.__name__}.") if not info.ispkg
]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_run(module: str) -> None:
    assert run_examples(module).failed == 0


@pytest.mark.parametrize("name", formats.__all__)
def test_every_public_name_has_an_example(name: str) -> None:
    text = inspect.getdoc(getattr(formats, name)) or ""
    assert "Examples\n--------" in text
    assert "See Also\n--------" in text
