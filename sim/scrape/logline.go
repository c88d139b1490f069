package scrape

import (
	"math"
	"strconv"
	"strings"
)

// Lines of a log are told apart by words inside them, so that whatever a
// collector puts in front does no harm. What stands behind a label is read up
// to where the number ends; a label that is not there leaves its field unknown.

// field is a figure of a log line.
type field uint8

const (
	fWaiting field = iota
	fRunning
	fSwapped
	fKV           // 0 to 1
	fHit          // 0 to 1, of the last 1,000 requests
	fPromptRate   // tokens/s
	fGenRate      // tokens/s
	fNewTokens    // computed in a prefill batch
	fCachedTokens // found in the cache
	fTokens       // held by the running
	fAcceptLength // as printed
	fAccepted     // tokens
	fDrafted      // tokens
	fEmitted      // tokens, V0
	fK            // drafts a step
	fRetracted    // requests
	fGained       // tokens freed by the retraction
	fRatioFrom
	fRatioTo
	fPreempted    // requests, in the interval, V1
	fPreemptTotal // since the start, V0
	fPoolTokens
	fPoolBlocks
	fEngines // of an aggregated line
	numFields
)

// kind is what sort of line it is.
type kind uint8

const (
	vllmStats kind = iota
	vllmDrafts
	vllmDraftsV0
	vllmPreempted
	vllmPool
	sglangDecode
	sglangPrefill
	sglangRetract
	sglangStart
)

// gauges says that the line carries the state of an engine.
func (k kind) gauges() bool { return k == vllmStats || k == sglangDecode || k == sglangPrefill }

func (k kind) sglang() bool { return k >= sglangDecode }

// event is a line with figures.
type event struct {
	kind  kind
	line  int
	at    float64 // seconds
	timed bool
	rank  string // "engine 0", "DP3"; empty if the line names none
	tp    int    // tensor-parallel rank, -1 if the line names none
	v     [numFields]float64
	bare  bool // the line ends in a digit

	process string // that wrote it, as far as the start of the line says
}

func (e *event) has(f field) bool { return e.v[f] == e.v[f] }

// markers tell the kinds of lines apart; the first that is in the line counts.
var markers = [...]struct {
	word  string
	kind  kind
	read  func(e *event, head, body string)
	legal string
}{
	{"Avg prompt throughput: ", vllmStats, readStats, "Avg prompt throughput: 1.0 tokens/s, ..., Running: 1 reqs, Waiting: 0 reqs, GPU KV cache usage: 1.0%"},
	{"SpecDecoding metrics: ", vllmDrafts, readDrafts, "SpecDecoding metrics: ..., Accepted: 1 tokens, Drafted: 4 tokens"},
	{"Speculative metrics: ", vllmDraftsV0, readDraftsV0, "Speculative metrics: ..., Number of draft tokens: 4, Number of emitted tokens: 2"},
	{"PreemptionMode.", vllmPreempted, readPreempted, "... is preempted by PreemptionMode.RECOMPUTE ... total_num_cumulative_preemption=1"},
	{"GPU KV cache size: ", vllmPool, readPool, "GPU KV cache size: 37,765 tokens"},
	{gpuBlocks, vllmPool, readBlocks, "# GPU blocks: 1000"},
	{"Decode batch", sglangDecode, readDecode, "Decode batch, #running-req: 1, #token: 1, token usage: 0.01, ..., #queue-req: 0"},
	{"Prefill batch", sglangPrefill, readPrefill, "Prefill batch, #new-seq: 1, #new-token: 1, #cached-token: 0, ..., #queue-req: 0"},
	{"Retract requests", sglangRetract, readRetract, "KV cache pool is full. Retract requests. #retracted_reqs: 1, #new_token_ratio: 0.1 -> 0.3"},
	{"max_total_num_tokens=", sglangStart, readStart, "max_total_num_tokens=1000, ..."},
}

const gpuBlocks = "# GPU blocks: "

// logged takes a line of the engine's log.
func (r *reader) logged(line string) bool {
	for i := range markers {
		m := &markers[i]
		at := strings.Index(line, m.word)
		if at < 0 {
			continue
		}
		e := event{kind: m.kind, line: r.p.Lines, tp: -1}
		for f := range e.v {
			e.v[f] = math.NaN()
		}
		m.read(&e, line[:at], line[at:])
		if empty(&e) {
			r.problem(line[at:], m.legal)
			return true
		}
		e.at, e.timed = r.instant(line[:at])
		e.process = processOf(line[:at])
		e.bare = digit(line[len(line)-1])
		if r.end && r.cut(&e) {
			r.problem(line[at:], "a line with all figures of the one before it: the text seems to end inside it")
			return true
		}
		r.p.Figures++
		r.p.events = append(r.p.events, e)
		return true
	}
	return false
}

// cut says that the last line of a text ends too early: a figure is missing that
// the line of its kind and engine before it has, or what stood behind its last digit.
func (r *reader) cut(e *event) bool {
	for i := len(r.p.events) - 1; i >= 0; i-- {
		old := &r.p.events[i]
		if old.kind != e.kind || old.rank != e.rank || old.process != e.process {
			continue
		}
		short := e.bare && !old.bare
		for _, f := range [...]field{fRunning, fWaiting, fKV, fHit, fDrafted, fK} {
			short = short || old.has(f) && !e.has(f)
		}
		return short
	}
	return false
}

func empty(e *event) bool {
	for f := range e.v {
		if e.has(field(f)) {
			return false
		}
	}
	return true
}

// instant reads the stamp of a line. A log without years that falls back by
// more than half a year has passed the new year.
func (r *reader) instant(head string) (float64, bool) {
	t, full, ok := lastStamp(head)
	if !ok {
		return 0, false
	}
	if !full {
		t += r.year
		if t < r.from-183*day {
			r.year += 366 * day
			t += 366 * day
		}
		r.from = t
	}
	return t, true
}

// after gives what stands behind a label that begins a word.
func after(s, label string) (string, bool) {
	for from := 0; ; {
		i := strings.Index(s[from:], label)
		if i < 0 {
			return "", false
		}
		i += from
		if i == 0 || s[i-1] == ' ' || s[i-1] == ',' || s[i-1] == '.' || s[i-1] == '(' {
			return s[i+len(label):], true
		}
		from = i + len(label)
	}
}

// number reads a number with digits, a point and separators of thousands; what
// is printed as nan or inf is unknown.
func number(s string) float64 {
	n := 0
	for n < len(s) && (digit(s[n]) || s[n] == '.' || s[n] == '-' && n == 0 || thousands(s, n)) {
		n++
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimRight(s[:n], "."), ",", ""), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// thousands says that s[n] is a comma between digits, three and no more of them behind it.
func thousands(s string, n int) bool {
	if s[n] != ',' || n == 0 || !digit(s[n-1]) {
		return false
	}
	_, three := digits(s, n+1, 3)
	return three && (n+4 >= len(s) || !digit(s[n+4]))
}

// put reads the number behind a label into a field; negative figures are none.
func (e *event) put(f field, body, label string) {
	rest, ok := after(body, label)
	if !ok {
		return
	}
	if v := number(rest); v >= 0 {
		e.v[f] = v
	}
}

// percent is put for a share in percent; above 100 it is none, nor without its sign.
func (e *event) percent(f field, body, label string) {
	if rest, ok := after(body, label); !ok || !strings.HasPrefix(strings.TrimLeft(rest, "0123456789."), "%") {
		return
	}
	e.put(f, body, label)
	if e.v[f] /= 100; e.v[f] > 1 {
		e.v[f] = math.NaN()
	}
}
