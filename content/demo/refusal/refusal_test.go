package refusal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
)

// checks are the functions of the planner that refuse a field, which they name
// first.
var checks = []string{"fail", "within", "above", "count", "dtype", "float", "orZero", "int", "speculation"}

// named are the paths that the sources of a package can name, as they are
// written: with "…" for what is not known before the program runs.
func named(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var out []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, ".gen.go") {
			continue
		}
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		tree, err := parser.ParseFile(token.NewFileSet(), file, raw, 0)
		require.NoError(t, err)
		ast.Inspect(tree, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.CallExpr:
				f, ok := x.Fun.(*ast.SelectorExpr)
				if ok && len(x.Args) > 1 && slicesContain(checks, f.Sel.Name) {
					out = append(out, spelled(x.Args[0]))
				}
			case *ast.CompositeLit:
				if name, ok := x.Type.(*ast.Ident); ok && name.Name == "ValueError" {
					for _, e := range x.Elts {
						if kv := e.(*ast.KeyValueExpr); kv.Key.(*ast.Ident).Name == "Field" {
							out = append(out, spelled(kv.Value))
						}
					}
				}
			}
			return true
		})
	}
	return out
}

func slicesContain(all []string, s string) bool {
	for _, x := range all {
		if x == s {
			return true
		}
	}
	return false
}

// spelled is a sum of texts, with "…" in the place of what is computed.
func spelled(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.BasicLit:
		s, _ := strconv.Unquote(x.Value)
		return s
	case *ast.BinaryExpr:
		return spelled(x.X) + spelled(x.Y)
	}
	return "…"
}

// paths are the full paths of what is written with a prefix that a caller gives.
func paths(written string) []string {
	rest, open := strings.CutPrefix(written, "…")
	switch {
	case written == "…":
		return nil // handed on from a caller, who is read as well
	case !open:
		return []string{strings.ReplaceAll(written, "[…]", "[0]")}
	case strings.HasPrefix(rest, "."): // of drafts
		return []string{"Deployment.Spec" + rest, "Targets.Spec" + rest, "Spec" + rest}
	case strings.HasPrefix(rest, "Prefill") || strings.HasPrefix(rest, "Decode") || rest == "StepSeconds" || rest == "Origin" || rest == "Model" || rest == "TP" || rest == "Weights":
		return []string{"Deployment.Reference." + rest}
	}
	return []string{"Workload.Classes[0]." + rest, "Workload.Classes[1]." + rest}
}

// argument says that a path is the argument of a formula: no input of a plan, and
// wrong only if a program is.
func argument(path string) bool {
	if slicesContain([]string{"pue", "usdPerKWh", "usdPerAttempt", "share"}, path) {
		return false
	}
	return path[0] >= 'a' && path[0] <= 'z'
}

// Every input that the planner can refuse has words.
func TestEveryInputHasWords(t *testing.T) {
	n := 0
	look := func(path string) {
		if argument(path) || strings.HasSuffix(path, "Spec") {
			return
		}
		n++
		w, ok := Of(path)
		if assert.True(t, ok, "%s has no words", path) {
			assert.NotEmpty(t, w.Name, path)
			assert.NotRegexp(t, goName, w.Name, path)
		}
	}
	for _, written := range named(t, "../../../planner") {
		for _, path := range paths(written) {
			look(path)
		}
	}
	for _, written := range named(t, "../../../planner/profile") {
		if strings.HasPrefix(written, "…") { // of the list of prices
			written = strings.TrimPrefix(written, "…")
		}
		for _, at := range []string{"Deployment.GPU.", "Deployment.Model.", "Deployment.Reference.GPU.", "Deployment.Reference.Model."} {
			if written == "" {
				continue // handed on
			}
			if isGPU := strings.Contains(at, "GPU"); written != "USDPerGPUHour" && isGPU == of(gpu, written) {
				look(at + written)
			}
		}
	}
	assert.Greater(t, n, 130, "the sources were not read")
	_, ok := Of("Deployment.Nothing")
	assert.False(t, ok)
}

func of(rows []row, field string) bool {
	_, ok := find(rows, field)
	return ok
}

// goName is a name of the program's, or a power of ten of its printer.
var goName = regexp.MustCompile(`[a-z][A-Z]|[A-Za-z]+\.[A-Za-z]|\d[eE][+-]?\d|Frac|Seconds`)

// What is said has the reader's units, and none of the program's names.
func TestSay(t *testing.T) {
	for _, c := range []struct {
		e    planner.ValueError
		says string
	}{
		{planner.ValueError{Field: "Deployment.GPU.FP8FLOPsPerSec", Value: "7e+10", Legal: "0 or 1e+11 to 1e+18", Nearest: "1e+11"}, "Arithmetic of the GPU in fp8 is 0.07 TFLOP/s; possible: 0 or 0.1 to 1,000,000 TFLOP/s. Nearest: 0.1 TFLOP/s."},
		{planner.ValueError{Field: "Deployment.MFU", Value: "1.3", Legal: "more than 0, up to 1", Nearest: "1"}, "MFU is 130%; possible: more than 0, up to 100%. Nearest: 100%."},
		{planner.ValueError{Field: "Deployment.Model.KVHeads", Value: "7", Legal: "a divisor of Heads, 64", Nearest: "8"}, "KV heads is 7; possible: a divisor of Heads, 64. Nearest: 8."},
		{planner.ValueError{Field: "Workload.Classes[1].HitFrac", Value: "1", Legal: "0 to less than 1, so that at least one token of the prompt is computed", Nearest: "0.999"}, "Found in the prefix cache of the second kind is 100%; possible: less than the whole prompt, so that one token of it is computed. Nearest: 99.9%."},
		{planner.ValueError{Field: "Deployment.USDPerGPUHour", Value: "+Inf", Legal: "0 to 10000", Nearest: "10000"}, "Price of a GPU for an hour is $∞; possible: $0 to $10,000. Nearest: $10,000."},
		{planner.ValueError{Field: "Objective.TPOTSeconds", Value: "0.005", Legal: "at least one step of one sequence, 0.00996534 s", Nearest: "0.00996534"}, "Time per output token is 5 ms; possible: no less than one step of one sequence takes. Nearest: 9.96534 ms."},
		{planner.ValueError{Field: "Deployment.Compute", Value: "fp4", Legal: "a type that H100 SXM computes in", Nearest: "bf16"}, "Type of the arithmetic is fp4; possible: a type that H100 SXM computes in. Nearest: bf16."},
		{planner.ValueError{Field: "SimOptions.MostRequests", Value: "200000", Legal: "at least the requests of 9 s"}, "Most requests of a run is 200,000; possible: a lower load, or shorter answers."},
		{planner.ValueError{Field: "Workload.Classes[0].RequestsPerSec", Value: "2e+06", Legal: "in all, what 65536 replicas serve"}, "Requests is 2,000,000 requests/s; possible: in all, what 65,536 replicas serve."},
		{planner.ValueError{Field: "Nothing.AtAll", Value: "1", Legal: "2"}, "One of the settings makes the plan impossible."},
	} {
		assert.Equal(t, c.says, Say(&c.e))
		assert.NotRegexp(t, goName, Say(&c.e))
	}
}
