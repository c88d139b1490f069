package sim

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSnapshot takes pictures of random runs and holds them to the books: they
// add up, they are the same whether the run jumped to that instant or went step
// by step, and taking them changes nothing.
func TestSnapshot(t *testing.T) {
	seen := map[string]int{}
	for seed := range runs() {
		pick := seededChooser(seed)
		c := clusterCorner(pick)
		c.TraceSteps = 0
		if c.validate() != nil {
			continue // a cost that is too long once it is slowed
		}
		specs := cornerSpecs(pick, c)
		if wrong := pictured(t, c, specs, seed, seen); wrong != "" {
			c, specs = shrink(c, specs, func(c Config, specs []Spec) bool { return pictured(t, c, specs, seed, seen) != "" })
			t.Fatalf("%s\nseed %d\nc := %s\nspecs := %s", pictured(t, c, specs, seed, seen), seed, literal(c), literal(specs))
		}
	}
	for _, what := range []string{"queued", "prefill", "decode", "on a link", "put back", "stored", "shared", "kept", "lost", "evicted", "off", "slower", "in a step"} {
		if seen[what] == 0 {
			t.Errorf("no picture shows %s", what)
		}
	}
}

func pictured(t *testing.T, c Config, specs []Spec, seed uint64, seen map[string]int) string {
	t.Helper()
	want := kernelRun(c, &listSource{specs: specs}, seed)
	s, err := New(c, &listSource{specs: specs}, seed)
	require.NoError(t, err)
	var got, again Snapshot
	const looks = 12
	for k := range Nanos(looks) {
		at := want.EndAt / looks * k
		s.RunUntil(at)
		s.Snapshot(&got)
		if wrong := addsUp(s, &got, seen); wrong != "" {
			return fmt.Sprintf("at %d: %s", at, wrong)
		}
		if k%4 != 1 {
			continue
		}
		stepped, err := New(c, &listSource{specs: specs}, seed)
		require.NoError(t, err)
		for stepped.advance(min(at.Picos(), stepped.end)) {
		}
		stepped.now = s.now
		stepped.Snapshot(&again)
		if jumped, stepped := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", again); jumped != stepped {
			return fmt.Sprintf("at %d: jumped to\n%s\nstepped to\n%s", at, jumped, stepped)
		}
	}
	s.Run()
	if d := difference(s.Results(), want); d != "" {
		return "looking changes the run: " + d
	}
	return ""
}

// addsUp holds one picture to what a run has recorded by then.
func addsUp(s *ServingSim, x *Snapshot, seen map[string]int) string {
	note := func(what string, is bool) {
		if is {
			seen[what]++
		}
	}
	r := s.Results()
	listed, own := map[int32]bool{}, int32(0)
	held, shared := int32(0), int32(0)
	count := make([]struct{ run, wait, blocks, tokens int32 }, len(x.Replicas))
	for _, q := range x.Requests {
		c := &count[q.Replica]
		own += q.Blocks - q.Shared
		switch q.Place {
		case InQueue:
			c.wait++
			note("queued", true)
			if q.Blocks > 0 {
				return fmt.Sprintf("request %d waits and holds blocks", q.Request)
			}
		case OnLink:
			c.wait++
			note("on a link", true)
		default:
			c.run++
			c.tokens += q.Tokens
			note("prefill", q.Place == InPrefill)
			note("decode", q.Place == InDecode)
			if q.Blocks*int32(s.c.Engine.BlockTokens) < q.Computed {
				return fmt.Sprintf("request %d has computed more than its blocks hold", q.Request)
			}
			if q.Place == InDecode && q.Generated == 0 {
				return fmt.Sprintf("request %d decodes before its first token", q.Request)
			}
		}
		note("put back", q.PutBack)
		note("stored", q.Stored)
		note("shared", q.Shared > 0)
		switch i := q.Request; {
		case listed[i]:
			return fmt.Sprintf("request %d is in two places", i)
		case r.Status[i].Final():
			return fmt.Sprintf("request %d has ended", i)
		case r.Generated[i] != q.Generated || r.Replica[i] != q.Replica:
			return fmt.Sprintf("request %d is not as the results have it", i)
		}
		listed[q.Request] = true
	}
	for i, status := range r.Status {
		if !status.Final() && !listed[int32(i)] {
			return fmt.Sprintf("request %d is nowhere", i)
		}
	}
	for i, p := range x.Replicas {
		c := count[i]
		held += p.Held
		shared += p.Shared
		note("kept", p.Kept > 0)
		note("lost", p.Lost > 0)
		note("evicted", p.Evicted > 0)
		note("off", p.Presence == IsOff)
		note("booting", p.Presence == IsBooting)
		note("slower", p.Slower > 1)
		note("in a step", p.Start != Never)
		switch {
		case c.run != p.Running || c.wait != p.Waiting:
			return fmt.Sprintf("replica %d runs %d and has %d waiting, listed are %d and %d", i, p.Running, p.Waiting, c.run, c.wait)
		case p.Held+p.Kept+p.Lost > p.Blocks || p.Shared > p.Held || p.Held < 0:
			return fmt.Sprintf("replica %d has blocks that it has not", i)
		case p.Start == Never && p.Prefill+p.Decode > 0, p.Start != Never && p.Prefill+p.Decode == 0:
			return fmt.Sprintf("replica %d computes outside of steps, or nothing in one", i)
		case p.Start != Never && c.tokens > p.Prefill+p.Decode:
			return fmt.Sprintf("replica %d gives %d tokens in a step of %d", i, c.tokens, p.Prefill+p.Decode)
		case p.Start != Never && (p.End < x.At || p.Start > p.End):
			return fmt.Sprintf("replica %d: a step from %d to %d", i, p.Start, p.End)
		}
	}
	for _, l := range s.links {
		for _, slot := range l.queue {
			if q := &s.seqs[slot]; q.ended {
				own += q.blocks // sent on, though nobody waits for it any more
				if s.c.Engine.PrefixCache {
					return "" // how many of them are shared is not listed
				}
			}
		}
	}
	if own+shared != held {
		return fmt.Sprintf("requests hold %d blocks, replicas say %d", own+shared, held)
	}
	return ""
}

// What the scheduler does, seen from inside: three requests in six blocks of four
// tokens; the third step puts the last one back.
func TestSnapshotOfAScene(t *testing.T) {
	c := sceneConfig()
	c.Engine.MaxBatchedTokens, c.Engine.KVBlocks, c.Engine.PrefixCache = 32, 6, true
	s, err := New(c, &listSource{specs: []Spec{arrive(0, 7, 6), arrive(0, 7, 4), arrive(0, 7, 3)}}, 1)
	require.NoError(t, err)
	var x Snapshot
	line := func() (out string) {
		s.Snapshot(&x)
		for _, q := range x.Requests {
			out += fmt.Sprintf("%s%d/%d+%d ", []string{"queue", "prefill", "decode", "link"}[q.Place], q.Computed, q.Blocks, q.Tokens)
		}
		p := x.Replicas[0]
		return out + fmt.Sprintf("held %d kept %d", p.Held, p.Kept)
	}
	for _, want := range []string{
		"prefill7/2+7 prefill7/2+7 prefill7/2+7 held 6 kept 0",
		"decode8/2+1 decode8/2+1 decode8/2+1 held 6 kept 0",
		"decode9/3+1 decode9/3+1 queue0/0+0 held 6 kept 0",
	} {
		require.True(t, s.Step())
		require.Equal(t, want, line())
	}
	require.Equal(t, int64(2), x.Replicas[0].Evicted, "C's two full blocks are written over")
	require.True(t, x.Requests[2].PutBack)
}
