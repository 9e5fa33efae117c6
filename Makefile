# Everything a newcomer or a continuous integration needs. `make` alone lists the targets.
# Needs: make, git and Python 3.11 or newer. Everything else is installed into .venv, checked by hash.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.9

# A stamp says that the environment holds what its lock file names; it is renewed when the lock or pyproject.toml is newer.
RUNTIME := $(VENV)/.runtime-installed
DEVELOPMENT := $(VENV)/.development-installed

# Sets $$python to the newest Python that can build an environment. PYTHON=/path/to/python overrides the search.
define find_python
python=; \
for candidate in $(or $(PYTHON),python3.13 python3.12 python3.11 python3); do \
	if $$candidate -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
		python=$$candidate; break; \
	fi; \
done; \
if [ -z "$$python" ]; then \
	echo "Worldwright needs Python 3.11 or newer, with its venv module. None of these is:" \
		"$(or $(PYTHON),python3.13 python3.12 python3.11 python3)." >&2; \
	echo "Install one (on Debian and Ubuntu: apt-get install python3 python3-venv)," \
		"or name it: make setup PYTHON=/path/to/python3" >&2; \
	exit 1; \
fi
endef

# Python compiles what it imports when it first does: compiling everything now would double the wait.
PIP_INSTALL := $(BIN)/python -m pip install -qq --no-input --disable-pip-version-check --no-compile

# $(call install,LOCK,WHAT): an environment with what LOCK names, each file checked by hash, and this source tree installed editable.
define install
@if ! $(BIN)/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	$(find_python); \
	echo "==> creating $(VENV) with $$($$python --version)"; \
	$$python -m venv --clear $(VENV) || exit 1; \
fi
@echo "==> installing $(2) from $(1) (once; takes about a minute)"
@$(PIP_INSTALL) --require-hashes -r $(1)
@$(PIP_INSTALL) --no-index --no-deps --no-build-isolation --editable .
endef

# $(call test,PYTEST OPTIONS): every check runs even when an earlier one fails; the tests' own summary is printed last.
define test
@lint=0; $(MAKE) --no-print-directory lint || lint=1; \
printf '\n==> pytest\n'; \
if [ $$lint = 1 ]; then echo 'The checks above FAILED; the tests run all the same.'; fi; \
$(BIN)/pytest -n auto $(1) && [ $$lint = 0 ]
endef

$(RUNTIME): requirements/runtime.lock pyproject.toml
	$(call install,requirements/runtime.lock,what Worldwright runs on)
	@touch $@

$(DEVELOPMENT): requirements/dev.lock pyproject.toml
	$(call install,requirements/dev.lock,what Worldwright runs on and is checked with)
	@touch $(RUNTIME) $@

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' Makefile

.PHONY: setup
setup: $(DEVELOPMENT) ## Create .venv with everything needed to run and to develop

.PHONY: run
run: $(RUNTIME) ## Serve the studio at http://127.0.0.1:8000 (PORT= for another), with a demo to look at
	@exec $(BIN)/python -m config.supervisor

.PHONY: browser
browser: $(DEVELOPMENT) ## Install Chromium for the end-to-end tests, where apt-get is at hand
	@command -v chromium >/dev/null || { \
		as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
		$$as_root apt-get update -qq && $$as_root apt-get install -y -qq --no-install-recommends chromium; }

.PHONY: demo
demo: $(RUNTIME) ## Play a ready scenario with several agents and print a scored table
	@$(BIN)/worldwright demo

.PHONY: test
test: $(DEVELOPMENT) ## Check style, types and import order, then run the tests
	$(call test,)

.PHONY: test-all
test-all: $(DEVELOPMENT) ## The same with the slow tests
	$(call test,-m "slow or not slow")

.PHONY: bundles-test
bundles-test: $(DEVELOPMENT) ## Load bundles in every framework, each in its own environment, and print who pays the same reward
	@$(BIN)/pytest -n auto -m "slow or not slow" tests/bundle

.PHONY: lint
lint: $(DEVELOPMENT) ## Check style, types and import order only
	@status=0; \
	printf '\n==> ruff format\n'; $(BIN)/ruff format --check . || status=1; \
	printf '\n==> ruff check\n'; $(BIN)/ruff check . || status=1; \
	printf '\n==> mypy --strict\n'; $(BIN)/mypy || status=1; \
	printf '\n==> import order\n'; $(BIN)/lint-imports --no-logo --no-cache || status=1; \
	exit $$status

.PHONY: format
format: $(DEVELOPMENT) ## Format the code and mend what ruff can mend
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

.PHONY: bench
bench: $(RUNTIME) ## Measure speed, one script after the other, beside the usual alternatives
	@for script in $(filter-out benchmarks/report.py,$(wildcard benchmarks/*.py)); do \
		printf '\n==> %s\n' "$$script"; $(BIN)/python "$$script" || exit 1; \
	done
	@printf '\nThe results are in build/bench; %s puts them into docs/performance.md.\n' \
		'$(BIN)/python benchmarks/report.py --write'

LOCK := .cache/lock-tools/bin/uv pip compile --no-config --quiet --universal --python-version 3.11 \
	--fork-strategy fewest --generate-hashes --no-header --no-annotate --no-emit-index-url --upgrade

.PHONY: lock
lock: ## Choose the newest allowed dependencies and write the lock files
	@$(find_python); \
	[ -x .cache/lock-tools/bin/uv ] || $$python -m venv .cache/lock-tools
	@.cache/lock-tools/bin/python -m pip install -qq --disable-pip-version-check uv==$(UV_VERSION)
	@$(LOCK) pyproject.toml requirements/build.in --extra parquet --extra serve --extra studio -o requirements/runtime.lock
	@$(LOCK) pyproject.toml requirements/build.in --extra dev -c requirements/runtime.lock -o requirements/dev.lock
	@$(LOCK) pyproject.toml -c requirements/runtime.lock -o simulator/bundle/engine_requirements.lock

.PHONY: clean
clean: ## Remove caches and build output (the environment stays; rm -r .venv removes it)
	@rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -path ./$(VENV) -prune -o -name __pycache__ -type d -exec rm -rf {} +
