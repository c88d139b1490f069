package harness

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/harness/command"
	"openloop/content/demotest"
	"openloop/sim"
)

func TestAnswers(t *testing.T) {
	demotest.Answers(t, Demos(), map[string]int{
		"mlperf-scenarios": 2, "mlperf-scenarios&seed=1": 2, "mlperf-scenarios&seed=2": 2, "which-harness": 2, "which-harness&seed=3": 2,
	})
}

func harness(t *testing.T, command string) demo.Task {
	t.Helper()
	_, task := demotest.Run(t, demotest.Find(t, Demos(), "which-harness"), "command="+demo.Escaped(command))
	return task
}

// Loops behave as what they are called: each keeps the law of its kind on the
// simulated server.
func TestLoopsAreWhatTheyAreCalled(t *testing.T) {
	const prompts = " --random-input-len 512 --random-output-len 192 --num-prompts 600"
	get := func(task demo.Task, name string) float64 { return demotest.Metric(t, task, name) }

	open := harness(t, "vllm bench serve --request-rate 20"+prompts)
	assert.InDelta(t, 20, get(open, "rate_out"), 2, "the rate of an open loop comes out")
	assert.InDelta(t, get(open, "ttft99"), get(open, "schedule99"), 1e-12, "it has one clock")
	assert.True(t, math.IsNaN(get(open, "open99")), "it needs no other to be held against")

	closed := harness(t, "vllm bench serve --max-concurrency 16"+prompts)
	assert.InDelta(t, 16, get(closed, "peak"), 0, "never more in flight than clients")
	assert.InDelta(t, 16, get(closed, "in_flight"), 0.5, "and seldom fewer")

	burst := harness(t, "vllm bench serve"+prompts)
	assert.InDelta(t, 600, get(burst, "peak"), 0, "all at once")
	assert.Greater(t, get(burst, "ttft99"), 50*get(burst, "open99"), "the wait is the test's own")

	throttled := harness(t, "vllm bench serve --request-rate 28 --max-concurrency 64"+prompts)
	assert.InDelta(t, 64, get(throttled, "peak"), 0)
	assert.Greater(t, get(throttled, "schedule99"), 20*get(throttled, "ttft99"), "the clock starts after the wait")
	assert.Positive(t, get(throttled, "held"))
	free := harness(t, "vllm bench serve --request-rate 5 --max-concurrency 64"+prompts)
	assert.Zero(t, get(free, "held"))
	assert.Contains(t, free.Summary().String(), "The cap was never reached")

	even := harness(t, "vllm bench serve --request-rate 20 --burstiness inf"+prompts)
	assert.Less(t, get(even, "ttft99"), get(even, "open99"), "even gaps are kinder than Poisson's")

	batches := harness(t, "vllm bench latency --batch-size 4 --input-len 512 --output-len 64")
	assert.InDelta(t, 4, get(batches, "peak"), 0)
	assert.Positive(t, get(batches, "rate_out"))
}

// Whatever cannot be simulated says why, keeps its slots, and has no numbers.
func TestNothingToSimulate(t *testing.T) {
	for in, why := range map[string]string{
		"":                                      "There is no command in it.",
		"lorem ipsum":                           "It names no load generator that is known here.",
		"vllm bench serve --request-rate $RATE": "does not say when requests leave",
		"aiperf profile --fixed-schedule --input-file t.jsonl":                          "The times of requests are in the trace",
		"vllm bench serve --random-input-len 200000":                                    "more than is simulated: at most 100,000",
		"aiperf profile --isl inf":                                                      "more than is simulated",
		"vllm bench serve --request-rate 1e9":                                           "is not simulated",
		"aiperf profile --benchmark-duration 1e-9":                                      "is over before it has begun",
		"vllm bench serve --ramp-up-strategy linear --ramp-up-start-rps 9":              "A ramp from 9 to 0 requests/s is not simulated",
		"guidellm benchmark --profile poisson --data prompt_tokens=10,output_tokens=10": "does not say when requests leave",
	} {
		task := harness(t, in)
		assert.Contains(t, task.Summary().String()+figure(task, "flight").Alt, why, in)
		assert.True(t, math.IsNaN(demotest.Metric(t, task, "ttft99")), in)
		for _, f := range task.Figures() {
			assert.NotEmpty(t, f.Table.Rows, in)
			assert.Regexp(t, `\d`, f.Alt, in)
		}
	}
}

// A size of the load that is given and cannot be read is in the headline, and
// nothing is simulated in its place.
func TestUnreadableLoad(t *testing.T) {
	for in, says := range map[string]string{
		"vllm bench serve --max-concurrency $C":                             "is a closed loop, of how many clients the command does not say",
		"for c in 1 2 4; do vllm bench serve --max-concurrency $c; done":    "is a closed loop, of how many clients the command does not say",
		"python -m sglang.bench_serving --max-concurrency \"$MC\"":          "is a closed loop, of how many clients the command does not say",
		"aiperf profile --concurrency abc":                                  "is a closed loop, of how many clients the command does not say",
		"genai-perf profile --concurrency $C":                               "is a closed loop, of how many clients the command does not say",
		"vllm bench serve --request-rate 5 --max-concurrency $C":            "is a throttled loop: a schedule with a cap, of how many clients the command does not say",
		"vllm bench latency --batch-size $B":                                "is one batch after another, of how many requests the command does not say",
		"vllm bench serve --num-prompts $N":                                 "is one burst: every request leaves at second 0. Nothing is simulated, for the value of --num-prompts cannot be read here; type it out.",
		"vllm bench serve --num-prompts $N --max-concurrency $C":            "is a closed loop, of how many clients the command does not say. Nothing is simulated, for the values of --num-prompts and --max-concurrency cannot be read here; type them out.",
		"guidellm benchmark --profile poisson --rate $R":                    "is an open loop. Nothing is simulated",
		"guidellm benchmark --profile sweep --rate $N":                      "is several runs, each with its own loop: closed loop: 1 client that waits for its answers; burst: all requests at second 0; and an unknown number more. Nothing is simulated",
		"guidellm benchmark --profile $P":                                   "which loop it is, the command does not say",
		"vllm bench serve --random-input-len $I":                            "for the value of --random-input-len cannot be read here",
		"aiperf profile --fixed-schedule --concurrency $C":                  "The times of requests are in the trace",
		"vllm bench serve --ramp-up-strategy linear --ramp-up-start-rps $A": "is an open loop whose rate climbs. Nothing is simulated",
	} {
		task := harness(t, in)
		assert.Contains(t, task.Summary().String(), says, in)
		assert.Equal(t, strings.Contains(says, "how many clients") || strings.Contains(says, "how many requests"), math.IsNaN(demotest.Metric(t, task, "clients")), in)
		assert.True(t, math.IsNaN(demotest.Metric(t, task, "ttft99")), in)
		assert.NotContains(t, figure(task, "reading").Alt, " 0 ", in)
		for _, f := range task.Figures() {
			assert.NotEmpty(t, f.Table.Rows, in)
			assert.NotContains(t, strings.Join(f.Notes, " "), "usual mix", in)
		}
	}
}

func figure(task demo.Task, id string) demo.Figure {
	for _, f := range task.Figures() {
		if f.ID == id {
			return f
		}
	}
	return demo.Figure{}
}

// What is wrong with a command stands in the reading, and what comes from
// outside is cut and made visible.
func TestReadingSaysWhatIsWrong(t *testing.T) {
	task := harness(t, "vllm bench serve --burstiness 2 --spead 3 --request-rate \x01<b>"+strings.Repeat("x", 200))
	var lines []string
	for _, s := range figure(task, "reading").Steps {
		lines = append(lines, s.Name+": "+s.Value)
	}
	all := strings.Join(lines, "\n")
	assert.Contains(t, all, `--spead: is no flag of this tool that is known here; it was left out`)
	assert.Contains(t, all, `the tool would refuse it: it is not a number`)
	assert.NotContains(t, all, "\x01")
	assert.NotContains(t, all, strings.Repeat("x", 100))
	assert.InDelta(t, 2, demotest.Metric(t, task, "problems"), 0.1, "a rate that is not known says nothing of gaps")
}

// Any text of the box's length runs to its end.
func FuzzHarness(f *testing.F) {
	for _, c := range []string{capCommand, burstCommand, rateCommand, closeCommand, sweepCommand, confCommand, "vllm bench latency --num-iters 9999999 --batch-size 9999", "vllm bench serve --request-rate 0.002 --random-output-len 1"} {
		f.Add(c)
	}
	d := whichHarness()
	f.Fuzz(func(t *testing.T, in string) {
		s, p := demo.NewState(d).Set("command", in)
		if p != nil {
			return
		}
		task, err := demo.Run(s)
		require.NoError(t, err)
		for _, fig := range task.Figures() {
			require.LessOrEqual(t, len(fig.Table.Rows), 20)
			for _, series := range fig.Series {
				for i := range series.Y {
					require.False(t, math.IsNaN(series.Y[i]) || math.IsInf(series.Y[i], 0))
					require.False(t, fig.Y.Log && series.Y[i] <= 0)
				}
			}
		}
		require.NotEmpty(t, task.Summary().String())
		require.NotEmpty(t, demo.CSV(s, task))
	})
}

// The area under the curve is the time that requests spent in the system.
func TestInFlight(t *testing.T) {
	r := &sim.Results{
		SentAt: []sim.Nanos{0, sim.Second, sim.Seconds(1.25), sim.Seconds(9)}, DoneAt: []sim.Nanos{sim.Seconds(10), sim.Seconds(1.2), sim.Seconds(7.5), sim.Never}, EndAt: sim.Seconds(9.2),
	}
	x, y := inFlight(r, 12)
	require.Equal(t, len(x), len(y))
	assert.InDelta(t, 9.1, x[len(x)-1], 1e-9, "it ends with the last send")
	area := 0.0
	for _, n := range y {
		area += n * 12 / 60
	}
	assert.InDelta(t, 9.2+0.2+6.25+0.2, area, 1e-9)
	assert.Equal(t, 2, mostInFlight(r))
	r.SentAt = []sim.Nanos{0, 0, 0, 0}
	x, _ = inFlight(r, 12)
	assert.InDelta(t, 9.9, x[len(x)-1], 1e-9, "or with the last answer")
	assert.Equal(t, 4, mostInFlight(r))
	assert.Equal(t, 0, mostInFlight(&sim.Results{}))
}

func TestPercentiles(t *testing.T) {
	hundred := make([]float64, 100)
	for i := range hundred {
		hundred[i] = float64(i + 1)
	}
	assert.InDelta(t, 100, loadGen(hundred, 0.99), 0, "p99 of a hundred is the largest")
	assert.InDelta(t, 91, loadGen(hundred, 0.90), 0)
	assert.InDelta(t, 99.01, linear(hundred, 0.99), 1e-9)
	assert.InDelta(t, 100, linear(hundred, 1), 0)
	assert.Zero(t, loadGen(nil, 0.5))
	assert.InDelta(t, 3, linear([]float64{3}, 0.7), 0)
}

// Little's law and LoadGen's own definitions hold in the four scenarios.
func TestScenarios(t *testing.T) {
	d := demotest.Find(t, Demos(), "mlperf-scenarios")
	_, task := demotest.Run(t, d, "seconds=40")
	r := task.(*scenarioRun)
	for _, s := range []*score{&r.single, &r.multi, &r.offline} {
		assert.Equal(t, len(s.results.SentAt), completed(s.results), "every request is answered")
	}
	assert.Equal(t, 1, mostInFlight(r.single.results))
	assert.Equal(t, 8, mostInFlight(r.multi.results))
	assert.Equal(t, 2000, mostInFlight(r.offline.results))
	assert.Less(t, r.single.perSec, r.multi.perSec)
	assert.Less(t, r.multi.perSec, r.offline.perSec)
	tpot := spans(r.single.results, sim.TPOT, sim.FromSent)
	assert.InDelta(t, 0.0093, tpot[len(tpot)/2], 0.00005, "what the bet says of a lone request")
	assert.True(t, r.best.valid(r.limit))
	assert.LessOrEqual(t, r.hi-r.lo, nearEnough)
	assert.Less(t, r.now.done, r.now.scheduled, "divided by the end of the last issued")
	last := len(r.nowResults.DoneAt) - 1
	assert.InDelta(t, float64(last)/r.nowResults.DoneAt[last].Seconds(), r.now.done, 1e-12)
	assert.Equal(t, command.Open, command.Read(confCommand).Runs[0].Loop)
}
