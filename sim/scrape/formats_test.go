package scrape

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSampleLine(t *testing.T) {
	for line, want := range map[string]Sample{
		`vllm:num_requests_running 3.0`:                            {Name: "vllm:num_requests_running", Value: 3},
		`vllm_num_requests_running{engine="0"} 1.234567e+06`:       {Name: "vllm:num_requests_running", Value: 1234567, Labels: []Label{{"engine", "0"}}},
		`sglang_token_usage{ b="2" , a="1", } .5 1788000000123`:    {Name: "sglang:token_usage", Value: .5, At: 1788000000.123, Labels: []Label{{"a", "1"}, {"b", "2"}}},
		`vllm:x_bucket{le="+Inf"} 7 1788000000.5 # {id="a"} 0.1 1`: {Name: "vllm:x_bucket", Value: 7, At: 1788000000.5, Labels: []Label{{"le", "+Inf"}}},
		`vllm:x{m="a\"b\\c\nd\qe},="}` + "\t1":                     {Name: "vllm:x", Value: 1, Labels: []Label{{"m", "a\"b\\c\nd\\qe},="}}},
	} {
		got, at, legal := parseSample(line)
		require.Empty(t, legal, "%s: %s", line, at)
		got.rest, got.le, got.isLE = "", 0, false
		assert.Equal(t, want, got, line)
	}
	for line, want := range map[string]string{
		`vllm:`:                        "a space or {",
		`vllm:x`:                       "a space or {",
		`vllm:x abc`:                   "a number",
		`vllm:x{a="1"`:                 ", or } after a label",
		`vllm:x{a="1`:                  "double quotes",
		`vllm:x{a="1\`:                 "double quotes",
		`vllm:x{a=1} 2`:                "double quotes",
		`vllm:x{a} 2`:                  "= after a label name",
		`vllm:x{1="a"} 2`:              "a label name or }",
		`vllm:x{a="1",a="2"} 2`:        "each label once",
		`vllm:x{a="1"} 2 soon`:         "a time stamp",
		`vllm:x{a="1"} 2 1788000000 3`: "nothing after",
		`vllm:x_bucket{le="wide"} 2`:   "a number as label le",
		`{a="1"} 2`:                    "a metric name",
		`vllm:x{` + strings.Repeat(`a="1",`, MaxLabels+1) + `} 2`: "at most 64 labels",
	} {
		_, _, legal := parseSample(line)
		assert.Contains(t, legal, want, line)
	}
}

// TestEveryLineIsCounted: garbage among good lines is counted and listed with
// its number; the good lines are read.
func TestEveryLineIsCounted(t *testing.T) {
	text := strings.Join([]string{
		"HTTP/1.1 200 OK",
		"date: Mon, 30 Nov 2026 04:24:11 GMT",
		"content-type: text/plain",
		"",
		"# HELP vllm:num_requests_waiting Waiting.",
		"# TYPE vllm:num_requests_waiting gauge",
		"vllm:num_requests_waiting{engine=\"0\"} 4.0\r",
		"# TYPE vllm:num_requests_running shape",
		"vllm:num_requests_running{engine=\"0\" 5.0",
		"node_load1 0.5",
		"Sehr geehrte Damen und Herren",
		"\x1b[32mINFO\x1b[0m 05-06 06:11:23 [api.py:1] Started server",
		strings.Repeat("a", MaxLineBytes+1),
		"SpecDecoding metrics: nothing to see",
		"<html>",
	}, "\n") + "\n"
	p, err := Parse(text)
	require.NoError(t, err)
	assert.Equal(t, 15, p.Lines)
	assert.Equal(t, []int{1, 2, 1, 1, 0, 1, 3, 6}, []int{p.Blank, p.Comments, p.Own, p.Other, p.Figures, p.Plain, p.Headers, p.NotUnderstood})
	var lines []int
	for _, q := range p.Problems {
		lines = append(lines, q.Line)
		assert.NotEmpty(t, q.Legal)
		assert.LessOrEqual(t, len(q.Was), 64)
	}
	assert.Equal(t, []int{8, 9, 11, 13, 14, 15}, lines)
	assert.Equal(t, `line 9: "5.0"; legal: , or } after a label`, p.Problems[1].String())
	assert.Equal(t, []float64{1796012651}, p.At)
}

func TestErrors(t *testing.T) {
	const one = "vllm:num_requests_running 1.0\n"
	for name, c := range map[string]struct {
		in   Input
		want string
	}{
		"empty":         {Input{}, "text is empty; legal: one or two scrapes"},
		"prose":         {Input{First: "hello\nworld"}, `2 lines without a series or a log figure of vLLM or SGLang (line 1: "hello"`},
		"other only":    {Input{First: "node_load1 0.5\n"}, "1 lines without a series"},
		"three scrapes": {Input{First: one + one, Second: one}, "3 scrapes; legal: one or two"},
		"no pair":       {Input{First: one, Second: "vllm:num_requests_waiting 1.0\n"}, "without any series of the first"},
		"two engines":   {Input{First: one, Second: "sglang:num_running_reqs 1.0\n"}, "without any series of the first"},
		"swapped": {Input{
			First:  "process_start_time_seconds 5.0\nvllm:generation_tokens_total 9.0\n",
			Second: "process_start_time_seconds 5.0\nvllm:generation_tokens_total 7.0\n",
		}, "older than the first"},
		"older process": {Input{First: "process_start_time_seconds 5.0\n" + one, Second: "process_start_time_seconds 4.0\n" + one}, "older than the first"},
		"seconds":       {Input{First: one, Second: one, Seconds: -1}, "seconds is -1; legal: above 0"},
		"bytes":         {Input{First: strings.Repeat("x", MaxBytes+1)}, "8388609 bytes; legal: at most 8388608"},
		"lines":         {Input{First: strings.Repeat("\n", MaxLines+1)}, "line 200001: 200001 lines; legal: at most 200000"},
		"log lines":     {Input{First: strings.Repeat("Decode batch. #queue-req: 1\n", MaxFigures+1)}, "20001 log lines with figures"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(c.in)
			require.ErrorContains(t, err, c.want)
			switch err.(type) {
			case *InputError, *LimitError:
			default:
				t.Errorf("%T is neither *InputError nor *LimitError", err)
			}
		})
	}
}

// TestSecondsOfTheText: what the text says of time is used if the reader says
// nothing.
func TestSecondsOfTheText(t *testing.T) {
	const a, b = "vllm:generation_tokens_total 100.0\n", "vllm:generation_tokens_total 400.0\n"
	for name, c := range map[string]struct {
		in   Input
		want float64
		from string
	}{
		"said":    {Input{First: a, Second: b, Seconds: 30}, 30, "the reader"},
		"headers": {Input{First: "date: Mon, 30 Nov 2026 04:24:11 GMT\n" + a, Second: "< Date: Mon, 30 Nov 2026 04:25:11 GMT\n" + b}, 60, "instants in the text"},
		"lines":   {Input{First: "2026-11-30T23:59:50Z\n" + a + "2026-12-01 01:00:20+01:00\n" + b}, 30, "instants in the text"},
		"command": {Input{First: "Mon Nov 30 04:24:11 UTC 2026\n" + a, Second: "Tue Dec  1 04:24:11 UTC 2026\n" + b}, 86400, "instants in the text"},
		"unix":    {Input{First: "1788000000\n" + a, Second: "1788000012\n" + b}, 12, "instants in the text"},
		"samples": {Input{First: "vllm:generation_tokens_total 100.0 1788000000000\n", Second: "vllm:generation_tokens_total 400.0 1788000015000\n"}, 15, "time stamps of samples"},
		"adapters": {Input{First: a + "vllm:lora_requests_info{max_lora=\"1\"} 1.788000000e+09\n",
			Second: b + "vllm:lora_requests_info{max_lora=\"1\"} 1.788000020e+09\n"}, 20, "vllm:lora_requests_info"},
	} {
		report, err := Read(c.in)
		require.NoError(t, err, name)
		r := report.Readings[0]
		assert.Equal(t, c.want, r.Seconds.Value, name)
		assert.Equal(t, c.from, r.Seconds.From, name)
		assert.Equal(t, 300/c.want, r.Now[GenerationRate].Value, name)
	}
	report, err := Read(Input{First: a, Second: b})
	require.NoError(t, err)
	assert.Equal(t, NeedsSeconds, report.Readings[0].Now[GenerationRate].Why)
}

// TestCutText: the number that a text ends in may have lost digits; a counter
// that seems to fall by it would look like a restart.
func TestCutText(t *testing.T) {
	const a = "vllm:num_requests_running 1.0\nvllm:generation_tokens_total 4000.0\n"
	report, err := Read(Input{First: a, Second: "vllm:num_requests_running 2.0\nvllm:generation_tokens_total 40", Seconds: 9})
	require.NoError(t, err)
	assert.False(t, report.Readings[0].Restart.Seen)
	assert.Equal(t, NotInBoth, report.Readings[0].Now[GenerationRate].Why)
	assert.Equal(t, 1, report.Pastes[1].NotUnderstood)
	assert.Contains(t, report.Pastes[1].Problems[0].Legal, "seems to end inside it")
}

func TestRanksModelsPriorities(t *testing.T) {
	text := `
sglang:num_running_reqs{dp_rank="0",model_name="m",tp_rank="0"} 4.0
sglang:num_running_reqs{dp_rank="0",model_name="m",tp_rank="1"} 4.0
sglang:num_running_reqs{dp_rank="1",model_name="m",tp_rank="10"} 2.0
sglang:num_running_reqs{dp_rank="1",model_name="m",tp_rank="9"} 2.0
sglang:num_queue_reqs{dp_rank="0",model_name="m",priority=""} 7.0
sglang:num_queue_reqs{dp_rank="0",model_name="m",priority="1"} 3.0
sglang:num_queue_reqs{dp_rank="0",model_name="m",priority="2"} 4.0
sglang:num_queue_reqs{dp_rank="1",model_name="m",priority="1"} 1.0
sglang:num_queue_reqs{dp_rank="1",model_name="m",priority="2"} 1.0
sglang:num_grammar_queue_reqs{dp_rank="1",model_name="m"} 5.0
sglang:token_usage{dp_rank="0",model_name="m"} 0.5
sglang:token_usage{dp_rank="1",model_name="m"} 0.9
sglang:num_running_reqs{model_name="other"} 1.0
`
	report, err := Read(Input{First: text})
	require.NoError(t, err)
	require.Len(t, report.Readings, 2, "a reading a model")
	r := report.Readings[0]
	assert.Equal(t, "m", r.Model)
	assert.Equal(t, 6.0, r.Now[Running].Value, "tensor-parallel ranks repeat each other")
	assert.Equal(t, 14.0, r.Now[Queue].Value, "the total of the priorities where it is there, their sum elsewhere, and grammars")
	assert.Equal(t, 0.9, r.Now[KV].Value)
	assert.InDelta(t, 0.7, r.Now[KVMean].Value, 1e-12)
	assert.Equal(t, 2.0, r.Now[Replicas].Value)
	assert.InDelta(t, 1.1, r.Now[Imbalance].Value, 1e-12)
	assert.Equal(t, []string{"DP0", "DP1"}, []string{r.Replicas[0].Name, r.Replicas[1].Name})
	assert.Equal(t, 9.0, r.Replicas[1].Now[Queue].Value+r.Replicas[1].Now[Running].Value)
	assert.Equal(t, 1.0, report.Readings[1].Now[Running].Value)
	assert.Equal(t, NotExposed, report.Readings[1].Now[Queue].Why)
	assert.Equal(t, 4, report.Pastes[0].Pages[0].Dropped)
}

// TestEngineCountersAppear: SGLang makes a counter at its first event; vLLM
// has it from the start, so there a text was cut.
func TestEngineCountersAppear(t *testing.T) {
	sg := "sglang:num_running_reqs 1.0\n"
	report, err := Read(Input{First: sg, Second: sg + "sglang:num_retracted_requests_total 3.0\n", Seconds: 10})
	require.NoError(t, err)
	v := report.Readings[0].Now[Preempts]
	assert.Equal(t, 0.3, v.Value)
	assert.Equal(t, Appeared|FewEvents, v.Doubts)
	vl := "vllm:num_requests_running 1.0\n"
	report, err = Read(Input{First: vl, Second: vl + "vllm:num_preemptions_total 3.0\n", Seconds: 10})
	require.NoError(t, err)
	assert.Equal(t, NotInBoth, report.Readings[0].Now[Preempts].Why)
	report, err = Read(Input{First: vl + "vllm:num_preemptions_total 3.0\n", Second: vl, Seconds: 10})
	require.NoError(t, err)
	assert.Equal(t, NotInBoth, report.Readings[0].Now[Preempts].Why)
}
