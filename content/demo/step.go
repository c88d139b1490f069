package demo

// Figures that are read rather than looked at: what a number is made of, and
// what comes first.

// Step is one line of a Steps figure: an equation with the values in it, or a
// text to copy. It opens to say what the equation is, where each value is from
// and how far it can be trusted.
type Step struct {
	Group   string // heading, where it differs from that of the step before
	Key     string // unique in the figure, so that what is open stays open
	Name    string // what it is, in words
	Numbers string // right side of the equation with its values
	Value   string // the result, with its unit
	Strong  bool   // it decides

	Formula string // with symbols
	Terms   []Term
	Source  string
	Error   string   // how far off it can be
	Code    []string // lines to copy, in place of an equation
}

// Term is a symbol of a formula.
type Term struct {
	Symbol string
	Value  string // with its unit
	From   string // name of the step that computes it, or where it is from
	Page   string // path of the page about that; "" for none
}

// Ranking is rows with numbers beside each other.
type Ranking struct {
	Head    string // of the labels
	Columns []RankColumn
	Says    string // head of the reasons; "" if there are none
	Rows    []Rank
}

// RankColumn is one number of each row. All bars of a figure have one scale.
type RankColumn struct {
	Name string
	Bar  bool
}

// Rank is one row.
type Rank struct {
	Label  string
	Note   string // small, beside the label
	Cells  []RankCell
	Says   string
	Strong bool
	Open   *Step // what Says opens to, under a key of its own; nil for nothing
}

// RankCell is a number as it is read, and how long its bar is; a negative one
// is drawn as what is lost. It may have a picture.
type RankCell struct {
	Num   float64
	Text  string
	Spark *Spark
}

// Spark is a curve without axes, small enough for a cell. Its axis goes from 0
// to Top; what is usual lies between Lo and Hi, if Band; From and To are the
// shaded part, as shares of its width.
type Spark struct {
	Y        []float64 // evenly spaced; NaN is not known
	Band     bool
	Lo, Hi   float64
	Top      float64 // above 0
	From, To float64
	Moved    bool
}

// RankTable is the rows of a ranking as a table of words.
func RankTable(f Figure) Table {
	t := Table{Caption: f.Title, Columns: []Column{{Name: f.Ranking.Head}}}
	for _, c := range f.Ranking.Columns {
		t.Columns = append(t.Columns, Column{Name: c.Name})
	}
	if f.Ranking.Says != "" {
		t.Columns = append(t.Columns, Column{Name: f.Ranking.Says})
	}
	for _, row := range f.Ranking.Rows {
		label := row.Label
		if row.Note != "" {
			label += ", " + row.Note
		}
		cells := []Cell{W(label)}
		for _, c := range row.Cells {
			cells = append(cells, W(c.Text))
		}
		if f.Ranking.Says != "" {
			cells = append(cells, W(row.Says))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// Empty is a figure that has nothing to show in this state, and why. It is away.
func (f Figure) Empty(says string) Figure {
	f.Away, f.Alt, f.Notes = true, f.Title+": "+says+" 0 rows.", []string{says}
	f.Table = Table{Caption: f.Title, Columns: []Column{{Name: "What"}, {Name: "Why"}}, Rows: [][]Cell{{W(f.Title), W(says)}}}
	return f
}
