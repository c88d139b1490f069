package reading

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"openloop/sim"
)

// logged is the lines that vLLM writes every 10 s of the server's life, from one
// instant to another.
func (s server) logged(t testing.TB, from, to sim.Nanos) string {
	t.Helper()
	r := s.run(t, to)
	blocks := s.scenario.Config.Engine.KVBlocks
	drafting := len(s.scenario.Config.Engine.Draft.Accept) == 1 // so that the one position is accepted as the whole is
	var b strings.Builder
	since := sim.Nanos(0)
	for _, row := range r.Samples {
		span := (row.At - since).Seconds()
		prompts := 0.0
		looked, hit := lastLooked(r, row.At)
		for i := range r.Status {
			if at := r.FirstTokenAt[i]; at > since && at <= row.At {
				prompts += float64(r.Prompt[i] - r.Cached[i])
			}
		}
		since = row.At
		if row.At <= from {
			continue
		}
		sec := int(row.At / sim.Second)
		stamp := fmt.Sprintf("11-30 %02d:%02d:%02d", 3+sec/3600, sec/60%60, sec%60)
		fmt.Fprintf(&b, "(APIServer pid=1) INFO %s [loggers.py:271] Engine 000: Avg prompt throughput: %.1f tokens/s, Avg generation throughput: %.1f tokens/s, Running: %d reqs, Waiting: %d reqs, GPU KV cache usage: %.1f%%, Prefix cache hit rate: %.1f%%\n",
			stamp, prompts/span, float64(row.Tokens)/span, row.Running, row.Waiting, 100*float64(row.UsedBlocks)/float64(blocks), 100*hit/math.Max(1, looked))
		if drafting {
			drafted, accepted := row.DraftSteps, row.Accepted
			share := float64(accepted) / float64(drafted)
			fmt.Fprintf(&b, "(APIServer pid=1) INFO %s [metrics.py:101] SpecDecoding metrics: Mean acceptance length: %.2f, Accepted throughput: %.2f tokens/s, Drafted throughput: %.2f tokens/s, Accepted: %d tokens, Drafted: %d tokens, Per-position acceptance rate: %.3f, Avg Draft acceptance rate: %.1f%%\n",
				stamp, 1+share, float64(accepted)/span, float64(drafted)/span, accepted, drafted, share, 100*share)
		}
	}
	return b.String()
}

// lastLooked is the prompt tokens of the last 1,000 requests that were admitted,
// and how many of them the cache had: what vLLM's log calls its hit rate.
func lastLooked(r *sim.Results, at sim.Nanos) (looked, hit float64) {
	n := 0
	for i := len(r.Status) - 1; i >= 0 && n < 1000; i-- {
		if r.AdmittedAt[i] <= at {
			looked, hit, n = looked+float64(r.Prompt[i]), hit+float64(r.Cached[i]), n+1
		}
	}
	return looked, hit
}
