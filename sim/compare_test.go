package sim

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// The kernel jumps over identical steps, keeps flat columns and hashes blocks;
// the reference does none of this. They must agree in everything recorded.

// difference names the first thing in which two runs differ; "" if none.
func difference(got, want *Results) string {
	g, w := reflect.ValueOf(got).Elem(), reflect.ValueOf(want).Elem()
	for i := range g.NumField() {
		if d := fieldDifference(g.Field(i), w.Field(i)); d != "" {
			return g.Type().Field(i).Name + d
		}
	}
	return ""
}

// fieldDifference compares columns by item, so nil is as good as empty.
func fieldDifference(g, w reflect.Value) string {
	if g.Kind() != reflect.Slice {
		if g.Interface() != w.Interface() {
			return ": got " + brief(g) + ", want " + brief(w)
		}
		return ""
	}
	for i := range min(g.Len(), w.Len()) {
		if a, b := g.Index(i), w.Index(i); !equalItems(a, b) {
			return fmt.Sprintf("[%d]: got %s, want %s", i, brief(a), brief(b))
		}
	}
	if g.Len() != w.Len() {
		return fmt.Sprintf(": got %d, want %d of them", g.Len(), w.Len())
	}
	return ""
}

func equalItems(a, b reflect.Value) bool {
	if s, ok := a.Interface().(StepTrace); ok {
		t := b.Interface().(StepTrace)
		return s.Replica == t.Replica && s.Start == t.Start && s.End == t.End && s.Used == t.Used &&
			s.Waiting == t.Waiting && slices.Equal(s.Pieces, t.Pieces) && slices.Equal(s.Preempt, t.Preempt)
	}
	return a.Interface() == b.Interface()
}

func brief(v reflect.Value) string {
	if h, ok := v.Interface().(Hist); ok {
		return fmt.Sprintf("%d gaps, sum %d, max %d", h.count, h.sum, h.max)
	}
	if v.Kind() == reflect.Struct {
		return literalOf(v, true)
	}
	return fmt.Sprint(v.Interface())
}

// sourceLog is what a source was told, in order.
func sourceLog(from func(c Config, src Source, seed uint64) *Results, c Config, specs []Spec, seed uint64) (*Results, []ending) {
	src := &listSource{specs: specs}
	return from(c, src, seed), src.ended
}

// disagreement runs both and says how they differ. The kernel runs three times: with
// a trace it makes every step, without one it jumps, and with a short one it
// does both.
func disagreement(c Config, specs []Spec, seed uint64) string {
	for _, c.TraceSteps = range []int{1 << 20, 5, 0} {
		if wrong := disagree(c, specs, seed); wrong != "" {
			return fmt.Sprint("trace of ", c.TraceSteps, " steps: ", wrong)
		}
	}
	return ""
}

func disagree(c Config, specs []Spec, seed uint64) (wrong string) {
	want, wantEnds := sourceLog(refRun, c, specs, seed)
	defer func() {
		if p := recover(); p != nil {
			wrong = fmt.Sprint("the kernel panics: ", p)
		}
	}()
	got, gotEnds := sourceLog(kernelRun, c, specs, seed)
	if d := difference(got, want); d != "" {
		return d
	}
	if !slices.Equal(gotEnds, wantEnds) {
		return fmt.Sprint("ends told: got ", gotEnds, ", want ", wantEnds)
	}
	return ""
}

func TestKernelIsReference(t *testing.T) {
	for seed := range runs() {
		pick := seededChooser(seed)
		c := cornerConfig(pick)
		specs := cornerSpecs(pick, c)
		if wrong := disagreement(c, specs, seed); wrong != "" {
			reportDisagreement(t, c, specs, seed)
			return
		}
	}
}

func reportDisagreement(t *testing.T, c Config, specs []Spec, seed uint64) {
	t.Helper()
	c, specs = shrink(c, specs, func(c Config, specs []Spec) bool { return disagreement(c, specs, seed) != "" })
	t.Errorf("kernel and reference differ: %s\nseed %d\nc := %s\nspecs := %s",
		disagreement(c, specs, seed), seed, literal(c), literal(specs))
}
