# What a newcomer, a maintainer and CI call. Needs make and Python 3.11 or later; all else goes
# into .venv, which is set up at first use and again whenever pyproject.toml changes.

VENV := .venv
BIN := $(VENV)/bin
DONE := $(VENV)/.installed

# PYTHON=/path/to/python chooses one; otherwise the first that is 3.11 or later.
PYTHON ?=
CANDIDATES := $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python

.PHONY: help try test prove check bench differential precision generate clean

help:
	@echo "make try           set up, and proofread a few URIs"
	@echo "make test          the quick tests"
	@echo "make prove         the exhaustive proofs"
	@echo "make check         both, types, lint, and generated files up to date: what CI runs"
	@echo "make bench         measure, side by side with other libraries"
	@echo "make differential  where other libraries depart from the grammar"
	@echo "make precision     how much of what the linter says is true, and how much it finds"
	@echo "make generate      build the generated files from grammars/"
	@echo "make clean         remove $(VENV) and caches"

try: $(DONE)-try
	$(BIN)/uriproof check 'https://example.com/books?title=Emma#reviews' \
	    'http://example.com/a b?x=[1]#f#g' 'http://exa mple.com:8o80/100%' 'http://[1::2::3]/' \
	    || test $$? -eq 1
	@echo
	@echo "Now your own: $(BIN)/uriproof check 'http://…'"

test: $(DONE)-test
	$(BIN)/python -m pytest --numprocesses auto -m "not prove"

prove: $(DONE)-test
	$(BIN)/python -m pytest --numprocesses auto -m prove

check: $(DONE)-check
	$(BIN)/python -m pytest --numprocesses auto -m "not prove"
	$(BIN)/mypy src tools tests benchmarks
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/python tools/build_grammars.py --check
	$(BIN)/python tools/build_help.py --check
	$(BIN)/python tools/build_pages.py --check
	$(BIN)/python tools/build_codes.py --check
	$(BIN)/python tools/build_errata.py --check
	$(BIN)/python tools/build_schema.py --check
	$(BIN)/uriproof lint .

bench: $(DONE)-bench
	$(BIN)/python -m benchmarks

differential: $(DONE)-bench
	$(BIN)/python -m benchmarks.differential

precision: $(DONE)-test
	$(BIN)/python -m tests.precision

generate: $(DONE)-try
	$(BIN)/python tools/build_grammars.py
	$(BIN)/python tools/build_pages.py
	$(BIN)/python tools/build_codes.py
	$(BIN)/python tools/build_errata.py
	$(BIN)/python tools/build_schema.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

# One mark per set of extras: installing for the tests does not wait for the benchmarks' peers.
$(DONE)-try: EXTRA :=
$(DONE)-test: EXTRA := [test]
$(DONE)-check: EXTRA := [check]
$(DONE)-bench: EXTRA := [bench]
$(DONE)-%: pyproject.toml
	@set -e; \
	if ! $(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    found=; bare=; \
	    for candidate in $(CANDIDATES); do \
	        "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	        if "$$candidate" -c 'import ensurepip, venv' 2>/dev/null; \
	        then found=$$candidate; break; else bare=$$candidate; fi; \
	    done; \
	    if [ -z "$$found$$bare" ]; then \
	        echo "uriproof needs Python 3.11 or later; none of these is: $(CANDIDATES)" >&2; \
	        echo "Install one from https://www.python.org/downloads/, or give its path:" >&2; \
	        echo "    make $(MAKECMDGOALS) PYTHON=/path/to/python" >&2; \
	        exit 2; \
	    elif [ -z "$$found" ]; then \
	        echo "$$bare lacks the module venv. On Debian and Ubuntu:" >&2; \
	        echo "    sudo apt install python3-venv" >&2; \
	        exit 2; \
	    fi; \
	    echo "Setting up $(VENV) with $$("$$found" --version)"; \
	    rm -rf $(VENV); \
	    "$$found" -m venv $(VENV); \
	fi; \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.$(EXTRA)'; \
	touch $@
