package sizing

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
)

func mechanismMetrics(t *testing.T, link string) map[string]float64 {
	out := map[string]float64{}
	for _, m := range started(t, "mechanism", link).Metrics() {
		out[m.Name] = m.Value
	}
	return out
}

// TestMechanismNumbers holds the pictures against arithmetic by hand.
func TestMechanismNumbers(t *testing.T) {
	// 2 x 80 layers x 64 or 8 heads x 128 x 2 bytes x 4096 tokens.
	m := mechanismMetrics(t, "lever=gqa&context=4096")
	assert.InDelta(t, 2*80*64*128*2*4096/1e9, m["without"], 1e-9)
	assert.InDelta(t, 8, m["ratio"], 1e-9)
	// 61 layers x (512 + 64) x 2 bytes.
	m = mechanismMetrics(t, "lever=mla&context=1024")
	assert.InDelta(t, 61*(512+64)*2*1024/1e9, m["with"], 1e-9)
	assert.InDelta(t, 61*2*8*128*2*1024/1e9, m["third"], 1e-9)
	m = mechanismMetrics(t, "lever=quant&batch=64")
	assert.InDelta(t, 2, m["ratio"], 1e-9)
	m = mechanismMetrics(t, "lever=moe&batch=32")
	assert.InDelta(t, 100*(1-math.Pow(1-8.0/128, 32)), m["with"], 1e-9)
	m = mechanismMetrics(t, "lever=speculation&batch=1")
	assert.InDelta(t, (1+0.8+0.64+0.512)/1.15, m["with"], 0.01)
	m = mechanismMetrics(t, "lever=apart&context=1024")
	assert.Greater(t, m["ratio"], 1.0)
}

// TestMechanismFigures runs each lever at the ends of its axes: no number is
// missing where a line is drawn.
func TestMechanismFigures(t *testing.T) {
	for _, m := range mechanisms() {
		for _, ends := range []string{"&context=256&batch=1", "&context=32768&batch=256"} {
			x := started(t, "mechanism", "lever="+m.option.Name+ends)
			require.NotEmpty(t, x.Summary())
			for _, f := range x.Figures() {
				require.NotEmpty(t, f.Table.Rows, m.option.Name)
				for _, s := range f.Series {
					for _, y := range s.Y {
						require.False(t, math.IsNaN(y) || math.IsInf(y, 0) || y < 0, "%s %s", m.option.Name, s.ID)
					}
				}
			}
		}
	}
	d, _ := demo.Find(Demos(), "mechanism")
	s, _ := demo.Parse(d, d.Bet.Reveal)
	task, err := demo.Run(s)
	require.NoError(t, err)
	assert.Equal(t, 0, d.Bet.Answer(task))
}

// TestMechanismSettings: a setting shows for the levers that it acts on, and only
// for them, and each picture is titled after its own model or quantity.
func TestMechanismSettings(t *testing.T) {
	d, _ := demo.Find(Demos(), "mechanism")
	titles := map[string]bool{}
	for _, m := range mechanisms() {
		at := func(link string) (demo.State, demo.Task) {
			s, _ := demo.Parse(d, "lever="+m.option.Name+link)
			return s, started(t, "mechanism", "lever="+m.option.Name+link)
		}
		s, plain := at("")
		titles[plain.Figures()[0].Title] = true
		for name, link := range map[string]string{"context": "&context=8192", "batch": "&batch=64"} {
			_, moved := at(link)
			same := assert.ObjectsAreEqual(plain.Figures(), moved.Figures()) && plain.Summary().String() == moved.Summary().String()
			assert.Equal(t, same, s.Idle(d.Index(name)) != "", "%s of %s", name, m.option.Name)
		}
	}
	assert.Len(t, titles, len(mechanisms()))
}
