"""The page of an evaluation log: its judge, and labels asked again once the guidelines are edited."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from activeeval_widgets.app.pages.evaluation import begin
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.session import open_store

from .test_demos import APP
from .test_serve import Served, ready, serve

__all__ = ["serve"]

LOG = Path(__file__).parents[1] / "formats" / "logs" / "inspect.eval"


def test_a_log_with_guidelines_that_were_edited(
    serve: Callable[..., Served],
    tmp_path: Path,
    page: Page,
) -> None:
    store = open_store(tmp_path / "labels.sqlite")
    session = begin(EvaluationSettings.from_dict({"file": str(LOG), "columns": {"score": "judge"}}), store)
    session.revisions.declare_guidelines("Spelling counts.")
    for _ in range(3):
        session.label("correct")
    store.close()
    (tmp_path / "how.md").write_text("Spelling does **not** count.")
    served = serve(str(LOG), "--score", "judge", "--group", "topic", "--guidelines", "how.md")
    ready(page, served)
    app = page.locator(APP)
    expect(page.locator("h1")).to_have_text("small · mockllm/model")
    expect(page.get_by_text("Is the answer correct?")).to_be_visible()
    judge = page.locator("[data-aew=judge]")
    names = ("People: pass rate", "Judge: pass rate", "Bias", "Specificity (TNR)", "Kappa")
    for result in names:
        expect(judge.get_by_text(result, exact=True).first).to_be_visible()
    expect(app).to_have_attribute("data-n-labels", "3")
    for _ in range(4):
        expect(app).to_have_attribute("data-state", "ready")
        page.keyboard.press("1")
    expect(app).to_have_attribute("data-state", "done")
    expect(app).to_have_attribute("data-n-labels", "4")
    expect(page.locator("[data-aew=asked-again]")).to_contain_text(
        "The guidelines changed after 3 labels. 3 of them were asked again"
    )
