package sizing

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
)

// flags are what each tool accepts, from testdata.
func flags(t *testing.T) map[string]bool {
	raw, err := os.ReadFile("testdata/flags.txt")
	require.NoError(t, err)
	known := map[string]bool{}
	for line := range strings.Lines(string(raw)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			known[line] = true
		}
	}
	return known
}

// words are those of a command, quoted ones being one.
func words(t *testing.T, line string) (out []string) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if head, rest, ok := strings.Cut(line, `"`); ok && !strings.ContainsAny(head, " ") {
			quoted, after, closed := strings.Cut(rest, `"`)
			require.True(t, closed, "a quote is open in %s", line)
			out, line = append(out, head+quoted), after
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		out, line = append(out, word), rest
	}
	return out
}

func started(t *testing.T, id, link string) demo.Task {
	t.Helper()
	d, ok := demo.Find(Demos(), id)
	require.True(t, ok)
	s, problems := demo.Parse(d, link)
	require.Empty(t, problems, link)
	task, err := demo.Run(s)
	require.NoError(t, err, link)
	return task
}

// Every command of every preset uses what its tool accepts, and sends the load
// of one replica of the plan.
func TestBenchCommands(t *testing.T) {
	known := flags(t)
	alone := map[string]bool{"--ignore-eos": true, "--save-result": true, "--save-detailed": true, "--streaming": true}
	starts := map[string]string{"vllm": "vllm bench serve", "aiperf": "aiperf profile", "genai-perf": "genai-perf profile", "guidellm": "guidellm benchmark run"}
	links := []string{"apart=on&ttft=2&hit=50", "tpot=0&busy=95", "rate=0.01&output=1&prompt=1"}
	for _, p := range capacityPlanner().Presets {
		links = append(links, p.State)
	}
	for _, link := range links {
		r := started(t, "capacity-planner", link).(*capacityRun)
		b := r.bench()
		for i, tool := range b.tools() {
			name := []string{"vllm", "aiperf", "genai-perf", "guidellm", "mlperf"}[i]
			if name == "mlperf" {
				for _, line := range tool.lines {
					key, value, ok := strings.Cut(line, " = ")
					require.True(t, ok, line)
					x, err := strconv.ParseFloat(value, 64)
					require.NoError(t, err, line)
					assert.Positive(t, x, line)
					parts := strings.Split(key, ".")
					require.Len(t, parts, 3, line)
					assert.Equal(t, []string{"*", "Server"}, parts[:2])
					assert.True(t, known["mlperf "+parts[2]], line)
				}
				continue
			}
			assert.Equal(t, starts[name], tool.lines[0])
			all := words(t, strings.Join(tool.lines[1:], " "))
			for j := 0; j < len(all); j++ {
				require.True(t, known[name+" "+all[j]], "%s does not know %s", name, all[j])
				if alone[all[j]] {
					continue
				}
				require.Less(t, j+1, len(all), "%s has no value", all[j])
				flag := all[j]
				require.False(t, strings.HasPrefix(all[j+1], "--"), "%s has no value", flag)
				j++
				for flag == "--goodput" && j+1 < len(all) && !strings.HasPrefix(all[j+1], "--") {
					j++ // one limit more
				}
			}
			assert.Contains(t, strings.Join(tool.lines, " "), " "+strconv.FormatFloat(b.rate, 'f', -1, 64)+" ", "%s sends another rate", name)
		}
		if !r.a.deployment.Disaggregated {
			assert.InEpsilon(t, r.plan().TargetFrac/r.plan().ReplicaSeconds, b.rate, 1e-3)
		}
	}
}
