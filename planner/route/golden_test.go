package route_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner/route"
)

// The golden file was made by a program outside this project that shares no code
// with it. OPENLOOP_GOLDEN_DIR names another folder with a router.json of the
// same form.

// goldenTolerance is relative, as the file states; most agree to 1e-12. Best
// points and numeric APGR come from grids there.
const goldenTolerance = 1e-4

type goldenFile struct {
	Format int          `json:"format"`
	Cases  []goldenCase `json:"cases"`
}

type goldenCase struct {
	ID     string         `json:"id"`
	Inputs map[string]any `json:"inputs"`
	Expect map[string]any `json:"expect"`
}

func (c goldenCase) in(name string) float64 { return c.Inputs[name].(float64) }

// sub reads a number of a nested input.
func (c goldenCase) sub(object, name string) float64 {
	return c.Inputs[object].(map[string]any)[name].(float64)
}

func (c goldenCase) rates() route.Rates {
	return route.Rates{Weak: c.in("acc_weak"), Strong: c.in("acc_strong"), Pi: c.in("pi"), Lam: c.in("lam")}
}

func (c goldenCase) pair(verify float64) route.Pair {
	return route.Pair{Rates: c.rates(), Prices: route.Prices{Weak: c.in("c_w"), Strong: c.in("c_s"), Verify: verify}}
}

func TestGoldenRouter(t *testing.T) {
	dir := os.Getenv("OPENLOOP_GOLDEN_DIR")
	committed := dir == ""
	if committed {
		dir = filepath.Join("testdata", "golden")
	}
	raw, err := os.ReadFile(filepath.Join(dir, "router.json"))
	require.NoError(t, err)
	var file goldenFile
	require.NoError(t, json.Unmarshal(raw, &file))
	require.Equal(t, 1, file.Format)
	require.NotEmpty(t, file.Cases)
	if committed {
		require.Len(t, file.Cases, 24)
	}
	for _, c := range file.Cases {
		t.Run(c.ID, func(t *testing.T) {
			kind, _, _ := strings.Cut(c.ID, "/")
			kind, _, _ = strings.Cut(kind, " ")
			run, ok := goldenKinds[kind]
			require.True(t, ok, "no test knows %q", kind)
			run(&goldenCheck{t: t, goldenCase: c})
		})
	}
}

// goldenCheck counts what was compared, so that no expected number is skipped.
type goldenCheck struct {
	goldenCase
	t *testing.T
}

func (c *goldenCheck) equal(name string, got float64) {
	c.t.Helper()
	want, ok := c.Expect[name].(float64)
	require.True(c.t, ok, "no number %s", name)
	assert.InEpsilon(c.t, want, got, goldenTolerance, name)
	delete(c.Expect, name)
}

func (c *goldenCheck) points(name string, each func(x, y float64)) {
	c.t.Helper()
	list, ok := c.Expect[name].([]any)
	require.True(c.t, ok, "no list %s", name)
	for _, p := range list {
		xy := p.([]any)
		each(xy[0].(float64), xy[1].(float64))
	}
	delete(c.Expect, name)
}

// done fails if the case expects what was not compared.
func (c *goldenCheck) done() {
	c.t.Helper()
	assert.Empty(c.t, c.Expect, "not compared")
}

var goldenKinds = map[string]func(*goldenCheck){
	"apgr_closed":                 goldenAPGR,
	"router_curve":                goldenCurve,
	"data":                        goldenData,
	"router_cost":                 goldenCost,
	"cascade":                     goldenCascade,
	"cache":                       goldenCache,
	"batch_tier":                  goldenBatch,
	"stack":                       goldenStack,
	"aiq_example":                 goldenAIQ,
	"difficulty_uniform_logistic": goldenDifficulty,
	"difficulty_router":           goldenDifficultyRouter,
}

func goldenAPGR(c *goldenCheck) {
	r := route.Router{Pair: route.Pair{Rates: route.RatesOf(0.5, c.in("pi"), c.in("lam"))}, AUC: c.in("auc")}
	got, ok := r.APGR()
	require.True(c.t, ok)
	c.equal("apgr", got)
	c.done()
}

func goldenCurve(c *goldenCheck) {
	r := route.Router{Pair: route.Pair{Rates: c.rates()}, AUC: c.in("auc")}
	require.NoError(c.t, r.Check())
	c.points("points", func(f, acc float64) { assert.InEpsilon(c.t, acc, r.AtFrac(f).Accuracy, goldenTolerance) })
	c.equal("apgr_numeric", trapezoid(r))
	closed, _ := r.APGR()
	c.equal("apgr_closed", closed)
	half, ok := r.CPT(0.5)
	require.True(c.t, ok)
	c.equal("cpt50", half)
	most, ok := r.CPT(0.8)
	require.True(c.t, ok)
	c.equal("cpt80", most)
	c.equal("best_acc", r.Best().Accuracy)
	c.equal("best_fraction", r.Best().StrongFrac)
	c.done()
}

// trapezoid is APGR as RouteLLM's code computes it.
func trapezoid(r route.Router) float64 {
	curve := make([]route.Point, 2001)
	r.Curve(curve)
	sum := 0.0
	for i, p := range curve[1:] {
		a, _ := r.PGR(curve[i].Accuracy)
		b, _ := r.PGR(p.Accuracy)
		sum += (a + b) / 2 * (p.StrongFrac - curve[i].StrongFrac)
	}
	return sum
}

func goldenData(c *goldenCheck) {
	labels := map[string]route.Labels{"data/mmlu": route.MMLU(), "data/gsm8k": route.GSM8K()}
	l, ok := labels[c.ID]
	require.True(c.t, ok, "unknown labels")
	for name, n := range map[string]int{"n": l.Total(), "both": l.Both, "weak_only": l.WeakOnly, "strong_only": l.StrongOnly, "neither": l.Neither} {
		assert.Equal(c.t, c.Expect[name], float64(n), name)
		delete(c.Expect, name)
	}
	r := l.Rates()
	c.equal("weak_acc", r.Weak)
	c.equal("strong_acc", r.Strong)
	c.equal("p_strong_only", r.Pi)
	c.equal("p_weak_only", r.Lam)
	oracle := route.Pair{Rates: r, Prices: route.Prices{Weak: 1, Strong: 2}}.Oracle()
	c.equal("oracle_acc", oracle.Accuracy)
	c.equal("oracle_fraction", oracle.StrongFrac)
	c.done()
}

func goldenCost(c *goldenCheck) {
	p := route.Pair{Rates: route.MMLU().Rates(), Prices: route.Prices{Weak: c.in("c_w"), Strong: c.in("c_s")}}
	cost := p.Random(c.in("f")).Cost
	c.equal("cost", cost)
	c.equal("ratio_to_strong", cost/p.AlwaysStrong().Cost)
	c.done()
}

func goldenCascade(c *goldenCheck) {
	k := route.Cascade{Pair: c.pair(c.in("c_v")), AUC: c.in("auc")}
	require.NoError(c.t, k.Check())
	assert.InEpsilon(c.t, c.in("p_strong_right_given_weak_right"), k.Rates.StrongGivenWeakRight(), goldenTolerance)
	assert.InEpsilon(c.t, c.in("p_strong_right_given_weak_wrong"), k.Rates.StrongGivenWeakWrong(), goldenTolerance)
	p := k.AtFrac(c.in("escalate"))
	c.equal("acc", p.Accuracy)
	c.equal("cost", p.Cost)
	c.equal("ratio_to_strong", p.Cost/k.AlwaysStrong().Cost)
	kept, escalated := k.Kept(c.in("escalate"))
	c.equal("keep_given_right", kept)
	c.equal("escalate_given_wrong", escalated)
	c.done()
}

func goldenCache(c *goldenCheck) {
	k := route.Cache{Repeats: c.in("duplicates"), AUC: c.in("auc"), AccFalse: c.in("acc_false_hit")}
	require.NoError(c.t, k.Check())
	p := k.AtHit(c.in("hit_rate"), route.Point{Accuracy: c.in("acc_llm")})
	c.equal("threshold_z", p.Threshold)
	c.equal("hit_rate", p.Hit)
	c.equal("true_hit", p.True)
	c.equal("false_hit", p.False)
	c.equal("precision", p.Precision)
	c.equal("acc", p.Accuracy)
	c.done()
}

func goldenBatch(c *goldenCheck) {
	c.equal("multiplier", route.Batch{Share: c.in("beta"), Discount: c.in("discount")}.Multiplier())
	c.done()
}

func goldenStack(c *goldenCheck) {
	s := route.Stack{
		Cache: route.Cache{Repeats: c.sub("cache", "duplicates"), AUC: c.sub("cache", "auc"), AccFalse: c.sub("cache", "acc_false_hit"), Embed: c.in("c_embed")},
		Hit:   c.sub("cache", "hit"),
		Route: route.Router{Pair: c.pair(0), AUC: c.sub("router", "auc")},
		Batch: route.Batch{Share: c.in("beta"), Discount: c.in("discount")},
	}
	require.NoError(c.t, s.Check())
	p := s.AtFrac(c.sub("router", "f"))
	c.equal("cost", p.Cost)
	c.equal("ratio", p.Cost/c.in("c_s"))
	c.equal("acc", p.Accuracy)
	c.done()
}

func goldenAIQ(c *goldenCheck) {
	require.Equal(c.t, "range", c.Inputs["normalise"])
	var points []route.Point
	for _, p := range c.Inputs["points"].([]any) {
		xy := p.([]any)
		points = append(points, route.Point{Cost: xy[0].(float64), Accuracy: xy[1].(float64)})
	}
	hull := route.HullOf(points, nil)
	i := 0
	c.points("hull", func(cost, acc float64) {
		assert.InEpsilon(c.t, cost, hull[i].Cost, goldenTolerance)
		assert.InEpsilon(c.t, acc, hull[i].Accuracy, goldenTolerance)
		i++
	})
	assert.Len(c.t, hull, i)
	last := points[len(points)-1]
	c.equal("aiq", hull.AIQ(last.Cost))
	c.equal("aiq_random", route.HullOf([]route.Point{points[0], last}, nil).AIQ(last.Cost))
	c.done()
}

func goldenDifficulty(c *goldenCheck) {
	theta := c.Inputs["theta"].([]any)
	d := route.Difficulty{ThetaWeak: theta[0].(float64), ThetaStrong: theta[1].(float64), Tau: c.in("tau")}
	weak, strong := d.MeanAccuracy()
	want := c.Expect["mean_acc"].([]any)
	require.Len(c.t, want, 2)
	assert.InEpsilon(c.t, want[0], weak, goldenTolerance)
	assert.InEpsilon(c.t, want[1], strong, goldenTolerance)
}

func goldenDifficultyRouter(c *goldenCheck) {
	d := route.Difficulty{ThetaWeak: c.in("theta_w"), ThetaStrong: c.in("theta_s"), Tau: c.in("tau")}
	c.equal("acc", d.AtFrac(c.in("f"), route.Prices{}).Accuracy)
	c.done()
}
