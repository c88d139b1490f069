package sim

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Load generators that wait for answers send what the engine lets them send:
// an instant that is wrong by a nanosecond changes all that follows. So kernel
// and reference are compared under each of them, too.

// cornerWorkload is a load generator of any kind for c.
func cornerWorkload(pick chooser, c Config) Workload {
	step := max(linearPart(c.Engine.Cost).Base.Nanos(), 1)
	perSec := min(1e6, max(1e-3, 1e9/float64(step)/float64(1+pick(8))))
	arrivals := oneOf[Arrivals](pick, Constant{perSec}, Poisson{perSec}, Burst{})
	think := ThinkTime{Mean: step * Nanos(pick(4)), Exponential: pick(2) == 0}
	return Workload{
		Generator: oneOf[Generator](pick,
			OpenLoop{arrivals},
			ClosedLoop{Clients: 1 + pick(6), Think: think, StartEvery: step * Nanos(pick(2))},
			Throttled{Arrivals: arrivals, MaxInFlight: 1 + pick(5)},
			Sessions{Starts: arrivals, Turns: UniformCount{1, int32(1 + pick(4))}, Think: think, MaxContext: int32(pick(2) * 100), Count: 4},
			MLPerfOffline{},
			MLPerfServer{TargetQPS: perSec},
			MLPerfSingleStream{},
			MLPerfMultiStream{SamplesPerQuery: 1 + pick(3)},
		),
		Lengths:  Separate{Prompt: UniformCount{1, int32(1 + pick(20))}, Output: UniformCount{1, int32(1 + pick(20))}},
		Shared:   oneOf(pick, SharedPrefixes{}, SharedPrefixes{Prefixes: 2, Tokens: 8, Zipf: 1, Share: 0.7}),
		Batch:    BatchTier{Share: oneOf(pick, 0, 0.5), Priority: 1},
		Requests: 6 * (1 + pick(6)), // whole queries of 1, 2 or 3
	}
}

func TestKernelIsReferenceUnderEachGenerator(t *testing.T) {
	for seed := range runs() / 2 {
		pick := seededChooser(seed ^ 1<<32)
		c := cornerConfig(pick)
		c.TraceSteps = oneOf(pick, 0, 1<<20)
		w := cornerWorkload(pick, c)
		if wrong := generated(t, c, w, seed); wrong != "" {
			t.Fatalf("kernel and reference differ: %s\nseed %d\nc := %s\nw := %s", wrong, seed, literal(c), literal(w))
		}
	}
}

func generated(t *testing.T, c Config, w Workload, seed uint64) (wrong string) {
	t.Helper()
	source := func() Source {
		s, err := NewSource(w, seed)
		require.NoError(t, err)
		return s
	}
	want := refRun(c, source(), seed)
	defer func() {
		if p := recover(); p != nil {
			wrong = fmt.Sprint("the kernel panics: ", p)
		}
	}()
	return difference(kernelRun(c, source(), seed), want)
}
