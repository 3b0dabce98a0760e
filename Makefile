# make demo   opens the demo in a browser; DEMO=text another one: text, ranking, images, regression, compare, leaderboard
# make test   everything that must hold, as in CI
# make quick  what takes less than a minute of it, for while you work
# make docs   the documentation as a site in build/docs; prints where its first page is
# make test-wasm  pages whose Python runs in the browser; PYODIDE=folder names an unpacked Pyodide, else one is fetched
# make bundle what the page runs, made of frontend/src anew (its own node comes with the test command)
#
# All set up what they need in .venv. PYTHON=/path/to/python chooses another interpreter.

VENV := .venv
BIN := $(VENV)/bin
PORT ?=
DEMO ?=

# A module is compiled once, not in every process anew: these tests start hundreds of them.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test quick docs bundle venv lint types layers frontend unit browser browser-setup compiled test-wasm clean help

help:
	@sed -n 's/^# \{0,1\}//p' Makefile

demo: $(VENV)/.demo
	$(BIN)/activeeval-widgets demo $(DEMO) $(if $(PORT),--port $(PORT))

# What needs one core each runs side by side, the longest first.
test:
	$(MAKE) --jobs=2 types frontend compiled layers lint browser-setup
	$(BIN)/python tools/run_tests.py -- $(PAGES) -- $(UNIT)

# Without servers, notebooks and simulations, and without the tests that are marked as slow.
quick: lint types layers
	$(BIN)/python -m pytest tests/stats tests/session tests/widgets tests/packaging tests/extending \
		-m 'not slow' --numprocesses 2 --dist loadfile --no-loadscope-reorder

# Without a network, once it is set up. A warning fails it.
docs: $(VENV)/.docs
	$(BIN)/python tools/build_docs.py

venv: $(VENV)/.test

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

layers: $(VENV)/.test
	$(BIN)/lint-imports

# The page's modules: types, linter, unit tests, and whether the bundle in the package is made of them.
frontend: $(VENV)/.frontend
	$(NPM) run --silent check

bundle: $(VENV)/.frontend
	$(BIN)/python tools/write_frontend_types.py
	$(NPM) run --silent bundle

# A file's tests share what they need, and so a process. There is one more than cores of the smallest machine
# that these are run on: a unit test of a server waits more than it computes.
SPREAD := --dist loadfile --no-loadscope-reorder
# The plugins left out are only for the browser, and look at every test.
UNIT := --ignore=tests/browser --numprocesses 3 $(SPREAD) -p no:playwright -p no:base_url -p no:anyio
PAGES := tests/browser --numprocesses 2 $(SPREAD)

unit: $(VENV)/.test
	$(BIN)/python -m pytest $(UNIT)

browser: browser-setup
	$(BIN)/python -m pytest $(PAGES)

# Fetched, it lies in build; no part of make test.
PYODIDE ?= build/pyodide

test-wasm: browser-setup $(VENV)/.lite
	[ -f $(PYODIDE)/pyodide-lock.json ] || bash tools/fetch_pyodide.sh $(BIN)/python $(PYODIDE)
	PYODIDE=$(abspath $(PYODIDE)) $(BIN)/python -m pytest tests/wasm

# All modules, once: processes that begin at the same time would each compile what they import.
compiled: $(VENV)/.test
	$(BIN)/python -m pytest --collect-only --quiet --quiet >/dev/null || true  # the tests will say why

browser-setup: $(VENV)/.test
	bash tools/install_browser.sh

# node comes as a wheel; its programs must find it.
NPM := PATH="$(abspath $(BIN)):$$PATH" $(BIN)/npm --prefix frontend

$(VENV)/.frontend: frontend/package.json frontend/package-lock.json $(VENV)/.test
	$(NPM) ci
	@touch $@

# Stamps: installed again only when pyproject.toml has changed. The package itself is installed editable.
$(VENV)/.demo: pyproject.toml | $(BIN)/python
	bash tools/install.sh $(VENV)
	@touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	bash tools/install.sh $(VENV) test
	@touch $(VENV)/.demo $@

# JupyterLite holds back some of Jupyter's packages.
$(VENV)/.lite: pyproject.toml | $(VENV)/.test
	bash tools/install.sh $(VENV) test,lite
	@touch $@

$(VENV)/.docs: pyproject.toml | $(BIN)/python
	bash tools/install.sh $(VENV) docs
	@touch $(VENV)/.demo $@

$(BIN)/python:
	PYTHON='$(PYTHON)' bash tools/make_venv.sh $(VENV)

clean:
	rm -rf $(VENV) frontend/node_modules build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
