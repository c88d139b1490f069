package scrape

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wrote is a line of vLLM at a second of a minute, with how many run.
func wrote(front string, second, running int) string { return wroteAt(front, 60+second, running) }

// wroteAt is one at a second of an hour.
func wroteAt(front string, second, running int) string {
	return fmt.Sprintf("%sINFO 11-30 03:%02d:%02d [loggers.py:271] %s", front, second/60, second%60, strings.Replace(stats, "Running: 3", fmt.Sprintf("Running: %d", running), 1))
}

func interleaved(a, b string, later int) (lines []string) {
	for s := 0; s < 50; s += 10 {
		lines = append(lines, wrote(a, s, 10), wrote(b, s+later, 100))
	}
	return lines
}

// TestProcesses: lines of several processes are replicas where something tells
// them apart, whether they write at the same instants or not. Nothing is lost:
// the running of all add up, and a rate is the sum of theirs.
func TestProcesses(t *testing.T) {
	first, second := interleaved("", "", 3), []string(nil)
	for i := 0; i < len(first); i++ {
		second = append(second, first[i])
		first = append(first[:i], first[i+1:]...)
	}
	for name, c := range map[string]struct {
		lines []string
		names []string
	}{
		"kubectl":                {interleaved("[pod/vllm-0/server] ", "[pod/vllm-1/server] ", 0), []string{"vllm-0", "vllm-1"}},
		"kubectl with stamps":    {interleaved("[pod/vllm-0/server] 2026-05-06T04:11:23.123Z ", "[pod/vllm-1/server] 2026-05-06T04:11:23.123Z ", 4), []string{"vllm-0", "vllm-1"}},
		"containers of a pod":    {interleaved("[pod/vllm-0/a] ", "[pod/vllm-0/b] ", 0), []string{"vllm-0/a", "vllm-0/b"}},
		"compose":                {interleaved("vllm-1  | ", "vllm-2  | ", 3), []string{"vllm-1", "vllm-2"}},
		"two on one host":        {interleaved("(APIServer pid=12) ", "(APIServer pid=345) ", 3), []string{"process 12", "process 345"}},
		"one file after another": {append(first, second...), []string{"part 1", "part 2"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := readOne(t, c.lines...)
			assert.Equal(t, SideBySide, r.Mix)
			assert.Equal(t, c.names, r.Processes)
			require.Len(t, r.Replicas, 2)
			assert.Equal(t, c.names, []string{r.Replicas[0].Name, r.Replicas[1].Name})
			assert.ElementsMatch(t, []float64{10, 100}, []float64{r.Replicas[0].Now[Running].Value, r.Replicas[1].Now[Running].Value})
			assert.Equal(t, []float64{110, 8, 40}, []float64{r.Now[Running].Value, r.Now[Queue].Value, r.Now[GenerationRate].Value})
			assert.Len(t, r.Windows(), 5, "a window a round, whenever each of them writes in it")
		})
	}
}

// TestProcessesWithEngines: an engine number tells apart inside of a process.
func TestProcessesWithEngines(t *testing.T) {
	var lines []string
	for _, l := range interleaved("[pod/a/s] ", "[pod/b/s] ", 0) {
		lines = append(lines, l, strings.Replace(l, "Engine 000", "Engine 001", 1))
	}
	r := readOne(t, lines...)
	require.Len(t, r.Replicas, 4)
	assert.Equal(t, "b, engine 1", r.Replicas[3].Name)
	assert.Equal(t, 220.0, r.Now[Running].Value)
}

// TestProcessesOfSGLang: tensor-parallel ranks repeat each other within a
// process only.
func TestProcessesOfSGLang(t *testing.T) {
	line := func(pod, clock, tp, running string) string {
		return "[pod/" + pod + "/sglang] [2026-09-13 16:06:" + clock + " TP" + tp + "] Decode batch, #running-req: " + running + ", #token: 10, token usage: 0.10, gen throughput (token/s): 5.00, #queue-req: 1"
	}
	r := readOne(t, line("a", "01", "0", "4"), line("a", "01", "1", "4"), line("b", "01", "0", "7"), line("b", "01", "1", "7"), line("a", "02", "0", "5"), line("b", "02", "0", "8"))
	assert.Equal(t, SideBySide, r.Mix)
	assert.Equal(t, []float64{13, 2}, []float64{r.Now[Running].Value, r.Now[Replicas].Value})
}

// TestOneAfterAnother: processes that follow each other are one server.
func TestOneAfterAnother(t *testing.T) {
	r := readOne(t, wrote("(APIServer pid=1) ", 0, 5), wrote("(APIServer pid=1) ", 10, 6), wrote("(APIServer pid=9) ", 20, 7), wrote("(APIServer pid=9) ", 30, 8))
	assert.Equal(t, InTurn, r.Mix)
	assert.Equal(t, []string{"process 1", "process 9"}, r.Processes)
	assert.Empty(t, r.Replicas)
	assert.Equal(t, 8.0, r.Now[Running].Value)
}

// TestNotSeveral: what one process can write is not taken for two.
func TestNotSeveral(t *testing.T) {
	var forward, backward, twice []string
	for s := 0; s < 50; s += 10 {
		forward = append(forward, wrote("vllm-1  | ", s, s))
		backward = append([]string{wrote("", s, s)}, backward...)
		twice = append(twice, wrote("", s, s), wrote("", s, s))
	}
	rotated := append(append([]string{}, wrote("", 30, 3), wrote("", 40, 4), wrote("", 50, 5)), wrote("", 0, 0), wrote("", 10, 1), wrote("", 20, 2))
	for name, lines := range map[string][]string{"one prefix": forward, "newest first": backward, "every line twice": twice, "rotated files": rotated} {
		r := readOne(t, lines...)
		assert.Equal(t, OneProcess, r.Mix, name)
		assert.Empty(t, r.Processes, name)
		assert.Empty(t, r.Replicas, name)
	}
}

// TestInseparable: one engine that says two things at one instant is two.
func TestInseparable(t *testing.T) {
	r := readOne(t, interleaved("", "", 0)...)
	assert.Equal(t, Inseparable, r.Mix)
	assert.Empty(t, r.Processes)
}

// TestTwoEngines: each engine of a text has a reading, in the order in which
// they begin, and no line is in neither.
func TestTwoEngines(t *testing.T) {
	vllm := []string{wrote("", 0, 3), wrote("", 10, 4)}
	sglang := []string{
		"[2026-09-13 16:06:01] Decode batch, #running-req: 7, #token: 10, token usage: 0.10, gen throughput (token/s): 5.00, #queue-req: 1",
		"[2026-09-13 16:06:05] Retract requests. #retracted_reqs: 2, #new_token_ratio: 0.1 -> 0.3",
		"[2026-09-13 16:06:09] Decode batch, #running-req: 8, #token: 10, token usage: 0.10, gen throughput (token/s): 5.00, #queue-req: 1",
	}
	for _, c := range []struct {
		lines   []string
		engines [2]Engine
	}{{append(append([]string{}, vllm...), sglang...), [2]Engine{VLLM, SGLang}}, {append(append([]string{}, sglang...), vllm...), [2]Engine{SGLang, VLLM}}} {
		report, err := Read(Input{First: strings.Join(c.lines, "\n")})
		require.NoError(t, err)
		require.Len(t, report.Readings, 2)
		lines := 0
		for i := range report.Readings {
			r := &report.Readings[i]
			consistent(t, r)
			assert.Equal(t, c.engines[i], r.Engine)
			assert.Equal(t, map[Engine]float64{VLLM: 4, SGLang: 8}[r.Engine], r.Now[Running].Value)
			lines += r.Lines
		}
		assert.Equal(t, report.Pastes[0].Figures, lines)
	}
}

// TestSameScrape: one scrape twice is read as one; two of a server at rest, with
// instants of their own, are two.
func TestSameScrape(t *testing.T) {
	page := "vllm:num_requests_running{engine=\"0\"} 3.0\nvllm:generation_tokens_total{engine=\"0\"} 70.0\n"
	for name, c := range map[string]struct {
		in   Input
		same int
	}{
		"two boxes":          {Input{First: page, Second: page}, 2},
		"seconds typed":      {Input{First: page, Second: page, Seconds: 60}, 2},
		"one box":            {Input{First: page + page}, 2},
		"the order of lines": {Input{First: page, Second: "vllm:generation_tokens_total{engine=\"0\"} 70.0\nvllm:num_requests_running{engine=\"0\"} 3.0\n"}, 2},
		"with one instant":   {Input{First: "1764471600\n" + page, Second: "1764471600\n" + page}, 2},
		"with two instants":  {Input{First: "1764471600\n" + page, Second: "1764471660\n" + page}, 0},
		"a counter moved":    {Input{First: page, Second: strings.Replace(page, "70.0", "71.0", 1)}, 0},
		"a gauge moved":      {Input{First: page, Second: strings.Replace(page, " 3.0", " 4.0", 1)}, 0},
		"no counter":         {Input{First: page[:strings.IndexByte(page, '\n')], Second: page[:strings.IndexByte(page, '\n')]}, 0},
	} {
		report, err := Read(c.in)
		require.NoError(t, err, name)
		assert.Equal(t, c.same, report.Same, name)
		want := TwoScrapes
		if c.same > 0 && c.in.Seconds == 0 {
			want = OneScrape
		}
		assert.Equal(t, want, report.Readings[0].Source, name)
	}
}
