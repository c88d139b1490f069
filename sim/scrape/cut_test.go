package scrape

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// statsOf is a line of a pod with figures of its own.
func statsOf(pod string, s, running int, hit string) string {
	return fmt.Sprintf("[pod/%s/vllm] INFO 11-30 03:%02d:%02d [loggers.py:271] Engine 000: Avg prompt throughput: 100.0 tokens/s, Avg generation throughput: 802.6 tokens/s, Running: %d reqs, Waiting: 66 reqs, GPU KV cache usage: 26.9%%%s\n", pod, s/60, s%60, running, hit)
}

// TestCutAnywhere: wherever the last line of a log is cut, what the lines say is
// known; a figure that lost digits is never read as another.
func TestCutAnywhere(t *testing.T) {
	decode := "[2026-09-13 16:06:%02d] Decode batch, #running-req: 17, #token: 1000, token usage: 0.13, gen throughput (token/s): 55.00, #queue-req: 14, \n"
	for name, c := range map[string]struct {
		text string
		want []ID
	}{
		"vLLM":   {statsOf("a", 0, 34, ", Prefix cache hit rate: 49.1%") + statsOf("a", 10, 34, ", Prefix cache hit rate: 49.1%") + statsOf("a", 20, 34, ", Prefix cache hit rate: 49.1%"), []ID{Queue, Running, KV, Hit}},
		"SGLang": {fmt.Sprintf(decode, 1) + fmt.Sprintf(decode, 11) + fmt.Sprintf(decode, 21), []ID{Queue, Running, KV}},
	} {
		whole, err := Read(Input{First: c.text})
		require.NoError(t, err)
		lines := strings.SplitAfter(c.text, "\n")
		from := len(lines[0]) + len(lines[1])
		for cut := from; cut < len(c.text)-3; cut++ {
			for _, end := range []string{"", "\n", "\r\n\n"} {
				got, err := Read(Input{First: c.text[:cut] + end})
				require.NoError(t, err, "%s cut at %d", name, cut)
				for _, id := range c.want {
					require.Equal(t, whole.Readings[0].Now[id].Measured, got.Readings[0].Now[id].Measured, "%s: %s, cut after %q", name, id.Describe().Key, c.text[from:cut])
				}
			}
		}
	}
	p, err := Parse(statsOf("a", 0, 34, "") + statsOf("a", 10, 34, "")[:150])
	require.NoError(t, err)
	require.Len(t, p.Problems, 1, "it is named")
	assert.Contains(t, p.Problems[0].Legal, "end inside it")
	assert.Equal(t, []int{2, 1, 1}, []int{p.Lines, p.Figures, p.NotUnderstood})
}

// TestHitsOfPods: a rate that each pod's line says is known, whoever came or left.
func TestHitsOfPods(t *testing.T) {
	var out strings.Builder
	for s := 0; s < 300; s += 10 {
		if out.WriteString(statsOf("vllm-0", s, 34, ", Prefix cache hit rate: 49.1%")); s <= 100 {
			out.WriteString(statsOf("vllm-1", s, 90, ", Prefix cache hit rate: 30.0%"))
		}
		if s >= 160 {
			out.WriteString(statsOf("vllm-2", s, 21, ", Prefix cache hit rate: 10.0%"))
		}
	}
	r := readOne(t, out.String())
	assert.InDeltaSlice(t, []float64{0.1, 0.491}, []float64{r.Now[Hit].Low, r.Now[Hit].High}, 1e-12)
	assert.InDeltaSlice(t, []float64{0.3, 0.491}, []float64{r.First[Hit].Low, r.First[Hit].High}, 1e-12)
	assert.Equal(t, "Prefix cache hit rate of 2 engines, the least to the most", r.Now[Hit].From)
	for i, w := range r.Windows() {
		require.True(t, w.Signal[Hit].Known, "window %d", i)
	}
	r = readOne(t, statsOf("a", 0, 3, ", Prefix cache hit rate: 49.1%"), statsOf("b", 0, 3, ""))
	assert.Equal(t, 0.491, r.Now[Hit].Value)
	assert.Contains(t, r.Now[Hit].From, "1 of 2 engines")
}
