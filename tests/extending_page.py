"""The code on the page docs/how-to/extending.md, which tests run as it stands there."""

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "extending.md"


class Section:
    """A section of the page.

    Attributes
    ----------
    blocks : dict of str to str
        All code of each language, block after block.
    """

    def __init__(self, title: str) -> None:
        _, _, text = PAGE.read_text(encoding="utf-8").partition(f"\n## {title}\n")
        text = text.partition("\n## ")[0]
        self.blocks: dict[str, str] = {}
        for language, code in re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S):
            self.blocks[language] = f"{self.blocks.get(language, '')}{code}\n"
        assert self.blocks, f"the page has no code under {title!r}"

    def run(self, **names: Any) -> dict[str, Any]:
        """Run its Python; return all names that are defined then."""
        namespace: dict[str, Any] = {"__name__": "extending", **names}
        exec(compile(self.blocks["python"], str(PAGE), "exec"), namespace)
        return namespace
