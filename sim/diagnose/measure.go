package diagnose

import (
	"math"

	"openloop/sim"
)

// From windows to one column for each sign, a value for each window, NaN where
// it is not known. NaN stays inside the package.

// series is a reading in the making.
type series struct {
	w     []sim.Window
	col   [NumSigns][]float64
	apart [2][]int16 // the replica that is apart in a window: by ITL, by arrivals; -1 if none
	kind  []uint8    // of each replica, what it was seen to do: firstTokens, gaps

	normal [2]int // the windows that say what is normal: [from, to)
	found  [NumSigns]Finding
	sum    [NumSigns]float64 // of each finding: how far out, added up
	how    Comparison
	usual  [NumSigns]float64 // how many requests a value is of, as a rate
	onset  int               // first window that is not normal, -1 if there is none
	bare   bool              // the eight signals are all there is
}

func measure(w []sim.Window) *series {
	m := &series{w: w, onset: -1}
	n := len(w)
	all := make([]float64, n*int(KVFull))
	for s := range m.col[:KVFull] {
		m.col[s], all = all[:n:n], all[n:]
	}
	which := make([]int16, 2*n)
	m.apart[0], m.apart[1] = which[:n], which[n:]
	var sorted [64]float64
	m.kinds()
	for k := range w {
		m.copyWindow(k)
		m.derive(k)
		m.replicas(k, sorted[:0])
	}
	return m
}

func value(x sim.Measured) float64 {
	if !x.Known || math.IsInf(x.Value, 0) {
		return math.NaN()
	}
	return x.Value
}

func (m *series) copyWindow(k int) {
	w := &m.w[k]
	for id := range w.Signal {
		m.col[id][k] = value(w.Signal[id])
	}
	for id := range w.Strip {
		m.col[StripSign(sim.StripID(id))][k] = value(w.Strip[id])
	}
}

// derive works out what the values of one window say together.
func (m *series) derive(k int) {
	at := func(s Sign) float64 { return m.col[s][k] }
	offered, retries := at(StripSign(sim.OfferedRate)), at(StripSign(sim.RetryRate))
	m.col[FirstAttempts][k] = offered
	m.col[RetryShare][k] = math.NaN()
	if retries == retries {
		m.col[FirstAttempts][k] = offered - retries
		m.col[RetryShare][k] = share(retries, offered)
	}
	m.col[Backlog][k] = over(at(StripSign(sim.CompletedRate)), offered)
	m.col[PerPrompt][k] = over(at(StripSign(sim.GenerationRate)), at(StripSign(sim.PromptRate)))
	running := at(SignOf(sim.RunningBatch))
	level := running // over the window, as far as its two ends tell
	if k > 0 && !m.w[k].Baseline && !m.w[k-1].Baseline {
		if before := m.col[sim.RunningBatch][k-1]; before == before {
			level = float64((running + before) / 2)
		}
	}
	m.col[MeanGap][k] = over(level, at(StripSign(sim.GenerationRate)))
	held, up := at(StripSign(sim.KVMean)), at(StripSign(sim.ReplicasUp))
	if held != held || up != up {
		held, up = at(SignOf(sim.KVOccupancy)), 1
	}
	m.col[KVPerRequest][k] = over(float64(held*up), running)
}

// over is a/b, unknown unless both are positive.
func over(a, b float64) float64 {
	if !(a > 0 && b > 0) {
		return math.NaN()
	}
	return a / b
}

// share is a/b, 0 of nothing.
func share(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return over(a, b)
}
