package scrape

import "strings"

// Paste is a text, line by line. Every line is counted in exactly one of the
// counts.
type Paste struct {
	Lines         int
	Blank         int
	Comments      int // # HELP, # TYPE and the like
	Own           int // series of the engine and of the few others that are read
	Other         int // well-formed series of other exporters: not read
	Figures       int // lines of a log that carry figures
	Plain         int // other lines of a log
	Headers       int // of HTTP, and lines that are nothing but an instant
	NotUnderstood int

	Problems []Problem // the first MaxProblems of the lines not understood

	// Pages are the scrapes in it: where a series comes a second time another
	// begins.
	Pages []*Page
	Again string // the first series that came a second time, "" if none did

	// At are the instants that the text itself gives, unix seconds, in order.
	At []float64

	events []event
}

// Parse reads a text. Only a text that passes a limit is an error; whatever
// is not understood is counted and listed.
func Parse(text string) (*Paste, error) {
	if len(text) > MaxBytes {
		return nil, &LimitError{What: "bytes", Got: len(text), Most: MaxBytes}
	}
	r := reader{p: new(Paste)}
	end := len(strings.TrimRight(text, " \t\r\n"))
	for rest, more := text, text != ""; more; {
		var line string
		line, rest, more = strings.Cut(rest, "\n")
		if line == "" && !more {
			break // what ends the last line does not begin another
		}
		r.p.Lines++
		r.last = !more
		r.end = len(text)-len(rest) >= end
		if r.p.Lines > MaxLines {
			return nil, &LimitError{What: "lines", Got: r.p.Lines, Most: MaxLines, Line: r.p.Lines}
		}
		r.line(line)
		if r.p.Figures > MaxFigures {
			return nil, &LimitError{What: "log lines with figures", Got: r.p.Figures, Most: MaxFigures, Line: r.p.Lines}
		}
		if r.p.Own > MaxSeries {
			return nil, &LimitError{What: "series", Got: r.p.Own, Most: MaxSeries, Line: r.p.Lines}
		}
	}
	for _, g := range r.p.Pages {
		g.finish()
	}
	return r.p, nil
}

// reader keeps what Parse knows between lines.
type reader struct {
	p    *Paste
	page *Page
	seen map[string]struct{} // series of the page so far
	dots bool                // its numbers are written with a point or an exponent
	last bool                // the line that no newline ends
	end  bool                // the last line that is not blank
	year float64             // what a log without years has passed, in seconds
	from float64             // its instant before, to see the new year
}

func (r *reader) problem(was, legal string) {
	r.p.NotUnderstood++
	if len(r.p.Problems) < MaxProblems {
		r.p.Problems = append(r.p.Problems, Problem{Line: r.p.Lines, Was: clip(was), Legal: legal})
	}
}

const anything = "a series, a line of the engine's log, a comment or a blank line"

func (r *reader) line(raw string) {
	if len(raw) > MaxLineBytes {
		r.problem(raw[:80], "a line of at most 65536 bytes")
		return
	}
	line := strings.TrimSpace(plain(raw))
	switch {
	case line == "":
		r.p.Blank++
	case r.comment(line):
	case ours(line):
		r.sample(line)
	case r.logged(line):
	case r.header(line):
	default:
		r.sample(line)
	}
}

// ours says that the line begins as a series of the engine.
func ours(line string) bool {
	for _, p := range [...]string{"vllm:", "sglang:", "vllm_", "sglang_"} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return false
}

// kept says whether a series is read: the engine's own, and the few others.
func kept(name string) bool {
	if strings.HasPrefix(name, "vllm:") || strings.HasPrefix(name, "sglang:") {
		return true
	}
	_, ok := FindMetric(name)
	return ok
}

// comment takes a comment line of the exposition format. A log line may begin
// with # too (a cut "# GPU blocks: 100").
func (r *reader) comment(line string) bool {
	if line[0] != '#' || strings.HasPrefix(line, gpuBlocks) {
		return false
	}
	words := strings.Fields(line[1:])
	if len(words) > 0 && words[0] == "TYPE" {
		if len(words) != 3 {
			r.problem(line, "# TYPE name kind")
			return true
		}
		switch words[2] {
		case "counter", "gauge", "histogram", "summary", "untyped", "unknown", "info", "stateset", "gaugehistogram":
			r.open()
			r.page.types[ownName(words[1])] = words[2]
		default:
			r.problem(line, "counter, gauge, histogram, summary or untyped as kind")
			return true
		}
	}
	r.p.Comments++
	return true
}

func (r *reader) open() {
	if r.page == nil {
		r.page = &Page{types: map[string]string{}}
		r.seen = map[string]struct{}{}
		r.dots = false
		r.p.Pages = append(r.p.Pages, r.page)
	}
}

// sample takes a line that should be a series.
func (r *reader) sample(line string) {
	s, at, legal := parseSample(line)
	if legal != "" {
		if !ours(line) && looksLogged(line) {
			r.p.Plain++
			return
		}
		if !ours(line) && s.Labels == nil {
			at, legal = line, anything
		}
		r.problem(at, legal)
		return
	}
	if !kept(s.Name) {
		r.p.Other++
		return
	}
	number := line[max(strings.LastIndexByte(line, '}'), strings.IndexAny(line, " \t"), 0):]
	dots := strings.ContainsAny(number, ".eN")
	r.open()
	if r.last && r.dots && !dots {
		r.problem(line, "a whole number as the others here, 12.0: the text seems to end inside it")
		return
	}
	r.dots = r.dots || dots
	s.Line = r.p.Lines
	key := s.Name + "\x00" + s.rest
	if s.isLE {
		key += s.Label("le")
	}
	if _, again := r.seen[key]; again {
		if r.p.Again == "" {
			r.p.Again = s.Name
		}
		r.page = nil
		r.open()
	}
	r.seen[key] = struct{}{}
	r.page.samples = append(r.page.samples, s)
	r.p.Own++
}

// header takes the lines of an HTTP response and instants.
func (r *reader) header(line string) bool {
	line = strings.TrimPrefix(line, "< ") // curl -v
	if t, ok := timeLine(line); ok {
		r.p.Headers++
		r.p.At = append(r.p.At, t)
		return true
	}
	if strings.HasPrefix(line, "HTTP/") {
		r.p.Headers++
		return true
	}
	name, value, ok := strings.Cut(line, ": ")
	if !ok || strings.HasPrefix(value, "0x") {
		return false
	}
	switch strings.ToLower(name) {
	case "date":
		if t, ok := httpDate(value); ok {
			r.p.At = append(r.p.At, t)
		}
	case "content-type", "content-length", "server", "connection", "transfer-encoding", "vary", "content-encoding", "cache-control", "location":
	default:
		return false
	}
	r.p.Headers++
	return true
}

// looksLogged says that a line without figures is still one of a log: it names
// a level, or has an instant.
func looksLogged(line string) bool {
	head := line[:min(len(line), 120)]
	for _, level := range [...]string{"INFO", "WARNING", "ERROR", "DEBUG", "CRITICAL", "Traceback", "pid="} {
		if strings.Contains(head, level) {
			return true
		}
	}
	_, _, ok := lastStamp(head)
	return ok
}
