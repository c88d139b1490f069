package scrape

import (
	"math"
	"strconv"
	"strings"

	"openloop/sim"
)

// From series to quantities. A row is of one replica, or of all: counters,
// waiting and running add, buckets add, of KV the fullest counts.

// filler fills a row from a view.
type filler struct {
	v       *view
	row     *Row
	engine  Engine
	rank    string // the replica, unless all
	all     bool
	seconds float64 // 0: not known
	covers  Covers

	ttft, itl *Histogram
}

// wants says whether a series belongs to the row.
func (f *filler) wants(s *Sample) bool { return f.all || s.from == f.rank }

// fill is the whole row.
func (f *filler) fill() {
	for id := range f.row {
		f.row.miss(ID(id), NotExposed, "")
	}
	f.covers = Span
	if f.v.a == nil {
		f.covers = SinceStart
	} else if len(f.v.restarted) > 0 {
		f.covers = SinceRestart
	}
	f.gauges()
	f.latency(TTFT, TTFTCount, TTFTMean, &f.ttft, f.own("time_to_first_token_seconds"))
	f.latency(ITL, ITLCount, ITLMean, &f.itl, f.own("inter_token_latency_seconds"), f.own("time_per_output_token_seconds"))
	f.preemptions()
	f.hits()
	f.drafts()
	f.strip()
	if f.row[Accepted].Known && f.row[ITL].Known && f.engine == VLLM {
		f.row[ITL].Doubts |= PerOutput
		f.row[ITLMean].Doubts |= PerOutput
	}
	if g := f.row[QueueGrowth]; g.Known && g.Value > 0 && f.row[TTFT].Known {
		f.row[TTFT].Doubts |= Rising
	}
}

// own puts the engine's prefix before a name.
func (f *filler) own(name string) string {
	if f.engine == SGLang {
		return "sglang:" + name
	}
	return "vllm:" + name
}

// rate is a count over the seconds of the window.
func (f *filler) rate(id ID, count float64, from string, doubts Doubts) {
	switch {
	case f.v.a == nil:
		f.row.miss(id, NeedsSecond, from)
	case f.seconds <= 0:
		f.row.miss(id, NeedsSeconds, from)
	default:
		f.row.set(id, count/f.seconds, f.covers, from, doubts)
	}
}

// count adds up an increase over the row's replicas.
func (f *filler) count(name string, keep func(*Sample) bool) (float64, delta) {
	d := f.v.increase(name, func(s *Sample) bool { return f.wants(s) && (keep == nil || keep(s)) })
	return d.by.total(), d
}

// gauge folds the series of a name; NaN if there is none.
func (f *filler) gauge(fold func(a, b float64) float64, name string) float64 {
	out := math.NaN()
	all := f.v.pick(f.v.b, name)
	for i := range all {
		if s := &all[i]; f.wants(s) && s.Value == s.Value {
			if out != out {
				out = s.Value
			} else {
				out = fold(out, s.Value)
			}
		}
	}
	return out
}

func sum(a, b float64) float64 { return a + b }

func largest(a, b float64) float64 { return max(a, b) }

func (f *filler) gauges() {
	queue, running := f.own("num_requests_waiting"), f.own("num_requests_running")
	if f.engine == SGLang {
		queue, running = "sglang:num_queue_reqs", "sglang:num_running_reqs"
	}
	f.moment(Queue, f.gauge(sum, queue), queue)
	f.moment(Running, f.gauge(sum, running), running)
	if f.engine == SGLang {
		// Requests whose grammar is being compiled wait beside the queue.
		if g := f.gauge(sum, "sglang:num_grammar_queue_reqs"); g > 0 && f.row[Queue].Known {
			f.moment(Queue, f.row[Queue].Value+g, queue+" + sglang:num_grammar_queue_reqs")
		}
	} else {
		f.moment(Swapped, f.gauge(sum, "vllm:num_requests_swapped"), "vllm:num_requests_swapped")
	}
	f.occupancy()
}

// moment keeps a gauge: negative ones are no state of a server.
func (f *filler) moment(id ID, v float64, from string) {
	switch {
	case v != v:
		f.row.miss(id, NotExposed, from)
	case v < 0 || math.IsInf(v, 0):
		f.row.miss(id, Unsound, from)
	default:
		f.row.set(id, v, Moment, from, 0)
	}
}

// occupancy reads the KV gauges, which are ratios whatever their names say.
func (f *filler) occupancy() {
	names := []string{"vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc"}
	if f.engine == SGLang {
		names = []string{"sglang:token_usage", "sglang:full_token_usage", "sglang:swa_token_usage", "sglang:mamba_usage"}
	}
	worst, from := math.NaN(), names[0]
	for _, name := range names {
		if v := f.gauge(largest, name); v == v && !(worst >= v) {
			worst, from = v, name
		}
		if f.engine == VLLM && worst == worst {
			break
		}
	}
	mean := f.gauge(sum, from) / f.counted(from)
	if used, pool := f.gauge(sum, "sglang:num_used_tokens"), f.gauge(sum, "sglang:max_total_num_tokens"); worst != worst && pool > 0 {
		worst, mean, from = used/pool, used/pool, "sglang:num_used_tokens / sglang:max_total_num_tokens"
	}
	doubts := Doubts(0)
	if worst > 1.5 {
		worst, mean, doubts = worst/100, mean/100, MayBePercent
	}
	f.moment(KV, worst, from)
	f.moment(KVMean, mean, from)
	f.row[KV].Doubts |= doubts
	f.row[KVMean].Doubts |= doubts
	f.pool()
}

// counted is how many series of a name the row has.
func (f *filler) counted(name string) float64 {
	n := 0.0
	all := f.v.pick(f.v.b, name)
	for i := range all {
		if f.wants(&all[i]) && all[i].Value == all[i].Value {
			n++
		}
	}
	return n
}

// latency reads a histogram.
func (f *filler) latency(p99, count, mean ID, keep **Histogram, names ...string) {
	name, _ := f.v.first(names...)
	h, d := f.v.histogram(name, f.rank, f.all)
	*keep = h
	if d.why == Known && !f.all && len(h.Bounds) == 0 {
		d.why = NotExposed
	}
	if !d.ok() {
		for _, id := range [...]ID{p99, count, mean} {
			f.row.miss(id, d.why, name)
		}
		return
	}
	f.row.set(count, h.Count(), f.covers, name+"_count", d.doubts)
	f.row.set(mean, h.Mean(), f.covers, name+"_sum / "+name+"_count", d.doubts)
	low, v, high, ok := h.Quantile(0.99)
	if !ok {
		f.row.miss(p99, NoTraffic, name)
		return
	}
	if high > 1.5*low {
		d.doubts |= WideBucket
	}
	f.row[p99] = Value{Measured: sim.Measured{Value: v, Low: low, High: high, Known: true}, Covers: f.covers, From: name + "_bucket", Doubts: d.doubts}
	if _, share, ok := h.BeyondLast(); ok && p99 == TTFT {
		f.row.set(TTFTBeyond, share, f.covers, name+"_bucket", d.doubts)
	}
}

func (f *filler) preemptions() {
	name := f.own("num_preemptions_total")
	if f.engine == SGLang {
		name = "sglang:num_retracted_requests_total"
	}
	n, d := f.count(name, nil)
	if !d.ok() {
		f.row.miss(Preemptions, d.why, name)
		f.row.miss(Preempts, d.why, name)
		return
	}
	if n > 0 && n < 10 {
		d.doubts |= FewEvents
	}
	f.row.set(Preemptions, n, f.covers, name, d.doubts)
	f.rate(Preempts, n, name, d.doubts)
}

// hits is a ratio of increases, over the window only. Gauges of a hit rate are
// of the last batch (SGLang) or of the whole life (V0, where -1 says off).
func (f *filler) hits() {
	hit, looked := "vllm:prefix_cache_hits_total", "vllm:prefix_cache_queries_total"
	gauge := "vllm:gpu_prefix_cache_hit_rate"
	var found, asked delta
	if f.engine == SGLang {
		gauge = "sglang:cache_hit_rate"
		mode := func(want string) delta {
			_, d := f.count("sglang:realtime_tokens_total", func(s *Sample) bool { return s.Label("mode") == want })
			return d
		}
		hit, looked = `sglang:realtime_tokens_total{mode="prefill_cache"}`, `sglang:realtime_tokens_total{mode=~"prefill_cache|prefill_compute"}`
		found, asked = mode("prefill_cache"), mode("prefill_compute")
		if asked.ok() {
			asked.by = part{"found": found.by.total(), "computed": asked.by.total()}
		} else {
			hit, looked = "sglang:cached_tokens_total", "sglang:prompt_tokens_total"
			_, found = f.count(hit, nil)
			_, asked = f.count(looked, nil)
		}
	} else {
		if _, ok := f.v.first(looked); !ok {
			if _, old := f.v.first("vllm:gpu_prefix_cache_queries_total"); old {
				hit, looked = "vllm:gpu_prefix_cache_hits_total", "vllm:gpu_prefix_cache_queries_total"
			}
		}
		_, found = f.count(hit, nil)
		_, asked = f.count(looked, nil)
	}
	if !found.ok() || !asked.ok() {
		why := found.why
		if found.ok() {
			why = asked.why
		}
		if g := f.gauge(largest, gauge); g < 0 {
			why, hit = TurnedOff, gauge
		} else if g == g {
			why, hit = Misleading, gauge
		}
		f.row.miss(Hit, why, hit)
		f.row.miss(ComputedRate, why, hit)
		return
	}
	a, b := found.by.total(), asked.by.total()
	doubts := found.doubts | asked.doubts
	if strings.Contains(looked, "realtime") {
		doubts |= RepeatsCounted
	}
	if a > b {
		f.row.miss(Hit, Unsound, hit)
		f.row.miss(ComputedRate, Unsound, hit)
		return
	}
	f.row.set(Hit, a/b, f.covers, hit+" / "+looked, doubts)
	f.rate(ComputedRate, b-a, looked+" - "+hit, doubts)
	if strings.HasPrefix(looked, "vllm:gpu_") {
		f.row.miss(ComputedRate, NoBasis, looked) // blocks in some versions
	}
}

// pool reads the size of the KV cache of one replica.
func (f *filler) pool() {
	if f.engine == SGLang {
		if n := f.gauge(largest, "sglang:max_total_num_tokens"); n > 0 {
			f.moment(KVPool, n, "sglang:max_total_num_tokens")
			return
		}
		used, share := f.gauge(largest, "sglang:num_used_tokens"), f.gauge(largest, "sglang:token_usage")
		if f.row.miss(KVPool, NotExposed, "sglang:max_total_num_tokens"); share > 0 && used > 0 {
			f.moment(KVPool, used/share, "sglang:num_used_tokens / sglang:token_usage")
			f.row[KVPool].Doubts |= Estimated
		}
		return
	}
	const info = "vllm:cache_config_info"
	f.row.miss(KVPool, NotExposed, info)
	for _, s := range f.v.b.all(info) {
		blocks, err1 := strconv.ParseFloat(s.Label("num_gpu_blocks"), 64)
		size, err2 := strconv.ParseFloat(s.Label("block_size"), 64)
		if f.wants(&s) && err1 == nil && err2 == nil && blocks > 0 && size > 0 {
			f.moment(KVPool, blocks*size, info)
		}
	}
}
