package demo

import "openloop/content/demo/text"

// JSONL is a finished run as one JSON object a line, a line for each record,
// so that runs can be concatenated and filtered line by line. Every line says
// which demo, engine and state it comes from; units are those of JSON's
// columns. Numbers are as in JSON.
func JSONL(s State, t Task) []byte {
	var j text.JSON
	state := s.String()
	r := t.Records()
	for _, row := range r.Rows {
		j.OpenObject()
		j.Text("demo", s.Demo.ID)
		j.Key("engine")
		j.Int(EngineVersion)
		j.Text("state", state)
		for i, c := range row {
			j.Key(r.Columns[i].Name)
			writeCell(&j, c)
		}
		j.CloseObject()
		j.Newline()
	}
	return j.Bytes()
}

func writeCell(j *text.JSON, c Cell) {
	if c.Word {
		j.String(c.Text)
	} else {
		writeNumber(j, c.Num)
	}
}

// writeNumber writes a number of a file: null if there is none. Frames of a page
// have strings there (text.JSON.Number), from which JavaScript makes NaN again.
func writeNumber(j *text.JSON, x float64) {
	if x != x {
		j.Null()
		return
	}
	j.Number(x)
}
