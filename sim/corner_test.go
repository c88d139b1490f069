package sim

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
)

// Random configurations that go to the corners on purpose: one block of KV,
// one seat, a budget of one token a seat, chunks of one token, requests longer
// than everything, bursts, equal arrivals, costs of zero and of hours.

// chooser gives a number in [0,n). Laws draw it from a seed, the fuzzer reads
// it from its input.
type chooser func(n int) int

func seededChooser(seed uint64) chooser {
	return rand.New(rand.NewPCG(seed, 0)).IntN
}

// bytesChooser reads choices from data, and 0 when there is no more.
func bytesChooser(data []byte) chooser {
	return func(n int) int {
		if len(data) == 0 {
			return 0
		}
		b := int(data[0])
		data = data[1:]
		return b % n
	}
}

func oneOf[T any](pick chooser, of ...T) T { return of[pick(len(of))] }

func cornerConfig(pick chooser) Config {
	step := oneOf[Picos](pick, 1e12, 1e12, 1e9, 1e15, 7_001, 1_000, 999, 1)
	c := Config{
		Engine:      cornerEngine(pick, step),
		Replicas:    oneOf(pick, 1, 1, 1, 2, 3),
		Routing:     oneOf(pick, RoundRobin, LeastRequests),
		MaxWaiting:  oneOf(pick, 0, 0, 0, 1, 4),
		Timeout:     someSteps(pick, step, 0, 0, 0, 0, 1, 4, 30, 200),
		Horizon:     someSteps(pick, step, 0, 0, 0, 0, 5, 50),
		SampleEvery: someSteps(pick, step, 0, 1, 7, 50),
		TraceSteps:  1 << 20,
	}
	at := Nanos(0)
	for range oneOf(pick, 0, 0, 0, 1, 3) {
		at += someSteps(pick, step, 0, 1, 6)
		to := at + someSteps(pick, step, 1, 2, 9)
		c.Pauses = append(c.Pauses, Span{at, to})
		at = to + oneOf[Nanos](pick, 0, 0, 1)
	}
	var k checker
	if c.Engine.check(&k); k.Err != nil { // the largest step would be too long
		c.Engine.Cost = LinearCost{Base: step}
	}
	if c.SampleEvery > 0 {
		c.SampleEvery = max(c.SampleEvery, Microsecond)
	}
	return sampleable(c)
}

// sampleable ends a run that has no end before its samples fill the memory.
func sampleable(c Config) Config {
	if c.SampleEvery > 0 && c.Horizon == 0 {
		windows := Nanos(maxRows / c.Replicas)
		c.Horizon = min(c.SampleEvery, Seconds(MaxSeconds)/windows) * windows
	}
	return c
}

// someSteps is some number of steps, and a little more or less.
func someSteps(pick chooser, step Picos, steps ...int) Nanos {
	n := oneOf(pick, steps...)
	if n == 0 {
		return 0
	}
	return max(1, (Picos(n)*step).Nanos()+oneOf[Nanos](pick, 0, 0, -1, 1)+(step*Picos(pick(3))/2).Nanos())
}

func cornerEngine(pick chooser, step Picos) Engine {
	e := Engine{
		MaxNumSeqs:         oneOf(pick, 1, 2, 3, 3, 5, 16),
		PrefillChunkTokens: oneOf(pick, 0, 1, 2, 4, 8, 1<<20, 1<<20),
		BlockTokens:        oneOf(pick, 1, 2, 4, 4, 16),
		KVBlocks:           oneOf(pick, 1, 2, 3, 6, 6, 10, 10, 16, 16, 40, 300),
		Watermark:          oneOf(pick, 0, 0, 0, 0, 0.01, 0.2, 0.34, 0.99),
		FullPromptGate:     pick(3) == 0,
		PrefixCache:        pick(2) == 0,
		Policy:             oneOf(pick, FCFS, Priority),
		Async:              pick(2) == 0,
		MaxModelLen:        oneOf(pick, 0, 0, 0, 0, 0, 0, 9, 40),
		Cost:               cornerCost(pick, step),
	}
	e.MaxBatchedTokens = e.MaxNumSeqs + oneOf(pick, 0, 0, 1, 3, 8, 30, 500)
	for range oneOf(pick, 0, 0, 0, 0, 1, 2, 5) {
		e.Draft.Accept = append(e.Draft.Accept, oneOf(pick, 0, 1, 0.5, 0.9))
	}
	if pick(4) == 0 {
		e.WarmUp = WarmUp{
			GraphCapture:    oneOf(pick, 0, step, min(5*step, maxWarmUp)),
			Autotune:        oneOf(pick, 0, step/2, min(3*step, maxWarmUp)),
			AllocatorGrowth: oneOf(pick, 0, step/3, step),
		}
	}
	return e
}

// stairs is a cost that is not linear: KV tokens are rounded up, as kernels do.
type stairs struct{ LinearCost }

func (s stairs) Picos(l Load) Picos {
	l.KVTokens = (l.KVTokens + 15) / 16 * 16
	return s.LinearCost.Picos(l)
}

// linearPart is the affine part of a cost of these tests.
func linearPart(c StepCost) LinearCost {
	if s, ok := c.(stairs); ok {
		return s.LinearCost
	}
	return c.(LinearCost)
}

func cornerCost(pick chooser, step Picos) StepCost {
	if pick(3) == 0 {
		return LinearCost{Base: step}
	}
	cost := linearCorner(pick, step)
	if pick(6) == 0 {
		return stairs{cost}
	}
	return cost
}

func linearCorner(pick chooser, step Picos) LinearCost {
	return LinearCost{
		Base:            oneOf(pick, step, step/2+1, 1),
		PerPrefillToken: oneOf(pick, 0, 1, step/7, step/64),
		PerPrefillPair:  oneOf(pick, 0, 1, step/1000),
		PerDecode:       oneOf(pick, 0, 1, step/9),
		PerDraftToken:   oneOf(pick, 0, 3, step/20),
		PerKVToken:      oneOf(pick, 0, 1, step/100, step/3),
	}
}

// cornerSpecs are requests for c, in the order in which they are sent.
func cornerSpecs(pick chooser, c Config) []Spec {
	step := linearPart(c.Engine.Cost).Base
	gap := someSteps(pick, max(step, 1000), 0, 0, 1, 1, 3, 20)
	fits := c.Engine.KVBlocks * c.Engine.BlockTokens
	specs := make([]Spec, oneOf(pick, 1, 2, 3, 6, 12, 30, 60))
	at := oneOf[Nanos](pick, 0, 0, gap, 12_345)
	length := func() int { return cornerLength(pick, fits) }
	if pick(2) == 0 { // a crowd: a few fit at a time, and each grows
		length = func() int { return 1 + pick(min(max(2, fits/2), 60)) }
	}
	for i := range specs {
		specs[i] = Spec{
			IntendedAt: at, SentAt: at,
			Prompt:   int32(length()),
			Output:   int32(length()),
			Priority: int32(pick(3)) - 1,
			Session:  int32(pick(4)) - 1,
			Turn:     int32(pick(2)),
			Client:   -1,
			OutputID: uint64(oneOf(pick, 0, 0, 1000+i)),
		}
		specs[i].Prefix = cornerPrefix(pick, specs[:i])
		if pick(3) > 0 {
			at += gap * Nanos(pick(4)) / 2
		}
	}
	return specs
}

// cornerLength is mostly short, sometimes near what fits, rarely beyond.
func cornerLength(pick chooser, fits int) int {
	n := oneOf(pick, 1, 1, 2, 3, 5, 9, 17, fits/4, fits/2, fits-1, fits)
	if n > 200 {
		n = 200
	}
	if pick(16) == 0 {
		n = fits + 1
	}
	return max(1, min(n, 5000))
}

// cornerPrefix is nothing, one of three texts, two of them in a row, or the
// prompt and the answer of an earlier request.
func cornerPrefix(pick chooser, before []Spec) []Segment {
	segment := func() Segment {
		return Segment{ID: uint64(1 + pick(3)), Tokens: int32(oneOf(pick, 0, 1, 4, 7, 16, 40))}
	}
	switch pick(5) {
	case 0, 1:
		return nil
	case 2:
		return []Segment{segment()}
	case 3:
		return []Segment{segment(), segment()}
	}
	if len(before) == 0 {
		return nil
	}
	last := before[pick(len(before))]
	return append(slices.Clone(last.Prefix), Segment{ID: last.OutputID + 1<<40*uint64(b2i(last.OutputID == 0)), Tokens: last.Output})
}

// literal prints a value as Go, without its zero fields, to be pasted into a
// test.
func literal(v any) string { return literalOf(reflect.ValueOf(v), true) }

func literalOf(v reflect.Value, named bool) string {
	name := ""
	if named {
		name = strings.ReplaceAll(v.Type().String(), "sim.", "")
	}
	switch v.Kind() {
	case reflect.Interface:
		return literalOf(v.Elem(), true)
	case reflect.Struct:
		var fields []string
		for i := range v.NumField() {
			if !v.Field(i).IsZero() {
				fields = append(fields, v.Type().Field(i).Name+": "+literalOf(v.Field(i), true))
			}
		}
		return name + "{" + strings.Join(fields, ", ") + "}"
	case reflect.Slice:
		var items []string
		for i := range v.Len() {
			items = append(items, literalOf(v.Index(i), false))
		}
		return name + "{" + strings.Join(items, ", ") + "}"
	default:
		return fmt.Sprint(v.Interface())
	}
}

// shrink makes a failing run small: fewer requests, then plainer fields, as
// long as it still fails.
func shrink(c Config, specs []Spec, fails func(Config, []Spec) bool) (Config, []Spec) {
	for changed := true; changed; {
		changed = false
		for i := len(specs) - 1; i >= 0; i-- {
			fewer := slices.Delete(slices.Clone(specs), i, i+1)
			if fails(c, fewer) {
				specs, changed = fewer, true
			}
		}
		for _, plain := range plainer {
			d := c
			plain(&d)
			d = sampleable(d)
			if !reflect.DeepEqual(c, d) && d.validate() == nil && fails(d, specs) {
				c, changed = d, true
			}
		}
		for i := range specs {
			for _, plain := range plainerSpec {
				s := slices.Clone(specs)
				plain(&s[i])
				same := reflect.DeepEqual(specs[i], s[i])
				slices.SortStableFunc(s, func(a, b Spec) int { return cmp.Compare(a.SentAt, b.SentAt) })
				if !same && fails(c, s) {
					specs, changed = s, true
				}
			}
		}
	}
	return c, specs
}

var plainer = []func(*Config){
	func(c *Config) { c.Pauses = nil },
	func(c *Config) { c.Pauses = c.Pauses[:min(1, len(c.Pauses))] },
	func(c *Config) { c.Horizon = 0 },
	func(c *Config) { c.Timeout = 0 },
	func(c *Config) { c.SampleEvery = 0 },
	func(c *Config) { c.MaxWaiting = 0 },
	func(c *Config) { c.Replicas = 1 },
	func(c *Config) { c.Changes = nil },
	func(c *Config) { c.Changes = c.Changes[:min(1, len(c.Changes))] },
	func(c *Config) { c.Pools = Pools{} },
	func(c *Config) { c.Engine.Swap = Swap{} },
	func(c *Config) { c.RefreshEvery = 0 },
	func(c *Config) { c.Routing = RoundRobin },
	func(c *Config) { c.Engine.Async = false },
	func(c *Config) { c.Engine.PrefixCache = false },
	func(c *Config) { c.Engine.FullPromptGate = false },
	func(c *Config) { c.Engine.Watermark = 0 },
	func(c *Config) { c.Engine.Policy = FCFS },
	func(c *Config) { c.Engine.Draft = Draft{} },
	func(c *Config) { c.Engine.WarmUp = WarmUp{} },
	func(c *Config) { c.Engine.MaxModelLen = 0 },
	func(c *Config) { c.Engine.PrefillChunkTokens = 1 << 20 },
	func(c *Config) { c.Engine.Cost = LinearCost{Base: 1e12} },
	func(c *Config) { c.Engine.MaxBatchedTokens = c.Engine.MaxNumSeqs + 30 },
	func(c *Config) { c.Engine.KVBlocks = 300 },
}

var plainerSpec = []func(*Spec){
	func(s *Spec) { s.Prefix = nil },
	func(s *Spec) { s.OutputID = 0 },
	func(s *Spec) { s.Priority = 0 },
	func(s *Spec) { s.Session, s.Turn = -1, 0 },
	func(s *Spec) { s.SentAt, s.IntendedAt = 0, 0 },
	func(s *Spec) { s.Output = 1 },
	func(s *Spec) { s.Prompt = 1 },
	func(s *Spec) { s.Output = (s.Output + 1) / 2 },
	func(s *Spec) { s.Prompt = (s.Prompt + 1) / 2 },
}
