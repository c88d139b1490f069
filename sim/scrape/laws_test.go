package scrape

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/sim"
)

// scrapes are the cases with two scrapes.
func scrapes(t *testing.T) map[string][2]string {
	t.Helper()
	out := map[string][2]string{}
	for _, dir := range caseFolders(t) {
		a, err1 := os.ReadFile(filepath.Join(dir, "scrape-1.txt"))
		b, err2 := os.ReadFile(filepath.Join(dir, "scrape-2.txt"))
		if err1 == nil && err2 == nil {
			out[filepath.Base(dir)] = [2]string{string(a), string(b)}
		}
	}
	require.NotEmpty(t, out)
	return out
}

func mustRead(t *testing.T, in Input) *Reading {
	t.Helper()
	report, err := Read(in)
	require.NoError(t, err)
	require.Len(t, report.Readings, 1)
	return &report.Readings[0]
}

// shuffled puts the lines and the labels of each into another order.
func shuffled(text string, rng *rand.Rand) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	for i, line := range lines {
		open, end := strings.IndexByte(line, '{'), strings.LastIndexByte(line, '}')
		if line[0] == '#' || open < 0 {
			continue
		}
		labels := strings.Split(line[open+1:end], ",")
		rng.Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
		lines[i] = line[:open+1] + strings.Join(labels, " ,") + ",}" + line[end+1:]
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestOrderDoesNotMatter: neither of lines nor of labels, to the last bit.
func TestOrderDoesNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, s := range scrapes(t) {
		want := mustRead(t, Input{First: s[0], Second: s[1], Seconds: 60})
		for range 5 {
			got := mustRead(t, Input{First: shuffled(s[0], rng), Second: shuffled(s[1], rng), Seconds: 60})
			require.Equal(t, want.Now, got.Now, name)
			require.Equal(t, want.First, got.First, name)
			require.Equal(t, want.Replicas, got.Replicas, name)
		}
	}
}

// TestOneTextOrTwo: both scrapes in one text are the same reading.
func TestOneTextOrTwo(t *testing.T) {
	for name, s := range scrapes(t) {
		want := mustRead(t, Input{First: s[0], Second: s[1], Seconds: 60})
		got := mustRead(t, Input{First: s[0] + "\n" + s[1], Seconds: 60})
		assert.Equal(t, want.Now, got.Now, name)
	}
}

// TestTimeScales: twice the seconds, half the rates, everything else as it was.
func TestTimeScales(t *testing.T) {
	for name, s := range scrapes(t) {
		a := mustRead(t, Input{First: s[0], Second: s[1], Seconds: 64})
		b := mustRead(t, Input{First: s[0], Second: s[1], Seconds: 128})
		for id := range a.Now {
			q := ID(id).Describe()
			want := a.Now[id]
			if strings.HasSuffix(q.Unit, "/s") {
				want.Value, want.Low, want.High = want.Value/2, want.Low/2, want.High/2
			}
			assert.Equal(t, want, b.Now[id], "%s %s", name, q.Key)
		}
	}
}

// split gives each counter and bucket of a scrape to two engines.
func split(text string) string {
	var out strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		at := strings.LastIndexByte(line, ' ')
		engine := strings.Contains(line, `engine="0"`)
		v, err := strconv.ParseFloat(line[at+1:], 64)
		if line[0] == '#' || !engine || err != nil || strings.Contains(line, "_created") || strings.Contains(line, "info") || strings.Contains(line, "_perc") {
			out.WriteString(line + "\n")
			continue
		}
		half := math.Floor(v / 2)
		for i, x := range []float64{half, v - half} {
			out.WriteString(strings.Replace(line[:at+1], `engine="0"`, `engine="`+strconv.Itoa(i)+`"`, 1))
			out.WriteString(strconv.FormatFloat(x, 'f', 6, 64) + "\n")
		}
	}
	return out.String()
}

// TestSplitOverRanks: what two engines counted together is what one did; the
// percentiles are of the added buckets.
func TestSplitOverRanks(t *testing.T) {
	for name, s := range scrapes(t) {
		if !strings.Contains(s[0], `engine="0"`) || strings.Contains(s[0], `engine="1"`) {
			continue
		}
		want := mustRead(t, Input{First: s[0], Second: s[1], Seconds: 60})
		got := mustRead(t, Input{First: split(s[0]), Second: split(s[1]), Seconds: 60})
		assert.Len(t, got.Replicas, 2)
		for id := range want.Now {
			if ID(id) == Replicas || ID(id) == Imbalance {
				continue
			}
			w, g := want.Now[id], got.Now[id]
			assert.Equal(t, w.Known, g.Known, "%s %s", name, ID(id).Describe().Key)
			if ID(id) == TTFTMean || ID(id) == ITLMean {
				assert.InEpsilon(t, w.Value+1, g.Value+1, 1e-4, "%s %s", name, ID(id).Describe().Key)
				continue
			}
			assert.InDelta(t, w.Value, g.Value, 1e-9*math.Max(1, math.Abs(w.Value)), "%s %s", name, ID(id).Describe().Key)
		}
		for _, id := range []ID{Preemptions, TTFTCount, ITLCount, Running, Queue} {
			a, b := got.Replicas[0].Now[id], got.Replicas[1].Now[id]
			assert.Equal(t, got.Now[id].Value, a.Value+b.Value, "%s %s", name, ID(id).Describe().Key)
		}
	}
}

// TestSameScrapeTwice: nothing happened, so counts are 0 and ratios unknown.
func TestSameScrapeTwice(t *testing.T) {
	for name, s := range scrapes(t) {
		r := mustRead(t, Input{First: s[1], Second: s[1], Seconds: 60})
		consistent(t, r)
		for _, id := range []ID{TTFT, ITL, Hit, CompletedOverOffered, PromptMean, Accepted} {
			assert.False(t, r.Now[id].Known, "%s %s", name, id.Describe().Key)
			assert.Contains(t, []Why{NoTraffic, NotExposed, TurnedOff}, r.Now[id].Why, name)
		}
		assert.Zero(t, r.Now[CompletedRate].Value)
		assert.True(t, r.Now[CompletedRate].Known)
	}
}

// TestQuantile holds the interval against observations that are known.
func TestQuantile(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		h := Histogram{Bounds: []float64{0.1, 0.5, 1, 5, math.Inf(1)}, At: make([]float64, 5)}
		n := 1 + rng.IntN(400)
		var all []float64
		for range n {
			x := rng.Float64() * rng.Float64() * 8
			all = append(all, x)
			for i, b := range h.Bounds {
				if x <= b {
					h.At[i]++
				}
			}
		}
		slices.Sort(all)
		q := rng.Float64()*0.998 + 0.001
		low, v, high, ok := h.Quantile(q)
		require.True(t, ok)
		exact := all[max(0, int(math.Ceil(q*float64(n)))-1)]
		assert.True(t, low <= exact && exact <= high, "%v not in [%v, %v]", exact, low, high)
		assert.True(t, low <= v && v <= high)
		a, b, ok := h.AtMost(exact)
		require.True(t, ok)
		le := 0.0
		for _, x := range all {
			le += float64(boolInt(x <= exact))
		}
		assert.True(t, a <= le && le <= b)
	}
	_, _, _, ok := (&Histogram{Bounds: []float64{1, math.Inf(1)}, At: []float64{3, 2}}).Quantile(0.5)
	assert.False(t, ok, "buckets that fall are no histogram")
	_, _, _, ok = (&Histogram{Bounds: []float64{1}, At: []float64{3}}).Quantile(0.5)
	assert.False(t, ok, "without +Inf the count is not known")
}

// TestWindows: the same form for scrapes, logs and the simulator.
func TestWindows(t *testing.T) {
	two := mustRead(t, Input{First: scrapes(t)["m-prefix-collapse"][0], Second: scrapes(t)["m-prefix-collapse"][1], Seconds: 90}).Windows()
	require.Len(t, two, 2)
	assert.True(t, two[0].Baseline && !two[0].Timed && !two[1].Baseline && two[1].Timed)
	assert.Equal(t, 90.0, two[1].End)
	assert.InDelta(t, 0.738, two[0].Signal[sim.PrefixHit].Value, 0.001)
	assert.InDelta(t, 0.067, two[1].Signal[sim.PrefixHit].Value, 0.001)
	assert.InDelta(t, 4.94, two[1].Strip[sim.OfferedRate].Value, 0.01)
	assert.False(t, two[0].Strip[sim.OfferedRate].Known)
	assert.Equal(t, 1.0, two[1].Signal[sim.TTFTp99].Low)
	pair := mustRead(t, Input{First: scrapes(t)["m-dp-straggler"][0], Second: scrapes(t)["m-dp-straggler"][1], Seconds: 60}).Windows()
	require.Len(t, pair[1].Replicas, 2)
	assert.Greater(t, pair[1].Replicas[1].ITLp99.Value, 4*pair[1].Replicas[0].ITLp99.Value)
	for _, dir := range caseFolders(t) {
		_, r := readCase(t, dir)
		end := 0.0
		for _, w := range r.Windows() {
			assert.LessOrEqual(t, end, w.End)
			end = w.End
		}
	}
}
