package sim

import (
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The matrix against the engine. A band is where 99% of the windows of 30
// healthy runs are, for each signal. A signal has moved if at least a quarter
// of the windows under the lever lie beyond one side of its band, in most of
// the runs; it moved first if it left no later than any other.

const (
	healthySeeds = 30
	leverSeeds   = 9
	healthyFrom  = 20 * Second // the batch has filled
	movedShare   = 0.25
)

type bands [NumSignals]struct{ lo, hi float64 }

// healthyBands are those of the base of a lever; each is worked out once.
func healthyBands(lever string) *bands {
	bandsOf.Lock()
	defer bandsOf.Unlock()
	base := Healthy(lever)
	key := literal(base)
	if b, ok := bandsOf.m[key]; ok {
		return b
	}
	var all [NumSignals][]float64
	for seed := range uint64(healthySeeds) {
		s := seriesOf(base, seed+1)
		for id := range all {
			for k, at := range s.At {
				if x := s.Signal[id][k]; at > healthyFrom && !math.IsNaN(x) {
					all[id] = append(all[id], x)
				}
			}
		}
	}
	b := new(bands)
	for id, x := range all {
		slices.Sort(x)
		b[id].lo, b[id].hi = x[rank(0.005, int64(len(x)))-1], x[rank(0.995, int64(len(x)))-1]
	}
	bandsOf.m[key] = b
	return b
}

var bandsOf = struct {
	sync.Mutex
	m map[string]*bands
}{m: map[string]*bands{}}

func seriesOf(s Scenario, seed uint64) *Series {
	x, err := s.New(seed)
	if err != nil {
		panic(err)
	}
	x.Run()
	return NewSeries(x.Results(), SeriesOptions{KVBlocks: s.Config.Engine.KVBlocks, SLO: HealthySLO})
}

// defaultPull is a lever as its row has it.
func defaultPull(l *Lever) Pull {
	return Pull{Lever: l.ID, Span: Span{l.Start, l.End}, Intensity: l.Default}
}

// observed is what a lever does to the signals of one run.
type observed struct {
	moves [NumSignals]Move
	onset [NumSignals]int // first window out of the band; a large number if none
}

func observe(s *Series, b *bands, from, to Nanos) observed {
	var o observed
	for id := range o.moves {
		above, below, n := 0, 0, 0
		o.onset[id] = 1 << 30
		for k, at := range s.At {
			if at <= from || at > to {
				continue
			}
			n++
			x := s.Signal[id][k]
			if x > b[id].hi {
				above++
			}
			if x < b[id].lo {
				below++
			}
			if (x > b[id].hi || x < b[id].lo) && o.onset[id] == 1<<30 {
				o.onset[id] = k
			}
		}
		switch need := movedShare * float64(n); {
		case float64(above) >= need && above >= below:
			o.moves[id] = Up
		case float64(below) >= need:
			o.moves[id] = Down
		}
	}
	return o
}

// TestMatrix holds the engine against the signatures, and tells what it saw.
func TestMatrix(t *testing.T) {
	for i := range levers {
		l := levers[i]
		t.Run(l.ID, func(t *testing.T) {
			want, ok := Signature(l.ID)
			require.True(t, ok)
			pulled, err := Healthy(l.ID).Pulled(defaultPull(l))
			require.NoError(t, err)
			var votes [NumSignals]map[Move]int
			for id := range votes {
				votes[id] = map[Move]int{}
			}
			first := 0
			for seed := range uint64(leverSeeds) {
				o := observe(seriesOf(pulled, 100+seed), healthyBands(l.ID), l.Start, l.End)
				for id := range o.moves {
					votes[id][o.moves[id]]++
				}
				first += b2i(o.onset[want.First] == slices.Min(o.onset[:]))
			}
			for id := range votes {
				assert.Greater(t, 2*votes[id][want.Moves[id]], leverSeeds, "%s should go %+d: of %d runs by move %v",
					SignalID(id).Describe().Name, want.Moves[id], leverSeeds, votes[id])
			}
			assert.Greater(t, 2*first, leverSeeds, "%s leaves first in %d runs", want.First.Describe().Name, first)
		})
	}
}

// TestMatrixIsWhole: a row for each lever, in order; a correction corrects; and
// no two signatures are told apart by nothing at all.
func TestMatrixIsWhole(t *testing.T) {
	require.Len(t, expected, len(levers))
	for i, e := range expected {
		assert.Equal(t, levers[i].ID, e.Lever)
		assert.NotEmpty(t, e.Reason)
		assert.NotZero(t, e.Moves[e.First], "%s: what moves first must move", e.Lever)
	}
	seen := map[[NumSignals]Move]string{}
	for _, l := range levers {
		s, _ := Signature(l.ID)
		seen[s.Moves] += l.ID + " "
	}
	// Equal in the eight signals: these are told apart by who moves first, and
	// by the context strip.
	assert.Equal(t, "traffic_surge all_gpus_throttled cold_start ", seen[[NumSignals]Move{Up, Up, Up, Up, Up}])
	assert.Len(t, seen, len(levers)-2)
	for _, c := range corrections {
		for _, e := range expected {
			if e.Lever == c.Lever {
				assert.NotEqual(t, e.Moves[c.Signal], c.Move, "%s %v", c.Lever, c.Signal)
			}
		}
		assert.NotEmpty(t, c.Reason)
	}
	_, ok := Signature("no such lever")
	assert.False(t, ok)
}
