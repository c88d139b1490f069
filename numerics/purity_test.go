package numerics_test

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// This file keeps the packages that must give the same bits everywhere, and
// must stay small in the browser, to a short list of imports and of functions
// of package math. fma_test.go looks at what the compiler made of them.

// pureTrees are folders of the repository whose packages are pure, with all
// below them, as far as they exist.
var pureTrees = []string{"numerics", "content/demo", "content/tables", "sim", "planner"}

// readers are packages below a pure tree that read files for a living.
var readers = map[string]string{
	"planner/trace":      "reads trace files; runs at build time or in the files module",
	"planner/claim/read": "reads result files; runs in the files module",
}

const modulePath = "openloop"

// allowedImports are the standard packages that neither differ between machines
// nor pull fmt, reflect, os or time into the wasm module.
var allowedImports = []string{
	"bytes", "cmp", "container/heap", "errors", "hash/fnv", "iter", "maps", "math", "math/bits", "math/rand/v2", "slices", "sort",
	"strconv", "strings", "sync", "unicode/utf8",
}

// refusedImports explains the ones that somebody is likely to want.
var refusedImports = map[string]string{
	"fmt":           "adds reflect and os to the wasm module; content/demo/text makes text with strconv",
	"encoding/json": "adds reflect and fmt to the wasm module; content/demo/text writes JSON",
	"reflect":       "adds much to the wasm module",
	"os":            "pure code reads no file and no environment",
	"time":          "pure code reads no clock, and the package adds 82 KB to the wasm module; use sim.Nanos",
	"net/url":       "adds fmt to the wasm module",
	"math/big":      "adds fmt, reflect and os to the wasm module; numerics.Exact sums exactly",
	"math/rand":     "a seed must give the same stream in every release; use numerics.Rand or sim.Rand",
	"math/cmplx":    "built on the functions of math that differ between machines",
	"syscall/js":    "only wasm/ touches the browser",
	"unsafe":        "not needed for arithmetic",
}

// allowedMath are the names of package math that IEEE 754 or their own bits
// define completely; besides them all the Max constants are allowed.
var allowedMath = []string{
	"Sqrt", "Abs", "Floor", "Ceil", "Trunc", "Float64bits", "Float64frombits", "Float32bits", "Float32frombits", "Inf", "NaN",
	"IsNaN", "IsInf",
}

// allowedRand are the names of package math/rand/v2 whose output is promised
// never to change: the generator PCG, of which only Uint64 is wanted. What the
// package makes of it, from Float64 to Shuffle, may change with a release, and
// its functions without a generator have a hidden random seed.
var allowedRand = []string{"NewPCG", "PCG"}

// detmathHas are functions that numerics/detmath offers instead.
var detmathHas = []string{"Exp", "Log", "Log1p", "Pow", "Erf", "Erfc"}

func TestPureSources(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("the sources are the same on js; the native run checks them")
	}
	root := filepath.Clean("..")
	files := 0
	for _, file := range pureFiles(t, root) {
		// Reading through os makes go test run again when any of them changes.
		src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		require.NoError(t, err)
		for _, p := range impurities(file, string(src)) {
			t.Error(p)
		}
		files++
	}
	assert.Greater(t, files, 15, "files found below %v", pureTrees)
}

// pureFiles lists the Go files, tests left out, of every pure package that is
// built natively or for the browser.
func pureFiles(t *testing.T, root string) []string {
	t.Helper()
	native, browser := build.Default, build.Default
	native.GOOS, native.GOARCH = "linux", "amd64"
	browser.GOOS, browser.GOARCH = "js", "wasm"
	var out []string
	for _, tree := range pureTrees {
		top := filepath.Join(root, filepath.FromSlash(tree))
		if _, err := os.Stat(top); err != nil {
			continue
		}
		require.NoError(t, filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, p)
			rel = filepath.ToSlash(rel)
			if d.IsDir() {
				if readers[rel] != "" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), "_") {
					return filepath.SkipDir
				}
				return err
			}
			if !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
				return err
			}
			a, err := native.MatchFile(filepath.Dir(p), d.Name())
			if err != nil {
				return err
			}
			b, err := browser.MatchFile(filepath.Dir(p), d.Name())
			if a || b {
				out = append(out, rel)
			}
			return err
		}))
	}
	return out
}

// impurities lists what a file may not do, each as file:line: symbol: reason.
func impurities(file, src string) []string {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	report := func(at token.Pos, symbol, reason string) {
		out = append(out, file+":"+strconv.Itoa(fset.Position(at).Line)+": "+symbol+": "+reason)
	}
	mathName, randName := "", ""
	for _, imp := range parsed.Imports {
		name, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			report(imp.Pos(), imp.Path.Value, err.Error())
			continue
		}
		if reason := importReason(name); reason != "" {
			report(imp.Pos(), "import "+strconv.Quote(name), reason)
		}
		if imp.Name != nil && (imp.Name.Name == "." || imp.Name.Name == "_") {
			report(imp.Pos(), "import "+imp.Name.Name+" "+strconv.Quote(name), "dot and blank imports hide what is used")
		}
		switch name {
		case "math":
			mathName = localName(imp, "math")
		case "math/rand/v2":
			randName = localName(imp, "rand")
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Name.Name == "init" && n.Recv == nil {
				report(n.Pos(), "func init", "packages have no hidden start; use a constructor or a table")
			}
		case *ast.GoStmt:
			report(n.Pos(), "go statement", "the order of goroutines is not repeatable")
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			switch {
			case !ok:
			case x.Name == mathName:
				if reason := mathReason(n.Sel.Name); reason != "" {
					report(n.Pos(), "math."+n.Sel.Name, reason)
				}
			case x.Name == randName && !slices.Contains(allowedRand, n.Sel.Name):
				report(n.Pos(), "rand."+n.Sel.Name, "may change with a release; use sim.Rand, which is built on "+strings.Join(allowedRand, " and "))
			}
		}
		return true
	})
	return out
}

// localName is what a file calls a package that it imports.
func localName(imp *ast.ImportSpec, name string) string {
	if imp.Name != nil {
		return imp.Name.Name
	}
	return name
}

// importReason is "" for an import that a pure package may have.
func importReason(name string) string {
	if slices.Contains(allowedImports, name) {
		return ""
	}
	if reason := refusedImports[name]; reason != "" {
		return reason
	}
	for _, tree := range pureTrees {
		own := path.Join(modulePath, tree)
		if name == own || strings.HasPrefix(name, own+"/") {
			if reason := readers[strings.TrimPrefix(name, modulePath+"/")]; reason != "" {
				return "is not pure: " + reason
			}
			return ""
		}
	}
	if strings.HasPrefix(name, modulePath+"/") {
		return "is not a pure package; pure ones are below " + strings.Join(pureTrees, ", ")
	}
	return "is not in the list of imports that are the same everywhere: " + strings.Join(allowedImports, " ")
}

// mathReason is "" for a name of package math that a pure package may use.
func mathReason(name string) string {
	if slices.Contains(allowedMath, name) || strings.HasPrefix(name, "Max") && name != "Max" {
		return ""
	}
	if slices.Contains(detmathHas, name) {
		return "has other last bits on some machines; use numerics/detmath." + name
	}
	return "is not in the list of math names that are the same everywhere: Max constants, " + strings.Join(allowedMath, " ")
}

// TestPurityCheckFails feeds the check bad sources, so that a check that sees
// nothing does not pass for a clean tree.
func TestPurityCheckFails(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"import", "package p\nimport \"fmt\"\n", `x.go:2: import "fmt": adds reflect`},
		{"unknown import", "package p\nimport \"text/template\"\n", `x.go:2: import "text/template": is not in the list`},
		{"site", "package p\nimport \"openloop/site\"\n", `x.go:2: import "openloop/site": is not a pure package`},
		{"reader", "package p\nimport \"openloop/planner/trace\"\n", `x.go:2: import "openloop/planner/trace": is not pure`},
		{"look-alike", "package p\nimport \"openloop/simulate\"\n", `x.go:2: import "openloop/simulate": is not a pure package`},
		{"exp", "package p\nimport \"math\"\nvar x = math.Exp(1)\n", "x.go:3: math.Exp: has other last bits on some machines; use numerics/detmath.Exp"},
		{"sin", "package p\nimport \"math\"\nfunc f() {\n\t_ = math.Sin(1)\n}\n", "x.go:4: math.Sin: is not in the list"},
		{"fma", "package p\nimport \"math\"\nvar x = math.FMA(1, 2, 3)\n", "x.go:3: math.FMA: is not in the list"},
		{"max function", "package p\nimport \"math\"\nvar x = math.Max(1, 2)\n", "x.go:3: math.Max: is not in the list"},
		{"renamed", "package p\nimport m \"math\"\nvar f = m.Pow\n", "x.go:3: math.Pow: has other last bits"},
		{"dot", "package p\nimport . \"math\"\n", `x.go:2: import . "math": dot and blank imports`},
		{"rand v1", "package p\nimport \"math/rand\"\n", `x.go:2: import "math/rand": a seed must`},
		{"rand function", "package p\nimport \"math/rand/v2\"\nvar x = rand.Uint64()\n", "x.go:3: rand.Uint64: may change with a release"},
		{"rand type", "package p\nimport r \"math/rand/v2\"\nvar x r.Rand\n", "x.go:3: rand.Rand: may change with a release"},
		{"init", "package p\nfunc init() {}\n", "x.go:2: func init: packages have no hidden start"},
		{"go", "package p\nfunc f() { go f() }\n", "x.go:2: go statement: the order"},
		{"no Go", "package", "x.go:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := impurities("x.go", c.src)
			require.Len(t, got, 1)
			assert.Contains(t, got[0], c.want)
		})
	}
	clean := "package p\nimport (\n\"math\"\n\"strconv\"\n\"openloop/numerics/detmath\"\n)\n" +
		"var x = math.Sqrt(math.MaxFloat64) + detmath.Exp(math.Floor(1)) + float64(len(strconv.Itoa(1)))\n"
	assert.Empty(t, impurities("x.go", clean))
	clean = "package p\nimport \"math/rand/v2\"\nfunc f(p *rand.PCG) uint64 { p = rand.NewPCG(1, 2); return p.Uint64() }\n"
	assert.Empty(t, impurities("x.go", clean))
}
