package scrape

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReplacedPods: of two pods one is replaced halfway through the log. The old
// one's last state is in no sum after its own pause, the new one counts from its
// first line, and what came before it is kept.
func TestReplacedPods(t *testing.T) {
	var lines []string
	for s := 0; s < 300; s += 10 {
		at := func(pod string, running int) string {
			return wroteAt("[pod/"+pod+"/server] ", s, running)
		}
		if lines = append(lines, at("vllm-a", 10)); s <= 100 {
			lines = append(lines, at("vllm-b", 100))
		}
		if s >= 160 {
			lines = append(lines, at("vllm-c", 7))
		}
	}
	r := readOne(t, lines...)
	assert.Equal(t, SideBySide, r.Mix)
	assert.Equal(t, []Life{{"vllm-b", 100}}, r.Left)
	assert.Equal(t, []Life{{"vllm-c", 160}}, r.Came)
	assert.Equal(t, []float64{17, 8, 2}, []float64{r.Now[Running].Value, r.Now[Queue].Value, r.Now[Replicas].Value}, "the old pod's 100 are gone")
	assert.Equal(t, 110.0, r.First[Running].Value)
	w := r.Windows()
	require.Len(t, w, 30)
	for k, want := range map[int]float64{0: 110, 10: 110, 11: 110, 12: 10, 15: 10, 16: 17, 29: 17} {
		assert.Equal(t, want, w[k].Signal[3].Value, "running in window %d", k)
	}
	require.Len(t, r.Replicas, 3)
	assert.Equal(t, []bool{true, false, true}, []bool{r.Replicas[0].Now[Running].Known, r.Replicas[1].Now[Running].Known, r.Replicas[2].Now[Running].Known})
	assert.Equal(t, 290.0, r.Seconds.Value, "no window is lost before the new pod")
}

// TestNobodyLeft: who pauses as it has paused before is not gone, nor who wrote
// its last line shortly before the end.
func TestNobodyLeft(t *testing.T) {
	var lines []string
	for s := 0; s < 120; s += 10 {
		if lines = append(lines, wroteAt("[pod/a/s] ", s, 10)); s%40 == 0 {
			lines = append(lines, wroteAt("[pod/b/s] ", s, 100))
		}
	}
	r := readOne(t, lines...)
	assert.Empty(t, r.Left)
	assert.Empty(t, r.Came)
	assert.Equal(t, 110.0, r.Now[Running].Value)
}

// TestLivesWithoutInstants: lines that have no instants are counted, and no
// second is made up.
func TestLivesWithoutInstants(t *testing.T) {
	line := func(pod, running string) string {
		return pod + "  | Decode batch, #running-req: " + running + ", #token: 10, token usage: 0.10, gen throughput (token/s): 5.00, #queue-req: 1"
	}
	var lines []string
	for i := range 30 {
		if lines = append(lines, line("a", "4")); i < 10 {
			lines = append(lines, line("b", "9"))
		}
	}
	r := readOne(t, lines...)
	require.Len(t, r.Left, 1)
	assert.Equal(t, "b", r.Left[0].Name)
	assert.True(t, math.IsNaN(r.Left[0].At))
	assert.Equal(t, 4.0, r.Now[Running].Value)
}
