# What there is to do here. `make demo` shows what it is for, `make test` that it works.

GO      ?= go
PREFIX  ?= /usr/local
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)

# The program needs no C; the race detector does, and is left out where there is none.
export CGO_ENABLED = 0
RACE := $(shell command -v cc >/dev/null 2>&1 && echo -race)

# Pinned, so that the same tree is judged alike tomorrow.
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.8.0

# One package at a time: each has a browser of its own, and two cores are enough for one.
GOTEST = CGO_ENABLED=$(if $(RACE),1,0) $(GO) test $(RACE) -p 1

BENCH ?= .

# When a release is said to be made: at the time of its commit, so that it is the same
# whenever that is done.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)

.PHONY: build dist demo test test-full lint lint-extension vulncheck bench bench-parts parts install clean chromium

build:
	$(GO) build -trimpath -ldflags '-s -w -X main.version=$(VERSION)' -o bin/webarea ./cmd/webarea

# What is handed out of a version, in dist/: the same bytes from the same tree and Go.
dist:
	rm -rf dist
	$(GO) run ./release -version '$(VERSION)' -epoch '$(SOURCE_DATE_EPOCH)' -out dist

# An answer about a page that comes with this tree.
demo: chromium build
	@cmd/webarea/demo/demo.sh bin/webarea

# What everybody runs before a change is handed in, in a few minutes.
test: lint chromium
	$(if $(RACE),,@echo 'There is no C compiler, so the race detector is left out.')
	$(GOTEST) -short -timeout 15m ./...

# Everything, in as long as it takes.
test-full: lint chromium
	$(if $(RACE),,@echo 'There is no C compiler, so the race detector is left out.')
	$(GOTEST) -timeout 60m ./...

lint: vulncheck lint-extension
	@out=$$(gofmt -l .); test -z "$$out" || { echo "not as gofmt has it:"; echo "$$out"; exit 1; }
	GOOS=linux $(GO) vet ./...
	GOOS=darwin $(GO) vet ./...
	GOOS=windows $(GO) vet ./...
	$(GO) vet -tags manual ./cmd/webarea
	$(GO) run $(STATICCHECK) ./...

# The types that the extension's comments tell of. Needs npm, and says so where that
# is not.
lint-extension:
	@modules=$$(.ci/modules); code=$$?; \
	case $$code in \
	0) "$$modules/.bin/tsc" -p extension --typeRoots "$$modules" ;; \
	3) echo "the extension's types were not checked: $$modules" ;; \
	*) echo "$$modules"; exit $$code ;; \
	esac

# Known holes in what is used. It needs a database that is not part of the tree, and
# says so where that cannot be reached.
vulncheck:
	@out=$$($(GO) run $(GOVULNCHECK) ./... 2>&1); code=$$?; \
	case $$out in \
	*'fetching vulnerabilities'*) echo 'govulncheck: its database cannot be reached, so nothing was checked' ;; \
	*) echo "$$out"; exit $$code ;; \
	esac

# What an answer costs, in bench/RESULTS.md.
bench: chromium
	$(GO) run ./bench

# What its parts cost; BENCH=Name for one of them.
bench-parts: chromium
	$(GO) test -run '^$$' -bench '$(BENCH)' -p 1 -timeout 60m ./...

# What needs no browser of them, with what they allocate, in bench/PARTS.md.
PARTS = Map|Encode|Pipe|Render|DecodeCBOR|DecodeFacts|Dispatch|Receive|Say|IDs
parts:
	@{ printf '# What parts cost\n\nMade by `make parts`, of which each line is one that `go test -bench` writes.\n\n```\n'; \
	$(GO) test -run '^$$' -bench '$(PARTS)' -benchmem -p 1 ./mapper ./elements ./outline ./cdp ./native ./provider | grep -E '^(cpu|Benchmark)' | awk '!seen[$$0]++'; \
	printf '```\n'; } > bench/PARTS.md

install: build
	install -d '$(DESTDIR)$(PREFIX)/bin'
	install -m 755 bin/webarea '$(DESTDIR)$(PREFIX)/bin/webarea'

clean:
	rm -rf bin dist

chromium:
	@.ci/chromium
