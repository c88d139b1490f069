package tables_test

import (
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/tables"
	"openloop/sim"
	"openloop/sim/diagnose"
	"openloop/sim/diagnose/score"
)

const diagnosisGenerated = "diagnosis.gen.go"

// The targets, with eight signals and the strip.
const (
	rightFrom    = 0.95
	alarmsAtMost = 0.02
)

// diagnosisCase is run i of a row.
func diagnosisCase(row int, seed uint64, i int) score.Case {
	levers := sim.Levers()
	if row < len(levers) {
		return score.Draw(levers[row].ID, seed, i)
	}
	return score.DrawFine(score.Fine(row-len(levers)), seed, i)
}

// letters are verdict and runner-up of some windows, what is said beside them,
// and how many failures could be hidden.
func letters(w []sim.Window) (out [4]byte) {
	r := diagnose.Read(w)
	letter := func(id string) byte {
		for i, v := range score.Verdicts() {
			if v == id {
				return 'a' + byte(i)
			}
		}
		return '-'
	}
	beside := byte(tables.NothingBeside)
	switch {
	case r.Also != "":
		beside = tables.NameBeside
	case len(r.Else) > 0:
		beside = tables.SignBeside
	}
	return [4]byte{letter(r.Verdict), letter(r.Second), beside, 'a' + byte(len(r.Hidden))}
}

// naming is what a reading says of two failures.
func naming(w []sim.Window, a, b string) byte {
	r := diagnose.Read(w)
	both := func(x, y string) bool { return x == a && y == b || x == b && y == a }
	n := tables.NoneNamed
	switch {
	case both(r.Verdict, r.Also):
		n = tables.BothNamed
	case both(r.Verdict, r.Second), both(r.Also, r.Second):
		n = tables.BothListed
	case r.Verdict == a || r.Verdict == b:
		other := a
		if r.Verdict == a {
			other = b
		}
		switch n = tables.OneNamed; {
		case len(r.Else) > 0:
			n = tables.OneAndSign
		case slices.Contains(r.Hidden, other):
			n = tables.OneAndList
		}
	}
	return 'a' + byte(n)
}

// drawnPair is run i with two levers.
func drawnPair(seed uint64, i int) (score.Case, string, string) {
	levers := sim.Levers()
	r := sim.NewRand(seed, sim.StreamFaults, uint64(i))
	for {
		a, b := levers[r.IntN(len(levers))].ID, levers[r.IntN(len(levers))].ID
		if a == b {
			continue
		}
		if c, ok := score.DrawPair(a, b, seed, i); ok {
			return c, a, b
		}
	}
}

// diagnosisInputs hashes what the table depends on beyond the rules, whose
// verdicts a test recomputes.
func diagnosisInputs() string {
	h := fnv.New64a()
	fmt.Fprintf(h, "engine=%d seed=%d runs=%d pairs=%d %+v %+v", demo.EngineVersion, tables.DiagnosisSeed, tables.DiagnosisRuns, tables.DiagnosisPairs, score.Lowests(), score.Capacities())
	return fmt.Sprintf("%016x", h.Sum64())
}

// diagnosed is the table of a seed, with every step-th run of each row.
func diagnosed(seed uint64, step int) (rows []tables.DiagnosisRow, pairs [2]string) {
	truths := score.Truths()
	n := (tables.DiagnosisRuns + step - 1) / step
	said := make([][2][4]byte, len(truths)*n)
	named := make([][2]byte, (tables.DiagnosisPairs+step-1)/step)
	sideBySide(len(said)+len(named), func(k int) {
		if k >= len(said) {
			c, a, b := drawnPair(seed, (k-len(said))*step)
			w := c.Windows()
			named[k-len(said)] = [2]byte{naming(score.SignalsOnly(w), a, b), naming(w, a, b)}
			return
		}
		c := diagnosisCase(k/n, seed, k%n*step)
		w := c.Windows()
		said[k] = [2][4]byte{letters(score.SignalsOnly(w)), letters(w)}
	})
	for row, truth := range truths {
		r := tables.DiagnosisRow{Truth: truth, Right: 'a' + byte(score.Right(row))}
		for _, x := range said[row*n : (row+1)*n] {
			for way := range 2 {
				for i, to := range []*[2]string{&r.Verdicts, &r.Seconds, &r.Besides, &r.Hidden} {
					to[way] += string(x[way][i])
				}
			}
		}
		rows = append(rows, r)
	}
	for _, x := range named {
		pairs[0] += string(x[0])
		pairs[1] += string(x[1])
	}
	return rows, pairs
}

// TestDiagnosis: the kept verdicts are those of the rules: of a few runs of each
// row, and with OPENLOOP_LONG=1 of all. OPENLOOP_DIAG_SEED scores on runs of
// another seed instead and holds them against the targets.
func TestDiagnosis(t *testing.T) {
	if *update {
		writeDiagnosis(t)
		t.Skip("table written; run the test again without -update")
	}
	if s := os.Getenv("OPENLOOP_DIAG_SEED"); s != "" {
		seed, err := strconv.ParseUint(s, 10, 64)
		require.NoError(t, err)
		rows, pairs := diagnosed(seed, 1)
		reportDiagnosis(t, rows, pairs)
		diagnosisTargets(t, rows)
		return
	}
	require.Equal(t, score.Verdicts(), tables.DiagnosisVerdicts())
	require.Equal(t, diagnosisInputs(), tables.DiagnosisInputs, "the table was made by another engine or from other bases: run with -update")
	step := 150
	if os.Getenv("OPENLOOP_LONG") == "1" {
		step = 1
	}
	rows, pairs := diagnosed(tables.DiagnosisSeed, step)
	kept := tables.DiagnosisRows()
	require.Len(t, kept, len(rows))
	for i, r := range rows {
		assert.Equal(t, r.Truth, kept[i].Truth)
		assert.Equal(t, r.Right, kept[i].Right)
		for way := range 2 {
			assert.Equal(t, r.Verdicts[way], every(kept[i].Verdicts[way], step), "%s: other rules", r.Truth)
			assert.Equal(t, r.Seconds[way], every(kept[i].Seconds[way], step), "%s: other rules", r.Truth)
			assert.Equal(t, r.Besides[way], every(kept[i].Besides[way], step), "%s: other rules", r.Truth)
			assert.Equal(t, r.Hidden[way], every(kept[i].Hidden[way], step), "%s: other rules", r.Truth)
		}
	}
	if step == 1 {
		reportDiagnosis(t, rows, pairs)
	}
	diagnosisTargets(t, kept)
}

// every is each step-th letter.
func every(s string, step int) string {
	var b strings.Builder
	for i := 0; i < len(s); i += step {
		b.WriteByte(s[i])
	}
	return b.String()
}

// diagnosisTargets holds a table against what is promised.
func diagnosisTargets(t *testing.T, rows []tables.DiagnosisRow) {
	t.Helper()
	right, runs, alarms, fine := 0, 0, 0, 0
	for _, r := range rows {
		if strings.HasPrefix(tables.DiagnosisVerdicts()[r.Right-'a'], diagnose.Healthy) {
			alarms += r.Runs() - r.Top1(tables.WithStrip)
			fine += r.Runs()
			continue
		}
		right += r.Top1(tables.WithStrip)
		runs += r.Runs()
	}
	assert.GreaterOrEqual(t, float64(right), rightFrom*float64(runs), "%d of %d right", right, runs)
	assert.LessOrEqual(t, float64(alarms), alarmsAtMost*float64(fine), "%d false alarms in %d", alarms, fine)
}

// reportDiagnosis tells what was scored.
func reportDiagnosis(t *testing.T, rows []tables.DiagnosisRow, pairs [2]string) {
	t.Helper()
	for way, name := range []string{"eight signals", "with the strip"} {
		for _, r := range rows {
			lo, hi := demo.Wilson(r.Top1(way), r.Runs())
			wrong := ""
			for i, v := range score.Verdicts() {
				if n := r.Count(way, 'a'+byte(i)); n > 0 && 'a'+byte(i) != r.Right {
					wrong += fmt.Sprintf(" %s %d", v, n)
				}
			}
			t.Logf("%s, %s: %d of %d (%.3f to %.3f), or second: %d;%s", name, r.Truth, r.Top1(way), r.Runs(), lo, hi, r.Top2(way), wrong)
		}
		t.Logf("%s, pairs: both named %d, both listed %d, one and a sign %d, one and a list %d, one %d, none %d", name,
			strings.Count(pairs[way], "a"), strings.Count(pairs[way], "b"), strings.Count(pairs[way], "c"), strings.Count(pairs[way], "d"), strings.Count(pairs[way], "e"), strings.Count(pairs[way], "f"))
	}
}

func writeDiagnosis(t *testing.T) {
	t.Helper()
	rows, pairs := diagnosed(tables.DiagnosisSeed, 1)
	reportDiagnosis(t, rows, pairs)
	var b strings.Builder
	b.WriteString("// Code generated by TestDiagnosis -update. DO NOT EDIT.\n\npackage tables\n\n")
	fmt.Fprintf(&b, "// DiagnosisInputs is a hash of what was drawn from.\nconst DiagnosisInputs = %q\n\n", diagnosisInputs())
	fmt.Fprintf(&b, "var diagnosisVerdicts = %#v\n\nvar diagnosisRows = []DiagnosisRow{\n", score.Verdicts())
	for _, r := range rows {
		fmt.Fprintf(&b, "{\nTruth: %q, Right: %q,\nVerdicts: [2]string{\n%q,\n%q,\n},\nSeconds: [2]string{\n%q,\n%q,\n},\nBesides: [2]string{\n%q,\n%q,\n},\nHidden: [2]string{\n%q,\n%q,\n},\n},\n",
			r.Truth, r.Right, r.Verdicts[0], r.Verdicts[1], r.Seconds[0], r.Seconds[1], r.Besides[0], r.Besides[1], r.Hidden[0], r.Hidden[1])
	}
	fmt.Fprintf(&b, "}\n\nvar diagnosisPairs = [2]string{\n%q,\n%q,\n}\n", pairs[0], pairs[1])
	writeSource(t, diagnosisGenerated, b.String())
}
