package sim

import (
	"os"
	"reflect"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dice draws small numbers for random configurations.
type dice struct{ state uint64 }

func (d *dice) n(n int) int {
	d.state++
	return int(mix(d.state) % uint64(n))
}
func (d *dice) in(lo, hi int) int { return lo + d.n(hi-lo+1) }
func (d *dice) one(n int) bool    { return d.n(n) == 0 }
func (d *dice) maybe(n, v int) int {
	if d.one(n) {
		return v
	}
	return 0
}

// bent is a cost that is not linear: it rounds KV tokens up, as kernels do.
type bent struct{}

func (bent) Picos(l Load) Picos {
	return 1_000_000 + 2001*Picos(l.PrefillTokens) + 301*Picos((l.KVTokens+31)/32) + 7*Picos(l.Decodes)
}

// grid makes all spans multiples of a microsecond, so that much happens at one
// instant.
func grid(c *Config, specs []Spec) {
	const us = Microsecond
	round := func(n Nanos) Nanos { return (n + us - 1) / us * us }
	e := &c.Engine
	e.Cost = LinearCost{Base: us.Picos()}
	if e.BlockTokens%2 == 0 {
		e.Cost = LinearCost{Base: us.Picos(), PerKVToken: us.Picos()}
	}
	e.WarmUp.GraphCapture = round(e.WarmUp.GraphCapture.Nanos()).Picos()
	e.WarmUp.Autotune = round(e.WarmUp.Autotune.Nanos()).Picos()
	e.WarmUp.AllocatorGrowth = round(e.WarmUp.AllocatorGrowth.Nanos()).Picos()
	c.Timeout, c.Horizon, c.SampleEvery = round(c.Timeout), round(c.Horizon), round(c.SampleEvery)
	*c = sampleable(*c)
	before := Nanos(0)
	for i := range c.Pauses {
		p := &c.Pauses[i]
		p.From = max(before, round(p.From))
		p.To = max(p.From+us, round(p.To))
		before = p.To
	}
	for i := range specs {
		specs[i].SentAt = round(specs[i].SentAt)
		specs[i].IntendedAt = specs[i].SentAt
	}
}

func randomConfig(d *dice) Config {
	size := 1
	if d.one(8) {
		size = 12
	}
	seats := d.in(1, 8*size)
	e := Engine{
		MaxNumSeqs: seats, MaxBatchedTokens: d.in(seats, seats+40*size), BlockTokens: d.in(1, 6), KVBlocks: d.in(1, 60*size),
		Watermark: float64(d.maybe(4, d.n(30))) / 100, FullPromptGate: d.one(3), PrefixCache: d.one(2),
		Policy: Policy(d.n(2)), Async: d.one(2), MaxModelLen: d.maybe(4, d.in(10, 150)),
		Cost: LinearCost{
			Base: Picos(d.in(1, 2_000_000)), PerPrefillToken: Picos(d.n(3000)), PerPrefillPair: Picos(d.n(10)),
			PerDecode: Picos(d.n(5000)), PerDraftToken: Picos(d.n(500)), PerKVToken: Picos(d.n(3) * d.n(3000)),
		},
	}
	if d.one(3) {
		e.Cost = bent{}
	}
	if !d.one(4) {
		e.PrefillChunkTokens = d.in(1, e.MaxBatchedTokens)
	}
	if d.one(5) {
		e.Draft.Accept = []float64{0.8, 0.5, 0.9}[:d.in(1, 3)]
	}
	if d.one(4) {
		e.WarmUp = WarmUp{Picos(d.n(9_000_000)), Picos(d.n(9_000_000)), Picos(d.n(9_000_000))}
	}
	c := Config{
		Engine: e, Replicas: d.in(1, 3), Routing: Routing(d.n(2)), MaxWaiting: d.maybe(3, d.in(1, 8)),
		Timeout: Nanos(d.maybe(3, d.in(1, 300_000))), Horizon: Nanos(d.maybe(3, d.in(1, 900_000))),
		SampleEvery: Nanos(d.maybe(2, d.in(1000, 99_000))),
	}
	at := 0
	for range d.maybe(3, d.in(1, 4)) {
		from := at + d.n(50_000)
		at = from + d.in(1, 30_000)
		c.Pauses = append(c.Pauses, Span{Nanos(from), Nanos(at)})
	}
	return sampleable(c)
}

func randomRequests(d *dice) []Spec {
	var out []Spec
	at := Nanos(0)
	gap, output := d.in(1, 30_000), d.in(1, 120)
	if d.one(4) {
		output = 600
	}
	outputs := d.one(3)
	for i := range d.in(1, 60) {
		if !d.one(3) {
			at += Nanos(d.n(gap))
		}
		s := ask(at, int32(d.in(1, 50)), int32(d.in(1, output)))
		s.Priority = int32(d.n(3))
		if d.one(2) {
			s.Prefix = append(s.Prefix, Segment{uint64(d.in(1, 3)), int32(d.in(1, 30))})
		}
		if outputs && d.one(2) {
			s.OutputID = uint64(100 + d.in(0, i))
			s.Prefix = append(s.Prefix, Segment{uint64(100 + d.in(0, i)), int32(d.in(1, 30))})
		}
		out = append(out, s)
	}
	return out
}

// TestRunEqualsStep holds the closed form to the step: all that is recorded
// must be equal, whether the run jumps, steps or is cut into pieces.
func TestRunEqualsStep(t *testing.T) {
	n := 500
	if runtime.GOOS == "js" {
		n = 150
	}
	if os.Getenv("OPENLOOP_LONG") == "1" {
		n = 100_000
	}
	var jumped int
	for seed := range n { // a failure names its seed
		d := &dice{uint64(seed) << 32}
		c, specs := randomConfig(d), randomRequests(d)
		if d.one(3) {
			grid(&c, specs)
		}
		fresh := func() (*ServingSim, *list) {
			l := &list{specs: specs}
			s, err := New(c, l, uint64(seed))
			require.NoError(t, err)
			return s, l
		}
		stepped, heard := fresh()
		steps := 0
		for stepped.Step() {
			steps++
		}
		want := stepped.Results()
		checkLaws(t, stepped)
		for mode := range 4 {
			s, l := fresh()
			calls := 0
			switch mode {
			case 0:
				for s.jumping = true; s.advance(s.end); calls++ {
				}
				if calls < steps {
					jumped++
				}
			case 1:
				for at := Nanos(0); at < want.EndAt; at += Nanos(d.in(1, 20_000)) {
					s.RunUntil(at)
					if d.one(2) {
						s.Results()
					}
				}
				s.Run()
			case 2:
				for !s.Work(d.n(3)) {
					if d.one(3) {
						s.Step()
					}
				}
			case 3:
				for i := 0; s.Step(); i++ {
					if d.one(5) {
						s.RunUntil(s.Now() + Nanos(d.n(9000)))
					}
				}
			}
			require.Equal(t, heard.ended, l.ended, "seed %d mode %d", seed, mode)
			sameResults(t, want, s.Results(), "seed %d mode %d\n%+v", seed, mode, c)
		}
	}
	assert.Greater(t, jumped, n/2, "runs that jumped")
}

// sameResults compares field by field, so that a difference reads well.
func sameResults(t *testing.T, want, got *Results, msg ...any) {
	t.Helper()
	a, b := reflect.ValueOf(want).Elem(), reflect.ValueOf(got).Elem()
	for i := range a.NumField() {
		if name := a.Type().Field(i).Name; name == "ITL" {
			require.Equal(t, want.ITL.sum, got.ITL.sum, msg...)
			require.Equal(t, want.ITL.max, got.ITL.max, msg...)
			require.True(t, want.ITL == got.ITL, msg...)
		} else if x, y := a.Field(i), b.Field(i); !reflect.DeepEqual(x.Interface(), y.Interface()) {
			if x.Kind() == reflect.Slice && x.Len() == y.Len() {
				for k := range x.Len() {
					require.Equal(t, x.Index(k).Interface(), y.Index(k).Interface(), append([]any{msg[0].(string) + "\n%s[%d]"}, append(msg[1:], name, k)...)...)
				}
			}
			require.Equal(t, x.Interface(), y.Interface(), msg...)
		}
	}
}

// checkLaws holds a finished simulation to its own books.
func checkLaws(t *testing.T, s *ServingSim) {
	t.Helper()
	r := s.Results()
	inside := 0
	for i, status := range r.Status {
		if !status.Final() {
			inside++
			continue
		}
		require.NotEqual(t, Never, r.DoneAt[i])
		if status == Completed {
			require.Equal(t, r.Output[i], r.Generated[i])
		}
	}
	require.Equal(t, s.live, inside)
	for i := range s.replicas {
		k := &s.replicas[i].kv
		var held int32
		for _, slot := range s.replicas[i].running {
			held += s.seqs[slot].blocks
		}
		if k.prefix == nil {
			require.Equal(t, k.used(), held)
			continue
		}
		var free, indexed int32
		for b := k.prefix.ring[k.total].next; b != k.total; b = k.prefix.ring[b].next {
			require.Zero(t, k.prefix.held[b])
			free++
		}
		require.Equal(t, k.free, free)
		for b, h := range k.prefix.hash {
			if h != 0 {
				indexed++
				require.GreaterOrEqual(t, k.prefix.find(h), int32(0), "block %d is lost", b)
			}
		}
		for _, e := range k.prefix.index {
			if e.block != 0 {
				indexed--
			}
		}
		require.Zero(t, indexed)
	}
	require.LessOrEqual(t, len(s.vacant)+inside, len(s.seqs))
	if inside == 0 && s.c.Horizon == 0 && len(s.c.Engine.Draft.Accept) == 0 {
		for i := range s.replicas {
			require.Zero(t, s.replicas[i].kv.used())
		}
	}
}
