package planner_test

import (
	"encoding/json"
	"sort"
	"strconv"

	"github.com/stretchr/testify/require"

	"openloop/planner"
	"openloop/planner/profile"
)

// The formulas behind the ids, each through what the package offers.

var goldenFormulas = map[string]func(*golden){
	"kv_per_token": func(x *golden) { x.want("bytes", x.model().KVBytes(1, x.num("kv_bytes"))) },
	"kv_seq":       func(x *golden) { x.want("bytes", x.model().KVBytes(x.num("ctx"), x.num("kv_bytes"))) },
	"kv/mla": func(x *golden) {
		m := x.model()
		own, all := float64(m.KVElementsPerToken()), float64(m.KVElementsIfMHA())
		x.want("mla_elements", own)
		x.want("mha_elements", all)
		x.want("ratio", all/own)
	},
	"kv/gqa": func(x *golden) {
		m, bytes := x.model(), x.num("kv_bytes")
		own, all := float64(m.KVElementsPerToken()), float64(m.KVElementsIfMHA())
		x.want("gqa_bytes", own*bytes)
		x.want("mha_bytes", all*bytes)
		x.want("ratio", all/own)
	},
	"prefill_flops": func(x *golden) {
		m, n, cached := x.model(), x.num("n"), x.num("cached")
		linear, head, attention := m.PrefillParts(n-cached, cached)
		x.want("flops", m.PrefillFLOPs(n-cached, cached))
		x.maybe("linear", linear)
		x.maybe("lm_head", head)
		x.maybe("attention", attention)
		x.maybe("attention_share", attention/(linear+head+attention))
	},
	"prefill_seconds": func(x *golden) {
		d := x.hardware()
		d.MBU, d.MemoryFrac = 1, 1
		t, err := planner.Mixed(d, planner.Batch{}, x.int("n"), 0, true)
		require.NoError(x.t, err)
		x.want("seconds", t.ComputeSeconds)
	},
	"prefix": func(x *golden) {
		m, n, cached := x.model(), x.num("n"), x.num("cached")
		part, full := m.PrefillFLOPs(n-cached, cached), m.PrefillFLOPs(n, 0)
		x.want("flops", part)
		x.want("full", full)
		x.want("saved", 1-part/full)
	},
	"decode_step": func(x *golden) {
		batch := x.batch()
		t, err := planner.Mixed(x.hardware(), batch, 0, 0, false)
		require.NoError(x.t, err)
		x.want("bytes", t.Bytes)
		x.want("flops", t.FLOPs)
		x.want("t_mem_s", t.MemorySeconds)
		x.want("t_comp_s", t.ComputeSeconds)
		x.want("t_s", t.Seconds())
		x.want("tokens_per_s", batch.Sequences/t.Seconds())
		bound := "compute"
		if t.MemoryBound() {
			bound = "memory"
		}
		x.wantText("bound", bound)
	},
	"critical_batch": func(x *golden) {
		g, compute := x.gpu(), x.dtype(x.text("dtype"))
		ridge, err := planner.Ridge(g, compute)
		require.NoError(x.t, err)
		batch, err := planner.CriticalBatch(g, compute, x.num("weight_bytes"))
		require.NoError(x.t, err)
		x.want("ridge_flop_per_byte", ridge)
		goldenClose(x, "batch", batch)
	},
	"attention_intensity_decode": func(x *golden) {
		require.Equal(x.t, "absorbed", x.text("mla"))
		var ids []string
		x.get("models", &ids)
		bytes := x.num("kv_bytes")
		for _, id := range ids {
			m, ok := profile.FindModel(id)
			require.True(x.t, ok, id)
			name := map[string]string{"llama-3.1-70b": "llama_3_1_70b_bf16", "llama-2-13b": "llama_2_13b_bf16", "deepseek-v3": "deepseek_v3_bf16"}[id]
			x.want(name, m.DecodeIntensity(bytes))
		}
	},
	"attention_crossover": func(x *golden) {
		n, err := planner.AttentionCrossover(x.model())
		require.NoError(x.t, err)
		x.want("tokens_attention_equals_linear", n)
	},
	"itl_slope": func(x *golden) {
		m, bw := x.model(), x.num("bw_tbps")*1e12*x.num("mbu")
		kv := x.nums("kv_bytes")
		slope := func(bytes float64) float64 { return (m.KVBytes(2, bytes) - m.KVBytes(1, bytes)) / bw * 1e3 }
		base := m.StepWeightBytes(1, x.num("weight_bytes")) / bw * 1e3
		x.want("pred_ms_per_token_bf16", slope(kv[0]))
		x.want("pred_ms_per_token_fp8", slope(kv[1]))
		x.want("mbu_bf16", slope(kv[0])/x.num("measured_bf16"))
		x.want("mbu_fp8", slope(kv[1])/x.num("measured_fp8"))
		x.want("pred_intercept_ms", base)
		x.want("mbu_weights", base/x.num("measured_intercept_ms"))
	},
	"batch_limit": func(x *golden) {
		d := x.hardware()
		d.MFU, d.MBU, d.Compute = 1, 1, profile.BF16
		ctx := x.num("ctx")
		p, err := planner.Evaluate(one(planner.Class{RequestsPerSec: 1, PeakToMean: 1, PromptTokens: ctx - 1, OutputTokens: 1}), d, planner.Objective{TargetFrac: 1})
		require.NoError(x.t, err)
		x.maybe("free_bytes", p.FreeBytes)
		x.want("batch", float64(p.BatchMemory))
	},
	"moe_fraction": func(x *golden) {
		m := profile.Model{MoELayers: 1, ExpertsRouted: x.int("E"), ExpertsActive: x.int("k")}
		var fracs, experts []float64
		for _, b := range x.nums("B") {
			fracs = append(fracs, m.ExpertsTouchedFrac(b))
			experts = append(experts, m.ExpertsTouchedFrac(b)*float64(m.ExpertsRouted))
		}
		x.wantAll("fraction", fracs)
		if _, ok := x.c.Expect["expected_experts"]; ok {
			x.wantAll("expected_experts", experts)
		}
	},
	"moe_weight_bytes": func(x *golden) {
		var got []float64
		for _, b := range x.nums("B") {
			got = append(got, x.model().StepWeightBytes(b, x.num("weight_bytes")))
		}
		x.wantAll("bytes", got)
	},
	"spec/expected_tokens": func(x *golden) {
		var got []float64
		for _, a := range x.nums("a") {
			e, err := planner.ExpectedTokens(a, x.int("k"))
			require.NoError(x.t, err)
			got = append(got, e)
		}
		x.wantAll("tokens", got)
	},
	"spec/implied_a": func(x *golden) {
		for input, output := range map[string]string{"kimi_k2_5_eagle3_thinking_on": "kimi", "deepseek_v4_mtp_thinking_on": "deepseek"} {
			var lengths map[string]float64
			x.get(input, &lengths)
			var ks []int
			for k := range lengths {
				n, err := strconv.Atoi(k)
				require.NoError(x.t, err)
				ks = append(ks, n)
			}
			sort.Ints(ks)
			var got []float64
			for _, k := range ks {
				a, err := planner.ImpliedAcceptance(lengths[strconv.Itoa(k)], k)
				require.NoError(x.t, err)
				got = append(got, a)
			}
			x.wantAll(output, got)
		}
	},
	"spec/speedup": func(x *golden) {
		s := planner.Speculation{Drafts: x.int("k"), Acceptance: x.num("a"), DraftCost: x.num("draft_cost_ratio")}
		reading, err := s.Speedup(1, 0)
		require.NoError(x.t, err)
		computing, err := s.Speedup(0, 1)
		require.NoError(x.t, err)
		tokens, err := planner.ExpectedTokens(s.Acceptance, s.Drafts)
		require.NoError(x.t, err)
		x.want("memory_bound", reading)
		x.want("compute_bound", computing)
		x.want("per_token_flops_factor", float64(s.Drafts+1)/tokens)
	},
	"chunked/70b":       goldenChunked,
	"chunked/max_chunk": goldenMaxChunk,
	"chunked/extra_kv_reads": func(x *golden) {
		n := x.num("n")
		tokens := planner.ExtraReads(n, 0, x.int("chunk"))
		x.want("extra_tokens_read", tokens)
		x.want("bytes", tokens*x.model().KVBytes(1, x.num("kv_bytes")))
	},
	"disagg/kv_transfer": func(x *golden) {
		bytes := x.model().KVBytes(x.num("n"), x.num("kv_bytes"))
		x.want("bytes", bytes)
		for name, link := range map[string]float64{"seconds_50GBps": 50e9, "seconds_450GBps": 450e9} {
			s, err := planner.TransferSeconds(bytes, link)
			require.NoError(x.t, err)
			x.maybe(name, s)
		}
	},
	"disagg/mooncake": func(x *golden) {
		v, err := planner.ReuseBytesPerSec(x.num("p"), x.num("d"), x.num("gqa"), x.num("s"), x.num("a"), x.num("b"), x.num("G_a800"))
		require.NoError(x.t, err)
		x.want("min_load_bytes_per_s", v)
	},
	"tp_allreduce": func(x *golden) {
		m := x.model()
		s, err := planner.AllReduceSeconds(m.Layers, m.Hidden, x.int("tp"), x.num("batch"), x.or("act_bytes", 2), x.num("bw_gbps")*1e9, x.num("lat_us")*1e-6)
		require.NoError(x.t, err)
		x.want("seconds", s)
	},
	"queue/mg1_target": func(x *golden) {
		rho, err := planner.TargetFrac(1, x.num("slo_mean_wait"), x.num("ES"), 1, x.num("Cs2"))
		require.NoError(x.t, err)
		x.want("rho", rho)
	},
	"queue/mg1": func(x *golden) {
		w, err := planner.MeanWait(1, x.num("rho"), x.num("ES"), 1, x.num("Cs2"))
		require.NoError(x.t, err)
		x.want("Wq", w)
	},
	"queue/mgk_allen_cunneen": func(x *golden) {
		w, err := planner.MeanWait(x.int("c"), x.num("rho"), x.num("ES"), 1, x.num("Cs2"))
		require.NoError(x.t, err)
		x.want("Wq", w)
	},
	"queue/util_target": func(x *golden) {
		var got []float64
		for _, c := range x.nums("c") {
			rho, err := planner.TargetFrac(int(c), x.num("slo"), x.num("ES"), 1, x.num("Cs2"))
			require.NoError(x.t, err)
			got = append(got, rho)
		}
		x.wantAll("rho", got)
	},
	"queue/erlang_c": func(x *golden) {
		var got []float64
		for _, c := range x.nums("c") {
			v, err := planner.ErlangC(int(c), x.num("rho"))
			require.NoError(x.t, err)
			got = append(got, v)
		}
		x.wantAll("C", got)
	},
	"queue/mmk_p99": func(x *golden) {
		k, rho, es := x.int("c"), x.num("rho"), x.num("ES")
		p99, err := planner.WaitQuantile(k, rho, es, 0.99)
		require.NoError(x.t, err)
		mean, err := planner.MeanWait(k, rho, es, 1, 1)
		require.NoError(x.t, err)
		x.want("p99_exact_mmk", p99)
		x.maybe("mean_times_ln100", mean*4.605170185988092) // the form that is wrong
	},
	"money/deepseek_day": func(x *golden) {
		hour := x.num("nodes") * x.num("gpus_per_node") * x.num("usd_per_gpu_h")
		in, hit, out := x.num("input_tokens"), x.num("hit_tokens"), x.num("output_tokens")
		var list map[string]float64
		x.get("usd_per_M", &list)
		perOut, err := planner.USDPerMTokens(hour, out/86400, 1)
		require.NoError(x.t, err)
		perAll, err := planner.USDPerMTokens(hour, (in+out)/86400, 1)
		require.NoError(x.t, err)
		x.want("usd_per_day", hour*24)
		x.want("usd_per_M_output", perOut)
		x.want("usd_per_M_total", perAll)
		x.want("revenue", planner.ListPrices{Hit: list["hit"], Miss: list["miss"], Output: list["output"]}.Revenue(hit, in-hit, out))
		x.want("hit_rate", hit/in)
	},
	"money/sglang":       func(x *golden) { goldenMoney(x, "usd_per_M", "tok_s_node", "usd") },
	"money/kimi":         func(x *golden) { goldenMoney(x, "usd_per_M", "tok_s", "usd") },
	"money/usd_per_Mtok": func(x *golden) { goldenMoney(x, "usd_per_M", "output_tok_s", "usd_per_gpu_h") },
	"task/retries": func(x *golden) {
		c, err := planner.Task{Turns: 1, UserTokens: 1, SuccessFrac: x.num("p"), MaxAttempts: x.int("max_attempts")}.Cost(x.num("cost_per_attempt"))
		require.NoError(x.t, err)
		x.want("expected_attempts", c.Attempts)
		x.want("p_success", c.SuccessFrac)
		x.want("cost_per_task", c.PerTask)
		x.want("cost_per_success", c.PerSuccess)
	},
	"task/multi_turn": func(x *golden) {
		k, err := planner.Task{
			Turns: x.int("turns"), SystemTokens: x.num("system"), UserTokens: x.num("user"), AnswerTokens: x.num("output"),
			ThinkingTokens: x.num("thinking"), ThinkingKept: x.flag("thinking_kept"), SuccessFrac: 1, MaxAttempts: 1,
		}.Tokens()
		require.NoError(x.t, err)
		x.want("prefill_tokens_no_cache", k.PrefillNoCache)
		x.want("prefill_tokens_cached_outputs_recomputed", k.PrefillRecomputed)
		x.want("prefill_tokens_cached_all_kv_kept", k.PrefillAllKept)
		x.want("decode_tokens", k.Decode)
		x.want("token_hit_rate", k.HitFrac)
	},
	"plan": goldenPlan,
}

func goldenMoney(x *golden, want, rate, price string) {
	v, err := planner.USDPerMTokens(x.num("gpus")*x.num(price), x.num(rate), x.or("util", 1))
	require.NoError(x.t, err)
	x.want(want, v)
}

// goldenClose compares a value to the tolerance although its name is a count's.
func goldenClose(x *golden, name string, got float64) {
	x.t.Helper()
	var want float64
	require.NoError(x.t, json.Unmarshal(x.c.Expect[name], &want))
	x.compared[name] = true
	close(x.t, want, got, name)
}
