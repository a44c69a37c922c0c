# Every target works from a fresh clone: it makes .venv, installs what is pinned in requirements/, and goes on.
# Needed beforehand: Python 3.11 as `python3` (or PYTHON=...), and make.

SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
SEED ?= 7
SYSTEM ?= w40k10
PORT ?= 8000
TABLE := src/sandtable/server/static/index.html
# Whether the browser table can be built here.
NODE := $(shell node -e 'process.exit(+(parseInt(process.versions.node) < 20))' 2>/dev/null && command -v npm)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play page warm test fuzz bench compiling wheel kills soak postgresql chromium browsing prove mutate agree battles referee closing strength docs screenshot shots format clean

help:
	@echo "make play     build the browser table and begin a battle there; without Node, show one that was played"
	@echo "make page     build the browser table, which sandtable serve then shows (needs Node 20)"
	@echo "make test     linters, type checker, import rules, all tests"
	@echo "make prove    knock the code of each rule out and demand that a test of each check fails"
	@echo "make mutate   make one slip at a time in the code of each rule and demand that its tests fail"
	@echo "make agree    solver, Monte Carlo kernel and battle on many more attacks than make test takes"
	@echo "make fuzz     2,000 damaged files of each kind: each is played, or refused in a sentence"
	@echo "make kills    kill the server 200 times while it is played on, and count what was lost"
	@echo "make soak     play on a server for half an hour, and see whether it keeps what it should not"
	@echo "make battles  500 random battles over all lists, tables and missions, watched for what must never happen"
	@echo "make referee  100 battles, every move and die of them judged again by code that shares nothing with the rules"
	@echo "make closing  charges and contact in 1,000 small layouts, 60 on rough ground and 200 large ones, held against a brute force"
	@echo "make strength 200 games of the tactician against each of the others"
	@echo "make bench    measure, as JSON"
	@echo "make compiling  measure what compiling all kernels takes, from nothing"
	@echo "make wheel    build the wheel, with the armies and the browser table, into dist/; without Node say WITHOUT_PAGE=1"
	@echo "make docs     draw the pictures of the documentation again"
	@echo "make screenshot  take the picture that the README begins with, in a browser"
	@echo "make shots    take a picture of every state of the browser table in three sizes, into out/shots/"
	@echo "make format   format the code"
	@echo "make clean    remove everything that was made here"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed; say PYTHON=... to name one."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python's venv is needed, too; on Debian: apt install python3-venv"; exit 1; }

$(INSTALLED): requirements/dev.txt pyproject.toml | $(BIN)/python
	@echo "Installing what is needed into $(VENV); this takes a minute or several."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q src || true
	@touch $@

# Battles need not wait for this: they begin at once and compile beside.
warm: $(INSTALLED)
	@$(BIN)/python -m sandtable.kernels.warm

# What is built already is played with; where that cannot be done, a battle is played and its page is shown.
play: $(INSTALLED)
	@$(if $(NODE),$(MAKE) --no-print-directory $(TABLE) || echo "The browser table could not be built; see above.",true)
	@if [ -f $(TABLE) ]; then exec $(BIN)/sandtable serve --port $(PORT) --battle; fi; \
	echo "Playing in the browser needs Node 20 or later, which builds the table."; \
	echo "Here is a battle of two computer players instead."; \
	mkdir -p out; \
	$(BIN)/sandtable battle --system $(SYSTEM) --seed $(SEED) --pictures out/ --html out/battle.html --open

page: web/node_modules/.installed
	cd web && npm run --silent check && npm run --silent build

$(TABLE): web/node_modules/.installed web/index.html web/vite.config.ts src/sandtable/page/drawing.js $(shell find web/src web/public -type f)
	cd web && npm run --silent build -- --logLevel warn
	@touch $@

web/node_modules/.installed: web/package.json web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	@touch $@

# The server is tested on PostgreSQL, too, where there is one: as root it is installed, without a cluster of its own.
postgresql:
	@if ! command -v initdb >/dev/null && ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    mkdir -p /etc/postgresql-common && echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf; \
	    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends \
	      -o Dpkg::Options::=--force-confold postgresql; } >/dev/null || echo "PostgreSQL could not be installed."; \
	  else echo "There is no PostgreSQL here; its tests are skipped (Debian's package is called postgresql)."; fi; \
	fi

# The table is played in a browser, too, where there is one: as root Debian's Chromium is installed.
chromium:
	@if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null && ! command -v google-chrome >/dev/null; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends chromium; } \
	      >/dev/null || echo "Chromium could not be installed; the tests in a browser are skipped."; \
	  else echo "There is no Chromium here; the tests in a browser are skipped (Debian's package is called chromium)."; fi; \
	fi

# What the browser shows is built before it is tested. Without Node, or what its packages come from, nothing is.
browsing: chromium
ifeq ($(NODE),)
	@echo "There is no Node 20 here to build the browser table: the tests in a browser \
	$(if $(wildcard $(TABLE)),play on the one that was built before,are skipped)."
else
	@if $(MAKE) -s web/node_modules/.installed; then \
	  (cd web && npm run --silent check) && $(MAKE) -s $(TABLE); \
	else echo "The browser table could not be built, see above; the tests in a browser are skipped."; fi
endif

# pytest comes last, so that its summary is the last line. Every part runs, and any of them can fail the whole.
test: warm postgresql
	@status=0; \
	$(MAKE) -s browsing || status=1; \
	$(BIN)/ruff check . || status=1; \
	$(BIN)/ruff format --check . || status=1; \
	$(BIN)/mypy || status=1; \
	$(BIN)/lint-imports || status=1; \
	if [ $$status -ne 0 ]; then echo "The checks before the tests failed; see above."; fi; \
	$(BIN)/python -m pytest -n 2 || status=1; \
	exit $$status

prove: warm
	$(BIN)/sandtable rules prove --checks

mutate: warm
	$(BIN)/sandtable rules mutate

agree: warm
	SANDTABLE_SLOW=1 $(BIN)/python -m pytest -n 2 tests/attack

fuzz: warm
	SANDTABLE_FUZZ=2000 $(BIN)/python -m pytest -n 2 tests/test_fuzz.py

kills: warm
	SANDTABLE_KILLS=200 $(BIN)/python tests/server/kills.py

soak: warm
	$(BIN)/python tests/server/soak.py

battles: warm
	$(BIN)/python bench/battles.py --system $(SYSTEM) --battles 500

referee: warm
	$(BIN)/python tests/referee/run.py --system $(SYSTEM) --battles 100 --processes 2 --looks

closing: warm
	$(BIN)/python bench/closing.py --layouts 1000

strength: warm
	$(BIN)/python bench/strength.py --games 200

bench: warm
	$(BIN)/sandtable bench --json

compiling: $(INSTALLED)
	$(BIN)/python bench/_compiling.py

wheel: $(INSTALLED) $(if $(NODE),$(TABLE))
	@[ -f $(TABLE) ] || [ "$(WITHOUT_PAGE)" = 1 ] || { echo "There is no Node 20 here to build the browser table; \
	say WITHOUT_PAGE=1 for a wheel that plays without it."; exit 1; }
	$(BIN)/python -m hatchling build -t wheel -d dist

docs: warm
	$(BIN)/python docs/build.py

screenshot: warm browsing
	$(BIN)/python docs/build_screenshot.py

shots: warm browsing
	$(BIN)/python tests/browser/shots.py $(SHOTS)

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(if $(NODE),$(MAKE) -s web/node_modules/.installed && cd web && npm run --silent format)

clean:
	rm -rf $(VENV) out build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
