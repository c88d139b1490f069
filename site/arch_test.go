package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rule says what a group of our packages may import. Ours and third parties
// are judged by everything that they bring along; the standard library by what
// is imported directly, since errors itself brings in os on some systems.
type rule struct {
	packages string   // path prefix after openloop/
	ours     []string // prefixes of our packages that it may reach; with "$", that package only
	pure     bool     // only the standard packages of the list below
	others   bool     // third parties are allowed
	why      string
}

// framework is what is written once for all demos, and more.
func framework(more ...string) []string {
	return append([]string{"content/demo$", "content/demo/draw", "content/demo/text"}, more...)
}

// rules are read from the top; the first that fits a package counts.
var rules = []rule{
	{"numerics", []string{"numerics"}, true, false, "arithmetic stands alone, so that every target gives the same bits"},
	{"sim", []string{"numerics/detmath"}, true, false, "the simulator runs in the browser and gives the same bytes there"},
	{"planner", []string{"numerics", "sim"}, true, false, "plans are checked with the simulator, never the other way round"},
	{"content/tables", []string{"numerics"}, true, false, "results that are slow to compute are carried into the browser"},
	{"content/demo/text", nil, true, false, "messages and numbers stand below everything that says them"},
	{"content/demo/draw", framework(), true, false, "it draws any demo"},
	{"content/demo/float", framework("content/tables", "numerics"), true, false, "demos run in the browser: each import there costs every reader"},
	{"content/demo/harness/command", nil, true, false, "it reads text and knows no simulator"},
	{"content/demo/harness", framework("content/demo/harness/command", "content/demo/replica", "numerics", "sim"), true, false, "demos run in the browser: each import there costs every reader"},
	{"content/demo/replica", framework("numerics", "sim"), true, false, "the server that demos simulate, shared by the modules that simulate one"},
	{"content/demo/refusal", []string{"content/demo/text", "planner", "numerics", "sim"}, true, false, "what the planner refuses, in words: shared by the modules that plan"},
	{"content/demo/verdict", framework("numerics/detmath", "sim"), true, false, "readings in words, shared by the modules that read runs or scrapes"},
	{"content/demo/room", framework("numerics/detmath", "sim"), true, false, "a picture reads it, and every demo with an engine room"},
	{"content/demo/engine", framework("content/demo/room", "numerics/detmath", "sim"), true, false, "demos run in the browser: each import there costs every reader"},
	{"content/demo/failing", framework("content/demo/replica", "content/demo/room", "content/demo/verdict", "content/tables", "numerics", "sim"), true, false, "demos run in the browser: each import there costs every reader"},
	{"content/demo/field", framework("content/demo/replica", "numerics/detmath", "sim"), true, false, "demos run in the browser: each import there costs every reader"},
	{"content/demo/planning", framework("content/demo/replica", "content/tables", "numerics", "sim", "planner"), true, false, "demos run in the browser: each import there costs every reader"},
	{"content/demo/sizing", framework("content/demo/replica", "content/demo/refusal", "content/tables", "numerics/detmath", "sim", "planner"), true, false, "demos run in the browser: each import there costs every reader"},
	{"content/demo/checking", framework("content/demo/sizing", "content/demo/replica", "content/demo/refusal", "content/tables", "numerics/detmath", "sim", "planner"), true, false, "demos run in the browser: each import there costs every reader; of sizing it takes the settings of the planner"},
	{"content/demo/reading", framework("content/demo/verdict", "numerics/detmath", "sim"), true, false, "demos run in the browser: each import there costs every reader"},
	{"content/demo/serving", framework("content/demo/replica", "content/tables", "numerics", "sim", "planner"), true, false, "demos run in the browser: each import there costs every reader"},
	{"content/demo/catalog", []string{"content/demo", "content/tables", "numerics", "sim", "planner"}, true, false, "the catalog names every demo and does nothing else"},
	{"content/demo", framework(), true, false, "every module carries it: each import there costs every reader twice"},
	{"content/prose", []string{"content", "numerics", "sim", "planner"}, false, false, "claims are checked with the engine and nothing else"},
	{"content", []string{"content", "numerics", "sim", "planner"}, false, false, "tables and their generators know the engine, not the site"},
	{"wasm/internal/exports", framework("wasm/internal"), false, false, "it only hands the protocol to WebAssembly, which takes unsafe"},
	{"wasm/internal", framework(), true, false, "the protocol is tested natively and runs in the browser"},
	{"wasm/float", framework("wasm/internal", "content/demo/float", "content/tables", "numerics"), false, false, "a module carries the demos of its subject, not those of another"},
	{"wasm/planning", framework("wasm/internal", "content/demo/planning", "content/demo/replica", "content/tables", "numerics", "sim", "planner"), false, false, "a module carries the demos of its subject, not those of another"},
	{"wasm/sizing", framework("wasm/internal", "content/demo/sizing", "content/demo/replica", "content/demo/refusal", "content/tables", "numerics/detmath", "sim", "planner"), false, false, "a module carries the demos of its subject, not those of another"},
	{"wasm/checking", framework("wasm/internal", "content/demo/checking", "content/demo/sizing", "content/demo/replica", "content/demo/refusal", "content/tables", "numerics/detmath", "sim", "planner"), false, false, "a module carries the demos of its subject; of those of sizing it links the settings alone, which size.budget sees to"},
	{"wasm/day", framework("wasm/internal", "content/demo/checking", "content/demo/sizing", "content/demo/replica", "content/demo/refusal", "content/tables", "numerics/detmath", "sim", "planner"), false, false, "a module carries the demos of its subject; of the check it links what says which plan, which size.budget sees to"},
	{"wasm/engine", framework("wasm/internal", "content/demo/engine", "content/demo/room", "numerics", "sim"), false, false, "a module carries the demos of its subject, not those of another"},
	{"wasm/failing", framework("wasm/internal", "content/demo/failing", "content/demo/replica", "content/demo/room", "content/demo/verdict", "content/tables", "numerics", "sim"), false, false, "a module carries the demos of its subject, not those of another"},
	{"wasm/training", framework("wasm/internal", "content/demo/failing", "content/demo/replica", "content/demo/room", "content/demo/verdict", "content/tables", "numerics", "sim"), false, false, "a module carries the demos of its subject, not those of another"},
	{"wasm/field", framework("wasm/internal", "content/demo/field", "content/demo/replica", "numerics/detmath", "sim"), false, false, "a module carries the demos of its subject, not those of another"},
	{"wasm/reading", framework("wasm/internal", "content/demo/reading", "content/demo/verdict", "numerics/detmath", "sim"), false, false, "a module carries the demos of its subject, not those of another"},
	{"wasm/serving", framework("wasm/internal", "content/demo/serving", "content/demo/replica", "content/tables", "numerics", "sim", "planner"), false, false, "a module carries the demos of its subject, not those of another"},
	{"wasm/harness", framework("wasm/internal", "content/demo/harness", "content/demo/replica", "numerics", "sim"), false, false, "a module carries the demos of its subject, not those of another"},
	{"wasm/scene", framework("content/demo/room", "numerics/detmath", "sim"), false, true, "the picture of the engine room reads rooms and draws them; it alone has a graphics library"},
	{"wasm/slim", nil, false, false, "it makes any program of Go's smaller and need not know which"},
	{"wasm/browser", []string{"content", "numerics", "sim", "planner", "wasm/internal"}, false, true, "browser tests see the finished site from outside"},
	{"site/internal/cache", nil, false, false, "it keeps bytes and need not know whose"},
	{"site/internal/script", nil, false, true, "it calls JavaScript and need not know what for"},
	{"site/internal/card", nil, false, true, "it draws words and need not know whose"},
	{"site/internal/export", nil, false, false, "it packs any folder that is the site"},
	{"site/internal/search", nil, false, false, "it keeps words of pages and need not know whose"},
	{"site/internal/markdown", []string{"content/demo/text"}, false, true, "the dialect asks its guide; it knows no demo, but writes flags of commands as one does"},
	{"site/internal/check", nil, false, false, "it looks at any folder that claims to be the site"},
	{"site/internal/serve", nil, false, false, "it serves any folder"},
	{"site/internal/chart", framework("site/internal/cache", "site/internal/script"), false, true, "it draws figures, whoever made them"},
	{"site", []string{"site/internal", "content", "numerics", "sim", "planner", "wasm/slim"}, false, true, "the generator uses the content; nothing of it is for the browser"},
}

// pureStd are the standard packages that bring neither fmt nor reflect nor a
// clock into the module; "math" and "math/rand/v2" are narrowed further by a test in numerics.
var pureStd = strings.Fields("cmp container/heap errors hash/fnv iter maps math math/bits math/rand/v2 slices sort strconv strings sync unicode/utf8")

const ebitengine = "github.com/hajimehoshi/ebiten/v2"

// nowhere may be imported by none of our packages, whoever brings it along.
var nowhere = map[string]string{
	ebitengine:  "only the scene may, which is a program of its own",
	"math/rand": "v1 has state that is shared by the whole process",
}

type listed struct {
	ImportPath, Dir string
	Imports, Deps   []string
	GoFiles         []string
}

// list is `go list` for our packages on one platform.
func list(t *testing.T, goos, goarch string) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,Deps,GoFiles", "openloop/...")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else {
			require.NoError(t, err)
		}
		all = append(all, p)
	}
}

// third says whether a path is of another module than ours and the standard
// library, whose paths have no dot in their first part.
func third(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

func under(path string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool {
		exact, only := strings.CutSuffix(p, "$")
		return path == exact || !only && strings.HasPrefix(path, p+"/")
	})
}

func TestImports(t *testing.T) {
	for _, target := range [][2]string{{"linux", "amd64"}, {"js", "wasm"}} {
		for _, p := range list(t, target[0], target[1]) {
			for _, problem := range breaks(p) {
				t.Errorf("%s/%s: %s", target[0], target[1], problem)
			}
		}
	}
}

func breaks(p listed) []string {
	name := strings.TrimPrefix(p.ImportPath, "openloop/")
	i := slices.IndexFunc(rules, func(r rule) bool { return under(name, []string{r.packages}) })
	if i < 0 {
		return []string{name + " has no rule in site/arch_test.go"}
	}
	r := rules[i]
	var out []string
	bad := func(what, why string) { out = append(out, name+" must not import "+what+": "+why) }
	for _, dep := range p.Deps {
		own, ours := strings.CutPrefix(dep, "openloop/")
		switch {
		case ours && own != name && !under(own, append([]string{r.packages}, r.ours...)):
			bad(own, r.why)
		case third(dep) && !r.others:
			bad(dep, r.why)
		}
		if why, ok := nowhere[dep]; ok && slices.Contains(p.Imports, dep) && !(name == "wasm/scene" && dep == ebitengine) {
			bad(dep, why)
		}
	}
	for _, dep := range p.Imports {
		if r.pure && !strings.HasPrefix(dep, "openloop/") && !slices.Contains(pureStd, dep) {
			bad(dep, r.why)
		}
	}
	return out
}

// TestImportRulesCanFail: the table above refuses what it should.
func TestImportRulesCanFail(t *testing.T) {
	for _, c := range []struct {
		p    listed
		want string
	}{
		{listed{ImportPath: "openloop/numerics", Imports: []string{"fmt"}, Deps: []string{"fmt"}}, "numerics must not import fmt"},
		{listed{ImportPath: "openloop/content/demo/text", Deps: []string{"openloop/site/internal/cache"}}, "must not import site/internal/cache"},
		{listed{ImportPath: "openloop/wasm/float", Deps: []string{"openloop/content/demo", "openloop/content/demo/serving"}}, "must not import content/demo/serving"},
		{listed{ImportPath: "openloop/content/demo/serving", Imports: []string{"time"}}, "content/demo/serving must not import time"},
		{listed{ImportPath: "openloop/wasm/serving", Deps: []string{"github.com/yuin/goldmark"}}, "must not import github.com/yuin/goldmark"},
		{listed{ImportPath: "openloop/site", Imports: []string{"math/rand"}, Deps: []string{"math/rand"}}, "must not import math/rand"},
		{listed{ImportPath: "openloop/news"}, "has no rule"},
	} {
		got := breaks(c.p)
		require.Len(t, got, 1, "%v", c.p)
		assert.Contains(t, got[0], c.want)
	}
	assert.Empty(t, breaks(listed{ImportPath: "openloop/numerics/kernel", Imports: []string{"math"}, Deps: []string{"openloop/numerics", "math", "unsafe"}}))
}

// TestPackagesAreDocumented: every package says what it is for.
func TestPackagesAreDocumented(t *testing.T) {
	for _, p := range list(t, "linux", "amd64") {
		documented := len(p.GoFiles) == 0
		for _, f := range p.GoFiles {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, f), nil, parser.PackageClauseOnly|parser.ParseComments)
			require.NoError(t, err)
			documented = documented || says(file.Doc)
		}
		assert.True(t, documented, "%s has no package comment", p.ImportPath)
	}
}

func says(doc *ast.CommentGroup) bool { return doc != nil && len(doc.Text()) > 40 }

// long are the files of more than 400 lines, each with the reason.
var long = map[string]string{}

// TestFilesAreShort: a file holds one idea.
func TestFilesAreShort(t *testing.T) {
	const most = 400
	root := ".."
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{"node_modules", ".git", ".cache", "dist", "bin", "testdata"}, d.Name()) {
			return fs.SkipDir
		}
		if ext := filepath.Ext(path); ext != ".go" && ext != ".js" && ext != ".mjs" && ext != ".sh" || strings.HasSuffix(path, ".gen.go") {
			return nil
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if n := strings.Count(string(raw), "\n"); n > most {
			assert.Contains(t, long, rel, "%s has %d lines; split it, or give a reason in site/arch_test.go", rel, n)
		}
		return nil
	}))
}
