package scrape

import "strconv"

// Limits keep a paste from taking the page's time or memory. Work is linear in
// the text, but for the sorting of series; the series are looked through once
// for each quantity and each replica.
const (
	MaxBytes     = 8 << 20  // of one text
	MaxLines     = 200_000  // of one text
	MaxSeries    = 50_000   // of one text, those of other exporters not counted
	MaxLineBytes = 64 << 10 // a longer line (a logged prompt) is counted and not looked at
	MaxLabels    = 64       // of one series
	MaxFigures   = 20_000   // lines of a log that carry figures
	MaxStates    = 500_000  // instants of a log times engines
	MaxGroups    = 256      // models times replicas
	MaxProblems  = 20       // lines listed; all are counted
	MaxSeconds   = 366 * 86400.0
)

// LimitError says that a text is too large to be read.
type LimitError struct {
	What string // "bytes", "lines", "series", "replicas"
	Got  int
	Most int
	Line int // where it was passed; 0 if that is not a line
}

// Error implements error.
func (e *LimitError) Error() string {
	where := ""
	if e.Line > 0 {
		where = "line " + strconv.Itoa(e.Line) + ": "
	}
	return where + strconv.Itoa(e.Got) + " " + e.What + "; legal: at most " + strconv.Itoa(e.Most)
}

// InputError says that a text, or what was said about it, cannot be used.
type InputError struct {
	Part  string // "text", "second scrape", "seconds"
	Was   string
	Legal string
}

// Error implements error.
func (e *InputError) Error() string { return e.Part + " is " + e.Was + "; legal: " + e.Legal }

// Problem is a line that was not understood.
type Problem struct {
	Line  int    // from 1
	Was   string // its beginning, at most 60 bytes, or the part that is wrong
	Legal string // what could have stood there
}

// String is the problem as a sentence.
func (p Problem) String() string {
	return "line " + strconv.Itoa(p.Line) + ": " + strconv.Quote(p.Was) + "; legal: " + p.Legal
}

// clip shortens s for a message, at the border of a character.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	n := most
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "..."
}
