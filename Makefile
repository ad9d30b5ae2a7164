# `make run` opens the page, `make test` proves everything. Both start from nothing but python3, make and pip.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Python compiles what is imported; with all that is installed it would take as long again.
PIP := $(BIN)/pip install --no-compile --quiet --disable-pip-version-check --constraint constraints.txt
SEED ?= 1
MUTANTS ?= 400
# Some systems forbid Python to keep what it has compiled; then each of a thousand processes would compile all it imports.
unexport PYTHONDONTWRITEBYTECODE
# While one core fetches packages or checks types, the other one compiles kernels.
MAKEFLAGS += --jobs=2

.PHONY: run test compiled check browser-check browser-test nojit long bench house signature docs mutants browsers players hooks clean
.DELETE_ON_ERROR:

run: $(VENV)/installed
	$(BIN)/gridsage

test: compiled $(VENV)/installed-test browsers players check browser-test
	$(BIN)/python -m pytest -n 2 --dist loadscope -q

# The kernels of all rooms, compiled before the tests, so that no test waits for them, while pip fetches what tests need.
compiled: $(VENV)/installed
	PYTHONPATH=src $(BIN)/python tests/compile_rooms.py

check: $(VENV)/installed-test hooks browser-check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Types, format and unit tests of the page's modules. Without node they are skipped, and fail where CI=true.
browser-check:
	@bash .ci/node; code=$$?; if [ $$code = 0 ]; then npm run --silent types && npm run --silent check-format; else [ $$code = 2 ]; fi

browser-test:
	@bash .ci/node; code=$$?; if [ $$code = 0 ]; then npm run --silent test; else [ $$code = 2 ]; fi

# The tests of the rules with kernels as plain Python. Whole games by masters would take hours and stay out.
nojit: $(VENV)/installed-test
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -m 'not compiled' tests/core tests/games/*/test_level.py tests/games/*/test_ends.py tests/games/*/test_rules.py tests/games/*/test_kernels.py tests/games/*/test_view.py

# What CI does not run, because it takes long.
long: $(VENV)/installed-test nojit
	GRIDSAGE_LONG=1 $(BIN)/python -m pytest -q -m long

# OLD=FOLDER: a checkout of commit 2917b23 to be measured beside this one; LONG=1: hours instead of minutes.
bench: $(VENV)/installed-test
	$(BIN)/python bench/run.py $(if $(OLD),--old $(OLD)) $(if $(LONG),--long)

house: $(VENV)/installed-test
	$(BIN)/python bench/house.py

signature: $(VENV)/installed-test
	$(BIN)/python bench/signature.py

docs: $(VENV)/installed-test
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "the documentation is in build/docs/index.html"

mutants: $(VENV)/installed-test
	$(BIN)/python bench/mutants.py --seed $(SEED) --count $(MUTANTS)

$(VENV)/python-is-right:
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(None if (3, 11) <= v <= (3, 13) else f"gridsage needs Python 3.11 to 3.13, {sys.executable} is {v[0]}.{v[1]}: try make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed: $(VENV)/python-is-right pyproject.toml constraints.txt
	$(PIP) --editable '.[page,nethack,pictures]'
	@touch $@

$(VENV)/installed-test: $(VENV)/installed
	$(PIP) --editable '.[test]'
	@touch $@

browsers:
	@bash .ci/browsers

players:
	@bash .ci/players

hooks:
	@bash .ci/install-hooks

clean:
	rm -rf $(VENV) build dist node_modules
