package demo

import "openloop/content/demo/text"

// headed is a Task that has more to say in the head of a file, such as which
// seeds it ran.
type headed interface{ Head() []Pair }

// CSV is the records of a finished run as a file: UTF-8, LF, four lines of
// comment (demo, engine, state, seed; more for a sweep), a line of column
// names with their units, and numbers in the shortest form that reads back as
// the same float64. The page's download and the command line give these bytes.
func CSV(s State, t Task) []byte {
	var c text.CSV
	for _, p := range head(s, t) {
		c.Comment(p.Key, p.Value)
	}
	table := t.Records()
	row := make([]string, len(table.Columns))
	for i, col := range table.Columns {
		row[i] = col.Name
		if col.Unit != "" {
			row[i] += " (" + col.Unit + ")"
		}
	}
	c.Row(row...)
	for _, cells := range table.Rows {
		row = row[:0]
		for _, cell := range cells {
			row = append(row, cell.file())
		}
		c.Row(row...)
	}
	return c.Bytes()
}

func head(s State, t Task) []Pair {
	h := []Pair{
		{"openloop", s.Demo.ID},
		{"engine", text.Shortest(EngineVersion)},
		{"state", s.String()},
		{"seed", text.Shortest(float64(s.Seed))},
	}
	h = append(h, s.loose()...)
	if more, ok := t.(headed); ok {
		h = append(h, more.Head()...)
	}
	return h
}

// file is a cell as it stands in a file.
func (c Cell) file() string {
	if c.Word {
		return c.Text
	}
	return text.Shortest(c.Num)
}
