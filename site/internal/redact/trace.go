package redact

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Row is one request of a trace.
type Row struct {
	At      float64 // ms, from any origin
	Input   int     // tokens
	Output  int
	Blocks  []string // names of the blocks that the prompt begins with; nil if the trace has none
	Session string   // "" if the trace names none
}

// Trace is rows in the order of arrival.
type Trace struct {
	Rows    []Row
	Form    string   // "jsonl" or "csv"
	Dropped []string // fields that were there and are not read
	Sorted  bool     // rows were not in order and have been put into it

	// Of a sample that takes a share of the sessions: how many it keeps, and of
	// how many. Both are 0 for any other.
	Kept, Sessions int
}

const (
	maxLength = 1 << 24 // tokens of a prompt or an answer
	maxLine   = 64 << 20
)

// Read reads a trace of either form, told by its first byte.
func Read(in io.Reader) (*Trace, error) {
	r := bufio.NewReaderSize(in, 1<<16)
	var first byte
	for {
		c, err := r.ReadByte()
		if errors.Is(err, io.EOF) {
			return nil, errors.New("the trace is empty")
		}
		if err != nil {
			return nil, err
		}
		if first = c; strings.IndexByte(" \t\r\n\ufeff", c) < 0 && c < 0x80 {
			break
		}
	}
	if err := r.UnreadByte(); err != nil {
		return nil, err
	}
	t, err := (*Trace)(nil), error(nil)
	if first == '{' {
		t, err = readJSONL(r)
	} else {
		t, err = readCSV(r)
	}
	if err != nil {
		return nil, err
	}
	if len(t.Rows) == 0 {
		return nil, errors.New("the trace has no requests")
	}
	byTime := func(a, b Row) int {
		switch {
		case a.At < b.At:
			return -1
		case a.At > b.At:
			return 1
		}
		return 0
	}
	if !slices.IsSortedFunc(t.Rows, byTime) {
		slices.SortStableFunc(t.Rows, byTime)
		t.Sorted = true
	}
	return t, nil
}

// sessionFields may name the session of a request; the first that is there counts.
var sessionFields = []string{"session_id", "conversation_id", "chat_id"}

func readJSONL(in io.Reader) (*Trace, error) {
	t := &Trace{Form: "jsonl"}
	parents := map[string]string{} // of chats that go on: the session that they belong to
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(line, &fields); err != nil {
			return nil, fmt.Errorf("line %d is no JSON object: %w", n, err)
		}
		row, err := t.row(fields)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if parent := word(fields["parent_chat_id"]); parent != "" && parent != "-1" && row.Session != "" {
			if root, ok := parents[parent]; ok {
				parent = root
			}
			parents[row.Session], row.Session = parent, parent
		}
		t.Rows = append(t.Rows, row)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading the trace: %w", err)
	}
	return t, nil
}

func (t *Trace) row(fields map[string]json.RawMessage) (row Row, err error) {
	if row.At, err = millis(fields["timestamp"]); err != nil {
		return row, err
	}
	if row.Input, err = tokens("input_length", string(fields["input_length"])); err != nil {
		return row, err
	}
	if row.Output, err = tokens("output_length", string(fields["output_length"])); err != nil {
		return row, err
	}
	if raw, ok := fields["hash_ids"]; ok {
		var ids []json.RawMessage
		if err := json.Unmarshal(raw, &ids); err != nil {
			return row, errors.New("hash_ids is no list")
		}
		row.Blocks = make([]string, len(ids))
		for i, id := range ids {
			row.Blocks[i] = word(id)
		}
	}
	for _, name := range sessionFields {
		if s := word(fields[name]); s != "" {
			row.Session = s
			break
		}
	}
	known := append([]string{"timestamp", "input_length", "output_length", "hash_ids", "parent_chat_id", "turn"}, sessionFields...)
	for name := range fields {
		if !slices.Contains(known, name) && !slices.Contains(t.Dropped, name) {
			t.Dropped = append(t.Dropped, name)
			slices.Sort(t.Dropped)
		}
	}
	return row, nil
}

// word is a JSON string or number as text; "" for none.
func word(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return strings.TrimSpace(string(raw))
}

func millis(raw json.RawMessage) (float64, error) {
	x, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("timestamp is %q; it is a number of milliseconds", clip(string(raw)))
	}
	return x, nil
}

func tokens(name, s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 0 || n > maxLength {
		return 0, fmt.Errorf("%s is %q; it is a whole number of tokens, 0 to %d", name, clip(s), maxLength)
	}
	return n, nil
}

// clip keeps what is quoted in a message short.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

func readCSV(in io.Reader) (*Trace, error) {
	r := csv.NewReader(in)
	r.FieldsPerRecord = -1
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("reading the head of the trace: %w", err)
	}
	at, input, output := -1, -1, -1
	t := &Trace{Form: "csv"}
	for i, name := range head {
		switch strings.Trim(name, " \ufeff") {
		case "TIMESTAMP":
			at = i
		case "ContextTokens":
			input = i
		case "GeneratedTokens":
			output = i
		default:
			t.Dropped = append(t.Dropped, name)
		}
	}
	if at < 0 || input < 0 || output < 0 {
		return nil, errors.New("the trace is neither JSONL nor CSV with the columns TIMESTAMP, ContextTokens and GeneratedTokens")
	}
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading the trace: %w", err)
		}
		line, _ := r.FieldPos(0)
		if len(fields) <= max(at, input, output) {
			return nil, fmt.Errorf("line %d has %d fields, too few", line, len(fields))
		}
		var row Row
		if row.At, err = stamp(fields[at]); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if row.Input, err = tokens("ContextTokens", fields[input]); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if row.Output, err = tokens("GeneratedTokens", fields[output]); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		t.Rows = append(t.Rows, row)
	}
}

// stamp reads a time as Azure writes it, in 2023 and with a zone in 2024, or a
// number of seconds.
func stamp(s string) (float64, error) {
	s = strings.TrimSpace(s)
	for _, layout := range []string{"2006-01-02 15:04:05.9999999", "2006-01-02 15:04:05.9999999Z07:00", time.RFC3339Nano} {
		if at, err := time.Parse(layout, s); err == nil {
			return float64(at.UnixNano()/100) / 1e4, nil
		}
	}
	if x, err := strconv.ParseFloat(s, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return 1000 * x, nil
	}
	return 0, fmt.Errorf("TIMESTAMP is %q; it is a time such as 2023-11-16 18:15:46.6805900, or seconds", clip(s))
}
