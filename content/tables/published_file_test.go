package tables_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/planner"
)

// Rows that nobody here has seen: OPENLOOP_PUBLISHED names a file with the columns
// of the facts or of the results. Nothing is fitted; it is judged.

// judged is what a file says of the planner.
type judged struct {
	report   string
	problems []string
}

func judge(raw []byte, e planner.Efficiency) judged {
	var j judged
	bad := func(format string, args ...any) { j.problems = append(j.problems, fmt.Sprintf(format, args...)) }
	rows, err := readPublished(raw)
	if err != nil {
		bad("the file cannot be read: %v", err)
		return j
	}
	var b strings.Builder
	sum, count := map[string]float64{}, map[string]int{}
	for i := range rows {
		p := &rows[i]
		count[p.group]++
		if p.group == silent {
			fmt.Fprintf(&b, "%-30s not predicted: %s\n", p.id, whyNot(p))
			continue
		}
		least, middle, most := lengthsOf(p)
		y, err := predict(p, e, middle)
		top, err2 := bound(p)
		if err != nil || err2 != nil {
			bad("%s cannot be predicted: %v", p.id, errors.Join(err, err2))
			continue
		}
		note := ""
		if least != most {
			lo, _ := predict(p, e, most)
			hi, _ := predict(p, e, least)
			note = fmt.Sprintf(" (%.4g to %.4g)", lo, hi)
		}
		off := y/p.value - 1
		sum[p.group] += math.Abs(off)
		fmt.Fprintf(&b, "%-30s %-18s %-14s %-16s published %10.5g  predicted %10.5g%s  %+6.1f%%  of the peaks %.2f\n", p.id, p.group, p.gpu.ID, p.model.ID, p.value, y, note, 100*off, top)
		if !(top <= 1) {
			bad("%s is %.3g times what the GPU's peaks allow", p.id, top)
		}
	}
	for _, g := range groups {
		if count[g] == 0 {
			continue
		}
		if g == silent {
			fmt.Fprintf(&b, "%d of %d rows not predicted, each named above\n", count[g], len(rows))
			continue
		}
		mape := sum[g] / float64(count[g])
		fmt.Fprintf(&b, "%s: %d rows, mean error %.1f%%", g, count[g], 100*mape)
		if target := targets[g]; target > 0 {
			fmt.Fprintf(&b, ", target %.0f%%", 100*target)
			if !(mape <= target) {
				bad("%s: mean error %.1f%% of %d rows is above %.0f%%", g, 100*mape, count[g], 100*target)
			}
		}
		b.WriteByte('\n')
	}
	j.report = b.String()
	return j
}

// TestPublishedFile judges the file that OPENLOOP_PUBLISHED names.
func TestPublishedFile(t *testing.T) {
	name := os.Getenv("OPENLOOP_PUBLISHED")
	if name == "" {
		t.Skip("OPENLOOP_PUBLISHED names no file")
	}
	raw, err := os.ReadFile(name)
	require.NoError(t, err)
	j := judge(raw, planner.PublishedEfficiency())
	t.Logf("%s\n%s", name, j.report)
	for _, p := range j.problems {
		t.Error(p)
	}
}

// TestPublishedFacts judges the facts, which are here.
func TestPublishedFacts(t *testing.T) {
	raw, err := os.ReadFile(factsFile)
	require.NoError(t, err)
	assert.Empty(t, judge(raw, planner.PublishedEfficiency()).problems)
}

// TestJudgeCanFail: each thing that it looks for, it finds.
func TestJudgeCanFail(t *testing.T) {
	raw, err := os.ReadFile(factsFile)
	require.NoError(t, err)
	good := string(raw)
	edit := func(old, new string) string {
		require.Contains(t, good, old)
		return strings.Replace(good, old, new, 1)
	}
	for name, c := range map[string]struct{ file, want string }{
		"no number":          {edit(",26221,tok/s,", ",many,tok/s,"), `value is "many"`},
		"nothing":            {edit(",26221,tok/s,", ",0,tok/s,"), `value is "0"`},
		"id twice":           {edit("trt1-l8b-h200-500-2000", "trt1-l8b-h200-128-2048"), "used twice"},
		"column gone":        {edit(",isl,", ",prompt,"), "no column isl"},
		"faster than peaks":  {edit(",26221,tok/s,", ",262210,tok/s,"), "times what the GPU's peaks allow"},
		"does not fit":       {edit("Llama-3.1-8B,fp8,H200 SXM,1,TP1", "Llama-3.1-405B,fp8,H200 SXM,1,TP1"), "cannot be predicted"},
		"empty":              {"id\n", "no rows"},
		"a precision unread": {edit("Llama-3.1-8B,fp8,H200 SXM,1,TP1,128,2048", "Llama-3.1-8B,fp8,H999,1,TP1,128,2048"), ""},
	} {
		j := judge([]byte(c.file), planner.PublishedEfficiency())
		if c.want == "" {
			assert.Empty(t, j.problems, name)
			assert.Contains(t, j.report, "the planner has no such GPU: H999", name)
			continue
		}
		assert.Contains(t, strings.Join(j.problems, "\n"), c.want, name)
	}
	// Attention once for each of 8 GPUs, in 2 bytes: a row that only a file can have.
	j := judge([]byte(edit("mxfp4/fp8,H100 SXM,4,DEP4,1000", "mxfp4/fp8,H100 SXM,8,DEP8,1000")), planner.PublishedEfficiency())
	assert.NotContains(t, strings.Join(j.problems, "\n"), "cannot be predicted")

	worse := planner.PublishedEfficiency()
	worse.FP8MFU *= 0.6
	assert.Contains(t, strings.Join(judge(raw, worse).problems, "\n"), "dense: mean error")
}
