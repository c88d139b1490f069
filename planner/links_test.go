package planner_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
)

func link(t *testing.T, p *planner.Plan, symbol string) planner.Link {
	t.Helper()
	l, ok := p.FindLink(symbol)
	require.True(t, ok, "no equation for %s", symbol)
	return l
}

// TestEquationsHold computes every printed equation from its printed inputs, by a
// reader of formulas that knows nothing of the planner.
func TestEquationsHold(t *testing.T) {
	for _, c := range planCases(t) {
		t.Run(c.name, func(t *testing.T) {
			p, err := planner.Evaluate(c.w, c.d, c.o)
			require.NoError(t, err)
			bySymbol := map[string]float64{}
			for _, l := range p.Links() {
				require.NotContains(t, bySymbol, l.Symbol, "symbol %s stands twice", l.Symbol)
				assert.NotEmpty(t, l.Name)
				assert.NotEmpty(t, l.Source, l.Symbol)
				in := map[string]float64{}
				for _, i := range l.Inputs {
					in[i.Symbol] = i.Value
					if earlier, ok := bySymbol[i.Symbol]; ok && shared[i.Symbol] {
						assert.Equal(t, earlier, i.Value, "%s in the equation of %s is not what %s computes", i.Symbol, l.Symbol, i.Symbol)
					}
				}
				if l.Formula != "" {
					got := evaluate(t, l.Formula, in)
					assert.InDelta(t, l.Value, got, 1e-9*math.Abs(l.Value), "%s = %s with %v", l.Symbol, l.Formula, in)
				}
				bySymbol[l.Symbol] = l.Value
			}
		})
	}
}

// shared are symbols that always mean the equation of that name.
var shared = map[string]bool{
	"w": true, "b": true, "f": true, "P0": true, "P": true, "Pm": true, "Ps": true, "T": true, "D": true, "B": true, "Bmem": true, "free": true, "W": true,
	"Tmem": true, "Ttpot": true, "Tcmp": true, "TPOT": true, "rho": true, "R": true, "Rp": true, "Rd": true, "GPUs": true, "usd": true, "move": true, "first": true, "queued": true,
}

func TestFormulaReader(t *testing.T) {
	in := map[string]float64{"a": 2, "b": 3, "c1": 5}
	for text, want := range map[string]float64{
		"a + b*c1": 17, "(a + b)*c1": 25, "a - b - c1": -6, "c1/a/b": 5.0 / 6, "max(a, b, c1)": 5, "floor(c1/a)": 2, "ceil(c1/a) + 1000000": 1000003, "min(a, b)": 2,
	} {
		assert.InDelta(t, want, evaluate(t, text, in), 1e-12, text)
	}
}

// A formula by recursive descent: sums of products of names, numbers, brackets
// and functions.
type reader struct {
	t    *testing.T
	rest string
	in   map[string]float64
}

func evaluate(t *testing.T, formula string, in map[string]float64) float64 {
	t.Helper()
	r := &reader{t, strings.ReplaceAll(formula, " ", ""), in}
	v := r.sum()
	require.Empty(t, r.rest, "left over of %s", formula)
	return v
}

func (r *reader) sum() float64 {
	v := r.product()
	for r.rest != "" && strings.ContainsAny(r.rest[:1], "+-") {
		op := r.rest[0]
		r.rest = r.rest[1:]
		if x := r.product(); op == '+' {
			v += x
		} else {
			v -= x
		}
	}
	return v
}

func (r *reader) product() float64 {
	v := r.atom()
	for r.rest != "" && strings.ContainsAny(r.rest[:1], "*/") {
		op := r.rest[0]
		r.rest = r.rest[1:]
		if x := r.atom(); op == '*' {
			v *= x
		} else {
			v /= x
		}
	}
	return v
}

func (r *reader) atom() float64 {
	if strings.HasPrefix(r.rest, "(") {
		return r.arguments()[0]
	}
	end := strings.IndexFunc(r.rest, func(c rune) bool { return strings.ContainsRune("+-*/(),", c) })
	if end < 0 {
		end = len(r.rest)
	}
	name := r.rest[:end]
	r.rest = r.rest[end:]
	if strings.HasPrefix(r.rest, "(") {
		args := r.arguments()
		switch name {
		case "floor":
			return math.Floor(args[0] + 1e-9)
		case "ceil":
			return math.Ceil(args[0] - 1e-9)
		}
		v := args[0]
		for _, a := range args {
			switch name {
			case "max":
				v = math.Max(v, a)
			case "min":
				v = math.Min(v, a)
			default:
				r.t.Fatalf("no function %s", name)
			}
		}
		return v
	}
	if v, err := strconv.ParseFloat(name, 64); err == nil {
		return v
	}
	v, ok := r.in[name]
	require.True(r.t, ok, "no input %s", name)
	return v
}

func (r *reader) arguments() []float64 {
	var all []float64
	for {
		r.rest = r.rest[1:] // bracket or comma
		all = append(all, r.sum())
		require.NotEmpty(r.t, r.rest)
		if r.rest[0] == ')' {
			r.rest = r.rest[1:]
			return all
		}
	}
}
