package sim

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExactly(t *testing.T) {
	assert.Equal(t, Measured{Value: 2, Low: 2, High: 2, Known: true}, Exactly(2))
	assert.Equal(t, Measured{}, Exactly(math.NaN()))
}

// TestWindowsByHand: two replicas, a window of 10 s and one of 5 s with nothing in it.
func TestWindowsByHand(t *testing.T) {
	const s = Second
	a := Sample{At: 10 * s, Waiting: 3, Running: 5, UsedBlocks: 80, Arrived: 20, Completed: 10, Tokens: 500, Busy: 1, TTFTp99: 2 * s, ITLp99: Never}
	b := Sample{At: 10 * s, Replica: 1, Running: 4, UsedBlocks: 20, Tokens: 300, TTFTp99: Never, ITLp99: 50 * Millisecond}
	idle := func(replica int32) Sample {
		return Sample{At: 15 * s, Replica: replica, TTFTp99: Never, ITLp99: Never, Down: float64(replica) * 0.6}
	}
	r := &Results{
		Samples: []Sample{a, b, idle(0), idle(1)},
		SentAt:  []Nanos{0, 1 * s, 2 * s}, IntendedAt: []Nanos{0, s, 0}, AdmittedAt: []Nanos{0, s, Never}, FirstTokenAt: []Nanos{2 * s, 5 * s, Never}, DoneAt: []Nanos{10 * s, Never, 2 * s},
		Prompt: []int32{100, 300, 100}, Output: []int32{40, 40, 40}, Generated: []int32{40, 7, 0}, Status: []Status{Completed, Running, Dropped}, EndAt: 15 * s,
		Origin: []int32{0, 1, 0},
	}
	w := NewWindows(r, SeriesOptions{KVBlocks: 100, SLO: SLO{TTFT: 3 * s}})
	require.Len(t, w, 2)
	first := w[0]
	assert.Equal(t, []float64{0, 10, 10, 15}, []float64{first.Start, first.End, w[1].Start, w[1].End})
	assert.True(t, first.Timed && !first.Baseline && !first.Restarted)
	assert.Equal(t, Exactly(3), first.Signal[QueueDepth])
	assert.Equal(t, Exactly(0.8), first.Signal[KVOccupancy])
	assert.Equal(t, Exactly(0.5), first.Strip[GPUUtilization])
	assert.Equal(t, Exactly(0.3), first.Strip[OfferedRate])
	assert.Equal(t, Exactly(0.1), first.Strip[CompletedRate])
	assert.Equal(t, Exactly(200), first.Strip[PromptTokensMean])
	assert.Equal(t, Exactly(40), first.Strip[OutputTokensMean])
	assert.Equal(t, Exactly(80), first.Strip[GenerationRate])
	assert.Equal(t, Exactly(40), first.Strip[PromptRate])
	assert.Equal(t, Exactly(0.1), first.Strip[ShedRate])
	assert.Equal(t, Exactly(0.1), first.Strip[RetryRate])
	assert.Equal(t, Exactly(0), w[1].Strip[RetryRate])
	assert.Equal(t, []Measured{Exactly(2), Exactly(1.4)}, []Measured{first.Strip[ReplicasUp], w[1].Strip[ReplicasUp]})
	assert.Equal(t, []ReplicaWindow{
		{Waiting: Exactly(3), Running: Exactly(5), KV: Exactly(0.8), Offered: Exactly(2), Completed: Exactly(1), TTFTp99: Exactly(2), Up: Exactly(1)},
		{Waiting: Exactly(0), Running: Exactly(4), KV: Exactly(0.2), Offered: Exactly(0), Completed: Exactly(0), ITLp99: Exactly(0.05), Up: Exactly(1)},
	}, first.Replicas)
	assert.Equal(t, Exactly(0.4), w[1].Replicas[1].Up)
	for _, id := range []SignalID{TTFTp99, ITLp99, PrefixHit, AcceptedLength} {
		assert.False(t, w[1].Signal[id].Known, "nothing happened: %s", id.Describe().Name)
	}
	assert.False(t, w[1].Strip[PromptTokensMean].Known)
	assert.True(t, w[1].Signal[QueueDepth].Known)
	assert.False(t, NewWindows(r, SeriesOptions{})[0].Signal[KVOccupancy].Known, "without the size of the cache")
	assert.Empty(t, NewWindows(&Results{}, SeriesOptions{}))
}
