package tables_test

import (
	"bufio"
	"bytes"
	"cmp"
	"container/list"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/tables"
)

// The derived figures of published traces. The files are not kept in this
// repository; where a folder shared/data with them lies beside it or above,
// TestTraces derives everything again and compares, and with -update it writes
// traces.gen.go.

const tracesGenerated = "traces.gen.go"

// readData reads a file of shared/data in the nearest folder above this one
// that has it.
func readData(name string) (raw []byte, err error) {
	for up := ".."; len(up) < len("../../../../../.."); up += "/.." {
		raw, err = os.ReadFile(filepath.Join(up, "shared/data", name))
		if err == nil {
			break
		}
	}
	return raw, err
}

// row is one request of a trace.
type row struct {
	at             float64 // seconds
	prompt, output int
	blocks         []int64
}

// source says where a trace comes from and how its file is read.
type source struct {
	about tables.Trace
	file  string
	read  func([]byte) ([]row, error)
}

func sources() []source {
	azure := tables.Trace{
		Dataset: "Azure/AzurePublicDataset", Commit: "b469a113cedca53ddc3bdea71a143dc4b7d8700c", License: "CC-BY-4.0",
		Credit: "Azure LLM inference trace 2023, Microsoft; Patel et al., Splitwise: Efficient Generative LLM Inference Using Phase Splitting, ISCA 2024",
	}
	with := func(t tables.Trace, name, file string) tables.Trace {
		t.Name, t.File = name, file
		return t
	}
	mooncake := tables.Trace{
		Dataset: "kvcache-ai/Mooncake", Commit: "3b5a594133958449a1feaf1c9e0fc1b553e34a28", License: "Apache-2.0",
		Credit: "Qin et al., Mooncake: Trading More Storage for Less Computation, FAST 2025",
	}
	return []source{
		{with(azure, "Azure 2023, conversation", "data/AzureLLMInferenceTrace_conv.csv"), "azure_llm_2023/AzureLLMInferenceTrace_conv.csv", readAzure},
		{with(azure, "Azure 2023, code", "data/AzureLLMInferenceTrace_code.csv"), "azure_llm_2023/AzureLLMInferenceTrace_code.csv", readAzure},
		{with(mooncake, "Mooncake, conversation", "FAST25-release/traces/conversation_trace.jsonl"), "mooncake/conversation_trace.jsonl", readMooncake},
	}
}

func readAzure(raw []byte) ([]row, error) {
	records, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
	if err != nil {
		return nil, err
	}
	var out []row
	var start time.Time
	for i, r := range records[1:] {
		at, err1 := time.Parse("2006-01-02 15:04:05.9999999", r[0])
		prompt, err2 := strconv.Atoi(r[1])
		output, err3 := strconv.Atoi(r[2])
		if err := errors.Join(err1, err2, err3); err != nil {
			return nil, err
		}
		if i == 0 {
			start = at
		}
		out = append(out, row{at: at.Sub(start).Seconds(), prompt: prompt, output: output})
	}
	return out, nil
}

func readMooncake(raw []byte) ([]row, error) {
	var out []row
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r struct {
			Timestamp    float64 `json:"timestamp"`
			InputLength  int     `json:"input_length"`
			OutputLength int     `json:"output_length"`
			HashIDs      []int64 `json:"hash_ids"`
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, err
		}
		out = append(out, row{r.Timestamp / 1000, r.InputLength, r.OutputLength, r.HashIDs})
	}
	return out, lines.Err()
}

// derive makes the table of one trace from its file.
func derive(s source, raw []byte) (tables.Trace, error) {
	t := s.about
	sum := sha256.Sum256(raw)
	t.SHA256 = hex.EncodeToString(sum[:])
	all, err := s.read(raw)
	if err != nil {
		return t, err
	}
	rows := slices.DeleteFunc(slices.Clone(all), func(r row) bool { return r.prompt < 1 || r.output < 1 })
	t.Requests, t.LeftOut = len(rows), len(all)-len(rows)
	t.Seconds = rows[len(rows)-1].at - rows[0].at
	t.PeakMinute = peakMinute(rows, t.Seconds)
	pairs := make([]tables.Pair, len(rows))
	for i, r := range rows {
		pairs[i] = tables.Pair{Prompt: int32(r.prompt), Output: int32(r.output)}
	}
	t.Full = momentsOf(pairs)
	t.Pairs = sample(pairs, t.Full)
	t.Sample = momentsOf(t.Pairs)
	if len(rows[0].blocks) > 0 {
		for _, tokens := range []int64{100e3, 200e3, 400e3, 800e3, 1.6e6, 3.2e6, 6.4e6, 12.8e6, 25.6e6, 51.2e6, 0} {
			t.Cache = append(t.Cache, tables.CacheRow{Tokens: tokens, Hit: rounded(hitShare(rows, tokens))})
		}
	}
	return t, nil
}

// peakMinute counts in whole minutes from the first request.
func peakMinute(rows []row, seconds float64) float64 {
	counts := make([]int, int(seconds/60)+1)
	for _, r := range rows {
		counts[int((r.at-rows[0].at)/60)]++
	}
	return rounded(float64(slices.Max(counts)) / (float64(len(rows)) / seconds * 60))
}

// rounded keeps five significant digits: enough for any page, and the same on
// every machine.
func rounded(x float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 5, 64), 64)
	return r
}

func momentsOf(pairs []tables.Pair) (m tables.Moments) {
	var squares, kv float64
	lengths := [2][]int32{}
	for _, p := range pairs {
		lengths[0] = append(lengths[0], p.Prompt)
		lengths[1] = append(lengths[1], p.Output)
		squares += float64(p.Prompt) * float64(p.Prompt)
		kv += float64(p.Output) * (float64(p.Prompt) + float64(p.Output)/2)
	}
	n := float64(len(pairs))
	m.PromptSquared, m.KVTime = rounded(squares/n), rounded(kv/n)
	for i, to := range []*[4]float64{&m.Prompt, &m.Output} {
		slices.Sort(lengths[i])
		sum := 0.0
		for _, x := range lengths[i] {
			sum += float64(x)
		}
		to[0] = rounded(sum / n)
		for j, q := range []float64{0.5, 0.9, 0.99} {
			to[1+j] = float64(lengths[i][int(math.Ceil(q*n))-1])
		}
	}
	return m
}

// worst is the largest relative error of a sample in any of those numbers.
func worst(full, sample tables.Moments) float64 {
	f, s := full.Numbers(), sample.Numbers()
	out := 0.0
	for i := range f {
		out = max(out, math.Abs(s[i]-f[i])/f[i])
	}
	return out
}

// sample takes one real row from each of MaxPairs equal parts of the rows in
// order of prompt: in part k the row whose answer has rank u(k) within the part,
// where u is van der Corput's sequence, shifted. Neighboring parts thus take
// answers from all over their range. Of 1,000 shifts the one that comes nearest
// to the trace in all its moments is kept.
func sample(pairs []tables.Pair, full tables.Moments) []tables.Pair {
	rows := slices.Clone(pairs)
	slices.SortStableFunc(rows, func(a, b tables.Pair) int { return cmp.Compare(a.Prompt, b.Prompt) })
	for k := range tables.MaxPairs {
		slices.SortStableFunc(part(rows, k), func(a, b tables.Pair) int { return cmp.Compare(a.Output, b.Output) })
	}
	var best []tables.Pair
	least := math.Inf(1)
	for shift := range 1000 {
		out := make([]tables.Pair, tables.MaxPairs)
		for k := range out {
			_, u := math.Modf(corput(k) + float64(shift)/1000)
			p := part(rows, k)
			out[k] = p[int(u*float64(len(p)))]
		}
		if e := worst(full, momentsOf(out)); e < least {
			best, least = out, e
		}
	}
	return best
}

// part is the k-th of MaxPairs equal parts.
func part(rows []tables.Pair, k int) []tables.Pair {
	return rows[k*len(rows)/tables.MaxPairs : (k+1)*len(rows)/tables.MaxPairs]
}

// corput is van der Corput's sequence in base 2: the bits of k, mirrored.
func corput(k int) float64 {
	x := 0.0
	for place := 0.5; k > 0; place /= 2 {
		x += place * float64(k&1)
		k >>= 1
	}
	return x
}

const blockTokens = 512

// hitShare is the share of prompt tokens that an LRU cache of blocks finds.
func hitShare(rows []row, tokens int64) float64 {
	size := int(tokens / blockTokens)
	order := list.New() // front: used last
	place := map[int64]*list.Element{}
	var found, asked int
	for _, r := range rows {
		asked += r.prompt
		hits := 0
		for hits < len(r.blocks) && place[r.blocks[hits]] != nil {
			hits++
		}
		found += min(hits*blockTokens, r.prompt)
		// From the end, so that the beginning, which others share, is used last.
		for _, b := range slices.Backward(r.blocks) {
			if e := place[b]; e != nil {
				order.MoveToFront(e)
			} else {
				place[b] = order.PushFront(b)
			}
			if tokens > 0 && order.Len() > size {
				last := order.Back()
				delete(place, last.Value.(int64))
				order.Remove(last)
			}
		}
	}
	return float64(found) / float64(asked)
}

func TestTraces(t *testing.T) {
	var derived []tables.Trace
	for _, s := range sources() {
		raw, err := readData(s.file)
		if errors.Is(err, fs.ErrNotExist) {
			t.Skipf("not checked against the trace itself: %s is not there (%s of %s)", s.file, s.about.File, s.about.Dataset)
		}
		require.NoError(t, err)
		d, err := derive(s, raw)
		require.NoError(t, err)
		derived = append(derived, d)
	}
	if *update {
		require.NoError(t, os.WriteFile(tracesGenerated, traceSource(derived), 0o644))
		t.Skip("traces written; run the test again without -update")
	}
	assert.Equal(t, derived, tables.Traces())
}

// traceSource writes the tables as Go.
func traceSource(traces []tables.Trace) []byte {
	var b strings.Builder
	b.WriteString("// Code generated by TestTraces -update. DO NOT EDIT.\n\npackage tables\n\n")
	b.WriteString("// Derived from the traces named below, each under its own license; the rows of\n// Pairs are rows of the trace, chosen by rank.\nvar traces = []Trace{\n")
	for _, t := range traces {
		fmt.Fprintf(&b, "{\nName: %q,\nDataset: %q,\nCommit: %q,\nFile: %q,\nSHA256: %q,\nLicense: %q,\nCredit: %q,\n",
			t.Name, t.Dataset, t.Commit, t.File, t.SHA256, t.License, t.Credit)
		fmt.Fprintf(&b, "Requests: %d, LeftOut: %d, Seconds: %v, PeakMinute: %v,\n", t.Requests, t.LeftOut, t.Seconds, t.PeakMinute)
		fmt.Fprintf(&b, "Full: %s,\nSample: %s,\n", momentSource(t.Full), momentSource(t.Sample))
		b.WriteString("Pairs: []Pair{\n")
		for i, p := range t.Pairs {
			fmt.Fprintf(&b, "{%d, %d},", p.Prompt, p.Output)
			if i%10 == 9 {
				b.WriteByte('\n')
			}
		}
		b.WriteString("},\n")
		if len(t.Cache) > 0 {
			b.WriteString("Cache: []CacheRow{\n")
			for _, c := range t.Cache {
				fmt.Fprintf(&b, "{%d, %v},\n", c.Tokens, c.Hit)
			}
			b.WriteString("},\n")
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	out, err := format.Source([]byte(b.String()))
	if err != nil {
		panic(err)
	}
	return out
}

func momentSource(m tables.Moments) string {
	four := func(v [4]float64) string { return fmt.Sprintf("[4]float64{%v, %v, %v, %v}", v[0], v[1], v[2], v[3]) }
	return fmt.Sprintf("Moments{Prompt: %s, Output: %s, PromptSquared: %v, KVTime: %v}", four(m.Prompt), four(m.Output), m.PromptSquared, m.KVTime)
}

// The samples stand for their traces, without the files: 200 rows, the moments
// as stated, and no stated moment off by more than the bound.
func TestTraceSamples(t *testing.T) {
	bounds := map[string]float64{
		"Azure 2023, conversation": 0.015,
		"Azure 2023, code":         0.04,
		"Mooncake, conversation":   0.03,
	}
	for _, tr := range tables.Traces() {
		assert.Len(t, tr.Pairs, tables.MaxPairs, tr.Name)
		assert.Equal(t, momentsOf(tr.Pairs), tr.Sample, tr.Name)
		e := worst(tr.Full, tr.Sample)
		assert.LessOrEqual(t, e, bounds[tr.Name], tr.Name)
		for i := 1; i < len(tr.Cache); i++ {
			assert.GreaterOrEqual(t, tr.Cache[i].Hit, tr.Cache[i-1].Hit, tr.Name)
		}
	}
}

// The cache rule on a case that can be done by hand.
func TestHitShare(t *testing.T) {
	rows := []row{
		{prompt: 1024, blocks: []int64{1, 2}},
		{prompt: 1000, blocks: []int64{1, 3}},    // finds 1
		{prompt: 1536, blocks: []int64{9, 1, 2}}, // finds nothing: the first block differs
		{prompt: 1000, blocks: []int64{1, 3}},    // finds both, the second one cut
	}
	assert.InDelta(t, (512+1000)/4560.0, hitShare(rows, 0), 1e-12)
	// Two blocks: 2 then 1; 1 is found, 3 drives 2 out; 9, 1, 2 leave 1, 9, of
	// which the fourth request finds 1.
	assert.InDelta(t, (512+512)/4560.0, hitShare(rows, 2*512), 1e-12)
}
