//go:build !js

package exports

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
	"openloop/content/demotest"
	"openloop/wasm/internal/protocol"
	"openloop/wasm/slim"
)

// folder is where a module's main and its size.budget are.
func folder(m demo.Module) string { return filepath.Join("..", "..", m.Name) }

// each runs a test for every module.
func each(t *testing.T, test func(t *testing.T, m demo.Module)) {
	for _, m := range catalog.Modules() {
		t.Run(m.Name, func(t *testing.T) { test(t, m) })
	}
}

var modulesMade atomic.Bool

// modules are all modules as build.sh and the site make them: one command, so that
// what they share is compiled once and they are linked side by side.
var modules = sync.OnceValues(func() (string, error) {
	modulesMade.Store(true)
	script, err := os.ReadFile("../../../build.sh")
	if err != nil {
		return "", err
	}
	if !strings.Contains(string(script), "\nWASM_FLAGS=(-trimpath -ldflags='-s -w' -gcflags=openloop/content/...=-l -gcflags=openloop/planner=-l -gcflags=openloop/planner/profile=-l -gcflags=openloop/sim/legal=-l -gcflags=strings=-l)\n") {
		return "", errors.New("build.sh has other flags than this test")
	}
	dir, err := os.MkdirTemp("", "openloop-modules")
	if err != nil {
		return "", err
	}
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-gcflags=openloop/content/...=-l", "-gcflags=openloop/planner=-l", "-gcflags=openloop/planner/profile=-l", "-gcflags=openloop/sim/legal=-l", "-gcflags=strings=-l", "-o", dir + "/"}
	names := []string{"scene"} // is no module of demos, but weighed too
	for _, m := range catalog.Modules() {
		names = append(names, m.Name)
	}
	for _, name := range names {
		args = append(args, "openloop/wasm/"+name)
		// What build.sh has linked is not linked again, unless go finds that it is of other sources.
		if made, err := os.ReadFile(filepath.Join("..", "..", "..", "bin", name+".wasm")); err == nil {
			if err := os.WriteFile(filepath.Join(dir, name), made, 0o755); err != nil {
				return dir, err
			}
		}
	}
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=-buildvcs=false")
	if out, err := cmd.CombinedOutput(); err != nil {
		return dir, fmt.Errorf("%w\n%s", err, out)
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		raw, err := os.ReadFile(path)
		if err != nil {
			return dir, err
		}
		small, err := slim.Module(raw)
		if err != nil {
			return dir, err
		}
		if err := os.WriteFile(path, small, 0o644); err != nil {
			return dir, err
		}
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if modulesMade.Load() {
		dir, _ := modules()
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// build is the file of a module.
func build(t *testing.T, m demo.Module) string {
	t.Helper()
	dir, err := modules()
	require.NoError(t, err)
	return filepath.Join(dir, m.Name)
}

type wireCall struct {
	Op     protocol.Op `json:"op"`
	Handle int32       `json:"handle"`
	Input  string      `json:"input"`
	Arg    int32       `json:"arg"`
	Repeat bool        `json:"repeat"`
}

type wireAnswer struct {
	Status int32    `json:"status"`
	Text   string   `json:"text"`
	Nums   []string `json:"nums"`
}

// script is a session that uses every op on every demo of a module.
func script(m demo.Module) []wireCall {
	var calls []wireCall
	add := func(op protocol.Op, handle int32, input string, arg int32, repeat bool) {
		calls = append(calls, wireCall{op, handle, input, arg, repeat})
	}
	const budget = 50_000
	for i, d := range m.Demos {
		h := int32(i + 1)
		add(protocol.Open, 0, d.ID+"\n#x=%C3%A9&seed=0", 0, false)
		// The first state (which the golden test of the catalog runs in node, too) and
		// all presets in the long test, otherwise one of them that asks for less work.
		first := demotest.Lightest(d)
		links := []string{first.String()}
		for i, p := range d.Presets {
			if demotest.Long() || i == 0 && first.String() == demo.NewState(d).String() {
				links = append(links, p.State)
			}
		}
		for _, link := range links {
			add(protocol.Restore, h, link, 1, false)
			add(protocol.Step, h, "", budget, true)
			add(protocol.Frame, h, "", 0, false)
			add(protocol.CSV, h, "", 0, false)
			add(protocol.JSON, h, "", 0, false)
		}
		add(protocol.Bet, h, "", 0, false)
		add(protocol.Set, h, "seed=4294967295", 0, false)
		add(protocol.Set, h, "seed=none <é>", 0, false)
		for _, k := range d.Knobs {
			add(protocol.Slide, h, k.Name, int32(demo.Positions(k)), false)
		}
		add(protocol.Restore, h, first.String(), 0, false)
		add(protocol.Seeds, h, "", 2, false)
		add(protocol.SeedsStep, h, "", budget, true)
		add(protocol.SeedsFrame, h, "", 0, false)
		add(protocol.CSV, h, "", 1, false)
	}
	add(protocol.Close, 1, "", 0, false)
	add(protocol.Frame, 1, "", 0, false)
	add(77, 1, "", 0, false)
	add(protocol.Fault, 0, "", 0, false)
	add(protocol.Open, 0, m.Demos[0].ID+"\n", 0, false)
	return calls
}

// native answers the script without WebAssembly.
func native(m demo.Module, calls []wireCall) []wireAnswer {
	host := protocol.Host{Demos: m.Demos}
	answers := []wireAnswer{{Status: protocol.Version, Text: strconv.Itoa(demo.EngineVersion), Nums: []string{}}}
	for _, c := range calls {
		n := int32(copy(host.Input(int32(len(c.Input))), c.Input))
		status := host.Call(int32(c.Op), c.Handle, n, c.Arg)
		for c.Repeat && status == int32(protocol.More) {
			status = host.Call(int32(c.Op), c.Handle, 0, c.Arg)
		}
		nums := []string{}
		for _, x := range host.Nums() {
			nums = append(nums, fmt.Sprintf("%016x", math.Float64bits(x)))
		}
		answers = append(answers, wireAnswer{status, string(host.Text()), nums})
	}
	return answers
}

// A module gives the same bytes in node as the same code does natively:
// in ordinary runs one module of arithmetic, one of the simulator and one of
// the planner; all in the long one. The goldens of every demo run as WebAssembly
// in both.
func TestSameBytesInNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: no module was run")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	loader := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")
	each(t, func(t *testing.T, m demo.Module) {
		if !demotest.Long() && !slices.Contains([]string{"float", "failing", "sizing"}, m.Name) {
			t.Skip("the bytes of " + m.Name + " in node are compared in the long test (OPENLOOP_LONG=1)")
		}
		calls := script(m)
		in, err := json.Marshal(calls)
		require.NoError(t, err)
		cmd := exec.Command(node, filepath.Join("testdata", "drive.js"), loader, build(t, m))
		cmd.Stdin = bytes.NewReader(in)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		require.NoError(t, err, "%s", stderr.String())
		var got []wireAnswer
		require.NoError(t, json.Unmarshal(out, &got))
		same(t, calls, native(m, calls), got)
	})
}

func same(t *testing.T, calls []wireCall, want, got []wireAnswer) {
	t.Helper()
	require.Len(t, got, len(want))
	seen := map[int32]bool{}
	for i, w := range want {
		seen[w.Status] = true
		what := "versions"
		if i > 0 {
			what = fmt.Sprintf("%+v", calls[i-1])
		}
		require.Equal(t, w.Status, got[i].Status, what)
		require.Equal(t, w.Text, got[i].Text, what)
		require.Equal(t, w.Nums, got[i].Nums, what)
	}
	for _, s := range []protocol.Status{protocol.Done, protocol.More, protocol.Problem, protocol.NoHandle, protocol.Failed, protocol.BadCall} {
		assert.True(t, seen[int32(s)], "the script never met status %d", s)
	}
}

// A module may not grow unnoticed: size.budget is a ratchet, to be lowered
// when the module shrinks, and raised only with a reason in the commit. The
// picture of the engine room, which is loaded apart, may be larger.
func TestSizeBudget(t *testing.T) {
	each(t, func(t *testing.T, m demo.Module) { weigh(t, m, 900<<10) })
	t.Run("scene", func(t *testing.T) {
		t.Parallel()
		weigh(t, demo.Module{Name: "scene"}, 27<<20/10)
	})
}

// weigh holds a module to its budget, and that to the largest there may be.
func weigh(t *testing.T, m demo.Module, largest int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder(m), "size.budget"))
	require.NoError(t, err)
	budget, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	wasm, err := os.ReadFile(build(t, m))
	require.NoError(t, err)
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	require.NoError(t, err)
	_, err = w.Write(wasm)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	t.Logf("%s: %d bytes, %d with gzip -9; budget %d", m.Name, len(wasm), packed.Len(), budget)
	assert.LessOrEqual(t, packed.Len(), budget, "the module has grown beyond wasm/%s/size.budget", m.Name)
	assert.LessOrEqual(t, budget, largest, "the budget itself is beyond the cap: make another module")
}

// What a module must not contain, and why.
var forbidden = map[string]string{
	"fmt":           "123 KB in the browser; content/demo/text makes every message",
	"encoding/json": "120 KB more; content/demo/text writes JSON",
	"reflect":       "comes with fmt, and keeps code that nobody calls",
	"html/template": "778 KB; content/demo/draw writes HTML",
	"math/big":      "122 KB, and fmt; numerics has its own exact sum",
	"time":          "82 KB; the engine has no clock",
	"os":            "the engine has no files and no environment",
	"syscall/js":    "calls through it cost 10 µs each; exports and memory cost nothing",
	"regexp":        "parsers here are a few lines",
	"math/rand":     "numerics has its own generator, the same on every platform",
}

func TestForbiddenPackages(t *testing.T) {
	args := []string{"list", "-f", "{{range .Deps}}{{.}} {{end}}"}
	for _, m := range catalog.Modules() {
		args = append(args, "openloop/wasm/"+m.Name)
	}
	slices.Sort(args[3:]) // as the command answers
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	out, err := cmd.Output()
	require.NoError(t, err)
	lists := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, lists, len(catalog.Modules()))
	each(t, func(t *testing.T, m demo.Module) {
		deps := strings.Fields(lists[slices.Index(args[3:], "openloop/wasm/"+m.Name)])
		from := m.Name
		switch from { // one package, two modules
		case "training":
			from = "failing"
		case "day":
			from = "checking"
		}
		assert.Contains(t, deps, "openloop/content/demo/"+from, "the demos of the module")
		assert.Contains(t, deps, "strconv", "the list is not that of the module")
		for _, d := range deps {
			assert.Empty(t, forbidden[d], "%s is part of the module", d)
		}
	})
}
