package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// thrash sends one request a second, each more urgent than all before it. Who
// comes is admitted within a few steps, and the oldest are put back for it when
// blocks run out; with few blocks that is most of the queue.
func thrash(blocks int) (Config, []Spec) {
	c := sceneConfig()
	c.TraceSteps = 0
	c.Engine.Policy = Priority
	c.Engine.MaxNumSeqs, c.Engine.MaxBatchedTokens = 256, 512
	c.Engine.BlockTokens, c.Engine.KVBlocks = 4, blocks
	c.Engine.Cost = LinearCost{Base: 2e11} // 0.2 s a step
	var specs []Spec
	for i := range 400 {
		s := arrive(Nanos(i)*sec, 4, 60)
		s.Priority = int32(-i)
		specs = append(specs, s)
	}
	return c, specs
}

// TestVerdictSeesThrash: a queue that grows by preemption is a backlog, though
// requests do not wait for their first admission.
func TestVerdictSeesThrash(t *testing.T) {
	for _, j := range judged {
		t.Run(j.name, func(t *testing.T) {
			c, specs := thrash(60)
			c.Horizon = 399 * sec
			r := openLoop(j.from)(c, specs, 1)
			v := Judge(r, 0, Never, false)
			require.Greater(t, r.Totals.Preempted, int64(100))
			assert.Equal(t, [2]uint8{uint8(Overloaded), uint8(ReasonQueueGrows)}, [2]uint8{uint8(v.State), uint8(v.Reason)}, "%+v", v)

			var never, waiting int64
			for i, at := range r.AdmittedAt {
				if r.Status[i] == Waiting {
					waiting++
					if at == Never {
						never++
					}
				}
			}
			assert.Equal(t, waiting, v.AtEnd, "the run ends with the last arrival")
			assert.Less(t, never, waiting/2, "most of the queue has been admitted before")

			forgetful := *r
			forgetful.PutBacks = nil
			assert.NotEqual(t, Overloaded, Judge(&forgetful, 0, Never, false).State, "the first admissions alone do not show it")

			c, specs = thrash(400)
			assert.Equal(t, Stable, Judge(openLoop(j.from)(c, specs, 1), 0, Never, false).State)
		})
	}
}

// TestVerdictOfPutBacks by hand: A runs from 0, is put back at 40 and admitted
// again at 60; B is put back at 50 and never again.
func TestVerdictOfPutBacks(t *testing.T) {
	r := fifo{servers: 200}.run(evenly(101, sec), alike(101, 200*sec))
	before := Judge(r, 0, Never, false)
	r.PutBacks = []PutBack{{0, 40 * sec, 60 * sec}, {1, 50 * sec, Never}}
	v := Judge(r, 0, Never, false)
	assert.Equal(t, []int64{0, 0, 0}, []int64{before.AtStart, before.AtEnd, before.Peak})
	assert.Equal(t, []int64{0, 1, 2}, []int64{v.AtStart, v.AtEnd, v.Peak})
	assert.Equal(t, 0.01, v.GrowthPerSec)
	assert.InDelta(t, before.AdmittedPerSec-0.01, v.AdmittedPerSec, 1e-12)

	v = Judge(r, 55*sec, Never, false)
	assert.Equal(t, []int64{2, 1, 2}, []int64{v.AtStart, v.AtEnd, v.Peak}, "both wait when the window begins")
}
