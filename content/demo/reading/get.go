package reading

import (
	"slices"
	"strings"

	"openloop/content/demo"
	"openloop/content/demo/text"
	"openloop/sim"
	"openloop/sim/scrape"
)

// Where to get what is missing.

// get is how to get a quantity, as a sentence. Flags: vllm serve --help (0.20)
// and docs.sglang.io, server arguments, as of 2026.
func get(id scrape.ID, r *scrape.Reading) string {
	v := r.Now[id]
	if id == scrape.Imbalance && len(r.Replicas) < 2 {
		return "If there are others, read each, or paste the text of all, told apart by the label engine, dp_rank, instance or pod."
	}
	switch v.Why {
	case scrape.Known:
		return "Keep a scrape or the log of a good hour, and paste that as the first."
	case scrape.NeedsSecond:
		return "Scrape again a minute later and paste both."
	case scrape.NeedsSeconds:
		if r.Source == scrape.LogLines {
			return "Paste lines with their time stamps."
		}
		return "Type the seconds, or have date +%s write a line before each scrape."
	case scrape.NoTraffic:
		return "Let more time pass between the two."
	case scrape.AcrossRestart:
		return "Take two scrapes of the new process."
	case scrape.NotInBoth, scrape.Unsound:
		return "Paste whole texts, of one server."
	case scrape.TurnedOff:
		return "It has to be switched on at the start of the server."
	}
	switch id {
	case scrape.RetryRate:
		return "Count repeated attempts in the client or the gateway."
	case scrape.ShedRate:
		return "Count answers 429 and 503 in the gateway, or in http_requests_total if the front end exports it."
	case scrape.GPUUtil:
		return "NVIDIA's exporter has it as DCGM_FI_DEV_GPU_UTIL. It names no failure: clocks, power and temperature may."
	case scrape.Accepted:
		if r.Source != scrape.LogLines {
			return "If drafting is off there is none; if it is on, " + exported(id, r.Engine) + " should be there."
		}
	case scrape.Preempts:
		if r.Engine == scrape.SGLang && r.Source != scrape.LogLines {
			return "SGLang makes the counter at the first retraction: absent may mean none so far."
		}
	}
	if r.Source == scrape.LogLines {
		return "Scrape /metrics twice: " + exported(id, r.Engine) + "."
	}
	if r.Engine == scrape.SGLang {
		return "Paste the whole of /metrics; older versions have fewer names."
	}
	return "Paste the whole of /metrics; older versions have fewer names, and --disable-log-stats switches them off."
}

// exported is the metric of a quantity.
func exported(id scrape.ID, engine scrape.Engine) string {
	if id < scrape.ID(sim.NumSignals) {
		for _, e := range scrape.Table() {
			if e.Signal == sim.SignalID(id) && e.Engine == engine {
				return text.List(e.Names[0], "and")
			}
		}
	}
	prefix := "vllm:"
	if engine == scrape.SGLang {
		prefix = "sglang:"
	}
	for _, n := range [...]struct {
		id     scrape.ID
		vllm   string
		sglang string
	}{
		{scrape.OfferedRate, "request_success_total", "num_requests_total"},
		{scrape.CompletedRate, "request_success_total", "num_requests_total"},
		{scrape.PromptMean, "request_prompt_tokens", "prompt_tokens_total"},
		{scrape.OutputMean, "request_generation_tokens", "generation_tokens_total"},
		{scrape.PromptRate, "prompt_tokens_total", "prompt_tokens_total"},
		{scrape.GenerationRate, "generation_tokens_total", "generation_tokens_total"},
	} {
		switch {
		case n.id == id && engine == scrape.SGLang:
			return prefix + n.sglang
		case n.id == id:
			return prefix + n.vllm
		}
	}
	return "it is there if the server exports it"
}

// The commands that give a text to paste. The guide prints them too; a test
// runs them.
const (
	cmdVLLM   = `for i in 1 2; do date +%s; curl -s http://localhost:8000/metrics; [ $i = 2 ] || sleep 60; done | grep -v '^#' > mine.txt`
	cmdSGLang = `for i in 1 2; do date +%s; curl -s http://localhost:30000/metrics; [ $i = 2 ] || sleep 60; done | grep -v '^#' > mine.txt`
	cmdLog    = `grep -E 'throughput|Spec.* metrics|KV cache size|max_total_num_tokens|preempt|Prefill batch|Retract requests' server.log | tail -n 500 > mine.txt`
)

func (t *task) getFigure() demo.Figure {
	f := demo.Figure{ID: "get", Title: "What to paste", Kind: demo.Steps, Steps: []demo.Step{
		{Key: "vllm", Name: "Two scrapes of vLLM, a minute apart", Value: "port 8000", Code: []string{cmdVLLM}},
		{Key: "sglang", Name: "Two scrapes of SGLang, a minute apart", Value: "started with --enable-metrics", Code: []string{cmdSGLang}},
		{Key: "log", Name: "The lines of a log that carry figures", Value: "either engine", Code: []string{cmdLog}},
	}}
	if !t.pasted {
		e := exampleTexts[t.example]
		lines := strings.Split(strings.TrimSuffix(e.text, "\n"), "\n")
		f.Steps = append(f.Steps, demo.Step{Key: "example", Name: "The text of the example", Value: text.Count(len(lines), "line", "lines"), Code: lines})
	}
	f.Alt = text.Whole(3) + " commands whose output can be pasted."
	f.Table = demo.Table{Caption: f.Title, Columns: []demo.Column{{Name: "What"}, {Name: "Remark"}}}
	for _, s := range f.Steps {
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(s.Name), demo.W(s.Value)})
	}
	return f
}

// flags are the settings of a reading's engine that a remedy means.
func flags(r *scrape.Reading, remedy string) string { return Flags(r.Engine, remedy) }

// Flags are the settings of an engine that a remedy means, by its ID: vLLM's
// unless it is SGLang; "" where there are none.
func Flags(engine scrape.Engine, remedy string) string {
	i := slices.IndexFunc(settings[:], func(s flagged) bool { return s.remedy == remedy })
	if i < 0 {
		return ""
	}
	if engine == scrape.SGLang {
		return settings[i].sglang
	}
	return settings[i].vllm
}

type flagged struct{ remedy, vllm, sglang string }

// settings are flags by remedy. Sources: vLLM, docs/configuration/optimization.md
// @00620f91, vllm/config/scheduler.py, pull requests 38435, 44594, 49445; SGLang,
// docs: server arguments, hyperparameter tuning.
var settings = [...]flagged{
	{"shed_or_scale", "--max-num-seqs, if KV has room; newer versions refuse beyond --max-num-queued-reqs in flight", "--max-running-requests, if KV has room; --max-queued-requests refuses at the door"},
	{"isolate_long_prompts", "--long-prefill-token-threshold, --max-long-partial-prefills", "--chunked-prefill-size; prefill servers of their own"},
	{"cap_answers", "max_tokens of the requests; max_new_tokens in --override-generation-config holds for all", "max_new_tokens of the requests"},
	{"give_blocks_back", "more KV by --gpu-memory-utilization or --kv-cache-dtype fp8; a lower --max-num-seqs ends preemptions and adds no room", "more KV by --mem-fraction-static; --schedule-conservativeness 1.3 or a lower --max-running-requests end retractions and add no room"},
	{"turn_off_or_fix_draft", "--speculative-config with fewer num_speculative_tokens, or without it", "--speculative-num-steps, or no --speculative-algorithm"},
	{"chunk_prefills", "a smaller --max-num-batched-tokens", "a smaller --chunked-prefill-size"},
	{"raise_seats", "--max-num-seqs", "--max-running-requests; --schedule-conservativeness 0.3"},
	{"restore_prefix_affinity", "routing that is sticky or aware of caches; a stable head of the prompt", "the gateway's cache-aware routing; a stable head of the prompt"},
}
