# `make demo` and `make test` set up all they need in .venv; nothing has to be installed by hand but Python 3.11+.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
STAMP = $(VENV)/.installed

.PHONY: demo test stress lint type results docs pictures audit sbom fuzz plugs clean

# Last comes UCCA's own toolkit, for tests and benchmarks alone, without the needs it declares and we do not use.
$(STAMP): pyproject.toml constraints.txt
	@echo "Setting up $(VENV), once: two minutes on an idle machine, up to ten on a busy one"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check -c constraints.txt -e '.[all,dev]'
	$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check -c constraints.txt --no-deps UCCA
	touch $@

demo: $(STAMP)
	@echo "English: the same originals split by hand, cut short, and changed in meaning"
	@$(BIN)/sema score --lang en -s examples/en/original.txt -o examples/en/split.txt -o examples/en/shortened.txt -o examples/en/changed.txt
	@echo; echo "Why: an item of changed.txt, its problems first, then Scene by Scene"
	@$(BIN)/sema explain --lang en -s examples/en/original.txt -o examples/en/changed.txt --item 2
	@echo; echo "Chinese: simplified by hand, cut short, and changed in meaning"
	@$(BIN)/sema score --lang zh -s examples/zh/original.txt -o examples/zh/simplified.txt -o examples/zh/shortened.txt -o examples/zh/changed.txt
	@echo; echo "Why: the same item of its changed.txt"
	@$(BIN)/sema explain --lang zh -s examples/zh/original.txt -o examples/zh/changed.txt --item 2
	@echo; echo "meaning: does it still say what the original said, and nothing else; sema: which Scenes survived;"
	@echo "samsa: is each Scene kept and in a sentence of its own. All run from 0 to 100, higher is better; split.txt and"
	@echo "simplified.txt lose little; the others lost a lot or say something wrong. The line below a table is its signature:"
	@echo "give it with the figures, so that others can compute them again."
	@echo "Your own texts: $(BIN)/sema score --lang en -s original.txt -o system.txt (one item a line); more in README.md"

# One process a core; a file's tests stay together, because they share models. SELECT: more arguments, "-m data" say.
# No process waits for schemathesis, which only `make stress` uses.
test: $(STAMP)
	$(BIN)/python -m pytest -n auto --dist loadfile -p no:schemathesis $(SELECT)

# What depends on chance, time or other processes: signals and kills at random, load, random examples, fuzzing. The seed
# repeats the draws: make stress SEMA_SEED=1.
SEMA_SEED ?= $(shell date +%s)
STRESS_SECONDS ?= 60

stress: $(STAMP)
	@echo "SEMA_SEED=$(SEMA_SEED)"
	SEMA_SEED=$(SEMA_SEED) $(BIN)/python -m pytest -n auto --dist loadfile -m "stress or hypothesis" -rs \
	  --hypothesis-profile=chance --hypothesis-seed=$(SEMA_SEED)
	$(BIN)/python -m tests.fuzz $(STRESS_SECONDS) --seed $(SEMA_SEED)
	@echo "passed with SEMA_SEED=$(SEMA_SEED)"

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/python -m benchmarks.made_with
	$(BIN)/python -m benchmarks.render --check
	! git grep -nE '^(<<<<<<<|>>>>>>>)( |$$)'

type: $(STAMP)
	$(BIN)/mypy

# Recorded figures (benchmarks/results/*.jsonl) into RESULTS.md, the pages of results, the README and the documents.
results: $(STAMP)
	$(BIN)/python -m benchmarks.render

# Offline once this is installed: every warning is an error. The pages are in docs/_build. The first line writes what the
# commands on them print, and their pictures, where these no longer say the same.
DOCS = $(VENV)/.docs

$(DOCS): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	touch $@

docs: $(DOCS)
	$(BIN)/python docs/generate.py
	$(BIN)/python -m sphinx -W --keep-going -q docs docs/_build
	@echo "open docs/_build/index.html"

# The documentation's pictures, as the browser tests compare them; chromium and chromedriver draw them.
pictures: $(STAMP)
	SEMA_PICTURES=write $(BIN)/python -m pytest -q -m stress tests/stress/browser/test_pictures.py

# Both read the pinned versions; the first asks a service about each and fails on packages that it does not know.
audit: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt 'pip-audit>=2.7'
	$(BIN)/pip-audit --strict --no-deps --disable-pip -r constraints.txt

sbom: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt 'cyclonedx-bom>=5'
	$(BIN)/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible -o sbom.json constraints.txt

# Libraries whose pins do not go together with ours, each in an environment of its own, with the test of its plug.
PLUGS ?= $(basename $(notdir $(wildcard tests/sema/plugs/pins/*.txt)))

plugs: $(PLUGS:%=plug-%)

plug-%:
	$(PYTHON) -m venv $(VENV)-plugs/$*
	$(VENV)-plugs/$*/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r tests/sema/plugs/pins/$*.txt -e .
	$(VENV)-plugs/$*/bin/python -c "import $(if $(filter inspect,$*),inspect_ai,$*)"
	$(VENV)-plugs/$*/bin/python -m pytest tests/sema/plugs -k $*

# FUZZ_SECONDS are for all targets together.
FUZZ_SECONDS ?= 600

fuzz: $(STAMP)
	$(BIN)/python -m tests.fuzz $(FUZZ_SECONDS)

clean:
	rm -rf $(VENV) $(VENV)-plugs
