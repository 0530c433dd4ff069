# Keywright's commands; `make` alone lists them. Works with the make of Debian and of macOS.

.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

# The first Python here that is new enough. PYTHON=... chooses another.
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	if "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	then echo "$$name"; break; fi; done)
export PYTHON
# Where this is set, every process of every test compiles all the code again.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
FAST := not browser and not proof and not engine_local and not slow and not postgres

.PHONY: help setup run test test-fast slow check check-types check-others bench pictures format lock vendor clean engines

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: .venv/base.stamp ## make .venv and install what the site needs

.venv/base.stamp: requirements/base.txt
	@test -n "$(PYTHON)" || { echo "Keywright needs Python 3.11 or newer." >&2; exit 1; }
	@tools/system_packages.sh python
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear .venv
	@echo "Installing requirements/base.txt into .venv"
	@$(PIP) install --require-hashes -r requirements/base.txt
	@tools/system_packages.sh pdf
	@touch $@

.venv/dev.stamp: .venv/base.stamp requirements/dev.txt
	@echo "Installing requirements/dev.txt into .venv"
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

engines: .venv/dev.stamp
	@tools/system_packages.sh tests
	@tools/dynamodb_local.sh install

run: setup ## serve the site at the printed address; PORT=9000 chooses the port
	@$(BIN)/python manage.py migrate --verbosity 0
	@exec $(BIN)/python -m tools.supervise

test: .venv/dev.stamp engines ## run every test: the pages on PostgreSQL too, and in Chromium
	tools/with_postgres.sh $(BIN)/pytest -q -n 2 --dist worksteal -m "not browser and not pages" tests/test_editors.py tests/web
	KEYWRIGHT_REQUIRE_ENGINES=1 $(BIN)/pytest -q -n 2 --dist worksteal --durations=30

test-fast: .venv/dev.stamp ## run the tests that need no browser, engine, Java or patience
	$(BIN)/pytest -q -n auto --maxprocesses 8 -m "$(FAST)"

slow: .venv/dev.stamp ## find the tests that take too long for test-fast, and list them in tests/slow.txt
	$(BIN)/pytest -q -n 2 -m "$(FAST)" --update-slow

check: .venv/dev.stamp ## check format, lint, imports, types, Django, migrations, vendored files
	@$(MAKE) --no-print-directory -j 2 check-types check-others

# Mypy takes one core for long; the others run beside it.
check-types: .venv/dev.stamp
	$(BIN)/mypy

check-others: .venv/dev.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/python manage.py check --settings tests.settings --fail-level WARNING
	KEYWRIGHT_HTTPS=1 KEYWRIGHT_SITE_URL=https://keywright.example.com $(BIN)/python manage.py check --settings tests.settings --deploy --fail-level WARNING
	$(BIN)/python manage.py makemigrations --settings tests.settings --check --dry-run
	$(BIN)/python tools/vendor.py --check

bench: .venv/dev.stamp ## time what should stay fast; ONLY=plan runs some of it
	$(BIN)/python -m tools.bench $(ONLY)

pictures: .venv/dev.stamp ## take README's pictures anew (needs Chromium)
	$(BIN)/python -m tools.pictures

format: .venv/dev.stamp ## format the code and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

COMPILE = ../.venv/lock/bin/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-annotate --no-header --no-emit-index-url --system-certs $(if $(UPGRADE),--upgrade)

lock: setup ## compile requirements/*.in; UPGRADE=1 takes newer versions
	test -x .venv/lock/bin/uv || { $(BIN)/python -m venv .venv/lock && .venv/lock/bin/pip install -q uv; }
	cd requirements && $(COMPILE) -o base.txt base.in && $(COMPILE) -o dev.txt dev.in

vendor: setup ## fetch the browser-side files that vendor.lock names (needs npm)
	$(BIN)/python tools/vendor.py

clean: ## remove .venv and caches; what the site keeps in var/ stays
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis test-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
