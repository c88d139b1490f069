package sim

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

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
func defaultPull(l *Lever) Pull { return Pull{Lever: l.ID, Span: Span{l.Start, l.End}, Intensity: l.Default} }

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

func TestExplore(t *testing.T) {
	fmt.Printf("%-20s queue TTFT ITL batch KV pre hit acc\n", "")
	for i := range levers {
		l := &levers[i]
		base := Healthy(l.ID)
		b := healthyBands(l.ID)
		for id, x := range b {
			fmt.Printf("%.4g..%.4g ", x.lo, x.hi)
			_ = id
		}
		fmt.Println()
		pulled, err := base.Pulled(defaultPull(l))
		require.NoError(t, err, l.ID)
		var votes [NumSignals][3]int
		var first [NumSignals]int
		for seed := range uint64(leverSeeds) {
			s := seriesOf(pulled, 100+seed)
			o := observe(s, b, l.Start, l.End)
			least := slices.Min(o.onset[:])
			for id := range o.moves {
				votes[id][o.moves[id]+1]++
				if o.onset[id] == least {
					first[id]++
				}
			}
			if seed == 0 {
				for id := range o.moves {
					fmt.Printf("   %-14s", SignalID(id).Describe().Name)
					for k := range s.At {
						fmt.Printf(" %.3g", s.Signal[id][k])
					}
					fmt.Println()
				}
				fmt.Println("   goodput", s.Goodput)
			}
		}
		fmt.Printf("%-20s", l.ID)
		for id := range votes {
			fmt.Printf(" %v/%d(%+d)", votes[id], first[id], expected[i].Moves[id])
		}
		fmt.Println()
	}
}
