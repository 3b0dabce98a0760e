# make demo   opens the demo in a browser; DEMO=text another one: text, ranking, images, regression, compare
# make test   everything that must hold, as in CI
#
# Both set up what they need in .venv. PYTHON=/path/to/python chooses another interpreter.

VENV := .venv
BIN := $(VENV)/bin
PORT ?=
DEMO ?=

.PHONY: demo test venv lint types layers unit browser browser-setup clean help

help:
	@sed -n 's/^# \{0,1\}//p' Makefile

demo: $(VENV)/.demo
	$(BIN)/activeeval-widgets demo $(DEMO) $(if $(PORT),--port $(PORT))

test: lint types layers unit browser

venv: $(VENV)/.test

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

layers: $(VENV)/.test
	$(BIN)/lint-imports

unit: $(VENV)/.test
	$(BIN)/python -m pytest --ignore=tests/browser --numprocesses 2 --dist loadfile --no-loadscope-reorder

browser: browser-setup
	$(BIN)/python -m pytest tests/browser --numprocesses 2 --dist loadgroup

browser-setup: $(VENV)/.test
	bash tools/install_browser.sh

# Stamps: installed again only when pyproject.toml has changed. The package itself is installed editable.
$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[demo]'
	@touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $(VENV)/.demo $@

$(BIN)/python:
	PYTHON='$(PYTHON)' bash tools/make_venv.sh $(VENV)

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
