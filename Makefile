# minibert: every command installs what it misses, builds, and does its job. `make help` lists them.
# Data goes to stdout, all talk of setting up and building to stderr.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# LibTorch: Debian's package (debian), one for NVIDIA cards that pip installs into .venv (cuda, remembered as long as
# .venv is there), an installed Python torch (python), or a folder with TorchConfig.cmake, which Torch_DIR names too.
TORCH ?= $(or $(Torch_DIR),$(if $(wildcard .venv/cuda-torch),cuda,debian))
PRESET ?= release
export TORCH PRESET
# Threads sleep at barriers (lib/environment/thread_wait.h), in tests, too.
ifndef OMP_WAIT_POLICY
export GOMP_SPINCOUNT ?= 1000
endif

BUILD := build$(if $(filter release,$(PRESET)),,-$(PRESET))
PROGRAM := $(BUILD)/minibert
EXPERIMENTS := $(filter-out datasets,$(patsubst experiments/%.json,%,$(wildcard experiments/*.json)))
GROUPS := engine core $(if $(filter debian,$(TORCH)),torch) $(filter asan coverage,$(PRESET))
# Node.js from elsewhere brings its own npm, and Debian's package would conflict with it.
NPM := $(if $(shell command -v npm),,npm)
# A function, so that a target names what it needs: $(call ready,targets)
ready = @.setup/packages.sh $(GROUPS) && .setup/build.sh $(1)

# What a user gives is handed on as it is, in the environment: make would run $(shell …) in it, and the
# shell `…`.
# WSL has a NAME of its own, the machine's, in every environment.
ifeq ($(origin NAME),environment)
override NAME :=
endif
USER_VARIABLES := NAME PROFILE DATA SEEDS RUN RUNS FORMAT PORT TARGET TEXT MODEL PREFIX REMAKE MINUTES
$(foreach variable,$(USER_VARIABLES),$(eval override $(variable) := $$(value $(variable))))
export $(USER_VARIABLES)

##@ Experiments
.PHONY: experiment
experiment: ## NAME=… [PROFILE=quick|full] [DATA=dir] [SEEDS=1,2,3] [TORCH=cuda] [ARGS=…]: train all arms, compare them
	@[[ -n "$$NAME" ]] || { echo "make experiment: NAME=… is missing; there are: $(EXPERIMENTS)" >&2; exit 2; }
	@.setup/see_gpu.sh
	$(call ready,minibert)
	@{ .setup/packages.sh node $(NPM) && .setup/npm.sh lib/report/page; } || echo "the report waits for Vega (npm): make report" >&2
	@exec $(PROGRAM) run "$$NAME" $(if $(PROFILE),--profile "$$PROFILE") $(if $(DATA),--data "$$DATA") \
	  $(if $(SEEDS),--seeds "$$SEEDS") $(ARGS)

.PHONY: compare
compare: ## [NAME=…] [PROFILE=…] [RUNS=files] [FORMAT=table|json|markdown] [ARGS=…]: compare stored runs
	$(call ready,minibert)
	@read -ra files <<<"$$RUNS"; RUNS="$$(IFS=,; echo "$${files[*]}")"; \
	exec $(PROGRAM) compare $(if $(NAME),--name "$$NAME") $(if $(PROFILE),--profile "$$PROFILE") \
	  $(if $(RUNS),--runs "$$RUNS") $(if $(FORMAT),--format "$$FORMAT") $(ARGS)

.PHONY: report
report: ## [NAME=…] [PROFILE=…] [ARGS=…]: charts of the stored runs as a page, results/<experiment>/report.html
	@.setup/packages.sh $(GROUPS) node $(NPM)
	@.setup/build.sh minibert
	@.setup/npm.sh lib/report/page
	@exec $(PROGRAM) report $(if $(NAME),--name "$$NAME") $(if $(PROFILE),--profile "$$PROFILE") $(ARGS)

.PHONY: tables
tables: ## write the documents' tables anew, by the commands that stand beside them
	$(call ready,minibert)
	@BUILD=$(BUILD) .setup/tables.py

.PHONY: watch
watch: ## [NAME=…] [ARGS=…]: running experiments' curves in the terminal
	$(call ready,minibert)
	@exec $(PROGRAM) watch $(if $(NAME),"$$NAME") $(ARGS)

.PHONY: verify
verify: ## [RUN=file] [ARGS=…]: check a stored run, or all in results/, with their checksums
	$(call ready,minibert)
	@[[ -z "$$RUN" ]] || exec $(PROGRAM) verify "$$RUN" $(ARGS); \
	mapfile -d '' records < <(find -L results -name '*.h5' -print0); \
	exec $(PROGRAM) verify "$${records[@]}" $(ARGS)

.PHONY: reproduce
reproduce: ## RUN=file [ARGS=…]: run again what a record describes, and compare
	$(call ready,minibert)
	@exec $(PROGRAM) reproduce --run "$$RUN" $(ARGS)

# Two threads for everyone, and the tolerance of experiments/README.md.
.PHONY: speedrun
speedrun: ## [RUN=file] [DATA=dir] [ARGS=…]: pretraining in ten minutes of two cores; RUN: an entry's rerun decides about it
	$(call ready,minibert)
	@if [[ -n "$$RUN" ]]; then \
	  exec $(if $(DATA),env MINIBERT_DATA="$$DATA") $(PROGRAM) reproduce --run "$$RUN" --figure mlm_loss --tolerance 0.005 \
	  --threads 2 $(ARGS); fi; \
	exec $(PROGRAM) run speedrun --profile full --threads 2 $(if $(DATA),--data "$$DATA") $(ARGS)

.PHONY: inspect
inspect: ## RUN=file [ARGS=…]: what a run's record holds
	$(call ready,minibert)
	@exec $(PROGRAM) inspect "$$RUN" $(ARGS)

##@ Web page
.PHONY: demo
demo: demo-build ## [PORT=8000]: build the page and serve it on localhost
	@exec node wasm_demo/serve.mjs $(BUILD)/demo "$${PORT:-8000}"

.PHONY: demo-build
demo-build: ## build the page into build/demo, a folder for any static host; with the program all its models
	@.setup/packages.sh engine page
	@BUILD=$(BUILD) wasm_demo/build.sh

.PHONY: models
models: ## export the models that the tree has for the page and for try, wasm_demo/models, anew
	$(call ready,minibert)
	@BUILD=$(BUILD) wasm_demo/models.sh --tree

##@ In other programs
.PHONY: try
try: ## [TEXT="… [MASK] …", or ___, ( ), □, ○○ for it] [MODEL=file.mbq]: fill a sentence's masks with the engine alone, without LibTorch
	@.setup/packages.sh engine
	@.setup/engine.sh minibert_ask
	@exec build/engine/minibert-ask "$${MODEL:-wasm_demo/models/everyday-1m.mbq}" \
	  "$${TEXT:-제2차 세계 [MASK]은 1945년에 끝났다.}"

.PHONY: install
install: ## [PREFIX=/usr/local]: the engine for other programs: a library behind C functions, and minibert-ask
	@.setup/packages.sh engine
	@.setup/engine.sh minibert_ask
	@cmake --install build/engine --prefix "$${PREFIX:-/usr/local}"

.PHONY: install-program
install-program: ## [PREFIX=/usr/local]: the program minibert
	$(call ready,minibert)
	@cmake --install $(BUILD)/lib/cli --prefix "$${PREFIX:-/usr/local}"

.PHONY: wheel
wheel: ## a Python package of the engine and of the reader of records, build/*.whl, for pip install
	@.setup/packages.sh engine wheel
	@.setup/engine.sh minibert_api
	@python3 lib/api/python/make_wheel.py build/engine/lib/api/libminibert.so build

.PHONY: npm-package
npm-package: ## the page's engine as an npm package for pages of others, build/minibert-*.tgz, for npm install
	@.setup/packages.sh engine page $(NPM)
	@BUILD=$(BUILD) wasm_demo/package/build.sh

.PHONY: package
package: ## a release in build/package: sources, the engine, the wheel, what they are made of, checksums
	@.setup/packages.sh engine page
	@.setup/package.sh

##@ Development
.PHONY: setup
setup: ## install the packages that building, running and testing need
	@.setup/packages.sh $(GROUPS)

.PHONY: build
build: ## [PRESET=release|debug|asan|coverage] [TORCH=debian|cuda|python|dir]: build everything
	$(call ready)

.PHONY: test
test: ## build and run all tests but the long ones
	@.setup/packages.sh $(GROUPS) page web $(NPM)
	@.setup/build.sh
	@BUILD=$(BUILD) wasm_demo/build.sh >&2
	@.setup/npm.sh tests/web
	@.setup/npm.sh lib/report/page
	@.setup/test.sh

.PHONY: unit
unit: ## build and run the tests of single parts, a minute once built
	$(call ready,unit_tests)
	@LABEL=unit .setup/test.sh

.PHONY: soak
soak: ## the long tests: a thousand kills, full disks, several hosts, jobs on Slurm
	@.setup/packages.sh $(GROUPS) soak
	@.setup/build.sh
	@LABEL=soak TIMEOUT=7200 .setup/test.sh

.PHONY: peers
peers: ## [REMAKE=1]: check exports and imports in transformers, Keras, onnxruntime, …; also in build/peers.json
	@.setup/packages.sh $(GROUPS) peers page web $(NPM)
	@.setup/build.sh minibert
	@BUILD=$(BUILD) tests/peers/run.sh

.PHONY: bench
bench: ## measure speed, as ratios to a plain implementation; also in build/bench/native.json
	@.setup/packages.sh $(GROUPS) bench
	@.setup/build.sh minibert benches
	@.setup/bench.sh

.PHONY: bench-gpu
bench-gpu: ## [MINUTES=30]: on a machine with CUDA: right, how fast, the course's training; build/bench/gpu.json
	@.setup/packages.sh $(GROUPS) bench
	@.setup/build.sh minibert test_device bench_train
	@MINUTES="$${MINUTES:-30}" tests/bench/gpu.sh

.PHONY: bench-web
bench-web: ## measure the page's engine against its peers in Chromium, and reports; also in build/bench/
	@.setup/packages.sh $(GROUPS) page web $(NPM)
	@.setup/build.sh minibert
	@BUILD=$(BUILD) tests/bench/web/run.sh $(ARGS)
	@.setup/npm.sh tests/web
	@.setup/npm.sh lib/report/page
	@MINIBERT_PROGRAM=$(PROGRAM) node tests/bench/web/open_report.mjs $(BUILD)/bench/report.json

.PHONY: fuzz
fuzz: ## [TARGET=mbq] [SECONDS=600]: fuzz a reader of foreign files with libFuzzer (mbq, record, safetensors, …)
	@.setup/packages.sh $(GROUPS) fuzz
	@tests/fuzz/run.sh "$${TARGET:-mbq}" $(or $(SECONDS),600)

.PHONY: format
format: ## clang-format all own sources
	@.setup/packages.sh format
	@git ls-files -co --exclude-standard '*.cpp' '*.h' | xargs clang-format -i

.PHONY: check-format
check-format: ## does clang-format leave all own sources as they are?
	@.setup/packages.sh format
	@.setup/format.sh

.PHONY: lint
lint: ## [FILES="…"]: check formatting, and with clang-tidy the changed (or named) sources
	@.setup/packages.sh $(GROUPS) format lint
	@.setup/lint.sh $(FILES)

.PHONY: clean
clean: ## remove everything that was built; records, data and fetched sources stay
	@[[ ! -d build ]] || find build -mindepth 1 -maxdepth 1 ! -name sources -exec rm -rf {} +
	@rm -rf build-debug build-asan build-coverage build-lint

.PHONY: help
help: ## this list
	@awk 'BEGIN {FS = ":[^#]*## "} \
	  /^##@ / {title = substr($$0, 5)} \
	  /^[a-z-]+:[^#]*## / {if (title != "") {printf "%s%s\n", sep, title; sep = "\n"; title = ""} \
	    printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
