# What a newcomer, a maintainer and CI call. Needs make and Python 3.11 or later; all else goes
# into .venv, which is set up at first use and again whenever pyproject.toml changes.

VENV := .venv
BIN := $(VENV)/bin
# Each processor takes files of tests, and in the end what is left of those of others.
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist worksteal
DONE := $(VENV)/.installed

# make site SITE=--if-reachable: without npm's registry the docs are built alone.
SITE ?=

# PYTHON=/path/to/python chooses one; otherwise the first that is 3.11 or later.
PYTHON ?=
CANDIDATES := $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python

.PHONY: help try teach test check types proofs bench minefield precision generate site clean

help:
	@echo "make try           set up, and check a few URIs"
	@echo "make teach         set up, and open the first lesson in a browser"
	@echo "make test          the quick tests: every behavior, at small bounds"
	@echo "make check         every test, types, lint, and generated files up to date: what CI runs"
	@echo "make bench         measure, side by side with other libraries"
	@echo "make minefield     ask other parsers, and write where they depart from the grammar"
	@echo "make precision     how much of what the linter says is true, and how much it finds"
	@echo "make generate      build the generated files from grammars/; NAMES=… builds some of them"
	@echo "make site          build the docs and the page for learning as one site, in site/"
	@echo "make clean         remove $(VENV) and caches"

try: $(DONE)-try
	$(BIN)/uriproof check 'https://example.com/books?title=Emma#reviews' \
	    'http://example.com/a b?x=[1]#f#g' 'http://exa mple.com:8o80/100%' 'http://[1::2::3]/' \
	    || test $$? -eq 1
	@echo
	@echo "Now your own: $(BIN)/uriproof check 'http://…'"

teach: $(DONE)-try
	$(BIN)/uriproof teach --lesson 0

# In one process: a second one would import and rewrite all files of tests again.
test: $(DONE)-test
	$(BIN)/python -m pytest -m "not prove"

# A process of the tests would compile all of Python's files anew, were the bytecode not kept.
test check types proofs generate: export PYTHONDONTWRITEBYTECODE :=

# The generated files are what the tools write: git compares, so stage your changes before you run this.
check: $(DONE)-check generate
	git diff --exit-code --stat
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/uriproof lint .
	$(MAKE) --no-print-directory --jobs 2 types proofs

# mypy has one processor busy: beside it, the tests have the others.
types: $(DONE)-check
	$(BIN)/mypy src tools tests benchmarks conformance examples fuzz --exclude tests/teach/page --exclude conformance/parsers
	$(BIN)/mypy tests/teach/page  # by itself: it has a conftest of its own

proofs: $(DONE)-check
	$(PYTEST)

bench: $(DONE)-bench
	$(BIN)/python -m benchmarks

minefield: $(DONE)-bench
	$(BIN)/python -m conformance minefield

precision: $(DONE)-check
	$(BIN)/python -m tests.precision

generate: $(DONE)-check
	$(BIN)/python tools/generate.py $(NAMES)

site: $(DONE)-site
	$(BIN)/mkdocs build --strict
	$(BIN)/python tools/build_site.py site/learn --docs ../ $(SITE)

clean:
	rm -rf $(VENV) .cache site tests/artifacts .pytest_cache .mypy_cache .ruff_cache .hypothesis

# One mark per dependency group: installing for the tests does not wait for the benchmarks' peers.
$(DONE)-try: GROUP :=
$(DONE)-test: GROUP := --group test
$(DONE)-check: GROUP := --group check
$(DONE)-bench: GROUP := --group bench
$(DONE)-site: GROUP := --group site
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
	install="$(BIN)/python -m pip install --quiet --disable-pip-version-check"; \
	$$install 'pip>=25.1'; \
	$$install --editable . $(GROUP); \
	touch $@
