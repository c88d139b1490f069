package reading

import (
	"strings"

	"openloop/content/demo/text"
	"openloop/sim/scrape"
)

// Values in words. What comes from a bucket is written with its bounds: where
// in the bucket it lies is a convention.

// inUnit is a number of a quantity with its unit.
func inUnit(id scrape.ID, x float64) string {
	switch unit := id.Describe().Unit; unit {
	case "":
		switch id {
		case scrape.Imbalance:
			if x == 1 {
				return "even"
			}
			return text.Num(x, 3) + " times the mean"
		case scrape.PreemptionsPerCompleted:
			return text.Num(x, 3)
		}
		return text.Percent(x, 3)
	case "s":
		return text.Seconds(x)
	case "1/s":
		return text.Num(x, 3) + "/s"
	case "tokens/s":
		return text.Num(x, 4) + " tokens/s"
	case "count":
		return text.Num(x, 0)
	default:
		return text.WithUnit(text.Num(x, 4), unit)
	}
}

// inWords is a value as far as it is known; "" if it is not.
func inWords(id scrape.ID, v scrape.Value) string {
	switch {
	case !v.Known:
		return ""
	case v.AtLeast():
		return "more than " + inUnit(id, v.Low)
	case v.Low == v.High:
		return inUnit(id, v.Value)
	case v.Low == 0:
		return "at most " + inUnit(id, v.High)
	}
	return inUnit(id, v.Low) + " to " + inUnit(id, v.High)
}

// cell is a value in a table of values.
func cell(id scrape.ID, v, count scrape.Value) string {
	if out := inWords(id, v); out != "" {
		return out
	}
	if id == scrape.Preempts && count.Known { // the time is not known; how many is
		return text.Num(count.Value, 0) + " in all"
	}
	return "not known"
}

// about is where a value is from, what span it covers, and what to know before
// using it.
func about(v scrape.Value) string {
	parts := []string{v.From}
	if v.From == "" {
		parts = nil
	}
	parts = append(parts, v.Covers.String())
	if old := modern(v.From); old != "" {
		parts = append(parts, old)
	}
	return strings.Join(append(parts, v.Doubts.Words()...), "; ")
}

// olds are names of former versions, and what they are called now.
var olds = [...][2]string{
	{"vllm:gpu_cache_usage_perc", "vllm:kv_cache_usage_perc"},
	{"vllm:gpu_prefix_cache_hits_total", "vllm:prefix_cache_hits_total"},
	{"vllm:time_per_output_token_seconds", "vllm:inter_token_latency_seconds"},
	{"vllm:spec_decode_num_emitted_tokens_total", "vllm:spec_decode_num_accepted_tokens_total and vllm:spec_decode_num_drafts_total"},
	{"sglang:time_per_output_token_seconds", "sglang:inter_token_latency_seconds"},
}

// modern says that a name is an old one.
func modern(from string) string {
	for _, o := range olds {
		if strings.HasPrefix(from, o[0]) {
			return "an old name, now " + o[1]
		}
	}
	return ""
}

// source is what was read: "two scrapes of vLLM, 60 s apart".
func source(r *scrape.Reading) string {
	switch r.Source {
	case scrape.OneScrape:
		return "one scrape of " + r.Engine.String()
	case scrape.TwoScrapes:
		if r.Seconds.Known {
			return "two scrapes of " + r.Engine.String() + ", " + text.Num(r.Seconds.Value, 4) + " s apart"
		}
		return "two scrapes of " + r.Engine.String() + ", no telling how far apart"
	}
	if r.Seconds.Known {
		return "a log of " + r.Engine.String() + ", " + text.Num(r.Seconds.Value, 4) + " s from the first to the last line"
	}
	return "lines of a log of " + r.Engine.String()
}

// upper begins a sentence.
func upper(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}

// name is what somebody else called a thing, as it can be shown: it came with
// the text and may hold anything.
func name(s string) string {
	const most = 60
	q := text.Quote(s, most)
	if inner := q[1 : len(q)-1]; inner == s {
		return s
	}
	return q
}
