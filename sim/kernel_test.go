package sim

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// list is a Source that sends given requests at given instants.
type list struct {
	specs []Spec
	next  int
	ended []int32
}

func (l *list) Next() (Nanos, bool) {
	if l.next == len(l.specs) {
		return 0, false
	}
	return l.specs[l.next].SentAt, true
}

func (l *list) Take(r *Spec) {
	*r = l.specs[l.next]
	l.next++
}

func (l *list) Ended(i int32, _ Nanos, _ Status) { l.ended = append(l.ended, i) }

func (l *list) Most() int { return len(l.specs) }

// ask is a request with the fields that nobody cares about set to none.
func ask(at Nanos, prompt, output int32) Spec {
	return Spec{IntendedAt: at, SentAt: at, Prompt: prompt, Output: output, Session: -1, Client: -1}
}

// unit is an engine with blocks of 4 whose every step lasts a second.
func unit() Engine {
	return Engine{
		MaxNumSeqs: 8, MaxBatchedTokens: 32, PrefillChunkTokens: 32, BlockTokens: 4, KVBlocks: 100,
		Cost: LinearCost{Base: 1e12},
	}
}

// traceText writes steps as "A6@0 B5@0 4" with the blocks in use at the end,
// and preempted requests behind it.
func traceText(steps []StepTrace) []string {
	var out []string
	for _, s := range steps {
		var b strings.Builder
		for _, p := range s.Pieces {
			b.WriteString(string(rune('A'+p.Request)) + strconv.Itoa(int(p.Tokens)) + "@" + strconv.Itoa(int(p.From)) + " ")
		}
		b.WriteString(strconv.Itoa(int(s.Used)))
		for _, i := range s.Preempt {
			b.WriteString(" -" + string(rune('A'+i)))
		}
		out = append(out, b.String())
	}
	return out
}

func run(t *testing.T, c Config, specs ...Spec) *Results {
	t.Helper()
	c.Replicas = max(1, c.Replicas)
	s, err := New(c, &list{specs: specs}, 1)
	require.NoError(t, err)
	s.Run()
	return s.Results()
}

func TestSchedulerTables(t *testing.T) {
	const sec = Second
	kv := func(blocks int) func(*Engine) { return func(e *Engine) { e.KVBlocks = blocks } }
	budget := func(n int) func(*Engine) { return func(e *Engine) { e.MaxBatchedTokens, e.PrefillChunkTokens = n, n } }
	seqs := func(n int) func(*Engine) { return func(e *Engine) { e.MaxNumSeqs = n } }
	async := func(e *Engine) { e.Async = true }
	prefix := func(e *Engine) { e.PrefixCache = true }
	priority := func(e *Engine) { e.Policy = Priority }
	shared := func(s Spec, segments ...Segment) Spec { s.Prefix = segments; return s }
	ranked := func(s Spec, p int32) Spec { s.Priority = p; return s }
	for _, c := range []struct {
		name  string
		opts  []func(*Engine)
		specs []Spec
		want  []string
	}{
		{"two prompts in one step", []func(*Engine){budget(16), seqs(4)},
			[]Spec{ask(0, 6, 2), ask(0, 5, 2)},
			[]string{"A6@0 B5@0 4", "A1@6 B1@5 4"}},
		{"chunk boundary", []func(*Engine){budget(8)},
			[]Spec{ask(0, 10, 2), ask(0, 7, 1)},
			[]string{"A8@0 2", "A2@8 B6@0 5", "A1@10 B1@6 5"}},
		{"decode and prefill mixed", []func(*Engine){budget(8)},
			[]Spec{ask(0, 4, 4), ask(sec, 10, 2)},
			[]string{"A4@0 1", "A1@4 B7@0 4", "A1@5 B3@7 5", "A1@6 B1@10 5"}},
		{"seats", []func(*Engine){budget(16), seqs(2)},
			[]Spec{ask(0, 4, 2), ask(0, 4, 3), ask(0, 4, 2)},
			[]string{"A4@0 B4@0 2", "A1@4 B1@4 4", "B1@5 C4@0 3", "C1@4 2"}},
		{"seats, async", []func(*Engine){budget(16), seqs(2), async},
			[]Spec{ask(0, 4, 2), ask(0, 4, 3), ask(0, 4, 2)},
			[]string{"A4@0 B4@0 2", "A1@4 B1@4 4", "B1@5 4", "C4@0 3", "C1@4 2"}},
		{"preemption", []func(*Engine){kv(6)},
			[]Spec{ask(0, 7, 6), ask(0, 7, 4), ask(0, 7, 3)},
			[]string{"A7@0 B7@0 C7@0 6", "A1@7 B1@7 C1@7 6", "A1@8 B1@8 6 -C", "A1@9 B1@9 6", "A1@10 C9@0 6", "A1@11 3"}},
		{"preemption, async", []func(*Engine){kv(6), async},
			[]Spec{ask(0, 7, 6), ask(0, 7, 4), ask(0, 7, 3)},
			[]string{"A7@0 B7@0 C7@0 6", "A1@7 B1@7 C1@7 6", "A1@8 B1@8 6 -C", "A1@9 B1@9 6", "A1@10 6", "A1@11 C9@0 6"}},
		{"full blocks are hit", []func(*Engine){prefix},
			[]Spec{shared(ask(0, 10, 3), Segment{7, 9}), shared(ask(sec, 11, 2), Segment{7, 9})},
			[]string{"A10@0 3", "A1@10 B3@8 4", "A1@11 B1@11 4"}},
		{"the last block is computed again", []func(*Engine){prefix},
			[]Spec{shared(ask(0, 8, 2), Segment{7, 8}), shared(ask(5*sec, 8, 2), Segment{7, 8})},
			[]string{"A8@0 2", "A1@8 3", "B4@4 2", "B1@8 3"}},
		{"least recently used", []func(*Engine){prefix, kv(5)},
			[]Spec{shared(ask(0, 12, 1), Segment{7, 12}), ask(2*sec, 8, 1), ask(4*sec, 8, 1), shared(ask(6*sec, 12, 1), Segment{7, 12})},
			[]string{"A12@0 3", "B8@0 2", "C8@0 2", "D8@4 3"}},
		{"priority", []func(*Engine){priority, kv(6)},
			[]Spec{ranked(ask(0, 5, 6), 5), ranked(ask(sec/10, 7, 4), 1), ranked(ask(sec/5, 7, 4), 3)},
			[]string{"A5@0 2", "A1@5 B7@0 C7@0 6", "A1@6 B1@7 C1@7 6", "B1@8 C1@8 6 -A", "B1@9 C1@9 6", "A8@0 2", "A1@8 3", "A1@9 3"}},
		{"one output token", []func(*Engine){budget(16)},
			[]Spec{ask(0, 5, 1), ask(0, 5, 3)},
			[]string{"A5@0 B5@0 4", "B1@5 2", "B1@6 2"}},
		{"one output token, async", []func(*Engine){budget(16), async},
			[]Spec{ask(0, 5, 1), ask(0, 5, 3)},
			[]string{"A5@0 B5@0 4", "B1@5 4", "B1@6 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := unit()
			for _, o := range c.opts {
				o(&e)
			}
			got := run(t, Config{Engine: e, TraceSteps: 1000}, c.specs...)
			assert.Equal(t, c.want, traceText(got.Steps))
			for _, s := range got.Status {
				assert.Equal(t, Completed, s)
			}
		})
	}
}
