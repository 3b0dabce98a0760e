import subprocess
import sys

import pytest

CODE = """
import sys
from activeeval_widgets.app.deferred_imports import defer_iri_grammars

defer_iri_grammars()
defer_iri_grammars()
import activeeval_widgets.app.cli
import activeeval_widgets.app.server
from activeeval_widgets.app.options import prepared_address

prepared_address("sessions.sqlite")
assert "voila" in sys.modules
found = {"numpy", "scipy", "pandas"} & set(sys.modules)
assert not found, f"{found} are for the pages' kernels"
assert "jsonschema" in sys.modules
assert "lark" not in sys.modules, "the grammars were prepared"

from jsonschema import FormatChecker
checker = FormatChecker()
assert checker.conforms("https://example.org/é", "iri")
assert "lark" in sys.modules
assert not checker.conforms("https://example.org/a b", "iri")
assert checker.conforms("é", "iri-reference")
assert not checker.conforms("é", "iri")
import rfc3987_syntax
assert "iri" in rfc3987_syntax.RFC3987_SYNTAX_TERMS
"""


@pytest.mark.slow
def test_a_server_starts_without_what_its_kernels_compute_with_and_without_the_grammars_of_iris():
    """Each took as long to import as all else; jsonschema reads the grammars all the same."""
    subprocess.run([sys.executable, "-c", CODE], check=True)


WITHOUT_STATS = """
import sys
import activeeval_widgets.app.page
import activeeval_widgets.widgets
assert "scipy.special" in sys.modules
assert "scipy.stats" not in sys.modules, "its distributions were made"
"""


@pytest.mark.slow
def test_a_kernel_starts_without_the_distributions_of_scipy():
    """They took as long to import as all else."""
    subprocess.run([sys.executable, "-c", WITHOUT_STATS], check=True)
