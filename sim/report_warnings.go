package sim

import "math"

// The limits of the warnings, with their reasons: fewBeyond gives a relative
// error of the tail probability of about a third; shortWindow keeps what the
// ends cut off below a tenth; correlated is twice the standard error of the
// correlation of 20 independent batch means; warmShift is a
// shift of the mean that intervals of some thousand requests can see; lateSend is the guidance of
// load-generator projects for the delay of their own schedule.
const (
	fewBeyond   = 10
	shortWindow = 10
	correlated  = 0.45
	lateSend    = 0.010
	lateShare   = 0.05
	veryLate    = 0.5
	lossSeen    = 0.01
	warmShift   = 0.01
	lossMuch    = 0.05
)

func (out *Report) warn(r *Results, w reportWindow) {
	if out.Counts.Sent == 0 || w.to == w.from {
		out.add(Warning{Code: EmptyWindow, Value: float64(out.Counts.Sent)})
	}
	for _, d := range []*Dist{&out.TTFT, &out.TPOT, &out.E2E, &out.QueueTime, &out.Query} {
		out.warnOfDist(d)
	}
	out.warnOfWarmUp(w)
	out.warnOfMissing()
	out.warnOfLateSends(r, w)
	switch out.Verdict.Reason {
	case ReasonQueueGrows, ReasonWorkIsShed:
		out.add(Warning{Code: MeansGrowWithRun, Value: out.Verdict.GrowthPerSec})
	case ReasonClosedLoop:
		out.add(Warning{Code: NoOverloadShown})
	}
	if length := (w.to - w.from).Seconds(); out.E2E.Count > 0 && length < float64(shortWindow*out.E2E.Mean) {
		out.add(Warning{Code: ShortWindow, Value: length / out.E2E.Mean, Limit: shortWindow})
	}
	if !w.wholeRun(r) && out.ITL.Count > 0 {
		out.add(Warning{Code: ITLIsWholeRun})
	}
	if math.IsNaN(out.BusyFrac) && w.to > w.from {
		out.add(Warning{Code: BusyIsUnknown})
	}
	if r.StepsNotKept > 0 {
		out.add(Warning{Code: StepsNotKept, Value: float64(r.StepsNotKept), Limit: float64(len(r.Steps))})
	}
}

func (out *Report) add(w Warning) { out.Warnings = append(out.Warnings, w) }

func (out *Report) warnOfDist(d *Dist) {
	if d.Count == 0 {
		return
	}
	for _, q := range d.Quantiles {
		if q.Q <= 0.5 || q.Q == 1 {
			continue // the smallest and the largest are what they are
		}
		switch {
		case q.Beyond == 0:
			out.add(Warning{Code: IsMaximum, Metric: d.Metric, Quantile: q.Q, Value: float64(d.Count), Limit: math.Ceil(1/(1-q.Q) - 1e-9)})
		case q.Beyond < fewBeyond:
			out.add(Warning{Code: FewBeyond, Metric: d.Metric, Quantile: q.Q, Value: float64(q.Beyond), Limit: fewBeyond})
		}
	}
	if lag := d.MeanInterval.Lag1; lag > correlated {
		out.add(Warning{Code: BatchesTooShort, Metric: d.Metric, Value: lag, Limit: correlated})
	}
}

func (out *Report) warnOfWarmUp(w reportWindow) {
	for k, d := range [...]*Dist{&out.TTFT, &out.TPOT} {
		length := out.WarmUp[k]
		switch {
		case d.Count == 0:
		case !length.Found:
			out.add(Warning{Code: WarmUpNotFound, Metric: d.Metric})
		case w.from < length.Until && length.shifts(d.Count) > warmShift:
			out.add(Warning{Code: StartsInWarmUp, Metric: d.Metric, Value: w.from.Seconds(), Limit: length.Until.Seconds()})
		}
	}
}

// shifts is by how much of itself the warm-up moves a mean of n values.
func (l WarmUpLength) shifts(n int64) float64 {
	if l.Values == 0 {
		return 0
	}
	return float64(l.Values) / float64(n) * math.Abs(l.Before-l.After) / l.After
}

func (out *Report) warnOfMissing() {
	c := &out.Counts
	if c.Sent == 0 {
		return
	}
	if n := c.Unfinished(); n > 0 {
		out.add(Warning{Code: UnfinishedAtEnd, Value: float64(n), Limit: float64(c.Sent)})
	}
	lost := float64(c.Lost()) / float64(c.Sent)
	switch {
	case lost > lossMuch:
		out.add(Warning{Code: LossAboveFive, Value: lost, Limit: lossMuch})
	case lost > lossSeen:
		out.add(Warning{Code: LossAboveOne, Value: lost, Limit: lossSeen})
	}
}

// warnOfLateSends speaks only when latency counts from the actual send, which
// leaves the client's own wait out.
func (out *Report) warnOfLateSends(r *Results, w reportWindow) {
	if out.Clock == FromIntended || out.Counts.Sent == 0 {
		return
	}
	var held total
	for i, at := range r.SentAt {
		if w.has(at) {
			held.add(int64(at - r.IntendedAt[i]))
		}
	}
	mean := held.over(float64(out.Counts.Sent)) / 1e9
	ttft := out.TTFT.Mean
	if math.IsInf(ttft, 1) {
		ttft = 0 // lost ones count as never; the absolute limit remains
	}
	switch {
	case ttft > 0 && mean > float64(veryLate*ttft):
		out.add(Warning{Code: SentVeryLate, Value: mean, Limit: float64(veryLate * ttft)})
	case mean > lateSend:
		out.add(Warning{Code: SentLate, Value: mean, Limit: lateSend})
	case ttft > 0 && mean > float64(lateShare*ttft):
		out.add(Warning{Code: SentLate, Value: mean, Limit: float64(lateShare * ttft)})
	}
}
