# Two commands matter: `make run` serves Tallyroom, `make test` proves it. Python 3.11, Node, npm and make are enough.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
BIN = .venv/bin
PIP = $(BIN)/python -m pip install --disable-pip-version-check --quiet --require-hashes
PRETTIER = node_modules/.bin/prettier
DJHTML = $(BIN)/djhtml --tabwidth 2

.PHONY: run test lint types imports pytest fmt bench check-doors soak lock chromium tesseract install install-dev bandit sbom
.PHONY: attack furnish kit strace mkfs install-many test-browser test-postgres soak-postgres postgres nginx
.DELETE_ON_ERROR:

# Machines that run in containers often forbid Python to keep what it has compiled. Each test process, and each site that a
# test starts, would compile all modules anew: half of the time until its first test, a third of the time until it answers.
unexport PYTHONDONTWRITEBYTECODE

run: install
	@HOST=$(HOST) PORT=$(PORT) $(BIN)/python -m config.serve

install: .venv/run.stamp node_modules/.stamp
# With PostgreSQL and buckets, for a site on many machines.
install-many: .venv/many.stamp node_modules/.stamp
install-dev: .venv/dev.stamp node_modules/.stamp

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/run.stamp: requirements.lock | .venv/bin/python
	$(PIP) -r requirements.lock
	@touch $@

.venv/many.stamp: requirements-many.lock | .venv/bin/python
	$(PIP) -r requirements-many.lock
	@touch $@ .venv/run.stamp

# The second lock holds the first one's versions too.
.venv/dev.stamp: requirements-dev.lock | .venv/bin/python
	$(PIP) -r requirements-dev.lock
	@touch $@ .venv/run.stamp .venv/many.stamp

node_modules/.stamp: package-lock.json package.json
	npm ci --loglevel=error
	@touch $@

test: install-dev chromium tesseract strace
	@$(MAKE) --no-print-directory --output-sync=target --jobs=2 types lint imports furnish
	@$(MAKE) --no-print-directory pytest

lint: install-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(PRETTIER) --check static/css static/js
	$(DJHTML) --check templates
	$(BIN)/python -m tests.security.weaknesses

types: .venv/dev.stamp
	$(BIN)/mypy

imports: .venv/dev.stamp
	$(BIN)/lint-imports

# On all cores, with one process more than there are: some tests wait. A file stays with one process, for the sites and
# the Chromium that its tests share; the longest begin.
SPREAD = -n $(shell expr $$(nproc) + 1) --dist loadfile --no-loadscope-reorder
BROWSER = $(SPREAD) -m browser tests/browser
pytest: install-dev
	$(BIN)/python -m pytest -q $(SPREAD) -m "not browser" --ignore=tests/browser
	$(BIN)/python -m pytest -q $(SPREAD) -m "browser and not thorough" tests/browser

# Sets the pages of the books once, for all sites of the browser tests.
furnish: install-dev
	$(BIN)/python -m tests.browser.site

# All browser tests: also those that show the same once more on another screen or in another rhythm. PACE=delay answers up to 400 ms late, at random by SEED=7; PACE=throttle slows phones four times.
test-browser: install-dev chromium tesseract
	$(BIN)/python -m pytest -q $(BROWSER)

# The ledger, streams and search once more on PostgreSQL, and two processes behind nginx: on a private server,
# or on the one TEST_DATABASE_URL names.
test-postgres: install-dev postgres nginx
	$(BIN)/python -m tests.postgres

# The browser tests come after the others, as long as they are in make test: each site has a database of its own.
soak-postgres: install-dev postgres nginx chromium tesseract
	SOAK=1 $(BIN)/python -m tests.postgres -n auto $(or $(ONLY),-m "not browser" tests)
	$(if $(ONLY),,$(BIN)/python -m tests.postgres $(BROWSER))

postgres:
	@test -n "$(TEST_DATABASE_URL)" || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || .ci/install postgresql-15

nginx:
	@test -x /usr/sbin/nginx || command -v nginx >/dev/null || .ci/install nginx

# Records what reaches the disk, for the promise about power cuts.
strace:
	@command -v strace >/dev/null || .ci/install strace

# Makes the disk images of that promise in make soak.
mkfs:
	@test -x /usr/sbin/mkfs.ext4 || command -v mkfs.ext4 >/dev/null || .ci/install e2fsprogs

# With a face that phones and desks have too: our own come after it, and nothing may move then.
chromium:
	@command -v chromium >/dev/null && fc-list | grep -qiE "liberation|arial" || .ci/install chromium fonts-liberation
	@command -v chromium-headless-shell >/dev/null || .ci/install chromium-headless-shell || echo "Tests use Chromium with windows."

tesseract:
	@command -v tesseract >/dev/null || .ci/install tesseract-ocr tesseract-ocr-eng

fmt: install-dev
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format .
	$(PRETTIER) --log-level warn --write static/css static/js
	$(DJHTML) templates

# What phones take along to play without network; every start builds it too. SMALL=1 compresses as far as can be, in a minute.
kit: install
	@$(BIN)/python -m phone.kit $(if $(SMALL),--small)

# SCANS=folder ONLY=real_scans measures pictures of others with their PAGE files.
bench: install-dev chromium postgres tesseract
	ONLY=$(ONLY) $(BIN)/python -m tests.bench

# Attacks a site of its own as strangers with patience would, one line for each finding; fails if one is not held.
# SITE_ROOT=/another/checkout attacks that one, SITE=127.0.0.1:8000 one that runs, ONLY=7,9 tries some of them.
attack: install-dev chromium nginx
	$(BIN)/python -m tests.security.attacks

# Outside clients and validators against the running product; they live in environments of their own under var/.
check-doors: install-dev chromium
	$(BIN)/python -m tests.interop

# The full figures of docs/resilience.md, for hours. ONLY=tests/resilience/test_kills.py keeps to one of them.
soak: install-dev strace chromium tesseract nginx mkfs
	SOAK=1 $(BIN)/python -m pytest -q $(or $(ONLY),-m "not browser")
	$(if $(ONLY),,SOAK=1 $(BIN)/python -m pytest -q tests/browser/test_script_strings.py)

# Known weaknesses in our own code, each answered where it stands; `make lint` asks the same.
bandit: .venv/dev.stamp
	$(BIN)/python -m tests.security.weaknesses

# What the product is made of, in var/sbom.json (CycloneDX), from the locks.
sbom: .venv/dev.stamp
	$(BIN)/python -m tests.security.materials

lock: .venv/bin/python
	@test -x $(BIN)/uv || $(PIP) -r requirements-dev.lock
	$(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	  --no-header --no-annotate --quiet -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --extra many --universal --python-version 3.11 --generate-hashes \
	  --no-header --no-annotate --quiet -c requirements.lock -o requirements-many.lock
	$(BIN)/uv pip compile pyproject.toml --extra many --group dev --universal --python-version 3.11 --generate-hashes \
	  --no-header --no-annotate --quiet -c requirements-many.lock -o requirements-dev.lock
	npm install --package-lock-only --loglevel=error
