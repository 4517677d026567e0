# Two commands matter: `make demo` shows a phone opening a gate, `make test` runs every test.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Warnings are errors with the compiler we develop on; Swift 6.0 words some of them differently.
SWIFT_VERSION := $(shell swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+\.[0-9]+).*/\1/p' | head -n 1)
STRICT := $(if $(filter-out 6.0 6.1,$(SWIFT_VERSION)),-Xswiftc -warnings-as-errors)
# A room that imports another one which Package.swift does not grant it does not compile.
SWIFT_FLAGS := $(STRICT) --explicit-target-dependency-import-check error
# As in debian/rules: what nobody looks up by name is not exported, and relocations are packed. GNU gold cannot.
LINKED := -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs
RELEASE_FLAGS := -c release --static-swift-stdlib $(LINKED) $(SWIFT_FLAGS)
JOBS ?= $(shell nproc)
PROGRAMS := tapstiled tapstile tapstile-nfc tapstile-net tapstile-authority tapstile-phone

.PHONY: help
help: ## This list
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

.PHONY: build
build: ## Debug build of everything
	scripts/install-dependencies build
	swift build -j $(JOBS) $(SWIFT_FLAGS)

.PHONY: release
release: ## Release build of the programs, static Swift library
	scripts/install-dependencies build
	swift build -j $(JOBS) $(RELEASE_FLAGS)

# Builds nothing: it runs as root, and root need not have a compiler.
BIN ?= .build/release

.PHONY: install
install: ## Puts what `make release` built on this machine (as root)
	DESTDIR='$(DESTDIR)' scripts/install '$(BIN)'

.PHONY: install-office
install-office: ## The office of `make release`, on a machine that is no gate (as root)
	DESTDIR='$(DESTDIR)' scripts/install --office '$(BIN)'

.PHONY: uninstall-office
uninstall-office: ## Takes it away again; keys and repositories stay (as root)
	DESTDIR='$(DESTDIR)' scripts/install --office --remove

.PHONY: uninstall
uninstall: ## Takes it away again; keys, configuration and journal stay (as root)
	DESTDIR='$(DESTDIR)' scripts/install --remove

# The hardware a demonstration may use is named on the command line, or none is touched. READER=virtual-pn532 is no hardware: a PN532 played
# by a program, behind the real libnfc.
.PHONY: demo
demo: ## A phone opens a gate, here and now (real hardware: READER=… GPIOCHIP=… LINE=…)
	scripts/install-dependencies build run demo
	@for program in $(PROGRAMS); do \
	    echo "building $$program"; \
	    swift build -j $(JOBS) $(RELEASE_FLAGS) --product $$program; \
	done
	@READER=$(call named,READER) PHONE=$(call named,PHONE) GPIOCHIP=$(call named,GPIOCHIP) LINE=$(call named,LINE) \
	    scripts/demo "$$(swift build $(RELEASE_FLAGS) --show-bin-path)"

# The value of a variable that was given to make itself, quoted; not one that happens to be in the environment.
named = '$(if $(filter command,$(firstword $(origin $(1)))),$(subst ','\'',$($(1))))'

.PHONY: test
test: ## Every test (installs what is missing)
	scripts/test

# What a power cut may cost is measured in boards whose kernel is killed: 200 times in each story, then with a disk that drops writes.
.PHONY: test-power
test-power: ## Cut a board's power 200 times under continuous taps, and 200 times while it synchronises, too (CUTS=… SEED=…)
	scripts/install-dependencies build run board
	@for program in $(PROGRAMS); do swift build -j $(JOBS) $(SWIFT_FLAGS) --product $$program; done
	@bin=$$(swift build --show-bin-path) seed='$(if $(SEED),--seed $(SEED))'; \
	    for story in taps sync; do \
	        lab/power --bin "$$bin" --story $$story --cuts $(or $(CUTS),200) $$seed; \
	        lab/power --bin "$$bin" --story $$story --cuts 20 $$seed --disk flakey; \
	    done

.PHONY: lab
lab: ## What boards need: a kernel, Debian 12 and 13 (as root; made once, then from the cache)
	scripts/install-dependencies board
	lab/prepare

.PHONY: test-board
test-board: ## The gate on boards of Debian 12 and 13 with simulated lines (as root)
	scripts/test board

.PHONY: test-bluetooth
test-bluetooth: ## The gate's radio on a board with emulated controllers: phones of every kind, bluetoothd killed (as root)
	scripts/test bluetooth

# Not part of `make test`: says whether the tests would notice what nobody must be able to change unnoticed.
.PHONY: mutants
mutants: ## Change the product in recorded ways, one line each: the test beside each must fail (NAMES=…)
	scripts/install-dependencies build run test
	Tests/Mutants/run $(NAMES)

.PHONY: deb
deb: ## Debian packages for 12 and 13, in .build/deb
	scripts/install-dependencies build deb
	scripts/deb

.PHONY: deb-arm64
deb-arm64: ## Debian 13 packages for arm64 from this processor, in .build/deb/13-arm64, tried on an emulated one
	scripts/install-dependencies build deb
	scripts/deb 13 --for arm64
	Tests/Smoke/on-arm64 .build/deb/13-arm64

.PHONY: bench
bench: ## Measure a gate: one JSON object a line, fails when a bar is missed (OPTIONS="--dir FOLDER")
	@scripts/install-dependencies build run test >&2
	@for product in tapstiled tapstile-nfc tapstile-authority tapstile-bench; do \
	    swift build -j $(JOBS) $(RELEASE_FLAGS) --product $$product >&2; done
	@.build/release/tapstile-bench $(OPTIONS)

.PHONY: soak
soak: ## A million taps, a reader killed 500 times, a day of polling: nothing may grow (45 to 90 minutes; TAPS=10000 KILLS=20 POLLING=30 for less)
	@scripts/install-dependencies build >&2
	@for product in tapstile-nfc tapstile-bench; do swift build -j $(JOBS) $(RELEASE_FLAGS) --product $$product >&2; done
	@.build/release/tapstile-bench --soak $(or $(TAPS),1000000) --kills $(or $(KILLS),500) --polling $(or $(POLLING),1440) $(OPTIONS)

.PHONY: load
load: ## A thousand gates at one nginx: requests and bytes of a gate a day, one JSON object a line (OPTIONS="--gates 50")
	@scripts/install-dependencies build test >&2
	@for product in sync-clients tapstile-authority; do swift build -j $(JOBS) $(RELEASE_FLAGS) --product $$product >&2; done
	@TAPSTILE_BIN=.build/release "$$(scripts/python-environment)/bin/python" Tests/Load/run $(OPTIONS)

# The suite is not part of the sources: TUF_CONFORMANCE names a checkout of it.
.PHONY: conformance
conformance: ## TUF's own conformance suite (TUF_CONFORMANCE=FOLDER, a checkout of theupdateframework/tuf-conformance)
	scripts/install-dependencies build test
	@for program in tapstile tapstile-net; do swift build -j $(JOBS) $(SWIFT_FLAGS) --product $$program; done
	@TAPSTILE_BIN=$$(swift build --show-bin-path) Tests/Conformance/run

.PHONY: fuzz
fuzz: ## Fuzz every target, TIME seconds each (default 60)
	scripts/install-dependencies build
	Fuzzing/run fuzz $(or $(TIME),60)

.PHONY: fuzz-long
fuzz-long: ## Fuzz both sides of a tap for 10,000,000 inputs (RUNS=…): an hour on two processors
	scripts/install-dependencies build
	Fuzzing/run long $(or $(RUNS),10000000)

.PHONY: adversary
adversary: ## A random adversary between phones and gates (RUNS=100000 SEED=…)
	scripts/install-dependencies build
	Fuzzing/run adversary $(or $(RUNS),100000) $(SEED)

.PHONY: test-address
test-address: ## The rooms' tests under the address sanitizer
	scripts/install-dependencies build run test
	@# What it calls leaks is what tests still hold at their end; growth is measured by make bench.
	ASAN_OPTIONS=detect_leaks=0 swift test -j $(JOBS) $(SWIFT_FLAGS) --scratch-path .build/address --sanitize=address

.PHONY: test-thread
test-thread: ## The rooms' tests under the thread sanitizer
	scripts/install-dependencies build run test
	swift test -j $(JOBS) $(SWIFT_FLAGS) --scratch-path .build/thread --sanitize=thread -Xswiftc -DTHREAD_SANITIZER

.PHONY: clean
clean: ## Remove everything that was built
	rm -rf .build

.PHONY: swift-flags
swift-flags:
	@for flag in $(SWIFT_FLAGS); do echo "$$flag"; done
