package command

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProblems(t *testing.T) {
	for in, want := range map[string][]Problem{
		"vllm bench serve --request-rat 3":                                            nil, // argparse takes a part of a name
		"vllm bench serve --request-rate 3 --speed 4":                                 {{UnknownFlag, "--speed", "", ""}},
		"vllm bench serve --random-input-len 3 --random 3":                            {{UnknownFlag, "--random", "", ""}}, // the part of several
		"aiperf profile --request-rat 3":                                              {{UnknownFlag, "--request-rat", "", ""}},
		"aiperf profile --concurrency":                                                {{BadValue, "--concurrency", "", "it takes a value"}},
		"vllm bench serve --request-rate fast":                                        {{BadValue, "--request-rate", "fast", "it is not a number"}},
		"vllm bench serve --request-rate -3":                                          {{BadValue, "--request-rate", "-3", "it takes a number above 0, or inf"}},
		"vllm bench serve --max-concurrency 0":                                        {{BadValue, "--max-concurrency", "0", "it takes a whole number, 1 or more"}},
		"vllm bench serve --num-prompts 1.5":                                          {{BadValue, "--num-prompts", "1.5", "it takes a whole number, 1 or more"}},
		"vllm bench serve --request-rate ${RATE}":                                     {{Variable, "--request-rate", "${RATE}", ""}},
		"vllm bench serve --burstiness 2":                                             {{NoEffect, "--burstiness", "2", "without a rate there are no gaps"}},
		"vllm bench serve --ignore-eos":                                               {{NoEffect, "--ignore-eos", "", "with random prompts it is on already, so every answer has the length asked for"}},
		"vllm bench serve --request-rate 1 --request-rate 2":                          {{NoEffect, "--request-rate", "", "it is given twice; the last one counts"}},
		"vllm bench serve --ramp-up-strategy linear":                                  {{Contradiction, "--ramp-up-strategy", "", "it needs --ramp-up-start-rps and --ramp-up-end-rps"}},
		"vllm bench serve --dataset-name random --dataset-path x":                     {{Contradiction, "--dataset-path", "x", "a random data set has no file; name the one that reads it, such as sharegpt, custom or hf"}},
		"vllm bench serve --goodput itl:5 ttft:300":                                   {{BadValue, "--goodput", "itl:5", "it takes limits of ttft, tpot and e2el, in milliseconds, such as ttft:500"}},
		"aiperf profile --request-rate 3 --user-centric-rate 2":                       {{Contradiction, "--user-centric-rate", "", "it goes with neither --request-rate nor --arrival-pattern"}, {Contradiction, "--user-centric-rate", "", "it needs --num-users"}},
		"aiperf profile --request-rate 3 --arrival-smoothness 2":                      {{Contradiction, "--arrival-smoothness", "2", "it goes with --arrival-pattern gamma only"}},
		"aiperf profile --request-count 3 --num-sessions 3":                           {{Contradiction, "--request-count", "", "it and --num-sessions both say when to stop; give one"}},
		"aiperf profile --prefill-concurrency 3":                                      {{Contradiction, "--prefill-concurrency", "3", "it needs --streaming"}},
		"genai-perf profile --request-rate 3 --concurrency 4":                         {{Contradiction, "--request-rate", "3", "it or --concurrency; its successor AIPerf takes both"}},
		"guidellm benchmark --profile synchronous --rate 3":                           {{Contradiction, "--rate", "3", "one request at a time has no rate"}},
		"guidellm benchmark --profile poisson":                                        {{Contradiction, "--profile", "poisson", "a Poisson process needs --rate"}},
		"guidellm benchmark --profile poisson --rate 3,x":                             {{BadValue, "--rate", "x", "it takes numbers above 0"}},
		"guidellm benchmark --profile walk":                                           {{BadValue, "--profile", "walk", "it is synchronous, concurrent, throughput, constant, poisson or sweep"}},
		"python -m sglang.bench_serving --random-range-ratio 2 --dataset-name random": {{BadValue, "--random-range-ratio", "2", "it is from 0 to 1"}},
		"vllm bench serve --model 'm":                                                 {{Quoting, "", "", "the rest of the text is one word"}},
		"*.Server.target_qps = many":                                                  {{BadValue, "target_qps", "many", "it takes a number above 0"}},
		"*.Server.min_duration = 60000":                                               {{Contradiction, "target_qps", "", "the scenario needs it"}},
	} {
		assert.Equal(t, want, Read(in).Problems, in)
	}
}

// What no tool is named in gets a sentence, never a guess.
func TestGarbage(t *testing.T) {
	for in, want := range map[string]string{
		"":                        "There is no command in it.",
		" \n\t# a comment\n":      "There is no command in it.",
		"vllm serve meta-llama":   "It names no load generator that is known here.",
		"lorem ipsum":             "It names no load generator that is known here.",
		"<script>alert(1)":        "It names no load generator that is known here.",
		"curl -X POST http://x/v": "It names no load generator that is known here.",
	} {
		r := Read(in)
		assert.Contains(t, r.Why, want, in)
		assert.Empty(t, r.Tool)
		assert.Empty(t, r.Runs)
	}
	assert.Contains(t, Read("x").Why, "aiperf profile, genai-perf profile, guidellm benchmark")
}

// What the defaults leave out is said, and no longer once it is asked for.
func TestSilence(t *testing.T) {
	has := func(in, what string) bool { return strings.Contains(strings.Join(Read(in).Silent, "\n"), what) }
	for _, c := range []struct{ what, without, with string }{
		{"end-to-end latency", "vllm bench serve", "vllm bench serve --percentile-metrics ttft,e2el"},
		{"how long requests waited in the client", "vllm bench serve --max-concurrency 4", "vllm bench serve --max-concurrency 4 --percentile-metrics ttft,client_queue_time"},
		{"any promise", "vllm bench serve", "vllm bench serve --goodput ttft:300"},
		{"without --save-result", "vllm bench serve", "vllm bench serve --save-result"},
		{"without --streaming", "aiperf profile", "aiperf profile --streaming"},
		{"without --goodput", "aiperf profile", "aiperf profile --goodput request_latency:3"},
		{"without a stream", "python -m sglang.bench_serving --disable-stream", "python -m sglang.bench_serving"},
	} {
		assert.True(t, has(c.without, c.what), "%s: %s", c.without, c.what)
		assert.False(t, has(c.with, c.what), "%s: %s", c.with, c.what)
	}
	assert.Equal(t, []string{"ttft:300", "tpot:20"}, Read("vllm bench serve --goodput ttft:300 tpot:20").Limits)
	assert.NotContains(t, Read("vllm bench serve").Reports, e2e)
	assert.Contains(t, Read("python -m sglang.bench_serving").Reports, e2e)
}

// Every flag of a tool is found by its name, and names are not twice.
func TestFlagTables(t *testing.T) {
	for _, tool := range tools() {
		seen := map[string]bool{}
		for entry := range strings.FieldsSeq(tool.flags) {
			entry = strings.TrimRight(entry, "=*")
			for name := range strings.SplitSeq(entry, ",") {
				require.Regexp(t, `^--?[a-zA-Z][a-z0-9_-]*$`, name, tool.name)
				require.False(t, seen[name], "%s has %s twice", tool.name, name)
				seen[name] = true
				if strings.Contains(name, "_") {
					continue // typed with - by everybody's code here
				}
				_, _, ok := tool.flag(name)
				require.True(t, ok, "%s %s", tool.name, name)
			}
		}
	}
}

func TestWords(t *testing.T) {
	for in, want := range map[string][][]string{
		`a "b c" 'd "e' f\ g`: {{"a", "b c", `d "e`, "f g"}},
		`a "b\"c\$d\e"`:       {{"a", `b"c$d\e`}},
		"a \"b\\\nc\"":        {{"a", "bc"}},
		`a ""`:                {{"a", ""}},
		"a # b\nc":            {{"a"}, {"c"}},
		"a#b":                 {{"a#b"}},
		"a;b&&c||d|e&":        {{"a"}, {"b"}, {"c"}, {"d"}, {"e"}},
		"a > out 2>&1 b <in":  {{"a", "b"}},
		"a \\\r\n b":          {{"a", "b"}},
		"a\n\n  --b 1\nc":     {{"a", "--b", "1"}, {"c"}},
		"a \\":                {{"a"}},
		"“a b”":               {{"a b"}},
		"x −−y –z 3−4":        {{"x", "--y", "--z", "3−4"}},
	} {
		got, open := split(in)
		assert.Equal(t, want, got, in)
		assert.False(t, open, in)
	}
	_, open := split(`a "b`)
	assert.True(t, open)
}

// A hundred made-up prompts are sent again as soon as there are more requests.
func TestRepeatedPrompts(t *testing.T) {
	for in, want := range map[string]bool{
		"aiperf profile --request-rate 3 --request-count 300":                                true,
		"aiperf profile --request-rate 3 --request-count 300 --num-dataset-entries 330":      false,
		"aiperf profile --request-rate 3 --request-count 100":                                false,
		"aiperf profile --request-rate 3 --benchmark-duration 60":                            true,
		"genai-perf profile --request-rate 3 --request-count 300":                            true,
		"genai-perf profile --request-rate 3 --request-count 300 --num-prompts 330":          false,
		"genai-perf profile --request-rate 3 --request-count 300 --input-file prompts.jsonl": false,
	} {
		said := false
		for _, d := range Read(in).Defaults {
			said = said || d.Flag == "--num-dataset-entries" && d.Value == "100"
		}
		assert.Equal(t, want, said, in)
	}
}

// Whatever is pasted, something is said, and it can be printed.
func FuzzRead(f *testing.F) {
	for _, c := range loops {
		f.Add(c.in)
	}
	f.Add("vllm bench serve --goodput --metadata a=b -- --x \\")
	f.Add("*.Server.target_qps=\xff\n.Server.\n=")
	f.Fuzz(func(t *testing.T, in string) {
		r := Read(in)
		require.True(t, r.Why != "" && r.Tool == "" || r.Why == "" && r.Tool != "" && len(r.Runs) >= 0)
		require.GreaterOrEqual(t, r.Requests, 0)
		require.False(t, r.Seconds < 0 || r.Seconds != r.Seconds)
		require.LessOrEqual(t, len(r.Runs), 3)
		for _, run := range r.Runs {
			require.False(t, run.Rate != run.Rate || run.Clients < 0, "%+v", run)
			if run.Loop == Open || run.Loop == Throttled {
				require.True(t, run.Rate > 0 || len(r.Problems) > 0, "%+v", r)
			}
		}
		for _, s := range append(append([]string{r.Why, r.Tool, r.For}, r.Reports...), r.Silent...) {
			require.True(t, utf8.ValidString(s) || !utf8.ValidString(in))
		}
	})
}
