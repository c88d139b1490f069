package scrape

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/sim"
)

// What a case's expected.md says must not be claimed is either held here
// against the reading, or is a claim about causes, which this package never
// makes: it has no word for a failure. A sentence that is in neither list
// fails, so that a new case is looked at.

const cause = "a cause: the reading names none"

// guards check a sentence, by its beginning; those with a string say why there
// is nothing to check.
var guards = map[string]map[string]any{
	"m-counter-reset": {
		"negative rates": func(t *testing.T, r *Reading) {
			for id, v := range r.Now {
				if ID(id) != E2EBeyondTTFT { // a difference of counts
					assert.GreaterOrEqual(t, v.Value, 0.0, ID(id).Describe().Key)
				}
			}
		},
		"an outage length": func(t *testing.T, r *Reading) {
			assert.Equal(t, AcrossRestart, r.Now[OfferedRate].Why)
			assert.NotZero(t, r.Now[CompletedRate].Doubts&LowerBound)
		},
		"that the new process is slow or fast": func(t *testing.T, r *Reading) {
			assert.Equal(t, SinceRestart, r.Now[TTFT].Covers, "of the new process alone")
			assert.True(t, r.Windows()[1].Restarted)
		},
		"that prefix caching or KV": cause,
	},
	"m-dp-straggler": {
		"skewed routing": func(t *testing.T, r *Reading) {
			a, b := r.Replicas[0].Now[OfferedRate].Value, r.Replicas[1].Now[OfferedRate].Value
			assert.Less(t, math.Abs(a-b), 2*math.Sqrt((a+b)/60), "arrivals are equal within counting noise, and a reader sees it")
		},
		"KV pressure at engine 1": func(t *testing.T, r *Reading) {
			assert.InDelta(t, 0.5305, r.Replicas[1].Now[KV].Value, 1e-9)
			assert.Zero(t, r.Replicas[1].Now[Preemptions].Value)
		},
		"an average of the two p99s": func(t *testing.T, r *Reading) {
			for _, id := range []ID{TTFT, ITL} {
				mean := (r.Replicas[0].Now[id].Value + r.Replicas[1].Now[id].Value) / 2
				assert.Greater(t, math.Abs(mean-r.Now[id].Value), 0.01)
			}
		},
	},
	"m-draft-collapse-log": {
		"overload": func(t *testing.T, r *Reading) { assert.Zero(t, r.Now[Queue].Value) },
		"that generation fell to 44.7": func(t *testing.T, r *Reading) {
			assert.True(t, r.Now[PromptRate].Known, "the prefill beside it is shown")
		},
		"a fall: no earlier good value": func(t *testing.T, r *Reading) {
			assert.False(t, r.Windows()[0].Baseline)
		},
		"hit rate 20.5 %": func(t *testing.T, r *Reading) { assert.Equal(t, Last1000, r.Now[Hit].Covers) },
	},
	"m-healthy-saturated": {
		"any failure": cause,
		`"saturated" in the sense`: func(t *testing.T, r *Reading) {
			assert.InDelta(t, 1, r.Now[CompletedOverOffered].Value, 0.01)
		},
		"a prefix-cache problem": func(t *testing.T, r *Reading) {
			assert.True(t, r.First[Hit].Known && r.First[Hit].Value == 0, "it was 0 before")
		},
	},
	"m-kv-thrash": {
		`"ITL is fine`: func(t *testing.T, r *Reading) {
			assert.Greater(t, r.GapsAbove(0.5).Value, 0.0, "the stalls are there")
		},
		"traffic surge as first cause": cause,
		"that TTFT p99 is 79.6 s exactly": func(t *testing.T, r *Reading) {
			v := r.Now[TTFT]
			assert.Equal(t, []float64{40, 80}, []float64{v.Low, v.High})
			assert.NotZero(t, v.Doubts&WideBucket)
		},
		"that 100 % GPU": cause,
	},
	"m-long-prompts-log": {
		"a TTFT or ITL percentile": noPercentile,
		"zero preemptions": func(t *testing.T, r *Reading) {
			assert.False(t, r.Now[Preempts].Known || r.Now[Preemptions].Known)
		},
		`"Prefix cache hit rate 0.0%"`: func(t *testing.T, r *Reading) {
			assert.Equal(t, Last1000, r.Now[Hit].Covers)
			assert.Zero(t, r.First[Hit].Value, "the first line says the same")
		},
		"idle GPU because": func(t *testing.T, r *Reading) { assert.False(t, r.Now[GPUUtil].Known) },
	},
	"m-old-names-v0": {
		"TTFT p99 = 10 s": func(t *testing.T, r *Reading) { assert.True(t, r.Now[TTFT].AtLeast()) },
		"hit rate of -1 or 0": func(t *testing.T, r *Reading) {
			assert.Equal(t, TurnedOff, r.Now[Hit].Why)
			assert.Zero(t, r.Now[Hit].Measured)
		},
		"accepted length 2.93": func(t *testing.T, r *Reading) { assert.Less(t, r.Now[Accepted].Value, 2.5) },
	},
	"m-overload-queue": {
		"KV pressure": func(t *testing.T, r *Reading) {
			assert.Less(t, r.Now[KV].Value, 0.4)
			assert.Zero(t, r.Now[Preempts].Value)
		},
		"a TTFT p99 as a property": func(t *testing.T, r *Reading) { assert.NotZero(t, r.Now[TTFT].Doubts&Rising) },
		"that 5xx means the engine is broken": func(t *testing.T, r *Reading) {
			assert.True(t, r.Now[ShedRate].Known)
			assert.Contains(t, ShedRate.Describe().Definition, "refusal")
		},
	},
	"m-prefix-collapse": {
		"long-prompt flood": func(t *testing.T, r *Reading) {
			assert.InEpsilon(t, r.First[PromptMean].Value, r.Now[PromptMean].Value, 0.02)
		},
		"KV pressure": func(t *testing.T, r *Reading) { assert.Zero(t, r.Now[Preempts].Value) },
		"a cause for": cause,
	},
	"m-sglang-one-scrape": {
		"a rate per second": func(t *testing.T, r *Reading) {
			for id, v := range r.Now {
				if ID(id).Describe().Unit == "1/s" || ID(id).Describe().Unit == "tokens/s" {
					assert.False(t, v.Known, ID(id).Describe().Key)
				}
			}
			assert.False(t, r.Goodput(1).Known || r.GapsAbove(1).Known)
		},
		"TTFT p99 = 30 s":                func(t *testing.T, r *Reading) { assert.True(t, r.Now[TTFT].AtLeast()) },
		"that the queue grows":           func(t *testing.T, r *Reading) { assert.Equal(t, NeedsSecond, r.Now[QueueGrowth].Why) },
		"hit rate 0.75 %":                func(t *testing.T, r *Reading) { assert.Equal(t, Misleading, r.Now[Hit].Why) },
		"that token usage 0.28 means an": func(t *testing.T, r *Reading) { assert.Equal(t, NotExposed, r.Now[GPUUtil].Why) },
	},
	"m-sglang-retract-log": {
		"a TTFT or ITL percentile": noPercentile,
		"that ITL is fine": func(t *testing.T, r *Reading) {
			assert.NotZero(t, r.Now[ITLEstimate].Doubts&Estimated)
			assert.Contains(t, ITLEstimate.Describe().Definition, "blind to stalls")
		},
		"1.0 preemptions per second": func(t *testing.T, r *Reading) {
			assert.Equal(t, FewEvents|CoarseStamps, r.Now[Preempts].Doubts)
			assert.Len(t, r.Now[Preempts].Doubts.Words(), 2)
		},
		"prefix cache off": func(t *testing.T, r *Reading) { assert.Equal(t, NotInLog, r.Now[Hit].Why) },
	},
}

func noPercentile(t *testing.T, r *Reading) {
	t.Helper()
	for _, id := range []ID{TTFT, ITL} {
		assert.Equal(t, NotInLog, r.Now[id].Why)
		assert.False(t, r.Now[id].Known)
	}
	for _, w := range r.Windows() {
		assert.Equal(t, sim.Measured{}, w.Signal[sim.ITLp99])
	}
}

// claims are the sentences under the heading of a case.
func claims(t *testing.T, dir string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "expected.md"))
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(raw), "## Must not be claimed\n")
	require.True(t, ok, "%s has no such heading", dir)
	rest, _, _ = strings.Cut(rest, "\n## ")
	var out []string
	for _, line := range strings.Split(rest, "\n") {
		if text, ok := strings.CutPrefix(line, "- "); ok {
			out = append(out, text)
		}
	}
	require.NotEmpty(t, out)
	return out
}

func TestCasesMustNotClaim(t *testing.T) {
	for _, dir := range caseFolders(t) {
		name := filepath.Base(dir)
		t.Run(name, func(t *testing.T) {
			_, r := readCase(t, dir)
			for _, claim := range claims(t, dir) {
				found := false
				for begin, guard := range guards[name] {
					if !strings.HasPrefix(claim, begin) {
						continue
					}
					found = true
					if check, ok := guard.(func(*testing.T, *Reading)); ok {
						check(t, r)
					}
				}
				assert.True(t, found, "nothing keeps the reading from claiming: %s", claim)
			}
		})
	}
}

// TestCasesNameWhatIsMissing: each signal that is not known says why, in words,
// and nothing is both known and missing.
func TestCasesNameWhatIsMissing(t *testing.T) {
	missing := map[string][]ID{
		"m-counter-reset":      {Accepted},
		"m-dp-straggler":       {Accepted},
		"m-draft-collapse-log": {TTFT, ITL, Preempts},
		"m-healthy-saturated":  {Accepted},
		"m-kv-thrash":          {Accepted},
		"m-long-prompts-log":   {TTFT, ITL, Preempts, Accepted},
		"m-old-names-v0":       {Hit},
		"m-overload-queue":     {Accepted},
		"m-prefix-collapse":    {Accepted},
		"m-sglang-one-scrape":  {Preempts, Hit, Accepted},
		"m-sglang-retract-log": {TTFT, ITL, Hit, Accepted},
	}
	for _, dir := range caseFolders(t) {
		name := filepath.Base(dir)
		_, r := readCase(t, dir)
		if want, ok := missing[name]; ok {
			assert.Equal(t, want, r.Missing(), name)
		}
		consistent(t, r)
		assert.Equal(t, NeverSeen, r.Now[RetryRate].Why)
	}
}

// consistent are laws of every reading.
func consistent(t *testing.T, r *Reading) {
	t.Helper()
	rows := []*Row{&r.Now, &r.First}
	for i := range r.Replicas {
		rows = append(rows, &r.Replicas[i].Now, &r.Replicas[i].First)
	}
	for _, row := range rows {
		for id, v := range row {
			key := ID(id).Describe().Key
			require.Equal(t, v.Known, v.Why == Known, "%s: known %v, why %v", key, v.Known, v.Why)
			require.NotEmpty(t, v.Why.String(), key)
			if !v.Known {
				require.Equal(t, sim.Measured{}, v.Measured, key)
				continue
			}
			require.NotEmpty(t, v.From, key)
			require.False(t, math.IsNaN(v.Value) || math.IsInf(v.Value, 0), "%s is %v", key, v.Value)
			require.True(t, v.Low <= v.Value && v.Value <= v.High, "%s: %v not in [%v, %v]", key, v.Value, v.Low, v.High)
			if ID(id) != QueueGrowth && ID(id) != E2EBeyondTTFT {
				require.GreaterOrEqual(t, v.Value, 0.0, key)
			}
		}
	}
	for _, id := range []ID{Hit, DraftAcceptance, TTFTBeyond} {
		require.LessOrEqual(t, r.Now[id].Value, 1.0, ID(id).Describe().Key)
	}
	for _, w := range r.Windows() {
		require.LessOrEqual(t, w.Start, w.End)
	}
}
