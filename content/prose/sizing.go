package prose

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"openloop/content/tables"
	"openloop/planner"
)

// Checks of the chapter on the planner.

const (
	planned   = "v=1&plan=shown"
	codePlan  = planned + "&gpu=l40s&model=qwen2.5-7b&tp=1&rate=10&prompt=2048&output=28&peak=4.2&bursts=10.2&spread=0.81&tpot=30&ttft=0.5"
	ragPlan   = planned + "&gpu=h200-sxm&kv=fp8&rate=3.4&prompt=12035&output=343&bursts=1&spread=1.1&tpot=60&ttft=3"
	thinkPlan = planned + "&gpu=h200-sxm&model=deepseek-r1&tp=8&rate=4&prompt=1596&output=290&thinking=1400&bursts=1&spread=2.1&tpot=60&ttft=2"
	agentPlan = planned + "&model=qwen3-32b&tp=2&rate=3.9&prompt=15325&output=149&cache=mooncake-synthetic&cached=25.6&bursts=1&spread=0.93&ttft=2&turns=15&success=60"
	batchPlan = planned + "&model=llama-3.1-8b&weights=bf16&tp=1&rate=50&prompt=2573&output=300&peak=1&bursts=0&spread=0.52&tpot=0&ttft=0&busy=95"
	agentTask = "v=1&turns=10&thinking=1500"
)

// sized checks metrics of a plan that is drawn from nothing: one seed is enough.
func sized(link string, check func(*run)) error {
	return asked("capacity-planner", link, []int{7}, check)
}

func planFits() error {
	return sized(planned, func(r *run) {
		r.in("weights", 70, 71.5)
		r.hold(math.Abs(r.get("weights")+r.get("free")-0.95*320) < 0.01, "weights and what is left are not 95%% of 320 GB")
		r.hold(math.Floor(1000*r.get("free")/r.get("kv_sequence")) == r.get("seats"), "the sequences do not fill the memory")
		// The mean over a life has the prompt and half of the answer; 327,680 bytes a token in 16 bits.
		r.hold(!apart(r.get("kv_sequence"), (1155+211/2.0)*327680/1e6, 1e-3), "%v MB a sequence", r.get("kv_sequence"))
	})
}

func planStep() error {
	return sized(planned, func(r *run) {
		r.in("step", 8, 12)
		r.in("sequence", 0.05, 0.12)
		read := r.get("kv_sequence") / (4 * 3.35e6 * 0.8) * 1e3 // MB over four H100 at 80% of 3.35 TB/s, in ms
		r.hold(read > 0.42*r.get("sequence") && read < 0.5*r.get("sequence"), "reading KV is %v of %v ms", read, r.get("sequence"))
	})
}

func planPrefill() error {
	return sized(planned, func(r *run) { r.in("prefill", 45, 60) })
}

func planLimits() error {
	return sized(planned, func(r *run) {
		r.hold(r.get("t_tpot") > r.get("t_memory") && r.get("t_memory") > r.get("t_compute"), "the order of the limits has changed")
		r.hold(r.get("replica_seconds") == r.get("t_tpot"), "the time per token does not bind")
		r.hold(r.get("seats") > 4*r.get("batch"), "%v seats, %v sequences", r.get("seats"), r.get("batch"))
	})
}

func planGPUs() error {
	return sized(planned, func(r *run) {
		r.hold(!apart(r.get("gpus_real"), 30*r.get("replica_seconds")/0.7*4, 1e-9), "the formula of the text gives another number")
		r.hold(r.get("gpus") == 4*math.Ceil(r.get("gpus_real")/4), "whole replicas")
	})
}

func planBill() error {
	return sized(planned, func(r *run) {
		r.hold(!apart(r.get("usd_hour"), 2.95*r.get("gpus"), 1e-9), "the price of an hour is not 2.95")
		hour := (r.get("usd_input")*1155 + r.get("usd_output")*211) * 20 * 3600 / 1e6
		r.hold(!apart(hour, r.get("usd_hour"), 1e-9), "input and output do not make up the bill: %v", hour)
	})
}

func fitError() error {
	f := planner.PublishedFit()
	if len(f.Free) != 5 || f.DenseMAPEFrac > 0.09 || f.ExpertMAPEFrac > 0.2 {
		return fmt.Errorf("the fit has %d free parameters and errors of %v and %v", len(f.Free), f.DenseMAPEFrac, f.ExpertMAPEFrac)
	}
	return nil
}

func prefillShares() error {
	least, most := 100.0, 0.0
	for _, link := range []string{planned, codePlan, ragPlan, thinkPlan, agentPlan, batchPlan} {
		x, err := metric("capacity-planner", link, "prefill_share")
		if err != nil {
			return err
		}
		least, most = min(least, x), max(most, x)
	}
	return first(between("least share of prefill", least, 22, 28), between("most", most, 76, 82))
}

func sixWorkloads() error {
	for link, binds := range map[string]string{planned: "t_tpot", codePlan: "t_tpot", ragPlan: "t_tpot", thinkPlan: "t_tpot", agentPlan: "t_tpot", batchPlan: "t_memory"} {
		err := sized(link, func(r *run) {
			r.hold(r.get("replica_seconds") == r.get(binds), "%s: something else binds than %s", link, binds)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func planThinking() error {
	without := strings.Replace(thinkPlan, "&thinking=1400", "", 1)
	half, err := metric("capacity-planner", without, "gpus")
	if err != nil {
		return err
	}
	return sized(thinkPlan, func(r *run) {
		r.hold(!apart(r.get("usd_read")/r.get("usd_output_all"), 1690.0/290, 1e-9), "the share that is read")
		r.hold(2*half == r.get("gpus"), "%v GPUs without thinking, %v with", half, r.get("gpus"))
	})
}

func twoKinds() error {
	alone, err := metric("capacity-planner", planned+"&rate=10&prompt=8000&output=300", "gpus_real")
	if err != nil {
		return err
	}
	chat, err := metric("capacity-planner", planned, "gpus_real")
	if err != nil {
		return err
	}
	return sized(planned+"&rate2=10&prompt2=8000&output2=300", func(r *run) {
		r.hold(!apart(r.get("gpus_real"), alone+chat, 1e-6), "%v GPUs, apart %v and %v", r.get("gpus_real"), alone, chat)
		r.hold(r.get("replica_seconds") == r.get("t_tpot"), "the time per token does not bind")
	})
}

func planHangs() error {
	return sized(planned, func(r *run) {
		order := []string{"target", "rate", "prompt"}
		for i := 1; i < len(order); i++ {
			r.hold(r.get("moves_"+order[i-1]) > r.get("moves_"+order[i]), "%s moves more than %s", order[i], order[i-1])
		}
		for id := range planner.Inputs {
			if x := r.get("moves_" + id.String()); !slices.Contains(order, id.String()) && x == x {
				r.hold(x < r.get("moves_prompt"), "%s moves %v", id, x)
			}
		}
		r.in("moves_arrival_cv2", 0, 0)
		r.in("moves_service_cv2", 0, 0)
	})
}

func planPower() error {
	return sized(planned, func(r *run) {
		r.hold(!apart(r.get("kilowatts"), 0.7*r.get("gpus"), 1e-9), "an H100 is rated at 700 W")
		r.hold(!apart(r.get("kwh_output"), r.get("kilowatts")/(20*211*3600)*1e6, 1e-9), "energy is power over tokens")
	})
}

func benchPrefix() error {
	t, err := runAt("capacity-planner", planned+"&hit=50")
	if err != nil {
		return err
	}
	for _, f := range t.task.Figures() {
		if f.ID != "bench" {
			continue
		}
		for _, s := range f.Steps {
			if len(s.Code) == 0 {
				continue // where the numbers are from
			}
			all := strings.Join(s.Code, " ")
			if says := strings.Contains(s.Source, "cannot be sent"); says == (strings.Contains(all, "prefix") && strings.Contains(all, "577")) || says != strings.HasPrefix(s.Name, "MLPerf") {
				return fmt.Errorf("%s: %s %s", s.Name, all, s.Source)
			}
		}
		return nil
	}
	return fmt.Errorf("there are no commands")
}

// saves checks what a lever saves in a plan.
func saves(link, lever string, lo, hi float64) error {
	return within("capacity-planner", link, "saves_"+lever, lo, hi)
}

func leverGQA() error {
	return first(saves(planned, "gqa", 10, 14), within("capacity-planner", planned+"&attention=every", "gpus", 24, 32))
}

func leverMLA() error {
	return first(saves(planned, "mla", 0.8, 2), saves(planned+"&attention=every", "mla", 11, 16))
}

func leverKV() error {
	return first(saves(planned, "kv_quant", 0.5, 1.3), saves(planned+"&weights=bf16&rate=4&prompt=500&output=4000", "kv_quant", 8, 11))
}

func leverWeights() error {
	return first(
		within("capacity-planner", planned+"&weights=bf16", "gpus", 24, 28),
		sized(planned, func(r *run) {
			for _, l := range []string{"kv_quant", "prefix_cache", "chunked_prefill", "disaggregation", "speculation"} {
				r.hold(r.get("saves_weight_quant") > r.get("saves_"+l), "%s saves more", l)
			}
		}))
}

func leverPrefix() error {
	const all, small = planned + "&cache=mooncake-conversation&cached=1000", planned + "&cache=mooncake-conversation&cached=0.5"
	return first(within("capacity-planner", small, "found", 4.45, 4.55), within("capacity-planner", all, "found", 37.35, 37.45),
		saves(all, "prefix_cache", 3.5, 5), saves(small, "prefix_cache", 0.3, 0.7),
		sized(planned, func(r *run) {
			tokens := r.get("free") * 1e9 / 327680
			r.hold(tokens > 0.5e6 && tokens < 0.8e6, "a replica holds %v tokens", tokens)
		}))
}

func leverChunks() error { return saves(planned, "chunked_prefill", 0.3, 1) }

func leverApart() error {
	return first(saves(planned, "disaggregation", 1.8, 2.6), saves(planned+"&tpot=25", "disaggregation", 5, 6.5), saves(batchPlan, "disaggregation", 0, 0))
}

func distServe() error {
	l, _ := planner.FindLever("disaggregation")
	found := map[float64]int{}
	for _, c := range l.Claims {
		found[c.Figure] = c.Either
	}
	if either := found[7.4]; either == 0 || found[12.6] != either {
		return fmt.Errorf("the lever has other claims: %v", found)
	}
	for _, c := range l.Claims {
		if c.Figure != 7.4 && c.Figure != 12.6 {
			continue
		}
		for _, says := range []string{"more than 90% of requests", "first token", "time per token", "for each GPU, not throughput"} {
			if !strings.Contains(c.Conditions, says) {
				return fmt.Errorf("%v without the condition %q", c.Figure, says)
			}
		}
		if !strings.Contains(c.Source, "4.48 and 10.2") {
			return fmt.Errorf("%v without the figures of the first version", c.Figure)
		}
	}
	return nil
}

func leverSpeculation() error {
	return first(saves(planned, "speculation", 1.3, 2.5), saves(planned+"&tpot=25", "speculation", 4.8, 6.5))
}

func leverMoE() error { return saves(thinkPlan, "moe", 40, 60) }

func savingsAdd() error {
	return sized(planned, func(r *run) { r.hold(r.get("alone_sum") > 1.02*r.get("together"), "they add") })
}

func checkChat() error {
	return asked("plan-check", "v=1", fewSeeds(), func(r *run) {
		r.in("broken", 0, 0)
		r.in("unclear", 0, 0)
		r.hold(!apart(r.get("tpot"), r.get("tpot_plan"), 0.03), "%v ms simulated, %v by the plan", r.get("tpot"), r.get("tpot_plan"))
	})
}

func checkLess() error {
	return first(
		asked("plan-check", "v=1&more=-1", fewSeeds(), func(r *run) { r.in("broken", 0, 0) }),
		asked("plan-check", "v=1&more=-2", fewSeeds(), func(r *run) { r.in("broken", 1, 3) }))
}

func dayChat() error {
	const day = "v=1&yours=4&day=played&runs=2"
	return first(
		asked("plan-day", day+"&fails=0", fewSeeds()[:2], func(r *run) { r.in("kept_averages", 24, 24); r.in("kept_peak", 24, 24) }),
		asked("plan-day", day, fewSeeds()[:2], func(r *run) {
			r.in("kept_averages", 12, 22)
			r.in("within_averages", 50, 90)
			r.in("kept_peak", 23, 23)
			r.in("kept_spare", 23, 23)
			r.in("lost_peak", 1, 100)
		}))
}

func dayAgents() error {
	return asked("plan-day", "v=1&yours=4&day=played&fleet=agents", fewSeeds(), func(r *run) {
		r.hold(r.get("kept_spare") > 2*r.get("kept_peak"), "%v hours and %v", r.get("kept_spare"), r.get("kept_peak"))
	})
}

func checkSmall() error {
	want := map[string][2]int{"agents": {10, 12}, "code-completion": {8, 10}}
	kept := map[string]int{"agents": 1, "code-completion": 4}
	for _, r := range tables.PlanRuns() {
		least, most := r.FewestRange()
		runs, ok := kept[r.Preset]
		if !ok {
			runs = 5
		}
		if r.Runs != 5 || r.Kept != runs || (r.Outcome == "broken") != (r.Preset == "agents") {
			return fmt.Errorf("%s: %d of %d runs keep every promise, which is %s", r.Preset, r.Kept, r.Runs, r.Outcome)
		}
		if x, ok := want[r.Preset]; ok {
			if least != x[0] || most != x[1] || r.GPUs != 8 {
				return fmt.Errorf("%s: %d to %d GPUs, planned %d", r.Preset, least, most, r.GPUs)
			}
			continue
		}
		if least == 0 || most > r.GPUs {
			return fmt.Errorf("%s: %d to %d GPUs, planned %d", r.Preset, least, most, r.GPUs)
		}
	}
	return nil
}

func checkAgents() error {
	for _, r := range tables.PlanRuns() {
		if r.Preset != "agents" {
			continue
		}
		parts := map[string]float64{}
		for _, p := range r.Rows[0].Parts {
			parts[p.Cause] = math.Abs(p.Adds)
		}
		for cause, size := range parts {
			if cause != "lengths" && cause != "memory" && size >= min(parts["lengths"], parts["memory"]) {
				return fmt.Errorf("%s adds %v s a token, lengths %v, memory %v", cause, size, parts["lengths"], parts["memory"])
			}
		}
		return within("capacity-planner", agentPlan, "seats", 25, 35)
	}
	return fmt.Errorf("the agents' plan was not simulated")
}

func checkRanking() error {
	all, choices := tables.PlanAgreement(false), tables.PlanAgreement(true)
	rag := false
	for _, r := range tables.PlanRuns() {
		if r.All.PlannedTop != r.All.SimulatedTop {
			rag = r.Preset == "rag-long-prompts" && r.All.PlannedTop == "weight-quant" && r.All.SimulatedTop == "gqa" && !r.All.TopWithin
		}
	}
	if !rag {
		return fmt.Errorf("it is not retrieval alone, or not these levers, or within the noise")
	}
	return first(
		between("presets", float64(all.Presets), 6, 6),
		between("first levers", float64(all.Tops), 5, 5), between("first choices", float64(choices.Tops), 6, 6),
		between("mean tau", all.MeanTau, 0.955, 0.965), between("of choices", choices.MeanTau, 0.935, 0.945),
		between("of two simulations", all.MeanSelfTau, 0.965, 0.975), between("of choices", choices.MeanSelfTau, 0.935, 0.945))
}

func taskOne() error { return within("task-cost", "v=1", "ratio", 0.95, 1.05) }

func taskAgent() error {
	return first(within("task-cost", agentTask+"&success=70", "ratio", 6, 8.5), within("task-cost", agentTask+"&success=70&cache=off", "ratio", 8.5, 11))
}

func taskLong() error {
	return within("task-cost", "v=1&turns=40&thinking=1500&success=40", "ratio", 25, 37)
}

func taskPlaces() error {
	large, err := metric("task-cost", agentTask, "attempt")
	if err != nil {
		return err
	}
	small, err := metric("task-cost", agentTask+"&model=llama-3.1-8b", "attempt")
	if err != nil {
		return err
	}
	tokens, err := metric("task-cost", "v=1", "list_output")
	if err != nil {
		return err
	}
	cheap, err := metric("task-cost", "v=1&model=llama-3.1-8b", "list_output")
	return first(err, between("token prices", tokens/cheap, 8.5, 9.5), between("attempts", large/small, 4, 5), between("break even", 0.7*small/large, 0.155, 0.165))
}

func noPlan() error {
	r, err := runAt("capacity-planner", planned+"&tpot=5")
	if err != nil {
		return err
	}
	const want = "No plan keeps a time per output token of 5 ms: one step of one sequence takes longer on 4 × H100 SXM. Nearest that can be promised: 9.97 ms."
	if got := r.task.Summary().String(); got != want {
		return fmt.Errorf("the planner says %q", got)
	}
	return nil
}

func benchRate() error {
	return sized(planned, func(r *run) {
		r.hold(!apart(r.get("bench_rate"), 0.7/r.get("replica_seconds"), 1e-3), "another load")
	})
}
