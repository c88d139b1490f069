package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo/room"
	"openloop/sim"
)

// crowd is a room of so many replicas with requests everywhere.
func crowd(replicas, waiting, prompts, decodes int) room.Frame {
	f := room.Frame{At: 1, BlockTokens: 16}
	for i := range replicas {
		f.Replicas = append(f.Replicas, room.Replica{
			Slower: 1, Waiting: waiting, Running: prompts + decodes, Seats: max(1, decodes+prompts), Blocks: 1000, Held: 500, Shared: 40, Kept: 100, Lost: 50,
			Prefill: prompts, Decode: decodes, Budget: prompts + decodes + 1, From: 0.5, To: 1.5,
		})
		add := func(n int, place sim.Place) {
			for range n {
				f.Requests = append(f.Requests, room.Request{ID: len(f.Requests), Replica: i, Place: place, Prompt: 10, Output: 10, Generated: 3, Target: 10, Computed: 5, Blocks: 4})
			}
		}
		add(prompts, sim.InPrefill)
		add(decodes, sim.InDecode)
		add(min(waiting, room.MostQueued), sim.InQueue)
	}
	return f
}

// Whatever is in a room, everything is drawn inside the picture, nobody stands on
// anybody, and who is drawn can be picked.
func TestPicture(t *testing.T) {
	for _, c := range []struct{ replicas, waiting, prompts, decodes int }{{1, 3, 1, 2}, {1, 400, 9, 250}, {3, 0, 0, 0}, {8, 64, 3, 60}, {8, 1000, 40, 256}} {
		for _, size := range [][2]float64{{260, 280}, {480, 300}, {960, 560}, {1, 1}} {
			s := newStage()
			s.resize(size[0], size[1])
			f := crowd(c.replicas, c.waiting, c.prompts, c.decodes)
			require.True(t, s.take(f.Append(nil), 0))
			assert.Equal(t, true, s.paint(0), "news move")
			assert.False(t, s.paint(tween), "and come to rest")
			if size[0] < 100 {
				continue // nothing to see, but no failure either
			}
			for _, q := range s.quads {
				require.True(t, q.x >= -4 && q.y >= -4 && q.right() <= size[0]+4 && q.bottom() <= size[1]+4, "%v: %+v in %v", c, q, size)
			}
			shown := []rect{}
			for _, id := range s.order {
				r := s.tiles[id].to
				if r.w == 0 {
					continue
				}
				for _, other := range shown[max(0, len(shown)-40):] {
					require.False(t, r.x < other.right()-0.1 && other.x < r.right()-0.1 && r.y < other.bottom()-0.1 && other.y < r.bottom()-0.1, "%v: %v on %v", c, r, other)
				}
				shown = append(shown, r)
				if size[0] < 480 || c.replicas > 3 {
					continue
				}
				require.Equal(t, id, s.pick(r.x+r.w/2, r.y+r.h/2), "%v in %v", c, size)
			}
		}
	}
}

// Who decodes keeps the seat when others end; what is not a room is refused.
func TestSeatsStay(t *testing.T) {
	s := newStage()
	s.resize(480, 300)
	f := crowd(1, 0, 0, 5)
	require.True(t, s.take(f.Append(nil), 0))
	where := s.tiles[3].to
	f.Requests = append(f.Requests[:1:1], f.Requests[3:]...)
	require.True(t, s.take(f.Append(nil), 1000))
	assert.Equal(t, where, s.tiles[3].to)
	assert.True(t, s.tiles[1].gone)
	assert.False(t, s.take([]float64{1, 2, 3}, 2000))
	assert.Equal(t, where, s.tiles[3].to)
	s.still = true
	assert.False(t, s.paint(2001), "nothing moves for who asks for less motion")
}
