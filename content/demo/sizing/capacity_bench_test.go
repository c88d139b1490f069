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

// flags are what each tool accepts, from testdata: its flags, and for a value
// that names a kind "kind key".
func flags(t *testing.T) map[string]bool {
	raw, err := os.ReadFile("testdata/flags.txt")
	require.NoError(t, err)
	known := map[string]bool{}
	for line := range strings.Lines(string(raw)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			known[line] = true
			if _, rest, ok := strings.Cut(line, " kind="); ok {
				kind, keys, _ := strings.Cut(rest, " ")
				for key := range strings.FieldsSeq(keys) {
					known[kind+" "+key] = true
				}
			}
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
	starts := map[string]string{"vllm": "vllm bench serve", "aiperf": "aiperf profile", "genai-perf": "genai-perf profile", "guidellm": "guidellm run"}
	links := []string{"apart=on&ttft=2&hit=50", "rate2=5&hit2=50", "thinking=500", "tpot=0&busy=95", "rate=0.01&output=1&prompt=1"}
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
					assert.Equal(t, key == "*.Server.target_latency", x == 0, line)
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
				if kind, ok := strings.CutPrefix(all[j], "kind="); ok {
					kind, rest, _ := strings.Cut(kind, ",")
					for pair := range strings.SplitSeq(rest, ",") {
						key, _, ok := strings.Cut(pair, "=")
						require.True(t, ok && known[kind+" "+key], "%s %s of %s", kind, pair, name)
					}
				}
				limits := all[j : j+1]
				for flag == "--goodput" && j+1 < len(all) && !strings.HasPrefix(all[j+1], "--") {
					j++ // one limit more
					limits = append(limits, all[j])
				}
				if flag == "--goodput" && name == "aiperf" {
					assert.Len(t, limits, 1, "AIPerf takes all limits as one word")
				} else if flag == "--goodput" {
					assert.NotContains(t, limits[0], " ", "%s takes a word for each limit", name)
				}
			}
			if name == "aiperf" || name == "genai-perf" {
				assert.Contains(t, strings.Join(tool.lines, " "), "--num-dataset-entries "+strconv.Itoa(b.requests+b.warm), "%s sends a hundred prompts again and again", name)
			}
			assert.Contains(t, strings.Join(tool.lines, " "), "$RANDOM", "a second run of %s finds the prompts of the first in the cache", name)
			sent := strconv.FormatFloat(b.rate, 'f', -1, 64)
			assert.Regexp(t, `( |rate=)`+strings.ReplaceAll(sent, ".", `\.`)+`[ ,]`, strings.Join(tool.lines, " "), "%s sends another rate", name)
		}
		if !r.a.deployment.Disaggregated {
			assert.InEpsilon(t, r.plan().TargetFrac/r.plan().ReplicaSeconds, b.rate, 1e-3)
		}
	}
}

// What all prompts share is sent by every tool that can send it, and the one that
// cannot says so.
func TestBenchSharesPrefixes(t *testing.T) {
	r := started(t, "capacity-planner", "prompt=2000&hit=75").(*capacityRun)
	for _, tool := range r.bench().tools() {
		all := strings.Join(tool.lines, " ")
		switch tool.name {
		case "vllm bench serve":
			assert.Contains(t, all, "--random-input-len 500 ")
			assert.Contains(t, all, "--random-prefix-len 1500")
		case "AIPerf", "GenAI-Perf":
			assert.Contains(t, all, "--synthetic-input-tokens-mean 500 ")
			assert.Contains(t, all, "--num-prefix-prompts 1 --prefix-prompt-length 1500")
		case "GuideLLM":
			assert.Contains(t, all, "prompt_tokens=500,output_tokens=211,prefix_tokens=1500,prefix_count=1")
		default:
			assert.Contains(t, tool.says, "the 1,500 cached tokens of this plan cannot be sent")
			continue
		}
		assert.Contains(t, tool.says, "The first 1,500 tokens of all prompts are the same")
	}
	for _, tool := range started(t, "capacity-planner", "").(*capacityRun).bench().tools() {
		assert.NotContains(t, strings.Join(tool.lines, " "), "prefix")
		assert.NotContains(t, tool.says, "cannot be sent")
	}
}
