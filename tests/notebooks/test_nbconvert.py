"""A notebook with the app in it runs, and becomes HTML, without a browser: by nbconvert."""

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter
from nbconvert.preprocessors import ExecutePreprocessor
from nbformat.v4 import new_code_cell, new_notebook

APP = """
import numpy as np
from activeeval_widgets import evaluate

app = evaluate(["ham", "spam"] * 20, np.tile([[0.9, 0.1], [0.3, 0.7]], (20, 1)), "error-rate")
for _ in range(5):
    app.session.label(app.session.next().index % 2)
print(f"{app.session.n_labels} labels are given")
app
"""


@pytest.mark.slow
def test_a_notebook_with_the_app_becomes_html() -> None:
    notebook = new_notebook(cells=[new_code_cell(APP)])
    ExecutePreprocessor(timeout=300).preprocess(notebook)
    nbformat.validate(notebook)
    page, _ = HTMLExporter().from_notebook_node(notebook)
    assert "5 labels are given" in page
    assert "application/vnd.jupyter.widget-view+json" in page
