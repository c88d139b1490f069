package demo

// Figure says what a picture shows. The build turns it into a static chart
// with a table under it, the browser patches new data into the same chart;
// neither decides anything about its content.
//
// Exactly one of Series, Bits, Strips, Steps, Ranking and Traces is filled,
// according to Kind.
type Figure struct {
	ID    string // unique within the demo
	Title string // what is drawn, as a heading
	Alt   string // what can be seen now, in one or two sentences with numbers
	Kind  Kind

	// Beside puts the figure to the right of the one before it where there is
	// room for two; both are then drawn narrow. A range that they should share
	// is the demo's to give.
	Beside bool

	// Legend says that the points of the series are clouds, of which none is
	// the last: their names stand above the plot.
	Legend bool

	// Away says that there is nothing to show in this state: a page leaves the
	// figure out, and the summary says why. Paper figures are left out of the
	// screen, which has the same elsewhere, and stand on a printed page.
	Away, Paper bool

	// Pages say where what the figure counts with is from.
	Pages []Page

	X, Y   Axis
	Series []Series // fixed slots: the same ids in the same order in every state
	Bands  []Band
	Marks  []Mark

	Bits    []BitRow
	Strips  []Strip
	Steps   []Step
	Ranking Ranking

	Traces []Trace // over X, whose Min and Max are given, with Bands and Marks
	Dense  bool    // they are smaller, four in a row
	Cursor float64 // of Traces: the time at which the run stands; 0 is none

	Table Table    // the same content as text, at most 20 rows
	Notes []string // short remarks under the figure
}

// Page is a page of the site, by its path from the root: "data/gpus.html#l4".
type Page struct {
	Name, Path string
	Next       bool // what to do next rather than more about the numbers: on a line of its own, and first
}

// Anchor is an id as a file and an anchor on a page have it.
func Anchor(id string) string {
	b := []byte(id)
	for i, c := range b {
		if c == '.' || c == '_' {
			b[i] = '-'
		}
	}
	return string(b)
}

// Kind tells how a figure is drawn.
type Kind uint8

// The kinds of figure.
const (
	Chart  Kind = iota // axes and series
	Bits               // float32 values as bit patterns, aligned
	Strips             // rows of labeled cells, such as generated tokens
	Steps              // equations with their values, each of which opens
	Ranks              // rows in order, with bars and a reason
	Traces             // many small plots over one time axis
)

// Axis is one axis of a chart. Min and Max are the range to draw; both zero
// means that the data decide.
type Axis struct {
	Label  string
	Unit   string
	Min    float64
	Max    float64
	Log    bool
	Digits int      // significant digits of tick labels
	Names  []string // category labels; nil for a numeric axis
}

// Role is the meaning of a color. It never stands alone: each role has its
// own dash or marker too.
type Role uint8

// The roles.
const (
	Ink    Role = iota // the thing itself
	Soft               // context
	Open               // open loop (teal)
	Closed             // closed loop (amber)
	Bad                // what fails (red)
)

// Shape is how a series is drawn.
type Shape uint8

// The shapes.
const (
	Line Shape = iota
	StepLine
	Points
	Bars
	Ghosts // hollow points with a dashed outline: what did not happen, such as a request that was never sent
)

// Series is one line, set of points or set of bars, of up to some 2,000 points:
// a live chart of three such lines with intervals takes near 35 ms of the main
// thread to change. X and Y have equal length; Lo and Hi are nil or an interval
// around each Y. A slot that has nothing to show in this state keeps its place
// with no points.
type Series struct {
	ID    string
	Name  string // written on the line itself
	Role  Role
	Shape Shape
	X, Y  []float64
	Lo    []float64
	Hi    []float64
}

// Band shades a span of the x axis.
type Band struct {
	From, To float64
	Label    string
}

// Mark is a line across the chart: at an x value, or at a y value if Level.
//
// Knob names the knob whose value a mark at an x value shows, the axis being in
// the knob's unit. The reader can then drag the mark, which moves that knob as
// its slider does, from step to step, unless it is locked. The slider remains
// what keyboards and screen readers use.
type Mark struct {
	At    float64
	Level bool
	Label string
	Knob  string // "" for a mark that does not move
}

// BitRow is one float32 in a Bits figure.
type BitRow struct {
	Label string
	Value float32
	Ref   float32 // bits that differ from this one are marked
	ULPs  int64   // signed distance from Ref in representable values
	Says  string  // short remark at the end of the row, may be empty
}

// Strip is one row of cells in a Strips figure.
type Strip struct {
	Label string
	Cells []StripCell
}

// StripCell is one cell of a Strip.
type StripCell struct {
	Text   string
	Differ bool // drawn as departed from the row above
}

// Table is columns of numbers or words.
type Table struct {
	Caption string
	Columns []Column
	Rows    [][]Cell
}

// Column heads one column. Digits is used where a human reads the table; CSV
// and JSON always carry the shortest text that reads back as the same number.
type Column struct {
	Name   string // lower_case in Records; words in a Figure's table
	Unit   string
	Digits int // significant digits; 0 means a whole number in full
}

// Cell is a number or a word.
type Cell struct {
	Num  float64
	Text string // the word, or how a terminal shows the number if not by the column's digits
	Word bool   // Text holds the value
}

// N is a number in a table.
func N(x float64) Cell { return Cell{Num: x} }

// W is a word in a table.
func W(s string) Cell { return Cell{Text: s, Word: true} }
