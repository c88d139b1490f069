package numerics_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Go may compile x*y + z to one fused instruction that rounds once. amd64 and
// wasm do not, arm64 does, so a product without a conversion gives other bits
// there. This file compiles the pure packages for arm64, reads the assembly
// that the compiler prints and looks for fused instructions in every function
// that our code can reach, standard library included. The compiler's output is
// cached with its result: a first run compiles the standard library for arm64,
// later ones take about a second.

var fused = regexp.MustCompile(`\tFN?M(ADD|SUB)[SD]\t`)

// notEntered are packages whose floats cannot reach a result.
var notEntered = []struct{ prefix, reason string }{
	{"runtime.", "floats decide when memory is collected, not what is computed"},
}

// entered are exceptions to notEntered: runtime functions that compute for us.
var entered = []string{"runtime.complex128div"}

func TestNoFusedArithmetic(t *testing.T) {
	skipCompile(t)
	var patterns, roots []string
	for _, tree := range pureTrees {
		if _, err := os.Stat(filepath.Join("..", filepath.FromSlash(tree))); err == nil {
			patterns = append(patterns, "./"+tree+"/...")
		}
	}
	for _, file := range pureFiles(t, "..") {
		roots = append(roots, path.Join(modulePath, path.Dir(file))+".")
	}
	slices.Sort(roots)
	roots = slices.Compact(roots)
	g := compile(t, "..", patterns)
	for _, root := range roots {
		assert.True(t, g.has(root), "the compiler printed nothing of %s", root)
	}
	for _, chain := range g.offenders(roots) {
		t.Errorf("fused multiply-add can be reached: %s\nput a conversion around the product: float64(x*y) + z; x/2 is compiled as a product too", chain)
	}
}

// TestFusedArithmeticIsSeen compiles an offender, so that a compiler that
// prints something else does not pass for clean code.
func TestFusedArithmeticIsSeen(t *testing.T) {
	skipCompile(t)
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("go.mod", "module bad\n\ngo 1.26\n")
	write("bad.go", "package bad\n\ntype T struct{ f func(a, b, c float64) float64 }\n\n"+
		"func Make() T { return T{f: axpy} }\n\n//go:noinline\nfunc axpy(a, b, c float64) float64 { return a*b + c }\n\n"+
		"func Good(a, b, c float64) float64 { return float64(a*b) + c }\n")
	got := compile(t, dir, []string{"./..."}).offenders([]string{"bad.Make"})
	require.Len(t, got, 1)
	assert.Contains(t, got[0], "bad.Make > bad.axpy·f > bad.axpy: ")
	assert.Contains(t, got[0], "bad.go:8")
}

func skipCompile(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "js" {
		t.Skip("no compiler under js; the native run reads the assembly")
	}
	if testing.Short() {
		t.Skip("compiles for another processor")
	}
}

// compile builds packages for arm64 and reads the assembly of all of them and
// of what they import.
func compile(t *testing.T, dir string, patterns []string) *callGraph {
	t.Helper()
	cmd := exec.Command("go", append([]string{"build", "-gcflags=all=-S"}, patterns...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0", "GOWORK=off")
	out, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	g, readErr := readAssembly(out)
	require.NoError(t, cmd.Wait(), "go build %v:\n%s", patterns, strings.Join(g.noise, "\n"))
	require.NoError(t, readErr)
	return g
}

// callGraph holds, for each symbol, the symbols it refers to, be it by call, by
// address or through data such as method tables, and the fused instructions.
type callGraph struct {
	refs  map[string][]string
	code  map[string]bool   // false for data
	fused map[string]string // first such line
	noise []string          // lines that are no assembly, for error messages
}

// readAssembly reads what -S prints: a symbol's head line, indented lines for
// its instructions, and "rel" lines for what it refers to.
func readAssembly(r io.Reader) (*callGraph, error) {
	g := &callGraph{refs: map[string][]string{}, code: map[string]bool{}, fused: map[string]string{}}
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 1<<16), 1<<24)
	symbol := ""
	for s.Scan() {
		line := s.Text()
		if !strings.HasPrefix(line, "\t") {
			symbol = ""
			if name, kind, ok := head(line); ok {
				symbol = name
				g.code[name] = g.code[name] || kind == "STEXT"
			} else if line != "" && len(g.noise) < 20 {
				g.noise = append(g.noise, line)
			}
			continue
		}
		if _, ref, ok := strings.Cut(line, " t=R_"); ok && strings.HasPrefix(line, "\trel ") {
			if _, name, ok := strings.Cut(ref, " "); ok {
				if i := strings.LastIndexByte(name, '+'); i > 0 {
					name = name[:i]
				}
				g.refs[symbol] = append(g.refs[symbol], name)
			}
			continue
		}
		if g.fused[symbol] == "" && strings.Contains(line, "\tF") && fused.MatchString(line) {
			g.fused[symbol] = strings.TrimSpace(line)
		}
	}
	return g, s.Err()
}

// headLine opens a symbol: NAME STEXT|SRODATA|... dupok size=N. Names of generic
// functions hold spaces.
var headLine = regexp.MustCompile(`^(.+) (S[A-Z0-9_]{3,}) (?:[a-z]+ )*size=`)

func head(line string) (name, kind string, ok bool) {
	m := headLine.FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// has says whether a package was printed; root is its path and a dot. The
// compiler writes the unit's name for debuggers even where there is no code.
func (g *callGraph) has(root string) bool {
	_, ok := g.code["go:cuinfo.packagename."+strings.TrimSuffix(root, ".")]
	return ok
}

// offenders walks from all code whose name starts with a root and returns, for
// each fused instruction it meets, the chain of symbols that leads to it.
func (g *callGraph) offenders(roots []string) []string {
	from := map[string]string{}
	var queue []string
	for name, isCode := range g.code {
		if isCode && slices.ContainsFunc(roots, func(r string) bool { return strings.HasPrefix(name, r) }) {
			from[name] = ""
			queue = append(queue, name)
		}
	}
	slices.Sort(queue) // so that the chains repeat
	var out []string
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		if line := g.fused[name]; line != "" {
			out = append(out, chain(from, name)+": "+line)
		}
		for _, ref := range g.refs[name] {
			if _, seen := from[ref]; !seen && enter(ref) {
				from[ref] = name
				queue = append(queue, ref)
			}
		}
	}
	return out
}

func enter(name string) bool {
	if slices.Contains(entered, name) {
		return true
	}
	for _, p := range notEntered {
		if strings.HasPrefix(name, p.prefix) {
			return false
		}
	}
	return true
}

func chain(from map[string]string, name string) string {
	parts := []string{name}
	for from[name] != "" {
		name = from[name]
		parts = append(parts, name)
	}
	slices.Reverse(parts)
	return strings.Join(parts, " > ")
}

func TestCallGraphOfText(t *testing.T) {
	const text = `# example
p.Root STEXT size=16 args=0x0
	0x0000 00000 (/x/p.go:1)	CALL	q.Middle(SB)
	rel 4+4 t=R_CALLARM64 q.Middle+0
	rel 8+4 t=R_CALLARM64 runtime.mallocgc+0
q.Middle STEXT dupok size=16
	rel 0+8 t=R_ADDRARM64 q.table+8
q.table SRODATA size=16
	rel 0+8 t=R_ADDR q.Map[go.shape.struct { S int }]+0
q.Map[go.shape.struct { S int }] STEXT dupok size=8
	0x0010 00016 (/x/q.go:9)	FMADDD	F0, F1, F2, F3
q.Unused STEXT size=8
	0x0010 00016 (/x/q.go:19)	FNMSUBS	F0, F1, F2, F3
runtime.mallocgc STEXT size=8
	0x0010 00016 (/r/m.go:9)	FMADDD	F0, F1, F2, F3
	rel 0+4 t=R_CALLARM64 q.Unused+0
p.Div STEXT size=8
	rel 0+4 t=R_CALLARM64 runtime.complex128div+0
runtime.complex128div STEXT size=8
	0x0010 00016 (/r/c.go:5)	FMSUBD	F0, F1, F2, F3
`
	g, err := readAssembly(strings.NewReader(text))
	require.NoError(t, err)
	got := g.offenders([]string{"p."})
	slices.Sort(got)
	assert.Equal(t, []string{
		"p.Div > runtime.complex128div: 0x0010 00016 (/r/c.go:5)\tFMSUBD\tF0, F1, F2, F3",
		"p.Root > q.Middle > q.table > q.Map[go.shape.struct { S int }]: 0x0010 00016 (/x/q.go:9)\tFMADDD\tF0, F1, F2, F3",
	}, got)
	assert.Empty(t, g.offenders([]string{"r."}))
}
