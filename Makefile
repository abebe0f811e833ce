# Every target sets itself up: a virtual environment in .venv, made by the system's own Python (3.11 or newer).
#   make demo    compile examples/gemm_sm80.mlir to PTX, assemble it, show what came out
#   make test    the test suite but for its slow tests, in 5 minutes of processor time; make test-all adds these
#   make replay  whether everything compiles to the same text as at AGAINST, a commit (main where it is left out)
#   make lint    ruff and pyright
#   make bench   our code and compile time beside LLVM's
#   make bench-quality  our machine code beside LLVM's on kernels drawn by SEED, by group
#   make docs    the documentation site, in docs/_build/html
#   make refresh put the real output of the commands into README.md and docs
#   make vscode  the extension for VS Code, editors/vscode/weft.vsix (needs npm)
# PYTHON=python3.12 chooses the interpreter, JOBS=4 how many tests run at once.

PYTHON ?= python3
JOBS ?= 2
AGAINST ?= main
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# Where Python is told to keep no bytecode, every command that a test starts would compile the sources anew.
test test-all: export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test test-all replay lint bench bench-quality docs refresh vscode format clean

demo: $(VENV)/.core
	$(BIN)/python scripts/demo.py

# A file of tests is run by one process: what its tests share is made once.
test: $(VENV)/.dev $(VENV)/.oracles
	$(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile $(TESTS)

test-all: $(VENV)/.dev $(VENV)/.oracles
	$(BIN)/python -m pytest -q -n $(JOBS) -m "" $(TESTS)

replay: $(VENV)/.dev $(VENV)/.oracles
	$(BIN)/python -m tests.replay --against $(AGAINST)

lint: $(VENV)/.dev src/weft/ptx/build/families.pyi src/weft/dialects/rows.pyi
	@status=0; \
	$(BIN)/ruff check . || status=1; \
	$(BIN)/ruff format --check . || status=1; \
	$(BIN)/pyright --pythonpath $(BIN)/python || status=1; \
	exit $$status

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.core $(VENV)/.bench
	$(BIN)/python benchmarks/sass_vs_llvm.py
	$(BIN)/python benchmarks/compile_time.py
	$(BIN)/python benchmarks/parse_speed.py
	$(BIN)/python benchmarks/bytes_speed.py
	$(BIN)/python benchmarks/copy_dispatch.py
	$(BIN)/python benchmarks/simulator.py
	$(BIN)/python benchmarks/launches.py
	$(BIN)/python benchmarks/memory.py

bench-quality: $(VENV)/.core $(VENV)/.bench $(VENV)/.oracles
	cd benchmarks && ../$(BIN)/python -m quality --seed $(or $(SEED),1)

docs: $(VENV)/.docs
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs docs/_build/html
	$(BIN)/python scripts/check_links.py docs/_build/html

refresh: $(VENV)/.dev
	$(BIN)/python scripts/refresh_docs.py

vscode:
	cd editors/vscode && npm ci --no-audit --no-fund && npm test && npm run package

clean:
	rm -rf $(VENV) build dist docs/_build docs/reference/generated .pytest_cache .ruff_cache .hypothesis

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "weft needs Python 3.11 or newer; set PYTHON=python3.12, say" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip
	@touch $@

# What editors and type checkers see of the builder is written from the table of instructions.
src/weft/ptx/build/families.pyi: $(VENV)/.core $(wildcard src/weft/isa/table/*.py)
	$(BIN)/python scripts/builder_stub.py
	@touch $@

# And of the operations that are rows.
src/weft/dialects/rows.pyi: $(VENV)/.core scripts/row_stubs.py $(wildcard src/weft/dialects/*/*.py)
	$(BIN)/python scripts/row_stubs.py
	@touch $@

# ptxas is an extra: without it there is no assembling, and everything else works.
$(VENV)/.core: pyproject.toml $(VENV)/.made
	$(PIP) install --editable .
	@$(PIP) install --editable '.[ptxas]' || echo "note: ptxas could not be installed; going on without it" >&2
	@touch $@

$(VENV)/.dev: $(VENV)/.core
	$(PIP) install --editable '.[dev]'
	@touch $@

$(VENV)/.oracles: $(VENV)/.core
	@$(PIP) install --editable '.[oracles]' || echo "note: llvmlite or triton could not be installed; their tests skip" >&2
	@touch $@

$(VENV)/.docs: $(VENV)/.core
	$(PIP) install --editable '.[docs]'
	@touch $@

$(VENV)/.bench: $(VENV)/.core
	@$(PIP) install --editable '.[bench]' || echo "note: numba could not be installed; its column stays empty" >&2
	@touch $@
