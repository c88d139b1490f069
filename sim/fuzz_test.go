package sim

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzConfig reads a configuration, its requests and perhaps one wild number
// from bytes. New refuses it and says what is wrong, or the kernel runs to an
// end that is the reference's and breaks no law.
func FuzzConfig(f *testing.F) {
	for _, seed := range [][]byte{
		nil,
		{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
		[]byte("a budget of one token a seat"),
		[]byte("\x03\x02\x01\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14"),
		[]byte("\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6\xf5\xf4\xf3\xf2\xf1\xf0\xef\xee\xed\xec\xeb\xea\xe9\xe8"),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		pick := bytesChooser(data)
		wild := pick(4) == 3
		c := cornerConfig(pick)
		specs := cornerSpecs(pick, c)
		if wild {
			makeWild(pick, &c)
		}
		if _, err := New(c, &listSource{specs: specs}, 1); err != nil {
			requireValueError(t, err)
			return
		}
		if wild && !modest(c) {
			return
		}
		assert.Empty(t, disagreement(c, specs, 1), "c := %s\nspecs := %s", literal(c), literal(specs))
		lawful(t, "kernel", c, specs, 1, openLoop(kernelRun))
	})
}

// makeWild sets one number of c to something that nobody would choose.
func makeWild(pick chooser, c *Config) {
	fields := numbers(reflect.ValueOf(c).Elem())
	v := fields[pick(len(fields))]
	if v.CanFloat() {
		v.SetFloat(oneOf(pick, -1, 0, 1, 2, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 5e-324))
	} else if v.CanInt() {
		v.SetInt(oneOf[int64](pick, -1, 0, 1, 2, 1<<31, 1<<40, math.MaxInt64, math.MinInt64))
	} else {
		v.SetUint(oneOf[uint64](pick, 0, 1, 2, 255))
	}
}

// numbers are the numeric fields below v, the coefficients of the cost apart.
func numbers(v reflect.Value) []reflect.Value {
	switch {
	case v.CanInt() || v.CanUint() || v.CanFloat():
		return []reflect.Value{v}
	case v.Kind() == reflect.Struct:
		var all []reflect.Value
		for i := range v.NumField() {
			all = append(all, numbers(v.Field(i))...)
		}
		return all
	case v.Kind() == reflect.Slice:
		var all []reflect.Value
		for i := range v.Len() {
			all = append(all, numbers(v.Index(i))...)
		}
		return all
	}
	return nil
}

// modest says whether a wild c is small enough to be run the slow way, by a
// reference that has an object for each block, and without a row of samples for
// each microsecond of an hour.
func modest(c Config) bool {
	return c.Engine.KVBlocks <= 1000 && c.Replicas <= 5 && c.Engine.BlockTokens <= 100 && c.SampleEvery == 0
}

func requireValueError(t *testing.T, err error) *ValueError {
	t.Helper()
	var e *ValueError
	require.True(t, errors.As(err, &e), "%T", err)
	for _, part := range []string{e.Field, e.Value, e.Legal} {
		assert.NotEmpty(t, part)
		assert.Contains(t, err.Error(), part)
	}
	return e
}

// TestBadInput: each number that makes no sense is refused by name.
func TestBadInput(t *testing.T) {
	ints := []int64{math.MinInt64, -1, math.MaxInt64}
	for _, test := range []struct {
		field string
		set   func(c *Config, v int64)
		bad   []int64
	}{
		{"Replicas", func(c *Config, v int64) { c.Replicas = int(v) }, append(ints, 0)},
		{"Routing", func(c *Config, v int64) { c.Routing = Routing(v) }, []int64{200}},
		{"MaxWaiting", func(c *Config, v int64) { c.MaxWaiting = int(v) }, ints},
		{"Timeout", func(c *Config, v int64) { c.Timeout = Nanos(v) }, ints},
		{"Horizon", func(c *Config, v int64) { c.Horizon = Nanos(v) }, ints},
		{"SampleEvery", func(c *Config, v int64) { c.SampleEvery = Nanos(v) }, ints},
		{"Pauses", func(c *Config, v int64) { c.Pauses = []Span{{Nanos(v), Nanos(v)}} }, append(ints, 0, 5)},
		{"Pauses", func(c *Config, v int64) { c.Pauses = []Span{{10, 20}, {Nanos(v), 30}} }, append(ints, 0, 19)},
		{"Engine.MaxNumSeqs", func(c *Config, v int64) { c.Engine.MaxNumSeqs = int(v) }, append(ints, 0)},
		{"Engine.MaxBatchedTokens", func(c *Config, v int64) { c.Engine.MaxBatchedTokens = int(v) }, append(ints, 0, 3)},
		{"Engine.PrefillChunkTokens", func(c *Config, v int64) { c.Engine.PrefillChunkTokens = int(v) }, ints},
		{"Engine.BlockTokens", func(c *Config, v int64) { c.Engine.BlockTokens = int(v) }, append(ints, 0)},
		{"Engine.KVBlocks", func(c *Config, v int64) { c.Engine.KVBlocks = int(v) }, append(ints, 0)},
		{"Engine.Policy", func(c *Config, v int64) { c.Engine.Policy = Policy(v) }, []int64{200}},
		{"Engine.Draft", func(c *Config, v int64) { c.Engine.Draft.Accept = make([]float64, v) }, []int64{100_000}},
		{"Engine.WarmUp.GraphCapture", func(c *Config, v int64) { c.Engine.WarmUp.GraphCapture = Picos(v) }, ints},
		{"Engine.WarmUp.Autotune", func(c *Config, v int64) { c.Engine.WarmUp.Autotune = Picos(v) }, ints},
		{"Engine.WarmUp.AllocatorGrowth", func(c *Config, v int64) { c.Engine.WarmUp.AllocatorGrowth = Picos(v) }, ints},
		{"Engine.MaxModelLen", func(c *Config, v int64) { c.Engine.MaxModelLen = int(v) }, ints},
		{"Engine.Cost", func(c *Config, v int64) { c.Engine.Cost = LinearCost{Base: Picos(v)} }, append(ints, 0)},
		{"Engine.Cost", func(c *Config, v int64) { c.Engine.Cost = LinearCost{Base: 1, PerPrefillToken: Picos(v)} }, ints},
		{"Engine.Cost", func(c *Config, v int64) { c.Engine.Cost = LinearCost{Base: 1, PerPrefillPair: Picos(v)} }, ints},
		{"Engine.Cost", func(c *Config, v int64) { c.Engine.Cost = LinearCost{Base: 1, PerDecode: Picos(v)} }, ints},
		{"Engine.Cost", func(c *Config, v int64) { c.Engine.Cost = LinearCost{Base: 1, PerDraftToken: Picos(v)} }, ints},
		{"Engine.Cost", func(c *Config, v int64) { c.Engine.Cost = LinearCost{Base: 1, PerKVToken: Picos(v)} }, ints},
		{"Engine.Cost", func(c *Config, _ int64) { c.Engine.Cost = nil }, []int64{0}},
	} {
		for _, v := range test.bad {
			c := sceneConfig()
			test.set(&c, v)
			_, err := New(c, &listSource{}, 1)
			if assert.Error(t, err, "%s = %d", test.field, v) {
				assert.True(t, strings.HasPrefix(requireValueError(t, err).Field, test.field) ||
					strings.Contains(err.Error(), test.field), "%s = %d: %v", test.field, v, err)
			}
		}
	}
	for _, v := range []float64{-1, -1e-9, 1.5, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64} {
		c := sceneConfig()
		c.Engine.Watermark = v
		_, err := New(c, &listSource{}, 1)
		assert.Equal(t, "Engine.Watermark", requireValueError(t, err).Field)
		c = sceneConfig()
		c.Engine.Draft.Accept = []float64{0.5, v}
		_, err = New(c, &listSource{}, 1)
		assert.Contains(t, requireValueError(t, err).Field, "Engine.Draft.Accept")
	}
	c := sceneConfig()
	c.Engine.Watermark = 1 // an idle engine could admit, a running one never
	_, err := New(c, &listSource{}, 1)
	requireValueError(t, err)
}

// TestBadRequests: lengths that make no sense fail; the run goes on.
func TestBadRequests(t *testing.T) {
	c := sceneConfig()
	specs := []Spec{
		arrive(0, 0, 1), arrive(0, 1, 0), arrive(0, -5, 5), arrive(0, 5, -5),
		arrive(0, math.MaxInt32, math.MaxInt32), arrive(0, math.MinInt32, math.MinInt32), arrive(0, 4, 1),
	}
	r := kernelRun(c, &listSource{specs: specs}, 1)
	for i := range 6 {
		assert.Equal(t, Failed, r.Status[i], "request %d", i)
	}
	assert.Equal(t, Completed, r.Status[6])
}

// TestOneBlock: a KV cache of one block serves what fits in it, one by one, and
// fails the rest.
func TestOneBlock(t *testing.T) {
	for _, asynchronous := range []bool{false, true} {
		for _, drafts := range []int{0, 3} {
			c := sceneConfig()
			c.Engine.KVBlocks, c.Engine.Async = 1, asynchronous
			c.Engine.Draft.Accept = make([]float64, drafts)
			var specs []Spec
			for i := range int32(20) {
				specs = append(specs, arrive(0, 1+i%4, 1+i%3))
			}
			r := kernelRun(c, &listSource{specs: specs}, 1)
			for i, s := range specs {
				want := Completed
				if s.Prompt+s.Output-1 > 4 {
					want = Failed
				}
				assert.Equal(t, want, r.Status[i], "request %d", i)
			}
			assert.Empty(t, disagreement(c, specs, 1))
		}
	}
}

// TestMillionAtOnce: --request-rate inf with a million prompts ends, and needs
// memory for its columns and not much more.
func TestMillionAtOnce(t *testing.T) {
	n := 100_000
	if runs() > 1000 {
		n = 1_000_000
	}
	c := sceneConfig()
	c.TraceSteps = 0
	c.Engine.MaxNumSeqs, c.Engine.MaxBatchedTokens, c.Engine.KVBlocks = 256, 2048, 2000
	for _, policy := range []Policy{FCFS, Priority} {
		c.Engine.Policy = policy
		r := kernelRun(c, &burstSource{n: n}, 1)
		require.Len(t, r.Status, n)
		for _, s := range r.Status {
			if s != Completed {
				require.Equal(t, Completed, s)
			}
		}
	}
	c.MaxWaiting = 1000
	r := kernelRun(c, &burstSource{n: n}, 1)
	assert.Equal(t, Dropped, r.Status[n-1])
	c.MaxWaiting, c.Timeout = 0, 5*sec
	r = kernelRun(c, &burstSource{n: n}, 1)
	assert.Equal(t, TimedOut, r.Status[n-1])
	assert.Equal(t, 5*sec, r.DoneAt[n-1])
}

// burstSource sends n requests at once, without a list of them.
type burstSource struct{ n, taken int }

func (b *burstSource) Next() (Nanos, bool) { return 0, b.taken < b.n }
func (b *burstSource) Take(r *Spec) {
	*r = Spec{Prompt: 16, Output: 4, Priority: int32(b.taken % 7), Session: -1, Client: -1}
	b.taken++
}
func (b *burstSource) Ended(int32, Nanos, Status) {}
