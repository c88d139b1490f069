package scrape

import "openloop/sim"

// Windows is the reading as the rules of the diagnosis want it, the same form
// that a simulated run has. Two scrapes give two windows, everything before
// the first one as Baseline and the span between them; one scrape gives the
// first of these alone; a log gives one for each instant with lines.
func (r *Reading) Windows() []sim.Window {
	if r.Source == LogLines {
		return append([]sim.Window(nil), r.windows...)
	}
	now := sim.Window{Restarted: r.Restart.Seen, Baseline: r.Source == OneScrape}
	r.Now.into(&now)
	if r.Source == OneScrape {
		now.Replicas = windowReplicas(r.Replicas, func(p *Replica) *Row { return &p.Now })
		return []sim.Window{now}
	}
	if r.Seconds.Known {
		now.End, now.Timed = r.Seconds.Value, true
	}
	before := sim.Window{Baseline: true}
	r.First.into(&before)
	before.Replicas = windowReplicas(r.Replicas, func(p *Replica) *Row { return &p.First })
	now.Replicas = windowReplicas(r.Replicas, func(p *Replica) *Row { return &p.Now })
	return []sim.Window{before, now}
}

// stripOf says which quantity fills which place of the strip.
var stripOf = [sim.NumStrip]ID{
	sim.GPUUtilization:   GPUUtil,
	sim.KVMean:           KVMean,
	sim.OfferedRate:      OfferedRate,
	sim.CompletedRate:    CompletedRate,
	sim.GoodputRate:      NumIDs, // depends on an objective: Goodput
	sim.ShedRate:         ShedRate,
	sim.RetryRate:        RetryRate,
	sim.ReplicasUp:       Replicas,
	sim.Imbalance:        Imbalance,
	sim.PromptTokensMean: PromptMean,
	sim.OutputTokensMean: OutputMean,
	sim.GenerationRate:   GenerationRate,
	sim.PromptRate:       PromptRate,
}

// OfStrip is the quantity that fills a place of the strip; ok is false for the
// one that needs an objective.
func OfStrip(id sim.StripID) (q ID, ok bool) { return stripOf[id], stripOf[id] < NumIDs }

// into copies a row. Values that are not of the window (the hit rate of the
// last 1,000 requests) are copied too: they move late, and rules must not ask
// when they moved.
func (r *Row) into(w *sim.Window) {
	for id := range w.Signal {
		w.Signal[id] = r[id].Measured
	}
	for id, q := range stripOf {
		if q < NumIDs {
			w.Strip[id] = r[q].Measured
		}
	}
}

func windowReplicas(all []Replica, row func(*Replica) *Row) []sim.ReplicaWindow {
	if len(all) < 2 {
		return nil
	}
	out := make([]sim.ReplicaWindow, len(all))
	for i := range all {
		r := row(&all[i])
		out[i] = sim.ReplicaWindow{
			Waiting: r[Queue].Measured, Running: r[Running].Measured, KV: r[KV].Measured,
			Offered: r[OfferedRate].Measured, Completed: r[CompletedRate].Measured,
			TTFTp99: r[TTFT].Measured, ITLp99: r[ITL].Measured,
		}
	}
	return out
}
