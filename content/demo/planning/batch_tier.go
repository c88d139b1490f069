package planning

import (
	"math"

	"openloop/content/demo"
	"openloop/content/demo/replica"
	"openloop/content/demo/text"
	"openloop/planner/route"
	"openloop/sim"
)

// Work that can wait, priced twice: by a price list and in a fleet of one's
// own, where it moves from the peak of a day into the night. The fleet is
// simulated: what is sought is the fewest GPUs that hold the promise.

const (
	tierDay   = 120 * sim.Second   // one day, from night to night
	tierSpan  = tierDay * 5 / 4    // simulated: a day and the morning after it
	tierBin   = 3 * sim.Second / 2 // of the picture
	tierShort = 0.25               // s of the peak's arrivals: a queue as short as this is none
	tierMost  = 40                 // GPUs, more than any knobs ask for
	tierGuess = 44                 // requests/s of one GPU, to begin the search with
)

func batchTier() *demo.Demo {
	return &demo.Demo{
		ID: "batch-tier", Version: 1, Title: "What can wait",
		Lead: "A day on your own GPUs. Some of the requests may wait until the night. Move their share: by the price list each saves the same, in the fleet the first ones save the most.",
		Limits: "A day lasts " + text.Num(tierDay.Seconds(), 3) + " s here, with the arrivals of a smooth curve; a real day is longer and has bursts, so a random crowd at the peak weighs less there and an unplanned one more. " +
			"GPUs are whole: one more or less is a large step in a small fleet. Batch work is mixed in evenly, has the lengths of the rest, runs on the same GPUs at lower priority, and nothing fails. The same fleet runs all day: one that shrinks at night saves money in another way.",
		Knobs: []demo.Knob{
			{Name: "waits", Label: "May wait", Unit: "%", Doc: "Share of the requests that go into the batch tier.", Default: 35, Max: 90, Step: 5},
			{Name: "night", Label: "Night", Unit: "%", Doc: "Load of the quietest moment, of that of the busiest.", Default: 25, Max: 100, Step: 5},
			{Name: "discount", Label: "Discount", Unit: "%", Doc: "What a price list takes off for a batch request.", Default: 50, Max: 90, Step: 5},
			{Name: "peak", Label: "Peak", Unit: "requests/s", Doc: "Load of the busiest moment, everything together.", Default: 440, Min: 40, Max: 480, Step: 20, More: true},
			{Name: "limit", Label: "Promise", Unit: "ms", Doc: "p99 time to first token of what cannot wait, over the busiest quarter of the day.", Default: 500, Min: 100, Max: 5000, Step: 100, More: true},
			{Name: "price", Label: "GPU", Unit: "$/h", Doc: "Price of a GPU, an example.", Default: 2.5, Min: 0.5, Max: 20, Step: 0.5, More: true},
		},
		Presets: []demo.Preset{
			{Name: "Nothing waits", State: "waits=0", Says: "The fleet is as large as the peak asks, and idle for much of the day."},
			{Name: "More than the night can take", State: "waits=60", Says: "Twice the share, and no further GPU saved: the fleet is busy all day."},
			{Name: "A day without a night", State: "night=100", Says: "Nothing to move into: the same share saves no GPU, and half of its price on a list."},
		},
		Bet: &demo.Bet{
			Question: "At its quietest moment a service has half the load of its busiest. 60% of the requests may wait, for half the price. What do they save in a fleet of your own?",
			Options:  []string{"next to nothing", "20% to 25%", "30%, as by the price list", "near 60%"},
			Reveal:   "waits=60&night=50",
			By:       []string{"gpus_all", "gpus", "saved"},
			Answer: func(t demo.Task) int {
				switch saved := 1 - t.(*tierRun).bill(); {
				case saved < 0.1:
					return 0
				case saved < 0.28:
					return 1
				case saved < 0.4:
					return 2
				}
				return 3
			},
			Feedback: []string{
				"There is room at night: the mean of this day is 75% of its peak.",
				"The mean of this day is 75% of its peak, no order of work makes a fleet smaller than that, and GPUs are whole.",
				"That is somebody else's price. Your own fleet must still do the mean of the day, which is 75% of its peak.",
				"The peak of what cannot wait falls by so much. But all of it must be done, and the mean of this day is 75% of its peak.",
			},
		},
		Equations: []demo.Equation{
			{Name: "Price list", TeX: `c = 1 - \beta\,\delta`, Says: "β the share that waits, δ the discount"},
			{Name: "Own fleet", TeX: `c = \max\left(1-\beta,\ \frac{1+\nu}{2}\right)`, Says: "ν the load at night over that at the peak: as a fluid the fleet is as large as the peak of what cannot wait, and never smaller than the mean of everything. The dots are simulated"},
			replica.StepEquation(),
		},
		Start: startBatchTier,
	}
}

// trial is a fleet of some size in front of one kind of day.
type trial struct {
	gpus    int
	p99     float64 // s, time to first token of what cannot wait, at the peak; +Inf if some never came
	longest float64 // share of a day that the slowest batch request took
	drained bool    // the queue was short once before the next rise: work does not pile up from day to day
	rate    []float64
	urgent  []float64 // requests/s sent, by bin
	served  []float64 // first tokens/s, by bin
	sent    int
}

// size is the search for the fewest GPUs that hold the promise.
type size struct {
	waits float64 // share
	scale float64 // of the peak
	tried [tierMost + 2]*trial
	found *trial
}

type tierRun struct {
	replica.Queue
	values demo.Values
	seed   uint32
	peak   float64
	night  float64
	limit  float64 // s
	waits  float64
	off    float64 // discount
	price  float64 // $/h

	sizes []*size // by share, the last that of the knob
	alone *size   // the interactive part without the batch work
}

// tierShares are those of the dots.
func tierShares() []float64 { return []float64{0, 0.15, 0.3, 0.45, 0.6} }

func startBatchTier(v demo.Values, seed uint32) (demo.Task, error) {
	r := newTierRun(v, seed)
	for _, share := range append(tierShares(), r.waits) {
		r.sizes = append(r.sizes, r.seek(share, 1))
	}
	r.alone = r.seek(0, 1-r.waits)
	r.Planned = 2 * (len(r.sizes) + 1)
	return r, nil
}

func newTierRun(v demo.Values, seed uint32) *tierRun {
	return &tierRun{
		values: v, seed: seed, peak: v.Num("peak"), night: v.Num("night") / 100, limit: v.Num("limit") / 1000,
		waits: v.Num("waits") / 100, off: v.Num("discount") / 100, price: v.Num("price"),
	}
}

// Reuse is that of demo.Reusable: prices ask nothing of the simulator, and the
// share only for its own dot.
func (r *tierRun) Reuse(v demo.Values, seed uint32) (demo.Task, bool) {
	for _, knob := range []string{"peak", "night", "limit"} {
		if v.Num(knob) != r.values.Num(knob) {
			return nil, false
		}
	}
	if seed != r.seed {
		return nil, false
	}
	again := newTierRun(v, seed)
	again.sizes = append(again.sizes, r.sizes[:len(tierShares())]...)
	if again.waits == r.waits {
		again.sizes, again.alone = append(again.sizes, r.now()), r.alone
		return again, true
	}
	again.sizes = append(again.sizes, again.seek(again.waits, 1))
	again.alone = again.seek(0, 1-again.waits)
	again.Planned = 4
	return again, true
}

// seek begins the search near where a fluid would need it.
func (r *tierRun) seek(waits, scale float64) *size {
	for _, s := range r.sizes {
		if s.waits == waits && s.scale == scale {
			return s // the share of the knob is one of the dots
		}
	}
	s := &size{waits: waits, scale: scale}
	fluid := route.Fleet{Night: r.night, Batch: waits}.Servers()
	r.try(s, min(max(int(math.Ceil(fluid*scale*r.peak/tierGuess)), 1), tierMost))
	return s
}

// try runs a day with so many GPUs, and then one fewer or one more until it is
// known which is the least that holds.
func (r *tierRun) try(s *size, gpus int) {
	c := replica.Server()
	c.Replicas, c.Routing, c.Engine.Policy = gpus, sim.LeastRequests, sim.Priority
	c.SampleEvery, c.Horizon = tierBin, tierSpan
	load := r.load(s)
	r.Add(replica.Job{Config: c, Load: load, Seed: uint64(r.seed), Done: func(res *sim.Results) {
		t := readTrial(res, gpus, tiersOf(load, uint64(r.seed), len(res.SentAt)), tierShort*r.peak)
		s.tried[gpus] = t
		good := t.p99 <= r.limit && t.drained
		switch {
		case !good && gpus < tierMost && s.tried[gpus+1] == nil:
			r.try(s, gpus+1)
		case !good:
			s.found = s.tried[min(gpus+1, tierMost)]
		case gpus > 1 && s.tried[gpus-1] == nil:
			r.try(s, gpus-1)
		default:
			s.found = t
		}
	}})
}

func (r *tierRun) load(s *size) sim.Workload {
	high := max(float64(s.scale*r.peak), 1)
	return sim.Workload{
		Generator: sim.OpenLoop{Arrivals: sim.Diurnal{LowPerSec: float64(r.night * high), HighPerSec: high, Period: tierDay}},
		Lengths:   replica.Lengths(), Until: tierSpan,
		Batch: sim.BatchTier{Share: s.waits, Priority: 1},
	}
}

// tiersOf says which of the requests of an open loop may wait: the same
// workload and seed give the same requests again.
func tiersOf(w sim.Workload, seed uint64, n int) []bool {
	source, err := sim.NewSource(w, seed)
	if err != nil {
		panic("demo: " + err.Error())
	}
	waits := make([]bool, n)
	var spec sim.Spec
	for i := range waits {
		source.Next()
		source.Take(&spec)
		waits[i] = spec.Priority > 0
	}
	return waits
}

// readTrial measures a run. A queue is short if it holds no more than short requests.
func readTrial(res *sim.Results, gpus int, waits []bool, short float64) *trial {
	bins := int(tierDay / tierBin)
	t := &trial{gpus: gpus, rate: make([]float64, bins), urgent: make([]float64, bins), served: make([]float64, bins), sent: len(res.SentAt)}
	var ttft sim.Selector
	for i, at := range res.SentAt {
		if at < tierDay {
			t.rate[at/tierBin] += 1 / tierBin.Seconds()
		}
		span, ok := res.Latency(sim.TTFT, i, sim.FromSent)
		switch {
		case waits[i]:
			if at < tierDay {
				t.longest = max(t.longest, (min(res.DoneAt[i], tierSpan)-at).Seconds()/tierDay.Seconds())
			}
			continue
		case at < tierDay:
			t.urgent[at/tierBin] += 1 / tierBin.Seconds()
		}
		if at < tierDay*3/8 || at >= tierDay*5/8 {
			continue
		}
		if !ok {
			span = sim.Never
		}
		ttft.Add(span)
	}
	if ttft.Len() > 0 {
		t.p99 = math.Inf(1)
		if q := ttft.Quantiles(nil, []float64{0.99}, sim.NearestRank, 0.95)[0]; q.Value != sim.Never {
			t.p99 = q.Value.Seconds()
		}
	}
	for k := 0; k+gpus <= len(res.Samples); k += gpus {
		waiting, first := int32(0), int32(0)
		for _, s := range res.Samples[k : k+gpus] {
			waiting += s.Waiting
			first += s.FirstTokens
		}
		at := res.Samples[k].At
		if bin := int(at/tierBin) - 1; bin < bins {
			t.served[bin] = float64(first) / tierBin.Seconds()
		}
		t.drained = t.drained || at >= tierDay*3/4 && float64(waiting) <= short
	}
	return t
}

func (r *tierRun) now() *size { return r.sizes[len(tierShares())] }

func (r *tierRun) whole() *trial { return r.sizes[0].found }

// bill is the fleet with the tier over the fleet without.
func (r *tierRun) bill() float64 {
	return float64(r.now().found.gpus) / float64(r.whole().gpus)
}

// list is the price list: the same formula with the discount.
func (r *tierRun) list(waits float64) float64 {
	return route.Batch{Share: waits, Discount: r.off}.Multiplier()
}
