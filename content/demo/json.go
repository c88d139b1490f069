package demo

import "openloop/content/demo/text"

// JSON is a finished run as one document: the same head as the CSV, the
// summary in words, the metrics, and the records as rows under named columns.
// Numbers are the shortest that read back the same. A number that there is not,
// NaN, is null; infinities, which JSON lacks too, are the strings "Infinity" and
// "-Infinity".
func JSON(s State, t Task) []byte {
	var j text.JSON
	j.OpenObject()
	j.Text("demo", s.Demo.ID)
	j.Text("title", s.Demo.Title)
	j.Key("engine")
	j.Int(EngineVersion)
	j.Text("state", s.String())
	j.Key("seed")
	j.Int(int64(s.Seed))
	for _, p := range s.loose() {
		j.Text(p.Key, p.Value)
	}
	if more, ok := t.(headed); ok {
		for _, p := range more.Head() {
			j.Text(p.Key, p.Value)
		}
	}
	j.Text("summary", t.Summary().String())
	j.Key("metrics")
	j.OpenArray()
	for _, m := range t.Metrics() {
		j.OpenObject()
		j.Text("name", m.Name)
		j.Text("label", m.Label)
		j.Text("unit", m.Unit)
		j.Key("value")
		writeNumber(&j, m.Value)
		j.CloseObject()
	}
	j.CloseArray()
	writeRecords(&j, t.Records())
	j.CloseObject()
	j.Newline()
	return j.Bytes()
}

func writeRecords(j *text.JSON, t Table) {
	j.Key("columns")
	j.OpenArray()
	for _, c := range t.Columns {
		j.OpenObject()
		j.Text("name", c.Name)
		j.Text("unit", c.Unit)
		j.CloseObject()
	}
	j.CloseArray()
	j.Key("records")
	j.OpenArray()
	for _, row := range t.Rows {
		j.OpenArray()
		for _, c := range row {
			writeCell(j, c)
		}
		j.CloseArray()
	}
	j.CloseArray()
}
