package planner_test

import (
	"bufio"
	"container/list"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
)

func TestHitRatesRise(t *testing.T) {
	for _, h := range planner.AllTraceHits() {
		assert.NotEmpty(t, h.Source)
		assert.Zero(t, h.HitFrac(0))
		assert.Zero(t, h.HitFrac(-1))
		last := 0.0
		for tokens := 1e4; tokens < 1e12; tokens *= 1.1 {
			rate := h.HitFrac(tokens)
			assert.GreaterOrEqual(t, rate, last, "%s at %v", h.ID, tokens)
			last = rate
		}
		assert.Equal(t, h.Rates[len(h.Rates)-1], last)
		for i, size := range h.Tokens {
			assert.InDelta(t, h.Rates[i], h.HitFrac(size), 1e-12)
		}
	}
	// One GPU holds some 0.4 million tokens of an 8B model: under 5%.
	conversation := planner.AllTraceHits()[0]
	assert.Less(t, conversation.HitFrac(0.4e6), 0.05)
}

// TestHitRatesRecomputed replays the trace, where it is at hand.
func TestHitRatesRecomputed(t *testing.T) {
	file, err := os.Open(given(t, "data/mooncake/conversation_trace.jsonl"))
	require.NoError(t, err)
	defer file.Close()
	type request struct {
		Input  float64 `json:"input_length"`
		Hashes []int   `json:"hash_ids"`
	}
	var all []request
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var r request
		require.NoError(t, json.Unmarshal(lines.Bytes(), &r))
		all = append(all, r)
	}
	h := planner.AllTraceHits()[0]
	require.Len(t, all, h.Requests)
	const block = 512
	for i, size := range h.Tokens {
		order, at := list.New(), map[int]*list.Element{}
		input, hit := 0.0, 0.0
		for _, r := range all {
			input += r.Input
			leading := true
			for j, hash := range r.Hashes {
				e, found := at[hash]
				leading = leading && found
				if leading {
					hit += min(block, r.Input-float64(j*block))
				}
				if found {
					order.MoveToFront(e)
					continue
				}
				at[hash] = order.PushFront(hash)
				if float64(order.Len()*block) > size {
					delete(at, order.Remove(order.Back()).(int))
				}
			}
		}
		t.Logf("%.1f million tokens: %.4f", size/1e6, hit/input)
		assert.InDelta(t, h.Rates[i], hit/input, 0.006, "%v tokens", size)
	}
}
