package sim

import "math"

// Dist is the distribution of a latency over the requests that have it.
type Dist struct {
	Metric    Metric
	Count     int64   // values
	Lost      int64   // requests sent in the window that should have one and have none
	Mean      float64 // in seconds; 0 if there is no value, +Inf if lost ones count
	Min, Max  Nanos   // Never if there is no value
	Quantiles []Quantile

	// MeanInterval is by batch means in the order of sending, in seconds.
	MeanInterval Interval
}

// At is the quantile q, one of those asked for; ok is false for any other.
func (d *Dist) At(q float64) (at Quantile, ok bool) {
	for _, x := range d.Quantiles {
		if x.Q == q {
			return x, true
		}
	}
	return Quantile{}, false
}

// ITLDist is the distribution of the gaps between tokens, pooled over
// requests, so that long answers weigh more. Its mean is not the mean TPOT.
type ITLDist struct {
	Count     int64
	Mean      float64 // in seconds
	Max       Picos
	Quantiles []BinQuantile
}

// BinQuantile is a nearest-rank quantile known to lie in [Lo, Hi).
type BinQuantile struct {
	Q      float64
	Lo, Hi Picos
}

// NewDist is one distribution of the report alone.
func NewDist(r *Results, m Metric, o ReportOptions) Dist {
	o.fill()
	var s Selector
	s.grow(len(r.Status))
	return dist(r, newReportWindow(r, o.From, o.To), m, &o, &s)
}

func dist(r *Results, w reportWindow, m Metric, o *ReportOptions, s *Selector) Dist {
	d := Dist{Metric: m, Min: Never, Max: Never}
	s.Reset()
	var sum total
	for i, at := range r.SentAt {
		if !w.has(at) || r.undefined(m, i) {
			continue
		}
		span, ok := r.Latency(m, i, o.Clock)
		if !ok {
			d.Lost++
			if o.LostAreNever {
				s.Add(Never)
			}
			continue
		}
		s.Add(span)
		sum.add(int64(span))
		if d.Count == 0 {
			d.Min, d.Max = span, span
		}
		d.Count++
		d.Min, d.Max = min(d.Min, span), max(d.Max, span)
	}
	d.MeanInterval = OverSeeds(nil, o.Level)
	if d.Count > 0 {
		d.Mean = sum.over(float64(d.Count)) / 1e9
	}
	switch {
	case o.LostAreNever && d.Lost > 0:
		d.Mean, d.Max = math.Inf(1), Never
	case d.Count > 0:
		d.MeanInterval = batchMeans(s.Len(), o.Batches, o.Level, s.seconds)
	}
	d.Quantiles = s.Quantiles(make([]Quantile, 0, len(o.Quantiles)), o.Quantiles, o.Rule, o.Level)
	return d
}

func itlDist(h *Hist, qs []float64) ITLDist {
	out := ITLDist{Count: h.Count(), Mean: h.Mean(), Max: h.Max(), Quantiles: make([]BinQuantile, len(qs))}
	for i, q := range qs {
		lo, hi := h.Quantile(q)
		out.Quantiles[i] = BinQuantile{Q: q, Lo: lo, Hi: hi}
	}
	return out
}
