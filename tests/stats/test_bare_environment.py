"""The statistics stand on NumPy and SciPy alone."""

import subprocess
import sys
from pathlib import Path

import numpy
import scipy

import activeeval_widgets

SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from activeeval_widgets import stats
assert "scipy.stats" not in sys.modules  # slow to import: only what needs it does
predictions = stats.ClassPredictions([[0.9, 0.1], [0.4, 0.6]])
q = stats.optimal_q(stats.ErrorRate(), predictions)
stats.estimate(stats.ErrorRate(), predictions, q, [0, 1, 1], [0, 1, 0])
import numpy as np
options = {"methods": ["passive"], "budgets": [3], "n_replications": 5, "rng": np.random.default_rng(0)}
stats.replicate(stats.FMeasure(), predictions, [0, 1], **options)
stats.compare_all(stats.ErrorRate(), [predictions] * 3, q, [0, 1, 1], [0, 1, 0])
ranking = stats.RankingPredictions([["a", "b"]], [{"a": [0.5, 0.5], "b": [0.1, 0.9]}], grades=[0, 1])
stats.optimal_q(stats.ERR(), ranking)
for name in stats.__all__:
    getattr(stats, name)
packages = {name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names - {"__main__"}
print(" ".join(sorted(name for name in packages if not name.startswith("_"))))
"""


def test_stats_imports_and_runs_with_numpy_and_scipy_alone(tmp_path):
    for module in (numpy, scipy, activeeval_widgets):
        folder = Path(module.__file__).parent
        # Wheels keep their shared libraries beside the package.
        for found in (folder, folder.parent / f"{folder.name}.libs"):
            if found.exists():
                (tmp_path / found.name).symlink_to(found)
    # -S: no site-packages; -I: no environment variables and no current folder.
    done = subprocess.run(
        [sys.executable, "-S", "-I", "-c", SCRIPT, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    # Cython's runtime registers itself as a module wherever a compiled extension is loaded.
    assert set(done.stdout.split()) - {"cython_runtime"} == {"activeeval_widgets", "numpy", "scipy"}
