package sim

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// One kernel, five ways to run it. However a run is cut into pieces, what it
// records is the same, and what it has recorded half way is a run that stops
// there.

// ways are how to bring a simulation to its end.
var ways = []struct {
	name string
	run  func(s *ServingSim, pick chooser, span Nanos)
}{
	{"Step", func(s *ServingSim, _ chooser, _ Nanos) {
		for s.Step() {
		}
	}},
	{"RunUntil", func(s *ServingSim, pick chooser, span Nanos) {
		untilPieces(s, pick, span)
		s.Run()
	}},
	{"Work", func(s *ServingSim, pick chooser, _ Nanos) {
		for !s.Work(1 + pick(4)) {
		}
	}},
	{"event by event", func(s *ServingSim, pick chooser, _ Nanos) {
		for !s.over {
			s.enough = s.effort + 1
			s.jumping = true
			s.advance(s.end)
			s.enough = unlimited
			switch pick(6) {
			case 0:
				s.Results()
			case 1:
				s.RunUntil(s.Now() + Nanos(pick(2)) - 1)
			case 2:
				s.Step()
			}
		}
	}},
	{"all of them", func(s *ServingSim, pick chooser, span Nanos) {
		for {
			switch pick(4) {
			case 0:
				if !s.Step() {
					return
				}
			case 1:
				s.RunUntil(s.Now() + Nanos(pick(9))*span/40)
			case 2:
				if s.Work(1) {
					return
				}
			case 3:
				s.Results()
				if !s.Step() {
					return
				}
			}
		}
	}},
}

// untilPieces runs to instants near the ends of steps.
func untilPieces(s *ServingSim, pick chooser, span Nanos) {
	for at := Nanos(0); at < span; at += max(1, span/Nanos(1+pick(30))) {
		s.RunUntil(at)
		s.RunUntil(at - 1) // the past is past
	}
}

func TestPieces(t *testing.T) {
	for seed := range runs() / 2 {
		pick := seededChooser(seed)
		c := cornerConfig(pick)
		specs := cornerSpecs(pick, c)
		for _, c.TraceSteps = range []int{0, 7, 1 << 20} {
			if wrong := inPieces(t, c, specs, seed); wrong != "" {
				c, specs = shrink(c, specs, func(c Config, specs []Spec) bool { return inPieces(t, c, specs, seed) != "" })
				t.Fatalf("%s\nseed %d\nc := %s\nspecs := %s", inPieces(t, c, specs, seed), seed, literal(c), literal(specs))
			}
		}
	}
}

func inPieces(t *testing.T, c Config, specs []Spec, seed uint64) string {
	t.Helper()
	want, wantEnds := sourceLog(kernelRun, c, specs, seed)
	for _, way := range ways {
		src := &listSource{specs: specs}
		s, err := New(c, src, seed)
		require.NoError(t, err)
		way.run(s, seededChooser(seed), want.EndAt)
		if d := difference(s.Results(), want); d != "" {
			return "Run and " + way.name + " differ: " + d
		}
		if !slices.Equal(src.ended, wantEnds) {
			return "Run and " + way.name + " tell the source otherwise"
		}
		if s.Step() || !s.Work(1) {
			return "not over after " + way.name
		}
	}
	return ""
}

// TestHalfWay: after RunUntil(t) the columns are those of a run with Horizon t.
func TestHalfWay(t *testing.T) {
	for seed := range runs() / 3 {
		pick := seededChooser(seed)
		c := cornerConfig(pick)
		specs := cornerSpecs(pick, c)
		c.TraceSteps = oneOf(pick, 0, 1<<20)
		c.Horizon = 0
		c = sampleable(c)
		if wrong := halfWay(t, c, specs, seed); wrong != "" {
			c, specs = shrink(c, specs, func(c Config, specs []Spec) bool {
				return halfWay(t, c, specs, seed) != ""
			})
			t.Fatalf("%s\nseed %d\nc := %s\nspecs := %s", halfWay(t, c, specs, seed), seed, literal(c), literal(specs))
		}
	}
}

func halfWay(t *testing.T, c Config, specs []Spec, seed uint64) string {
	t.Helper()
	src := &listSource{specs: specs}
	s, err := New(c, src, seed)
	require.NoError(t, err)
	end := kernelRun(c, &listSource{specs: specs}, seed).EndAt
	for k := range Nanos(5) {
		at := max(1, end*k/5)
		s.RunUntil(at)
		c.Horizon = at
		want := refRun(c, &listSource{specs: specs}, seed)
		got := *s.Results()
		got.Samples, want.Samples = nil, nil // the last window of a run may be short
		got.Totals.BusyPicos, want.Totals.BusyPicos = 0, 0
		got.EndAt, want.EndAt = 0, 0
		if d := difference(&got, want); d != "" {
			return fmt.Sprintf("RunUntil(%d) and Horizon differ: %s", at, d)
		}
	}
	return ""
}
