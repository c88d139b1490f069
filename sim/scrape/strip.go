package scrape

import "strings"

// The context beside the signals: what came, what went, how long requests are.

func (f *filler) strip() {
	f.requests()
	f.tokens()
	f.front()
	f.row.miss(RetryRate, NeverSeen, "")
	for _, id := range [...]ID{AdmittedRate, PromptPerAdmission, KVFullIn, DecodePerRunning, ITLEstimate, FreedPerRetraction, ReservedShare} {
		f.row.miss(id, NoBasis, "log lines")
	}
	f.row.miss(TokensPerRunning, NoBasis, "")
	if used, n := f.gauge(sum, "sglang:num_used_tokens"), f.row[Running]; n.Known && n.Value > 0 && used == used {
		f.row.set(TokensPerRunning, used/n.Value, Moment, "sglang:num_used_tokens / sglang:num_running_reqs", 0)
	}
}

// well says that a request ended as asked.
func well(s *Sample) bool {
	reason := s.Label("finished_reason")
	return reason != "abort" && reason != "error"
}

// requests balances arrivals against completions: what was accepted either
// ended, however it ended, or is inside.
func (f *filler) requests() {
	ended := "vllm:request_success_total"
	var done, all delta
	var nDone, nAll float64
	if f.engine == SGLang {
		ended = "sglang:num_requests_total"
		nAll, all = f.count(ended, nil)
		aborted, d := f.count("sglang:num_aborted_requests_total", nil)
		nDone, done = nAll, all
		if d.ok() {
			nDone = max(0, nAll-aborted)
		}
	} else {
		nDone, done = f.count(ended, well)
		nAll, all = f.count(ended, nil)
	}
	if !done.ok() {
		f.row.miss(CompletedRate, done.why, ended)
		f.row.miss(PreemptionsPerCompleted, done.why, ended)
	} else {
		f.rate(CompletedRate, nDone, ended, done.doubts)
		f.row.miss(PreemptionsPerCompleted, f.row[Preemptions].Why, f.row[Preemptions].From)
		if p := f.row[Preemptions]; p.Known {
			f.row.set(PreemptionsPerCompleted, p.Value/nDone, f.covers, p.From+" / "+ended, done.doubts|p.Doubts)
		}
	}
	if c := f.row[TTFTCount]; c.Known {
		f.rate(FirstTokenRate, c.Value, c.From, c.Doubts)
	} else {
		f.row.miss(FirstTokenRate, c.Why, c.From)
	}
	f.offered(nAll, nDone, all, ended)
}

func (f *filler) offered(nAll, nDone float64, all delta, ended string) {
	from := "increase of " + ended + " + growth of waiting and running"
	miss := func(why Why) {
		f.row.miss(OfferedRate, why, from)
		f.row.miss(CompletedOverOffered, why, from)
		f.row.miss(OfferedWithShed, why, from)
	}
	f.row.miss(QueueGrowth, NeedsSecond, f.row[Queue].From)
	if f.v.a == nil {
		miss(NeedsSecond)
		return
	}
	if len(f.v.restarted) > 0 {
		miss(AcrossRestart)
		f.row.miss(QueueGrowth, AcrossRestart, f.row[Queue].From)
		return
	}
	var before Row
	old := filler{v: &view{b: f.v.a, model: f.v.model, only: f.v.only}, row: &before, engine: f.engine, rank: f.rank, all: f.all}
	old.gauges()
	inside := func(r *Row) float64 { return r[Queue].Value + r[Running].Value + r[Swapped].Value }
	if !f.row[Queue].Known || !before[Queue].Known {
		miss(NotExposed)
		f.row.miss(QueueGrowth, NotExposed, f.row[Queue].From)
		return
	}
	growth := f.row[Queue].Value - before[Queue].Value
	f.rate(QueueGrowth, growth, f.row[Queue].From, 0)
	if !all.ok() || !f.row[Running].Known || !before[Running].Known {
		miss(max(all.why, NotExposed))
		return
	}
	came := nAll + inside(f.row) - inside(&before)
	if came < 0 {
		miss(Unsound)
		return
	}
	f.rate(OfferedRate, came, from, all.doubts)
	f.row.set(CompletedOverOffered, nDone/came, f.covers, ended+" / ("+from+")", all.doubts)
	f.row.miss(OfferedWithShed, NotExposed, "http_requests_total")
}

// tokens reads throughputs and lengths. Length histograms are filled when a
// request ends.
func (f *filler) tokens() {
	for id, name := range map[ID]string{PromptRate: f.own("prompt_tokens_total"), GenerationRate: f.own("generation_tokens_total")} {
		n, d := f.count(name, nil)
		if !d.ok() {
			f.row.miss(id, d.why, name)
			continue
		}
		f.rate(id, n, name, d.doubts)
	}
	for id, name := range map[ID]string{PromptMean: "request_prompt_tokens", OutputMean: "request_generation_tokens"} {
		total, count := f.own(name)+"_sum", f.own(name)+"_count"
		if f.engine == SGLang { // counted when a request ends, as the end-to-end histogram is
			total, count = "sglang:prompt_tokens_total", "sglang:e2e_request_latency_seconds_count"
			if id == OutputMean {
				total = "sglang:generation_tokens_total"
			}
		}
		a, da := f.count(total, nil)
		b, db := f.count(count, nil)
		if !da.ok() || !db.ok() {
			f.row.miss(id, max(da.why, db.why), total)
			continue
		}
		f.row.set(id, a/b, f.covers, total+" / "+count, da.doubts|db.doubts)
	}
	name := f.own("e2e_request_latency_seconds_count")
	n, d := f.count(name, nil)
	f.row.miss(E2EBeyondTTFT, max(d.why, f.row[TTFTCount].Why), name)
	if c := f.row[TTFTCount]; d.ok() && c.Known {
		f.row.set(E2EBeyondTTFT, n-c.Value, f.covers, name+" - "+c.From, d.doubts|c.Doubts)
	}
}

// front reads what is not the engine's: HTTP answers and the GPU.
func (f *filler) front() {
	const http, gpu = "http_requests_total", "DCGM_FI_DEV_GPU_UTIL"
	f.row.miss(ShedRate, NotExposed, http)
	f.row.miss(GPUUtil, NotExposed, gpu)
	if !f.v.only || !f.all {
		return // not told apart by model or replica
	}
	n, d := f.count(http, func(s *Sample) bool {
		status := s.Label("status")
		return status == "429" || strings.HasPrefix(status, "5")
	})
	f.row.miss(ShedRate, d.why, http)
	if d.ok() {
		f.rate(ShedRate, n, http, d.doubts)
		if o, s := f.row[OfferedRate], f.row[ShedRate]; o.Known && s.Known {
			f.row.set(OfferedWithShed, o.Value+s.Value, f.covers, o.From+" + "+http, o.Doubts|s.Doubts)
		}
	}
	if util := f.gauge(sum, gpu); util >= 0 {
		f.row.set(GPUUtil, util/f.counted(gpu)/100, Moment, gpu, 0)
	}
}
