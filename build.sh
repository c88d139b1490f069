#!/usr/bin/env bash
# Builds, serves and tests Openloop. `./build.sh help` lists the commands.
set -euo pipefail
cd "$(dirname "$0")"

# One result everywhere: no fused arithmetic, no build stamps, this Go and no
# other, nothing from the caller's settings.
export GOAMD64=v1 GOFLAGS=-buildvcs=false GOTOOLCHAIN=local GOWORK=off
unset GOOS GOARCH GOWASM GOEXPERIMENT GOARM64 2>/dev/null || true

GLUE=wasm/glue
PURE=(./numerics/... ./sim/... ./planner/... ./content/demo/... ./wasm/internal/...)
# Calls that are not inlined make the demos smaller. The arithmetic of many steps is in other packages and stays fast; the planner makes one plan, or a step time, a call.
WASM_FLAGS=(-trimpath -ldflags='-s -w' -gcflags=openloop/content/...=-l -gcflags=openloop/planner=-l -gcflags=openloop/planner/profile=-l -gcflags=openloop/sim/legal=-l -gcflags=strings=-l)
MAINS=() # a folder for each module of WebAssembly
for main in wasm/*/main.go; do MAINS+=("./${main%/main.go}"); done

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }
die() { printf 'build.sh: %s\n' "$*" >&2; exit 1; }

# home: Go and npm keep their caches under HOME; without one they go here.
home() {
  if [ -z "${HOME:-}" ] || [ ! -d "$HOME" ] || [ ! -w "$HOME" ]; then
    export HOME="$PWD/.cache/home" GOFLAGS="$GOFLAGS -modcacherw"
    mkdir -p "$HOME"
  fi
  export HOME # bash fills it in by itself, but for itself only
}

# at_least HAVE WANT: compares versions such as 1.26.8 and 1.26.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

need_go() {
  local want have
  want=$(awk '$1 == "go" { print $2 }' go.mod)
  command -v go >/dev/null || die "Go is missing. Install Go $want or later:
  see https://go.dev/dl/, for example
  curl -fsSL https://go.dev/dl/go$want.0.linux-amd64.tar.gz | tar -C /usr/local -xz && export PATH=/usr/local/go/bin:\$PATH"
  have=$(go env GOVERSION); have=${have#go}
  at_least "${have%% *}" "$want" || die "Go $have is too old; go.mod wants $want or later: https://go.dev/dl/"
}

need_node() {
  local have hint="install Node 20 or later with npm:
  curl -fsSL https://deb.nodesource.com/setup_20.x | bash - && apt-get install -y nodejs"
  command -v node >/dev/null || die "Node is missing; $hint"
  have=$(node --version); have=${have#v}
  at_least "$have" 20 || die "Node $have is too old; $hint"
  command -v npm >/dev/null || die "npm is missing: apt-get install -y npm"
}

# modules FOLDER installs the npm packages when the lockfile is not the one they came from.
modules() {
  cmp -s "$1/package-lock.json" "$1/node_modules/.from-lockfile" && return
  say "npm ci in $1"
  (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
  cp "$1/package-lock.json" "$1/node_modules/.from-lockfile"
}

# carried puts what ships with the site, but is not ours, where the generator finds it.
carried() {
  local goroot name dir
  goroot=$(go env GOROOT)
  go mod download # a module that is not here yet has no folder
  rm -rf bin/licenses
  mkdir -p bin/licenses
  cp -f "$goroot/lib/wasm/wasm_exec.js" bin/wasm_exec.js
  cp -f "$goroot/LICENSE" bin/licenses/go-LICENSE.txt
  for name in github.com/yuin/goldmark github.com/alecthomas/chroma/v2 github.com/go-echarts/go-echarts/v2 github.com/hajimehoshi/ebiten/v2; do
    dir=$(go list -m -f '{{.Dir}}' "$name")
    local short=${name%/v2}
    cp -f "$dir"/LICENSE "bin/licenses/${short##*/}-LICENSE.txt" 2>/dev/null || cp -f "$dir"/COPYING "bin/licenses/${short##*/}-LICENSE.txt"
  done
  chmod u+w bin/wasm_exec.js bin/licenses/*
}

binaries() {
  mkdir -p bin
  rm -f bin/*.wasm
  # One command, so that what the modules share is compiled once and they are linked side by side.
  mkdir -p bin/modules
  GOOS=js GOARCH=wasm go build "${WASM_FLAGS[@]}" -o bin/modules/ "${MAINS[@]}"
  local main
  for main in "${MAINS[@]}"; do mv "bin/modules/${main##*/}" "bin/${main##*/}.wasm"; done
  rmdir bin/modules
  go build -ldflags "-X main.wasmHash=$(cat bin/*.wasm | sha256sum | cut -d ' ' -f 1)" -o bin/openloop ./site
}

ready() { home; need_go; need_node; modules $GLUE; }

build() { ready; carried; binaries; bin/openloop build; }

serve() { build; exec bin/openloop serve "$@"; }

# browsers are what the tests look at the site with; Lighthouse, which is large, is for them alone.
browsers() {
  modules $GLUE/lighthouse
  local missing=()
  command -v chromium >/dev/null || missing+=(chromium)
  command -v firefox-esr >/dev/null || missing+=(firefox-esr)
  [ -d /usr/share/fonts/truetype/dejavu ] || missing+=(fonts-dejavu-core)
  [ ${#missing[@]} = 0 ] && return
  local cmd="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "$cmd"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  else
    die "the tests need ${missing[*]}; as root on Debian: $cmd"
  fi
}

# section NAME COMMAND...: runs a part of the tests and says how long it took.
section() {
  local name=$1 start=$SECONDS
  shift
  say "== $name"
  "$@"
  printf '   %s: %d s\n' "$name" $((SECONDS - start)) >&2
}

formatted() {
  local bad
  bad=$(gofmt -l site numerics content planner sim wasm/internal wasm/slim wasm/browser "${MAINS[@]}")
  [ -z "$bad" ] || die "not formatted: gofmt -w $bad"
}

vetted() {
  nice go vet ./...
  # Trimmed as the modules are, so that what they share is compiled once.
  GOOS=js GOARCH=wasm GOFLAGS="$GOFLAGS -trimpath" nice go vet "${MAINS[@]}" "${PURE[@]}"
  if command -v staticcheck >/dev/null; then staticcheck ./...; fi
}

# in_node runs the pure packages' own tests as WebAssembly. Go's loader fails
# in a large environment, so this one is small. What takes long and has just been
# run natively (every state of every demo, corners and answers of demos that simulate,
# laws over many runs or large texts) is run again here in the long test only: the
# golden files hold both to the same bytes.
in_node() {
  local skip='TestEveryState|TestReuse|TestSmallSteps|TestNoChance|TestMatrix|TestWorkKeepsItsBudget|TestLeversKeepTheLaws|TestKernelIsReferenceInClusters'
  skip="$skip|TestRetryStorm|TestPieces|TestLeverLeavesThePastAlone|TestVerdictOfRandomQueues|TestAutoscalerLaws|TestBusyPair|TestHalfWay"
  skip="$skip|TestDefaultLevers|TestLowest|TestLargeTexts|TestOrderDoesNotMatter|TestInvariantNeverParts|TestSearchFindsTheFewest"
  skip="$skip|TestHitRatesRecomputed|TestPartsAddUp|TestFormulaAgainstSteps|TestCausesAreFound|TestSampleCovers|TestDifficultyRouter|TestHullLaws"
  skip="^($skip|TestCorners|TestBets|TestMeasurementBets|TestFivePairs|TestFewestGPUs|TestWarmUpPresets)\$"
  [ -z "${OPENLOOP_LONG:-}" ] || skip='^$'
  env -i PATH="$PATH" HOME="$HOME" GOFLAGS="$GOFLAGS -trimpath" GOTOOLCHAIN=local GOWORK=off GOOS=js GOARCH=wasm \
    ${GOCACHE:+GOCACHE="$GOCACHE"} ${GOMODCACHE:+GOMODCACHE="$GOMODCACHE"} ${GOPATH:+GOPATH="$GOPATH"} ${GOPROXY:+GOPROXY="$GOPROXY"} \
    ${OPENLOOP_LONG:+OPENLOOP_LONG="$OPENLOOP_LONG"} \
    nice go test -vet=off -skip "$skip" -exec "$(go env GOROOT)/lib/wasm/go_js_wasm_exec" "${PURE[@]}"
}

# browser_tests run beside the others, since they wait much: for pages, processes and
# addresses that are written late. The others are nice to them: they take longest, and a
# browser that gets no processor for a minute is given up. What they say is kept, and
# shown at their end.
browser_tests() { go test -vet=off -timeout "$1" ./wasm/browser >.cache/browser.log 2>&1; }

# browsers_end waits for process $1, which runs them.
browsers_end() {
  local result=0
  wait "$1" || result=$?
  cat .cache/browser.log
  return "$result"
}

glue_tests() { (cd $GLUE && node --test test/*.test.mjs); }

run_tests() {
  local limit=40m
  case "${1:-}" in
    '') ;;
    long) export OPENLOOP_LONG=1 limit=180m ;;
    *) die "test takes nothing or 'long', not '$1'" ;;
  esac
  local start=$SECONDS
  ready
  browsers
  section format formatted
  section build build
  section check bin/openloop check
  section 'tests of the glue' glue_tests
  local others job
  others=$(go list ./... | grep -v '/wasm/browser$')
  mkdir -p .cache
  browser_tests "$limit" &
  job=$!
  trap "browsers_end $job" EXIT                 # if another part fails, they end all the same
  trap 'trap "" TERM EXIT; kill 0; exit 130' INT # which the shell lets background jobs ignore
  section vet vetted
  section 'tests in Go' nice go test -vet=off -timeout "$limit" $others # all of it has been vetted
  section 'pure packages as WebAssembly in node' in_node
  trap - EXIT
  section 'the rest of the tests in browsers' browsers_end "$job"
  trap - INT
  say "all tests passed in $((SECONDS - start)) s"
  [ -n "${OPENLOOP_LONG:-}" ] || echo $((SECONDS - start)) >.cache/test-seconds # a row of bench
}

bench() {
  build
  browsers
  go run ./site/bench
}

clean() { chmod -R u+w .cache 2>/dev/null || true; rm -rf bin dist .cache; }

help() {
  cat <<'TEXT'
usage: ./build.sh [COMMAND]

  build          everything: the modules, bin/openloop and the site in dist/ (the default)
  serve [ADDR]   build, then show the site on http://127.0.0.1:8080 and rebuild what changes
  test           every test: format, vet, Go, WebAssembly in node, Chromium, Firefox
  test long      the same, and the slow tables computed anew
  bench          benchmarks, and every budget with what was found; an hour
  clean          remove bin/, dist/ and .cache/
  help           this text
TEXT
}

case "${1:-build}" in
  build) build ;;
  serve) shift; serve "$@" ;;
  test) shift; run_tests "$@" ;;
  bench) bench ;;
  clean) clean ;;
  help | -h | --help) help ;;
  *) help >&2; die "there is no command '$1'" ;;
esac
