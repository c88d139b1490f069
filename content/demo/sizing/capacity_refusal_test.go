package sizing

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/planner/profile"
)

// goName is a name of the program's, or a power of ten of its printer.
var goName = regexp.MustCompile(`[a-z]{2}[A-Z]|Deployment|Workload|Objective|\d[eE][+-]?\d|NaN|Frac|Seconds`)

// What cannot be planned is one sentence that names the setting in the way and the
// nearest value that would do; with that value there is a plan.
func TestBadInput(t *testing.T) {
	for _, c := range []struct{ name, link, setting, nearest, mended string }{
		{"fits on no offered replica", "gpu=l4&model=kimi-k2&weights=bf16", "Kimi K2, weights bf16, does not fit on 4 × L4", "weights in int4, on 64 GPUs of a replica.", "gpu=l4&model=kimi-k2&weights=int4&tp=64"},
		{"fits, but too slow", "gpu=l4&model=kimi-k2", "Kimi K2, weights fp8, does not fit on 4 × L4", "64 GPUs of a replica, too slow for what is promised.", "gpu=l4&model=kimi-k2&tp=64&tpot=0&ttft=0"},
		{"fits on another GPU", "gpu=l4&model=own&layers=300&hidden=32768&heads=256&mlp=131072&weights=int4", "your model, weights int4, does not fit", "64 GPUs of kind H100 SXM.", ""},
		{"fits nowhere", "gpu=l4&model=own&layers=300&hidden=32768&heads=256&mlp=131072&experts=64&weights=int4", "your model, weights int4, does not fit", "a smaller model, or shorter prompts", ""},
		{"fits on a larger replica", "tp=1&weights=bf16", "Llama 3.1 70B, weights bf16, does not fit on 1 × H100 SXM", "2 GPUs of a replica.", "tp=2&weights=bf16"},
		{"SLO below one step", "tpot=5", "time per output token of 5 ms", "9.97 ms", "tpot=9.97"},
		{"TTFT below a prefill", "ttft=0.05", "time to first token of 50 ms", "0.0724 s", "ttft=0.0724"},
		{"no target at all", "busy=0&ttft=0", "busy replicas may be", "busy at most 70%", "busy=70&ttft=0"},
		{"all is found in the cache", "hit=100", "Found in the prefix cache: 100%", "99.9134%", "hit=99.9134"},
		{"all of a long prompt", "hit=100&prompt=1000000&tp=8&tpot=0&ttft=0", "Found in the prefix cache: 100%", "99.9999%", "hit=99.9999&prompt=1000000&tp=8&tpot=0&ttft=0"},
		{"all of the second kind", "rate2=5&hit2=100", "Found in the prefix cache of the second kind: 100%", "99.9875%", "rate2=5&hit2=99.9875"},
		{"success 0", "success=0", "attempts that succeed, 0%", "0.0001%", "success=0.0001"},
		{"more than replicas can serve", "rate=100000&output=200000&tpot=0&ttft=0", "Requests: so many", "requests/s", ""},
		{"hidden, but not in chunks", "chunk=0&overlap=50", "50% of prefill hidden behind decode", "0%", "chunk=0&overlap=0"},
		{"hidden, and apart", "apart=on&overlap=50", "50% of prefill hidden behind decode, and prefill in a pool of its own", "0%", "apart=on&overlap=0"},
		{"own heads that do not divide", "model=own&heads=64&kv_heads=7", "KV heads is 7", "8", "model=own&heads=64&kv_heads=8"},
		{"more KV heads than heads", "model=own&heads=64&kv_heads=65", "KV heads is 65", "64", "model=own&heads=64&kv_heads=64"},
		{"more experts of a token than there are", "model=own&experts=4&active=8", "Experts of a token is 8", "4", "model=own&experts=4&active=4&tp=64&tpot=0&ttft=0"},
		{"own GPU that hardly computes", "gpu=own&own_fp8=0.07&model=llama-3.1-8b", "Arithmetic of the GPU in fp8 is 0.07 TFLOP/s", "0.1 TFLOP/s", "gpu=own&own_fp8=0.1&model=llama-3.1-8b&tpot=0&ttft=0"},
		{"own MLP without end", "model=own&mlp=200000", "MLP width is 200,000", "131,072", "model=own&mlp=131072&tp=64&tpot=0&ttft=0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			task := started(t, "capacity-planner", "plan=shown&"+c.link)
			says := task.Summary().String()
			assert.Contains(t, says, c.setting)
			assert.Contains(t, says, c.nearest)
			assert.Contains(t, says, "earest")
			assert.NotRegexp(t, goName, says)
			if c.name != "success 0" {
				for _, f := range task.Figures() {
					promised := strings.HasPrefix(c.link, "tpot") || strings.HasPrefix(c.link, "ttft") || strings.HasPrefix(c.link, "busy")
					if promised && f.ID == "chain" {
						onlyUnpromised(t, f.Steps)
						continue
					}
					if !promised && f.ID == "inputs" { // in the place of the equations: TestRefusedShowsWhatWasAsked
						assert.False(t, f.Away, "nothing stands where the equations would")
						assert.NotEmpty(t, f.Steps)
						continue
					}
					assert.True(t, f.Away, "%s is drawn with nothing in it", f.ID)
				}
				rows := task.Records().Rows
				assert.Equal(t, "impossible", rows[len(rows)-1][0].Text)
				assert.Equal(t, says, rows[len(rows)-1][2].Text)
			}
			if c.mended != "" {
				mended := started(t, "capacity-planner", "plan=shown&"+c.mended)
				gpus, _ := demo.MetricNamed(mended, "gpus")
				assert.Positive(t, gpus.Value, "%s: %s", c.mended, mended.Summary())
			}
		})
	}
	t.Run("rate 0", func(t *testing.T) {
		_, problems := demo.Parse(capacityPlanner(), "rate=0")
		require.Len(t, problems, 1)
		assert.Equal(t, `Requests (rate): "0" is out of range; legal: 0.01 to 100000 /s; the nearest is 0.01 /s`, problems[0].Error())
	})
	t.Run("requests at the limit", func(t *testing.T) {
		says := started(t, "capacity-planner", "plan=shown&rate=100000&output=200000&tpot=0&ttft=0").Summary().String()
		near := regexp.MustCompile(`Nearest: ([\d,.]+) requests/s`).FindStringSubmatch(says)
		require.NotNil(t, near, says)
		rate := strings.ReplaceAll(near[1], ",", "")
		gpus, _ := demo.MetricNamed(started(t, "capacity-planner", "plan=shown&rate="+rate+"&output=200000&tpot=0&ttft=0"), "gpus")
		assert.Positive(t, gpus.Value, says)
	})
	t.Run("plan B", func(t *testing.T) {
		bill := figure(t, started(t, "capacity-planner", "plan=shown&b_gpu=l4&b_tp=1"), "bill")
		says := strings.Join(bill.Notes, " ")
		assert.Contains(t, says, "Plan B: Llama 3.1 70B, weights fp8, does not fit on 1 × L4")
		assert.Contains(t, says, "Nearest that fits: 4 GPUs of a replica, too slow for what is promised.")
		assert.NotRegexp(t, goName, says)
	})
}

// A task that never succeeds has no price in either demo.
func TestTaskRefusals(t *testing.T) {
	for _, link := range []string{"model=llama-3.1-8b&turns=100&system=100000&user=100000", "turns=100&user=100000&answer=20000"} {
		task := started(t, "task-cost", link)
		if says := task.Summary().String(); task.(*taskRun).wrong != "" {
			assert.NotRegexp(t, goName, says, link)
			assert.Contains(t, says, "earest", link)
		}
	}
}

// onlyUnpromised holds what is left of an impossible promise to what does not
// depend on it.
func onlyUnpromised(t *testing.T, steps []demo.Step) {
	t.Helper()
	groups := map[string]int{}
	for _, s := range steps {
		groups[s.Group]++
	}
	assert.Len(t, groups, 2)
	assert.Positive(t, groups["What fits"])
	assert.Positive(t, groups["One step"])
}

// TestAdviceIsTrue: for every model on every GPU, what is proposed where the model does
// not fit gives a plan, unless it says that this is too slow for what is promised.
func TestAdviceIsTrue(t *testing.T) {
	advice := regexp.MustCompile(`Nearest that fits: (?:weights in (\w+), on )?(\d+) GPUs(?: of a replica| of kind (.*?))(, too slow[^.]*)?\.$`)
	refused, slow := 0, 0
	for _, m := range profile.Models() {
		for _, g := range profile.GPUs() {
			link := "plan=shown&model=" + m.ID + "&gpu=" + g.ID
			says := refusalOf(t, link)
			if !strings.Contains(says, "does not fit") {
				continue
			}
			refused++
			got := advice.FindStringSubmatch(says)
			require.NotNil(t, got, "%s: %s", link, says)
			link += "&tp=" + got[2]
			if got[1] != "" {
				link += "&weights=" + got[1]
			}
			for _, other := range profile.GPUs() {
				if other.Name == got[3] {
					link = strings.Replace(link, "gpu="+g.ID, "gpu="+other.ID, 1)
				}
			}
			next := refusalOf(t, link)
			assert.NotContains(t, next, "does not fit", link)
			if got[4] == "" {
				assert.Empty(t, next, "%s, as advised: %s", link, says)
			} else {
				slow++
				assert.Contains(t, next, "Nearest that can be promised", "%s is too slow", link)
			}
		}
	}
	assert.Positive(t, refused)
	assert.Positive(t, slow)
}

// refusalOf is the sentence of a link that has no plan, "" if it has one.
func refusalOf(t *testing.T, link string) string {
	t.Helper()
	task := started(t, "capacity-planner", link)
	if gpus, ok := demo.MetricNamed(task, "gpus"); ok && gpus.Value > 0 {
		return ""
	}
	return strings.TrimSpace(task.Summary().String())
}

// TestErrorOfExperts: the lever of experts compares a model of each kind, so that both
// errors are said of it.
func TestErrorOfExperts(t *testing.T) {
	for _, link := range []string{"plan=shown", "plan=shown&gpu=h200-sxm&model=deepseek-r1&tp=8"} {
		said := 0
		for _, row := range figure(t, started(t, "capacity-planner", link), "levers").Ranking.Rows {
			if row.Open != nil && row.Open.Key == "moe" {
				said++
				assert.Contains(t, row.Open.Error, "throughput of dense models is met within", link)
				assert.Contains(t, row.Open.Error, "throughput of models with experts is met within", link)
			}
		}
		assert.Equal(t, 1, said, link)
	}
}
