package redact

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var salt = []byte("a salt that no one would guess")

// made is half an hour of conversations that all begin with one system prompt:
// turns share what came before, chats come several at once, and ten times as often
// for 20 s out of 120.
func made(t testing.TB, named bool) *Trace {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 11))
	var rows []Row
	block, chat := 70_000_000, 0
	for at := 0.0; at < 1200e3; {
		rate := 0.2
		if int(at/20e3)%6 == 0 {
			rate = 2
		}
		at += r.ExpFloat64() / rate * 1000
		for range 1 + r.IntN(9) {
			chat++
			blocks, turn := []string{"1", "2"}, at+r.Float64()*20
			for range 1 + r.IntN(5) {
				for range 2 + r.IntN(4) {
					block++
					blocks = append(blocks, strconv.Itoa(block))
				}
				row := Row{At: turn, Input: 512 * len(blocks), Output: 1 + r.IntN(500), Blocks: slices.Clone(blocks)}
				if named {
					row.Session = fmt.Sprintf("chat-%d", chat)
				}
				rows = append(rows, row)
				turn += 2e3 + r.ExpFloat64()*5e3
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(a.At, b.At) })
	return &Trace{Rows: rows, Form: "jsonl"}
}

// shared is the length of the common front of two prompts.
func shared(a, b []string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// TestStretchesAreWhole: between the first and the last second of a stretch
// every request is there, with its lengths, its gaps and what it shares.
func TestStretchesAreWhole(t *testing.T) {
	trace := made(t, false)
	out, err := Redact(trace, Options{Salt: salt, Window: 240, Windows: 1, Share: 1})
	require.NoError(t, err)
	first := slices.IndexFunc(trace.Rows, func(r Row) bool {
		return r.Input == out.Rows[0].Input && r.Output == out.Rows[0].Output && sameRun(trace.Rows, r, out.Rows)
	})
	require.GreaterOrEqual(t, first, 0, "the sample is no stretch of the trace")
	was := trace.Rows[first : first+len(out.Rows)]
	assert.Greater(t, trace.Rows[first+len(out.Rows)].At-was[0].At, 230e3, "requests are missing at the end")
	for i := range was {
		require.Equal(t, was[i].Input, out.Rows[i].Input)
		require.InDelta(t, was[i].At-was[0].At, out.Rows[i].At, 1e-6)
		require.Len(t, out.Rows[i].Blocks, len(was[i].Blocks))
		for k := max(0, i-20); k < i; k++ {
			require.Equal(t, shared(was[i].Blocks, was[k].Blocks), shared(out.Rows[i].Blocks, out.Rows[k].Blocks), "rows %d and %d", k, i)
		}
	}
	before, after := Measure(was), Measure(out.Rows)
	assert.InDelta(t, before.Reuse, after.Reuse, 0, "reuse is the same to the block")
	assert.InDelta(t, before.GapCV, after.GapCV, 1e-9, "and so are the gaps")
}

// sameRun says whether the sample follows the trace from this row on.
func sameRun(rows []Row, from Row, sample []Row) bool {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.At == from.At && r.Output == from.Output })
	for k := range min(20, len(sample)) {
		if i+k >= len(rows) || rows[i+k].Input != sample[k].Input || rows[i+k].Output != sample[k].Output {
			return false
		}
	}
	return true
}

// TestBurstsAndReuseSurvive: stretches of the trace are as bursty as all of it and
// reuse as much; a quarter of its sessions keeps the rhythm and reuses as much. A
// quarter of its requests, taken one by one, has none of that: that is why they are
// never taken so.
func TestBurstsAndReuseSurvive(t *testing.T) {
	for seed := range 4 {
		trace := made(t, true)
		s := append([]byte{byte(seed)}, salt...)
		whole := Measure(trace.Rows)
		require.Greater(t, whole.GapCV, 1.3, "the trace is no test: it has no bursts")
		require.Greater(t, whole.Reuse, 0.5)

		windows, err := Redact(trace, Options{Salt: s, Window: 240, Windows: 2, Share: 1})
		require.NoError(t, err)
		w := Measure(windows.Rows)
		assert.InDelta(t, whole.GapCV, w.GapCV, 0.2*whole.GapCV)
		assert.InDelta(t, whole.Rate, w.Rate, 0.35*whole.Rate)
		assert.InDelta(t, whole.Reuse, w.Reuse, 0.05)

		sessions, err := Redact(trace, Options{Salt: s, Windows: 1, Share: 0.25})
		require.NoError(t, err)
		q := Measure(sessions.Rows)
		assert.Greater(t, q.GapCV, 1.15, "more bursty than Poisson, as the trace is")
		assert.InDelta(t, 0.25, float64(q.Requests)/float64(whole.Requests), 0.03)
		assert.InDelta(t, whole.Reuse, q.Reuse, 0.03)
		assert.InDelta(t, whole.Peak, q.Peak, 0.25*whole.Peak, "the rhythm of the day")

		r := rand.New(rand.NewPCG(uint64(seed), 3))
		thinned := slices.DeleteFunc(slices.Clone(trace.Rows), func(Row) bool { return r.Float64() > 0.25 })
		thin := Measure(thinned)
		assert.Less(t, thin.Reuse, whole.Reuse-0.1, "thinning costs reuse; if not, this test says nothing")
		assert.Less(t, thin.GapCV, whole.GapCV-0.1)
	}
}

// TestSessionsAreWhole: of each session all requests are kept, or none, and its
// name is another one.
func TestSessionsAreWhole(t *testing.T) {
	trace := made(t, true)
	out, err := Redact(trace, Options{Salt: salt, Windows: 1, Share: 0.3})
	require.NoError(t, err)
	count := func(rows []Row) map[string]int {
		by := map[string]int{}
		for _, r := range rows {
			by[r.Session]++
		}
		return by
	}
	was, is := count(trace.Rows), count(out.Rows)
	renamed := map[string]string{}
	for name := range was {
		renamed[keyed(salt).name("session", name)] = name
	}
	for name, n := range is {
		require.Equal(t, was[renamed[name]], n, name)
		require.NotContains(t, was, name)
	}
	assert.InDelta(t, 0.3, float64(len(is))/float64(len(was)), 0.03)
}

// TestSessionsByPrefix: where nobody names them, sessions are found by what
// prompts begin with, and a system prompt joins nobody.
func TestSessionsByPrefix(t *testing.T) {
	named := made(t, true)
	bare := slices.Clone(named.Rows)
	for i := range bare {
		bare[i].Session = ""
	}
	of, err := Sessions(bare)
	require.NoError(t, err)
	names := map[string]string{}
	for i, row := range named.Rows {
		if was, ok := names[of[i]]; ok {
			require.Equal(t, was, row.Session)
		}
		names[of[i]] = row.Session
	}
	sessions := map[string]bool{}
	for _, row := range named.Rows {
		sessions[row.Session] = true
	}
	assert.Len(t, names, len(sessions))
}

// TestSalt: the same salt gives the same bytes, another one other hashes and
// another choice, and no old hash is left.
func TestSalt(t *testing.T) {
	trace := made(t, true)
	write := func(salt []byte) string {
		out, err := Redact(trace, Options{Salt: salt, Windows: 1, Share: 0.5})
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, out.Write(&b))
		return b.String()
	}
	one, other := write(salt), write([]byte("another salt of enough bytes"))
	assert.Equal(t, one, write(salt))
	assert.NotEqual(t, one, other)
	mine := map[string]bool{}
	for _, f := range strings.FieldsFunc(one, func(r rune) bool { return r < '0' || r > '9' }) {
		if len(f) >= 8 {
			mine[f] = true
		}
	}
	both := 0
	for _, f := range strings.FieldsFunc(other, func(r rune) bool { return r < '0' || r > '9' }) {
		if mine[f] {
			both++
		}
	}
	assert.Zero(t, both, "hashes of two salts have something in common")
	for _, row := range trace.Rows[:200] {
		last := row.Blocks[len(row.Blocks)-1]
		assert.False(t, mine[last], "%s, a hash of the trace, is in the sample", last)
	}
	assert.False(t, strings.Contains(one, "chat-"))
	assert.False(t, strings.Contains(one, string(salt)))
}

// TestRoundTrip: what is written reads back as the same.
func TestRoundTrip(t *testing.T) {
	for _, form := range []string{"jsonl", "csv"} {
		trace := made(t, form == "jsonl")
		trace.Form = form
		if form == "csv" {
			for i := range trace.Rows {
				trace.Rows[i].Blocks = nil
			}
		}
		out, err := Redact(trace, Options{Salt: salt, Window: 300, Windows: 2, Share: 1, Gaps: true})
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, out.Write(&b))
		again, err := Read(&b)
		require.NoError(t, err)
		require.Len(t, again.Rows, len(out.Rows))
		assert.False(t, again.Sorted)
		assert.Empty(t, again.Dropped)
		for i, row := range out.Rows {
			got := again.Rows[i]
			require.InDelta(t, row.At, got.At-again.Rows[0].At, 1e-3)
			row.At, got.At = 0, 0
			require.Equal(t, row, got)
		}
	}
}

// TestSessionsOfOne: where nearly every session is a request by itself, a share of
// them would be a share of the requests. It is refused with the numbers, for a made
// trace and for the real one, whose bursts it would cost.
func TestSessionsOfOne(t *testing.T) {
	alone := func(trace *Trace) *Trace { // the first request of each chat, and every second one's next
		seen, out := map[string]int{}, &Trace{Form: "jsonl"}
		for _, row := range trace.Rows {
			if n := seen[row.Session]; n == 0 || n == 1 && len(row.Session)%2 == 0 {
				out.Rows = append(out.Rows, row)
			}
			seen[row.Session]++
		}
		return out
	}
	for _, named := range []bool{true, false} {
		trace := alone(made(t, true))
		for i := range trace.Rows {
			if !named {
				trace.Rows[i].Session = ""
			}
		}
		of, err := Sessions(trace.Rows)
		require.NoError(t, err)
		slices.Sort(of)
		sessions := len(slices.Compact(of))
		_, err = Redact(trace, Options{Salt: salt, Windows: 1, Share: 0.25})
		require.ErrorContains(t, err, fmt.Sprintf("%d requests make %d sessions", len(trace.Rows), sessions))
		require.ErrorContains(t, err, "take windows of time (-window) instead")
		_, err = Redact(trace, Options{Salt: salt, Windows: 1, Share: 1})
		require.NoError(t, err, "all of them is no share")
		_, err = Redact(trace, Options{Salt: salt, Window: 240, Windows: 1, Share: 0.5})
		require.Error(t, err, "nor is it better within a window")
	}
	whole := made(t, true)
	out, err := Redact(whole, Options{Salt: salt, Windows: 1, Share: 0.25})
	require.NoError(t, err)
	names := map[string]bool{}
	for _, row := range out.Rows {
		names[row.Session] = true
	}
	assert.Len(t, names, out.Kept)
	assert.InDelta(t, 0.25, float64(out.Kept)/float64(out.Sessions), 0.03)
}

// TestRealSessionsOfOne is TestSessionsOfOne for 250 requests of a published trace:
// sampled so, its bursts were gone. Windows keep them.
func TestRealSessionsOfOne(t *testing.T) {
	trace := readFile(t, filepath.Join(shelf(t, "cases"), "trace-mooncake-250", "trace.jsonl"))
	whole := Measure(trace.Rows)
	require.InDelta(t, 2.75, whole.GapCV, 0.01)
	for seed := range 5 {
		s := append([]byte{byte(seed)}, salt...)
		_, err := Redact(trace, Options{Salt: s, Windows: 1, Share: 0.25})
		require.ErrorContains(t, err, "250 requests make 237 sessions, 1.05 requests a session; below 2")
		out, err := Redact(trace, Options{Salt: s, Window: 30, Windows: 1, Share: 1})
		require.NoError(t, err)
		assert.Greater(t, Measure(out.Rows).GapCV, 2.2)
	}
}

// shelf is a folder of shared beside the repository or above it; without it the
// test is skipped.
func shelf(t *testing.T, name string) string {
	t.Helper()
	up := filepath.Join("..", "..", "..")
	for range 3 {
		up = filepath.Join(up, "..")
		if dir := filepath.Join(up, "shared", name); exists(dir) {
			return dir
		}
	}
	t.Skipf("the folder shared/%s is not here: only made traces were sampled", name)
	return ""
}

func exists(dir string) bool {
	_, err := os.Stat(dir)
	return err == nil
}

func readFile(t *testing.T, name string) *Trace {
	t.Helper()
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	trace, err := Read(f)
	require.NoError(t, err)
	return trace
}

// TestRealTraces: published traces, where they are at hand.
func TestRealTraces(t *testing.T) {
	data := shelf(t, "data")
	for name, o := range map[string]Options{
		"mooncake/conversation_trace.jsonl":              {Window: 1200, Windows: 1, Share: 1},
		"azure_llm_2023/AzureLLMInferenceTrace_code.csv": {Window: 900, Windows: 2, Share: 1},
		"azure_llm_2023/AzureLLMInferenceTrace_conv.csv": {Window: 600, Windows: 1, Share: 1},
	} {
		trace := readFile(t, filepath.Join(data, name))
		o.Salt = salt
		out, err := Redact(trace, o)
		require.NoError(t, err)
		whole, part := Measure(trace.Rows), Measure(out.Rows)
		assert.InDelta(t, whole.GapCV, part.GapCV, 0.35*whole.GapCV, name)
		assert.InDelta(t, whole.Input, part.Input, 0.25*whole.Input, name)
		t.Logf("%s\n  %v\n  %v", name, whole, part)
		if out.Rows[0].Blocks == nil {
			continue
		}
		assert.InDelta(t, whole.Reuse, part.Reuse, 0.12, "a stretch begins with a cold cache")
		_, err = Redact(trace, Options{Salt: salt, Windows: 1, Share: 0.25})
		require.ErrorContains(t, err, "12031 requests make 7373 sessions, 1.63 requests a session")
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"timestamp": 0, "input_length": 1, "output_length": 2, "hash_ids": [1, "x"], "chat_id": 3, "parent_chat_id": 2}`))
	f.Add([]byte("TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.9799600,4808,10"))
	f.Fuzz(func(t *testing.T, in []byte) {
		trace, err := Read(bytes.NewReader(in))
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		out, err := Redact(trace, Options{Salt: salt, Windows: 1, Share: 0.9})
		if err != nil {
			return
		}
		var b bytes.Buffer
		require.NoError(t, out.Write(&b))
		_, err = Read(&b)
		require.NoError(t, err, b.String())
	})
}
