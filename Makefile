# Verbs for people. Each installs what it needs on the first run (tools/setup.sh) and is quick on the second.
.PHONY: help setup build demo test slow lint pages format fuzz bench portable deb clean
BUILD := build
JOBS ?= $(shell nproc)

help:
	@echo "make demo      build, draw machines, leave demo/report.html"
	@echo "make test      build and run the tests"
	@echo "make build     leave the binary at build/railgauge"
	@echo "make slow      the slow set: sanitizers and a minute of fuzzing for each reader"
	@echo "make lint      formatting, clang-tidy, the doors between rooms"
	@echo "make format    rewrite sources in the house style"
	@echo "make pages     rewrite docs/rules from the rules"
	@echo "make bench     speed of what has a figure to reach"
	@echo "make portable  build-portable/railgauge: needs glibc only"
	@echo "make deb       a Debian package of it"
	@echo "make clean     remove what was built"

setup:
	@tools/setup.sh build test

$(BUILD)/build.ninja: CMakeLists.txt CMakePresets.json
	@cmake --preset default >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@mv $(BUILD).log $(BUILD)/configure.log

build: setup $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS)

demo: setup $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS) --target railgauge
	@tools/demo.sh $(BUILD)/railgauge

test: build
	@ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure -LE slow

slow:
	@tools/setup.sh build test slow
	@tools/slow.sh

lint:
	@tools/setup.sh build test lint
	@tools/lint.sh

pages: build
	@tools/rule_pages.sh $(BUILD)/railgauge

format:
	@tools/setup.sh lint
	@git ls-files '*.h' '*.cpp' '*.cu' '*.cuh' | xargs clang-format -i

fuzz:
	@tools/setup.sh build test slow
	@tools/slow.sh fuzz

bench: build
	@bench/see.sh $(BUILD)/railgauge
	@bench/record.sh $(BUILD)/railgauge

portable:
	@tools/setup.sh build test portable
	@cmake --preset portable >/dev/null
	@cmake --build --preset portable -j $(JOBS) --target railgauge
	@tools/check_portable.sh build-portable/railgauge

deb: portable
	@cd build-portable && cpack -G DEB

clean:
	@rm -rf build build-* demo
