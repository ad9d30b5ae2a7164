# `make run` opens the page, `make test` proves everything. Both start from nothing but python3, make and pip.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: run test check bench signature chromium clean
.DELETE_ON_ERROR:

run: $(VENV)/installed
	$(BIN)/gridsage

test: $(VENV)/installed-test chromium check
	$(BIN)/python tests/compile_rooms.py
	$(BIN)/python -m pytest -n 2 --dist loadscope -q

check: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/installed-test
	$(BIN)/python bench/run.py

signature: $(VENV)/installed-test
	$(BIN)/python bench/signature.py

$(VENV)/python-is-right:
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(None if (3, 11) <= v <= (3, 13) else f"gridsage needs Python 3.11 to 3.13, {sys.executable} is {v[0]}.{v[1]}: try make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed: $(VENV)/python-is-right pyproject.toml constraints.txt
	$(PIP) --editable .
	@touch $@

$(VENV)/installed-test: $(VENV)/python-is-right pyproject.toml constraints.txt
	$(PIP) --editable '.[test]'
	@touch $@ $(VENV)/installed

chromium:
	@bash .ci/chromium

clean:
	rm -rf $(VENV) build dist
