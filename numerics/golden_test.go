package numerics_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/numerics"
)

// The golden file was made by two programs outside this project, in Python and
// in JavaScript, neither of which shares code with this one. Its own text
// defines the generator, the kinds and the methods. OPENLOOP_GOLDEN_DIR names
// another folder with a reductions.json of the same form.

type goldenFile struct {
	Format  int            `json:"format"`
	PRNG    goldenPRNG     `json:"prng"`
	Vectors []goldenVector `json:"vectors"`
	Argmax  []goldenArgmax `json:"argmax"`
}

type goldenPRNG struct {
	Name  string   `json:"name"`
	First []uint32 `json:"first_outputs_seed_1"`
}

type goldenVector struct {
	ID         string             `json:"id"`
	Kind       string             `json:"kind"`
	N          int                `json:"n"`
	Seed       uint32             `json:"seed"`
	First      []string           `json:"first"`
	Last       string             `json:"last"`
	Bits       map[string]*string `json:"bits"`
	ValueExact float64            `json:"value_exact"`
	ULPs       map[string]*int64  `json:"ulps_from_exact"`
}

type goldenArgmax struct {
	ID          string               `json:"id"`
	Kind        string               `json:"kind"`
	N           int                  `json:"n"`
	ASeed       uint32               `json:"a_seed"`
	BSeed       uint32               `json:"b_seed"`
	BOrder      string               `json:"b_order"`
	Gap         float64              `json:"exact_gap_b_minus_a"`
	ExactArgmax int                  `json:"exact_argmax"`
	Bits        map[string][2]string `json:"bits"`
	Argmax      map[string]int       `json:"argmax"`
}

var (
	vectorID = regexp.MustCompile(`^([a-z0-9]+)-n(\d+)-s(\d+)$`)
	argmaxID = regexp.MustCompile(`^argmax-([a-z0-9]+)-n(\d+)-(\d+)-(\d+)-(forward|reverse)$`)
)

const (
	methodFloat64 = "f64seq"  // not an Order: it adds in float64
	methodExact   = "exact32" // not an Order: it does not round on the way
)

// loadGolden reads the committed file, or the one that the environment names.
func loadGolden(t *testing.T) (g goldenFile, committed bool) {
	t.Helper()
	dir := os.Getenv("OPENLOOP_GOLDEN_DIR")
	committed = dir == ""
	if committed {
		dir = filepath.Join("testdata", "golden")
	}
	raw, err := os.ReadFile(filepath.Join(dir, "reductions.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &g))
	require.Equal(t, 1, g.Format, "format of the golden file")
	return g, committed
}

func TestGoldenCounts(t *testing.T) {
	g, committed := loadGolden(t)
	require.NotEmpty(t, g.Vectors)
	require.NotEmpty(t, g.Argmax)
	seen := map[string]bool{}
	for _, v := range g.Vectors {
		assert.False(t, seen[v.ID], "id %s stands twice", v.ID)
		seen[v.ID] = true
		assert.Len(t, v.Bits, 13, "results of %s", v.ID)
		assert.Len(t, v.ULPs, 11, "distances of %s", v.ID)
	}
	if committed {
		assert.Len(t, g.Vectors, 29)
		assert.Len(t, g.Argmax, 11)
	}
}

func TestGoldenGenerator(t *testing.T) {
	g, _ := loadGolden(t)
	require.Equal(t, "xorshift32", g.PRNG.Name)
	require.NotEmpty(t, g.PRNG.First)
	r := numerics.NewRand(1)
	for i, want := range g.PRNG.First {
		assert.Equal(t, want, r.Uint32(), "output %d of seed 1", i)
	}
}

func TestGoldenReductions(t *testing.T) {
	g, _ := loadGolden(t)
	for _, v := range g.Vectors {
		t.Run(v.ID, func(t *testing.T) { checkVector(t, v) })
	}
}

func checkVector(t *testing.T, v goldenVector) {
	part := vectorID.FindStringSubmatch(v.ID)
	require.NotNil(t, part, "id %q is not KIND-nN-sSEED", v.ID)
	require.Equal(t, []string{v.Kind, strconv.Itoa(v.N), strconv.FormatUint(uint64(v.Seed), 10)}, part[1:], "id against fields")
	kind, ok := numerics.ParseKind(v.Kind)
	require.True(t, ok, "unknown kind %q", v.Kind)

	row := make([]float32, v.N)
	numerics.Fill(kind, v.Seed, row)
	require.LessOrEqual(t, len(v.First), len(row))
	for i, want := range v.First {
		require.Equal(t, want, hex32(row[i]), "input %d", i)
	}
	if v.N > 0 {
		require.Equal(t, v.Last, hex32(row[v.N-1]), "last input")
	}

	var e numerics.Exact
	e.AddAll(row)
	exact := e.Float32()
	assert.Equal(t, math.Float64bits(v.ValueExact), math.Float64bits(e.Float64()), "value_exact %v, got %v", v.ValueExact, e.Float64())
	assert.Contains(t, v.Bits, methodExact)
	assert.Contains(t, v.Bits, methodFloat64)

	scratch := make([]float32, v.N)
	for method, want := range v.Bits {
		switch method {
		case methodExact:
			assert.Equal(t, deref(want), hex32(exact), method)
			continue
		case methodFloat64:
			assert.Equal(t, deref(want), hex64(numerics.SumFloat64(row)), method)
			continue
		}
		order, ok := numerics.ParseOrder(method)
		require.True(t, ok, "unknown method %q", method)
		sum, defined := numerics.Sum(order, row, scratch)
		ulps, counted := v.ULPs[method]
		require.True(t, counted, "no ulps_from_exact for %s", method)
		if want == nil {
			assert.False(t, defined, "%s is null in the file", method)
			assert.Nil(t, ulps, method)
			continue
		}
		require.True(t, defined, "%s has a value in the file", method)
		assert.Equal(t, *want, hex32(sum), method)
		require.NotNil(t, ulps, method)
		assert.Equal(t, *ulps, numerics.ULPs(sum, exact), "ulps_from_exact of %s", method)
	}
}

func TestGoldenArgmax(t *testing.T) {
	g, _ := loadGolden(t)
	for _, c := range g.Argmax {
		t.Run(c.ID, func(t *testing.T) { checkArgmax(t, c) })
	}
}

func checkArgmax(t *testing.T, c goldenArgmax) {
	part := argmaxID.FindStringSubmatch(c.ID)
	require.NotNil(t, part, "id %q is not argmax-KIND-nN-A-B-ORDER", c.ID)
	require.Equal(t, []string{
		c.Kind, strconv.Itoa(c.N), strconv.FormatUint(uint64(c.ASeed), 10),
		strconv.FormatUint(uint64(c.BSeed), 10), c.BOrder,
	}, part[1:], "id against fields")
	kind, ok := numerics.ParseKind(c.Kind)
	require.True(t, ok, "unknown kind %q", c.Kind)

	a, b := make([]float32, c.N), make([]float32, c.N)
	numerics.Fill(kind, c.ASeed, a)
	numerics.Fill(kind, c.BSeed, b)
	if c.BOrder == "reverse" {
		for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}

	var gap numerics.Exact
	gap.AddAll(b)
	var ea numerics.Exact
	ea.AddAll(a)
	gap.SubExact(&ea)
	assert.Equal(t, c.Gap, gap.Float64(), "exact gap")
	assert.Equal(t, c.ExactArgmax == 1, gap.Sign() > 0, "exact argmax")

	require.Len(t, c.Argmax, len(c.Bits))
	for method, want := range c.Bits {
		order, ok := numerics.ParseOrder(method)
		require.True(t, ok, "unknown method %q", method)
		sa, okA := numerics.Sum(order, a, nil)
		sb, okB := numerics.Sum(order, b, nil)
		require.True(t, okA && okB, "%s is undefined", method)
		assert.Equal(t, want, [2]string{hex32(sa), hex32(sb)}, method)
		winner, ok := c.Argmax[method]
		require.True(t, ok, "no argmax for %s", method)
		assert.Equal(t, winner, numerics.Argmax([]float32{sa, sb}), "argmax of %s", method)
	}
}

func deref(s *string) string {
	if s == nil {
		return "null"
	}
	return *s
}

func hex32(x float32) string { return hexDigits(uint64(math.Float32bits(x)), 8) }

func hex64(x float64) string { return hexDigits(math.Float64bits(x), 16) }

func hexDigits(b uint64, n int) string {
	s := strconv.FormatUint(b, 16)
	for len(s) < n {
		s = "0" + s
	}
	return s
}
