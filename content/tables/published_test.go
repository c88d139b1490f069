package tables_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/tables"
	"openloop/planner"
)

// The planner against published numbers. Of two files one may be kept here (the
// facts); the other is read where a folder shared/data lies beside the repository
// or above it, and only what follows from it is kept.
//
//	go test ./content/tables -run TestPublished           # compares
//	OPENLOOP_LONG=1 go test ./content/tables -run TestPublished   # fits again, too
//	go test ./content/tables -run TestPublished -update   # writes the table and the planner's parameters
//	OPENLOOP_PUBLISHED=other.csv go test -v ./content/tables -run TestPublishedFile

const (
	publishedGenerated  = "published.gen.go"
	efficiencyGenerated = "../../planner/published.gen.go"
	factsFile           = "testdata/published.csv"
	resultsFile         = "published_results/results.csv"
)

// publishedFiles reads both files; without the second one complete is false.
func publishedFiles(t *testing.T) (rows []pub, hashes [][2]string, complete bool) {
	t.Helper()
	add := func(name string, raw []byte) {
		sum := sha256.Sum256(raw)
		hashes = append(hashes, [2]string{name, hex.EncodeToString(sum[:])})
		read, err := readPublished(raw)
		require.NoError(t, err, name)
		for i := range read {
			if same := twin(rows, &read[i]); same != "" {
				read[i].group, read[i].same = silent, same
			}
		}
		rows = append(rows, read...)
	}
	facts, err := os.ReadFile(factsFile)
	require.NoError(t, err)
	add("facts/published.csv", facts)
	results, err := readData(resultsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return rows, hashes, false
	}
	require.NoError(t, err)
	add("data/"+resultsFile, results)
	return rows, hashes, true
}

// twin is the id of a row that is the same measurement, read from the same page.
func twin(rows []pub, p *pub) string {
	for i := range rows {
		r := &rows[i]
		if p.gpu != nil && r.gpu != nil && p.model != nil && r.model != nil && r.source == p.source && r.gpu.ID == p.gpu.ID && r.model.ID == p.model.ID &&
			r.gpus == p.gpus && r.prompt == p.prompt && r.output == p.output && r.value == p.value && r.group != silent {
			return r.id
		}
	}
	return ""
}

// made is everything that the table holds, at one efficiency.
func made(t *testing.T, rows []pub, e planner.Efficiency) []tables.PublishedRow {
	t.Helper()
	var out []tables.PublishedRow
	for _, g := range groups {
		for i := range rows {
			if rows[i].group == g {
				r, err := rowOf(&rows[i], e)
				require.NoError(t, err, rows[i].id)
				out = append(out, r)
			}
		}
	}
	return out
}

func rowOf(p *pub, e planner.Efficiency) (tables.PublishedRow, error) {
	r := tables.PublishedRow{ID: p.id, Group: p.group, GPU: p.gpuName, Model: p.modelName, Weight: p.prec, GPUs: p.gpus,
		Prompt: p.prompt, Output: p.output, AtOnce: p.atOnce, What: p.metric, Unit: p.unit, Source: p.source}
	if p.gpu != nil {
		r.GPU = p.gpu.ID
	}
	if p.model != nil {
		r.Model = p.model.ID
	}
	if p.same != "" {
		r.Why = "the same number as " + p.same
		return r, nil
	}
	if r.Why = whyNot(p); r.Why != "" {
		return r, nil
	}
	a, err := ask(p, e, 1)
	if err != nil {
		return r, err
	}
	r.Split = a.split
	least, middle, most := lengthsOf(p)
	if r.Predicted, err = predict(p, e, middle); err != nil {
		return r, err
	}
	if least != most {
		if r.High, err = predict(p, e, least); err != nil {
			return r, err
		}
		if r.Low, err = predict(p, e, most); err != nil {
			return r, err
		}
		r.Low, r.High = digits(r.Low, 4), digits(r.High, 4)
	}
	if r.Bound, err = bound(p); err != nil {
		return r, err
	}
	r.Predicted, r.Off, r.Bound = digits(r.Predicted, 4), math.Round((r.Predicted/p.value-1)*1e4)/1e4, digits(r.Bound, 3)
	if p.kept {
		r.Published = p.value
	}
	return r, nil
}

// lengthsOf is the prompt, or the range that it lies in with its geometric middle.
func lengthsOf(p *pub) (least, middle, most float64) {
	if p.group == mlperf {
		for _, l := range mlperfPrompts {
			if l.model == p.model.ID {
				return l.least, math.Round(math.Sqrt(l.least * l.most)), l.most
			}
		}
	}
	return p.prompt, p.prompt, p.prompt
}

// summed sums up the rows of each group that has predictions.
func summed(rows []tables.PublishedRow) []tables.PublishedGroup {
	var out []tables.PublishedGroup
	for _, name := range groups {
		g := tables.PublishedGroup{Name: name, Says: groupSays[name], Target: targets[name]}
		var size, signed []float64
		worst := 0.0
		for _, r := range rows {
			if r.Group != name {
				continue
			}
			g.Rows++
			if r.Predicted == 0 {
				continue
			}
			size, signed = append(size, math.Abs(r.Off)), append(signed, r.Off)
			g.MAPE += math.Abs(r.Off)
			if math.Abs(r.Off) > worst {
				worst, g.Worst = math.Abs(r.Off), r.ID
			}
			if published := r.Predicted / (1 + r.Off); r.High > 0 && r.Low <= published && published <= r.High {
				g.Inside++
			}
		}
		if len(size) > 0 {
			g.MAPE = digits(g.MAPE/float64(len(size)), 3)
			g.Median, g.Bias = digits(median(size), 3), digits(median(signed), 3)
		}
		if g.Rows > 0 {
			out = append(out, g)
		}
	}
	return out
}

func median(x []float64) float64 {
	y := slices.Sorted(slices.Values(x))
	return (y[(len(y)-1)/2] + y[len(y)/2]) / 2
}

// TestPublished compares the table and the planner's parameters with the files.
func TestPublished(t *testing.T) {
	rows, hashes, complete := publishedFiles(t)
	if *update {
		require.True(t, complete, "no %s beside the repository: the table cannot be made", resultsFile)
		writePublished(t, rows, hashes)
		t.Skip("table and parameters written; run the test again without -update")
	}
	kept := tables.Published()
	got := made(t, rows, planner.PublishedEfficiency())
	if !complete {
		kept = slices.DeleteFunc(kept, func(r tables.PublishedRow) bool {
			return !slices.ContainsFunc(rows, func(p pub) bool { return p.id == r.ID })
		})
		assert.Equal(t, kept, got)
		t.Skipf("only the facts were compared: %s is not there", resultsFile)
	}
	assert.Equal(t, hashes, tables.PublishedInputs())
	assert.Equal(t, kept, got)
	assert.Equal(t, tables.PublishedGroups(), summed(got))
	e := fit(of(rows, dense), fixed(), freeDense)
	e = fit(of(rows, experts), e, freeExperts)
	assert.Equal(t, planner.PublishedEfficiency(), e, "the parameters of package planner are not those that the rows give")
	if os.Getenv("OPENLOOP_LONG") == "1" {
		all := study(rows, e)
		assert.Equal(t, tables.PublishedFolds(), all.folds)
		assert.Equal(t, tables.PublishedFrees(), all.frees)
		assert.Equal(t, tables.PublishedChoices(), all.choices)
		assert.Equal(t, tables.PublishedForms(), all.forms)
		assert.Equal(t, planner.PublishedFit(), all.fit)
	}
}

// TestPublishedLaws need no file: no row beats the peaks, every row is there once
// and says why if it has no prediction, and the targets are met.
func TestPublishedLaws(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range tables.Published() {
		assert.False(t, seen[r.ID], r.ID)
		seen[r.ID] = true
		assert.Equal(t, r.Predicted == 0, r.Why != "", r.ID)
		assert.LessOrEqual(t, r.Bound, 1.0, "%s is faster than the GPU's peaks allow", r.ID)
		if r.Published > 0 {
			assert.InDelta(t, r.Predicted/r.Published-1, r.Off, 1e-3, r.ID)
		}
		assert.True(t, strings.HasPrefix(r.Source, "https://") || r.Source == "", r.ID)
	}
	for _, g := range tables.PublishedGroups() {
		if g.Target > 0 {
			assert.LessOrEqual(t, g.MAPE, g.Target, g.Name)
		}
	}
	f := planner.PublishedFit()
	assert.LessOrEqual(t, f.DenseLeftOutFrac, 0.15)
	assert.Len(t, f.Free, len(freeDense)+len(freeExperts))
}

// TestNelderMead finds a minimum that is known (Rosenbrock's valley).
func TestNelderMead(t *testing.T) {
	x := []float64{-1.2, 1}
	for range 3 {
		x = nelderMead(func(x []float64) float64 { return 100*math.Pow(x[1]-x[0]*x[0], 2) + math.Pow(1-x[0], 2) }, x, 0.3)
	}
	assert.InDelta(t, 1, x[0], 1e-3)
	assert.InDelta(t, 1, x[1], 1e-3)
}
