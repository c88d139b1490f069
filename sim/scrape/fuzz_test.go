package scrape

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzRead: whatever is pasted, the answer is a reading that obeys the laws or
// a typed error, and every line is counted once.
func FuzzRead(f *testing.F) {
	folders, _ := filepath.Glob(filepath.Join("testdata", "cases", "m-*"))
	for _, dir := range folders {
		var texts []string
		for _, name := range []string{"scrape-1.txt", "scrape-2.txt", "scrape.txt", "server.log"} {
			if raw, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				texts = append(texts, string(raw))
			}
		}
		texts = append(texts, "")
		f.Add(texts[0][:min(len(texts[0]), 6000)], texts[1][:min(len(texts[1]), 6000)], 60.0)
	}
	f.Add("vllm:x{le=\"1\",a=\"\\n\"} NaN\nsglang_num_queue_reqs -1\n", "vllm:x_total{} +Inf\n", 0.0)
	f.Add("INFO 12-31 23:59:59 [a] Engine 000: Avg prompt throughput: 1e9 tokens/s, Running: -1 reqs, GPU KV cache usage: nan%", stats, 1e9)
	f.Add("[2026-09-13 16:06:07 DP1 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 1, #new_token_ratio: 0.1 -> 0.3", "Decode batch. #token: 1, token usage: 0.00", 1.0)
	f.Fuzz(func(t *testing.T, first, second string, seconds float64) {
		for _, text := range []string{first, second} {
			p, err := Parse(text)
			if err != nil {
				require.IsType(t, (*LimitError)(nil), err)
				continue
			}
			require.Equal(t, p.Lines, p.Blank+p.Comments+p.Own+p.Other+p.Figures+p.Plain+p.Headers+p.NotUnderstood)
			require.Len(t, p.Problems, min(p.NotUnderstood, MaxProblems))
		}
		report, err := Read(Input{First: first, Second: second, Seconds: seconds})
		if err != nil {
			switch err.(type) {
			case *InputError, *LimitError:
				require.NotEmpty(t, err.Error())
			default:
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		for i := range report.Readings {
			consistent(t, &report.Readings[i])
		}
	})
}

func BenchmarkRead(b *testing.B) {
	dir := filepath.Join("testdata", "cases", "m-dp-straggler")
	first, err := os.ReadFile(filepath.Join(dir, "scrape-1.txt"))
	require.NoError(b, err)
	second, err := os.ReadFile(filepath.Join(dir, "scrape-2.txt"))
	require.NoError(b, err)
	b.ReportAllocs()
	b.SetBytes(int64(len(first) + len(second)))
	for b.Loop() {
		if _, err := Read(Input{First: string(first), Second: string(second), Seconds: 60}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLargeTexts: texts at the limits are read, and one past them is a typed
// error.
func TestLargeTexts(t *testing.T) {
	var page strings.Builder
	for i := range MaxGroups {
		for _, name := range []string{"num_requests_running", "num_requests_waiting", "generation_tokens_total", "num_preemptions_total"} {
			page.WriteString("vllm:" + name + `{engine="` + strconv.Itoa(i) + `"} 1.0` + "\n")
		}
		for _, le := range []string{"0.1", "1.0", "+Inf"} {
			page.WriteString(`vllm:time_to_first_token_seconds_bucket{engine="` + strconv.Itoa(i) + `",le="` + le + `"} 2.0` + "\n")
		}
	}
	r := mustRead(t, Input{First: page.String(), Second: page.String(), Seconds: 1})
	require.Len(t, r.Replicas, MaxGroups)
	require.Equal(t, float64(MaxGroups), r.Now[Running].Value)
	require.Equal(t, "engine 255", r.Replicas[255].Name)
	_, err := Read(Input{First: page.String() + `vllm:num_requests_running{engine="x"} 1.0` + "\n"})
	require.ErrorContains(t, err, "257 replicas times models; legal: at most 256")

	var many strings.Builder
	for i := range MaxSeries {
		many.WriteString(`vllm:request_success_total{finished_reason="r` + strconv.Itoa(i) + `"} 3.0` + "\n")
	}
	r = mustRead(t, Input{First: many.String(), Second: many.String(), Seconds: 1})
	require.Zero(t, r.Now[CompletedRate].Value)
	_, err = Read(Input{First: many.String() + "vllm:more 1.0\n"})
	require.ErrorContains(t, err, "50001 series; legal: at most 50000")

	line := strings.Repeat("SpecDecoding metrics: Accepted: 1 tokens, Drafted: 2 tokens, Per-position acceptance rate: 0.5, 0.0\n", MaxFigures-1) + stats
	r = mustRead(t, Input{First: line})
	require.Equal(t, 2.0, r.Now[Accepted].Value)
}
