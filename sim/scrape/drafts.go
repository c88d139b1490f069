package scrape

import "math"

// drafts reads what speculation gives.
//
//	V1      1 + accepted / steps with drafts
//	V0      emitted / steps, steps = drafted / k; V0 counts acceptances behind
//	        a rejection too, so 1 + accepted/steps is wrong there (vLLM issue
//	        9565). k is not exported; the efficiency gauge is emitted tokens
//	        over the most possible, (k + 1) steps, so with scrape totals
//	        f = efficiency x drafted / emitted = k / (k + 1), k = f / (1 - f).
//	SGLang  a gauge of the last interval, bonus token counted
func (f *filler) drafts() {
	if f.engine == SGLang {
		const name = "sglang:spec_accept_length"
		v := f.gauge(largest, name)
		f.row.miss(Accepted, NotExposed, name)
		for _, id := range [...]ID{SpecK, Drafts, DraftAcceptance} {
			f.row.miss(id, NotExposed, name)
		}
		if v >= 1 && f.counted(name) == 1 { // 0 while nothing was drafted
			f.row.set(Accepted, v, LastInterval, name, 0)
		} else if v >= 1 {
			f.row.miss(Accepted, NoBasis, name) // gauges of several replicas have no weights
		}
		return
	}
	const steps, emitted = "vllm:spec_decode_num_drafts_total", "vllm:spec_decode_num_emitted_tokens_total"
	accepted, d := f.count("vllm:spec_decode_num_accepted_tokens_total", nil)
	drafted, dd := f.count("vllm:spec_decode_num_draft_tokens_total", nil)
	f.row.miss(DraftAcceptance, max(d.why, dd.why), "vllm:spec_decode_num_draft_tokens_total")
	if d.ok() && dd.ok() {
		f.row.share(DraftAcceptance, accepted, drafted, f.covers,
			"vllm:spec_decode_num_accepted_tokens_total / vllm:spec_decode_num_draft_tokens_total", d.doubts|dd.doubts)
	}
	if _, ok := f.v.first(emitted); ok {
		f.draftsV0(emitted)
		return
	}
	n, dn := f.count(steps, nil)
	if !d.ok() || !dn.ok() {
		for _, id := range [...]ID{Accepted, SpecK, Drafts} {
			f.row.miss(id, max(d.why, dn.why), steps)
		}
		return
	}
	doubts := d.doubts | dn.doubts
	f.row.set(Drafts, n, f.covers, steps, doubts)
	f.row.set(Accepted, 1+accepted/n, f.covers, "1 + vllm:spec_decode_num_accepted_tokens_total / "+steps, doubts)
	f.row.miss(SpecK, max(dd.why, NoTraffic), "vllm:spec_decode_num_draft_tokens_total")
	if dd.ok() {
		f.row.set(SpecK, drafted/n, f.covers, "vllm:spec_decode_num_draft_tokens_total / "+steps, doubts|Estimated)
	}
}

func (f *filler) draftsV0(emitted string) {
	const from = "vllm:spec_decode_num_emitted_tokens_total / (vllm:spec_decode_num_draft_tokens_total / k)"
	whole := filler{v: &view{b: f.v.b, model: f.v.model, only: f.v.only}, row: new(Row), engine: f.engine, rank: f.rank, all: f.all}
	e, de := whole.count(emitted, nil)
	n, dn := whole.count("vllm:spec_decode_num_draft_tokens_total", nil)
	share := f.gauge(largest, "vllm:spec_decode_efficiency") * n / e
	k := math.Floor(share/(1-share) + 0.5)
	if !de.ok() || !dn.ok() || !(k >= 1 && k <= 64) || !(math.Abs(share/(1-share)-k) < 0.1) {
		for _, id := range [...]ID{Accepted, SpecK, Drafts} {
			f.row.miss(id, NoBasis, "vllm:spec_decode_efficiency")
		}
		return
	}
	f.row.set(SpecK, k, SinceStart, "vllm:spec_decode_efficiency", Estimated)
	e, de = f.count(emitted, nil)
	n, dn = f.count("vllm:spec_decode_num_draft_tokens_total", nil)
	if !de.ok() || !dn.ok() {
		f.row.miss(Accepted, max(de.why, dn.why), from)
		f.row.miss(Drafts, max(de.why, dn.why), from)
		return
	}
	f.row.set(Drafts, n/k, f.covers, "vllm:spec_decode_num_draft_tokens_total / k", de.doubts|dn.doubts)
	f.row.set(Accepted, e/(n/k), f.covers, from, de.doubts|dn.doubts)
}
