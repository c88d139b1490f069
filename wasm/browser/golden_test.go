package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// golden is numerics/testdata/golden/reductions.json: inputs by kind, seed and
// length, and the bits that each summation order must give.
type golden struct {
	Vectors []struct {
		ID, Kind string
		N        int
		Seed     uint32
		First    []string
		Last     string
		Bits     map[string]*string
	}
	Argmax []struct {
		ID, Kind string
		N        int
		ASeed    uint32 `json:"a_seed"`
		BSeed    uint32 `json:"b_seed"`
		BOrder   string `json:"b_order"`
		Bits     map[string][2]string
		Argmax   map[string]int
	}
}

func readGolden(t testing.TB) golden {
	t.Helper()
	dir := os.Getenv("OPENLOOP_GOLDEN_DIR")
	if dir == "" {
		dir = filepath.Join("..", "..", "numerics", "testdata", "golden")
	}
	b, err := os.ReadFile(filepath.Join(dir, "reductions.json"))
	require.NoError(t, err)
	var g golden
	require.NoError(t, json.Unmarshal(b, &g))
	return g
}

// inject defines window.golden, the independent implementation of
// testdata/golden.js, in a frame.
func inject(t testing.TB, f frame) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "golden.js"))
	require.NoError(t, err)
	id, ok := f.tab.rec.context(f.id)
	require.True(t, ok)
	_, err = chromedp.Run(f.tab.ctx, chromedp.Evaluate[bool]("window.golden = "+string(src)+"; true", func(p *runtime.EvaluateParams) { p.UniqueContextID = id }))
	require.NoError(t, err)
}

// vectorBits is what one implementation gives for a vector.
type vectorBits struct {
	First string             `json:"first"`
	Last  string             `json:"last"`
	Bits  map[string]*string `json:"bits"`
}

// TestGoldenInChromium compares three computations of every vector bit for
// bit: the file, plain JavaScript in the page, and the engine as WebAssembly,
// read from the CSV of the demo sum-orders.
func TestGoldenInChromium(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	g := readGolden(t)
	d := find(t, "sum-orders")
	tb, visitPage := modes[0].enter(t, s)
	require.Len(t, g.Vectors, 29)
	tb = tb.in(t)
	p := demoPage{visitPage(tb, embedPage(d.ID), ""), d}
	p.ready()
	inject(t, p.frame)
	for _, v := range g.Vectors {
		t.Run(v.ID, func(t *testing.T) {
			require.Len(t, v.Bits, 13)
			p := p.with(t)
			state := read(t, d, fmt.Sprintf("v=%d&seed=%d&kind=%s&n=%d", d.Version, v.Seed, v.Kind, v.N))
			js := call[vectorBits](p.frame, `(kind, n, seed) => golden.all(kind, n, seed)`, v.Kind, v.N, v.Seed)
			assert.Equal(t, v.Bits, js.Bits, "JavaScript against the file")
			assert.Equal(t, v.First[0], js.First, "the first input")
			assert.Equal(t, v.Last, js.Last, "the last input")

			p.follow(state)
			p.action("csv")
			_, body := tb.saved()
			require.Contains(t, body, "# state: "+state.String()+"\n")
			assert.Equal(t, v.Bits, engineBits(t, body), "the engine in Chromium against the file")
		})
	}
}

// TestGoldenArgmax compares the argmax cases of the file with JavaScript.
func TestGoldenArgmax(t *testing.T) {
	t.Parallel()
	g := readGolden(t)
	tb := newTab(t)
	f := tb.open("about:blank")
	inject(t, f)
	require.Len(t, g.Argmax, 11)
	type choice struct {
		Bits   map[string][2]string `json:"bits"`
		Argmax map[string]int       `json:"argmax"`
	}
	for _, c := range g.Argmax {
		var names []string
		for name := range c.Bits {
			names = append(names, name)
		}
		got := call[choice](f, `(...a) => golden.choose(...a)`, c.Kind, c.N, c.ASeed, c.BSeed, c.BOrder, names)
		assert.Equal(t, choice{c.Bits, c.Argmax}, got, c.ID)
	}
}

// engineBits reads the results from the CSV of sum-orders: one line an order,
// with its name and its bits.
func engineBits(t testing.TB, body string) map[string]*string {
	t.Helper()
	rows := readCSV(t, body)
	bits := map[string]*string{}
	for _, r := range rows {
		b := strings.TrimPrefix(r["bits"], "0x")
		if b == "" {
			bits[r["order"]] = nil
			continue
		}
		bits[r["order"]] = &b
	}
	return bits
}

// readCSV reads a file of ours: comments, names of columns without their
// units, rows.
func readCSV(t testing.TB, body string) []map[string]string {
	t.Helper()
	var head []string
	var rows []map[string]string
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, ",")
		if head == nil {
			for i := range cells {
				cells[i], _, _ = strings.Cut(cells[i], " (")
			}
			head = cells
			continue
		}
		require.Len(t, cells, len(head), line)
		row := map[string]string{}
		for i, c := range cells {
			row[head[i]] = c
		}
		rows = append(rows, row)
	}
	return rows
}
