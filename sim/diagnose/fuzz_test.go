package diagnose_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/sim"
	"openloop/sim/diagnose"
)

// sound says what is wrong with a reading, whatever it was made from.
func sound(t *testing.T, w []sim.Window, r *diagnose.Reading) {
	t.Helper()
	verdicts := []string{diagnose.Healthy, diagnose.Undetermined}
	for _, l := range sim.Levers() {
		verdicts = append(verdicts, l.ID)
	}
	require.Contains(t, verdicts, r.Verdict)
	for _, other := range []string{r.Second, r.Also} {
		if other != "" {
			assert.Contains(t, verdicts, other)
		}
	}
	assert.NotEqual(t, r.Verdict, r.Also)
	if !several(w) { // of one process, or a sum over all, nobody can say which replica it is
		for _, of := range []string{"straggler", "skewed_routing"} {
			assert.NotEqual(t, of, r.Verdict)
			assert.NotEqual(t, of, r.Also)
		}
		assert.True(t, r.Verdict != "replica_restart" || r.Found[diagnose.Restarted].Move == sim.Up)
	}
	if s := r.Separator; s.HasSign && s.Expects[0] && s.Expects[1] {
		assert.NotEqual(t, s.Verdict, s.Second, "%s tells nothing apart", s.Sign.Key())
	}
	assert.Equal(t, diagnose.RemedyOf(r.Verdict), r.Remedy)
	if r.Verdict != diagnose.Healthy && r.Verdict != diagnose.Undetermined {
		assert.NotEmpty(t, r.Reasons, "%s without a reason", r.Verdict)
	}
	finite := func(what string, v ...float64) {
		for _, x := range v {
			assert.False(t, math.IsNaN(x) || math.IsInf(x, 0), "%s is %v", what, x)
		}
	}
	finite("reading", r.Points, r.SecondPoints, r.Onset, r.Separator.Points)
	for s, f := range r.Found {
		finite(f.Sign.Key(), f.Before, f.After, f.Noise, f.Widths)
		assert.Equal(t, diagnose.Sign(s), f.Sign)
		assert.True(t, 0 <= f.From && f.From <= f.To && f.To <= len(w), "%s from %d to %d", f.Sign.Key(), f.From, f.To)
		if !f.Known {
			assert.Equal(t, sim.Flat, f.Move, f.Sign.Key())
		}
	}
	for i, x := range r.Reasons {
		finite("reason", x.Points)
		assert.True(t, x.Known && x.Points > 0)
		assert.True(t, i == 0 || x.Points <= r.Reasons[i-1].Points, "reasons in order")
	}
	assert.True(t, -1 <= r.OnsetWindow && r.OnsetWindow < max(1, len(w)))
	assert.False(t, slices.ContainsFunc(r.Missing, func(s diagnose.Sign) bool { return r.Found[s].Known }), "missing, and known")
}

// several says whether replicas are told apart in any window.
func several(w []sim.Window) bool {
	return slices.ContainsFunc(w, func(x sim.Window) bool { return len(x.Replicas) > 1 })
}

// arbitrary are windows of any kind: values that no server has, values that are
// not known, replicas that come and go, times that make no sense.
func arbitrary(data []byte) []sim.Window {
	next := func() byte {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return b
	}
	measured := func() sim.Measured {
		b := next()
		var v float64
		switch {
		case b < 60:
			return sim.Measured{}
		case b < 200:
			v = float64(b-60) / 10
		case b < 220:
			v = float64(b-200) * 1e3
		default:
			var raw [8]byte
			for i := range raw {
				raw[i] = next()
			}
			v = math.Float64frombits(binary.LittleEndian.Uint64(raw[:]))
			if math.IsNaN(v) {
				v = 0
			}
		}
		return sim.Measured{Value: v, Low: v, High: v, Known: true}
	}
	out := make([]sim.Window, next()%40)
	repeat := next()%2 == 0
	for i := range out {
		w := &out[i]
		if repeat && i > 0 && next() < 200 {
			*w = out[i-1]
			w.Start, w.End = w.End, w.End+1
			continue
		}
		flags := next()
		w.Timed, w.Baseline, w.Restarted = flags&1 == 0, flags&6 == 6, flags&24 == 24
		w.Start, w.End = float64(i), float64(i)+float64(flags>>5)/2
		for id := range w.Signal {
			w.Signal[id] = measured()
		}
		for id := range w.Strip {
			w.Strip[id] = measured()
		}
		w.Replicas = make([]sim.ReplicaWindow, next()%4)
		for k := range w.Replicas {
			w.Replicas[k] = sim.ReplicaWindow{
				Waiting: measured(), Running: measured(), KV: measured(), Offered: measured(), Completed: measured(),
				TTFTp99: measured(), ITLp99: measured(), Up: measured(),
			}
		}
	}
	return out
}

// FuzzRead: a verdict of whatever windows, and nothing in it that is no number.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"", "\x01", "\x28\x00windows that are much alike, one after the other", "\x10\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		w := arbitrary(data)
		r := diagnose.Read(w)
		sound(t, w, &r)
	})
}

// TestLittleToRead: where there is next to nothing the verdict is undetermined,
// and what is missing is named.
func TestLittleToRead(t *testing.T) {
	for name, w := range map[string][]sim.Window{
		"no window":             nil,
		"one empty window":      make([]sim.Window, 1),
		"many empty windows":    make([]sim.Window, 50),
		"a window of no length": {{Start: 5, End: 5, Timed: true, Signal: [sim.NumSignals]sim.Measured{sim.RunningBatch: sim.Exactly(3)}}},
	} {
		r := diagnose.Read(w)
		sound(t, w, &r)
		assert.Equal(t, diagnose.Undetermined, r.Verdict, name)
		assert.NotEmpty(t, r.Missing, name)
		assert.Equal(t, -1, r.OnsetWindow, name)
	}
}

// TestAllDown: no replica is there for a while. It is a restart, of all.
func TestAllDown(t *testing.T) {
	window := sim.Span{From: 48 * sim.Second, To: 72 * sim.Second}
	w := run(t, sim.Healthy(""), 1, sim.Pull{Lever: "replica_restart", Span: window, Intensity: 4})
	r := diagnose.Read(w)
	sound(t, w, &r)
	assert.Equal(t, "replica_restart", r.Verdict)
	assert.InDelta(t, 48, r.Onset, 4)
}
